"""Coverage over realisations in a few numbers, each with its simulation noise.

Sums are realisation x quantity x method: samples with the truth below the interval, above it, and
without an interval, then the widths of the intervals that exist, and the squares of these.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..results import RecallCoverageRow

Floats = NDArray[np.float64]


def coverage_rows(
    name: str, methods: Sequence[str], sums: Floats, n: int, level: float
) -> tuple[RecallCoverageRow, ...]:
    """A row a method from sums over n samples of each realisation."""
    below, above, without = (sums[:, k] / n for k in range(3))
    coverage = np.maximum(1 - below - above - without, 0.0)  # rounding can leave crumbs below 0
    rmse, rmse_noise = _rmse(coverage - level)
    closest = closest_shares(coverage, level)
    rows = []
    for m, method in enumerate(methods):
        width, width_noise = _width(sums[:, :, m], n)
        rows.append(
            RecallCoverageRow(
                scenario=name,
                method=method,
                confidence_level=level,
                coverage=float(coverage[:, m].mean()),
                coverage_noise=_noise(coverage[:, m], n),
                rmse=float(rmse[m]),
                rmse_noise=float(rmse_noise[m]),
                below=float(below[:, m].mean()),
                above=float(above[:, m].mean()),
                without=float(without[:, m].mean()),
                width=width,
                width_noise=width_noise,
                closest=float(closest[m]),
            )
        )
    return tuple(rows)


def _rmse(errors: Floats) -> tuple[Floats, Floats]:
    """Root mean squared error, and its noise from realisations being a sample of the scenario."""
    squares = errors**2
    rmse = np.sqrt(squares.mean(axis=0))
    if len(errors) < 2:
        return rmse, np.full(errors.shape[1], np.nan)
    spread = squares.std(axis=0, ddof=1) / np.sqrt(len(errors))
    return rmse, np.divide(spread, 2 * rmse, out=np.zeros_like(rmse), where=rmse > 0)


def closest_shares(coverage: Floats, level: float) -> Floats:
    """Share of realisations in which a method is nearest the level (Figure 14), ties split."""
    distance = np.round(np.abs(coverage - level), 9)  # shares of samples tie exactly
    best = distance == distance.min(axis=1, keepdims=True)
    return np.asarray((best / best.sum(axis=1, keepdims=True)).mean(axis=0))


def _noise(shares: Floats, n_samples: int) -> float:
    """Of a mean over realisations; of the samples alone where there is one realisation."""
    if len(shares) > 1:
        return float(shares.std(ddof=1) / np.sqrt(len(shares)))
    return float(np.sqrt(shares[0] * (1 - shares[0]) / n_samples))


def _width(sums: Floats, n_samples: int) -> tuple[float, float]:
    """Mean over realisations of the mean width of intervals that exist, with its noise."""
    counts = n_samples - sums[:, 2]
    known = counts > 0
    if not known.any():
        return np.nan, np.nan
    means = sums[known, 3] / counts[known]
    if len(means) > 1:
        return float(means.mean()), float(means.std(ddof=1) / np.sqrt(len(means)))
    variance = max(sums[known, 4][0] / counts[known][0] - means[0] ** 2, 0.0)
    return float(means[0]), float(np.sqrt(variance / counts[known][0]))
