"""Chance levels: the expected scores of random rankings, and systems compared with them.

A chance level is computed, not estimated, so it has at least four decimals, and more where its
standard deviation is small. The score that it is compared with has four.

A score is a sum of fractions, and adding them in another order changes its last digits. Scores are
therefore treated as equal within ``TOLERANCE`` of their size, and an observed score that a random
ranking can reach counts as reached.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..errors import ParameterError, quote
from ..presentation.column_roles import Column, Count, Key, Warnings, make_record
from ..presentation.phrases import describe_draws, group_by_measure, join_caption, pluralise_queries
from ..presentation.registry import Presentation, View, present
from ..presentation.rounding import (
    UNKNOWN,
    decimals_of_column,
    fixed,
    percent,
    significant,
    small_p,
)
from ..presentation.table import Table
from ..validation import Alternative, as_float, check_alternative
from .result import InputFile, Result

Floats = NDArray[np.float64]

TOLERANCE = 1e-12
#: quantiles for given numbers of documents, and their headings
QUANTILES = {percent(q): q for q in (0.05, 0.5, 0.95, 0.99)}
SCORE_COLUMNS = ("score", "corrected", "p")
#: the documents that are ranked at random, in the words of titles
RANKED = {"corpus": "the corpus", "judged": "the judged documents"}
P_MEANS = {
    "greater": "p: a random ranking scores as high or higher",
    "less": "p: a random ranking scores as low or lower",
    "two-sided": "p: twice the smaller of both sides",
}
#: fields of columns
FIELDS = {
    "chance": "expected",
    "sd": "standard_deviation",
    "sd of chance": "standard_deviation",
    "prevalence": "prevalence",
    "score": "observed",
    "corrected": "corrected",
    "p": "p_value",
}


@dataclass(frozen=True, eq=False, repr=False)
class NullDistribution:
    """The distribution of a random ranking's score, or of its mean over queries."""

    #: ``"exact"``: every ranking was counted; ``"monte-carlo"``: random rankings were drawn
    method: Literal["exact", "monte-carlo"]
    #: the expected score, exactly
    mean: float
    #: exact; that of the draws where no formula is known
    standard_deviation: float
    #: ascending
    scores: Floats
    #: the number of rankings with each score or a lower one
    counts: NDArray[np.int64]
    #: draws the same rankings again; None where none were drawn
    seed: int | None = None

    def __repr__(self) -> str:
        return f"<{self.method} distribution of {self.n_rankings:,} rankings: mean {self.mean:.4g}>"

    @property
    def n_rankings(self) -> int:
        """Number of rankings counted or drawn."""
        return int(self.counts[-1])

    def cdf(self, score: float) -> float:
        """Return the fraction of rankings with this score or a lower one."""
        return self._count_to(score * (1 + TOLERANCE), "right") / self.n_rankings

    def quantile(self, probability: float) -> float:
        """Return the lowest score with at least this fraction of rankings at or below it."""
        probability = check_score("probability", probability)
        needed = probability * self.n_rankings * (1 - TOLERANCE)
        return float(self.scores[np.searchsorted(self.counts, needed, "left")])

    def p_value(self, observed: float, alternative: Alternative = "greater") -> float:
        """Return the probability that a random ranking scores ``observed`` or higher.

        ``"less"`` is the probability of this score or a lower one. ``"two-sided"`` is twice the
        smaller of the two, at most 1. Of drawn rankings it is (1 + hits) / (1 + draws): under the
        null hypothesis the observed ranking is one more draw, so that p <= alpha has a probability
        of at most alpha (Davison and Hinkley 1997, section 4.2).
        """
        score, side = check_score("observed", observed), check_alternative(alternative)
        low = self._count_to(score * (1 + TOLERANCE), "right")
        high = self.n_rankings - self._count_to(score * (1 - TOLERANCE), "left")
        more = int(self.method == "monte-carlo")
        at_most, at_least = ((hits + more) / (self.n_rankings + more) for hits in (low, high))
        return float(choose_side(side, at_least, at_most))

    def _count_to(self, score: float, side: Literal["left", "right"]) -> int:
        """Return the number of rankings below a score (left), or up to it (right)."""
        place = int(np.searchsorted(self.scores, score, side))
        return int(self.counts[place - 1]) if place else 0


