"""How much the scores of random rankings vary, exactly.

AP's variance takes constant time. Its score is a sum over pairs of ranks a <= b of 1/b, where both
are relevant, so its square is a sum over two such pairs, and only how many different ranks these
hold matters: p_m, the probability that m given ranks are all relevant. `docs/random-baseline-
theory.md` counts the pairs. The p_m differ by little, so their differences are what is computed,
each as a product.

A measure that adds up has the variance of a sample without replacement; RR and Success follow from
the probability of the first relevant rank. ERR has no simple formula, and NaN in its place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .base import Measure
from .chance_measures import chance_parameters, measure_called
from .expectation import chance_of_first, first_found, log_nothing_seen, ranks_seen
from .formulas import ratio
from .harmonic import harmonic, harmonic_squares
from .none_found import log_none_found
from .populations import Numbers, Population, population_of
from .rank_sums import rank_sums
from .weighted import LINEAR, Linear

Floats = NDArray[np.float64]


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
    chosen = measure_called(measure)
    return variance_of(chosen, population_of(n_documents, n_relevant, y_true))


def variance_of(measure: Measure, population: Population) -> Numbers:
    """The variance of each query's score; a float where the population is of one query."""
    name, parameters = chance_parameters(measure)
    if name in LINEAR:
        variance = _linear(LINEAR[name](population, **parameters), population)
    else:
        variance = _VARIANCES[name](population, **parameters)
    return variance if np.ndim(variance) else float(variance)


def _average_precision(
    population: Population, *, rel: int = 1, cutoff: int | None = None
) -> Numbers:
    documents, relevant = population.n_documents, population.n_relevant(rel)
    ranks = ranks_seen(population, cutoff)
    h, squares = harmonic(ranks), harmonic_squares(ranks)
    p12, p23, p34, p2_11, p3_12, p4_22 = _differences(np.maximum(documents, 1.0), relevant)
    total = ranks**2 * p4_22 + 5 * ranks * p34 + 2 * ranks * h * (p3_12 - p4_22)
    total = total + h**2 * (p4_22 - 2 * p3_12 - 2 * p34 + p23 + p2_11)
    total = total + 3 * h * (p23 - 2 * p34) + squares * (3 * p34 - 4 * p23 + p12)
    variance: Numbers = np.maximum(total, 0.0) / np.maximum(population.n_judged(rel), 1.0) ** 2
    return variance


def _differences(n: Numbers, r: Numbers) -> tuple[Numbers, ...]:
    """p1 - p2, p2 - p3, p3 - p4, p2 - p1^2, p3 - p1 p2 and p4 - p2^2, each without cancellation."""
    n1, n2, n3 = (np.maximum(n - fewer, 1.0) for fewer in (1, 2, 3))
    p1 = r / n
    p2 = p1 * np.maximum(r - 1, 0.0) / n1
    p3 = p2 * np.maximum(r - 2, 0.0) / n2
    rest = n - r
    # of three documents no four ranks can be asked for; p4 = p3 then keeps the formula whole
    fours = np.where(n > 3, (6 * (n + r) - 6 - 4 * n * r) / (n * n1 * n2 * n3), -1 / 3)
    return (
        p1 * rest / n1,
        p2 * rest / n2,
        p3 * rest / n3,
        -p1 * rest / (n * n1),
        -2 * p2 * rest / (n * n2),
        p2 * rest * fours,
    )


def _linear(linear: Linear, population: Population) -> Numbers:
    documents = np.maximum(population.n_documents, 1.0)
    spread = _weight_spread(linear, population, documents) * _gain_spread(linear, population)
    return ratio(ratio(spread / np.maximum(documents - 1, 1.0), linear.base), linear.base)


def _weight_spread(linear: Linear, population: Population, documents: Numbers) -> Numbers:
    """Squared distances of the weights of all ranks from their mean, added up."""
    weight = linear.weight_to(population.depth)
    if linear.weights is linear.squares:  # ranks weigh 1 or 0
        return weight * (documents - weight) / documents
    return np.maximum(linear.square_to(population.depth) - weight * weight / documents, 0.0)


def _gain_spread(linear: Linear, population: Population) -> Numbers:
    """Squared distances of the gains of all documents from their mean, added up."""
    documents = np.maximum(population.n_documents, 1.0)
    gains = [0.0, *linear.gains(np.array(population.grades, dtype=np.int64)).tolist()]
    counts = [population.n_documents - population.n_relevant(), *population.counts]
    total: Numbers = 0.0 * documents
    for i, gain in enumerate(gains):  # pairs of unlike documents: nothing cancels
        for j in range(i):
            total = total + counts[i] * counts[j] * (gain - gains[j]) ** 2
    return total / documents


def _reciprocal_rank(population: Population, *, rel: int = 1, cutoff: int | None = None) -> Numbers:
    documents, relevant, last = first_found(population, rel, cutoff)
    variance = np.zeros(len(documents))
    some = relevant > 0
    documents, relevant, last = documents[some], relevant[some], last[some]
    mean, square = (_moment(documents, relevant, last, power) for power in (1, 2))
    found = square - mean**2
    # where nearly every ranking scores 1, what is missing to 1 varies as much and loses no digits
    near = mean > 0.5
    missed, square = (
        _missing_moment(documents[near], relevant[near], last[near], power) for power in (1, 2)
    )
    found[near] = square - missed**2
    variance[some] = np.maximum(found, 0.0)
    return variance.reshape(np.shape(population.n_documents))


def _moment(documents: Floats, relevant: Floats, last: Floats, power: int) -> Floats:
    def term(rank: Floats, documents: Floats, relevant: Floats) -> Floats:
        return chance_of_first(rank, documents, relevant) / rank**power

    return rank_sums(term, last, documents, relevant)


def _missing_moment(documents: Floats, relevant: Floats, last: Floats, power: int) -> Floats:
    def term(rank: Floats, documents: Floats, relevant: Floats) -> Floats:
        return chance_of_first(rank, documents, relevant) * ((rank - 1) / rank) ** power

    nothing = np.exp(log_none_found(documents, relevant, last))
    return rank_sums(term, last, documents, relevant) + nothing


def _success(population: Population, *, cutoff: int, rel: int = 1) -> Numbers:
    nothing = log_nothing_seen(population, rel, cutoff)
    variance: Numbers = (0.0 - np.expm1(nothing)) * np.exp(nothing)
    return variance


def _unknown(population: Population, *, cutoff: int | None = None) -> Numbers:
    return np.where(np.greater(population.n_relevant(), 0), np.nan, 0.0)


_VARIANCES: dict[str, Callable[..., Numbers]] = {
    "AP": _average_precision,
    "RR": _reciprocal_rank,
    "Success": _success,
    "ERR": _unknown,
}
