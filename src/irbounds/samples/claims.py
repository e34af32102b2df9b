"""Claims about a retrieved set: the side of each limit, and the sample that would show a claim.

A one-sided limit belongs to a claim. "At least this good" needs lower limits of recall, precision
and F, and upper limits of elusion, prevalence and yield: of what was missed and of what there was
to find. ``side_of_limit`` returns the side.

A claim "recall is at least t" is shown if the lower limit reaches t. Where it is not shown,
``find_sample`` returns the size of a larger sample of the unretrieved segment that shows it if no
further document is relevant. The level is for one look at one sample.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..errors import ParameterError
from ..results import RecallEstimate, Sample, Stratum
from ..results.recall_estimates import finds_any, growing_strata
from ..validation import Alternative, check_claim
from .counts import make_counts
from .point_estimates import estimate_elusion, estimate_precision

if TYPE_CHECKING:
    from .quantities import SampleRequest

#: quantities of which a good result has little
LESS_IS_BETTER = ("elusion", "prevalence", "yield")
OPPOSITE: dict[Alternative, Alternative] = {"greater": "less", "less": "greater"}
PRECISE = 100  # a sample of strata is found to one in so many documents


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
    request: SampleRequest, estimate: RecallEstimate, at_least: float
) -> RecallEstimate:
    """Return an estimate of recall with a claim and, if it is not shown, the sample it needs."""
    check_claim("at_least", at_least, request.confidence_level)
    if request.alternative != "greater":
        raise ParameterError(
            f"at_least needs a lower limit: alternative='greater'; got {request.alternative!r}"
        )
    claimed = replace(estimate, at_least=at_least)
    is_open = not claimed.is_shown and finds_any(request.sample)
    needed = find_sample(request, at_least) if is_open else None
    return replace(claimed, sample_needed=needed)


def find_sample(request: SampleRequest, at_least: float) -> int | None:
    """Return the size of an unretrieved sample that shows a claim; None if none does.

    It contains the present one, and no further relevant document.
    """
    from .quantities import RECALL
    from .recall_intervals import estimate_silently

    growing = growing_strata(request.sample)
    sampled = sum(part.sampled for part in growing)
    rest = sum(part.population for part in growing) - sampled

    def is_shown(added: int) -> bool:
        strata = tuple(_enlarge(part, added / rest) for part in request.sample)
        larger = replace(request, sample=Sample(strata))
        return estimate_silently(RECALL, larger).interval.low >= at_least

    if not rest or not is_shown(rest):
        return None
    is_simple = len(request.sample) == 2  # limits of strata take longer
    low, high = 0, rest
    while high - low > max(1, 0 if is_simple else (sampled + high) // PRECISE):
        middle = (low + high) // 2
        low, high = (low, middle) if is_shown(middle) else (middle, high)
    return sampled + high


def _enlarge(part: Stratum, fraction: float) -> Stratum:
    """Return an unretrieved stratum with a fraction of its unread documents read, none relevant."""
    added = 0 if part.retrieved else round(fraction * (part.population - part.sampled))
    if not part.is_partly_checked:
        counts = (part.population, part.sampled, round(part.corrected_relevant), part.assessable)
        part = Stratum(part.name, part.retrieved, *counts)
    assessable = None if part.assessable is None else part.assessable + added
    return replace(part, sampled=part.sampled + added, assessable=assessable)
