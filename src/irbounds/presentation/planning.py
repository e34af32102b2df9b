"""Plans as tables, one a measure, with a sentence that says the gist."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..results import QueryPlan, records
from .families import by_measure
from .rounding import decimals_of_column, fixed, given, percent
from .tables import Table
from .words import counted_queries

__all__ = ["query_plan_sentences", "query_plan_tables"]


def query_plan_tables(plans: Sequence[QueryPlan], digits: int | None = None) -> list[Table]:
    """One table a measure: what the queries there are can show, and how many a wish takes."""
    return [_table(part, digits) for part in by_measure(plans)]


def query_plan_sentences(plans: Sequence[QueryPlan], digits: int | None = None) -> list[str]:
    """One sentence a measure."""
    return [_sentence(part, digits) for part in by_measure(plans)]


def _table(plans: Sequence[QueryPlan], digits: int | None) -> Table:
    first, places = plans[0], _places(plans, digits)
    side = "" if first.alternative == "two-sided" else f", alternative {first.alternative}"
    what, of = ("system", "scores") if first.kind == "mean" else ("pair", "differences")
    return Table(
        title=f"{first.measure}: what queries can show with {percent(first.power)} power at the "
        f"{percent(first.confidence_level)} level{side}",
        headings=(what, "sd", "n", "detectable", "half width", *_wishes(first)),
        cells=tuple(_cells(plan, places) for plan in plans),
        records=tuple(records(plans)),
        caption=f"in one comparison planned beforehand; n: queries, sd: of the {of}",
        spare=("sd",),
    )


def _wishes(plan: QueryPlan) -> list[str]:
    headings = []
    if plan.difference is not None:
        headings.append(f"n for {given(plan.difference)}")
    if plan.wanted_half_width is not None:
        headings.append(f"n for \N{PLUS-MINUS SIGN}{given(plan.wanted_half_width)}")
    return headings


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


def _sentence(plans: Sequence[QueryPlan], digits: int | None) -> str:
    """Of the typical pair where there is one, else of all pairs from the least to the most."""
    first = plans[0]
    told = plans[:1] if first.kind == "typical" else plans
    places = _places(plans, digits)
    shown = _range((plan.detectable_difference for plan in told), lambda x: fixed(x, places))
    seen = f"seen with {percent(first.power)} power"
    queries = f"{first.measure}: with {counted_queries(first.n)}"
    if first.kind == "typical":
        gist = f"{queries} a typical pair must truly differ by {shown} to be {seen}"
    elif first.kind == "mean":
        gist = f"{queries} a true mean {shown} away from a fixed value is {seen} ({first.pair})"
    else:
        which = f"({first.pair})" if len(told) == 1 else "(depending on the system)"
        gist = f"{queries} a true difference of {shown} is {seen} {which}"
    return gist + "".join(f"; {wish}" for wish in _wished(told))


def _wished(plans: Sequence[QueryPlan]) -> list[str]:
    first, said = plans[0], []
    if first.difference is not None:
        counts = _range((plan.queries_for_difference or 0 for plan in plans), "{:,}".format)
        said.append(f"showing {given(first.difference)} takes {counts} queries")
    if first.wanted_half_width is not None:
        counts = _range((plan.queries_for_half_width or 0 for plan in plans), "{:,}".format)
        said.append(f"a half width of {given(first.wanted_half_width)} takes {counts}")
    return said


def _range(values: Iterable[float], written: Any) -> str:
    """``least to most``, or the one value that it is."""
    known = sorted(values)
    return " to ".join(dict.fromkeys((written(known[0]), written(known[-1]))))


def _places(plans: Sequence[QueryPlan], digits: int | None) -> int:
    if digits is not None:
        return digits
    return decimals_of_column(plan.detectable_difference for plan in plans)
