"""Sentences about estimates of recall: the result, or the verdict on a claim."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..presentation.phrases import capitalise
from ..presentation.rounding import fixed, format_count, format_setting, percent
from .recall_estimates import (
    GUARANTEED,
    RecallEstimate,
    finds_any,
    format_numbers,
    growing_strata,
    main_estimate,
    places_of,
)

MAX_DECIMALS = 6  # of a limit next to a claim
CONDITIONS = "given random samples, sizes fixed in advance and one look"
NOT_COVERED = "This does not allow for assessors' mistakes, or samples not drawn at random."
#: the limits of an interval in words, by its side
LIMITS = {"two-sided": "between {} and {}", "greater": "at least {}", "less": "at most {}"}


def recall_sentences(estimates: Sequence[RecallEstimate], digits: int | None) -> list[str]:
    """Return the verdict on a claim or the result, and what the interval ignores."""
    main = main_estimate(estimates)
    places = places_of(main, digits)
    lines = claim_sentences(main, places) if main.at_least else [_describe_result(main, places)]
    return [*lines, NOT_COVERED]


def _describe_result(estimate: RecallEstimate, places: int) -> str:
    interval = estimate.interval
    value, *ends = format_numbers(estimate, places)
    name = capitalise(estimate.quantity)
    of = " documents" if estimate.quantity == "yield" else ""
    if math.isnan(estimate.value) and math.isnan(interval.low):
        return f"{name} cannot be estimated from these samples."
    if estimate.is_known and not math.isnan(estimate.value):
        return f"{name} is {value}{of}: all of the documents were assessed."
    if math.isnan(interval.low):
        return f"{name} is estimated at {value}{of}, without an interval."
    within = LIMITS[interval.alternative].format(*ends)
    point = "there is no estimate" if math.isnan(estimate.value) else f"the estimate is {value}"
    level = percent(interval.confidence_level)
    return f"{name} is {within}{of} at the {level} level; {point}."


def is_conditional(estimate: RecallEstimate) -> bool:
    """Return whether a claim is shown by samples, and not by reading everything."""
    return bool(estimate.is_shown) and not estimate.is_known


def claim_sentences(estimate: RecallEstimate, places: int) -> list[str]:
    """Return the verdict on a claim, and the sample that would show it."""
    claimed: Any = estimate.at_least
    claim = f"{estimate.quantity} of at least {format_setting(claimed)}"
    interval = estimate.interval
    if not finds_any(estimate.strata):
        return [f"Not shown: {claim}. No relevant document was found."]
    if math.isnan(interval.low):
        return [f"Not shown: {claim}. These samples give no limit."]
    limit = format_numbers(estimate, places)[1]
    decimals = places  # enough to tell the limit from the claim
    while decimals < MAX_DECIMALS and (float(limit) >= claimed) != estimate.is_shown:
        decimals += 1
        limit = format_numbers(estimate, decimals)[1]
    level = percent(interval.confidence_level)
    kind = f"guaranteed {level}" if interval.method == GUARANTEED else level
    value = (
        "" if math.isnan(estimate.value) else f"; the estimate is {fixed(estimate.value, places)}"
    )
    numbers = f"The {kind} lower limit is {limit} (method {interval.method}){value}."
    if estimate.is_shown:
        conditions = f", {CONDITIONS}" if is_conditional(estimate) else ""
        return [f"Shown: {claim}{conditions}. {numbers}"]
    if estimate.sample_needed is None:
        return [f"Not shown: {claim}. {numbers}", "No larger unretrieved sample would show it."]
    sampled = sum(part.sampled for part in growing_strata(estimate.strata))
    return [
        f"Not shown: {claim}. {numbers}",
        f"A sample of {format_count(estimate.sample_needed)} unretrieved documents, "
        f"{estimate.sample_needed - sampled:,} more than these {sampled:,}, would show it if no "
        "further document is relevant.",
    ]
