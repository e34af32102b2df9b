"""Percentile interval: quantiles of the bootstrap means.

Stays within the measure's range and is simple to explain; good from about fifty queries on. A
bootstrap mean of n scores varies less than a mean of n new ones, by a factor of (n-1)/n in
variance, and a skewed measure adds to that.

When not to use: With few queries, the percentile interval is too short: the mean of a resample
varies less than the mean of new queries.

Reference: Efron (1979); for mean average precision, Park (2011), section 4.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from .sample import Sample, quantile_of_sorted

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Percentile:
    """Limits that are quantiles of the bootstrap means."""

    method: ClassVar[str] = "percentile"

    #: bootstrap means
    means: Floats

    def limit(self, probability: float) -> Floats:
        """Return the confidence limit of a probability."""
        return quantile_of_sorted(self.means, probability)


def percentile(sample: Sample) -> Percentile:
    """Fit the limits to a sample; scores without spread give NaN."""
    return Percentile(sample.ordered_means)
