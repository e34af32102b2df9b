"""How precise the measures are: standard deviations over images, summed up (Tables 3 and 4).

The paper writes mu +- sigma: the mean and the standard deviation, over many cells, of the standard
deviation over images that each cell has. A cell is a system's score on a query, or the difference
of two systems' scores on a query. A small mean says that the measure is precise; a small sigma,
beside its mean, that it is so evenly, on one query as on another.

Measures have units of their own: a precision of ten documents moves in steps of 0.1, and scores of
one measure may lie closer together than those of another. A standard deviation half as large is
worth nothing where the differences are half as large too.

The standard deviations of all pairs on a query come from one matrix product: the variance of a
difference is the two variances less twice the covariance.
"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..kernels.weighing import multiply_rows
from ..parallel.execution import current_execution
from ..parallel.threads import map_in_threads
from ..results import MeasurePrecision, Results, SpreadSummary

if TYPE_CHECKING:
    from .bootstrap import CorpusBootstrap

Floats = NDArray[np.float64]


def measure_precision(images: CorpusBootstrap) -> Results[MeasurePrecision]:
    """Every measure, over all systems and queries, and over all pairs of systems and queries.

    Scores are of all images, differences of those that are kept. ``n_images`` is what the whole row
    rests on: the images kept, where there are differences.
    """
    several = len(images.systems) > 1
    return Results(
        MeasurePrecision(
            measure=measure,
            scores=_spread(images.query_deviations[m]),
            differences=_spread_of_differences(images.scores[m]) if several else None,
            system=None,
            n_systems=len(images.systems),
            n_queries=len(images.queries),
            n_images=images.n_kept if several else images.n_images,
        )
        for m, measure in enumerate(images.measures)
    )


def system_precision(images: CorpusBootstrap) -> Results[MeasurePrecision]:
    """Every measure and system, over queries."""
    return Results(
        MeasurePrecision(
            measure=measure,
            scores=_spread(images.query_deviations[m, s]),
            differences=None,
            system=system,
            n_systems=1,
            n_queries=len(images.queries),
            n_images=images.n_images,
        )
        for m, measure in enumerate(images.measures)
        for s, system in enumerate(images.systems)
    )


def _spread(deviations: Floats) -> SpreadSummary:
    """Mean and standard deviation; of one number alone, the latter is NaN."""
    spread = float(deviations.std(ddof=1)) if deviations.size > 1 else math.nan
    return SpreadSummary(float(deviations.mean()), spread)


def _spread_of_differences(scores: NDArray[np.floating]) -> SpreadSummary:
    """Over all pairs of systems and queries, a query at a time: scores are system x query x image.

    Every query has as many pairs, so the mean is the mean of its means, and the sum of squares is
    that within queries and that between them.
    """
    n_systems, n_queries, _ = scores.shape
    n_pairs = n_systems * (n_systems - 1) // 2
    found = map_in_threads(
        partial(_of_query, scores), range(n_queries), current_execution().n_threads
    )
    means, within = np.array(list(found)).T
    between = n_pairs * ((means - means.mean()) ** 2).sum()
    freedom = n_pairs * n_queries - 1
    spread = math.sqrt((within.sum() + between) / freedom) if freedom else math.nan
    return SpreadSummary(float(means.mean()), spread)


def _of_query(scores: NDArray[np.floating], q: int) -> tuple[float, float]:
    """The mean of all pairs' standard deviations, and the sum of squares around it."""
    deviations = _deviations_of_pairs(np.asarray(scores[:, q], np.float64))
    mean = float(deviations.mean())
    return mean, float(((deviations - mean) ** 2).sum())


def _deviations_of_pairs(scores: Floats) -> Floats:
    """Standard deviation over images of the difference of every two systems on one query."""
    centred = scores - scores.mean(axis=1, keepdims=True)
    centred -= centred.mean(axis=0)  # the same differences, and less to lose to rounding
    products = multiply_rows(centred)
    squares = np.diag(products)
    above, below = np.triu_indices(len(scores), 1)
    sums = squares[above] + squares[below] - 2 * products[above, below]
    variances = np.maximum(sums, 0.0) / (scores.shape[1] - 1)  # rounding can go below 0
    return np.asarray(np.sqrt(variances))
