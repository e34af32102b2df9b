"""What queries can show: for a pair of systems, for all pairs, or for one mean."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from ..presentation.column_roles import Column, Count, Key
from ..presentation.phrases import group_by_measure, pluralise_queries
from ..presentation.registry import Presentation, View, present
from ..presentation.rounding import decimals_of_column, fixed, format_setting, percent
from ..presentation.table import Table
from ..validation import Alternative
from .result import InputFile, Result, records


@dataclass(frozen=True)
class WidthPoint:
    """Detectable difference and half width with n queries, at the spread of the given scores."""

    n: int
    detectable_difference: float
    half_width: float


@dataclass(frozen=True)
class QueryPlan(Result):
    """Detectable difference and required queries, for one pair, for all pairs or for one mean."""

    measure: Key
    #: ``"pair"``: two systems; ``"typical"`` and ``"hardest"``: the median and the largest standard
    #: deviation of all pairs; ``"mean"``: one system's mean, its difference that from a fixed value
    kind: str
    #: which pair, which summary of all pairs, or which system
    pair: Annotated[str, Column("key")]
    #: how many queries there are now
    n: Count
    #: of the differences, or of one system's scores
    standard_deviation: Annotated[float, Column(heading="sd")]
    confidence_level: float
    alternative: Alternative
    power: float
    #: the smallest true difference that n queries show with this power
    detectable_difference: Annotated[float, Column(heading="detectable")]
    #: half the width of the interval that n queries give, two-sided
    half_width: float
    #: how many queries show ``difference`` with this power; None if none was given
    difference: float | None = None
    queries_for_difference: int | None = None
    #: how many queries give ``wanted_half_width``; None if none was given
    wanted_half_width: float | None = None
    queries_for_half_width: int | None = None
    #: names and fingerprints of what was read
    inputs: tuple[InputFile, ...] = field(default=(), repr=False)
    #: the same for fewer and for more queries, up to four times as many or to what is asked for
    curve: tuple[WidthPoint, ...] = field(default=(), repr=False)


def _tables(plans: Sequence[QueryPlan], view: View) -> list[Table]:
    return [_table(part, view.digits) for part in group_by_measure(plans)]


def _table(plans: Sequence[QueryPlan], digits: int | None) -> Table:
    first, places = plans[0], _places(plans, digits)
    side = "" if first.alternative == "two-sided" else f", alternative {first.alternative}"
    what, of = ("system", "scores") if first.kind == "mean" else ("pair", "differences")
    wanted = []
    if first.difference is not None:
        wanted.append(f"n for {format_setting(first.difference)}")
    if first.wanted_half_width is not None:
        wanted.append(f"n for \N{PLUS-MINUS SIGN}{format_setting(first.wanted_half_width)}")
    return Table(
        title=f"{first.measure}: what queries can show with {percent(first.power)} power at the "
        f"{percent(first.confidence_level)} level{side}",
        headings=(what, "sd", "n", "detectable", "half width", *wanted),
        cells=tuple(_cells(plan, places) for plan in plans),
        records=tuple(records(plans)),
        caption=f"in one comparison planned beforehand; n: queries, sd: of the {of}",
        spare=("sd",),
    )


def _cells(plan: QueryPlan, places: int) -> tuple[str, ...]:
    wanted = (plan.queries_for_difference, plan.queries_for_half_width)
    return (
        plan.pair,
        fixed(plan.standard_deviation, places),
        f"{plan.n:,}",
        fixed(plan.detectable_difference, places),
        fixed(plan.half_width, places),
        *(f"{count:,}" for count in wanted if count is not None),
    )


def _sentences(plans: Sequence[QueryPlan], view: View) -> list[str]:
    return [_sentence(part, view.digits) for part in group_by_measure(plans)]


def _sentence(plans: Sequence[QueryPlan], digits: int | None) -> str:
    """Return a sentence on the typical pair, else on all pairs from the least to the most."""
    first = plans[0]
    told = plans[:1] if first.kind == "typical" else plans
    places = _places(plans, digits)
    shown = _range((plan.detectable_difference for plan in told), lambda x: fixed(x, places))
    seen = f"seen with {percent(first.power)} power"
    queries = f"{first.measure}: with {pluralise_queries(first.n)}"
    if first.kind == "typical":
        gist = f"{queries} a typical pair must truly differ by {shown} to be {seen}"
    elif first.kind == "mean":
        gist = f"{queries} a true mean {shown} away from a fixed value is {seen} ({first.pair})"
    else:
        which = f"({first.pair})" if len(told) == 1 else "(depending on the system)"
        gist = f"{queries} a true difference of {shown} is {seen} {which}"
    return gist + "".join(f"; {one}" for one in _asked_for(told))


def _asked_for(plans: Sequence[QueryPlan]) -> list[str]:
    first, said = plans[0], []
    if first.difference is not None:
        counts = _range((plan.queries_for_difference or 0 for plan in plans), "{:,}".format)
        said.append(f"showing {format_setting(first.difference)} takes {counts} queries")
    if first.wanted_half_width is not None:
        counts = _range((plan.queries_for_half_width or 0 for plan in plans), "{:,}".format)
        said.append(f"a half width of {format_setting(first.wanted_half_width)} takes {counts}")
    return said


def _range(values: Iterable[float], written: Any) -> str:
    """Return ``least to most``, or the one value that it is."""
    known = sorted(values)
    return " to ".join(dict.fromkeys((written(known[0]), written(known[-1]))))


def _places(plans: Sequence[QueryPlan], digits: int | None) -> int:
    if digits is not None:
        return digits
    return decimals_of_column(plan.detectable_difference for plan in plans)


present(
    QueryPlan,
    Presentation(
        "Queries and what they can show",
        tables=_tables,
        sentences=_sentences,
        figures=("planning_plots:draw_query_plans",),
        topics=lambda plans: ["query-plan"],
    ),
)
