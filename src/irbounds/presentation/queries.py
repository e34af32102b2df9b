"""Scores query by query, where a table of all of them would be too long to read."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, median
from typing import Any

from .rounding import UNKNOWN, fixed
from .tables import Table
from .words import counted

__all__ = ["query_range_tables", "query_sentences", "score_rows"]

FEWEST = 3  # queries of which one can be called the hardest


def score_rows(table: Any, measure: str) -> list[tuple[str, str, float]]:
    """System, query and score, for a figure; ``table`` is a ScoreTable."""
    values = table.values[table.measures.index(measure)].tolist()
    return [
        (system, query, score)
        for system, scores in zip(table.systems, values, strict=True)
        for query, score in zip(table.queries, scores, strict=True)
    ]


def query_range_tables(table: Any, digits: int | None = None) -> list[Table]:
    """One table a measure: each query's scores over all systems, hardest first."""
    return [_table(table, measure, digits) for measure in table.measures]


def query_sentences(table: Any) -> list[str]:
    """One sentence a measure: which queries are hardest and easiest, and how far they lie apart."""
    if len(table.queries) < FEWEST:
        return []
    return [_sentence(measure, _ranges(table, measure)) for measure in table.measures]


def _ranges(table: Any, measure: str) -> list[dict[str, Any]]:
    """Lowest mean first."""
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


def _table(table: Any, measure: str, digits: int | None) -> Table:
    rows = _ranges(table, measure)
    places = UNKNOWN if digits is None else digits
    columns = ("mean", "lowest", "median", "highest")
    systems = counted(len(table.systems), "system")
    return Table(
        title=f"{measure} of each query over {systems}, hardest query first",
        headings=("query", *columns, "systems at 0"),
        cells=tuple(
            (row["query_id"], *(fixed(row[key], places) for key in columns), f"{row['n_zero']:,}")
            for row in rows
        ),
        records=tuple(rows),
    )


def _sentence(measure: str, rows: Sequence[dict[str, Any]]) -> str:
    hardest, easiest = rows[0], rows[-1]
    nobody = sum(row["highest"] == 0 for row in rows)
    none = f"; on {nobody:,} of {len(rows):,} queries every system scores 0" if nobody else ""
    return (
        f"{measure}: the hardest query is {hardest['query_id']}, where systems score "
        f"{fixed(hardest['mean'], UNKNOWN)} on average, the easiest {easiest['query_id']} with "
        f"{fixed(easiest['mean'], UNKNOWN)}{none}."
    )
