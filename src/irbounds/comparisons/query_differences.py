"""The differences of each pair query by query, and how many queries decide the comparison."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..presentation.rounding import error_level
from ..results import Comparison, QueryDifference, Results
from ..scores.score_table import ScoreTable
from .adjustments import ADJUSTMENTS
from .pairs import Floats, pair_systems
from .tests_of_difference import t_p_values


def list_query_differences(
    table: ScoreTable, baseline: str | None, comparisons: Sequence[Comparison]
) -> Results[QueryDifference]:
    """Return the queries of every pair, the largest difference first.

    ``comparisons`` are those of ``difference_interval`` for this table and baseline, with test t.
    """
    rows: list[QueryDifference] = []
    n = len(comparisons) // len(table.measures)
    for m, pairs in enumerate(pair_systems(table, baseline)):
        family = comparisons[m * n : (m + 1) * n]
        differences = pairs.differences(slice(None))
        for k in np.argsort([-comparison.value for comparison in family], kind="stable").tolist():
            comparison = family[k]
            order = np.argsort(-np.abs(differences[k]), kind="stable")
            n_to_turn = _count_to_turn(differences[:, order], k, comparison)
            rows += [
                QueryDifference(
                    measure=comparison.measure,
                    system=comparison.system,
                    baseline=comparison.baseline,
                    query_id=table.queries[q],
                    system_score=float(pairs.scores[pairs.first[k], q]),
                    baseline_score=float(pairs.scores[pairs.second[k], q]),
                    value=float(differences[k, q]),
                    n_to_turn_decision=n_to_turn,
                    comparison=comparison,
                )
                for q in order
            ]
    return Results(rows)


def _count_to_turn(differences: Floats, place: int, comparison: Comparison) -> int | None:
    """Return how many queries, taken away from the first on, turn the decision of a pair.

    ``differences`` (pair x query) are those of all pairs that are adjusted together: they are
    tested again on the other queries. None if half of the queries do not turn it.
    """
    if np.isnan(comparison.adjusted_p_value):
        return None
    level = error_level(comparison.interval.confidence_level)
    for n_removed in range(1, differences.shape[1] // 2 + 1):
        others = differences[:, n_removed:]
        own = t_p_values(others[place : place + 1], comparison.alternative)[0]
        is_significant = bool(own <= level)
        if is_significant and own * len(others) > level:  # the adjustment decides
            p = t_p_values(others, comparison.alternative)
            is_significant = bool(ADJUSTMENTS[comparison.adjustment](p)[place] <= level)
        if is_significant != comparison.is_significant:
            return n_removed
    return None
