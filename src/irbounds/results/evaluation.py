"""Means over queries with their intervals, and the table of systems by measures.

``Evaluation`` is the result of ``evaluate``; its ``paper`` is the table as a paper prints it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import NormalDist
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..presentation.column_roles import Column, Count, Key
from ..presentation.phrases import (
    METHOD_WORDS,
    describe_draws,
    describe_interval,
    group_by_measure,
    half_width,
    join_caption,
    join_names,
    meaningful_ends,
    pluralise,
    pluralise_queries,
)
from ..presentation.registry import Presentation, View, present
from ..presentation.rounding import (
    decimals_of_column,
    error_level,
    fixed,
    percent,
    round_digits,
    significant,
)
from ..presentation.table import Table
from .comparisons import ADJUSTMENT_WORDS, TEST_WORDS, Comparison, describe_differences, level_words
from .interval import Adjustable, Interval, Limits
from .result import InputFile, Result, Results, records

if TYPE_CHECKING:
    from ..scores.score_table import ScoreTable
    from .chance_levels import ChanceLevel

FEW_QUERIES = 10  # fewer are too few to trust small differences
PROPORTIONS = ("clopper-pearson",)  # methods for scores that are all at a bound
MANY_QUERIES = 50  # as many give good intervals even where most scores are at a bound
MOSTLY = 0.5  # fraction of scores at a bound above which a mean depends on few queries
PRECISE = 0.05  # half width of an interval that tells systems apart
MAX_WARNED = 5  # measures with a warning each
MAX_SENTENCES = 3  # findings that a conclusion states in words; more are numbers
HIGHER, LOWER, SAME, NO_MARK = "\N{UPWARDS ARROW}", "\N{DOWNWARDS ARROW}", "=", "\N{NO-BREAK SPACE}"
#: heading, cells, and rows in bold
PaperColumn: TypeAlias = tuple[str, list[str], list[int]]


@dataclass(frozen=True, eq=False)
class Estimate(Adjustable, Result):
    """A mean over queries with its interval."""

    measure: Key
    system: Key
    #: the mean
    value: Annotated[float, Column(heading="mean", name="mean")]
    interval: Interval
    standard_error: float
    #: how many queries it is a mean of
    n: Count
    limits: Limits = field(repr=False)
    #: bootstrap means, for a method that has them; all systems have the same resamples, in order
    distribution: NDArray[np.float64] | None = field(default=None, repr=False)
    #: bootstrap means that the method had to leave out
    n_dropped: int = 0
    #: the ``rng`` that repeats the result
    seed: int | None = None
    #: names and fingerprints of the inputs
    inputs: tuple[InputFile, ...] = field(default=(), repr=False)

    @property
    def n_resamples(self) -> Annotated[int | None, Column("count")]:
        """The number of bootstrap means; None for a method that has none."""
        return None if self.distribution is None else len(self.distribution)

    @property
    def prior_variance(self) -> Annotated[float | None, Column()]:
        """The prior variance of a moderated method; None for others."""
        return getattr(self.limits, "prior_variance", None)

    @property
    def standard_deviation(self) -> Annotated[float, Column()]:
        """The standard deviation of the scores; NaN for equal scores."""
        return self.standard_error * math.sqrt(self.n)


def best_first(result: Any) -> tuple[float, str]:
    """Return the key by which rows are sorted: highest value first, then by name."""
    return -result.value, result.system or ""


def _title(rows: Sequence[Estimate], view: View) -> str:
    first = rows[0]
    words = describe_interval(first.interval)
    return f"{first.measure}: mean over {pluralise_queries(first.n, view.queries)} with its {words}"


def _caption(rows: Sequence[Estimate]) -> str:
    first = rows[0]
    prior = "" if first.prior_variance is None else f"prior variance {first.prior_variance:.2g}"
    draws = describe_draws(first.n_resamples, "resamples of the queries", first.seed)
    words = "scores are 0 or 1: a proportion" if first.interval.method in PROPORTIONS else ""
    return join_caption(words, prior, draws)


def _topics(rows: Sequence[Estimate]) -> list[str]:
    return ["mean-interval", *(estimate.interval.method for estimate in rows)]


def describe_few_queries(n: int) -> list[str]:
    """Return a sentence where there are too few queries to trust small differences."""
    if n >= FEW_QUERIES:
        return []
    verb = "is" if n == 1 else "are"
    return [f"{pluralise_queries(n)} {verb} too few to trust small differences."]


def conclude_means(estimates: Sequence[Estimate], view: View) -> list[str]:
    """Return what the intervals show and do not show, and the command to run next."""
    kind = "interval" if estimates[0].interval.alternative == "two-sided" else "limit"
    if len({estimate.system for estimate in estimates}) > 1:
        statement = (
            "Overlapping intervals do not show that systems are equal"
            if kind == "interval"
            else "Limits of single systems do not show which system is better"
        )
        summary = f"{statement}: `irbounds compare` tests the differences on the same queries."
    else:
        is_one = len(estimates) == 1
        summary = (
            f"The {kind if is_one else f'{kind}s'} {'is' if is_one else 'are'} about other queries "
            "of the same kind, with the same documents and judgments: `irbounds corpus` varies the "
            "documents."
        )
    return [" ".join((summary, *describe_few_queries(min(estimate.n for estimate in estimates))))]


present(
    Estimate,
    Presentation(
        "Means with intervals",
        columns=("system", "mean", "interval"),
        title=_title,
        caption=_caption,
        group=lambda estimate: (estimate.measure, estimate.interval.method),
        order=best_first,
        conclusion=conclude_means,
        figures=("mean_plots:draw_means",),
        topics=_topics,
    ),
)


def warn_unknown_bounds(estimates: Sequence[Estimate]) -> list[str]:
    """Return a warning about measures with Student t by default since their bounds are unknown."""
    measures = dict.fromkeys(
        e.measure
        for e in estimates
        if e.interval.method == "student-t" and not e.measure.startswith("z(")
    )
    sentence = (
        f"the bounds of {', '.join(measures)} are not known, so Student t: name the measure "
        "(AP=FILE) or give --bounds for moderated-wilson, which is better with few queries"
    )
    return [sentence] if measures else []


def warn_few_queries(estimates: Sequence[Estimate], scores: ScoreTable) -> list[str]:
    """Return a warning per measure with few queries, or with scores that are mostly at a bound.

    It states what the intervals rely on, and how many queries a half width of 0.05 takes. Many
    measures with one reason share a warning, without that number.
    """
    reasons: dict[str, list[str]] = {}
    numbers: dict[str, str] = {}
    families: dict[tuple[str, str], list[Estimate]] = {}
    for row in estimates:
        families.setdefault((row.measure, row.interval.method), []).append(row)
    is_alone = len({method for _, method in families}) == 1
    for (measure, method), rows in families.items():
        if all(math.isnan(row.standard_error) for row in rows):
            continue  # equal scores have a warning of their own
        reason = _describe_few(rows[0]) or _describe_bound(rows[0], scores)
        if not reason:
            continue
        name = measure if is_alone else f"{measure}, {method}"
        reasons.setdefault(reason, []).append(name)
        needed = _count_needed(rows)
        if needed > rows[0].n:
            number = f"{round_digits(needed, 2):,.0f}"
            numbers[name] = f"; \N{PLUS-MINUS SIGN}{PRECISE:g} takes about {number} queries"
    warnings = []
    for reason, names in reasons.items():
        if len(names) > MAX_WARNED:
            warnings.append(f"{names[0]} and {len(names) - 1:,} other measures: {reason}")
        else:
            warnings += [f"{name}: {reason}{numbers.get(name, '')}" for name in names]
    return warnings


def _count_needed(rows: Sequence[Estimate]) -> float:
    """Return the queries that a half width of 0.05 takes; 0 for scores that are not in 0 to 1.

    The standard deviation is the median over systems, each at least that of the prior variance.
    """
    if any(not 0 <= row.value <= 1 for row in rows):  # 0.05 says nothing in other units
        return 0
    variances = [
        max(
            0 if math.isnan(row.standard_error) else row.n * row.standard_error**2,
            (row.prior_variance or 0) * row.value * (1 - row.value),
        )
        for row in rows
    ]
    z = NormalDist().inv_cdf((1 + rows[0].interval.confidence_level) / 2)
    return float(np.median(variances)) * (z / PRECISE) ** 2


def _describe_few(row: Estimate) -> str:
    if not 1 < row.n < FEW_QUERIES:
        return ""
    method = row.interval.method
    if method.startswith("moderated"):
        return f"with {row.n} queries intervals are wide and rely on a prior variance of scores"
    if method == "clopper-pearson":
        return f"with {row.n} queries intervals are wide, but hold for every true mean"
    return f"with {row.n} queries intervals of this method miss more often than their level says"


def _describe_bound(row: Estimate, scores: ScoreTable) -> str:
    """Return a sentence where most scores are 0 or 1, unless all are and it is a proportion."""
    if row.interval.method in PROPORTIONS:
        return ""
    values = scores.values[scores.measures.index(row.measure)]
    fraction = float(np.mean((values == 0) | (values == 1)))
    if fraction < MOSTLY or not 1 < row.n < MANY_QUERIES:
        return ""
    return f"{100 * fraction:.0f} % of the scores are 0 or 1, so that means depend on few queries"


@dataclass(frozen=True, eq=False)
class PaperTable(Result):
    """Means of systems by several measures, each compared with the best system or a baseline.

    The best mean of each measure is in bold. Without a baseline ``=`` marks systems that are not
    significantly different from the best by that measure. With one, arrows mark systems that score
    significantly higher or lower than it, ``=`` those that do not differ, and W/T/L counts the
    queries on which a system scores higher, the same or lower.
    """

    #: one per measure and system
    estimates: tuple[Estimate, ...]
    #: of every system with the best one by its measure, or with the baseline
    comparisons: tuple[Comparison, ...]
    baseline: str | None = None

    def _records(self) -> list[dict[str, Any]]:
        """Return the records of the means, best first by each measure, each with its comparison."""
        ordered = [
            x for part in group_by_measure(self.estimates) for x in sorted(part, key=best_first)
        ]
        rows = []
        for estimate, row in zip(ordered, records(ordered), strict=True):
            comparison = self._comparison(estimate)
            more = {
                "compared_with": comparison and comparison.baseline,
                "adjusted_p_value": comparison and comparison.adjusted_p_value,
                "verdict": _verdict(comparison),
            }
            rows.append({**row, **more})
        return rows

    def _comparison(self, estimate: Estimate) -> Comparison | None:
        """Return the comparison of a system; None for the system that others are compared with."""
        return self._by_name.get((estimate.measure, estimate.system))

    @cached_property
    def _by_name(self) -> dict[tuple[str, str], Comparison]:
        return {(row.measure, row.system): row for row in self.comparisons}


def _verdict(comparison: Comparison | None) -> str:
    if comparison is None:
        return "reference"
    if math.isnan(comparison.adjusted_p_value):
        return "no test"
    if not comparison.is_significant:
        return "not significantly different"
    return "higher" if comparison.value > 0 else "lower"


def _tables(tables: Sequence[PaperTable], view: View) -> list[Table]:
    return [_table(table, view) for table in tables]


def _table(table: PaperTable, view: View) -> Table:
    parts = group_by_measure(table.estimates)
    order = [estimate.system for estimate in sorted(parts[0], key=best_first)]
    columns = [column for part in parts for column in _columns(table, part, order, view)]
    headings, cells, strong = zip(*columns, strict=True)
    return Table(
        title=_paper_title(parts, view),
        headings=("system", *headings),
        cells=tuple((name, *row) for name, *row in zip(order, *cells, strict=True)),
        records=tuple(table._records()) if view.has_records else (),
        caption=_paper_caption(table),
        spare=_spare(headings, [part[0].measure for part in parts]),
        strong=frozenset((row, 1 + k) for k, rows in enumerate(strong) for row in rows),
    )


def _spare(headings: Sequence[str], measures: Sequence[str]) -> tuple[str, ...]:
    """Return the headings that a narrow terminal leaves out: wins first, then intervals."""
    others = [heading for heading in headings if heading not in measures]
    return tuple(sorted(others, key=lambda heading: heading != "W/T/L"))


def _columns(
    table: PaperTable, part: Sequence[Estimate], order: Sequence[str], view: View
) -> list[PaperColumn]:
    """Return the columns of one measure: heading, cells, and the rows of the best."""
    named = {estimate.system: estimate for estimate in part}
    rows = [named[system] for system in order]
    places = view.digits
    if places is None:
        places = decimals_of_column(half_width(row.value, row.interval) for row in rows)
    comparisons = [table._comparison(row) for row in rows]
    means = [
        f"{fixed(row.value, places)}{_mark(table, comparison)}"
        for row, comparison in zip(rows, comparisons, strict=True)
    ]
    first = rows[0].interval
    kind = "interval" if first.alternative == "two-sided" else "limit"
    words = f"{percent(first.confidence_level)} {kind}"
    ends = [", ".join(fixed(end, places) for end in meaningful_ends(row.interval)) for row in rows]
    highest = max(row.value for row in rows)
    best = [k for k, row in enumerate(rows) if math.isclose(row.value, highest)]
    columns: list[PaperColumn] = [
        (rows[0].measure, means, best),
        (words, [f"[{text}]" for text in ends], []),
    ]
    if table.baseline is not None:
        columns.append(("W/T/L", [*map(_wins, comparisons)], []))
    return columns


def _mark(table: PaperTable, comparison: Comparison | None) -> str:
    if comparison is None or math.isnan(comparison.adjusted_p_value):
        return NO_MARK
    if not comparison.is_significant:
        return SAME
    if table.baseline is None:
        return NO_MARK
    return HIGHER if comparison.value > 0 else LOWER


def _wins(comparison: Comparison | None) -> str:
    """Return ``31/4/15``: queries on which the system scores higher, the same and lower."""
    if comparison is None:
        return "-"
    differences = comparison.query_differences
    wins, losses = int(np.count_nonzero(differences > 0)), int(np.count_nonzero(differences < 0))
    return f"{wins}/{len(differences) - wins - losses}/{losses}"


def _paper_title(parts: Sequence[Sequence[Estimate]], view: View) -> str:
    first = parts[0][0]
    kinds = {describe_interval(part[0].interval) for part in parts}
    level = percent(first.interval.confidence_level)
    words = kinds.pop() if len(kinds) == 1 else f"{level} interval"
    return f"mean over {pluralise_queries(first.n, view.queries)} with its {words}"


def _paper_caption(table: PaperTable) -> str:
    first = table.estimates[0]
    draws = describe_draws(first.n_resamples, "resamples of the queries", first.seed)
    how = join_caption(_list_methods(table.estimates), draws)
    if not table.comparisons:
        return how
    first_test = table.comparisons[0]
    level = significant(error_level(first_test.interval.confidence_level) * 100, 3)
    adjustment = ADJUSTMENT_WORDS[first_test.adjustment]
    among = pluralise(first_test.n_comparisons, "comparison")
    test = f"{TEST_WORDS[first_test.test]}, {adjustment} for {among}, {level} % level"
    if table.baseline is None:
        marks = f"{SAME} not significantly different from the best ({test})"
    else:
        marks = (
            f"{HIGHER} higher, {LOWER} lower than {table.baseline}, {SAME} not significantly "
            f"different ({test}); W/T/L: queries won, tied and lost against it"
        )
    return join_caption("bold: best of its measure", marks, how)


def _list_methods(estimates: Sequence[Estimate]) -> str:
    """Return the methods with their measures, where measures have different ones."""
    measures: dict[str, list[str]] = {}
    for estimate in estimates:
        of_method = measures.setdefault(METHOD_WORDS[estimate.interval.method], [])
        if estimate.measure not in of_method:
            of_method.append(estimate.measure)
    parts = [f"{method} ({', '.join(names)})" for method, names in measures.items()]
    return f"intervals: {', '.join(parts)}" if len(parts) > 1 else ""


def _conclusion(tables: Sequence[PaperTable], view: View) -> list[str]:
    return [line for table in tables for line in _conclude(table, view)]


def _conclude(table: PaperTable, view: View) -> list[str]:
    """Return how many systems differ from the best or the baseline, and the command to run next."""
    families = group_by_measure(table.comparisons)
    if not families:
        return conclude_means(table.estimates, view)
    alike: dict[str, list[str]] = {}
    for family in families:
        alike.setdefault(describe_differences(family), []).append(family[0].measure)
    if len(alike) <= MAX_SENTENCES:
        summary = "; ".join(f"{join_names(measures)}: {words}" for words, measures in alike.items())
    else:
        reference = table.baseline or "the best system"
        numbers = ", ".join(
            f"{family[0].measure} {sum(row.is_significant for row in family):,} of {len(family):,}"
            for family in families
        )
        summary = f"Significantly different from {reference}: {numbers}"
    more = (
        "`irbounds compare` shows the differences with their intervals."
        if len(families[0]) == 1
        else "`irbounds compare` tests all pairs, `irbounds rank` shows intervals of ranks."
    )
    return [
        f"{summary} ({level_words(families[0][0])}).",
        " ".join((more, *describe_few_queries(min(estimate.n for estimate in table.estimates)))),
    ]


present(
    PaperTable,
    Presentation(
        "Means with intervals",
        tables=_tables,
        conclusion=_conclusion,
        figures=("mean_plots:draw_paper_table",),
        topics=lambda tables: [
            "mean-interval",
            *(estimate.interval.method for estimate in tables[0].estimates),
            *(name for row in tables[0].comparisons for name in (row.test, row.adjustment)),
        ],
        is_single=True,
    ),
)


class Evaluation(Results[Estimate]):
    """Means of systems with their intervals: a tuple of ``Estimate``, one per measure and system.

    ``print`` shows the table of the command, ``to_pandas`` returns its rows.
    """

    #: the scores per query
    scores: ScoreTable
    #: every system compared with the best one, or with the baseline
    comparisons: Results[Comparison] = Results()
    #: the system that the others are compared with; None for the best one by each measure
    baseline: str | None = None
    #: chance levels, where they were requested
    chance: Results[ChanceLevel] = Results()

    def __new__(cls, estimates: Any = (), **attributes: Any) -> Evaluation:
        """Return estimates with their scores, comparisons and chance levels."""
        evaluation = super().__new__(cls, estimates)
        evaluation.__dict__.update(attributes)
        return evaluation

    @property
    def paper(self) -> PaperTable:
        """Systems by measures in one table, with the comparisons."""
        return PaperTable(tuple(self), tuple(self.comparisons), self.baseline)
