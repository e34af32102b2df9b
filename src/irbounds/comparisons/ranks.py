"""``rank_interval``: the ranks of systems with simultaneous intervals, and groups of tied systems.

All pairs of systems are compared by the paired t test with Holm's adjustment, as
``difference_interval`` compares them. A system's rank is between 1 + the number of significantly
better systems and the number of systems minus that of significantly worse ones. These intervals
hold together at the confidence level, if each p-value is valid. Nothing is drawn at random.

Ranks by Borda points use the same comparisons, on the points of each query in place of the scores.

References: Holm (1979); Al Mohamad, Goeman and van Zwet (Biometrika 2022) for ranks from
simultaneous comparisons.
"""

from __future__ import annotations

from string import ascii_lowercase
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from ..errors import DataError
from ..presentation.rounding import error_level
from ..results import RankEstimate, RankInterval, Results
from ..scores.score_input import as_score_table
from ..validation import Progress, RankCriterion, check_choice, check_confidence_level
from .borda import borda_points
from .pairs import Pairs, pair_places, round_means, rounding_of
from .tests_of_difference import adjust_all_pairs

Floats = NDArray[np.float64]


def rank_interval(
    scores: Any,
    *,
    by: RankCriterion = "mean",
    confidence_level: float = 0.95,
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
    progress
        Called with the number of pairs that are done and of all.

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
    >>> [(r.system, r.value, *r.interval, r.letters) for r in rank_interval(table)]
    [('a', 1, 1, 2, 'a'), ('b', 2, 1, 2, 'a'), ('c', 3, 3, 3, 'b')]
    """
    table = as_score_table(scores)
    check_choice("by", by, get_args(RankCriterion))
    confidence_level = check_confidence_level(confidence_level)
    if len(table.systems) < 2 or len(table.queries) < 2:
        raise DataError(
            f"ranks need at least two systems and two queries; got {len(table.systems)} and "
            f"{len(table.queries)}"
        )
    ranks: list[RankEstimate] = []
    for measure, values in zip(table.measures, table.values, strict=True):
        ranked = borda_points(values) if by == "borda" else values
        places = pair_places(table.systems, ranked.mean(axis=1), None)
        adjusted = adjust_all_pairs(Pairs(measure, table.systems, ranked, *places), progress)
        order = np.argsort(-round_means(ranked), kind="stable")
        differs = (adjusted <= error_level(confidence_level))[np.ix_(order, order)]
        means, close = ranked[order].mean(axis=1), rounding_of(ranked)
        letters = compact_letters(differs)
        ranks += [
            RankEstimate(
                measure=measure,
                system=table.systems[system],
                mean=float(values[system].mean()),
                value=1 + int(np.count_nonzero(means > means[k] + close)),
                interval=RankInterval(
                    1 + int(np.count_nonzero(differs[:k, k])),
                    len(order) - int(np.count_nonzero(differs[k + 1 :, k])),
                    confidence_level,
                    "holm",
                ),
                letters=letters[k],
                n=len(table.queries),
                by=by,
                points=float(ranked[system].sum()) if by == "borda" else None,
            )
            for k, system in enumerate(order)
        ]
    return Results(ranks)


def compact_letters(differs: NDArray[np.bool_]) -> list[str]:
    """Return the letters of each system: systems differ significantly if they share no letter.

    ``differs`` is system x system, best first. Each pair that does not differ and has no letter in
    common starts a group, with all systems, best first, that differ from none of the group. More
    than 26 groups cannot be read, and have no letters.
    """
    shares = np.zeros_like(differs)
    groups: list[list[int]] = []
    for first, second in zip(*np.triu_indices(len(differs)), strict=True):
        if shares[first, second] or differs[first, second]:
            continue
        group = sorted({int(first), int(second)})
        for system in range(len(differs)):
            if system not in group and not differs[system, group].any():
                group.append(system)
        shares[np.ix_(group, group)] = True
        groups.append(sorted(group))
        if len(groups) > len(ascii_lowercase):
            return [""] * len(differs)
    groups.sort()
    return [
        "".join(ascii_lowercase[k] for k, group in enumerate(groups) if system in group)
        for system in range(len(differs))
    ]
