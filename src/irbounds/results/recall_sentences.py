"""Sentences about estimates of recall: the result, the verdict on a claim, and the coverage."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from ..presentation.phrases import capitalise, pluralise
from ..presentation.registry import View
from ..presentation.rounding import fixed, format_count, format_setting, percent, significant
from .recall_estimates import (
    GUARANTEED,
    RECOMMENDED,
    RecallEstimate,
    finds_any,
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
METHODS_PAGE = "(docs/reference/recall-methods.md)"
REPEATED = "In repeated sampling"
BEST = f"{RECOMMENDED[0]} with prior {RECOMMENDED[1]}"
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
NOT_RANDOM = " samples not drawn at random,"
CREDITED = (
    "Relevant documents that the unretrieved samples found are added to the retrieved set: all "
    "quantities are of the final set, and elusion is of what is left."
)
UNJUDGED = (
    "Documents that could not be judged count as not relevant, and precision and F leave them out; "
    "limits, and intervals by method exact, take the worst case."
)
CONDITIONS = "given random samples, sizes fixed in advance and one look"
ONE_LOOK = "The level is for one look: a second one, at a larger sample, is another chance to err."
EACH_VERDICT = "Each verdict has its level by itself, {}."


def recall_sentences(estimates: Sequence[RecallEstimate], view: View) -> list[str]:
    """Return the result of a single sample, the coverage, and what the interval ignores."""
    claims = (estimate for estimate in estimates if estimate.at_least is not None)
    first = next(claims, next(filter(is_recommended, estimates), estimates[0]))
    is_single = len({(estimate.topic, estimate.system) for estimate in estimates}) == 1
    places = places_of(first, view.digits)
    lines = claim_sentences(first, places) if is_single else []
    if not is_single and first.at_least is not None:
        lines.append(EACH_VERDICT.format(describe_conditions(first)))
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
    if any(s.judged < s.sampled for estimate in estimates for s in estimate.strata):
        lines.append(UNJUDGED)
    total = sum(stratum.population for stratum in first.strata)
    beyond = f"these {total:,}" if is_single else "the corpus"
    is_checked = any(stratum.is_checked for stratum in first.strata)
    mistakes = SECOND_MISTAKES if is_checked else MISTAKES
    if unchecked := _describe_unchecked(first):
        mistakes = f"mistakes among {unchecked}, {SECOND_MISTAKES}"
    draws = "" if all(map(is_known, estimates)) else NOT_RANDOM
    lines.append(NOT_COVERED.format(mistakes, draws, beyond))
    return lines


def describe_conditions(estimate: RecallEstimate) -> str:
    """Return what a verdict depends on: the samples, and judgments that nobody checked."""
    unchecked = _describe_unchecked(estimate)
    return f"{CONDITIONS}, and no mistakes among {unchecked}" if unchecked else CONDITIONS


def _describe_unchecked(estimate: RecallEstimate) -> str:
    """Return the judgments of which none was assessed again; empty without a second assessment."""
    if not any(part.is_checked for part in estimate.strata):
        return ""
    numbers = {
        "not relevant": sum(s.irrelevant for s in estimate.strata if not s.irrelevant_checked),
        "relevant": sum(s.relevant for s in estimate.strata if not s.relevant_checked),
    }
    words = [f"{pluralise(n, 'document')} judged {word}" for word, n in numbers.items() if n]
    return f"{' and '.join(words)}, none of them assessed again" if words else ""


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
    kind = f"guaranteed {level}" if interval.method in WITH_GUARANTEE else f"{level}"
    method = f"method {interval.method}"
    verdict = "Shown" if estimate.is_shown else "Not shown"
    claim += f", {describe_conditions(estimate)}" if is_conditional(estimate) else ""
    value = (
        "" if math.isnan(estimate.value) else f"; the estimate is {fixed(estimate.value, places)}"
    )
    lines = [f"{verdict}: {claim}. The {kind} lower limit is {limit} ({method}){value}."]
    if not estimate.is_shown:
        lines.append(_describe_need(estimate))
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


def is_conditional(estimate: RecallEstimate) -> bool:
    """Return whether a claim is shown by samples, and not by reading everything."""
    return bool(estimate.is_shown) and not is_known(estimate)


def growing_strata(strata: Iterable[Stratum]) -> list[Stratum]:
    """Return the unretrieved strata of which more documents can be read."""
    return [part for part in strata if not part.retrieved and part.sampled < part.population]


def _describe_need(estimate: RecallEstimate) -> str:
    """Return how large a sample would show a claim, or why none would."""
    growing = growing_strata(estimate.strata)
    sampled = sum(part.sampled for part in growing)
    if estimate.sample_needed is not None:
        left = ", divided by what is left of each stratum" if len(growing) > 1 else ""
        return (
            f"A sample of {estimate.sample_needed:,} unretrieved documents{left}, "
            f"{estimate.sample_needed - sampled:,} more than these {sampled:,}, would show it if "
            "no further document is relevant."
        )
    inside, outside = (
        sum(
            part.population * (part.corrected_relevant / part.sampled if part.sampled else 1)
            if is_retrieved
            else part.corrected_relevant
            for part in estimate.strata
            if part.retrieved is is_retrieved
        )
        for is_retrieved in (True, False)
    )
    if estimate.credit_found:
        inside, outside = inside + outside, 0.0
    unjudged = sum(part.sampled - part.judged for part in estimate.strata if not part.retrieved)
    reason = "the retrieved sample is too small"
    if not inside or inside < (estimate.at_least or 0.0) * (inside + outside + unjudged):
        unread = f", and {unjudged:,} there could not be judged" if unjudged else ""
        reason = (
            f"about {format_count(inside)} relevant documents are retrieved, "
            f"{format_count(outside)} others are in the unretrieved sample{unread}"
        )
    return f"No larger unretrieved sample would show it: {reason}."


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
        claimed = (estimate for estimate in uncertain if estimate.at_least is not None)
        return [_describe_guarantee(next(claimed, uncertain[0]))]
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
