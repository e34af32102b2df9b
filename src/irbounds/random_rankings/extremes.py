"""The lowest and the highest score that any ranking can have.

The best ranking has the documents of the highest grades first, the worst has them last: both are
laid out as runs and scored by the measure's own formula.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ..errors import DegenerateSampleWarning
from ..results.chance_levels import unreachable
from ..scores.measures import Measure
from ..scores.packed_runs import JudgedRun
from .chance_measures import measure_called
from .drawn_runs import Drawing, DrawnPool, cut_at, drawing_of, laid_out
from .populations import Population, population_of
from .random_rankings import reach_of

MOST = 1 << 20  # relevant documents that are laid out: a tenth of a second


def score_range(
    n_documents: Any = None, n_relevant: Any = None, measure: Any = "AP", *, y_true: Any = None
) -> tuple[float, float]:
    """Return the minimum and the maximum score of any ranking.

    Parameters
    ----------
    n_documents, n_relevant, measure, y_true
        As for ``expected_score``. With arrays, the range is that of the mean over queries.

    Returns
    -------
    tuple of float
        The minimum and the maximum; 0 and 1 where there are over a million relevant documents.

    Examples
    --------
    >>> from irbounds.random_rankings import score_range
    >>> score_range(10, 3, "P@5")
    (0.0, 0.6)
    """
    chosen = measure_called(measure)
    return extremes(chosen, population_of(n_documents, n_relevant, y_true))


def extremes(measure: Measure, population: Population) -> tuple[float, float]:
    """The lowest and the highest score, or mean over queries.

    0 and 1, which always hold, where there are too many relevant documents to lay out.
    """
    drawing = drawing_of(population, reach_of(measure))
    in_sight = np.minimum(drawing.relevant, drawing.depth)
    ideal = np.minimum(drawing.judged.sum(axis=0), drawing.reach)
    if max(in_sight.sum(dtype=float), ideal.sum()) > MOST:
        return 0.0, 1.0
    assert measure.formula is not None  # as ``reach_of`` saw
    low, high = measure.formula(_worst(drawing)), measure.formula(_best(drawing))
    return float(low.mean()), float(high.mean())


def check_reachable(measure: Measure, population: Population, observed: float) -> None:
    """Warn of a score, or mean over queries, that no ranking of these documents can have."""
    said = unreachable(measure.name, observed, *extremes(measure, population))
    if said:
        warnings.warn(said, DegenerateSampleWarning, stacklevel=3)


def _best(drawing: Drawing) -> JudgedRun:
    """Highest grades first, down to where the lists end."""
    sizes = cut_at(drawing.counts[::-1], drawing.depth)
    cell, number, grade = laid_out(drawing.grades[::-1], sizes)
    return JudgedRun(DrawnPool(drawing, 1), cell, number, grade, drawing.depth)


def _worst(drawing: Drawing) -> JudgedRun:
    """Everything that is not relevant first, then the lowest grades."""
    others = drawing.n_documents - drawing.relevant
    sizes = cut_at(drawing.counts, np.maximum(drawing.depth - others, 0))
    cell, number, grade = laid_out(drawing.grades, sizes)
    return JudgedRun(DrawnPool(drawing, 1), cell, others[cell] + number, grade, drawing.depth)
