"""nERR: ERR divided by the ERR of the ideal ranking, which has the judged documents by grade.

ir_measures has no such measure: its nERR_IA (of pyndeval) gives every relevant document the same
probability of stopping, 1/2, and its NERR8 to NERR11 are other measures of cwl_eval. Here the
probabilities are those of ERR.

The variance over random rankings needs the mean of the square of ERR. With T(r), the probability
that the reader stops at rank r, ERR is the sum of T(r) / r, and

- T(r)^2 has the squared probabilities of passing the documents above r;
- T(r) T(s), for r < s, has the squared probabilities of passing those above r, the plain ones of
  those between r and s, and the probabilities of passing at r and of stopping at r and at s.

So one needs b(m, l), the mean over all choices of m documents and l others of the product of the
squared probabilities of passing the former and the plain probabilities of passing the latter. Like
ERR's a(m) it is built up by adding documents. Only positive numbers are added. The last step
subtracts the square of the mean, so that digits are lost where nearly all documents are of one
grade.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import binom

from .base import Description, ImageForm, ImageScale, ratio
from .expected_reciprocal_rank import AT_ONCE, ExpectedReciprocalRank, mean_products
from .judged_runs import Floats, Ints, JudgedRun, TiedRun
from .populations import Numbers, Population

MAX_STEPS = 10**7  # of a query: about 50 ms
STEPS_PER_DOCUMENT = 2000  # that an added document costs besides, whatever the number of ranks


@dataclass(frozen=True, kw_only=True)
class NormalisedERR(ExpectedReciprocalRank):
    """ERR as a fraction of its highest possible value."""

    description = Description(
        stem="nERR",
        text="normalised ERR",
        own_parameters={"cutoff": int},
    )

    def score(self, run: JudgedRun) -> Floats:
        """Return the value of each query."""
        return ratio(super().score(run), self._total(run.pool, *run.pool.ideal))

    def image_form(self, scale: ImageScale) -> ImageForm:
        """Return the probability of stopping at each level; the base is the ideal ranking."""
        return replace(super().image_form(scale), base="ideal")

    def expected_over_ties(self, run: TiedRun) -> Floats:
        """Return the mean over all orders within ties."""
        return ratio(super().expected_over_ties(run), self._total(run.pool, *run.pool.ideal))

    def _expected(self, population: Population) -> Numbers:
        return ratio(super()._expected(population), self._ideal_of(population))

    def _variance(self, population: Population) -> Numbers:
        """Return the variance; NaN for a query that takes more than ``MAX_STEPS`` steps."""
        documents, ranks, counts, stops = self._arrays_of(population)
        ranks = np.where(counts.any(axis=1), ranks, 0.0)  # nothing relevant: no rank matters
        is_long = _count_steps(ranks, counts) > MAX_STEPS
        variance = np.where(is_long, np.nan, 0.0)
        # all orders are equal if all documents are
        varies = (counts != documents[:, np.newaxis]).all(axis=1)
        (computed,) = np.nonzero(~is_long & varies & (ranks > 0))
        mean = np.ravel(super()._expected(population)) if len(computed) else variance
        at_once = max(int(AT_ONCE / (ranks[computed].max(initial=0.0) ** 2 + 1)), 1)
        for start in range(0, len(computed), at_once):
            part = computed[start : start + at_once]
            square = _mean_square(documents[part], ranks[part], counts[part], stops)
            variance[part] = np.maximum(square - mean[part] ** 2, 0.0)
        ideal = self._ideal_of(population)
        return ratio(ratio(variance.reshape(np.shape(population.n_documents)), ideal), ideal)

    def _ideal_of(self, population: Population) -> Numbers:
        """Return the ERR of the judged documents, highest grade first."""
        _, _, _, stops = self._arrays_of(population)
        shape = np.shape(population.n_documents)
        counts = np.array([np.broadcast_to(count, shape).ravel() for count in population.counts])
        # counts of the grades in descending order, cut at the cutoff
        ends = np.minimum(np.cumsum(counts[::-1], axis=0), self.reach)
        sizes = np.diff(ends, axis=0, prepend=0.0).astype(np.int64)
        values = [_err_of_ranking(stops[::-1], n_of_grade) for n_of_grade in sizes.T]
        return np.array(values).reshape(shape)


def _err_of_ranking(stops: Floats, sizes: Ints) -> float:
    """Return the ERR of a ranking with so many documents of each probability of stopping."""
    ranked = np.repeat(stops, sizes)
    reading = np.multiply.accumulate(np.append(1.0, 1.0 - ranked))[:-1]
    return float((ranked * reading / np.arange(1, len(ranked) + 1)).sum())


def _count_steps(ranks: Floats, counts: Floats) -> Floats:
    """Return the number of steps that ``_mean_square`` takes for each query, roughly."""
    n_grades = counts.shape[1]
    n_pairs = n_grades * (n_grades + 1) / 2
    added = np.minimum(counts, _max_added(ranks)[:, np.newaxis]).sum(axis=1)
    steps: Floats = n_pairs * (added + 1) * (ranks**2 + STEPS_PER_DOCUMENT)
    return steps


def _max_added(ranks: Floats) -> Floats:
    """Return the number of documents beyond which adding all at once is faster."""
    limit: Floats = ranks**2 / 4 + 8
    return limit


def _mean_square(documents: Floats, ranks: Floats, counts: Floats, stops: Floats) -> Floats:
    """Return the mean of the square of ERR over random rankings."""
    n_ranks = int(ranks.max(initial=0.0))
    places = np.arange(n_ranks)
    weights = np.where(places < ranks[:, np.newaxis], 1.0 / (places + 1.0), 0.0)
    others, passing = documents - counts.sum(axis=1), 1 - stops
    total = np.zeros(len(documents))
    for g, stop in enumerate(stops.tolist()):
        rest = _take_one(counts, g)
        reading = mean_products(others, rest, passing**2, n_ranks)
        first = counts[:, g] / np.maximum(documents, 1.0)
        total += first * stop**2 * (weights**2 * reading).sum(axis=1)
        for h, later in enumerate(stops[: g + 1].tolist()):
            both = first * rest[:, h] / np.maximum(documents - 1, 1.0)
            if n_ranks < 2 or not both.any():
                continue
            pairs = _mean_pair_products(others, _take_one(rest, h), passing, n_ranks - 1)
            # ranks m + 1 and m + l + 2
            later_weights = np.zeros_like(pairs)
            for m in range(n_ranks - 1):
                later_weights[:, m, : n_ranks - 1 - m] = weights[:, m + 1 :]
            sums = (weights[:, :-1, np.newaxis] * later_weights * pairs).sum(axis=(1, 2))
            factor = stop * later * (1 - stop)
            if g != h:  # either grade may be the first
                factor += stop * later * (1 - later)
            total += 2 * both * factor * sums
    return total


def _take_one(counts: Floats, grade: int) -> Floats:
    """Return the counts without one document of a grade."""
    rest = counts.copy()
    rest[:, grade] = np.maximum(rest[:, grade] - 1, 0)
    return rest


def _mean_pair_products(others: Floats, counts: Floats, passing: Floats, size: int) -> Floats:
    """Return b(m, l) for m and l below ``size``, per query: see the text of this file."""
    means = np.ones((len(others), size, size))
    documents = others.copy()
    for count, passes in zip(counts.T, passing.tolist(), strict=True):
        if count.max(initial=0.0) <= _max_added(np.array(float(size))):
            means = _add_one_by_one(means, documents, count, passes)
        else:
            means = _add_at_once(means, documents, count, passes)
        documents = documents + count
    return means


def _add_one_by_one(means: Floats, documents: Floats, count: Floats, passes: float) -> Floats:
    """Add documents: of n + 1, the new one is among m with probability m / (n + 1)."""
    number = np.arange(means.shape[1], dtype=np.float64)
    squared, plain = number[:, np.newaxis], number[np.newaxis, :]  # m and l
    for added in range(int(count.max(initial=0.0))):
        total = (documents + added + 1)[:, np.newaxis, np.newaxis]
        # m + l above the total is never used
        mixed = np.maximum(total - squared - plain, 0.0) * means
        mixed[:, 1:] += squared[1:] * passes**2 * means[:, :-1]
        mixed[:, :, 1:] += plain[:, 1:] * passes * means[:, :, :-1]
        means = np.where((added < count)[:, np.newaxis, np.newaxis], mixed / total, means)
    return means


def _add_at_once(means: Floats, documents: Floats, count: Floats, passes: float) -> Floats:
    """Add documents by the distribution of their numbers i among m and j among l.

    Given ranks are new, and other given ranks are not, with a probability that depends only on how
    many there are of each. There are C(m, i) C(l, j) choices of the ranks.
    """
    size = means.shape[1]
    chosen = _probabilities_of_ranks(documents, count, 2 * size)
    number = np.arange(size)
    result = np.zeros_like(means)
    for i in range(size):
        for j in range(size):
            squared, plain = number[i:, np.newaxis], number[np.newaxis, j:]  # m and l
            ways = binom(squared, i) * binom(plain, j) * passes ** (2 * i + j)
            result[:, i:, j:] += (
                ways * chosen[:, i + j, squared + plain] * means[:, : size - i, : size - j]
            )
    return result


def _probabilities_of_ranks(documents: Floats, count: Floats, size: int) -> Floats:
    """Return the probability that k given ranks of t have new documents and the others old ones.

    The table is query x k x t.
    """
    table = np.zeros((len(documents), size, size))
    table[:, 0, 0] = 1.0
    k = np.arange(size, dtype=np.float64)
    for t in range(1, size):
        left = np.maximum(documents + count - (t - 1), 1.0)[:, np.newaxis]
        before = table[:, :, t - 1]
        # the last rank is old, or it is new
        old = np.maximum(documents[:, np.newaxis] - (t - 1 - k), 0.0) / left
        table[:, :, t] = before * old
        new = np.maximum(count[:, np.newaxis] - k[:-1], 0.0) / left
        table[:, 1:, t] = np.where(k[1:] == t, before[:, :-1] * new, table[:, 1:, t])
    return table
