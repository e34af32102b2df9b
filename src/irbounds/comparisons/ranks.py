"""``rank_interval``: the ranks of systems with simultaneous intervals, and groups of tied systems.

Two systems differ significantly if their means are further apart than chance would put the best and
the worst of as many equal systems. To find that distance, the scores of every query are shuffled
among all systems many times, and the range of the shuffled means is recorded (the randomised Tukey
test, ``max-statistic`` in ``difference_interval``, which finds the same pairs). So all comparisons
hold together at the confidence level, if the scores of all systems have a similar spread; a few
erratic systems among many steady ones are found to differ too easily. A system's rank is between
1 + the number of significantly better systems and the number of systems minus that of significantly
worse ones.

Ranks by Borda points use the same comparisons, on the points of each query in place of the scores.
Shuffling scores within a query shuffles its points, so the test is the permutation form of
Nemenyi's test.

The probability of being best is the fraction of bootstrap resamples of queries in which a system
has the highest mean.

References: Carterette (TOIS 2012) for the test; Al Mohamad, Goeman and van Zwet (Biometrika 2022)
for ranks from simultaneous comparisons.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace
from string import ascii_lowercase
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from ..errors import DataError
from ..parallel.memory import NUMBER_BYTES, check_fits_now
from ..parallel.work import count_progress
from ..resampling.query_bootstrap import bootstrap_queries, unit_of
from ..resampling.seeds import SeedLike, seed_number
from ..results import RankEstimate, RankInterval, Results
from ..scores.score_input import as_score_table
from ..validation import (
    Progress,
    RankCriterion,
    check_choice,
    check_confidence_level,
    check_count,
)
from .borda import borda_points
from .max_statistic import DRAWS, range_of_means, shuffle_until_certain
from .pairs import round_means, rounding_of

Floats = NDArray[np.float64]


def rank_interval(
    scores: Any,
    *,
    by: RankCriterion = "mean",
    confidence_level: float = 0.95,
    n_resamples: int | None = None,
    rng: SeedLike = 0,
    progress: Progress | None = None,
) -> Results[RankEstimate]:
    """Return the ranks of all systems, with simultaneous intervals.

    Parameters
    ----------
    scores
        A ``ScoreTable`` or what ``read_scores`` takes, of at least two systems and two queries.
    by
        ``"mean"``: the mean score. ``"borda"``: the sum of Borda points, of which a system gets one
        per query for each system that it beats, and half for each tie.
    confidence_level
        Of all rank intervals and tied groups of a measure together.
    n_resamples
        The number of shuffles, and of bootstrap resamples for the probability of being best. By
        default 9,999 each, and more shuffles until every decision is certain or that takes seconds.
    rng
        Seed or generator; the same seed gives the same numbers. None draws a new seed, which the
        result names.
    progress
        Called with the number of draws done and the number of draws of the present step.

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
    check_choice("by", by, get_args(RankCriterion))
    confidence_level = check_confidence_level(confidence_level)
    n_shuffles = None if n_resamples is None else check_count("n_resamples", n_resamples)
    draws = n_shuffles or DRAWS
    if len(table.systems) < 2 or len(table.queries) < 2:
        call = table.words.call
        raise DataError(
            f"ranks need at least two {call('systems')} and two {call('queries')}; got "
            f"{len(table.systems)} and {len(table.queries)}"
        )
    # the means on all resamples, and the fractions that are computed from them
    check_fits_now(
        f"{draws:,} resamples for {len(table.systems):,} systems",
        3 * NUMBER_BYTES * len(table.systems) * draws,
        "take fewer resamples or systems",
    )
    plan = _Plan(confidence_level, draws, n_shuffles, seed_number(rng), progress)
    ranks: list[RankEstimate] = []
    for measure, values in zip(table.measures, table.values, strict=True):
        ranked = borda_points(values) if by == "borda" else values
        order = np.argsort(-round_means(ranked), kind="stable")
        names = [table.systems[k] for k in order]
        critical, n_shuffles = _critical_difference(ranked, plan)
        of_measure = _rank_systems(measure, names, ranked[order], critical, n_shuffles, plan)
        if by == "borda":
            of_measure = _add_points(of_measure, values[order])
        ranks += of_measure
    return Results(ranks)


def _add_points(ranks: list[RankEstimate], scores: Floats) -> list[RankEstimate]:
    """Return ranks by mean points as ranks by points, with the mean scores."""
    return [
        replace(
            rank,
            mean=float(of_system.mean()),
            points=round(2 * rank.mean * rank.n) / 2,  # points are multiples of one half
            critical_difference=rank.critical_difference * rank.n,
            by="borda",
        )
        for rank, of_system in zip(ranks, scores, strict=True)
    ]


