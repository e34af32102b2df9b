"""Scores expected over all orders within ties, exactly.

A block of tied documents is a small random ranking that begins below the documents before it. The
mean over all its orders has a closed form for every measure that we have a formula for (McSherry
and Najork 2008 give those of P, R, AP, RR and nDCG; the others follow in the same way). With t
documents before a block of m:

- Measures that add up (P, R, Rprec, nDCG, RBP, INSQ, Judged): a document's gain times the mean
  weight of the block's ranks.
- AP: with s relevant documents before the block and r in it, the document at the block's i-th rank
  is relevant with probability r / m, and then (i - 1)(r - 1) / (m - 1) of those above it in the
  block are, on average.
- Bpref: of the block's b judged non-relevant documents 0, 1, ... b stand above a relevant one,
  each number as likely as the others.
- RR, Success and ERR, whose readers stop: see ``stopping_readers.py``.

The documents that are not tied go through the very formulas of ``scores``, so a run without ties
gets the same bits as without any of this. Documents that nobody judged count as not relevant.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from .base import Measure
from .formulas import FORMULAS, ratio
from .harmonic import harmonic_difference
from .judged_runs import Floats, Ints, JudgedRun, Pool, number_within
from .populations import Population
from .stopping_readers import expected_reciprocal_rank, reciprocal_rank, success
from .tied_runs import TiedRun, best_order, worst_order
from .weighted import LINEAR, Linear

Scorer = Callable[[TiedRun], Floats]


def expected_scores(
    runs: Sequence[TiedRun],
    measures: Sequence[Measure],
    progress: Callable[[], None] | None = None,
) -> NDArray[np.float64]:
    """Expected scores as measure x system x query; ``progress`` is called after each run."""
    pool = runs[0].pool
    scorers = [_scorer(measure, pool) for measure in measures]
    values = np.empty((len(measures), len(runs), len(pool)))
    for s, run in enumerate(runs):
        orders = (worst_order(run), best_order(run)) if (run.size > 1).any() else ()
        for m, (measure, scorer) in enumerate(zip(measures, scorers, strict=True)):
            values[m, s] = _between(scorer(run), measure, orders)
        if progress:
            progress()
    return values


def _between(expected: Floats, measure: Measure, orders: Sequence[JudgedRun]) -> Floats:
    """A mean lies between the worst and the best, which rounding may leave by a last digit."""
    if not orders:
        return expected
    assert measure.formula is not None  # as ``check_ties`` saw
    low, high = (measure.formula(order) for order in orders)
    return np.clip(expected, low, high)


def _scorer(measure: Measure, pool: Pool) -> Scorer:
    assert isinstance(measure.formula, partial)  # as ``check_ties`` saw
    name, parameters = _NAMES[measure.formula.func], measure.formula.keywords
    if name in LINEAR:
        linear = LINEAR[name](_population(pool), **parameters)
        return partial(_linear, formula=measure.formula, linear=linear)
    if name in _EXPECTED:
        return partial(_EXPECTED[name], **parameters)
    return measure.formula  # SetP, SetR and SetF see no order


def _population(pool: Pool) -> Population:
    """What measures divide by; grades of 0 and below are there for ``rel=0`` and the like."""
    least = [pool.n_relevant(grade).astype(np.float64) for grade in pool.grades]
    higher = [*least[1:], np.zeros(len(pool))]
    counts = tuple(a - b for a, b in zip(least, higher, strict=True))
    n = pool.per_query(pool.query)
    return Population(n, n, pool.grades, counts, counts, pool.max_grade)


def _linear(run: TiedRun, *, formula: Scorer, linear: Linear) -> Floats:
    tied = run.only((run.size > 1) & (linear.gains(run.grades) > 0))
    here = replace(linear, cutoff=np.broadcast_to(linear.cutoff, len(run.pool))[tied.query])
    before = tied.before.astype(np.float64)
    weight = here.weight_to(before + tied.size) - here.weight_to(before)
    gained = run.pool.per_query(tied.query, linear.gains(tied.grades) * weight / tied.size)
    return formula(run.only(run.size == 1)) + ratio(gained, linear.base)


def _average_precision(run: TiedRun, *, rel: int = 1, cutoff: int | None = None) -> Floats:
    found = run.only(run.grades >= rel)
    seen = number_within(found.query)
    last = np.inf if cutoff is None else cutoff
    alone = (found.size == 1) & (found.ranks <= last)
    total = run.pool.per_query(found.query[alone], seen[alone] / found.ranks[alone])
    tied = found.size[found.firsts] > 1
    first, n_found = found.firsts[tied], np.bincount(found.block)[tied]
    precisions = _block_precisions(
        found.before[first], found.size[first], seen[first] - 1, n_found, last
    )
    total += run.pool.per_query(found.query[first], precisions)
    return ratio(total, run.pool.n_relevant(rel))


def _block_precisions(before: Ints, size: Ints, seen: Ints, found: Ints, last: float) -> Floats:
    """The expected sum of a tied block's precisions at relevant documents, down to a rank.

    The sum over i of (r / m) (s + 1 + (i - 1) q) / (t + i), where q = (r - 1) / (m - 1): with
    i - 1 = (t + i) - (t + 1) the numerator splits, and what is left are harmonic numbers.
    """
    looked_at = np.clip(last - before, 0, size)
    q = (found - 1) / (size - 1)
    fractions = harmonic_difference(before.astype(np.float64), before + looked_at)
    sums: Floats = found / size * (q * looked_at + (seen + 1 - (before + 1) * q) * fractions)
    return sums


def _binary_preference(run: TiedRun, *, rel: int = 1) -> Floats:
    pool = run.pool
    n_relevant = pool.n_relevant(rel)
    n_nonrelevant = pool.n_relevant(0) - n_relevant
    nonrelevant = (run.grades >= 0) & (run.grades < rel)
    above_block = np.append(0, np.cumsum(nonrelevant))[run.firsts]
    first_block = np.searchsorted(run.query[run.firsts], np.arange(len(pool)))
    above_query = np.append(above_block, 0)[first_block]
    in_block = np.bincount(run.block[nonrelevant], minlength=len(run.firsts))
    relevant = run.grades >= rel
    query, block = run.query[relevant], run.block[relevant]
    above = above_block[block] - above_query[query]
    bound = np.minimum(n_relevant, n_nonrelevant)[query]
    lost = _mean_least(above, in_block[block], n_relevant[query]) / np.maximum(bound, 1)
    return ratio(pool.per_query(query, 1.0 - lost), n_relevant)


def _mean_least(above: Ints, more: Ints, most: Ints) -> Floats:
    """The mean of min(above + j, most) over j = 0 ... more."""
    begin = np.minimum(above, most)
    rising = np.minimum(most - begin, more)
    means: Floats = ((rising + 1) * (begin + rising / 2) + (more - rising) * most) / (more + 1)
    return means


def _judged(run: TiedRun, *, cutoff: int | None = None) -> Floats:
    looked_at = run.n_retrieved if cutoff is None else np.minimum(run.n_retrieved, cutoff)
    last = np.inf if cutoff is None else cutoff
    share = np.clip(last - run.before, 0, run.size) / run.size
    return ratio(run.pool.per_query(run.query, share), looked_at)


_EXPECTED: dict[str, Callable[..., Floats]] = {
    "AP": _average_precision,
    "RR": reciprocal_rank,
    "Success": success,
    "ERR": expected_reciprocal_rank,
    "Bpref": _binary_preference,
    "Judged": _judged,
}
_NAMES = {formula: name for name, formula in FORMULAS.items()}
