"""Posterior limits of recall for many samples of one design at once.

A study needs millions of intervals where a person needs one. Two things make that cheap. Samples of
one design share their segments' sizes, so the yield of a segment depends on the number of relevant
documents in its sample alone: each distinct number is tabulated once, whatever it is paired with.
And the tables are coarse, with a hundred or two cells: cells are even on the scale on which the
posterior is nearly normal, so that 128 of them move a limit by some 0.00004 and 256 by a quarter of
that; by 0.0005 at most, in all that was tried, where neither sample holds anything relevant and
nearly every recall is possible. Where a range has no more counts than cells nothing is lost at all.

Unstratified samples only. One interval, stratified or exact to the last digit, is
``recall/posterior.py``'s.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

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
MOST_CELLS = 256
TOLERANCE = 1e-6
BLOCK = 4096  # samples whose tables are in memory together


@dataclass(frozen=True, eq=False)
class ManyLimits:
    """What the posterior of recall says after each sample; axes are the samples'."""

    #: probability of recall up to the truth, and below it
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
    most_cells: int = MOST_CELLS,
    tolerance: float = TOLERANCE,
) -> ManyLimits:
    """Quantiles of recall for samples without strata; without priors, by the beta posterior.

    NaN where it is certain that nothing is relevant, and for a truth that is not given.
    """
    assert counts.is_simple
    inside = int(np.flatnonzero(counts.retrieved)[0])
    outside = 1 - inside
    shape = counts.relevant.shape[:-1]
    samples = counts.relevant.reshape(-1, 2)
    wanted = np.asarray(probabilities, dtype=np.float64)
    at_most, below = np.empty(len(samples)), np.empty(len(samples))
    limits = np.empty((len(samples), len(wanted)))
    for start in range(0, len(samples), BLOCK):
        part = slice(start, start + BLOCK)
        first, places = _tables(counts, inside, samples[part], _prior(priors, 0), most_cells)
        second, others = _tables(counts, outside, samples[part], _prior(priors, 1), most_cells)
        pairs = np.stack((places, others), axis=-1)
        results = at_most[part], below[part], limits[part]
        _find_limits(first, second, pairs, truth, wanted, tolerance, results)
    if np.isnan(truth):
        at_most[:] = below[:] = np.nan
    return ManyLimits(
        at_most.reshape(shape), below.reshape(shape), limits.reshape(*shape, len(wanted))
    )


def _prior(priors: SegmentPriors | None, segment: int) -> tuple[float, float] | None:
    return None if priors is None else priors[segment]


def _tables(
    counts: Counts,
    stratum: int,
    samples: Floats,
    prior: tuple[float, float] | None,
    most_cells: int,
) -> tuple[YieldTables, Integers]:
    """A table for each distinct number of relevant documents, and which one each sample takes."""
    from ._kernels import empty_tables, tabulate_beta, tabulate_beta_binomial

    relevant, places = np.unique(samples[:, stratum], return_inverse=True)
    sampled = float(counts.sampled[stratum])
    left = round(float(counts.population[stratum]) - sampled)
    tables = empty_tables(len(relevant), most_cells)
    tabulate = tabulate_beta if prior is None else tabulate_beta_binomial
    tabulate(left, sampled, relevant, *(prior or JEFFREYS), tables)
    return tables, np.asarray(places, dtype=np.int64).ravel()


def _find_limits(
    first: YieldTables,
    second: YieldTables,
    pairs: Integers,
    truth: float,
    wanted: Floats,
    tolerance: float,
    results: tuple[Any, Any, Any],
) -> None:
    from ._kernels import find_limits

    find_limits(first, second, pairs, truth, wanted, tolerance, *results)
