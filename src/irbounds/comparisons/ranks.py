"""``rank_interval``: where each system stands, where it might stand, and who is tied.

Two systems are told apart if their means lie further apart than chance would put the best and the
worst of as many equal systems: the scores of every query are shuffled among all systems again and
again, and the range of the shuffled means is noted (the randomised Tukey test, ``max-statistic`` in
``difference_interval``, which tells the same pairs apart). So all comparisons hold together at the
stated level, if the systems' scores spread alike; a few erratic systems among many steady ones are
told apart too easily. A system's rank lies between 1 + the systems surely better and all less those
surely worse.

The chance of being best is the share of bootstrap resamples of queries in which a system has the
highest mean.

References: Carterette (TOIS 2012) for the test; Al Mohamad, Goeman and van Zwet (Biometrika 2022)
for ranks from simultaneous comparisons.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import DataError
from ..parallel.work import count_progress
from ..resampling.label_shuffles import UNIT, shuffle_labels
from ..resampling.queries import bootstrap_queries, unit_of
from ..resampling.streams import SeedLike, seed_number
from ..results import RankEstimate, RankInterval, Results
from ..scores.score_input import as_score_table
from ..validation import Progress, check_confidence_level, check_count
from .letters import compact_letters
from .max_statistic import range_of_means, warn_of_too_few
from .memory import check_ranks_fit
from .pairs import closeness_of, rounded_means

Floats = NDArray[np.float64]


def rank_interval(
    scores: Any,
    *,
    confidence_level: float = 0.95,
    n_resamples: int = 9999,
    rng: SeedLike = 0,
    progress: Progress | None = None,
) -> Results[RankEstimate]:
    """Return the ranks of all systems, with simultaneous intervals.

    Parameters
    ----------
    scores
        A ``ScoreTable`` or what ``read_scores`` takes, of at least two systems and two queries.
    confidence_level
        Of all rank intervals and tied groups of a measure together.
    n_resamples
        The number of shuffles, and of bootstrap resamples for the probability of being best.
    rng
        Seed or generator; the same seed gives the same numbers. None draws a new seed, which the
        result names.
    progress
        Called with the number of draws done and the number of all draws.

    Returns
    -------
    Results of RankEstimate
        One per measure and system, the best system of a measure first. Systems that share one of
        the ``letters`` are not significantly different.

    Examples
    --------
    >>> import polars as pl
    >>> a = [0.5, 0.6, 0.3, 0.8, 0.4, 0.7, 0.2, 0.9]
    >>> b = [0.4, 0.7, 0.2, 0.7, 0.5, 0.6, 0.3, 0.8]
    >>> table = pl.DataFrame({"a": a, "b": b, "c": [x / 9 for x in a]})
    >>> [(r.system, r.value, *r.interval, r.letters) for r in rank_interval(table, rng=1)]
    [('a', 1, 1, 2, 'a'), ('b', 2, 1, 2, 'a'), ('c', 3, 3, 3, 'b')]
    """
    table = as_score_table(scores)
    confidence_level = check_confidence_level(confidence_level)
    draws = check_count("n_resamples", n_resamples)
    if len(table.systems) < 2 or len(table.queries) < 2:
        raise DataError(
            "ranks need at least two systems and two queries; got "
            f"{len(table.systems)} and {len(table.queries)}"
        )
    check_ranks_fit(len(table.systems), draws)
    n_units = -(-draws // UNIT) + -(-draws // unit_of(len(table.queries)))
    step = count_progress(progress, draws, step=draws / (n_units * len(table.measures)))
    plan = _Plan(confidence_level, draws, seed_number(rng), step)
    ranks: list[RankEstimate] = []
    for measure, values in zip(table.measures, table.values, strict=True):
        order = np.argsort(-rounded_means(values), kind="stable")
        names = [table.systems[k] for k in order]
        ranks += _estimates(measure, names, values[order], _reach(values, plan), plan)
    return Results(ranks)


@dataclass(frozen=True)
class _Plan:
    """What was asked for, checked."""

    confidence_level: float
    draws: int
    seed: int
    step: Callable[[], None] | None


def _estimates(
    measure: str, systems: list[str], scores: Floats, reach: float, plan: _Plan
) -> list[RankEstimate]:
    chances = _chances_of_best(scores, plan)
    means = scores.mean(axis=1)
    close = closeness_of(scores)
    letters = compact_letters(means, reach)
    return [
        RankEstimate(
            measure=measure,
            system=system,
            mean=float(means[k]),
            value=1 + int(np.count_nonzero(means > means[k] + close)),
            interval=RankInterval(
                1 + int(np.count_nonzero(means - means[k] > reach)),
                len(systems) - int(np.count_nonzero(means[k] - means > reach)),
                plan.confidence_level,
                "max-statistic",
            ),
            best_probability=float(chances[k]),
            letters=letters[k],
            critical_difference=reach,
            n=scores.shape[1],
            n_resamples=plan.draws,
            seed=plan.seed,
        )
        for k, system in enumerate(systems)
    ]


def _reach(scores: Floats, plan: _Plan) -> float:
    """How far apart means may lie by chance alone, for all pairs together.

    With d draws, (1 + hits) / (1 + d) is at most 1 - level where hits are few enough; infinite
    where even no hit would not do.
    """
    centred = scores - scores.mean(axis=0)
    ranges = shuffle_labels(centred, plan.draws, plan.seed, range_of_means, progress=plan.step)
    most_hits = int(np.floor((1 - plan.confidence_level) * (1 + plan.draws) + 1e-9)) - 1
    if most_hits < 0:
        warn_of_too_few(plan.draws, plan.confidence_level)
        return np.inf
    return float(np.sort(ranges)[plan.draws - 1 - most_hits]) + closeness_of(scores)


def _chances_of_best(scores: Floats, plan: _Plan) -> Floats:
    """Share of resamples in which each system's mean is the highest; equal ones share it."""
    means = bootstrap_queries(scores, plan.draws, plan.seed, progress=plan.step).means
    best = means >= means.max(axis=0) - closeness_of(scores)
    return np.asarray((best / best.sum(axis=0)).mean(axis=1))
