"""Numbers on many images, summed up."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ..results import ImageSummary, Interval

__all__ = ["quantile_interval", "summarise", "summarise_rows"]

Floats = NDArray[np.floating]


def summarise(values: Floats) -> ImageSummary:
    """Mean, standard deviation and quartiles of one number on many images."""
    exact = np.asarray(values, np.float64)
    quartiles = np.quantile(exact, (0.0, 0.25, 0.5, 0.75, 1.0))
    return ImageSummary(float(exact.mean()), float(exact.std(ddof=1)), *map(float, quartiles))


def quantile_interval(values: Floats, confidence_level: float) -> Interval:
    """The middle share of the images, by the percentile rule of the bootstrap."""
    outside = (1 - confidence_level) / 2
    low, high = np.quantile(np.asarray(values, np.float64), (outside, 1 - outside))
    return Interval(float(low), float(high), confidence_level, "percentile")


def summarise_rows(
    rows: NDArray[np.number], confidence_level: float
) -> Iterator[tuple[ImageSummary, Interval]]:
    """Both for many numbers at once, one a row: much quicker than one by one."""
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