def choose_side(side: Alternative, at_least: Any, at_most: Any) -> Any:
    """Return the p-values of a side, from the probabilities of both tails."""
    if side == "two-sided":
        return np.minimum(1.0, 2 * np.minimum(at_least, at_most))
    return at_least if side == "greater" else at_most


def check_score(name: str, value: Any) -> float:
    """Return a score; raise ``ParameterError`` unless it is a number between 0 and 1."""
    score = as_float(value)
    if score is None or not 0 <= score <= 1:
        hint = f", did you mean {score / 100:g}?" if score and 1 < score <= 100 else ""
        raise ParameterError(f"{name} must be a number between 0 and 1; got {quote(value)}{hint}")
    return score


@dataclass(frozen=True)
class QueryChance:
    """The chance level of one query, and a system's score next to it."""

    query_id: Annotated[str, Column("key", "query")]
    #: documents that are ranked at random, ranks that are scored, relevant documents
    n_documents: Count
    depth: Count
    n_relevant: Count
    expected: float
    #: NaN for ERR, which has no formula for it
    standard_deviation: float
    #: this and all following fields are None without a system
    observed: float | None = None
    #: (observed - expected) / (1 - expected); NaN where every ranking scores 1
    corrected: float | None = None
    p_value: float | None = None


@dataclass(frozen=True, eq=False)
class ChanceLevel(Result):
    """The chance level of the mean over queries, and a system's mean next to it."""

    measure: Key
    #: None for a chance level without a system
    system: Annotated[str | None, Column("key")]
    #: which documents are ranked at random: ``"corpus"``, ``"judged"`` or ``"given"`` by number
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
    #: method of the p-value: ``"exact"`` or ``"monte-carlo"``
    method: str | None = None
    n_draws: int | None = None
    seed: int | None = None
    inputs: tuple[InputFile, ...] = field(default=(), repr=False)
    #: sentences about unusual inputs and comparisons
    warnings: Warnings = field(default=(), repr=False)


def describe_population(rows: Sequence[ChanceLevel]) -> str:
    """Return a line about which documents are ranked at random, and how deep."""
    first = rows[0]
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


