"""Sentences about estimates of recall: the result, the verdict on a claim, and the coverage."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..presentation.phrases import capitalise, pluralise
from ..presentation.registry import View
from ..presentation.rounding import fixed, format_setting, percent, significant
from .recall_estimates import (
    GUARANTEED,
    RECOMMENDED,
    RecallEstimate,
    format_numbers,
    is_beyond,
    is_known,
    is_point,
    is_recommended,
    is_settled,
    places_of,
    rests_on_prior,
    segment_of_quantity,
    strata_that_matter,
)
from .samples import Stratum

DRAWN = "monte-carlo"  # from the posterior of the recommended method
CLOSE = {"koopman", "beta-jeffreys", "wilson", "jeffreys", RECOMMENDED[0], DRAWN}
WITH_GUARANTEE = (GUARANTEED, "clopper-pearson")
METHODS_PAGE = "(irbounds docs recall-methods)"
REPEATED = "In repeated sampling"
BEST = f"{RECOMMENDED[0]} with prior {RECOMMENDED[1]}"
ASSURANCE = 0.8  # probability with which the sample that is needed shows a claim
MAX_DECIMALS = 6  # of a limit next to a claim
MIN_DECIMALS = 3  # of the value at which coverage is lowest
RESTS_ON_PRIOR = (
    "Part of the corpus was not sampled: results that depend on it rest on the prior, and their "
    "coverage is not known."
)
OUTSIDE = (
    "An estimate counts only the relevant documents in the samples; its interval allows for those "
    "that they may have missed, and need not contain the estimate."
)
COARSE = "Computed on coarse tables: the ends of {} are accurate to {}."
BEYOND = "An end below 0 or above 1 is not an error in the counts: the method has no such bounds."
NOT_COVERED = "This does not allow for {},{} or documents beyond {}."
MISTAKES = "assessors' mistakes"
SECOND_MISTAKES = "mistakes of the second assessment"
UNCHECKED_MISTAKES = "mistakes in judgments of which none was assessed again"
NOT_RANDOM = " samples not drawn at random,"
CREDITED = (
    "Relevant documents that the unretrieved samples found are added to the retrieved set: all "
    "quantities are of the final set, and elusion is of what is left."
)
UNJUDGED = "Documents that could not be judged count as not relevant."
ONE_LOOK = (
    "The level holds for one look at one sample. To add to this sample and look again, use a "
    "higher level at both looks, such as --confidence-level 0.975 for two (irbounds docs recall)."
)
NOT_SUGGESTED = (
    "The samples do not suggest that the claim is true: a larger sample will probably not show it."
)
TOO_SMALL = (
    "Even if all unretrieved documents were read, the claim would probably not be shown: the "
    "retrieved sample is too small."
)


def recall_sentences(estimates: Sequence[RecallEstimate], view: View) -> list[str]:
    """Return the result of a single sample, the coverage, and what the interval ignores."""
    first = next((estimate for estimate in estimates if is_recommended(estimate)), estimates[0])
    is_single = len({(estimate.topic, estimate.system) for estimate in estimates}) == 1
    places = places_of(first, view.digits)
    lines = claim_sentences(first, places) if is_single else []
    if is_single and (first.at_least is None or math.isnan(first.interval.low)):
        lines.append(capitalise(_main_sentence(first, places)))
    if any(estimate.credit_found for estimate in estimates):
        lines.append(CREDITED)
    if is_single and first.table_error:
        lines.append(COARSE.format(first.quantity, significant(first.table_error, 1)))
    if any(map(_is_outside, estimates)):
        lines.append(OUTSIDE)
    lines += coverage_sentences(estimates)
    if any(map(is_beyond, estimates)):
        lines.append(BEYOND)
    if first.at_least is None and any(s.judged < s.sampled for s in first.strata):
        lines.append(UNJUDGED)
    total = sum(stratum.population for stratum in first.strata)
    beyond = f"these {total:,}" if is_single else "the corpus"
    is_checked = any(stratum.is_checked for stratum in first.strata)
    mistakes = SECOND_MISTAKES if is_checked else MISTAKES
    if is_checked and any(map(_has_unchecked_class, first.strata)):
        mistakes = f"{UNCHECKED_MISTAKES}, {SECOND_MISTAKES}"
    draws = "" if all(map(is_known, estimates)) else NOT_RANDOM
    lines.append(NOT_COVERED.format(mistakes, draws, beyond))
    return lines


def _has_unchecked_class(stratum: Stratum) -> bool:
    """Return whether a stratum has judgments of a kind of which none was assessed again."""
    return bool(
        (stratum.irrelevant and not stratum.irrelevant_checked)
        or (stratum.relevant and not stratum.relevant_checked)
    )


def claim_sentences(estimate: RecallEstimate, places: int) -> list[str]:
    """Return the verdict on a claim in one sentence, and what would show it; [] without a claim."""
    if estimate.at_least is None:
        return []
    claim = f"{estimate.quantity} of at least {format_setting(estimate.at_least)}"
    interval = estimate.interval
    if math.isnan(interval.low):
        return [f"Not shown: {claim}. These samples give no limit."]
    limit = _limit_beside_claim(estimate, places)
    level = percent(interval.confidence_level)
    kind = f"guaranteed {level}" if interval.method in WITH_GUARANTEE else f"{level}"
    method = f"method {interval.method}"
    verdict = "Shown" if estimate.is_shown else "Not shown"
    value = (
        "" if math.isnan(estimate.value) else f"; the estimate is {fixed(estimate.value, places)}"
    )
    lines = [f"{verdict}: {claim}. The {kind} lower limit is {limit} ({method}){value}."]
    unjudged = sum(s.sampled - s.judged for s in estimate.strata if not s.retrieved)
    if unjudged:
        documents = pluralise(unjudged, "document")
        lines.append(
            f"{documents} of the unretrieved sample could not be judged and "
            f"{'counts' if unjudged == 1 else 'count'} as relevant in the limit: against the claim."
        )
    if not estimate.is_shown:
        lines.append(_describe_need(estimate, places))
        lines += [ONE_LOOK] if estimate.sample_needed else []
    return lines


def _limit_beside_claim(estimate: RecallEstimate, places: int) -> str:
    """Return the lower limit with enough decimals to tell it from the claim."""
    assert estimate.at_least is not None
    limit = format_numbers(estimate, places)[1]
    while places < MAX_DECIMALS and (float(limit) >= estimate.at_least) != estimate.is_shown:
        places += 1
        limit = format_numbers(estimate, places)[1]
    return limit


def _describe_need(estimate: RecallEstimate, places: int) -> str:
    """Return how large a sample would show a claim."""
    assert estimate.at_least is not None
    if estimate.recall_assumed is None:
        return NOT_SUGGESTED
    growing = [
        stratum
        for stratum in estimate.strata
        if 0 < stratum.sampled < stratum.population
        and (estimate.is_control_set or not stratum.retrieved)
    ]
    sampled = sum(stratum.sampled for stratum in growing)
    if estimate.sample_needed is None:
        return TOO_SMALL
    needed = estimate.sample_needed
    what, documents = "sample", "unretrieved documents"
    if estimate.is_control_set:
        what, documents = "control set", "documents"
    is_divided = len(growing) > 1 and not estimate.is_control_set
    divided = " in the same proportions" if is_divided else ""
    return (
        f"A {what} of about {needed:,} {documents}{divided}, {needed - sampled:,} more than these "
        f"{sampled:,}, would show it with probability {ASSURANCE:g}, if {estimate.quantity} is "
        f"{fixed(estimate.recall_assumed, max(places, 2))}."
    )


def _main_sentence(estimate: RecallEstimate, places: int) -> str:
    interval = estimate.interval
    value, *ends = format_numbers(estimate, places)
    of = " documents" if estimate.quantity == "yield" else ""
    if math.isnan(estimate.value) and math.isnan(interval.low):
        return f"{estimate.quantity} cannot be estimated from these samples."
    if is_known(estimate) and not math.isnan(estimate.value):
        return (
            f"{_everything(estimate)}: {estimate.quantity} is {value}{of}, without sampling error."
        )
    if math.isnan(interval.low):
        return f"{estimate.quantity} is estimated at {value}{of}, without an interval."
    level = percent(interval.confidence_level)
    if is_point(estimate) and math.isnan(estimate.value):
        return f"{estimate.quantity} can only be {ends[0]}{of}, if there is a relevant document."
    if is_point(estimate):
        return (
            f"{estimate.quantity} is estimated at {value}{of}; the {level} interval is this single "
            "point."
        )
    if interval.alternative == "two-sided":
        within = f"between {ends[0]} and {ends[1]}"
    else:
        within = f"at {'least' if interval.alternative == 'greater' else 'most'} {ends[0]}"
    point = "there is no estimate" if math.isnan(estimate.value) else f"the estimate is {value}"
    return f"{estimate.quantity} is {within}{of} at the {level} level; {point}."


def _everything(estimate: RecallEstimate) -> str:
    """Return that everything was assessed, or drawn if some documents could not be judged."""
    sides = {None: "", True: " retrieved", False: " unretrieved"}
    all_judged = all(s.assessable in (None, s.sampled) for s in strata_that_matter(estimate))
    verb = "assessed" if all_judged else "drawn"
    return f"Everything{sides[segment_of_quantity(estimate.quantity)]} was {verb}"


def coverage_sentences(estimates: Sequence[RecallEstimate]) -> list[str]:
    """Return one sentence about coverage; none if every estimate is settled."""
    uncertain = [estimate for estimate in estimates if not is_settled(estimate)]
    if not uncertain:
        return []
    if all(estimate.interval.method in WITH_GUARANTEE for estimate in uncertain):
        return [_describe_guarantee(uncertain[0])]
    if any(map(rests_on_prior, uncertain)):
        return [RESTS_ON_PRIOR]
    first = next((estimate for estimate in uncertain if is_recommended(estimate)), uncertain[0])
    of_quantity = [estimate for estimate in uncertain if estimate.quantity == first.quantity]
    has_several = len({(estimate.interval.method, estimate.prior) for estimate in estimates}) > 1
    computed = [estimate for estimate in of_quantity if estimate.coverage is not None]
    if computed:
        others = f"; that of other methods differs {METHODS_PAGE}" if has_several else ""
        return [f"{_describe_computed(computed)}{others}."]
    if has_several:
        return [_describe_best_coverage(first)]
    return [_describe_coverage(first)]


def _describe_guarantee(estimate: RecallEstimate) -> str:
    intervals, contain = _coverage_words(estimate)
    rate = f"at least {_level_in_100(estimate)} in 100"
    return f"Guaranteed: {rate} of such {intervals} {contain}, whatever the corpus is like."


def _describe_computed(estimates: Sequence[RecallEstimate]) -> str:
    """Return the computed coverage of a single sample."""
    limits = [estimate for estimate in estimates if estimate.worst_coverage is not None]
    if not limits:
        intervals, contain = _coverage_words(estimates[0])
        return f"{REPEATED}, {_nominal_rate(estimates[0])} of the {intervals} {contain}"
    first = min(limits, key=lambda estimate: estimate.worst_coverage or 0.0)
    intervals, contain = _coverage_words(first)
    assert first.worst_coverage is not None
    assert first.coverage is not None
    assert first.worst_value is not None
    where = f"{first.quantity} of {fixed(first.worst_value, MIN_DECIMALS)}"
    lowest = f"{_in_100(first.worst_coverage)} in 100, at a {where}"
    if first.interval.alternative == "two-sided":
        expected = f"{_in_100(first.coverage)} in 100 of the {intervals} {contain}"
        return (
            f"Computed for this design: if the yields are as estimated, {expected}; the lowest "
            f"rate found is {lowest}"
        )
    return (
        f"Not guaranteed: computed for this design, the lowest rate found at which such "
        f"{intervals} {contain} is {lowest}; --method exact guarantees "
        f"{_level_in_100(first)} in 100"
    )


def _describe_coverage(estimate: RecallEstimate) -> str:
    method, rate = estimate.interval.method, _nominal_rate(estimate)
    intervals, contain = _coverage_words(estimate)
    if is_recommended(estimate) or (method, estimate.prior) == (DRAWN, RECOMMENDED[1]):
        return (
            f"On average over corpora, {rate} of the {intervals} {contain}; for one corpus it may "
            f"be fewer {METHODS_PAGE}."
        )
    nominal = f"Nominally, {rate} such {intervals} {contain}"
    if method in CLOSE:
        return (
            f"{nominal}; coverage is close to this for most samples, and closest by {BEST} "
            f"{METHODS_PAGE}."
        )
    return f"{nominal}; actual coverage is often lower: use {BEST} {METHODS_PAGE}."


def _describe_best_coverage(estimate: RecallEstimate) -> str:
    intervals, contain = _coverage_words(estimate)
    return (
        f"{REPEATED}, {_nominal_rate(estimate)} of the {intervals} by {BEST} {contain}; the "
        f"coverage of other methods is less close to this {METHODS_PAGE}."
    )


def _nominal_rate(estimate: RecallEstimate) -> str:
    return f"about {_level_in_100(estimate)} in 100"


def _level_in_100(estimate: RecallEstimate) -> str:
    return format_setting(estimate.interval.confidence_level * 100)


def _in_100(fraction: float) -> str:
    """Return a computed rate; it is rounded down, so that it is not overstated."""
    return f"{math.floor(fraction * 1000 + 1e-6) / 10:g}"


def _coverage_words(estimate: RecallEstimate) -> tuple[str, str]:
    """Return the subject and the verb of a sentence about coverage."""
    if estimate.interval.alternative == "two-sided":
        return "intervals", "contain the true value"
    side = "above" if estimate.interval.alternative == "greater" else "below"
    return "limits", f"are not {side} the true value"


def _is_outside(estimate: RecallEstimate) -> bool:
    """Return whether the estimate is not inside its interval; False for NaN."""
    if is_known(estimate):
        return False
    low, high = estimate.interval.low, estimate.interval.high
    if estimate.interval.alternative == "greater":
        return estimate.value <= low < high
    if estimate.interval.alternative == "less":
        return low < high <= estimate.value
    return low < high and (estimate.value <= low or estimate.value >= high)
