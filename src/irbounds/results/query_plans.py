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
    #: the smallest true difference that n queries detect with this power
    detectable_difference: Annotated[float, Column(heading="detectable")]
    #: half the width of the interval that n queries give, two-sided
    half_width: float
    #: the number of queries that detect ``difference`` with this power; None without one
    difference: float | None = None
    queries_for_difference: int | None = None
    #: the number of queries for ``wanted_half_width``; None without one
    wanted_half_width: float | None = None
    queries_for_half_width: int | None = None
    #: names and fingerprints of the inputs
    inputs: tuple[InputFile, ...] = field(default=(), repr=False)
    #: the same for fewer and for more queries, up to four times as many or to the target
    curve: tuple[WidthPoint, ...] = field(default=(), repr=False)


def _tables(plans: Sequence[QueryPlan], view: View) -> list[Table]:
    return [_table(part, view.digits) for part in group_by_measure(plans)]


def _table(plans: Sequence[QueryPlan], digits: int | None) -> Table:
    first, places = plans[0], _places(plans, digits)
    side = "" if first.alternative == "two-sided" else f", alternative {first.alternative}"
    unit, of = ("system", "scores") if first.kind == "mean" else ("pair", "differences")
    targets = []
    if first.difference is not None:
        targets.append(f"n for {format_setting(first.difference)}")
    if first.wanted_half_width is not None:
        targets.append(f"n for \N{PLUS-MINUS SIGN}{format_setting(first.wanted_half_width)}")
    return Table(
        title=f"{first.measure}: what queries can show with {percent(first.power)} power at the "
        f"{percent(first.confidence_level)} level{side}",
        headings=(unit, "sd", "n", "detectable", "half width", *targets),
        cells=tuple(_cells(plan, places) for plan in plans),
        records=tuple(records(plans)),
        caption=f"in one comparison planned beforehand; n: queries, sd: of the {of}",
        spare=("sd",),
    )


def _cells(plan: QueryPlan, places: int) -> tuple[str, ...]:
    counts = (plan.queries_for_difference, plan.queries_for_half_width)
    return (
        plan.pair,
        fixed(plan.standard_deviation, places),
        f"{plan.n:,}",
        fixed(plan.detectable_difference, places),
        fixed(plan.half_width, places),
        *(f"{count:,}" for count in counts if count is not None),
    )


def _sentences(plans: Sequence[QueryPlan], view: View) -> list[str]:
    return [_sentence(part, view.digits) for part in group_by_measure(plans)]


def _sentence(plans: Sequence[QueryPlan], digits: int | None) -> str:
    """Return a sentence on the typical pair, else on all pairs from the least to the most."""
    first = plans[0]
    described = plans[:1] if first.kind == "typical" else plans
    places = _places(plans, digits)
    differences = [plan.detectable_difference for plan in described]
    smallest = _format_range(differences, lambda x: fixed(x, places))
    detected = f"detected with {percent(first.power)} power"
    queries = f"{first.measure}: with {pluralise_queries(first.n)}"
    if first.kind == "typical":
        text = f"{queries} a typical pair must truly differ by {smallest} to be {detected}"
    elif first.kind == "mean":
        text = (
            f"{queries} a true mean {smallest} away from a fixed value is {detected} ({first.pair})"
        )
    else:
        which = f"({first.pair})" if len(described) == 1 else "(depending on the system)"
        text = f"{queries} a true difference of {smallest} is {detected} {which}"
    return text + "".join(f"; {target}" for target in _describe_targets(described))


def _describe_targets(plans: Sequence[QueryPlan]) -> list[str]:
    first, texts = plans[0], []
    if first.difference is not None:
        counts = _format_range((plan.queries_for_difference or 0 for plan in plans), "{:,}".format)
        texts.append(f"detecting {format_setting(first.difference)} takes {counts} queries")
    if first.wanted_half_width is not None:
        counts = _format_range((plan.queries_for_half_width or 0 for plan in plans), "{:,}".format)
        texts.append(f"a half width of {format_setting(first.wanted_half_width)} takes {counts}")
    return texts


def _format_range(values: Iterable[float], format_value: Any) -> str:
    """Return ``minimum to maximum``, or the value if both are the same text."""
    ordered = sorted(values)
    return " to ".join(dict.fromkeys((format_value(ordered[0]), format_value(ordered[-1]))))


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
