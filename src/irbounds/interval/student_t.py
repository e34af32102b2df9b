"""Student's t interval of a mean.

mean -+ t(1 - alpha/2, n - 1) s / sqrt(n). Exact for independent normal scores; honest in practice
from some fifty queries on, too short for few queries of a skewed measure. It can reach outside the
measure's range, since it knows of none.

Reference: Student (1908); for mean average precision, Park (2010), section 4.
"""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ..errors import DegenerateSampleWarning
from ..results import Interval

__all__ = ["student_t"]

METHOD = "student-t"


def student_t(
    scores: NDArray[np.float64], confidence_level: float, label: str
) -> tuple[Interval, float]:
    """The interval of the mean of ``scores``, and its standard error.

    One score, or scores that are all equal, say nothing about the spread: the ends are NaN, with a
    warning that starts with ``label``.
    """
    n = len(scores)
    reason = _degenerate(scores)
    if reason:
        warnings.warn(f"{label}: no interval, {reason}", DegenerateSampleWarning, stacklevel=2)
        return Interval(np.nan, np.nan, confidence_level, METHOD), np.nan
    mean = float(scores.mean())
    standard_error = float(scores.std(ddof=1) / np.sqrt(n))
    half = float(special.stdtrit(n - 1, (1 + confidence_level) / 2)) * standard_error
    return Interval(mean - half, mean + half, confidence_level, METHOD), standard_error


def _degenerate(scores: NDArray[np.float64]) -> str:
    if len(scores) < 2:
        return "one query alone has no spread"
    if (scores == scores[0]).all():
        return f"all {len(scores)} scores are {scores[0]:g}"
    return ""
