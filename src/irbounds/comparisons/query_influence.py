"""The queries that decide a difference: their contributions, and the decision without them.

A mean difference is the sum of the contributions of its queries, each the difference on the query
over the number of queries. Without a query, mean and spread of the others follow in closed form,
and so does the t test. All pairs of the family are tested again without the query, so that the
decision is the one that ``compare`` would have made.

The fewest queries whose removal turns the sign are the largest contributions on its side. For the
decision, the query that changes t most is removed until the decision turns. A smaller set may
exist, so this number is an upper bound.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from math import isnan, nan, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ..errors import ParameterError
from ..intervals.sample import scale_of
from ..parallel import count_progress
from ..presentation.rounding import error_level
from ..results import Comparison, QueryContribution
from ..scores.score_table import ScoreTable
from ..validation import Alternative, Progress
from .adjustments import ADJUSTMENTS
from .pairs import Pairs, pair_systems
from .tests_of_difference import t_p_values

Floats = NDArray[np.float64]

MIN_NET = 0.1  # of the sum of absolute differences: below it fractions of the sum are not shown
CANCELLED = 1e-6  # of the sum of squares: what remains of it has lost too many digits


def check_influence_test(test: str) -> None:
    """Raise ``ParameterError`` for tests that cannot be repeated without every query."""
    if test != "t":
        raise ParameterError(f"by_query is for test 't', which it repeats; got test {test!r}")


def check_pairs(systems: Sequence[str], baseline: str | None) -> None:
    """Raise ``ParameterError`` where all pairs of many systems would be listed."""
    if baseline is None and len(systems) > 2:
        raise ParameterError(
            f"by_query needs a baseline, or two systems; got {len(systems):,} systems"
        )


def list_contributions(
    table: ScoreTable,
    baseline: str | None,
    comparisons: Sequence[Comparison],
    progress: Progress | None = None,
) -> list[QueryContribution]:
    """Return the queries of every pair, largest contribution first.

    ``comparisons`` are those of ``difference_interval`` for this table and baseline.
    """
    step = count_progress(progress, len(comparisons))
    contributions: list[QueryContribution] = []
    n = len(comparisons) // len(table.measures)
    for m, pairs in enumerate(pair_systems(table, baseline)):
        family = comparisons[m * n : (m + 1) * n]
        contributions += _list_family(pairs, family, step)
    return contributions


def _list_family(
    pairs: Pairs, family: Sequence[Comparison], step: Callable[[], None] | None
) -> list[QueryContribution]:
    first = family[0]
    level = error_level(first.interval.confidence_level)
    adjust = ADJUSTMENTS[first.adjustment]
    differences = pairs.differences(slice(None))
    means, p = leave_one_out(differences, first.alternative)
    adjusted = np.column_stack([adjust(column) for column in p.T])
    rows: list[QueryContribution] = []
    for k in np.argsort([-comparison.value for comparison in family], kind="stable"):
        comparison, values = family[k], differences[k]
        total = float(values.sum())
        gross = float(np.abs(values).sum())
        has_fractions = abs(total) >= MIN_NET * gross > 0
        fractions = values / total if has_fractions else np.full(pairs.n, np.nan)
        order = np.argsort(-np.abs(values), kind="stable")
        cumulative = np.cumsum(fractions[order])
        to_turn_sign = count_to_turn_sign(values, float(pairs.closeness[k]))
        to_turn_decision = list_to_turn_decision(differences, int(k), comparison, level)
        names = tuple(pairs.queries[q] for q in to_turn_decision or ())
        for place, q in enumerate(order):
            turns = bool(adjusted[k, q] <= level) != comparison.is_significant
            rows.append(
                QueryContribution(
                    measure=comparison.measure,
                    system=comparison.system,
                    baseline=comparison.baseline,
                    query_id=pairs.queries[q],
                    system_score=float(pairs.scores[pairs.first[k], q]),
                    baseline_score=float(pairs.scores[pairs.second[k], q]),
                    value=float(values[q]),
                    contribution=float(values[q]) / pairs.n,
                    fraction=float(fractions[q]),
                    cumulative_fraction=float(cumulative[place]),
                    difference_without=float(means[k, q]),
                    p_without=float(p[k, q]),
                    adjusted_p_without=float(adjusted[k, q]),
                    turns_decision=turns,
                    n_to_turn_sign=to_turn_sign,
                    n_to_turn_decision=None if to_turn_decision is None else len(to_turn_decision),
                    queries_to_turn_decision=names,
                    comparison=comparison,
                )
            )
        if step:
            step()
    return rows


def leave_one_out(differences: Floats, alternative: Alternative) -> tuple[Floats, Floats]:
    """Return the mean and the p-value of the t test without each query: pair x query."""
    n = differences.shape[1]
    if n < 2:
        return np.full(differences.shape, np.nan), np.full(differences.shape, np.nan)
    scale = scale_of(differences)  # squares of scores may be too large for a double
    means, t = _test_others(differences / scale)
    p = _tail(t, n - 2, alternative)
    # without the query all others are 0
    is_zero = np.count_nonzero(differences, axis=1)[:, None] == (differences != 0)
    return np.where(is_zero, 0.0, means * scale), np.where(is_zero, 1.0, p)


def _test_others(differences: Floats) -> tuple[Floats, Floats]:
    """Return mean and t of all other queries; t is NaN where they are all equal."""
    n = differences.shape[1]
    mean = differences.mean(axis=1, keepdims=True)
    means = mean + (mean - differences) / (n - 1)
    centred = differences - mean
    squares = (centred**2).sum(axis=1, keepdims=True)
    rest = squares - centred**2 * (n / (n - 1))
    for k, q in np.argwhere((rest <= CANCELLED * squares) & (squares > 0)):
        others = np.delete(differences[k], q)
        means[k, q] = others.mean()
        rest[k, q] = ((others - others.mean()) ** 2).sum() if np.ptp(others) else 0.0
    if n < 3:
        return means, np.full(means.shape, np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = means / np.sqrt(rest / (n - 2) / (n - 1))
    return means, np.where(rest > 0, t, np.nan)


def _tail(t: Floats, df: int, alternative: Alternative) -> Floats:
    """Return the p-value of t."""
    if df < 1:
        return np.full(np.shape(t), np.nan)
    if alternative == "two-sided":
        return np.asarray(2 * special.stdtr(df, -np.abs(t)))
    return np.asarray(special.stdtr(df, t if alternative == "less" else -t))


def count_to_turn_sign(values: Floats, closeness: float = 0.0) -> int | None:
    """Return the fewest queries without which the mean is 0 or has the other sign.

    Without the k largest differences on the side of the mean, the sum of the others is the closest
    to the other side that k removals can bring it. None if no number of queries is enough.
    """
    n = len(values)
    total = float(values.sum())
    if abs(total) <= closeness * n:
        return 0
    signed = np.sort(values if total > 0 else -values)[::-1]
    rest = np.cumsum(signed[::-1])[::-1][1:]  # without the first one, two, ...
    enough = np.flatnonzero(rest <= closeness * n)
    return int(enough[0]) + 1 if enough.size else None


def list_to_turn_decision(
    differences: Floats, place: int, comparison: Comparison, level: float
) -> list[int] | None:
    """Return queries without which the decision turns; None if half of them are not enough."""
    if np.isnan(comparison.adjusted_p_value):
        return None
    alternative, is_significant = comparison.alternative, comparison.is_significant
    adjust = ADJUSTMENTS[comparison.adjustment]
    differences = differences / scale_of(differences)
    others = _Others(differences[place])
    n, removed = differences.shape[1], list[int]()
    while len(removed) < n // 2 and n - len(removed) > 2:
        q, t = others.remove(alternative, is_significant)
        removed.append(q)
        own = float(_tail(np.array(t), n - len(removed) - 1, alternative))
        if not own <= level:
            is_still = False  # an adjusted p-value is at least as large
        elif own * len(differences) <= level:
            is_still = True  # an adjusted p-value is at most as large
        else:
            p = t_p_values(np.delete(differences, removed, axis=1), alternative)
            is_still = bool(adjust(p)[place] <= level)
        if is_still != is_significant:
            return removed
    return None


class _Others:
    """The differences of a pair that have not been removed, in rising order."""

    def __init__(self, differences: Floats) -> None:
        order = np.argsort(differences, kind="stable")
        self.places: list[int] = order.tolist()
        self.values: list[float] = differences[order].tolist()
        self.shift = float(differences.mean())
        #: of the values minus ``shift``
        self.total = float((differences - self.shift).sum())
        self.squares = float(((differences - self.shift) ** 2).sum())

    def remove(self, alternative: Alternative, is_significant: bool) -> tuple[int, float]:
        """Remove the query that changes t most; return its place, and t of the others."""
        ratios = {k: self._compute_t(k) for k in self._list_candidates()}
        sizes = {k: _measure_size(t, alternative) for k, t in ratios.items()}
        choose = min if is_significant else max
        k = choose(sizes, key=lambda candidate: sizes[candidate])
        centred = self.values.pop(k) - self.shift
        self.total -= centred
        self.squares -= centred**2
        return self.places.pop(k), ratios[k]

    def _list_candidates(self) -> list[int]:
        """Return the places of values next to the extremes of t, as a function of the value.

        With the sum s and the sum of squares q of all values, t without the value x is monotone in
        (s - x)^2 / (q - x^2). Its derivative is 0 at x = s and at x = q / s only.
        """
        n = len(self.values)
        total = self.total + n * self.shift
        squares = self.squares + 2 * self.shift * self.total + n * self.shift**2
        near = [bisect_left(self.values, x) for x in (total, squares / total if total else 0.0)]
        places = {0, 1, n - 2, n - 1, *(k + step for k in near for step in range(-2, 3))}
        return sorted(k for k in places if 0 <= k < n)

    def _compute_t(self, k: int) -> float:
        """Return t without the value at a place; NaN where the others are all equal."""
        n = len(self.values) - 1
        centred = self.values[k] - self.shift
        rest = self.total - centred
        squares = self.squares - centred**2 - rest**2 / n
        mean = self.shift + rest / n
        if squares <= CANCELLED * self.squares:
            others = np.delete(np.array(self.values), k)
            mean = float(others.mean())
            squares = float(((others - mean) ** 2).sum()) if np.ptp(others) else 0.0
        return mean / sqrt(squares / (n - 1) / n) if squares > 0 else nan


def _measure_size(t: float, alternative: Alternative) -> float:
    """Return how far t is in the direction of the alternative; 0 without t."""
    if isnan(t):
        return 0.0
    return abs(t) if alternative == "two-sided" else t if alternative == "greater" else -t
