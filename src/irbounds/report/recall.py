"""Recall and its relatives: tables, and sentences on what an interval says and does not say."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from ..results import RecallEstimate, Sample, Stratum, records
from .evaluation import ENDS, SIDES, end_values, half_width
from .rounding import decimals, decimals_of_column, fixed
from .tables import Table

__all__ = ["method_table", "quantity_table", "recall_sentences", "sample_lines", "system_tables"]

METHOD_WORDS = {
    "naive-binomial": "naive binomial",
    "normal-official": "official normal",
    "laplace": "Laplace",
    "agresti-coull": "Agresti-Coull",
    "koopman": "Koopman",
    "beta-jeffreys": "beta-Jeffreys",
    "monte-carlo": "Monte Carlo",
    "wilson": "Wilson",
    "jeffreys": "Jeffreys",
    "clopper-pearson": "Clopper-Pearson",
    "wald": "Wald",
}
RECOMMENDED = ("beta-binomial", "0.5")
DRAWN = "monte-carlo"  # from the same posterior
AGAIN = "Were such samples drawn again and again, about {} in 100 of "
NOT_COVERED = (
    "This says nothing of assessors' mistakes, of samples not drawn at random, or of documents "
    "beyond {}."
)
BEYOND = "An end below 0 or above 1 is no mistake of the counts: the method knows no such bounds."
METHODS_DIFFER = (
    "Not every method keeps this promise. beta-binomial with prior 0.5 does best, above all where "
    "few documents are relevant (docs/recall.md)."
)


def sample_lines(samples: Sequence[Sample]) -> list[str]:
    """What was drawn from where: a line a segment, for a single sample."""
    if len(samples) > 1:
        topics = {one.topic for one in samples if one.topic is not None}
        of = f", {len(topics):,} topics" if topics else ""
        return [f"samples {len(samples):,} retrieved sets{of}"]
    return [
        f"{name:<12} {_counts([one for one in samples[0] if one.retrieved is side])}"
        for side, name in ((True, "retrieved"), (False, "unretrieved"))
    ]


def quantity_table(
    estimates: Sequence[RecallEstimate], digits: int | None = None, *, full: bool = True
) -> Table:
    """The quantities of one sample, a row each; records, which cost time, only if ``full``."""
    first = estimates[0]
    return Table(
        title=f"{_of_what(first)}{_promise(first)}",
        headings=("quantity", "estimate", *ENDS[first.interval.alternative]),
        cells=tuple((one.quantity, *_numbers(one, _places(one, digits))) for one in estimates),
        records=tuple(records(estimates)) if full else (),
    )


def system_tables(
    estimates: Sequence[RecallEstimate], digits: int | None = None, *, full: bool = True
) -> list[Table]:
    """Many samples: a table a topic and quantity, with a row a system, best first."""
    parts: dict[tuple[str | None, str], list[RecallEstimate]] = {}
    for one in estimates:
        parts.setdefault((one.topic, one.quantity), []).append(one)
    return [_system_table(part, digits, full=full) for part in parts.values()]


def method_table(
    estimates: Sequence[RecallEstimate], digits: int | None = None, *, full: bool = True
) -> Table:
    """All methods side by side, with a word where an interval is not what one would expect."""
    first = estimates[0]
    places = digits
    if places is None:
        places = decimals_of_column(half_width(one.value, one.interval) for one in estimates)
    level = f"{first.interval.confidence_level * 100:g} %"
    sides = SIDES[first.interval.alternative]
    return Table(
        title=f"{_of_what(first)}recall {fixed(first.value, places)}, its {level} {sides} "
        f"by {len(estimates)} methods",
        headings=("method", "prior", "remark", *ENDS[first.interval.alternative], *_width(first)),
        cells=tuple(_method_row(one, places) for one in estimates),
        records=tuple(map(_method_record, estimates)) if full else (),
        first_number=3,
    )


def recall_sentences(estimates: Sequence[RecallEstimate]) -> list[str]:
    """The gist of a single result, and what such an interval says and does not say."""
    first = next((one for one in estimates if _is_recommended(one)), estimates[0])
    is_single = len({(one.topic, one.system) for one in estimates}) == 1
    lines = [_gist(first)] if is_single else []
    if not all(math.isnan(one.interval.low) for one in estimates):
        lines.append(_meaning(first))
        if any(map(_is_another, estimates)):
            lines.append(METHODS_DIFFER)
    if any(map(_is_beyond, estimates)):
        lines.append(BEYOND)
    total = sum(one.population for one in first.strata)
    lines.append(NOT_COVERED.format(f"these {total:,}" if is_single else "the corpus"))
    return lines


def _system_table(estimates: Sequence[RecallEstimate], digits: int | None, *, full: bool) -> Table:
    best_first = sorted(estimates, key=lambda one: (-one.value, one.system or ""))
    first = best_first[0]
    places = digits
    if places is None:
        places = decimals_of_column(half_width(one.value, one.interval) for one in best_first)
    where = f"topic {first.topic}: " if first.topic else ""
    return Table(
        title=f"{where}{first.quantity} with its {_promise(first)}",
        headings=("system", first.quantity, *ENDS[first.interval.alternative]),
        cells=tuple((one.system or "", *_numbers(one, places)) for one in best_first),
        records=tuple(records(best_first)) if full else (),
    )


def _method_row(one: RecallEstimate, places: int) -> tuple[str, ...]:
    ends = (*end_values(one.interval), *_width(one).values())
    return one.interval.method, one.prior or "", _remark(one), *(fixed(x, places) for x in ends)


def _method_record(one: RecallEstimate) -> dict[str, Any]:
    (record,) = records([one])
    return {**record, "recommended": _is_recommended(one), "remark": _remark(one)}


def _width(one: RecallEstimate) -> dict[str, float]:
    """A one-sided interval has none that says something."""
    two_sided = one.interval.alternative == "two-sided"
    return {"width": one.interval.high - one.interval.low} if two_sided else {}


def _numbers(one: RecallEstimate, places: int) -> tuple[str, ...]:
    """Estimate and ends; a number of documents is whole, with its thousands set apart."""
    values = (one.value, *end_values(one.interval))
    if one.quantity == "yield":
        return tuple("-" if math.isnan(x) else f"{x:,.0f}" for x in values)
    return tuple(fixed(x, places) for x in values)


def _places(one: RecallEstimate, digits: int | None) -> int:
    return decimals(half_width(one.value, one.interval)) if digits is None else digits


def _gist(one: RecallEstimate) -> str:
    places = _places(one, None)
    interval = one.interval
    level = f"{interval.confidence_level * 100:g} %"
    value, *ends = _numbers(one, places)
    if math.isnan(one.value) and math.isnan(interval.low):
        return f"{one.quantity} cannot be estimated from these samples."
    if math.isnan(interval.low):
        return f"{one.quantity} is estimated at {value}, without an interval."
    if interval.low == interval.high:
        return f"{one.quantity} is estimated at {value}; the {level} interval is no more than that."
    if interval.alternative == "two-sided":
        within = f"between {ends[0]} and {ends[1]}"
    else:
        within = f"at {'least' if interval.alternative == 'greater' else 'most'} {ends[0]}"
    of = " documents" if one.quantity == "yield" else ""
    estimate = "there is no estimate" if math.isnan(one.value) else f"the estimate is {value}"
    return f"{one.quantity} is {within}{of} at the {level} level; {estimate}."


def _meaning(one: RecallEstimate) -> str:
    again = AGAIN.format(f"{one.interval.confidence_level * 100:g}")
    if one.interval.alternative == "two-sided":
        return f"{again}the intervals would hold the true value."
    side = "below" if one.interval.alternative == "greater" else "above"
    return f"{again}the limits would lie {side} the true value."


def _promise(one: RecallEstimate) -> str:
    method = METHOD_WORDS.get(one.interval.method, one.interval.method)
    prior = f", prior {one.prior}" if one.prior else ""
    level = f"{one.interval.confidence_level * 100:g} %"
    return f"{level} {SIDES[one.interval.alternative]} ({method}{prior})"


def _of_what(one: RecallEstimate) -> str:
    topic = f"topic {one.topic}" if one.topic else ""
    named = ", ".join(filter(None, (one.system, topic)))
    return f"{named}: " if named else ""


def _remark(one: RecallEstimate) -> str:
    interval = one.interval
    words = ["recommended"] if _is_recommended(one) else []
    if math.isnan(interval.low):
        is_stratified = interval.method == "koopman" and len(one.strata) > 2
        words.append("not for strata" if is_stratified else "no interval")
    elif interval.low == interval.high:
        words.append("bare point")
    elif _is_beyond(one):
        words.append("beyond 0 to 1")
    return ", ".join(words)


def _is_recommended(one: RecallEstimate) -> bool:
    return _method(one) == RECOMMENDED


def _is_another(one: RecallEstimate) -> bool:
    """Whether recall is not by the recommended method, whichever its prior."""
    return one.quantity == "recall" and one.interval.method not in (RECOMMENDED[0], DRAWN)


def _is_beyond(one: RecallEstimate) -> bool:
    """Whether an end is not possible; comparisons with NaN are false."""
    low, high = one.bounds
    return any(end < low or end > high for end in end_values(one.interval))


def _method(one: RecallEstimate) -> tuple[str, str | None]:
    return one.interval.method, one.prior


def _counts(strata: Iterable[Stratum]) -> str:
    strata = list(strata)
    sampled = sum(one.sampled for one in strata)
    assessable = sum(one.sampled if one.assessable is None else one.assessable for one in strata)
    parts = [
        f"{sum(one.population for one in strata):,} documents",
        f"{sampled:,} sampled",
        f"{assessable:,} assessable" if assessable < sampled else "",
        f"{sum(one.relevant for one in strata):,} relevant",
    ]
    where = f" in {len(strata)} strata" if len(strata) > 1 else ""
    return ", ".join(filter(None, parts)) + where
