"""What a random ranking scores on average, exactly.

Every order of the documents is as likely as any other. Each measure has a formula here, derived in
`docs/random-baseline-theory.md`; its cost does not depend on the number of documents, but for ERR
(see ``cascade``). The formulas take one query or many at once. A query with nothing relevant scores
0 whatever the order, so 0 is its chance level. Bestgen (2015) computed the chance level of AP by a
double sum over documents and ranks; the closed form is the same number.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .base import Measure
from .cascade import expected_reciprocal_rank
from .chance_measures import chance_parameters, measure_called
from .formulas import ratio
from .harmonic import harmonic, harmonic_difference
from .none_found import log_none_found
from .populations import Numbers, Population, population_of
from .rank_sums import rank_sums
from .weighted import LINEAR, Linear

Floats = NDArray[np.float64]


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
    chosen = measure_called(measure)
    return expectation_of(chosen, population_of(n_documents, n_relevant, y_true))


def expectation_of(measure: Measure, population: Population) -> Numbers:
    """The expected score of each query; a float where the population is of one query."""
    name, parameters = chance_parameters(measure)
    if name in LINEAR:
        expected = _linear(LINEAR[name](population, **parameters), population)
    else:
        expected = _EXPECTATIONS[name](population, **parameters)
    return _score(expected)


def _score(expected: Numbers) -> Numbers:
    """A number from 0 to 1, which rounding may leave by a last digit."""
    if np.ndim(expected):
        return np.clip(expected, 0.0, 1.0)
    return min(max(0.0, float(expected)), 1.0)


def ranks_seen(population: Population, cutoff: int | None) -> Numbers:
    """How many ranks a measure looks at."""
    return population.depth if cutoff is None else np.minimum(population.depth, float(cutoff))


def _average_precision(
    population: Population, *, rel: int = 1, cutoff: int | None = None
) -> Numbers:
    # rank b is relevant with probability R/N and has, over b, itself and a share of the b - 1 above
    documents = np.maximum(population.n_documents, 1.0)
    relevant, judged = population.n_relevant(rel), population.n_judged(rel)
    ranks = ranks_seen(population, cutoff)
    above = (relevant - 1) / np.maximum(documents - 1, 1.0)
    precisions = harmonic(ranks) * (1 - above) + ranks * above
    expected: Numbers = relevant / np.maximum(judged, 1.0) * (precisions / documents)
    return expected


def _linear(linear: Linear, population: Population) -> Numbers:
    gains = linear.gains(np.array(population.grades, dtype=np.int64))
    documents = np.maximum(population.n_documents, 1.0)
    weight = linear.weight_to(population.depth)
    is_sure = weight == documents  # all ranks weigh 1, so no order matters
    total: Numbers = 0.0 * documents
    for gain, count in zip(gains.tolist(), population.counts, strict=True):
        total = total + gain * np.where(is_sure, count, count / documents * weight)
    return ratio(total, linear.base)


def _reciprocal_rank(population: Population, *, rel: int = 1, cutoff: int | None = None) -> Numbers:
    shape = np.shape(population.n_documents)
    documents, relevant, last = first_found(population, rel, cutoff)
    whole = relevant * harmonic_difference(np.maximum(relevant - 1, 0.0), documents)
    # nothing but relevant documents: exactly 1
    expected = np.where(relevant < documents, whole / (documents - relevant + 1), 1.0)
    cut = (last < documents - relevant + 1) & (relevant > 0)
    if cut.any():
        some = documents[cut], relevant[cut]
        expected[cut] = rank_sums(_reciprocals, last[cut], *some)
    return expected.reshape(shape)


def first_found(
    population: Population, rel: int, cutoff: int | None
) -> tuple[Floats, Floats, Floats]:
    """Documents, relevant ones, and the last rank of use where the first relevant one counts."""
    documents, relevant, seen = np.broadcast_arrays(
        np.atleast_1d(population.n_documents),
        population.n_relevant(rel),
        ranks_seen(population, cutoff),
    )
    return documents, relevant, np.minimum(seen, documents - relevant + 1)


def chance_of_first(rank: Floats, documents: Floats, relevant: Floats) -> Floats:
    """The probability that the first relevant document stands at this rank."""
    # it is relevant, and the ranks above hold none of the others
    above = log_none_found(documents - 1, relevant - 1, rank - 1)
    chances: Floats = relevant / documents * np.exp(above)
    return chances


def _reciprocals(rank: Floats, documents: Floats, relevant: Floats) -> Floats:
    return chance_of_first(rank, documents, relevant) / rank


def _success(population: Population, *, cutoff: int, rel: int = 1) -> Numbers:
    # from 0.0, so that no ranks give 0.0 and not -0.0
    found: Numbers = 0.0 - np.expm1(log_nothing_seen(population, rel, cutoff))
    return found


def log_nothing_seen(population: Population, rel: int, cutoff: int | None) -> Floats:
    """The logarithm of the probability that no relevant document is seen."""
    relevant = np.asarray(population.n_relevant(rel))
    documents = np.asarray(population.n_documents)
    return log_none_found(documents, relevant, np.asarray(ranks_seen(population, cutoff)))


_EXPECTATIONS: dict[str, Callable[..., Numbers]] = {
    "AP": _average_precision,
    "RR": _reciprocal_rank,
    "Success": _success,
    "ERR": expected_reciprocal_rank,
}
