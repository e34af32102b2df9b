"""Claims about a retrieved set: the side of each limit, and the sample that would show a claim.

A one-sided limit belongs to a claim. "At least this good" needs lower limits of recall, precision
and F, and upper limits of elusion, prevalence and yield: of what was missed and of what there was
to find. ``side_of_limit`` returns the side.

A claim "recall is at least t" is shown if the lower limit reaches t. Where it is not shown,
``find_sample`` returns the size of a sample of the unretrieved segment that would show it with
probability ``ASSURANCE``, if recall is as assumed and the retrieved sample stays as it is.
It is the size of a new sample that is looked at once. Looking at the first sample, drawing more and
looking again is two looks, and each of them can go wrong (docs/concepts/recall-from-samples.md).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ..results import RecallEstimate, Sample, Stratum
from ..results.recall_sentences import ASSURANCE
from ..validation import Alternative
from .counts import make_counts
from .hypergeometric import hypergeometric_masses
from .point_estimates import estimate_elusion, estimate_precision

if TYPE_CHECKING:
    from .request import SampleRequest

#: quantities of which a good result has little
LESS_IS_BETTER = ("elusion", "prevalence", "yield")
OPPOSITE: dict[Alternative, Alternative] = {"greater": "less", "less": "greater"}
ADDED = 0.5  # documents added to both counts of an unretrieved sample, to plan another one
RARE = 0.002  # probability of a count that is not tried
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
    """Return an estimate of recall with a claim and, if it is not shown, the sample it needs.

    Documents of unretrieved samples that could not be judged count as relevant in the limit:
    against the claim. Everywhere else they count as not relevant.
    """
    from .quantities import RECALL, estimate_silently

    n_against = sum(part.sampled - part.judged for part in request.strata if not part.retrieved)
    if n_against:
        strata = tuple(map(_count_against, request.strata))
        request = replace(request, strata=strata, n_against=n_against)
        against = estimate_silently(RECALL, request)
        estimate = replace(estimate, interval=against.interval, limits=against.limits)
    claimed = replace(estimate, at_least=at_least)
    if claimed.is_shown:
        return claimed
    assumed = assumed_recall(request)
    if not assumed > at_least or (n_against and request.credit_found):
        return claimed
    return replace(claimed, sample_needed=find_sample(request, at_least), recall_assumed=assumed)


def _count_against(part: Stratum) -> Stratum:
    """Return an unretrieved stratum whose documents that could not be judged are relevant."""
    unjudged = part.sampled - part.judged
    if part.retrieved or not unjudged:
        return part
    return replace(part, relevant=part.relevant + unjudged, assessable=None)


def assumed_recall(request: SampleRequest) -> float:
    """Return recall with half a document added to the counts of the unretrieved samples.

    A sample without a relevant document has an estimate of 1, which is no base for a plan.
    """
    yields = {True: 0.0, False: 0.0}
    for part in request.strata:
        if part.population:
            yields[part.retrieved] += (
                _cautious_yield(part)
                if _is_open(part) and not part.retrieved
                else part.population * part.corrected_relevant / max(part.sampled, 1)
            )
    credited = yields[True] + request.credited
    return credited / (yields[True] + yields[False]) if sum(yields.values()) else 0.0


def find_sample(request: SampleRequest, at_least: float) -> int | None:
    """Return the size of an unretrieved sample that would probably show a claim; None if none.

    A control set grows as a whole, and its size is returned.
    """
    growing = [part for part in request.strata if _is_growing(part, request)]
    sampled = sum(part.sampled for part in growing)
    rest = sum(part.population for part in growing)
    if not sampled or not _is_shown(request, at_least, rest / sampled):
        return None
    is_simple = len(request.strata) == 2  # limits of strata take longer
    low, high = sampled, rest
    while high - low > max(1, 0 if is_simple else high // PRECISE):
        middle = (low + high) // 2
        if _is_shown(request, at_least, middle / sampled):
            high = middle
        else:
            low = middle
    return high


def _is_shown(request: SampleRequest, at_least: float, factor: float) -> bool:
    """Return whether samples this many times as large would probably show a claim."""
    from .quantities import RECALL, estimate_silently

    if request.credit_found:
        return _chance_with_credit(request, at_least, factor) >= ASSURANCE
    # both samples of a control set are lucky together with the assurance
    assurance = math.sqrt(ASSURANCE) if request.is_control_set else ASSURANCE
    strata = tuple(
        _enlarge(part, factor, assurance) if _is_growing(part, request) else part
        for part in request.strata
    )
    return estimate_silently(RECALL, replace(request, strata=strata)).interval.low >= at_least


def _chance_with_credit(request: SampleRequest, at_least: float, factor: float) -> float:
    """Return the chance that samples show a claim, if what they find is credited.

    The limit may rise with what is found then, so that all counts of the stratum with the largest
    weight are tried; other strata have the counts that are probably not exceeded.
    """
    from .quantities import RECALL, estimate_silently

    growing = [part for part in request.strata if _is_growing(part, request)]
    largest = max(growing, key=lambda part: part.population / part.sampled)
    others = {part.name: _enlarge(part, factor, ASSURANCE) for part in growing}
    sampled = others[largest.name].sampled
    assumed = min(round(_cautious_yield(largest)), largest.population)
    first, masses = hypergeometric_masses(largest.population, assumed, sampled)
    chance = 0.0
    for place in np.flatnonzero(masses > RARE).tolist():
        tried = replace(others[largest.name], relevant=first + place)
        strata = tuple(
            tried if part == largest else others.get(part.name, part) for part in request.strata
        )
        result = estimate_silently(RECALL, replace(request, strata=strata))
        chance += float(masses[place]) * (result.interval.low >= at_least)
    return chance


def _is_growing(part: Stratum, request: SampleRequest) -> bool:
    """Return whether a plan draws more documents of a stratum."""
    return _is_open(part) and (request.is_control_set or not part.retrieved)


def _is_open(part: Stratum) -> bool:
    """Return whether more documents of a stratum can be drawn."""
    return 0 < part.sampled < part.population


def _cautious_yield(part: Stratum) -> float:
    """Return the yield with half a document added to the counts of the sample."""
    return part.population * (part.corrected_relevant + ADDED) / (part.sampled + 2 * ADDED)


def _enlarge(part: Stratum, factor: float, assurance: float) -> Stratum:
    """Return a stratum with a larger sample, and a count that is probably not worse.

    This is the number of relevant documents that an unretrieved sample does not exceed, or that a
    retrieved one reaches, with the assurance.
    """
    sampled = min(part.population, round(part.sampled * factor))
    if part.retrieved:
        assumed = round(part.population * part.corrected_relevant / part.sampled)
    else:
        assumed = min(round(_cautious_yield(part)), part.population)
    first, masses = hypergeometric_masses(part.population, assumed, sampled)
    cumulative = np.cumsum(masses)
    if part.retrieved:
        place = max(int(np.count_nonzero(cumulative <= 1 - assurance)), 0)
    else:
        place = int(np.count_nonzero(cumulative < assurance))
    relevant = min(first + place, sampled)
    return Stratum(part.name, part.retrieved, part.population, sampled, relevant)
