"""Normal interval of a mean whose standard deviation is known.

mean -+ z(1 - alpha/2) sigma / sqrt(n). Exact for normal scores, good for others once the mean is
nearly normal. Sigma is not known in practice: the method is for studies, where the population is
available, and shows the cost of not knowing sigma.

When not to use: With a standard error from a small sample, a normal interval is too short, and it
claims certainty where the sample happens not to vary. Its limits can be outside the possible
values.

Reference: Park (2010), section 4.1, equation 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import special

from .sample import Sample

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Normal:
    """Limits mean + z(p) sigma / sqrt(n)."""

    method: ClassVar[str] = "normal"

    mean: Floats
    standard_error: Floats

    def limit(self, probability: float) -> Floats:
        """Return the confidence limit of a probability."""
        return np.asarray(self.mean + special.ndtri(probability) * self.standard_error)


def normal(sample: Sample) -> Normal:
    """Fit the limits to a sample; a single score is enough, and equal scores are allowed."""
    assert sample.sigma is not None
    return Normal(sample.mean, np.asarray(sample.sigma / np.sqrt(sample.n)))