def add_chance_columns(table: Table, levels: Sequence[ChanceLevel]) -> Table:
    """Return a table of systems' means with two more columns: chance level and corrected score."""
    by_key = {(level.measure, level.system): level for level in levels}
    rows = [by_key[record["measure"], record["system"]] for record in table.records]
    # the intervals determine the decimals of the means
    places = len(table.cells[0][table.headings.index("mean")].partition(".")[2])
    added = _format_cells(rows, ("chance", "corrected"), places)
    return replace(
        table,
        title=f"{table.title}, compared with a random ranking of {RANKED[rows[0].population]}",
        headings=(*table.headings, "chance", "corrected"),
        cells=tuple((*own, *more) for own, more in zip(table.cells, added, strict=True)),
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


def _format_cells(
    rows: Sequence[ChanceLevel | QueryChance], headings: Sequence[str], places: int = UNKNOWN
) -> list[list[str]]:
    """Return the cells under these headings; ``places`` are of scores.

    A column of chance levels has two digits of the smallest standard deviation, and at least four
    decimals.
    """
    spreads = decimals_of_column(row.standard_deviation for row in rows)
    chance_places = max(spreads, decimals_of_column(row.expected for row in rows), UNKNOWN)

    def format_cell(row: Any, heading: str) -> str:
        if heading in QUANTILES:
            value = row.distribution.quantile(QUANTILES[heading])
        else:
            value = getattr(row, FIELDS[heading])
        if value is None:
            return "-"
        if heading == "p":
            return small_p(value)
        return fixed(value, places if heading in SCORE_COLUMNS else chance_places)

    return [[format_cell(row, heading) for heading in headings] for row in rows]


def _number_table(rows: Sequence[ChanceLevel]) -> Table:
    """Return a row per measure: chance level, quantiles, and the observed score if there is one."""
    is_observed = rows[0].observed is not None
    quantiles = list(QUANTILES)[int(is_observed) :]
    names = ("chance", "sd", *quantiles, *(SCORE_COLUMNS if is_observed else ()))
    records = []
    for row in rows:
        assert row.distribution is not None  # of numbers of documents
        (query,) = row.queries
        record = make_record(row)
        for name in ("measure", "system", "population", "n"):
            del record[name]
        counts = {"n_documents": query.n_documents, "n_relevant": query.n_relevant}
        ends = {f"quantile_{q:g}": row.distribution.quantile(q) for q in QUANTILES.values()}
        records.append({"measure": row.measure, **counts, **record, **ends})
    return Table(
        title="scores of random rankings: mean, standard deviation and quantiles",
        headings=("measure", *names),
        cells=tuple((row.measure, *_format_cells([row], names)[0]) for row in rows),
        records=tuple(records),
        caption=_describe_method(rows),
        spare=("sd", "50 %", "99 %"),
    )


def _describe_method(rows: Sequence[ChanceLevel]) -> str:
    """Return what p means, and how it and quantiles were computed."""
    first = rows[0]
    p_means = "" if first.p_value is None else P_MEANS[first.alternative]
    methods: dict[str, list[str]] = {}
    for row in rows:
        if row.method is not None:
            words = describe_draws(row.n_draws, "draws", row.seed) or row.method
            methods.setdefault(words, []).append(row.measure)
    if len(methods) > 1:
        return join_caption(p_means, *(f"{', '.join(m)}: {words}" for words, m in methods.items()))
    return join_caption(p_means, *methods)


def _level_table(rows: Sequence[ChanceLevel], view: View) -> Table:
    """Return a row per system, best first, or without systems a row per measure."""
    first = rows[0]
    mean = f"mean over {pluralise_queries(first.n, view.queries)}"
    if first.system is None:
        names: tuple[str, ...] = ("chance", "sd of chance", "prevalence")
        title = f"chance levels of a random ranking of {RANKED[first.population]}: {mean}"
    else:
        names = ("score", "chance", "sd of chance", "corrected", "p")
        title = (
            f"{first.measure}: {mean}, compared with a random ranking of {RANKED[first.population]}"
        )
        rows = sorted(rows, key=lambda row: (-(row.observed or 0.0), row.system or ""))
    cells = zip(rows, _format_cells(rows, names), strict=True)
    return Table(
        title=title,
        headings=("measure" if first.system is None else "system", *names),
        cells=tuple((row.system or row.measure, *own) for row, own in cells),
        records=tuple(map(make_record, rows)),
        caption=_describe_method(rows),
        spare=("sd of chance",),
    )


def make_query_table(row: ChanceLevel) -> Table:
    """Return the chance level of each query, and the score of a system where there is one."""
    content = "chance level" if row.system is None else f"{row.system} compared with chance"
    names = ("chance", "sd of chance", *(SCORE_COLUMNS if row.system is not None else ()))
    cells = zip(row.queries, _format_cells(row.queries, names), strict=True)
    return Table(
        title=f"{row.measure} of each query: {content}",
        headings=("query", "documents", "depth", "relevant", *names),
        cells=tuple(
            (
                query.query_id,
                *(f"{n:,}" for n in (query.n_documents, query.depth, query.n_relevant)),
                *own,
            )
            for query, own in cells
        ),
        spare=("sd of chance", "depth", "documents"),
        records=tuple(
            {"measure": row.measure, "system": row.system, **make_record(query)}
            for query in row.queries
        ),
    )


def _tables(rows: Sequence[ChanceLevel], view: View) -> list[Table]:
    """Return tables of a collection, or of numbers of documents, which have quantiles."""
    if rows[0].population == "given":
        return [_number_table(rows)]
    parts = [rows] if rows[0].system is None else group_by_measure(rows)
    return [_level_table(part, view) for part in parts]


present(
    ChanceLevel,
    Presentation(
        "Chance level",
        tables=_tables,
        figures=("chance_plots:draw_chance_levels",),
        topics=lambda rows: ["chance-level", *(row.method for row in rows if row.method)],
    ),
)
