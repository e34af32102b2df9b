"""The distribution of the scores of random rankings, p-values from it, and the range of scores.

There are three methods. ``exact`` counts all rankings, for AP where that is feasible.
``monte-carlo`` draws random rankings, for every measure. ``matched-moments`` is an approximation
from mean and variance. By default the method is exact where that is feasible, else Monte Carlo. For
a mean over queries each query has a random ranking that is independent of the others.

The range of scores is that of the best ranking, with the highest grades first, and of the worst,
with the highest grades last. Both are built as runs and scored by the measure's own formula.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import DegenerateSampleWarning, MeasureError, ParameterError
from ..measurement.base import Measure
from ..measurement.judged_runs import JudgedRun
from ..measurement.parser import find_measure
from ..measurement.populations import Population, make_population
from ..resampling.seeds import SeedLike, seed_number
from ..results import NullDistribution
from ..results.chance_levels import warn_if_unreachable
from ..validation import Alternative, ChanceMethod, Progress, check_alternative
from .drawn_rankings import DrawnPool, RankingSampler, lay_out_grades, make_sampler, truncate_counts
from .exact import exact_distribution, is_average_precision, is_exact_feasible
from .matched_moments import MatchedMoments, describe_poor_fit, ranking_probability
from .monte_carlo import (
    MonteCarlo,
    SimulatedScores,
    can_draw,
    count_drawn_ranks,
    last_scored_rank,
    simulate,
)
from .p_values import check_draws, check_method, check_score

MAX_RANKS = 2 * 10**9  # drawn by default, without ``method="monte-carlo"``: some minutes
MAX_BUILT = 1 << 20  # relevant documents of the best and the worst ranking: 0.1 seconds


def null_distribution(
    n_documents: Any = None,
    n_relevant: Any = None,
    measure: Any = "AP",
    *,
    y_true: Any = None,
    method: ChanceMethod | None = None,
    n_draws: int = 9999,
    rng: SeedLike = 0,
    progress: Progress | None = None,
) -> NullDistribution:
    """Return the distribution of a random ranking's score, or of the mean over several queries.

    Parameters
    ----------
    n_documents, n_relevant
        The number of ranked documents, and of the relevant ones among them; a mapping of grades to
        numbers for graded relevance. Arrays have one number per query.
    measure
        AP, P, R, Rprec, RR, Success, nDCG, RBP, INSQ, ERR or nERR, in ir_measures' spelling.
    y_true
        In place of both numbers, the labels of one query's documents.
    method
        ``"exact"`` (AP of few documents), ``"monte-carlo"`` or ``"matched-moments"``. By default
        exact where that is fast, else Monte Carlo.
    n_draws
        The number of random rankings, for ``"monte-carlo"``.
    rng
        Seed or generator, for ``"monte-carlo"``. None draws a new seed, which the result names.
    progress
        Called with the number of draws done and the number of all draws.

    Returns
    -------
    NullDistribution
        With ``mean``, ``standard_deviation``, ``cdf``, ``quantile``, ``p_value`` and ``plot``.

    Examples
    --------
    >>> from irbounds.random_rankings import null_distribution
    >>> chance = null_distribution(10, 4)
    >>> round(chance.quantile(0.95), 4), chance.method
    (0.8167, 'exact')
    """
    distribution = compute_distribution(
        find_measure(measure),
        make_population(n_documents, n_relevant, y_true),
        method=method,
        n_draws=n_draws,
        seed=seed_number(rng),
        progress=progress,
    )
    _warn_of_poor_fit(distribution)
    return distribution


def p_value(
    observed: float,
    n_documents: Any = None,
    n_relevant: Any = None,
    measure: Any = "AP",
    *,
    y_true: Any = None,
    method: ChanceMethod | None = None,
    alternative: Alternative = "greater",
    n_draws: int = 9999,
    rng: SeedLike = 0,
) -> float:
    """Return the probability that a random ranking scores ``observed`` or higher.

    A score that no ranking can have gives a ``DegenerateSampleWarning``.

    Parameters
    ----------
    observed
        The score, or the mean over queries where there are several.
    n_documents, n_relevant, measure, y_true, method, n_draws, rng
        As for ``null_distribution``.
    alternative
        ``"greater"`` for this score or a higher one, ``"less"`` for this score or a lower one,
        ``"two-sided"`` for twice the smaller of both.

    Returns
    -------
    float
        The p-value.

    Examples
    --------
    >>> from irbounds.random_rankings import p_value
    >>> p_value(1.0, 10, 4) * 210  # one ranking of 210
    1.0
    """
    score, side = check_score("observed", observed), check_alternative(alternative)
    population = make_population(n_documents, n_relevant, y_true)
    chosen = find_measure(measure)
    distribution = compute_distribution(
        chosen, population, method=method, n_draws=n_draws, seed=seed_number(rng)
    )
    _warn_of_poor_fit(distribution)
    check_reachable(chosen, population, score)
    return distribution.p_value(score, side)


def compute_distribution(
    measure: Measure,
    population: Population,
    *,
    method: ChanceMethod | None = None,
    n_draws: int = 9999,
    seed: int,
    progress: Progress | None = None,
) -> NullDistribution:
    """Return the distribution of a measure's score, or mean score; ``method`` None chooses one."""
    check_method(method)
    draws = check_draws(n_draws)
    if method is None:
        method = _choose_method(measure, population, draws)
    if method == "monte-carlo":
        (drawn,) = simulate([measure], population, draws, seed, progress=progress)
        return simulated_distribution(measure, population, drawn)
    return _COMPUTED[method](measure, population)


