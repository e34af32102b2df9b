"""Mean and variance of a random ranking's score.

Every order of the documents has the same probability. Each measure has a formula for the mean and
the variance, ``Measure.expected`` and ``Measure.variance``, derived in
`docs/random-baseline-theory.md`. Except for ERR, its cost does not depend on the number of
documents. A query with nothing relevant scores 0 in any order, so that 0 is its chance level.
"""

from __future__ import annotations

from typing import Any

from ..measurement.parser import find_measure
from ..measurement.populations import Numbers, population_of


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
        A measure in ir_measures' spelling: AP, P, R, Rprec, RR, Success, nDCG, RBP, INSQ or ERR.
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
    return find_measure(measure).expected(population_of(n_documents, n_relevant, y_true))


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
        The variance; an array where arrays are given, and NaN for ERR.

    Examples
    --------
    >>> from irbounds.random_rankings import score_variance
    >>> round(score_variance(10, 4) ** 0.5, 7)
    0.156331
    """
    return find_measure(measure).variance(population_of(n_documents, n_relevant, y_true))
