"""Chance levels: the expected scores of random rankings, and systems compared with them.

A chance level is computed, not estimated, so it has at least four decimals, and more where its
standard deviation is small. The score that it is compared with has four.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated, Any, Protocol, runtime_checkable

from ..presentation.column_roles import Column, Count, Key, Warnings
from ..presentation.phrases import describe_draws, join_caption, pluralise_queries
from ..presentation.registry import Presentation, View, present
from ..presentation.rounding import (
    UNKNOWN,
    decimals_of_column,
    fixed,
    format_setting,
    percent,
    power_of_ten,
    significant,
    small_p,
)
from ..presentation.table import BarEnds, Table
from ..validation import Alternative
from .result import InputFile, Result, records

if TYPE_CHECKING:
    from ..presentation.figures.style import Figure

#: probabilities of quantiles for given numbers of documents
QUANTILES = (0.05, 0.5, 0.95, 0.99)
FIRST_WITH_SCORE = 1  # index of the first quantile in tables with an observed score
SCORE_COLUMNS = ("score", "corrected", "p")
MIN_FIXED = 1e-6  # smaller numbers are written as powers of ten
MAX_ZEROS = 6
#: the documents that are ranked at random, in the words of titles
RANKED = {
    "corpus": "the corpus",
    "judged": "the judged documents",
    "retrieved": "the run's own documents",
}
P_MEANS = {
    "greater": "p is how often a random ranking scores as high or higher.",
    "less": "p is how often a random ranking scores as low or lower.",
    "two-sided": "p is how often a random ranking scores as high or higher, or as low or lower, "
    "whichever is rarer; doubled.",
}
#: how a distribution was computed
METHOD_WORDS = {
    "exact": "exact",
    "monte-carlo": "by random draws",
    "matched-moments": "by matched moments",
}


ROUNDING = 1e-12  # relative difference that equal scores may have


@runtime_checkable
class NullDistribution(Protocol):
    """The distribution of a random ranking's score, or of its mean over queries."""

    @property
    def method(self) -> str:
        """``"exact"``, ``"monte-carlo"`` or ``"matched-moments"``."""
        ...

    @property
    def mean(self) -> float:
        """The expected score, exactly."""
        ...

    @property
    def standard_deviation(self) -> float:
        """Standard deviation of the score; NaN without a formula and without draws."""
        ...

    def cdf(self, score: float) -> float:
        """Return the probability of a score or a lower one.

        Parameters
        ----------
        score
            The score.

        Returns
        -------
        float
            The probability.
        """
        ...

    def quantile(self, probability: float) -> float:
        """Return the lowest score with at least this probability at or below it.

        Parameters
        ----------
        probability
            A fraction between 0 and 1.

        Returns
        -------
        float
            The score.
        """
        ...

    def p_value(self, observed: float, alternative: Alternative = "greater") -> float:
        """Return the probability that a random ranking does as well as a score.

        Parameters
        ----------
        observed
            The score.
        alternative
            ``"greater"`` for this score or a higher one, ``"less"`` for this score or a lower one,
            ``"two-sided"`` for twice the smaller of both.

        Returns
        -------
        float
            The p-value.
        """
        ...

    def plot(self, **options: Any) -> Figure:
        """Return the distribution as a figure.

        Parameters
        ----------
        **options
            ``observed`` marks a score; others are those of the figure's function.

        Returns
        -------
        Figure
            ``.save("figure.svg")`` writes it; a notebook displays it.
        """
        ...


@dataclass(frozen=True)
class QueryChance(Result):
    """The chance level of one query, and a system's score next to it."""

    query_id: Annotated[str, Column("key", "query")]
    #: documents that are ranked at random, ranks that are scored, relevant documents
    n_documents: Annotated[int, Column("count", "documents")]
    depth: Count
    n_relevant: Annotated[int, Column("count", "relevant")]
    #: relevant documents that the measure divides by: more where not all of them are ranked
    n_judged: int
    expected: float
    #: NaN for ERR, which has no formula for it
    standard_deviation: float
    #: this and all following fields are None without a system
    observed: float | None = None
    #: (observed - expected) / (1 - expected); NaN where every ranking scores 1
    corrected: float | None = None
    p_value: float | None = None
    #: the method of the p-value, which may differ from the mean's
    method: str | None = None


