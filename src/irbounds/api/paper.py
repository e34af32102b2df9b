"""Every system compared with the best one by each measure, or with a baseline."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..comparisons.differences import difference_interval
from ..results import Comparison, Estimate, Results
from ..results.evaluation import best_first
from ..scores.score_table import ScoreTable


def compare_with_best(
    table: ScoreTable, estimates: Sequence[Estimate], baseline: str | None = None, **options: Any
) -> Results[Comparison]:
    """Return the differences of all systems from the baseline, or by each measure from the best."""
    if len(table.systems) < 2:
        return Results()
    if baseline is not None:
        return difference_interval(table, baseline=baseline, **options)
    found: list[Comparison] = []
    for measure in table.measures:
        best = min((one for one in estimates if one.measure == measure), key=best_first)
        found += difference_interval(table.select([measure]), baseline=best.system, **options)
    return Results(found)
