"""Enumerate the coverage of exact limits of recall, in all designs of up to N documents.

``python -m benchmarks.exact_coverage [--documents 40] [--level 0.95]`` prints the lowest coverage
of lower and upper limits over all designs with both segments sampled and all yields. It computes
the limits of a design for all samples at once, by matrix products, independently of
``irbounds.samples.exact``, which tests compare with the same definition
(tests/samples/test_buehler.py). 40 documents take some 500 s per side on one core.
"""

from __future__ import annotations

import argparse
import math
import time

import numpy as np
from scipy import special, stats

ADDED, EXCLUDED, SLACK, ROUNDING = 0.5, 0.01, 1e-9, 1e-12


def masses(N: int, n: int) -> np.ndarray:
    """Return the probabilities of counts (columns) for every yield (rows)."""
    return stats.hypergeom.pmf(np.arange(n + 1)[None, :], N, np.arange(N + 1)[:, None], n)


def heights(N1: int, n1: int, N0: int, n0: int, side: str) -> np.ndarray:
    """Return how much every sample speaks for a high (low) recall."""
    cumulants = []
    for N, n in ((N1, n1), (N0, n0)):
        a, b, unread = np.arange(n + 1) + ADDED, n + 2 * ADDED, 1 - n / N
        parts = [
            unread**order * (special.polygamma(order, a) - special.polygamma(order, b))
            for order in range(3)
        ]
        parts[0] = parts[0] + math.log(N)
        cumulants.append(parts)
    mean, variance, third = (
        ours[:, None] + (-1) ** (order + 1) * theirs
        for order, (ours, theirs) in enumerate(zip(*cumulants, strict=True))
    )
    z = stats.norm.ppf(0.95)
    sign = 1 if side == "low" else -1
    return sign * (mean + (z * z - 1) / 6 * third / variance) - z * np.sqrt(variance)


def lowest_coverage(N1: int, n1: int, N0: int, n0: int, alpha: float, side: str) -> float:
    """Return the lowest coverage of a design over all yields."""
    first, second = masses(N1, n1), masses(N0, n0)
    order = heights(N1, n1, N0, n0, side)
    yields1, yields0 = np.arange(N1 + 1)[:, None], np.arange(N0 + 1)[None, :]
    with np.errstate(invalid="ignore"):
        recall = yields1 / (yields1 + yields0)
    excluded = EXCLUDED * alpha / 4 * (1 - ROUNDING)
    kept1, kept0 = keep(first, excluded), keep(second, excluded)
    limits = np.empty((n1 + 1, n0 + 1))
    for x1 in range(n1 + 1):
        for x0 in range(n0 + 1):
            observed = order[x1, x0]
            region = order >= observed - SLACK * max(1, abs(observed))
            chance = first @ region @ second.T
            kept = (chance > alpha * (1 - EXCLUDED) * (1 - ROUNDING)) & ~np.isnan(recall)
            values = recall[kept & kept1[:, x1, None] & kept0[None, :, x0]]
            limits[x1, x0] = values.min() if side == "low" else values.max()
    lowest = 1.0
    for R1 in range(N1 + 1):
        for R0 in range(N0 + 1):
            if R1 + R0:
                gap = (recall[R1, R0] - limits) * (1 if side == "low" else -1)
                lowest = min(lowest, float(first[R1] @ (gap >= -SLACK) @ second[R0]))
    return lowest


def keep(chances: np.ndarray, excluded: float) -> np.ndarray:
    """Return which yields (rows) a count (column) does not exclude by itself."""
    upper = np.cumsum(chances[:, ::-1], axis=1)[:, ::-1]
    return (upper > excluded) & (np.cumsum(chances, axis=1) > excluded) & (chances > 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=40)
    parser.add_argument("--level", type=float, default=0.95)
    options = parser.parse_args()
    for side in ("low", "high"):
        began, lowest, n_designs = time.perf_counter(), (1.0, (0, 0, 0, 0)), 0
        for N in range(2, options.documents + 1):
            for N1 in range(1, N):
                for n1 in range(1, N1):
                    for n0 in range(1, N - N1):
                        design = (N1, n1, N - N1, n0)
                        coverage = lowest_coverage(*design, 1 - options.level, side)
                        lowest = min(lowest, (coverage, design))
                        n_designs += 1
            seconds = time.perf_counter() - began
            print(
                f"{side}: {n_designs:,} designs of up to {N} documents, lowest coverage "
                f"{lowest[0]:.5f} at N1, n1, N0, n0 = {lowest[1]} ({seconds:.0f} s)",
                flush=True,
            )


if __name__ == "__main__":
    main()