@dataclass(frozen=True, eq=False)
class ChanceLevel(Result):
    """The chance level of the mean over queries, and a system's mean next to it."""

    measure: Key
    #: None for a chance level without a system
    system: Annotated[str | None, Column("key")]
    #: which documents are ranked at random: ``"corpus"``, ``"judged"`` or ``"retrieved"``
    population: str
    #: queries of the mean
    n: int
    #: mean fraction of relevant documents, which is not the chance level
    prevalence: float
    expected: float
    #: of the mean over queries
    standard_deviation: float
    observed: float | None = None
    #: mean of the queries' corrected scores, without those that have none
    corrected: float | None = None
    p_value: float | None = None
    alternative: Alternative = "greater"
    queries: tuple[QueryChance, ...] = field(default=(), repr=False)
    distribution: NullDistribution | None = field(default=None, repr=False)
    #: method of the p-value: ``"exact"``, ``"monte-carlo"`` or ``"matched-moments"``
    method: str | None = None
    n_draws: int | None = None
    seed: int | None = None
    inputs: tuple[InputFile, ...] = field(default=(), repr=False)
    #: sentences about unusual inputs and comparisons
    warnings: Warnings = field(default=(), repr=False)


def warn_if_unreachable(measure: str, observed: float, low: float, high: float) -> str | None:
    """Return a warning about a score that no ranking has; None between minimum and maximum."""
    if low * (1 - ROUNDING) <= observed <= high * (1 + ROUNDING):
        return None
    return (
        f"no ranking of these documents scores {observed:g} by {measure}: "
        f"scores lie between {low:g} and {high:g}"
    )


def describe_population(rows: Sequence[ChanceLevel]) -> str:
    """Return a line about which documents are ranked at random, and how deep."""
    first = rows[0]
    if first.population == "retrieved":
        return "chance: a random ranking of the documents that each run retrieved for a query"
    sizes = [query.n_documents for query in first.queries]
    low, high = f"{min(sizes):,}", f"{max(sizes):,}"
    number = low if low == high else f"{low} to {high}"
    if first.population == "given":
        (query,) = first.queries
        prevalence = significant(first.prevalence, UNKNOWN)
        details = f", {query.n_relevant:,} of them relevant (prevalence {prevalence})"
    else:
        judged = ", the judged ones of each query" if first.population == "judged" else ""
        details = judged + ("" if first.system is None else ", cut where each run ends")
    return f"chance: a random ranking of {number} documents{details}"


def explain_p(rows: Sequence[ChanceLevel]) -> list[str]:
    """Return the meaning of the p-values, where there are any."""
    return [] if rows[0].p_value is None else [P_MEANS[rows[0].alternative]]


def number_table(rows: Sequence[ChanceLevel], digits: int | None = None) -> Table:
    """Return a row per measure: chance level, quantiles, and the observed score if there is one."""
    is_observed = rows[0].observed is not None
    first = FIRST_WITH_SCORE if is_observed else 0
    scores = SCORE_COLUMNS if is_observed else ()
    quantiles = [_quantiles(row) for row in rows]  # an exact one may take a second
    both = list(zip(rows, quantiles, strict=True))

    def cells(row: ChanceLevel, values: Sequence[float]) -> tuple[str, ...]:
        decimals = _decimals([row], digits)
        chance = _cells(row, ("chance", "sd"), decimals)
        return (
            row.measure,
            *chance,
            *map(decimals.format_chance, values[first:]),
            *_cells(row, scores, decimals),
        )

    return Table(
        title="scores of random rankings: mean, standard deviation and quantiles",
        headings=("measure", "chance", "sd", *map(percent, QUANTILES[first:]), *scores),
        cells=tuple(cells(row, values) for row, values in both),
        records=tuple(_number_record(row, values) for row, values in both),
        bars=tuple(map(_bar, rows, quantiles)),
        spare=("sd", "50 %", "99 %"),
    )


