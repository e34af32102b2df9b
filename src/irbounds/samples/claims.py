"""Claims about recall: the verdict, and the sample that would show a claim.

A claim "recall is at least t" is shown if the lower limit reaches t. Where it is not shown,
``find_sample`` returns the size of a larger sample of the unretrieved segment that shows it if no
further document is relevant. The level is for one look at one sample.
"""

from __future__ import annotations

from dataclasses import replace

from ..results import RecallEstimate, Stratum
from ..results.recall_estimates import finds_any, growing_strata
from .counts import make_counts
from .point_estimates import estimate_elusion, estimate_precision
from .quantities import RECALL, SampleRequest
from .recall_intervals import estimate_silently

PRECISE = 100  # a sample of strata is found to one in so many documents


def warn_of_swapped(strata: tuple[Stratum, ...]) -> list[str]:
    """Return a warning if the unretrieved part of the sample is richer than the retrieved one."""
    counts = make_counts(strata)
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
    claimed = replace(estimate, at_least=at_least)
    is_open = not claimed.is_shown and finds_any(request.strata)
    return replace(claimed, sample_needed=find_sample(request, at_least) if is_open else None)


def find_sample(request: SampleRequest, at_least: float) -> int | None:
    """Return the size of an unretrieved sample that shows a claim; None if none does.

    It contains the present one, and no further relevant document.
    """
    growing = growing_strata(request.strata)
    sampled = sum(part.sampled for part in growing)
    rest = sum(part.population for part in growing) - sampled

    def is_shown(added: int) -> bool:
        strata = tuple(_enlarge(part, added / rest) for part in request.strata)
        larger = replace(request, strata=strata)
        return estimate_silently(RECALL, larger).interval.low >= at_least

    if not rest or not is_shown(rest):
        return None
    is_simple = len(request.strata) == 2  # limits of strata take longer
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
