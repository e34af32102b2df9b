"""Scores corrected for chance."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import ParameterError, quote
from ..parameters import as_float
from .tails import TOLERANCE

Floats = NDArray[np.float64]


def corrected_score(observed: Any, expected: Any) -> float | Floats:
    """How far from chance to 1 a score has gone: (observed - expected) / (1 - expected).

    A random ranking has 0 on average, a score of 1 stays 1, and what is worse than chance is
    negative. Numbers give a number, arrays an array; NaN where chance cannot but score 1.

    It is not a score out of 1 for every measure: P@10 with 3 relevant documents can never reach 1,
    nor can what is made of it. It is no test either: how far chance strays from its mean, the
    standard deviation and the p-value say. The mean of corrected scores over queries is not the
    corrected mean, since each query has a chance level of its own.

    >>> from irbounds.random_rankings import corrected_score
    >>> corrected_score(0.75, 0.5)
    0.5
    """
    score, chance = _scores("observed", observed), _scores("expected", expected)
    try:
        above, room = score - chance, 1 - chance + 0 * score
    except ValueError:
        raise ParameterError(
            "observed and expected must be of one length; "
            f"got {np.shape(observed)} and {np.shape(expected)}"
        ) from None
    corrected = np.full(np.shape(above), np.nan)
    np.divide(above, room, out=corrected, where=room > TOLERANCE)
    return corrected if corrected.ndim else float(corrected)


def _scores(name: str, value: Any) -> Floats:
    """Numbers from 0 to 1, give or take a rounding error; NaN where a query has no score."""
    numbers = _numbers(value)
    if numbers is None:
        raise ParameterError(f"{name} must lie between 0 and 1; got {quote(value)}")
    wrong = (numbers < -TOLERANCE) | (numbers > 1 + TOLERANCE)
    if np.any(wrong):
        place = int(np.flatnonzero(wrong)[0])
        where = f" at place {place}" if numbers.ndim else ""
        raise ParameterError(
            f"{name} must lie between 0 and 1; got {float(numbers.flat[place])!r}{where}"
        )
    return np.clip(numbers, 0.0, 1.0)


def _numbers(value: Any) -> Floats | None:
    """Numbers; None where there is anything else, such as text or a truth value."""
    if isinstance(value, np.ndarray) and value.dtype.kind in "iuf":
        return value.astype(np.float64)
    try:
        items = np.asarray(value, dtype=object)
    except ValueError:  # rows of unlike lengths
        return None
    numbers = [as_float(one) for one in items.flat]
    if None in numbers:
        return None
    return np.array(numbers, np.float64).reshape(items.shape)
