"""Basic interval: the percentile interval reflected at the mean.

2 mean - q(1 - p): the bootstrap distribution of the error of a mean, subtracted from the mean. It
is provided because studies compare it.

When not to use: For a skewed measure, the longer side of the basic interval is the wrong one, which
makes it the worst choice for few queries. Its limits can be outside the range of the measure.

Reference: Davison and Hinkley (1997), section 5.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from .sample import Sample, quantile_of_sorted

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Basic:
    """Limits 2 mean - q(1 - p)."""

    method: ClassVar[str] = "basic"

    mean: Floats
    #: bootstrap means
    means: Floats

    def limit(self, probability: float) -> Floats:
        """Return the confidence limit of a probability."""
        return 2 * self.mean - quantile_of_sorted(self.means, 1 - probability)


def basic(sample: Sample) -> Basic:
    """Fit the limits to a sample; scores without spread give NaN."""
    return Basic(sample.mean, sample.ordered_means)
