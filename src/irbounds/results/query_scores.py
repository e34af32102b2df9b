"""Scores of single queries: all of them, or each query's range over the systems.

A ``ScoreTable`` is made where runs are scored; its presentation is defined here.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, median
from typing import Any, Protocol

from ..presentation.phrases import pluralise
from ..presentation.registry import Presentation, View
from ..presentation.rounding import UNKNOWN, fixed
from ..presentation.table import Table

MIN_QUERIES = 3  # fewer have no hardest query


class QueryScores(Protocol):
    """The attributes of a ``ScoreTable`` that are shown."""

    @property
    def measures(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def systems(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def queries(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def values(self) -> Any: ...  # noqa: D102


def score_records(table: QueryScores) -> list[dict[str, Any]]:
    """Return one record per measure, query and system."""
    return [
        {"query_id": query, "system": system, "measure": measure, "value": float(values[s, q])}
        for measure, values in zip(table.measures, table.values, strict=True)
        for q, query in enumerate(table.queries)
        for s, system in enumerate(table.systems)
    ]


def _tables(tables: Sequence[QueryScores], view: View) -> list[Table]:
    """Return one table per measure: queries by systems."""
    places = UNKNOWN if view.digits is None else view.digits
    made = []
    for table in tables:
        records = score_records(table)
        n_each = len(records) // len(table.measures)
        for m, (measure, values) in enumerate(zip(table.measures, table.values, strict=True)):
            cells = [
                (query, *(fixed(float(value), places) for value in values[:, q]))
                for q, query in enumerate(table.queries)
            ]
            made.append(
                Table(
                    title=f"{measure} of each query",
                    headings=("query", *table.systems),
                    cells=tuple(cells),
                    records=tuple(records[m * n_each : (m + 1) * n_each]),
                    spare=tuple(reversed(table.systems[1:])),
                )
            )
    return made


SCORES = Presentation(
    "Scores by query",
    tables=_tables,
    figures=("score_plots:draw_scores",),
    topics=lambda tables: ["score-table"],
    is_single=True,
)


def query_range_tables(table: QueryScores, digits: int | None = None) -> list[Table]:
    """Return one table per measure: each query's scores over all systems, hardest first."""
    places = UNKNOWN if digits is None else digits
    columns = ("mean", "lowest", "median", "highest")
    systems = pluralise(len(table.systems), "system")
    return [
        Table(
            title=f"{measure} of each query over {systems}, hardest query first",
            headings=("query", *columns, "systems at 0"),
            cells=tuple(
                (row["query_id"], *(fixed(row[key], places) for key in columns), str(row["n_zero"]))
                for row in rows
            ),
            records=tuple(rows),
        )
        for measure in table.measures
        for rows in [_ranges(table, measure)]
    ]


def query_sentences(table: QueryScores) -> list[str]:
    """Return one sentence per measure: the hardest and the easiest query with their means."""
    if len(table.queries) < MIN_QUERIES:
        return []
    return [_sentence(measure, _ranges(table, measure)) for measure in table.measures]


def _ranges(table: QueryScores, measure: str) -> list[dict[str, Any]]:
    """Return the records of the queries, lowest mean first."""
    by_query = table.values[table.measures.index(measure)].T.tolist()
    rows = [
        {
            "measure": measure,
            "query_id": query,
            "mean": fmean(scores),
            "lowest": min(scores),
            "median": median(scores),
            "highest": max(scores),
            "n_zero": sum(score == 0 for score in scores),
            "n_systems": len(scores),
        }
        for query, scores in zip(table.queries, by_query, strict=True)
    ]
    return sorted(rows, key=lambda row: (row["mean"], row["query_id"]))


def _sentence(measure: str, rows: Sequence[dict[str, Any]]) -> str:
    hardest, easiest = rows[0], rows[-1]
    nobody = sum(row["highest"] == 0 for row in rows)
    none = f"; on {nobody:,} of {len(rows):,} queries every system scores 0" if nobody else ""
    return (
        f"{measure}: the hardest query is {hardest['query_id']}, where systems score "
        f"{fixed(hardest['mean'], UNKNOWN)} on average, the easiest {easiest['query_id']} with "
        f"{fixed(easiest['mean'], UNKNOWN)}{none}."
    )
