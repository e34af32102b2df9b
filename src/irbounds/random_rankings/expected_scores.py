"""Expected score and variance of a random ranking, and scores corrected for chance.

Every order of the documents has the same probability. Each measure has a formula for the mean and
the variance, ``Measure.expected`` and ``Measure.variance``, derived in
`docs/reference/chance-level-formulas.md`. Except for ERR, its cost does not depend on the number of
documents. A query without relevant documents scores 0 in any order, so 0 is its chance level.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import ParameterError, quote
from ..measurement.parser import find_measure
from ..measurement.populations import Numbers, make_population
from ..validation import as_float
from .p_values import TOLERANCE


def expected_score(
    n_documents: Any = None, n_relevant: Any = None, measure: Any = "AP", *, y_true: Any = None
) -> Numbers:
    """Return the expected score of a random ranking, by an exact formula.

    Parameters
    ----------
    n_documents, n_relevant
        The number of ranked documents, and of the relevant ones among them; a mapping of grades to
        numbers for graded relevance. Arrays have one number per query.
    measure
        AP, P, R, Rprec, RR, Success, nDCG, RBP, INSQ, ERR or nERR, in ir_measures' spelling.
    y_true
        In place of both numbers, the labels of one query's documents.

    Returns
    -------
    float or array
        The expected score; an array where arrays are given.

    Examples
    --------
    >>> from irbounds import expected_score
    >>> round(expected_score(10, 4), 7)
    0.5285979
    >>> round(expected_score(10, {1: 3, 2: 1}, "nDCG@5"), 7)
    0.4139227
    """
    return find_measure(measure).expected(make_population(n_documents, n_relevant, y_true))


def score_variance(
    n_documents: Any = None, n_relevant: Any = None, measure: Any = "AP", *, y_true: Any = None
) -> Numbers:
    """Return the variance of a random ranking's score, by an exact formula.

    Parameters
    ----------
    n_documents, n_relevant, measure, y_true
        As for ``expected_score``.

    Returns
    -------
    float or array
        The variance; an array where arrays are given, and NaN for ERR and for nERR of many ranks.

    Examples
    --------
    >>> from irbounds.random_rankings import score_variance
    >>> round(score_variance(10, 4) ** 0.5, 7)
    0.156331
    """
    return find_measure(measure).variance(make_population(n_documents, n_relevant, y_true))


Floats = NDArray[np.float64]


def corrected_score(observed: Any, expected: Any) -> float | Floats:
    """Return a score corrected for chance: (observed - expected) / (1 - expected).

    A random ranking has 0 on average, a score of 1 stays 1, and a score below the chance level is
    negative. The maximum is below 1 for some measures: P@10 with 3 relevant documents cannot reach
    1, and its corrected score cannot either. The correction is not a test; see ``p_value``. The
    mean of corrected scores over queries is not the corrected mean, since each query has its own
    chance level.

    Parameters
    ----------
    observed
        A score between 0 and 1, or an array of scores.
    expected
        Its chance level, as ``expected_score`` returns it, or an array of them.

    Returns
    -------
    float or array
        The corrected score; NaN where every ranking scores 1.

    Examples
    --------
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
    """Return numbers between 0 and 1, within a rounding error; NaN where a query has no score."""
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
    """Return numbers as an array; None where a value is not a number, such as text or a bool."""
    if isinstance(value, np.ndarray) and value.dtype.kind in "iuf":
        return value.astype(np.float64)
    try:
        items = np.asarray(value, dtype=object)
    except ValueError:  # rows of different lengths
        return None
    numbers = [as_float(item) for item in items.flat]
    if None in numbers:
        return None
    return np.array(numbers, np.float64).reshape(items.shape)
