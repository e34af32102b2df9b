"""Numbers on many images, summed up."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ..results import ImageSummary, Interval


def summarise(values: NDArray[np.number]) -> ImageSummary:
    """Mean, standard deviation and quartiles of one number on many images."""
    ((summary, _),) = summarise_rows(values[None], 0.5)
    return summary


def summarise_rows(
    rows: NDArray[np.number], confidence_level: float
) -> Iterator[tuple[ImageSummary, Interval]]:
    """The same for many numbers at once, one a row, and the middle share of the images.

    That share is an interval by the percentile rule of the bootstrap.
    """
    exact = np.asarray(rows, np.float64)
    outside = (1 - confidence_level) / 2
    shares = (0.0, 0.25, 0.5, 0.75, 1.0, outside, 1 - outside)
    quantiles = np.quantile(exact, shares, axis=1).T.tolist()
    means, deviations = exact.mean(axis=1).tolist(), exact.std(axis=1, ddof=1).tolist()
    for mean, deviation, found in zip(means, deviations, quantiles, strict=True):
        yield (
            ImageSummary(mean, deviation, *found[:5]),
            Interval(found[5], found[6], confidence_level, "percentile"),
        )
