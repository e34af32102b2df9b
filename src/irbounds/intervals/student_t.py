"""Student's t interval of a mean.

mean -+ t(1 - alpha/2, n - 1) s / sqrt(n). Exact for independent normal scores; in practice its
coverage is near nominal from about fifty queries on. It draws nothing at random.

When not to use: With few queries of a skewed measure, Student's t interval is too short. Its limits
can be outside the range of the measure.

Reference: Student (1908); for mean average precision, Park (2010), section 4.2, equation 3.
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
class StudentT:
    """Limits mean + t(p, n - 1) s / sqrt(n)."""

    method: ClassVar[str] = "student-t"

    mean: Floats
    standard_error: Floats
    n: int

    def limit(self, probability: float) -> Floats:
        """Return the confidence limit of a probability."""
        if self.n < 2:
            return np.full(self.mean.shape, np.nan)
        t = special.stdtrit(self.n - 1, probability)
        return np.asarray(self.mean + t * self.standard_error)


def student_t(sample: Sample) -> StudentT:
    """Fit the limits to a sample; scores without spread give NaN."""
    return StudentT(sample.mean, sample.standard_error, sample.n)
