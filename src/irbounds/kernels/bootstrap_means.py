"""Statistics of bootstrap means: odds, and counts below the mean."""

from __future__ import annotations

import numpy as np

from .jit import jit

LANES = 64  # sums of a row that are added up side by side


@jit
def compute_odds(
    rows: np.ndarray, low: float, high: float, rounding: float, odds: np.ndarray
) -> None:
    """Write the odds of each element between two bounds; NaN where it is at a bound."""
    least = rounding * (high - low)
    for r in range(rows.shape[0]):
        for i in range(rows.shape[1]):
            above, below = rows[r, i] - low, high - rows[r, i]
            is_at_bound = (above < least) | (below < least)
            odds[r, i] = np.nan if is_at_bound else np.divide(above, below)


@jit
def fit_normal(
    rows: np.ndarray, means: np.ndarray, deviations: np.ndarray, n_missing: np.ndarray
) -> None:
    """Write the mean and the standard deviation (maximum likelihood) of the elements of each row.

    NaN are left out, and counted. Sums are added up in lanes, which a processor adds at once.
    """
    n = rows.shape[1]
    n_blocks = n // LANES
    sums = np.empty(LANES)
    for r in range(rows.shape[0]):
        blocks = rows[r, : n_blocks * LANES].reshape(n_blocks, LANES)
        rest = rows[r, n_blocks * LANES :]
        missing = 0
        for i in range(n):
            missing += np.isnan(rows[r, i])
        sums[:] = 0.0
        for b in range(n_blocks):
            for k in range(LANES):
                sums[k] += 0.0 if np.isnan(blocks[b, k]) else blocks[b, k]
        for k in range(rest.size):
            sums[k] += 0.0 if np.isnan(rest[k]) else rest[k]
        mean = np.divide(sums.sum(), n - missing)
        sums[:] = 0.0
        for b in range(n_blocks):
            for k in range(LANES):
                deviation = blocks[b, k] - mean
                sums[k] += 0.0 if np.isnan(deviation) else deviation * deviation
        for k in range(rest.size):
            deviation = rest[k] - mean
            sums[k] += 0.0 if np.isnan(deviation) else deviation * deviation
        means[r], n_missing[r] = mean, missing
        deviations[r] = np.sqrt(np.divide(sums.sum(), n - missing))


@jit
def count_below(rows: np.ndarray, centres: np.ndarray, counts: np.ndarray) -> None:
    """Write twice the number of elements of each row below its centre; a tie counts half."""
    for r in range(rows.shape[0]):
        n = 0
        for i in range(rows.shape[1]):
            n += (rows[r, i] < centres[r]) + np.intp(rows[r, i] <= centres[r])
        counts[r] = n
