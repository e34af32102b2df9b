"""Expected score and variance of a random ranking, and scores corrected for chance.

Every order of the documents has the same probability. Each measure has a formula for the mean and
the variance, ``Measure.expected`` and ``Measure.variance``, derived in
`docs/concepts/chance.md`. Except for ERR, its cost does not depend on the number of
documents. A query without relevant documents scores 0 in any order, so 0 is its chance level.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..measurement.parser import parse_measure
from ..measurement.populations import Numbers, make_population
from ..results.chance_levels import TOLERANCE


def expected_score(n_documents: Any, n_relevant: Any, measure: Any = "AP") -> Numbers:
    """Return the expected score of a random ranking, by an exact formula.

    Parameters
    ----------
    n_documents, n_relevant
        The number of ranked documents, and of the relevant ones among them; a mapping of grades to
        numbers for graded relevance. Arrays have one number per query.
    measure
        AP, P, R, Rprec, RR, Success, nDCG, RBP, INSQ, ERR or nERR, in ir_measures' spelling.

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
    return parse_measure(measure).expected(make_population(n_documents, n_relevant))


def score_variance(n_documents: Any, n_relevant: Any, measure: Any = "AP") -> Numbers:
    """Return the variance of a random ranking's score, by an exact formula.

    Parameters
    ----------
    n_documents, n_relevant, measure
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
    return parse_measure(measure).variance(make_population(n_documents, n_relevant))


def correct_score(observed: Any, expected: Any) -> NDArray[np.float64]:
    """Return (observed - expected) / (1 - expected); NaN where every ranking scores 1.

    A random ranking has 0 on average, a score of 1 stays 1, and a score below the chance level is
    negative. The maximum is below 1 for some measures: P@10 with 3 relevant documents cannot reach
    1, and its corrected score cannot either.
    """
    above, room = np.subtract(observed, expected), np.subtract(1, expected)
    corrected = np.full(np.shape(above), np.nan)
    np.divide(above, room, out=corrected, where=room > TOLERANCE)
    return corrected
