"""What an interval of recall says, what it promises, and what it does not say.

A promise is made only where it can be kept: not of what was assessed to the last document, where
there is nothing left to promise; not where part of the corpus was not sampled, and the prior speaks
for it; not of a bare point. Methods that are known to keep it less well are not given its words.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..results import RecallEstimate, Stratum
from .recall import RECOMMENDED, is_beyond, is_recommended, places_of, shown_numbers
from .rounding import given, percent, significant
from .words import capital

__all__ = ["is_known", "is_settled", "recall_sentences", "rests_on_prior"]

DRAWN = "monte-carlo"  # from the posterior of the recommended method
CLOSE = {"koopman", "beta-jeffreys", "wilson", "jeffreys", "clopper-pearson", RECOMMENDED[0], DRAWN}
METHODS_PAGE = "(docs/recall-methods.md)"
AGAIN = "Were such samples drawn again and again"
BEST = f"{RECOMMENDED[0]} with prior {RECOMMENDED[1]}"
#: a share of one segment depends on nothing else
SEGMENT_OF = {"precision": True, "elusion": False}
RESTS_ON_PRIOR = (
    "Part of the corpus was not sampled: what depends on it rests on the prior, and promises "
    "nothing."
)
OUTSIDE = (
    "An estimate counts only what the samples held; its interval allows for what they may have "
    "missed, and need not hold the estimate."
)
COARSE = "Computed on coarse tables: the ends of {} are right to {}."
BEYOND = "An end below 0 or above 1 is no mistake of the counts: the method knows no such bounds."
NOT_COVERED = "This says nothing of assessors' mistakes,{} or of documents beyond {}."
NOT_RANDOM = " of samples not drawn at random,"


def recall_sentences(estimates: Sequence[RecallEstimate], digits: int | None = None) -> list[str]:
    """The gist of a single result, and what such an interval says and does not say."""
    first = next((one for one in estimates if is_recommended(one)), estimates[0])
    is_single = len({(one.topic, one.system) for one in estimates}) == 1
    lines = [capital(_gist(first, places_of(first, digits)))] if is_single else []
    if is_single and first.table_error:
        lines.append(COARSE.format(first.quantity, significant(first.table_error, 1)))
    if any(map(_is_outside, estimates)):
        lines.append(OUTSIDE)
    lines += _promises(estimates)
    if any(map(is_beyond, estimates)):
        lines.append(BEYOND)
    total = sum(one.population for one in first.strata)
    beyond = f"these {total:,}" if is_single else "the corpus"
    lines.append(NOT_COVERED.format("" if all(map(is_known, estimates)) else NOT_RANDOM, beyond))
    return lines


def _gist(one: RecallEstimate, places: int) -> str:
    interval = one.interval
    value, *ends = shown_numbers(one, places)
    of = " documents" if one.quantity == "yield" else ""
    if math.isnan(one.value) and math.isnan(interval.low):
        return f"{one.quantity} cannot be estimated from these samples."
    if is_known(one) and not math.isnan(one.value):
        return f"{_everything(one)}: {one.quantity} is {value}{of}, without sampling error."
    if math.isnan(interval.low):
        return f"{one.quantity} is estimated at {value}{of}, without an interval."
    level = percent(interval.confidence_level)
    if _is_point(one) and math.isnan(one.value):
        return f"{one.quantity} can only be {ends[0]}{of}, if there is a relevant document."
    if _is_point(one):
        return (
            f"{one.quantity} is estimated at {value}{of}; the {level} interval is no more than "
            "that."
        )
    if interval.alternative == "two-sided":
        within = f"between {ends[0]} and {ends[1]}"
    else:
        within = f"at {'least' if interval.alternative == 'greater' else 'most'} {ends[0]}"
    estimate = "there is no estimate" if math.isnan(one.value) else f"the estimate is {value}"
    return f"{one.quantity} is {within}{of} at the {level} level; {estimate}."


def _everything(one: RecallEstimate) -> str:
    """A document that could not be judged was drawn, but not assessed."""
    sides = {None: "", True: " retrieved", False: " unretrieved"}
    all_judged = all(s.assessable in (None, s.sampled) for s in _strata_that_matter(one))
    verb = "assessed" if all_judged else "drawn"
    return f"Everything{sides[SEGMENT_OF.get(one.quantity)]} was {verb}"


def _promises(estimates: Sequence[RecallEstimate]) -> list[str]:
    """What intervals promise, in one sentence; nothing where there is nothing to promise."""
    open_ones = [one for one in estimates if not is_settled(one)]
    if not open_ones:
        return []
    if any(map(rests_on_prior, open_ones)):
        return [RESTS_ON_PRIOR]
    first = next((one for one in open_ones if is_recommended(one)), open_ones[0])
    if len({(one.interval.method, one.prior) for one in estimates}) > 1:
        return [_promise_of_the_best(first)]
    return [_promise(first)]


def _promise(one: RecallEstimate) -> str:
    method, share = one.interval.method, _share(one)
    such, hold = _held(one)
    if is_recommended(one) or (method, one.prior) == (DRAWN, RECOMMENDED[1]):
        return f"{AGAIN}, {share} of the {such} would {hold}."
    promised = f"This method promises that {share} such {such} {hold}"
    if method in CLOSE:
        return f"{promised}, and comes close for most samples; {BEST} comes closest {METHODS_PAGE}."
    return f"{promised}; tests show that it often breaks this: take {BEST} {METHODS_PAGE}."


def _promise_of_the_best(one: RecallEstimate) -> str:
    such, hold = _held(one)
    return (
        f"{AGAIN}, {_share(one)} of the {such} by {BEST} would {hold}; other methods keep this "
        f"less well {METHODS_PAGE}."
    )


def _share(one: RecallEstimate) -> str:
    return f"about {given(one.interval.confidence_level * 100)} in 100"


def _held(one: RecallEstimate) -> tuple[str, str]:
    """What makes the promise, and what it is to do."""
    if one.interval.alternative == "two-sided":
        return "intervals", "hold the true value"
    side = "below" if one.interval.alternative == "greater" else "above"
    return "limits", f"lie {side} the true value"


def rests_on_prior(one: RecallEstimate) -> bool:
    """Whether it depends on documents of which none was drawn."""
    return any(part.population and not part.sampled for part in _strata_that_matter(one))


def is_settled(one: RecallEstimate) -> bool:
    """Whether there is no interval that could promise something."""
    return math.isnan(one.interval.low) or _is_point(one) or is_known(one)


def _is_point(one: RecallEstimate) -> bool:
    return one.interval.low == one.interval.high


def is_known(one: RecallEstimate) -> bool:
    """Whether the samples were everything that the quantity is about."""
    return all(stratum.sampled == stratum.population for stratum in _strata_that_matter(one))


def _is_outside(one: RecallEstimate) -> bool:
    """Whether the estimate is not inside its interval; comparisons with NaN are false."""
    low, high = one.interval.low, one.interval.high
    if one.interval.alternative == "greater":
        return one.value <= low < high
    if one.interval.alternative == "less":
        return low < high <= one.value
    return low < high and (one.value <= low or one.value >= high)


def _strata_that_matter(one: RecallEstimate) -> list[Stratum]:
    segment = SEGMENT_OF.get(one.quantity)
    return [stratum for stratum in one.strata if segment in (None, stratum.retrieved)]