@dataclass(frozen=True)
class _Plan:
    """The options of ``rank_interval``, checked."""

    confidence_level: float
    draws: int
    #: None for as many as the decisions need
    n_shuffles: int | None
    seed: int
    progress: Progress | None


def _rank_systems(
    measure: str,
    systems: list[str],
    scores: Floats,
    critical: float,
    n_shuffles: int,
    plan: _Plan,
) -> list[RankEstimate]:
    probabilities = _best_probabilities(scores, plan)
    means = scores.mean(axis=1)
    close = rounding_of(scores)
    letters = compact_letters(means, critical)
    return [
        RankEstimate(
            measure=measure,
            system=system,
            mean=float(means[k]),
            value=1 + int(np.count_nonzero(means > means[k] + close)),
            interval=RankInterval(
                1 + int(np.count_nonzero(means - means[k] > critical)),
                len(systems) - int(np.count_nonzero(means[k] - means > critical)),
                plan.confidence_level,
                "max-statistic",
            ),
            best_probability=float(probabilities[k]),
            letters=letters[k],
            critical_difference=critical,
            n=scores.shape[1],
            n_resamples=plan.draws,
            n_shuffles=n_shuffles,
            seed=plan.seed,
        )
        for k, system in enumerate(systems)
    ]


def _critical_difference(scores: Floats, plan: _Plan) -> tuple[float, int]:
    """Return the largest difference of means that chance explains, and the number of shuffles.

    It holds for all pairs together. With d draws, (1 + hits) / (1 + d) is at most 1 - level where
    hits are few enough. Where even 0 hits are too many, the difference is infinite.
    """
    means, close = np.sort(scores.mean(axis=1)), rounding_of(scores)

    def is_certain(low: float, high: float) -> bool:
        n_nearer = np.searchsorted(means, means + low + close, side="right")
        return np.array_equal(n_nearer, np.searchsorted(means, means + high + close, side="right"))

    ranges = shuffle_until_certain(
        scores - scores.mean(axis=0),
        range_of_means,
        is_certain,
        n_shuffles=plan.n_shuffles,
        confidence_level=plan.confidence_level,
        seed=plan.seed,
        progress=plan.progress,
    )
    max_hits = int(np.floor((1 - plan.confidence_level) * (1 + ranges.size) + 1e-9)) - 1
    if max_hits < 0:
        return np.inf, ranges.size
    return float(ranges[ranges.size - 1 - max_hits]) + close, ranges.size


def _best_probabilities(scores: Floats, plan: _Plan) -> Floats:
    """Return the fraction of resamples in which each system is best; equal systems divide it."""
    step = count_progress(plan.progress, plan.draws, step=unit_of(scores.shape[1]))
    means = bootstrap_queries(scores, plan.draws, plan.seed, progress=step).means
    best = means >= means.max(axis=0) - rounding_of(scores)
    return np.asarray((best / best.sum(axis=0)).mean(axis=1))


def compact_letters(means: Floats, critical: float) -> list[str]:
    """Return the letters of each system: systems differ significantly if they share no letter.

    ``means`` are in falling order, and two systems differ whose means are more than ``critical``
    apart. A letter denotes a longest sequence of systems, in the order of their means, of which no
    two differ. Letters describe all pairs because any system between two that do not differ does
    not differ from them either.

    Beyond 26 groups their names have several letters. Then the first and the last group of a system
    are listed, as in ``x-ac``; the system is in all groups between them.
    """
    groups: list[range] = []
    for first, mean in enumerate(means):
        last = int(np.count_nonzero(mean - means <= critical))
        if not groups or last > groups[-1].stop:
            groups.append(range(first, last))
    few = len(groups) <= len(ascii_lowercase)
    letters = []
    for system in range(len(means)):
        # the groups of a system are consecutive, since groups begin and end in order
        first = bisect_right(groups, system, key=lambda group: group.stop)
        last = bisect_right(groups, system, key=lambda group: group.start) - 1
        if few:
            letters.append("".join(map(_name_group, range(first, last + 1))))
        else:
            letters.append("-".join(map(_name_group, sorted({first, last}))))
    return letters


def _name_group(k: int) -> str:
    """Return a to z, then aa, ab and so on."""
    name = ""
    while k >= 0:
        k, letter = divmod(k, len(ascii_lowercase))
        name = ascii_lowercase[letter] + name
        k -= 1
    return name
