"""Mean, variance and distribution of the scores of random rankings, and corrected scores.

Each measure has a formula for mean and variance, derived in ``docs/concepts/chance.md``. Except for
ERR, its cost does not depend on the number of documents. A query without relevant documents scores
0 in any order, so 0 is its chance level.

All choices of ranks for the relevant documents are equally likely. AP of at most ``MAX_COUNTED``
documents is computed for each of them: the distribution is exact. Others are drawn (Monte Carlo).
For a mean over queries each query has a random ranking that is independent of the others.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import ParameterError
from ..measurement.average_precision import AveragePrecision
from ..measurement.base import Measure
from ..measurement.parser import parse_measure
from ..measurement.populations import Numbers, Population, make_population
from ..resampling.seeds import SeedLike, seed_number
from ..results.chance_levels import TOLERANCE, NullDistribution
from ..validation import Progress, check_count
from .monte_carlo import count_relevant, simulate

Floats = NDArray[np.float64]

MAX_COUNTED = 22  # documents: 705,432 rankings, of which 11 documents are relevant
MAX_DRAWS = 1 << 26  # their means take 512 MiB of memory
MAX_RANKS = 2 * 10**9  # in all draws: some minutes


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


def correct_score(observed: Any, expected: Any) -> Floats:
    """Return (observed - expected) / (1 - expected); NaN where every ranking scores 1.

    A random ranking has 0 on average, a score of 1 stays 1, and a score below the chance level is
    negative. The maximum is below 1 for some measures: P@10 with 3 relevant documents cannot reach
    1, and its corrected score cannot either.
    """
    above, room = np.subtract(observed, expected), np.subtract(1, expected)
    corrected = np.full(np.shape(above), np.nan)
    np.divide(above, room, out=corrected, where=room > TOLERANCE)
    return corrected


def null_distribution(
    n_documents: Any,
    n_relevant: Any,
    measure: Any = "AP",
    *,
    n_draws: int = 9999,
    rng: SeedLike = 0,
    progress: Progress | None = None,
) -> NullDistribution:
    """Return the distribution of a random ranking's score, or of the mean over several queries.

    AP of one query of at most 22 documents is counted exactly. Otherwise rankings are drawn.

    Parameters
    ----------
    n_documents, n_relevant, measure
        As for ``expected_score``.
    n_draws
        The number of random rankings, where they are drawn.
    rng
        Seed or generator. None draws a new seed, which the result names.
    progress
        Called with the number of draws done and the number of all draws.

    Returns
    -------
    NullDistribution
        With ``mean``, ``standard_deviation``, ``cdf``, ``quantile`` and ``p_value``.

    Examples
    --------
    >>> from irbounds.random_rankings import null_distribution
    >>> chance = null_distribution(10, 4)
    >>> round(chance.quantile(0.95), 4), chance.method
    (0.8167, 'exact')
    >>> chance.p_value(1.0) * 210  # one ranking of 210
    1.0
    """
    chosen, population = parse_measure(measure), make_population(n_documents, n_relevant)
    draws, seed = check_draws(n_draws), seed_number(rng)
    n = population.n_documents
    if isinstance(chosen, AveragePrecision) and isinstance(n, float) and n <= MAX_COUNTED:
        return _count_rankings(chosen, population)
    chosen.check_chance()
    n_ranks = draws * float(count_relevant(population, chosen.reach).sum())
    if n_ranks > MAX_RANKS:
        raise ParameterError(
            f"monte-carlo would draw {n_ranks:,.0f} ranks, in {draws:,} draws, which takes long: "
            "choose fewer draws or a measure with a cutoff; expected_score has the mean"
        )
    (drawn,) = simulate([chosen], population, draws, seed, progress=progress)
    return describe_draws(chosen, population, drawn.means, seed)


def check_draws(n_draws: Any) -> int:
    """Return the number of rankings to draw; raise ``ParameterError`` where it is invalid."""
    draws = check_count("n_draws", n_draws)
    if draws > MAX_DRAWS:
        raise ParameterError(f"n_draws must be at most {MAX_DRAWS:,}; got {draws:,}")
    return draws


def describe_draws(
    measure: Measure, population: Population, means: Floats, seed: int
) -> NullDistribution:
    """Return the distribution of the means of random draws, given in ascending order."""
    mean, deviation = compute_moments(measure, population)
    if math.isnan(deviation):
        deviation = float(np.std(means))
    counts = np.arange(1, len(means) + 1)
    return NullDistribution("monte-carlo", mean, deviation, means, counts, seed)


def compute_moments(measure: Measure, population: Population) -> tuple[float, float]:
    """Return mean and standard deviation of the score, or mean score; NaN without a formula."""
    mean = float(np.mean(measure.expected(population)))
    variance = np.asarray(measure.variance(population))
    return mean, float(np.sqrt(variance.sum()) / variance.size)


def _count_rankings(measure: AveragePrecision, population: Population) -> NullDistribution:
    """Return the exact distribution of AP, from the sums of precisions of every ranking.

    If the last relevant document is at rank n, the others are a choice of r - 1 out of the n - 1
    ranks above. When the choices are sorted by their last rank, then by the one before and so on,
    these are the first C(n - 1, r - 1) of the list for r - 1. Sums are integers, multiples of one
    part in ``unit``, so that equal scores are exactly equal.
    """
    mean, deviation = compute_moments(measure, population)
    n, relevant = int(population.n_documents), int(population.n_relevant(measure.rel))
    unit = math.lcm(*range(1, n + 1))
    weights = unit // np.arange(1, n + 1)
    if measure.cutoff is not None:
        weights[measure.cutoff :] = 0
    sums = np.zeros(1, dtype=np.int64)
    for i in range(1, relevant + 1):
        ranks = range(i, n - relevant + i + 1)
        sums = np.concatenate(
            [sums[: math.comb(rank - 1, i - 1)] + i * weights[rank - 1] for rank in ranks]
        )
    values, counts = np.unique(sums, return_counts=True)
    scores = values / float(max(relevant, 1) * unit)
    return NullDistribution("exact", mean, deviation, scores, np.cumsum(counts))
