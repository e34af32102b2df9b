"""Sentences about estimates of recall: the result, or the verdict on a claim, and their limits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..presentation.phrases import capitalise
from ..presentation.registry import View
from ..presentation.rounding import fixed, format_count, format_setting, percent
from .recall_estimates import (
    GUARANTEED,
    RECOMMENDED,
    RecallEstimate,
    finds_any,
    format_numbers,
    growing_strata,
    is_known,
    is_recommended,
    is_settled,
    places_of,
    rests_on_prior,
)

MAX_DECIMALS = 6  # of a limit next to a claim
CONDITIONS = "given random samples, sizes fixed in advance and one look"
UNCHECKED = "and correct judgments where none was assessed again"
ONE_LOOK = "The level is for one look: a second one, at a larger sample, is another chance to err."
GUARANTEE = (
    "Guaranteed: at least {} in 100 of such intervals contain the true value, whatever the corpus "
    "is like."
)
ON_AVERAGE = (
    "On average over corpora, about {} in 100 of such intervals contain the true value; for one "
    "corpus it may be fewer."
)
NOMINAL = (
    "Nominally, about {} in 100 of such intervals contain the true value; the coverage of "
    f"{RECOMMENDED[0]} with prior {RECOMMENDED[1]} is closest to that."
)
RESTS_ON_PRIOR = (
    "Part of the corpus was not sampled: results that depend on it rest on the prior, and their "
    "coverage is not known."
)
CREDITED = (
    "Relevant documents that the unretrieved samples found are added to the retrieved set: all "
    "quantities are of the final set, and elusion is of what is left."
)
UNJUDGED = (
    "Documents that could not be judged count as not relevant, and precision and F leave them out; "
    "limits, and intervals by method exact, take the worst case."
)
NOT_COVERED = "This does not allow for assessors' mistakes, or samples not drawn at random."


def recall_sentences(estimates: Sequence[RecallEstimate], view: View) -> list[str]:
    """Return the result of a single sample, the coverage, and what the interval ignores."""
    claims = (estimate for estimate in estimates if estimate.at_least is not None)
    first = next(claims, next(filter(is_recommended, estimates), estimates[0]))
    is_single = len({(estimate.topic, estimate.system) for estimate in estimates}) == 1
    lines = []
    if is_single:
        places = places_of(first, view.digits)
        lines += claim_sentences(first, places) or [_describe_result(first, places)]
    elif first.at_least is not None:
        lines.append(f"Each verdict has its level by itself, {describe_conditions(first)}.")
    if first.credit_found:
        lines.append(CREDITED)
    lines += _describe_coverage([row for row in estimates if not is_settled(row)])
    if any(part.judged < part.sampled for estimate in estimates for part in estimate.strata):
        lines.append(UNJUDGED)
    return [*lines, NOT_COVERED]


def _describe_result(estimate: RecallEstimate, places: int) -> str:
    interval = estimate.interval
    value, *ends = format_numbers(estimate, places)
    name = capitalise(estimate.quantity)
    of = " documents" if estimate.quantity == "yield" else ""
    if math.isnan(estimate.value) and math.isnan(interval.low):
        return f"{name} cannot be estimated from these samples."
    if is_known(estimate) and not math.isnan(estimate.value):
        return f"{name} is {value}{of}: all of the documents were assessed."
    if math.isnan(interval.low):
        return f"{name} is estimated at {value}{of}, without an interval."
    words = {"two-sided": "between {} and {}", "greater": "at least {}", "less": "at most {}"}
    within = words[interval.alternative].format(*ends)
    point = "there is no estimate" if math.isnan(estimate.value) else f"the estimate is {value}"
    level = percent(interval.confidence_level)
    return f"{name} is {within}{of} at the {level} level; {point}."


def _describe_coverage(open_estimates: Sequence[RecallEstimate]) -> list[str]:
    """Return one sentence about coverage; none if every estimate is settled."""
    if not open_estimates:
        return []
    level = format_setting(100 * open_estimates[0].interval.confidence_level)
    if all(estimate.interval.method == GUARANTEED for estimate in open_estimates):
        return [GUARANTEE.format(level)]
    if any(map(rests_on_prior, open_estimates)):
        return [RESTS_ON_PRIOR]
    is_usual = all(map(is_recommended, open_estimates))
    return [(ON_AVERAGE if is_usual else NOMINAL).format(level)]


# ---- claims ----


def describe_conditions(estimate: RecallEstimate) -> str:
    """Return what a verdict depends on: the samples, and judgments that nobody checked."""
    is_unchecked = any(part.is_checked for part in estimate.strata) and any(
        (part.relevant and not part.relevant_checked)
        or (part.irrelevant and not part.irrelevant_checked)
        for part in estimate.strata
    )
    return f"{CONDITIONS}, {UNCHECKED}" if is_unchecked else CONDITIONS


def is_conditional(estimate: RecallEstimate) -> bool:
    """Return whether a claim is shown by samples, and not by reading everything."""
    return bool(estimate.is_shown) and not is_known(estimate)


def claim_sentences(estimate: RecallEstimate, places: int) -> list[str]:
    """Return the verdict on a claim in one sentence, and what would show it; [] without a claim."""
    if estimate.at_least is None:
        return []
    claim = f"{estimate.quantity} of at least {format_setting(estimate.at_least)}"
    interval = estimate.interval
    if not finds_any(estimate.strata):
        return [f"Not shown: {claim}. No relevant document was found."]
    if math.isnan(interval.low):
        return [f"Not shown: {claim}. These samples give no limit."]
    limit = _limit_beside_claim(estimate, places)
    level = percent(interval.confidence_level)
    kind = f"guaranteed {level}" if interval.method == GUARANTEED else level
    value = (
        "" if math.isnan(estimate.value) else f"; the estimate is {fixed(estimate.value, places)}"
    )
    numbers = f"The {kind} lower limit is {limit} (method {interval.method}){value}."
    if estimate.is_shown:
        conditions = f", {describe_conditions(estimate)}" if is_conditional(estimate) else ""
        return [f"Shown: {claim}{conditions}. {numbers}"]
    needs = [_describe_need(estimate), *([ONE_LOOK] if estimate.sample_needed else [])]
    return [f"Not shown: {claim}. {numbers}", *needs]


def _limit_beside_claim(estimate: RecallEstimate, places: int) -> str:
    """Return the lower limit with enough decimals to tell it from the claim."""
    claim: Any = estimate.at_least
    limit = format_numbers(estimate, places)[1]
    while places < MAX_DECIMALS and (float(limit) >= claim) != estimate.is_shown:
        places += 1
        limit = format_numbers(estimate, places)[1]
    return limit


def _describe_need(estimate: RecallEstimate) -> str:
    """Return how large a sample would show a claim, or that none would."""
    sampled = sum(part.sampled for part in growing_strata(estimate.strata))
    needed = estimate.sample_needed
    if needed is None:
        return "No larger unretrieved sample would show it."
    return (
        f"A sample of {format_count(needed)} unretrieved documents, {needed - sampled:,} more than "
        f"these {sampled:,}, would show it if no further document is relevant."
    )
