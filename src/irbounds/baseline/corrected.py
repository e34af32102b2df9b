"""Scores corrected for chance."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import ParameterError

__all__ = ["corrected_score"]


def corrected_score(observed: Any, expected: Any) -> float | NDArray[np.float64]:
    """How far from chance to 1 a score has gone: (observed - expected) / (1 - expected).

    A random ranking has 0 on average, a score of 1 stays 1, and what is worse than chance is
    negative. Numbers give a number, arrays an array; NaN where chance cannot but score 1.

    It is not a score out of 1 for every measure: P@10 with 3 relevant documents can never reach 1,
    nor can what is made of it. It is no test either: how far chance strays from its mean, the
    standard deviation and the p-value say. The mean of corrected scores over queries is not the
    corrected mean, since each query has a chance level of its own.

    >>> from irbounds import corrected_score
    >>> corrected_score(0.75, 0.5)
    0.5
    """
    score, chance = _numbers("observed", observed), _numbers("expected", expected)
    try:
        above, room = score - chance, 1 - chance + 0 * score
    except ValueError:
        raise ParameterError(
            "observed and expected must be of one length; "
            f"got {np.shape(observed)} and {np.shape(expected)}"
        ) from None
    corrected = np.full(np.shape(above), np.nan)
    np.divide(above, room, out=corrected, where=room > 0)
    return corrected if corrected.ndim else float(corrected)


def _numbers(name: str, value: Any) -> NDArray[np.float64]:
    """Numbers from 0 to 1, or NaN where a query has no score."""
    try:
        numbers = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        numbers = np.array(np.inf)
    if isinstance(value, bool | str | type(None)) or np.any((numbers < 0) | (numbers > 1)):
        raise ParameterError(f"{name} must lie between 0 and 1; got {value!r:.60}")
    return numbers
