"""Compiled loops of simulations of coverage."""

from __future__ import annotations

import numpy as np

from ..kernels.bootstrap_means import SMALLEST_SPREAD, compute_odds, count_below
from ..kernels.jit import jit
from ..kernels.order_statistics import keep_ends
from ..kernels.weighted_sums import add_weighted

TILE = 16  # samples whose bootstrap means and errors fit in the second-level cache


@jit
def divide_sums(
    sums: np.ndarray, squares: np.ndarray, n: int, centres: np.ndarray, scales: np.ndarray
) -> None:
    """Write means in place of ``sums`` (sample x resample), studentised ratios in ``squares``.

    ``squares`` are sums over n squared deviations from the centre of the row, in units of its
    scale. A mean at the centre without spread has the ratio 0.
    """
    size, inverse = float(n), 1 / n
    for s in range(sums.shape[0]):
        centre, unit = centres[s], 1 / scales[s]
        root = np.sqrt(max(n - 1, 1))
        for r in range(sums.shape[1]):
            mean = np.divide(sums[s, r], size)
            deviation = (mean - centre) * unit
            square, shift = squares[s, r] * inverse, deviation * deviation
            variance = square - shift
            variance = 0.0 if variance < SMALLEST_SPREAD * (square + shift) else variance
            ratio = np.divide(deviation * root, np.sqrt(variance))
            sums[s, r] = mean
            squares[s, r] = 0.0 if np.isnan(ratio) else ratio


@jit
def bootstrap_samples(
    counts: np.ndarray,
    scores: np.ndarray,
    squares: np.ndarray,
    means: np.ndarray,
    scales: np.ndarray,
    bounds: tuple[float, float, float],
    n_needed: int,
    n_wanted: int,
    mean_ends: np.ndarray,
    n_mean_ends: np.ndarray,
    ratio_ends: np.ndarray,
    n_ratio_ends: np.ndarray,
    n_below: np.ndarray,
    odds: np.ndarray,
) -> None:
    """Bootstrap samples, and write only what interval methods need of each.

    ``counts`` is query x resample, ``scores`` sample x query. ``squares`` are their squared
    deviations in units of the scale of the sample, or empty if no ratios are needed. ``means`` and
    ``scales`` are those of the samples. ``bounds`` are those of the scores, and the rounding error
    at them. Of the bootstrap means, and of the ratios of their deviations to their standard errors,
    both ends are kept (see ``kernels.order_statistics``). The odds are those of the bootstrap
    means, unless ``odds`` is empty.
    """
    n, n_resamples = counts.shape
    n_samples = means.size
    has_errors = squares.size > 0
    low, high, rounding = bounds
    for begin in range(0, n_samples, TILE):
        end = min(begin + TILE, n_samples)
        size = end - begin
        centres = means[begin:end]
        tile = np.empty((n, 2 * size if has_errors else size))
        tile[:, :size] = scores[begin:end].T
        if has_errors:
            tile[:, size:] = squares[begin:end].T
        sums = np.zeros((tile.shape[1], n_resamples))
        add_weighted(counts, tile, sums)
        resampled, ratios = sums[:size], sums[size:]
        if has_errors:
            divide_sums(resampled, ratios, n, centres, scales[begin:end])
        else:
            resampled /= n
        count_below(resampled, centres, n_below[begin:end])
        keep_ends(resampled, n_needed, n_wanted, mean_ends[begin:end], n_mean_ends[begin:end])
        if odds.size:
            compute_odds(resampled, low, high, rounding, odds[begin:end])
        if has_errors:
            keep_ends(ratios, n_needed, n_wanted, ratio_ends[begin:end], n_ratio_ends[begin:end])
