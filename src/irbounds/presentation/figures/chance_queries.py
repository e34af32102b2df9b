"""Single queries and chance: what it scores on each, and the system beside it."""

from __future__ import annotations

from collections.abc import Sequence

from ...results import QueryBaseline
from .dots import Dot, dots
from .style import Figure

__all__ = ["chance_of_queries"]


def chance_of_queries(rows: Sequence[QueryBaseline]) -> Figure:
    """What chance scores on each query, and the system's score where there is one."""
    found = [
        Dot(
            row.query_id,
            row.expected,
            max(row.expected - row.standard_deviation, 0.0),
            row.expected + row.standard_deviation,
            series="chance",
        )
        for row in rows
    ]
    found += [
        Dot(row.query_id, row.observed, series="system") for row in rows if row.observed is not None
    ]
    return dots(
        found,
        axis="score",
        name="chance-by-query",
        title="What chance scores on each query",
        reach="one standard deviation of chance to either side",
    )
