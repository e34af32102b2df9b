"""Systems by measures in one table, compared with the best or with a baseline."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..comparisons.differences import difference_interval
from ..interval.means import mean_interval
from ..parameters import Alternative, Progress
from ..results import Comparison, Estimate, Results
from ..results.estimates import best_first
from ..results.paper_table import PaperTable
from ..scores.score_input import as_score_table
from ..scores.score_table import ScoreTable


def paper_table(
    scores: Any,
    *,
    baseline: str | None = None,
    method: str | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 9999,
    rng: Any = 0,
    alternative: Alternative = "two-sided",
    bounds: tuple[float, float] | None = None,
    progress: Progress | None = None,
) -> PaperTable:
    """Return the means of systems by all measures in one table, as a paper prints it.

    Parameters
    ----------
    scores
        A ``ScoreTable`` (from ``score`` or ``read_scores``), or anything ``read_scores`` takes.
    baseline
        The system that the others are compared with. By default the best one by each measure.
    method, confidence_level, n_resamples, rng, alternative, bounds, progress
        As in ``mean_interval``.

    Returns
    -------
    PaperTable
        ``print`` shows it; ``to_latex``, ``to_markdown`` and ``to_html`` return it with the best
        mean of each measure in bold.

    Examples
    --------
    >>> import pandas as pd
    >>> old, new = [0.1, 0.4, 0.3, 0.0, 0.2], [0.3, 0.5, 0.3, 0.2, 0.5]
    >>> table = paper_table({"AP": pd.DataFrame({"old": old, "new": new})}, rng=1)
    >>> [row["verdict"] for row in table.records()]
    ['reference', 'not significantly different']
    """
    table = as_score_table(scores)
    estimates = mean_interval(
        table,
        method=method,
        confidence_level=confidence_level,
        n_resamples=n_resamples,
        rng=rng,
        alternative=alternative,
        bounds=bounds,
        progress=progress,
    )
    seed = estimates[0].seed if rng is None else rng
    comparisons = compare_with_best(
        table, estimates, baseline, confidence_level=confidence_level, rng=seed, progress=progress
    )
    return PaperTable(tuple(estimates), tuple(comparisons), baseline)


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