def describe_methods(rows: Sequence[ChanceLevel]) -> str:
    """Return a line about the methods of quantiles and p-values, by measure."""
    by_method: dict[str, list[str]] = {}
    for row in rows:
        drawn = f" ({row.n_draws:,})" if row.n_draws else ""
        words = METHOD_WORDS[row.method] if row.method else "not known"
        by_method.setdefault(f"{words}{drawn}", []).append(row.measure)
    if len(by_method) == 1:
        return f"Distribution: {next(iter(by_method))}."
    parts = (f"{', '.join(measures)}: {method}" for method, measures in by_method.items())
    return f"Distribution: {'; '.join(parts)}."


def level_tables(rows: Sequence[ChanceLevel], rule: str, digits: int | None = None) -> list[Table]:
    """Return a table per measure with a row per system, best first; one table without systems."""
    if rows[0].system is None:
        return [_chance_table(rows, rule, digits)]
    parts: dict[str, list[ChanceLevel]] = {}
    for row in rows:
        parts.setdefault(row.measure, []).append(row)
    return [_system_table(part, rule, digits) for part in parts.values()]


def query_tables(rows: Sequence[ChanceLevel], digits: int | None = None) -> list[Table]:
    """Return a table per measure and system with a row per query."""
    return [_query_table(row, digits) for row in rows]


def add_chance_columns(
    tables: Sequence[Table], rows: Sequence[ChanceLevel], digits: int | None = None
) -> list[Table]:
    """Return tables of systems' means with two more columns: chance level and corrected score."""
    levels = {(row.measure, row.system): row for row in rows}
    return [_add_chance_columns(table, levels, digits) for table in tables]


@dataclass(frozen=True)
class _Decimals:
    """The number of decimals in one table."""

    chance: int
    score: int
    #: whether very small numbers are written as powers of ten
    is_free: bool

    def format_chance(self, value: float) -> str:
        """Return a chance level with the column's decimals, or as a power of ten if very small."""
        if self.is_free and 0 < abs(value) < MIN_FIXED:
            return power_of_ten(value)
        return "0" if self.chance > MAX_ZEROS and not value else fixed(value, self.chance)

    def format_score(self, value: float | None) -> str:
        """Return a score with the column's decimals, or a dash."""
        return "-" if value is None else fixed(value, self.score)


def _decimals(rows: Sequence[ChanceLevel] | Sequence[QueryChance], digits: int | None) -> _Decimals:
    """Return decimals for two digits of chance level and standard deviation, at least four."""
    if digits is not None:
        return _Decimals(digits, digits, is_free=False)
    spreads = decimals_of_column(row.standard_deviation for row in rows)
    levels = decimals_of_column(row.expected for row in rows)
    return _Decimals(max(spreads, levels, UNKNOWN), UNKNOWN, is_free=True)


def _number_record(row: ChanceLevel, quantiles: Sequence[float]) -> dict[str, Any]:
    (query,) = row.queries
    counts = {"n_documents": query.n_documents, "n_relevant": query.n_relevant}
    (record,) = records([row])
    left_out = ("measure", "system", "population", "n")
    return {
        "measure": row.measure,
        **counts,
        **{key: value for key, value in record.items() if key not in left_out},
        **{f"quantile_{q:g}": x for q, x in zip(QUANTILES, quantiles, strict=True)},
    }


def _bar(row: ChanceLevel, quantiles: Sequence[float]) -> BarEnds | None:
    """Return the 5 % and 95 % quantiles; the mark is the observed score, else the chance level."""
    low, *_, high, _ = quantiles
    if math.isnan(low):
        return None
    return low, row.expected if row.observed is None else row.observed, high


def _quantiles(row: ChanceLevel) -> list[float]:
    if row.distribution is None:
        return [math.nan] * len(QUANTILES)
    return [row.distribution.quantile(probability) for probability in QUANTILES]


