"""The differences of a pair of systems query by query."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated

from ..presentation.column_roles import Column, Key
from ..presentation.phrases import half_width, pluralise_queries
from ..presentation.registry import Presentation, View, present
from ..presentation.rounding import decimals_of_column, with_sign
from ..presentation.table import Table
from .comparisons import Comparison, level_words
from .result import Result


@dataclass(frozen=True, eq=False)
class QueryDifference(Result):
    """The difference of two systems on one query."""

    measure: Key
    system: Key
    baseline: Annotated[str, Column("key", "minus")]
    query_id: Annotated[str, Column("key", "query")]
    system_score: float
    baseline_score: float
    #: system - baseline on this query
    value: Annotated[float, Column("change", name="difference")]
    #: how many queries of the pair, taken away from the largest difference on, turn the decision;
    #: None if half of them do not
    n_to_turn_decision: int | None
    #: the comparison that it belongs to
    comparison: Comparison = field(repr=False)


def _places(rows: Sequence[QueryDifference]) -> int:
    comparison = rows[0].comparison
    return decimals_of_column([half_width(comparison.value, comparison.interval)])


def _title(rows: Sequence[QueryDifference], view: View) -> str:
    comparison = rows[0].comparison
    return (
        f"{comparison.measure}: queries of {comparison.system} minus {comparison.baseline}, mean "
        f"difference {with_sign(comparison.value, _places(rows))} over "
        f"{pluralise_queries(comparison.n, view.queries)}"
    )


_ROWS = Presentation(
    "Differences per query",
    columns=("query_id", "system_score", "baseline_score", "difference"),
    title=_title,
    places=_places,
    bar=lambda row: None,
    group=lambda row: (row.measure, row.system, row.baseline),
    max_rows=10,
)


def _tables(rows: Sequence[QueryDifference], view: View) -> list[Table]:
    """Return one table per pair, with the names of the systems above their scores."""
    return [
        replace(
            table,
            headings=(
                "query",
                table.records[0]["system"],
                table.records[0]["baseline"],
                "difference",
            ),
        )
        for table in _ROWS.make_tables(rows, replace(view, ties=""))
    ]


def _sentences(rows: Sequence[QueryDifference], view: View) -> list[str]:
    firsts = {(row.measure, row.system, row.baseline): row for row in reversed(rows)}
    return [_sentence(row) for row in reversed(firsts.values())]


def _sentence(row: QueryDifference) -> str:
    comparison, n = row.comparison, row.n_to_turn_decision
    pair = f"{row.measure}, {row.system} minus {row.baseline}"
    if math.isnan(comparison.adjusted_p_value):
        return f"{pair}: there is no test."
    now, other = "significant", "not significant"
    if not comparison.is_significant:
        now, other = other, now
    turn = "taking away the half with the largest differences does not turn this"
    if n is not None:
        largest = "the largest difference" if n == 1 else f"the {n:,} largest differences"
        turn = f"without {largest} it is {other}"
    return f"{pair}: the difference is {now} ({level_words(comparison)}); {turn}."


present(
    QueryDifference,
    Presentation(
        "Differences per query",
        tables=_tables,
        sentences=_sentences,
        topics=lambda rows: ["query-differences", "t", rows[0].comparison.adjustment],
    ),
)
