"""Claims about a retrieved set: the side of each limit, and the sample that would show a claim.

A one-sided limit belongs to a claim. "At least this good" needs lower limits of recall, precision
and F, and upper limits of elusion, prevalence and yield: of what was missed and of what there was
to find. ``side_of_limit`` returns the side.

A claim "recall is at least t" is shown if the lower limit reaches t. Where it is not shown,
``find_sample`` returns the size of a sample of the unretrieved segment that would show it with
probability ``ASSURANCE``, if the yields are as estimated and the retrieved sample stays as it is.
It is the size of a new sample that is looked at once. Looking at the first sample, drawing more and
looking again is two looks, and each of them can go wrong (docs/recall.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..results import RecallEstimate, Sample, Stratum
from ..validation import Alternative
from .counts import make_counts
from .hypergeometric import hypergeometric_masses
from .point_estimates import estimate_elusion, estimate_precision

if TYPE_CHECKING:
    from .request import SampleRequest

ASSURANCE = 0.8
#: quantities of which a good result has little
LESS_IS_BETTER = ("elusion", "prevalence", "yield")
OPPOSITE: dict[Alternative, Alternative] = {"greater": "less", "less": "greater"}
PRECISE = 100  # a sample is found to one in so many documents


def side_of_limit(quantity: str, alternative: Alternative, requested: Iterable[str]) -> Alternative:
    """Return the side of a quantity's limit for a claim that the requested quantities make.

    Elusion on its own has an upper limit. Prevalence and yield on their own say nothing about the
    retrieved set, and have the side that was requested.
    """
    if alternative == "two-sided" or quantity not in LESS_IS_BETTER:
        return alternative
    if set(requested) - set(LESS_IS_BETTER):
        return OPPOSITE[alternative]
    return "less" if quantity == "elusion" else alternative


def warn_of_swapped(samples: Sequence[Sample]) -> list[str]:
    """Return a warning if the unretrieved part of one sample is richer than the retrieved one."""
    if len(samples) != 1:
        return []
    counts = make_counts(samples[0].strata)
    precision, elusion = float(estimate_precision(counts)), float(estimate_elusion(counts))
    if not elusion > precision:
        return []
    return [
        f"elusion ({elusion:.3g}) is above precision ({precision:.3g}): are retrieved and "
        "unretrieved swapped?"
    ]


def judge_claim(
    estimate: RecallEstimate, request: SampleRequest, at_least: float
) -> RecallEstimate:
    """Return an estimate of recall with a claim and, if it is not shown, the sample it needs."""
    claimed = replace(estimate, at_least=at_least)
    if claimed.is_shown or not estimate.value > at_least:
        return claimed
    return replace(claimed, sample_needed=find_sample(request, at_least))


def find_sample(request: SampleRequest, at_least: float) -> int | None:
    """Return the size of an unretrieved sample that would probably show a claim; None if none."""
    sampled = sum(part.sampled for part in request.strata if _is_open(part))
    rest = sum(part.population for part in request.strata if _is_open(part))
    if not sampled or not _is_shown(request, at_least, rest / sampled):
        return None
    low, high = sampled, rest
    while high - low > max(1, high // PRECISE):
        middle = (low + high) // 2
        if _is_shown(request, at_least, middle / sampled):
            high = middle
        else:
            low = middle
    return high


def _is_shown(request: SampleRequest, at_least: float, factor: float) -> bool:
    """Return whether samples this many times as large would probably show a claim."""
    from .quantities import RECALL, estimate_silently

    strata = tuple(_enlarge(part, factor) if _is_open(part) else part for part in request.strata)
    return estimate_silently(RECALL, replace(request, strata=strata)).interval.low >= at_least


def _is_open(part: Stratum) -> bool:
    """Return whether more documents of an unretrieved stratum can be drawn."""
    return not part.retrieved and 0 < part.sampled < part.population


def _enlarge(part: Stratum, factor: float) -> Stratum:
    """Return a stratum with a larger sample, and a relevant count that is probably not exceeded."""
    sampled = min(part.population, round(part.sampled * factor))
    estimated = round(part.population * part.relevant / part.sampled)
    first, masses = hypergeometric_masses(part.population, estimated, sampled)
    chance, relevant = float(masses[0]), first
    while chance < ASSURANCE:
        relevant += 1
        chance += float(masses[relevant - first])
    return Stratum(part.name, part.retrieved, part.population, sampled, relevant)