def _cells(row: Any, names: Sequence[str], decimals: _Decimals) -> tuple[str, ...]:
    """Return the cells under these headings."""
    chance = {
        "chance": row.expected,
        "sd": row.standard_deviation,
        "sd of chance": row.standard_deviation,
        "prevalence": getattr(row, "prevalence", math.nan),
    }
    cells = {name: decimals.format_chance(value) for name, value in chance.items() if name in names}
    cells["score"] = decimals.format_score(row.observed)
    cells["corrected"] = decimals.format_score(row.corrected)
    return tuple(cells[name] if name in cells else _format_p(row.p_value) for name in names)


def _chance_table(rows: Sequence[ChanceLevel], rule: str, digits: int | None) -> Table:
    names = ("chance", "sd of chance", "prevalence")
    return Table(
        title=f"chance levels of a random ranking of {RANKED[rows[0].population]}: mean over "
        f"{pluralise_queries(rows[0].n, rule)}",
        headings=("measure", *names),
        cells=tuple((row.measure, *_cells(row, names, _decimals([row], digits))) for row in rows),
        records=tuple(records(rows)),
    )


def _system_table(rows: Sequence[ChanceLevel], rule: str, digits: int | None) -> Table:
    best_first = sorted(rows, key=lambda row: (-(row.observed or 0.0), row.system or ""))
    names = ("score", "chance", "sd of chance", *SCORE_COLUMNS[1:])
    decimals = _decimals(rows, digits)
    return Table(
        title=f"{rows[0].measure}: mean over {pluralise_queries(rows[0].n, rule)}, compared with "
        f"a random ranking of {RANKED[rows[0].population]}",
        headings=("system", *names),
        cells=tuple((row.system or "", *_cells(row, names, decimals)) for row in best_first),
        records=tuple(records(best_first)),
        caption=_describe_p(rows),
        spare=("sd of chance",),
    )


def _query_table(row: ChanceLevel, digits: int | None) -> Table:
    content = "chance level" if row.system is None else f"{row.system} compared with chance"
    table = _table_of_queries(row.queries, row.system is not None, digits)
    labels = {"measure": row.measure, "system": row.system}
    return replace(
        table,
        title=f"{row.measure} of each query: {content}",
        records=tuple({**labels, **record} for record in table.records),
    )


def _table_of_queries(
    queries: Sequence[QueryChance], is_observed: bool, digits: int | None
) -> Table:
    """Return the chance level of each query, and the score of a system where there is one."""
    decimals = _decimals(queries, digits)
    cut = any(query.depth < query.n_documents for query in queries)
    names = ("chance", "sd of chance", *(SCORE_COLUMNS if is_observed else ()))

    def counts(query: QueryChance) -> list[str]:
        depth = [f"{query.depth:,}"] if cut else []
        return [query.query_id, f"{query.n_documents:,}", *depth, _relevant(query)]

    return Table(
        title="chance level of each query",
        headings=("query", "documents", *(["depth"] if cut else []), "relevant", *names),
        cells=tuple((*counts(query), *_cells(query, names, decimals)) for query in queries),
        spare=("sd of chance", *(["depth"] if cut else []), "documents"),
        records=tuple(records(queries)),
    )


def _relevant(query: QueryChance) -> str:
    """Return the number of relevant documents that are ranked, and of all if there are more."""
    ranked = f"{query.n_relevant:,}"
    return ranked if query.n_relevant == query.n_judged else f"{ranked} of {query.n_judged:,}"


def _add_chance_columns(
    table: Table, levels: Mapping[tuple[str, str | None], ChanceLevel], digits: int | None
) -> Table:
    rows = [levels[record["measure"], record["system"]] for record in table.records]
    decimals = replace(_decimals(rows, digits), score=_decimals_of_means(table))
    return replace(
        table,
        title=f"{table.title}, compared with a random ranking of {RANKED[rows[0].population]}",
        headings=(*table.headings, "chance", "corrected"),
        cells=tuple(
            (*cells, decimals.format_chance(row.expected), decimals.format_score(row.corrected))
            for cells, row in zip(table.cells, rows, strict=True)
        ),
        records=tuple(
            {
                **record,
                "chance": row.expected,
                "chance_standard_deviation": row.standard_deviation,
                "corrected": row.corrected,
                "population": row.population,
            }
            for record, row in zip(table.records, rows, strict=True)
        ),
    )


