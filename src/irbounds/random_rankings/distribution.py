"""The null distribution: how the scores of random rankings spread, and p-values from it.

Three methods give it. ``exact`` counts all rankings, for AP where they can be counted;
``monte-carlo`` draws random rankings, for every measure; ``matched-moments`` is an approximation by
mean and variance. Left open, the choice is exact where it fits and Monte Carlo elsewhere. A mean
over queries takes a random ranking of each query, independent of the others.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import DegenerateSampleWarning, MeasureError, ParameterError
from ..parameters import Alternative, ChanceMethod, Progress, check_alternative
from ..resampling.seeds import SeedLike, seed_number
from ..results import NullDistribution
from ..scores.measures import Measure
from .chance_measures import chance_parameters, measure_called
from .exact import exact_distribution, fits_exactly, is_average_precision
from .expectation import expectation_of
from .extremes import check_reachable, extremes
from .matched_moments import MatchedMoments, caution_about, rarest_of
from .populations import Population, population_of
from .random_rankings import MonteCarlo, Simulated, can_draw, ranks_in_sight, simulate
from .significance import check_draws, check_method
from .tails import checked_score
from .variance import variance_of

MOST_RANKS = 2 * 10**9  # drawn without being asked for: some minutes


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
        A measure in ir_measures' spelling: AP, P, R, Rprec, RR, Success, nDCG, RBP, INSQ or ERR.
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
    found = distribution_of(
        measure_called(measure),
        population_of(n_documents, n_relevant, y_true),
        method=method,
        n_draws=n_draws,
        seed=seed_number(rng),
        progress=progress,
    )
    _say_caution(found)
    return found


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
    score, side = checked_score("observed", observed), check_alternative(alternative)
    population = population_of(n_documents, n_relevant, y_true)
    chosen = measure_called(measure)
    chance = distribution_of(
        chosen, population, method=method, n_draws=n_draws, seed=seed_number(rng)
    )
    _say_caution(chance)
    check_reachable(chosen, population, score)
    return chance.p_value(score, side)


def distribution_of(
    measure: Measure,
    population: Population,
    *,
    method: ChanceMethod | None = None,
    n_draws: int = 9999,
    seed: int,
    progress: Progress | None = None,
) -> NullDistribution:
    """The distribution of a measure's score, or mean score, by a method or by the one that fits."""
    check_method(method)
    draws = check_draws(n_draws)
    if method is None:
        method = _method_that_fits(measure, population, draws)
    if method == "monte-carlo":
        (drawn,) = simulate([measure], population, draws, seed, progress=progress)
        return simulated_distribution(measure, population, drawn)
    return _COMPUTED[method](measure, population)


def _method_that_fits(measure: Measure, population: Population, n_draws: int) -> ChanceMethod:
    """Exact, or drawn where that takes some minutes at most: nobody asked for more."""
    if fits_exactly(measure, population):
        return "exact"
    n_ranks = n_draws * ranks_in_sight(measure, population)
    if n_ranks > MOST_RANKS and can_draw(measure, population):
        has_variance = chance_parameters(measure)[0] != "ERR"
        rough = ", or make do with the approximation 'matched-moments'" if has_variance else ""
        raise ParameterError(
            f"monte-carlo would draw {n_ranks:,.0f} ranks, in {n_draws:,} draws, which takes long: "
            f"ask for 'monte-carlo' by name, fewer draws or a measure with a cutoff{rough}"
        )
    return "monte-carlo"


def simulated_distribution(
    measure: Measure, population: Population, simulated: Simulated
) -> MonteCarlo:
    """The distribution of scores that were drawn."""
    mean, deviation = moments_of(measure, population)
    if np.isnan(deviation):
        deviation = float(np.std(simulated.means))
    return MonteCarlo(mean, deviation, simulated)


def moments_of(measure: Measure, population: Population) -> tuple[float, float]:
    """Mean and standard deviation of the score, or mean score; NaN for one without a formula."""
    mean = float(np.mean(expectation_of(measure, population)))
    variance = np.asarray(variance_of(measure, population))
    return mean, float(np.sqrt(variance.sum()) / variance.size)


def _say_caution(found: NullDistribution) -> None:
    if isinstance(found, MatchedMoments) and found.caution:
        warnings.warn(found.caution, DegenerateSampleWarning, stacklevel=3)


def _exact(measure: Measure, population: Population) -> NullDistribution:
    if not is_average_precision(measure):
        raise MeasureError(
            f"method 'exact' is for AP alone; got {measure.name} (use 'monte-carlo')"
        )
    if not fits_exactly(measure, population):
        raise ParameterError(
            "method 'exact' counts rankings, and these are too many: it takes 44 documents a query "
            "at most, or very few relevant ones, and few queries (use 'monte-carlo')"
        )
    return exact_distribution(measure, population, *moments_of(measure, population))


def _matched(measure: Measure, population: Population) -> NullDistribution:
    mean, deviation = moments_of(measure, population)
    if np.isnan(deviation):
        raise MeasureError(
            f"method 'matched-moments' needs the variance, and {measure.name} has no formula for "
            "it (use 'monte-carlo')"
        )
    low, high = extremes(measure, population)
    caution = caution_about(measure, population)
    return MatchedMoments(mean, deviation, low, high, caution, rarest_of(population))


_COMPUTED: dict[str, Callable[[Measure, Population], NullDistribution]] = {
    "exact": _exact,
    "matched-moments": _matched,
}
