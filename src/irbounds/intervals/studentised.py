"""Studentised bootstrap interval, also called bootstrap-t.

mean - q(1 - p) s / sqrt(n), with q the quantiles of (bootstrap mean - mean) / (its own standard
error): quantiles from the scores themselves in place of the t table. The interval follows skewness
and allows for an estimated spread, so that its coverage is near nominal where the percentile and
BCa intervals are too short.

A resample that draws one query n times has no spread; its ratio is infinite, with the sign of its
numerator. Where these are more than the tail probability, the end is infinite: so few different
scores cannot bound it.

When not to use: With fewer than about ten queries, the limits of the studentised interval are
erratic. It is wider than other intervals, and its limits can be outside the range of the measure.

Reference: Efron (1979); Davison and Hinkley (1997), section 5.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from .sample import Sample, quantile_of_sorted

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Studentised:
    """Limits mean - q(1 - p) s / sqrt(n)."""

    method: ClassVar[str] = "studentised"

    mean: Floats
    standard_error: Floats
    #: deviations of bootstrap means over their standard errors
    ratios: Floats

    def limit(self, probability: float) -> Floats:
        """Return the confidence limit of a probability."""
        quantile = quantile_of_sorted(self.ratios, 1 - probability)
        return self.mean - quantile * self.standard_error


def studentised(sample: Sample) -> Studentised:
    """Fit the limits to a sample; scores without spread give NaN."""
    return Studentised(sample.mean, sample.standard_error, sample.ordered_ratios)
