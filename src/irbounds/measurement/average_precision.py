"""Average precision: the mean of the precisions at the ranks of the relevant documents.

Mean and variance over random rankings take constant time. Bestgen (2015) computed the mean by a
double sum over documents and ranks; the closed form gives the same number. AP is a sum over pairs
of ranks a <= b of 1/b, where both are relevant. Its square is therefore a sum over two such pairs,
and only the number of different ranks among them matters: p_m is the probability that m given ranks
are all relevant. `docs/concepts/chance.md` counts the pairs. The p_m are close to
each other, so their differences are computed, each as a product.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .base import NO_CUTOFF, BinaryMeasure, Description, ImageForm, ImageScale, ratio
from .judged_runs import Floats, Ints, JudgedRun, TiedRun, number_within
from .populations import Numbers, Population
from .rank_sums import harmonic, harmonic_difference, harmonic_squares


@dataclass(frozen=True, kw_only=True)
class AveragePrecision(BinaryMeasure):
    """AP, as trec_eval computes it."""

    description = Description(
        stem="AP",
        text="average precision",
        trec_eval={"map": "AP", "map_cut_k": "AP@k"},
        ranx={"map": "AP", "map@k": "AP@k"},
        aliases=("MAP",),
        is_of_whole_list=True,
    )

    def score(self, run: JudgedRun) -> Floats:
        """Return the value of each query."""
        query, ranks = run.relevant(self.rel, self.cutoff)
        total = run.pool.per_query(query, number_within(query) / ranks)
        return ratio(total, run.pool.n_relevant(self.rel))

    def image_form(self, scale: ImageScale) -> ImageForm:
        """Return precisions at relevant ranks, divided by the number of relevant documents."""
        return ImageForm(
            kind="average precision",
            lowest_level=scale.lowest_level(self.rel),
            cutoff=self.cutoff or NO_CUTOFF,
            base="relevant",
        )

    def _expected(self, population: Population) -> Numbers:
        # rank b is relevant with probability R/N; of the b - 1 ranks above, a fraction is relevant
        documents = np.maximum(population.n_documents, 1.0)
        relevant = population.n_relevant(self.rel)
        ranks = population.ranks_seen(self.cutoff)
        above = (relevant - 1) / np.maximum(documents - 1, 1.0)
        precisions = harmonic(ranks) * (1 - above) + ranks * above
        mean: Numbers = relevant / np.maximum(relevant, 1.0) * (precisions / documents)
        return mean

    def _variance(self, population: Population) -> Numbers:
        documents, relevant = population.n_documents, population.n_relevant(self.rel)
        ranks = population.ranks_seen(self.cutoff)
        h, squares = harmonic(ranks), harmonic_squares(ranks)
        p12, p23, p34, p2_11, p3_12, p4_22 = _differences(np.maximum(documents, 1.0), relevant)
        total = ranks**2 * p4_22 + 5 * ranks * p34 + 2 * ranks * h * (p3_12 - p4_22)
        total = total + h**2 * (p4_22 - 2 * p3_12 - 2 * p34 + p23 + p2_11)
        total = total + 3 * h * (p23 - 2 * p34) + squares * (3 * p34 - 4 * p23 + p12)
        variance: Numbers = np.maximum(total, 0.0) / np.maximum(relevant, 1.0) ** 2
        return variance

    def expected_over_ties(self, run: TiedRun) -> Floats:
        """Return the mean over all orders within ties.

        With s relevant documents before a block of m and r in it, the document at the block's i-th
        rank is relevant with probability r / m, and then (i - 1)(r - 1) / (m - 1) of those above it
        in the block are relevant, on average (McSherry and Najork 2008).
        """
        relevant = run.only(run.grades >= self.rel)
        number = number_within(relevant.query)
        last = np.inf if self.cutoff is None else self.cutoff
        untied = (relevant.size == 1) & (relevant.ranks <= last)
        total = run.pool.per_query(relevant.query[untied], number[untied] / relevant.ranks[untied])
        tied = relevant.size[relevant.firsts] > 1
        first, n_in_block = relevant.firsts[tied], np.bincount(relevant.block)[tied]
        precisions = _block_precisions(
            relevant.before[first], relevant.size[first], number[first] - 1, n_in_block, last
        )
        total += run.pool.per_query(relevant.query[first], precisions)
        return ratio(total, run.pool.n_relevant(self.rel))


def _differences(n: Numbers, r: Numbers) -> tuple[Numbers, ...]:
    """Return p1 - p2, p2 - p3, p3 - p4, p2 - p1^2, p3 - p1 p2 and p4 - p2^2.

    Each is computed without cancellation.
    """
    n1, n2, n3 = (np.maximum(n - fewer, 1.0) for fewer in (1, 2, 3))
    p1 = r / n
    p2 = p1 * np.maximum(r - 1, 0.0) / n1
    p3 = p2 * np.maximum(r - 2, 0.0) / n2
    rest = n - r
    # three documents have no four ranks; p4 = p3 then keeps the formula valid
    fours = np.where(n > 3, (6 * (n + r) - 6 - 4 * n * r) / (n * n1 * n2 * n3), -1 / 3)
    return (
        p1 * rest / n1,
        p2 * rest / n2,
        p3 * rest / n3,
        -p1 * rest / (n * n1),
        -2 * p2 * rest / (n * n2),
        p2 * rest * fours,
    )


def _block_precisions(
    before: Ints, size: Ints, n_before: Ints, n_in_block: Ints, last: float
) -> Floats:
    """Return the expected sum of a tied block's precisions at relevant documents, down to a rank.

    That is the sum over i of (r / m) (s + 1 + (i - 1) q) / (t + i), where t documents are before
    the block and q = (r - 1) / (m - 1). With i - 1 = (t + i) - (t + 1) the numerator splits into a
    constant and a multiple of t + i, which leaves harmonic numbers.
    """
    n_ranks = np.clip(last - before, 0, size)
    q = (n_in_block - 1) / (size - 1)
    fractions = harmonic_difference(before.astype(np.float64), before + n_ranks)
    sums: Floats = n_in_block / size * (q * n_ranks + (n_before + 1 - (before + 1) * q) * fractions)
    return sums