def _choose_method(measure: Measure, population: Population, n_draws: int) -> ChanceMethod:
    """Return exact where that is feasible, else Monte Carlo where it takes at most some minutes."""
    if is_exact_feasible(measure, population):
        return "exact"
    n_ranks = n_draws * count_drawn_ranks(measure, population)
    if n_ranks > MAX_RANKS and can_draw(measure, population):
        has_variance = measure.has_variance()
        approximation = ", or use the approximation 'matched-moments'" if has_variance else ""
        raise ParameterError(
            f"monte-carlo would draw {n_ranks:,.0f} ranks, in {n_draws:,} draws, which takes long: "
            f"choose method 'monte-carlo', fewer draws or a measure with a cutoff{approximation}"
        )
    return "monte-carlo"


def simulated_distribution(
    measure: Measure, population: Population, simulated: SimulatedScores
) -> MonteCarlo:
    """Return the distribution of drawn scores."""
    mean, deviation = compute_moments(measure, population)
    if np.isnan(deviation):
        deviation = float(np.std(simulated.means))
    return MonteCarlo(mean, deviation, simulated)


def compute_moments(measure: Measure, population: Population) -> tuple[float, float]:
    """Return mean and standard deviation of the score, or mean score; NaN without a formula."""
    mean = float(np.mean(measure.expected(population)))
    variance = np.asarray(measure.variance(population))
    return mean, float(np.sqrt(variance.sum()) / variance.size)


def _warn_of_poor_fit(distribution: NullDistribution) -> None:
    if isinstance(distribution, MatchedMoments) and distribution.warning:
        warnings.warn(distribution.warning, DegenerateSampleWarning, stacklevel=3)


def _exact(measure: Measure, population: Population) -> NullDistribution:
    if not is_average_precision(measure):
        raise MeasureError(f"method 'exact' is for AP only; got {measure.name} (use 'monte-carlo')")
    if not is_exact_feasible(measure, population):
        raise ParameterError(
            "method 'exact' counts rankings, and these are too many: it takes at most 44 documents "
            "per query, or very few relevant ones, and few queries (use 'monte-carlo')"
        )
    return exact_distribution(measure, population, *compute_moments(measure, population))


def _matched_moments(measure: Measure, population: Population) -> NullDistribution:
    mean, deviation = compute_moments(measure, population)
    if np.isnan(deviation):
        raise MeasureError(
            f"method 'matched-moments' needs the variance, and {measure.name} has no formula for "
            "it (use 'monte-carlo')"
        )
    low, high = compute_range(measure, population)
    warning = describe_poor_fit(measure, population)
    return MatchedMoments(mean, deviation, low, high, warning, ranking_probability(population))


_COMPUTED: dict[str, Callable[[Measure, Population], NullDistribution]] = {
    "exact": _exact,
    "matched-moments": _matched_moments,
}


def score_range(
    n_documents: Any = None, n_relevant: Any = None, measure: Any = "AP", *, y_true: Any = None
) -> tuple[float, float]:
    """Return the minimum and the maximum score of any ranking.

    Parameters
    ----------
    n_documents, n_relevant, measure, y_true
        As for ``expected_score``. With arrays, the range is that of the mean over queries.

    Returns
    -------
    tuple of float
        The minimum and the maximum; 0 and 1 where there are over a million relevant documents.

    Examples
    --------
    >>> from irbounds.random_rankings import score_range
    >>> score_range(10, 3, "P@5")
    (0.0, 0.6)
    """
    chosen = find_measure(measure)
    return compute_range(chosen, make_population(n_documents, n_relevant, y_true))


def compute_range(measure: Measure, population: Population) -> tuple[float, float]:
    """Return the minimum and the maximum score, or mean over queries.

    Return 0 and 1, which always hold, where there are more than ``MAX_BUILT`` relevant documents.
    """
    sampler = make_sampler(population, last_scored_rank(measure))
    scored = np.minimum(sampler.relevant, sampler.depth)
    ideal = np.minimum(sampler.judged.sum(axis=0), sampler.reach)
    if max(scored.sum(dtype=float), ideal.sum()) > MAX_BUILT:
        return 0.0, 1.0
    low = measure.score(_worst_ranking(sampler))
    high = measure.score(_best_ranking(sampler))
    return float(low.mean()), float(high.mean())


def check_reachable(measure: Measure, population: Population, observed: float) -> None:
    """Warn of a score, or mean over queries, that no ranking of these documents can have."""
    warning = warn_if_unreachable(measure.name, observed, *compute_range(measure, population))
    if warning:
        warnings.warn(warning, DegenerateSampleWarning, stacklevel=3)


def _best_ranking(sampler: RankingSampler) -> JudgedRun:
    """Return the ranking with the highest grades first, down to the end of the lists."""
    sizes = truncate_counts(sampler.counts[::-1], sampler.depth)
    cell, number, grade = lay_out_grades(sampler.grades[::-1], sizes)
    return JudgedRun(DrawnPool(sampler, 1), cell, number, grade, sampler.depth)


def _worst_ranking(sampler: RankingSampler) -> JudgedRun:
    """Return the ranking with all documents that are not relevant first, then the lowest grades."""
    others = sampler.n_documents - sampler.relevant
    sizes = truncate_counts(sampler.counts, np.maximum(sampler.depth - others, 0))
    cell, number, grade = lay_out_grades(sampler.grades, sizes)
    return JudgedRun(DrawnPool(sampler, 1), cell, others[cell] + number, grade, sampler.depth)
