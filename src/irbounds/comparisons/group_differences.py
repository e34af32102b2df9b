"""Comparisons within groups of queries, and between groups.

Within groups every pair is compared on the queries of each group. All pairs and groups of a measure
are one family, so that a finding in any group allows for all of them. The comparisons on all
queries are those of ``difference_interval`` and a family of their own.

Between groups the question is whether the mean difference is the same in all groups. Welch's test
compares the means of several samples whose spreads differ, here the differences of each group's
queries. For two groups it is Welch's t test.

A pair is in the same order in all groups: the system that is better on all queries is first.

Reference: Welch (1951).
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ..errors import DegenerateSampleWarning
from ..presentation.phrases import half_width, join_names
from ..presentation.rounding import decimals_of_column
from ..reading.query_groups import QueryGroups
from ..results import Comparison, Comparisons, GroupComparison, GroupInteraction, Results
from ..results.group_comparisons import ALL
from ..scores.score_table import ScoreTable
from .adjustments import ADJUSTMENTS
from .differences import compare_family, make_plan
from .pairs import check_pairs_fit, pair_systems

Floats = NDArray[np.float64]


def compare_groups(
    table: ScoreTable, groups: QueryGroups, *, baseline: str | None, **options: Any
) -> Comparisons:
    """Return the comparisons within groups and on all queries, and those between groups.

    ``options`` are all those of ``difference_interval``, checked.
    """
    places = groups.places(table.queries)
    n_families = len(table.measures) * (1 + len(places))
    check_pairs_fit(len(table.systems), n_families, baseline)
    by_measure = pair_systems(table, baseline)
    plan = make_plan(table.inputs, **options)
    comparisons: list[Comparison] = []
    interactions: list[GroupInteraction] = []
    _warn_of_single_queries(places)
    for pairs in by_measure:
        whole = list(compare_family([pairs.select(range(len(table.queries)), ALL)], plan))
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", ".*: no interval, a single query", append=False)
            within = [pairs.select(members, name) for name, members in places.items()]
            rows = list(compare_family(within, plan))
        n = len(whole)
        by_pair = [(whole[k], rows[k::n]) for k in range(n)]
        by_pair.sort(key=lambda pair: -pair[0].value)
        for row, of_groups in by_pair:
            comparisons += [row, *of_groups]
        interactions += compare_between_groups(by_pair)
    return Comparisons(comparisons, interactions=Results(interactions))


def _warn_of_single_queries(places: dict[str, list[int]]) -> None:
    single = [name for name, members in places.items() if len(members) == 1]
    if single:
        warnings.warn(
            f"groups of one query have no interval and no t test: {join_names(single)}",
            DegenerateSampleWarning,
            stacklevel=4,
        )


def compare_between_groups(
    by_pair: Sequence[tuple[Comparison, Sequence[Comparison]]],
) -> Iterator[GroupInteraction]:
    """Return for each pair of a measure whether its difference is the same in all groups."""
    means = np.array([[row.value for row in rows] for _, rows in by_pair])
    errors = np.array([[row.standard_error for row in rows] for _, rows in by_pair])
    sizes = np.array([row.n for row in by_pair[0][1]])
    statistic, df_between, df_within, p = welch_test(means, errors, sizes)
    first = by_pair[0][0]
    adjusted = ADJUSTMENTS[first.adjustment](p)
    n_tests = int(np.count_nonzero(~np.isnan(p)))
    places = decimals_of_column(half_width(row.value, row.interval) for row, _ in by_pair)
    for k, (row, of_groups) in enumerate(by_pair):
        compared = [part for part in of_groups if not np.isnan(part.standard_error)]
        ends = sorted(compared or of_groups, key=lambda part: part.value)
        lowest, highest = ends[0], ends[-1]
        assert isinstance(lowest, GroupComparison)
        assert isinstance(highest, GroupComparison)
        yield GroupInteraction(
            measure=row.measure,
            system=row.system,
            baseline=row.baseline,
            statistic=float(statistic[k]),
            df_between=int(df_between[k]),
            df_within=float(df_within[k]),
            lowest=lowest.value,
            lowest_group=lowest.group,
            highest=highest.value,
            highest_group=highest.group,
            p_value=float(p[k]),
            adjusted_p_value=float(adjusted[k]),
            n_groups=len(compared),
            n_left_out=len(of_groups) - len(compared),
            n_comparisons=n_tests,
            adjustment=row.adjustment,
            confidence_level=row.interval.confidence_level,
            places=places,
        )


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
        k = n_groups.astype(np.float64)
        loss = np.where(known, (1 - weights / total) ** 2 / (sizes - 1), 0.0).sum(axis=1)
        statistic = deviations.sum(axis=1) / (k - 1) / (1 + 2 * (k - 2) * loss / (k**2 - 1))
        df_within = (k**2 - 1) / (3 * loss)
        p = special.fdtrc(k - 1, df_within, statistic)
    is_tested = n_groups > 1
    return (
        np.where(is_tested, statistic, np.nan),
        np.maximum(n_groups - 1, 0),
        np.where(is_tested, df_within, np.nan),
        np.where(is_tested, p, np.nan),
    )
