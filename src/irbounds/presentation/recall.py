"""Recall and its relatives as tables; what an interval says is in recall_sentences."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, Literal

from ..results import RecallEstimate, Sample, Stratum, records
from .bars import bar_of
from .captions import caption_of, drawn
from .evaluation import ENDS, SIDES, end_values, half_width
from .rounding import decimals, decimals_of_column, fixed, percent, whole
from .tables import BarEnds, Table
from .words import counted

__all__ = [
    "RECOMMENDED",
    "is_beyond",
    "is_recommended",
    "method_table",
    "places_of",
    "quantity_table",
    "recall_view",
    "sample_lines",
    "shown_numbers",
    "system_tables",
]

RECOMMENDED = ("beta-binomial", "0.5")


def sample_lines(samples: Sequence[Sample]) -> list[str]:
    """What was drawn from where: a line a segment, for a single sample."""
    if len(samples) > 1:
        topics = {one.topic for one in samples if one.topic is not None}
        of = f", {counted(len(topics), 'topic')}" if topics else ""
        return [f"samples {len(samples):,} retrieved sets{of}"]
    return [
        f"{name:<12} {_counts([one for one in samples[0] if one.retrieved is side])}"
        for side, name in ((True, "retrieved"), (False, "unretrieved"))
    ]


def quantity_table(
    estimates: Sequence[RecallEstimate],
    digits: int | None = None,
    *,
    full: bool = True,
    topic_word: str = "topic",
) -> Table:
    """The quantities of one sample, a row each; records, which cost time, only if ``full``."""
    first = estimates[0]
    return Table(
        title=f"{_of_what(first, topic_word)}{_promise(first)}",
        headings=("quantity", "estimate", *ENDS[first.interval.alternative]),
        cells=tuple(
            (one.quantity, *shown_numbers(one, places_of(one, digits))) for one in estimates
        ),
        records=tuple(records(estimates)) if full else (),
        caption=_caption(estimates),
        bars=tuple(map(_bar, estimates)),
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
    estimates: Sequence[RecallEstimate],
    digits: int | None = None,
    *,
    full: bool = True,
    topic_word: str = "topic",
) -> Table:
    """All methods side by side, with a word where an interval is not what one would expect."""
    first = estimates[0]
    places = _column_places(estimates, digits)
    level = percent(first.interval.confidence_level)
    sides = SIDES[first.interval.alternative]
    return Table(
        title=f"{_of_what(first, topic_word)}recall {fixed(first.value, places)}, its {level} "
        f"{sides} by {len(estimates)} methods",
        headings=("method", "prior", "remark", *ENDS[first.interval.alternative], *_width(first)),
        cells=tuple(_method_row(one, places) for one in estimates),
        records=tuple(map(_method_record, estimates)) if full else (),
        first_number=3,
        bars=tuple(bar_of(one.value, one.interval) for one in estimates),
        spare=("width",),
    )


def recall_view(estimates: Sequence[RecallEstimate]) -> Literal["systems", "methods", "quantities"]:
    """What estimates differ in: the retrieved set, else the method of recall, else the quantity."""
    if len({(one.system, one.topic) for one in estimates}) > 1:
        return "systems"
    is_recall_alone = {one.quantity for one in estimates} == {"recall"}
    return "methods" if is_recall_alone and len(estimates) > 1 else "quantities"


def shown_numbers(one: RecallEstimate, places: int) -> tuple[str, ...]:
    """Estimate and ends; a number of documents is whole, with its thousands set apart."""
    values = (one.value, *end_values(one.interval))
    if one.quantity == "yield":
        return tuple(map(whole, values))
    return tuple(fixed(x, places) for x in values)


def places_of(one: RecallEstimate, digits: int | None) -> int:
    """Decimals by the interval; where it has no width, two digits of the value are left."""
    if digits is not None:
        return digits
    width = half_width(one.value, one.interval)
    return decimals(width) if width > 0 else max(decimals(width), decimals(abs(one.value)))


def is_recommended(one: RecallEstimate) -> bool:
    """Whether it is by the method that docs/recall.md tells to take."""
    return (one.interval.method, one.prior) == RECOMMENDED


def is_beyond(one: RecallEstimate) -> bool:
    """Whether an end is not possible; comparisons with NaN are false."""
    low, high = one.bounds
    return any(end < low or end > high for end in end_values(one.interval))


def _system_table(estimates: Sequence[RecallEstimate], digits: int | None, *, full: bool) -> Table:
    best_first = sorted(estimates, key=lambda one: (-one.value, one.system or ""))
    first = best_first[0]
    places = _column_places(best_first, digits)
    where = f"topic {first.topic}: " if first.topic else ""
    return Table(
        title=f"{where}{first.quantity} with its {_promise(first)}",
        headings=("system", first.quantity, *ENDS[first.interval.alternative]),
        cells=tuple((one.system or "", *shown_numbers(one, places)) for one in best_first),
        records=tuple(records(best_first)) if full else (),
        caption=_caption(best_first),
        bars=tuple(bar_of(one.value, one.interval) for one in best_first),
    )


def _caption(estimates: Sequence[RecallEstimate]) -> str:
    """The unit of what is no share, and what was drawn."""
    first, counts = estimates[0], [one for one in estimates if one.quantity == "yield"]
    return caption_of(
        "yield: relevant documents in all" if counts else "",
        drawn(first.n_draws, "draws from the posterior", first.seed),
    )


def _bar(one: RecallEstimate) -> BarEnds | None:
    """A number of documents has no place on a scale of shares."""
    return None if one.quantity == "yield" else bar_of(one.value, one.interval)


def _method_row(one: RecallEstimate, places: int) -> tuple[str, ...]:
    ends = (*end_values(one.interval), *_width(one).values())
    return one.interval.method, one.prior or "", _remark(one), *(fixed(x, places) for x in ends)


def _method_record(one: RecallEstimate) -> dict[str, Any]:
    (record,) = records([one])
    return {**record, "recommended": is_recommended(one), "remark": _remark(one)}


def _width(one: RecallEstimate) -> dict[str, float]:
    """A one-sided interval has none that says something."""
    two_sided = one.interval.alternative == "two-sided"
    return {"width": one.interval.high - one.interval.low} if two_sided else {}


def _column_places(estimates: Sequence[RecallEstimate], digits: int | None) -> int:
    """The same of a column, in which only rows of some width have a say, if there are any."""
    widths = [half_width(one.value, one.interval) for one in estimates]
    if digits is None and any(width > 0 for width in widths):
        return decimals_of_column(widths)
    return max(places_of(one, digits) for one in estimates)


def _promise(one: RecallEstimate) -> str:
    prior = f", prior {one.prior}" if one.prior else ""
    level = percent(one.interval.confidence_level)
    return f"{level} {SIDES[one.interval.alternative]} ({one.interval.method}{prior})"


def _of_what(one: RecallEstimate, topic_word: str) -> str:
    topic = f"{topic_word} {one.topic}" if one.topic else ""
    named = ", ".join(filter(None, (one.system, topic)))
    return f"{named}: " if named else ""


def _remark(one: RecallEstimate) -> str:
    interval = one.interval
    words = ["recommended"] if is_recommended(one) else []
    if math.isnan(interval.low):
        is_stratified = interval.method == "koopman" and len(one.strata) > 2
        words.append("not for strata" if is_stratified else "no interval")
    elif interval.low == interval.high:
        words.append("bare point")
    elif is_beyond(one):
        words.append("beyond 0 to 1")
    return ", ".join(words)


def _counts(strata: Iterable[Stratum]) -> str:
    strata = list(strata)
    sampled = sum(one.sampled for one in strata)
    assessable = sum(one.judged for one in strata)
    parts = [
        counted(sum(one.population for one in strata), "document"),
        f"{sampled:,} sampled",
        f"{assessable:,} assessable" if assessable < sampled else "",
        f"{sum(one.relevant for one in strata):,} relevant",
    ]
    where = f" in {len(strata)} strata" if len(strata) > 1 else ""
    return ", ".join(filter(None, parts)) + where
