"""Posterior limits of recall for many samples of one design, vectorised.

A study needs millions of intervals. Two things make them cheap. Samples of one design have the same
segment sizes, so the yield of a segment depends only on the number of relevant documents in its
sample: each distinct number is tabulated once, whatever the number of the other segment is. And the
tables are coarse, with a hundred or two cells. Cells are even on the scale on which the posterior
is nearly normal, so that 128 of them move a limit by about 0.00004 and 256 by a quarter of that.
The maximum in all that was tried is 0.0005, where neither sample contains a relevant document and
nearly every recall is possible. Where a range has no more counts than cells, the limits are exact.

For samples without strata only. ``posterior.py`` computes single intervals, with strata and to the
last digit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .counts import Counts

if TYPE_CHECKING:  # numba loads only when something is tabulated
    from ._kernels import YieldTables

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
#: alpha and beta for the retrieved segment, and for the unretrieved one
SegmentPriors = tuple[tuple[float, float], tuple[float, float]]

JEFFREYS = (0.5, 0.5)
MAX_CELLS = 256
TOLERANCE = 1e-6
BLOCK = 4096  # samples whose tables are in memory at the same time


@dataclass(frozen=True, eq=False)
class VectorisedLimits:
    """Probabilities and quantiles of recall for each sample; the axes are those of the samples."""

    #: the probability that recall is at most the truth, and that it is below
    at_most: Floats
    below: Floats
    #: quantiles, with the probabilities on the last axis
    limits: Floats


def posterior_limits(
    counts: Counts,
    priors: SegmentPriors | None,
    probabilities: Sequence[float],
    truth: float = np.nan,
    *,
    max_cells: int = MAX_CELLS,
    tolerance: float = TOLERANCE,
) -> VectorisedLimits:
    """Return quantiles of recall for samples without strata; without priors, beta-jeffreys.

    They are NaN where it is certain that nothing is relevant. The probabilities are NaN without a
    truth.
    """
    from ._kernels import find_limits

    assert counts.is_simple
    inside = int(np.flatnonzero(counts.retrieved)[0])
    outside = 1 - inside
    shape = counts.relevant.shape[:-1]
    samples = counts.relevant.reshape(-1, 2)
    quantiles = np.asarray(probabilities, dtype=np.float64)
    at_most, below = np.empty(len(samples)), np.empty(len(samples))
    limits = np.empty((len(samples), len(quantiles)))
    for start in range(0, len(samples), BLOCK):
        part = slice(start, start + BLOCK)
        prior, other_prior = (None, None) if priors is None else priors
        first, places = _tabulate(counts, inside, samples[part], prior, max_cells)
        second, others = _tabulate(counts, outside, samples[part], other_prior, max_cells)
        pairs = np.stack((places, others), axis=-1)
        results = at_most[part], below[part], limits[part]
        find_limits(first, second, pairs, truth, quantiles, tolerance, *results)
    if np.isnan(truth):
        at_most[:] = below[:] = np.nan
    return VectorisedLimits(
        at_most.reshape(shape), below.reshape(shape), limits.reshape(*shape, len(quantiles))
    )


def _tabulate(
    counts: Counts,
    stratum: int,
    samples: Floats,
    prior: tuple[float, float] | None,
    max_cells: int,
) -> tuple[YieldTables, Integers]:
    """Return a table per distinct number of relevant documents, and the table of each sample."""
    from ._kernels import empty_tables, tabulate_beta, tabulate_beta_binomial

    relevant, places = np.unique(samples[:, stratum], return_inverse=True)
    sampled = float(counts.sampled[stratum])
    left = round(float(counts.population[stratum]) - sampled)
    tables = empty_tables(len(relevant), max_cells)
    tabulate = tabulate_beta if prior is None else tabulate_beta_binomial
    tabulate(left, sampled, relevant, *(prior or JEFFREYS), tables)
    return tables, np.asarray(places, dtype=np.int64).ravel()
