"""What queries can show: of pairs of systems, of several systems, of a mean, and how reliably."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from ..presentation.column_roles import Column, Count, Key
from ..presentation.phrases import group_by_measure, pluralise_queries
from ..presentation.registry import Presentation, View, places_by_interval, present
from ..presentation.rounding import (
    decimals_of_column,
    fixed,
    format_setting,
    percent,
    percentage,
    significant,
)
from ..presentation.table import Table
from ..validation import Alternative, Anova
from .interval import Interval
from .result import InputFile, Result, Results, records

VARIANCE_DIGITS = 3  # significant digits of a variance


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


@dataclass(frozen=True)
class RangePoint:
    """Detectable difference of the best and the worst system with n queries."""

    n: int
    detectable_difference: float


@dataclass(frozen=True)
class SystemsPlan(Result):
    """Detectable difference of the best and the worst of several systems, and required queries."""

    measure: Key
    #: ``"one-way"``: systems with separate queries; ``"two-way"``: systems on the same queries
    anova: Annotated[Anova, Column("key")]
    n_systems: Count
    #: how many queries there are now; None for a plan from a given variance
    n: Annotated[int | None, Column("count")]
    #: of the scores of a system (one-way), or of the residuals of systems and queries (two-way)
    variance: float
    confidence_level: float
    power: float
    #: the smallest true difference of the best and the worst system that n queries detect
    detectable_difference: Annotated[float | None, Column(heading="detectable")]
    #: the number of queries that detect ``difference`` with this power; None without one
    difference: float | None = None
    queries_for_difference: int | None = None
    #: names and fingerprints of the inputs
    inputs: tuple[InputFile, ...] = field(default=(), repr=False)
    #: detectable differences of fewer and of more queries
    curve: tuple[RangePoint, ...] = field(default=(), repr=False)


def _systems_tables(plans: Sequence[SystemsPlan], view: View) -> list[Table]:
    return [_systems_table(part, view.digits) for part in group_by_measure(plans)]


def _systems_table(plans: Sequence[SystemsPlan], digits: int | None) -> Table:
    first, places = plans[0], _systems_places(plans, digits)
    has_scores, has_target = first.n is not None, first.difference is not None
    headings = ["ANOVA", "variance"]
    headings += ["n", "detectable"] if has_scores else []
    headings += [f"n for {format_setting(first.difference or 0)}"] if has_target else []
    cells = []
    for plan in plans:
        row = [plan.anova, significant(plan.variance, VARIANCE_DIGITS)]
        row += [f"{plan.n:,}", fixed(plan.detectable_difference or 0, places)] if has_scores else []
        row += [f"{plan.queries_for_difference:,}"] if has_target else []
        cells.append(tuple(row))
    kinds = {
        "one-way": "one-way: variance of a system's scores",
        "two-way": "two-way: residual variance, without the effect of queries",
    }
    return Table(
        title=describe_systems_plan(first),
        headings=tuple(headings),
        cells=tuple(cells),
        records=tuple(records(plans)),
        caption="; ".join(
            (
                "difference of the best and the worst system, the others halfway between",
                *(kinds[plan.anova] for plan in plans),
            )
        ),
    )


def describe_systems_plan(plan: SystemsPlan) -> str:
    """Return the title of plans for several systems, of one measure."""
    measure = "" if plan.n is None else f"{plan.measure}: "
    return (
        f"{measure}what queries can show about {plan.n_systems:,} systems with "
        f"{percent(plan.power)} power at the {percent(plan.confidence_level)} level"
    )


def _systems_sentences(plans: Sequence[SystemsPlan], view: View) -> list[str]:
    return [_systems_sentence(part, view.digits) for part in group_by_measure(plans)]


def _systems_sentence(plans: Sequence[SystemsPlan], digits: int | None) -> str:
    """Return a sentence on the two-way plan, where there is one with scores of its own."""
    first, places = plans[-1], _systems_places(plans, digits)
    test = f"{first.anova} analysis of variance"
    pair = f"the best and the worst of {first.n_systems:,} systems"
    power = f"{percent(first.power)} power"
    if first.n is None:
        counts = _format_range((plan.queries_for_difference or 0 for plan in plans), "{:,}".format)
        return (
            f"detecting a difference of {format_setting(first.difference or 0)} between {pair} "
            f"with {power} takes {counts} queries"
        )
    text = (
        f"{first.measure}: with {pluralise_queries(first.n)} {pair} must truly differ by "
        f"{fixed(first.detectable_difference or 0, places)} to be detected with {power} by a {test}"
    )
    if first.difference is not None:
        text += (
            f"; detecting {format_setting(first.difference)} takes "
            f"{first.queries_for_difference:,} queries"
        )
    return text


def _systems_places(plans: Sequence[SystemsPlan], digits: int | None) -> int:
    if digits is not None:
        return digits
    return decimals_of_column(plan.detectable_difference or 0 for plan in plans)


present(
    SystemsPlan,
    Presentation(
        "Queries and what they can show about several systems",
        tables=_systems_tables,
        sentences=_systems_sentences,
        figures=("planning_plots:draw_systems_plans",),
        topics=lambda plans: ["systems-plan"],
    ),
)


@dataclass(frozen=True)
class RequiredQueries(Result):
    """The number of queries that a reliability requires, with its interval."""

    measure: Key
    #: ``"Erho2"``: of differences of systems; ``"Phi"``: of their means
    coefficient: Key
    #: the reliability to reach
    target: Annotated[
        float, Column("key", "reliability", text=lambda row, _: format_setting(row.target))
    ]
    #: an integer, or infinite where no number of queries is enough
    value: Annotated[
        float, Column("count", name="queries", text=lambda row, _: _format_queries(row.value))
    ]
    #: from the upper and the lower limit of the coefficient
    interval: Interval

    @property
    def fewest(
        self,
    ) -> Annotated[str, Column(heading="low", recorded=False)]:
        """The lower end of the interval, as text."""
        return _format_queries(self.interval.low)

    @property
    def largest(
        self,
    ) -> Annotated[str, Column(heading="high", recorded=False)]:
        """The upper end of the interval, as text."""
        return _format_queries(self.interval.high)


def _format_queries(n: float) -> str:
    return f"{n:,.0f}" if math.isfinite(n) else "none"


@dataclass(frozen=True)
class Reliability(Result):
    """A coefficient of reliability with a number of queries."""

    measure: Key
    #: ``"Erho2"``: of differences of systems; ``"Phi"``: of their means
    coefficient: Key
    n_systems: Count
    #: number of queries
    n: Count
    value: Annotated[float, Column(name="reliability")]
    interval: Interval
    #: names and fingerprints of the inputs
    inputs: tuple[InputFile, ...] = field(default=(), repr=False)
    #: the same coefficient with fewer and with more queries
    curve: tuple[Reliability, ...] = field(default=(), repr=False)
    #: the queries that each requested reliability requires by this coefficient
    required: tuple[RequiredQueries, ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class VarianceComponent(Result):
    """One of the three variances of a table of systems and queries."""

    measure: Key
    #: ``"systems"``, ``"queries"`` or ``"residual"``
    component: Annotated[str, Column("key", "variance of")]
    #: 0 where its estimate is negative
    variance: Annotated[float, Column(text=lambda row, _: _format_variance(row.variance))]
    #: of the sum of the three
    fraction: Annotated[float, Column(text=lambda row, _: percentage(row.fraction, 1))]
    mean_square: Annotated[float, Column(text=lambda row, _: _format_variance(row.mean_square))]
    degrees_of_freedom: Annotated[int, Column("count", "df")]


def _format_variance(variance: float) -> str:
    return significant(variance, VARIANCE_DIGITS)


class ReliabilityPlan(Results[Any]):
    """Reliability, the queries that it requires, and variances: a tuple of the rows of all tables.

    ``print`` shows the tables of the command, ``to_pandas`` returns their rows.
    """

    @property
    def coefficients(self) -> Results[Reliability]:
        """Erho2 and Phi, first with the queries there are, then with the requested numbers."""
        return Results(row for row in self if isinstance(row, Reliability))

    @property
    def required(self) -> Results[RequiredQueries]:
        """The number of queries for each requested reliability, by Erho2 and by Phi."""
        return Results(row for row in self if isinstance(row, RequiredQueries))

    @property
    def variances(self) -> Results[VarianceComponent]:
        """The variances of systems, queries and residuals."""
        return Results(row for row in self if isinstance(row, VarianceComponent))

    def __reduce__(self) -> Any:
        return ReliabilityPlan, (tuple(self),)


def _reliability_sentences(rows: Sequence[Reliability], view: View) -> list[str]:
    """Return one sentence per measure, on the queries there are and on the first request."""
    sentences = []
    for part in group_by_measure(rows):
        now = [row for row in part if row.n == part[0].n]
        places = places_by_interval(part) if view.digits is None else view.digits
        texts = [_describe_coefficient(row, places) for row in now]
        counts = [f"{_describe_required(row.required[0])}" for row in now if row.required]
        target = f"; {format_setting(now[0].required[0].target)} takes " if counts else ""
        sentences.append(
            f"{part[0].measure}: {pluralise_queries(part[0].n)} have a reliability of "
            f"{' and '.join(texts)}{target}{' and '.join(counts)}{' queries' * bool(counts)}"
        )
    return sentences


def _describe_coefficient(row: Reliability, places: int) -> str:
    of = f"differences of {row.n_systems:,} systems" if row.coefficient == "Erho2" else "means"
    low, high = (fixed(end, places) for end in row.interval)
    return f"{fixed(row.value, places)} [{low}, {high}] for {of} ({row.coefficient})"


def _describe_required(row: RequiredQueries) -> str:
    number, low, high = map(_format_queries, (row.value, *row.interval))
    return f"{number} [{low}, {high}] ({row.coefficient})"


def _reliability_title(rows: Sequence[Reliability], view: View) -> str:
    level = percent(rows[0].interval.confidence_level)
    return f"{rows[0].measure}: reliability with n queries, and its {level} interval"


def _required_title(rows: Sequence[RequiredQueries], view: View) -> str:
    level = percent(rows[0].interval.confidence_level)
    return f"{rows[0].measure}: queries for a reliability, and the {level} interval of their number"


def _required_caption(rows: Sequence[RequiredQueries]) -> str:
    ends = (end for row in rows for end in (row.value, *row.interval))
    return "" if all(map(math.isfinite, ends)) else "none: no number of queries is enough"


present(
    Reliability,
    Presentation(
        "Reliability",
        columns=("coefficient", "n", "reliability", "interval"),
        title=_reliability_title,
        caption=lambda rows: "Erho2: of differences of systems; Phi: of their means",
        label="reliability",
        sentences=_reliability_sentences,
        figures=("planning_plots:draw_reliability",),
        topics=lambda rows: ["reliability"],
    ),
)
present(
    RequiredQueries,
    Presentation(
        "Queries for a reliability",
        columns=("coefficient", "target", "queries", "fewest", "largest"),
        title=_required_title,
        caption=_required_caption,
        bar=lambda row: None,
        label="queries",
    ),
)
present(
    VarianceComponent,
    Presentation(
        "Variances of systems, queries and residuals",
        columns=("component", "variance", "fraction", "mean_square", "degrees_of_freedom"),
        title=lambda rows, view: f"{rows[0].measure}: variances of systems, queries and residuals",
        places=lambda rows: VARIANCE_DIGITS,
        label="variances",
    ),
)