def _decimals_of_means(table: Table) -> int:
    """Return the decimals of the means, which their intervals determine."""
    return len(table.cells[0][table.headings.index("mean")].partition(".")[2])


def _describe_p(rows: Sequence[ChanceLevel]) -> str:
    """Return the method of p, such as ``p by random draws; 9,999 draws, seed 0``."""
    methods = sorted({METHOD_WORDS[row.method] for row in rows if row.method is not None})
    n_draws = max((row.n_draws or 0 for row in rows), default=0)
    method = f"p {' and '.join(methods)}" if methods else ""
    return join_caption(method, describe_draws(n_draws, "draws", rows[0].seed))


def _format_p(p: float | None) -> str:
    return "-" if p is None or math.isnan(p) else small_p(p)


DIGITS = 4  # of numbers that may be very small


def _query_level_tables(rows: Sequence[QueryChance], view: View) -> list[Table]:
    return [_table_of_queries(rows, any(row.observed is not None for row in rows), view.digits)]


def _null_distribution_tables(distributions: Sequence[NullDistribution], view: View) -> list[Table]:
    """Return mean, standard deviation and quantiles of the scores of random rankings."""
    return [
        Table(
            title="scores of random rankings: mean, standard deviation and quantiles",
            headings=("method", "mean", "sd", *(percent(q) for q in QUANTILES)),
            cells=tuple(
                (
                    distribution.method,
                    *(significant(x, DIGITS) for x in _moments_and_quantiles(distribution)),
                )
                for distribution in distributions
            ),
            records=tuple(map(null_record, distributions)),
        )
    ]


def _moments_and_quantiles(distribution: NullDistribution) -> tuple[float, ...]:
    quantiles = (distribution.quantile(q) for q in QUANTILES)
    return distribution.mean, distribution.standard_deviation, *quantiles


def null_record(distribution: NullDistribution) -> dict[str, Any]:
    """Return mean, standard deviation and quantiles."""
    names = ("mean", "standard_deviation", *(f"quantile_{format_setting(q)}" for q in QUANTILES))
    values = _moments_and_quantiles(distribution)
    return {"method": distribution.method, **dict(zip(names, values, strict=True))}


def _tables(rows: Sequence[ChanceLevel], view: View) -> list[Table]:
    """Return tables of a collection, or of numbers of documents, which have quantiles."""
    if rows[0].population == "given":
        return [number_table(rows, view.digits)]
    return level_tables(rows, view.queries, view.digits)


def _sentences(rows: Sequence[ChanceLevel], view: View) -> list[str]:
    methods = [describe_methods(rows)] if rows[0].population == "given" else []
    return [*methods, *explain_p(rows), *_verdicts(rows)]


def _verdicts(rows: Sequence[ChanceLevel]) -> list[str]:
    """Return how a score that was given compares with the chance level."""
    verdicts = []
    for row in rows:
        if row.population == "given" and row.observed is not None and row.p_value is not None:
            side = "above" if row.observed > row.expected else "not above"
            level = significant(row.expected, UNKNOWN)
            p = significant(row.p_value, 2)
            verdicts.append(
                f"{row.measure} {row.observed:g} is {side} the chance level {level}; p {p}."
            )
    return verdicts


def _topics(rows: Sequence[ChanceLevel]) -> list[str]:
    return ["chance-level", *(row.method for row in rows if row.method)]


present(
    ChanceLevel,
    Presentation(
        "Chance level",
        tables=_tables,
        sentences=_sentences,
        figures=("chance_plots:draw_chance_levels",),
        topics=_topics,
    ),
)
present(
    QueryChance,
    Presentation(
        "Chance level of each query",
        tables=_query_level_tables,
        figures=("chance_plots:draw_query_chance",),
        topics=lambda rows: ["chance-level"],
    ),
)
present(
    NullDistribution,
    Presentation(
        "Scores of random rankings",
        tables=_null_distribution_tables,
        figures=("chance_plots:draw_null_distribution",),
        topics=lambda rows: ["chance-level"],
        is_single=True,
    ),
)
