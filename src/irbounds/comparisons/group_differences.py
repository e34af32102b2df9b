"""Groups of queries, and comparisons between them.

Between groups the question is whether the mean difference is the same in all of them. Welch's test
compares the means of several samples whose spreads differ, here the differences of each group's
queries. For two groups it is Welch's t test.

Reference: Welch (1951).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ..errors import InputError, quote, quote_several
from ..presentation.phrases import group_by_measure
from ..results import Comparison, GroupComparison, GroupInteraction, Results
from .adjustments import ADJUSTMENTS

Floats = NDArray[np.float64]


def place_groups(groups: Mapping[str, str], queries: Sequence[str]) -> dict[str, list[int]]:
    """Return the places of each group's queries; every query needs a group."""
    missing = [query for query in queries if query not in groups]
    if missing:
        raise InputError(
            f"groups: no group for {len(missing):,} of {len(queries):,} queries with scores, such "
            f"as {quote(missing[0])}; got groups of {quote_several(groups)}; give every query a "
            "group, such as 'other'"
        )
    known = set(queries)
    names = dict.fromkeys(group for query, group in groups.items() if query in known)
    places: dict[str, list[int]] = {name: [] for name in names}
    for place, query in enumerate(queries):
        places[groups[query]].append(place)
    if not 1 < len(places) < len(queries):
        raise InputError(
            "groups: two groups or more are needed, one of them with several queries; got "
            f"{quote_several(places)} of {len(queries):,} queries with scores"
        )
    return places


def compare_between_groups(rows: Sequence[Comparison]) -> Results[GroupInteraction]:
    """Return for each pair of a measure whether its difference is the same in all groups.

    ``rows`` are those of ``difference_interval`` with groups: for each pair that of all queries,
    then those of the groups.
    """
    interactions: list[GroupInteraction] = []
    for family in group_by_measure(rows):
        within = [row for row in family if isinstance(row, GroupComparison) and not row.is_of_all]
        n_pairs = len(family) - len(within)
        n_groups = len(within) // n_pairs
        by_pair = [within[k * n_groups : (k + 1) * n_groups] for k in range(n_pairs)]
        statistic, df_between, df_within, p = welch_test(
            np.array([[row.value for row in pair] for pair in by_pair]),
            np.array([[row.standard_error for row in pair] for pair in by_pair]),
            np.array([row.n for row in by_pair[0]]),
        )
        adjusted = ADJUSTMENTS[within[0].adjustment](p)
        for k, pair in enumerate(by_pair):
            compared = [row for row in pair if not np.isnan(row.standard_error)]
            ends = sorted(compared or pair, key=lambda row: row.value)
            interactions.append(
                GroupInteraction(
                    measure=pair[0].measure,
                    system=pair[0].system,
                    baseline=pair[0].baseline,
                    statistic=float(statistic[k]),
                    df_between=int(df_between[k]),
                    df_within=float(df_within[k]),
                    lowest=ends[0].value,
                    lowest_group=ends[0].group,
                    highest=ends[-1].value,
                    highest_group=ends[-1].group,
                    p_value=float(p[k]),
                    adjusted_p_value=float(adjusted[k]),
                    n_groups=len(compared),
                    n_left_out=n_groups - len(compared),
                    n_comparisons=int(np.count_nonzero(~np.isnan(p))),
                    adjustment=pair[0].adjustment,
                    confidence_level=pair[0].interval.confidence_level,
                )
            )
    return Results(interactions)


def welch_test(
    means: Floats, standard_errors: Floats, sizes: NDArray[np.int_]
) -> tuple[Floats, NDArray[np.int_], Floats, Floats]:
    """Return F, its two degrees of freedom and p of Welch's test of equal means.

    ``means`` and ``standard_errors`` are sample x group, ``sizes`` is by group. Groups without a
    standard error are left out; F is NaN where fewer than two remain.
    """
    known = standard_errors > 0  # NaN is not
    n_groups = known.sum(axis=1)
    with np.errstate(all="ignore"):
        smallest = np.where(known, standard_errors, np.inf).min(axis=1, keepdims=True)
        # squares of standard errors may be below the smallest double, those of ratios are not
        weights = np.where(known, (smallest / standard_errors) ** 2, 0.0)
        total = weights.sum(axis=1, keepdims=True)
        centre = np.where(known, weights * means, 0.0).sum(axis=1, keepdims=True) / total
        deviations = np.where(known, weights * ((means - centre) / smallest) ** 2, 0.0)
        k = np.where(n_groups > 1, n_groups, np.nan)
        loss = np.where(known, (1 - weights / total) ** 2 / (sizes - 1), 0.0).sum(axis=1)
        statistic = deviations.sum(axis=1) / (k - 1) / (1 + 2 * (k - 2) * loss / (k**2 - 1))
        df_within = (k**2 - 1) / (3 * loss)
        p = special.fdtrc(k - 1, df_within, statistic)
    return statistic, np.maximum(n_groups - 1, 0), df_within, p
