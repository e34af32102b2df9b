"""Measures that add up gains times weights: P, R, Rprec, nDCG, RBP and INSQ.

The score is the sum over ranks of the gain of the document times the weight of the rank, divided by
a base that depends on the judgments only. A measure of this file states these four things:

- ``gains``: the gain of each grade;
- ``weights``: the weight of each rank;
- the last rank that counts: the cutoff, or the number of relevant documents;
- ``base``: a constant, the number of relevant documents, or the sum of the ideal ranking.

All operations follow from them. Over random orders, of a whole ranking or of a block of ties, only
the sum of the weights down to a rank, the sum of their squares and the gain of each grade matter:
the sum of gains times weights has the mean and the variance of a sample without replacement.

Definitions follow trec_eval for P, R, Rprec and nDCG, cwl_eval for RBP and INSQ, and gdeval for the
exponential gain.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from ..errors import MeasureError
from .base import (
    NO_CUTOFF,
    Base,
    BinaryMeasure,
    Description,
    ImageForm,
    ImageScale,
    Measure,
    ratio,
)
from .judged_runs import Floats, Ints, JudgedRun, Pool, TiedRun
from .populations import Numbers, Population
from .rank_sums import discount_squares, discount_sums

CWL_DEPTH = 1000  # cwl_eval distributes the weight over this many ranks


class Weights(Protocol):
    """The weights of ranks 1, 2, ..."""

    def weigh(self, gains: Floats, ranks: Ints) -> Floats:
        """Return gains times the weights of their ranks."""

    def first(self, n_ranks: int) -> Floats:
        """Return the weights of the first ranks."""

    def sums(self, n: Numbers) -> Numbers:
        """Return the sum of the weights of ranks 1 to n."""

    def squares(self, n: Numbers) -> Numbers:
        """Return the sum of the squared weights of ranks 1 to n."""


class UnitWeights:
    """All ranks have weight 1."""

    def weigh(self, gains: Floats, ranks: Ints) -> Floats:
        """Return the gains."""
        return gains

    def first(self, n_ranks: int) -> Floats:
        """Return ones."""
        return np.ones(n_ranks)

    def sums(self, n: Numbers) -> Numbers:
        """Return n."""
        return n

    def squares(self, n: Numbers) -> Numbers:
        """Return n."""
        return n


class LogDiscounts:
    """Rank r has weight 1 / log2(r + 1)."""

    def weigh(self, gains: Floats, ranks: Ints) -> Floats:
        """Return gains divided by logarithms, as trec_eval does; a product has other bits."""
        discounted: Floats = gains / np.log2(ranks + 1.0)
        return discounted

    def first(self, n_ranks: int) -> Floats:
        """Return the discounts of the first ranks."""
        discounts: Floats = 1.0 / np.log2(np.arange(n_ranks) + 2.0)
        return discounts

    def sums(self, n: Numbers) -> Numbers:
        """Return the sum of the discounts of ranks 1 to n."""
        return discount_sums(n)

    def squares(self, n: Numbers) -> Numbers:
        """Return the sum of the squared discounts of ranks 1 to n."""
        return discount_squares(n)


class ListedWeights:
    """The first ranks have weights that are listed and sum to 1; all others have none."""

    def __init__(self, weights: Floats) -> None:
        self._weights = weights / weights.sum()

    def weigh(self, gains: Floats, ranks: Ints) -> Floats:
        """Return gains times weights; all ranks must be listed."""
        products: Floats = self._weights[ranks - 1] * gains
        return products

    def first(self, n_ranks: int) -> Floats:
        """Return the weights of the first ranks, with zeros after the listed ones."""
        n_listed = len(self._weights)
        return np.pad(self._weights[:n_ranks], (0, max(n_ranks - n_listed, 0)))

    def sums(self, n: Numbers) -> Numbers:
        """Return the sum of the weights of ranks 1 to n."""
        return _look_up(self._sums, n)

    def squares(self, n: Numbers) -> Numbers:
        """Return the sum of the squared weights of ranks 1 to n."""
        return _look_up(self._squares, n)

    @cached_property
    def _sums(self) -> Floats:
        sums = np.cumsum(self._weights)
        return np.append(0.0, sums / sums[-1])

    @cached_property
    def _squares(self) -> Floats:
        return np.append(0.0, np.cumsum(self._weights**2))


def _look_up(table: Floats, n: Numbers) -> Numbers:
    values: Numbers = table[np.asarray(np.minimum(n, len(table) - 1), dtype=np.int64)]
    return values


@dataclass(frozen=True, kw_only=True)
class WeightedMeasure(Measure):
    """Gains of documents times weights of ranks, added up and divided by a base."""

    base: ClassVar[Base]

    def gains(self, grades: Ints, max_grade: int) -> Floats:
        """Return the gains of documents of these grades, at least 0.

        ``max_grade`` is the highest grade of the judgments.
        """
        raise NotImplementedError

    @cached_property
    def weights(self) -> Weights:
        """The weights of the ranks."""
        raise NotImplementedError

    @property
    def constant(self) -> float:
        """The base, if it is a constant."""
        return 1.0

    def score(self, run: JudgedRun) -> Floats:
        """Return the value of each query."""
        total = self._total(run.pool, run.query, run.ranks, run.grades)
        if self.base == "ideal":
            return ratio(total, self._total(run.pool, *run.pool.ideal))
        if self.base == "relevant":
            return ratio(total, run.pool.n_relevant(self.relevant_grade))
        return total / self.constant

    def image_form(self, scale: ImageScale) -> ImageForm:
        """Return the weights of all ranks, the gain of every level and the base."""
        return ImageForm(
            kind="discounted",
            lowest_level=scale.lowest_level(self.relevant_grade),
            cutoff=self.cutoff or NO_CUTOFF,
            base=self.base,
            constant=self.constant,
            weights=self.weights.first(scale.n_ranks),
            gains=self.gains(scale.grades, scale.max_grade),
        )

    def _expected(self, population: Population) -> Numbers:
        gains = self.gains(np.array(population.grades, dtype=np.int64), population.max_grade)
        documents = np.maximum(population.n_documents, 1.0)
        weight = self.weights.sums(np.minimum(population.depth, self._last_rank(population)))
        is_sure = weight == documents  # all ranks have weight 1, so that no order matters
        total: Numbers = 0.0 * documents
        for gain, count in zip(gains.tolist(), population.counts, strict=True):
            total = total + gain * np.where(is_sure, count, count / documents * weight)
        return ratio(total, self._base_of(population))

    def _variance(self, population: Population) -> Numbers:
        documents = np.maximum(population.n_documents, 1.0)
        spread = self._weight_spread(population) * self._gain_spread(population)
        base = self._base_of(population)
        return ratio(ratio(spread / np.maximum(documents - 1, 1.0), base), base)

    def expected_over_ties(self, run: TiedRun) -> Floats:
        """Return the mean over all orders within ties.

        A tied document has its gain times the mean weight of its block's ranks.
        """
        pool, weights = run.pool, self.weights
        population = pool.population
        tied = run.only((run.size > 1) & (self.gains(run.grades, pool.max_grade) > 0))
        last = np.broadcast_to(self._last_rank(population), len(pool))[tied.query]
        before = tied.before.astype(np.float64)
        weight = weights.sums(np.minimum(before + tied.size, last)) - weights.sums(
            np.minimum(before, last)
        )
        gains = self.gains(tied.grades, pool.max_grade)
        gained = pool.per_query(tied.query, gains * weight / tied.size)
        return self.score(run.only(run.size == 1)) + ratio(gained, self._base_of(population))

    def _total(self, pool: Pool, query: Ints, ranks: Ints, grades: Ints) -> Floats:
        """Return the sum of gains times weights of each query."""
        counts = self._counts(pool, query, ranks, grades)
        gains = self.gains(grades[counts], pool.max_grade)
        return pool.per_query(query[counts], self.weights.weigh(gains, ranks[counts]))

    def _counts(self, pool: Pool, query: Ints, ranks: Ints, grades: Ints) -> NDArray[np.bool_]:
        """Return which documents have a gain and a rank that counts."""
        counts: NDArray[np.bool_] = grades >= self.gaining_grade
        if self.reach < np.inf:
            counts &= ranks <= int(self.reach)
        return counts

    def _last_rank(self, population: Population) -> Numbers:
        """Return the last rank that counts: one number for all queries, or one per query."""
        return self.reach

    def _base_of(self, population: Population) -> Numbers:
        """Return what the sum is divided by; 0 for a query with nothing relevant.

        The ideal sum takes differences of sums of weights, which cost the same for any number of
        documents. ``score`` adds documents one by one, with other rounding errors.
        """
        if self.base == "constant":
            return self.constant
        if self.base == "relevant":
            return population.n_relevant(self.relevant_grade)
        gains = self.gains(np.array(population.grades, dtype=np.int64), population.max_grade)
        sums, last = self.weights.sums, self.reach
        ideal, above = 0.0 * population.n_documents, 0.0 * population.n_documents
        for gain, count in zip(gains.tolist()[::-1], population.counts[::-1], strict=True):
            below = above + count
            weight = sums(np.minimum(below, last)) - sums(np.minimum(above, last))
            ideal = ideal + gain * weight
            above = below
        return ideal

    def _weight_spread(self, population: Population) -> Numbers:
        """Return the sum of squared deviations of all ranks' weights from their mean."""
        documents = np.maximum(population.n_documents, 1.0)
        n_ranks = np.minimum(population.depth, self._last_rank(population))
        weight = self.weights.sums(n_ranks)
        if isinstance(self.weights, UnitWeights):
            return weight * (documents - weight) / documents
        return np.maximum(self.weights.squares(n_ranks) - weight * weight / documents, 0.0)

    def _gain_spread(self, population: Population) -> Numbers:
        """Return the sum of squared deviations of all documents' gains from their mean."""
        documents = np.maximum(population.n_documents, 1.0)
        grades = np.array(population.grades, dtype=np.int64)
        gains = [0.0, *self.gains(grades, population.max_grade).tolist()]
        counts = [population.n_documents - population.n_relevant(), *population.counts]
        total: Numbers = 0.0 * documents
        for i, gain in enumerate(gains):  # pairs of different documents, without cancellation
            for j in range(i):
                total = total + counts[i] * counts[j] * (gain - gains[j]) ** 2
        return total / documents


@dataclass(frozen=True, kw_only=True)
class CountingMeasure(BinaryMeasure, WeightedMeasure):
    """A measure that counts relevant documents."""

    def gains(self, grades: Ints, max_grade: int) -> Floats:
        """Return 1 for relevant documents, else 0."""
        return (grades >= self.rel).astype(np.float64)

    @cached_property
    def weights(self) -> Weights:
        """The weights of the ranks."""
        return UnitWeights()

    def _total(self, pool: Pool, query: Ints, ranks: Ints, grades: Ints) -> Floats:
        return pool.per_query(query[self._counts(pool, query, ranks, grades)])


@dataclass(frozen=True, kw_only=True)
class Precision(CountingMeasure):
    """The fraction of the first documents that is relevant."""

    description = Description(
        stem="P",
        text="precision of the first k",
        trec_eval={"P_k": "P@k"},
        ranx={"precision@k": "P@k"},
    )
    base = "constant"
    cutoff: int = field()

    @property
    def constant(self) -> float:
        """The number of documents."""
        return float(self.cutoff)


@dataclass(frozen=True, kw_only=True)
class Recall(CountingMeasure):
    """The fraction of the relevant documents that is among the first documents."""

    description = Description(
        stem="R",
        text="recall of the first k",
        trec_eval={"recall_k": "R@k"},
        ranx={"recall@k": "R@k"},
    )
    base = "relevant"
    cutoff: int = field()


@dataclass(frozen=True, kw_only=True)
class RPrecision(CountingMeasure):
    """Precision of as many documents as are relevant."""

    description = Description(
        stem="Rprec",
        text="precision at the number relevant",
        trec_eval={"Rprec": "Rprec", "R-prec": "Rprec"},
        ranx={"r-precision": "Rprec"},
        is_of_whole_list=True,
    )
    base = "relevant"

    def image_form(self, scale: ImageScale) -> ImageForm:
        """Return a kind of its own: the last rank is the number of relevant documents."""
        level = scale.lowest_level(self.rel)
        return ImageForm(kind="R-precision", lowest_level=level, base=self.base)

    def _counts(self, pool: Pool, query: Ints, ranks: Ints, grades: Ints) -> NDArray[np.bool_]:
        counts: NDArray[np.bool_] = grades >= self.rel
        return counts & (ranks <= pool.n_relevant(self.rel)[query])

    def _last_rank(self, population: Population) -> Numbers:
        return population.n_relevant(self.rel)


@dataclass(frozen=True, kw_only=True)
class NormalisedDiscountedGain(WeightedMeasure):
    """The discounted gain, divided by that of the ideal ranking."""

    description = Description(
        stem="nDCG",
        text="normalised discounted gain",
        trec_eval={"ndcg": "nDCG", "ndcg_cut_k": "nDCG@k"},
        ranx={
            "ndcg": "nDCG",
            "ndcg@k": "nDCG@k",
            "ndcg_burges": "nDCG(dcg='exp-log2')",
            "ndcg_burges@k": "nDCG(dcg='exp-log2')@k",
        },
        is_of_whole_list=True,
    )
    base = "ideal"
    dcg: str = "log2"

    def gains(self, grades: Ints, max_grade: int) -> Floats:
        """Return the grade, or the exponential gain, whose scale cancels."""
        grades = np.maximum(grades, 0)
        if self.dcg == "exp-log2":
            return exponential_gains(grades, max_grade)
        return grades.astype(np.float64)

    @cached_property
    def weights(self) -> Weights:
        """The weights of the ranks."""
        return LogDiscounts()


@dataclass(frozen=True, kw_only=True)
class CwlMeasure(WeightedMeasure):
    """A measure of cwl_eval: the weights of the first 1,000 ranks sum to 1."""

    base = "constant"

    @property
    def reach(self) -> float:
        """The last rank that can count."""
        return float(min(self.cutoff or CWL_DEPTH, CWL_DEPTH))

    def score(self, run: JudgedRun) -> Floats:
        """Return the value of each query."""
        # the sum of a thousand weights may exceed 1 by a rounding error
        return np.minimum(super().score(run), 1.0)


@dataclass(frozen=True, kw_only=True)
class RankBiasedPrecision(CwlMeasure):
    """RBP: a reader goes on to the next document with probability ``p``."""

    description = Description(stem="RBP", text="rank-biased precision")
    p: float = 0.8
    rel: int | None = None

    @property
    def relevant_grade(self) -> int:
        """The lowest grade that is relevant."""
        return 1 if self.rel is None else self.rel

    def gains(self, grades: Ints, max_grade: int) -> Floats:
        """Return 0 or 1 by ``rel``; without it, the grade as a fraction of the highest."""
        if self.rel is not None:
            return (grades >= self.rel).astype(np.float64)
        return np.maximum(grades, 0).astype(np.float64) / max_grade

    @cached_property
    def weights(self) -> Weights:
        """The weights of the ranks."""
        return ListedWeights(np.power(self.p, np.arange(CWL_DEPTH), dtype=np.float64))

    def _check_grades(self, where: str) -> None:
        if self.relevant_grade < 1:
            raise MeasureError(f"{self.name}: rel must be at least 1 {where}")


@dataclass(frozen=True, kw_only=True)
class InverseSquares(CwlMeasure):
    """INSQ: a reader who expects to need ``T`` relevant documents."""

    description = Description(stem="INSQ", text="inverse-square precision")
    T: float = 1.0
    min_rel: int = 0
    max_rel: int | None = None

    @property
    def gaining_grade(self) -> int:
        """The lowest grade that can raise the score."""
        # grades below 0 count as 0, which is above a negative minimum
        return self.min_rel + 1 if self.min_rel >= 0 else int(np.iinfo(np.int64).min)

    def gains(self, grades: Ints, max_grade: int) -> Floats:
        """Return the place of the grade between ``min_rel`` and ``max_rel``, from 0 to 1."""
        top = max_grade if self.max_rel is None else self.max_rel
        inside = np.clip(np.maximum(grades, 0), self.min_rel, top)
        gains: Floats = (inside - self.min_rel) / (top - self.min_rel)
        return gains

    @cached_property
    def weights(self) -> Weights:
        """The weights of the ranks."""
        # the product of the continuation probabilities ((i + 2T - 1) / (i + 2T))^2 telescopes
        return ListedWeights(np.square(2 * self.T / (np.arange(CWL_DEPTH) + 2 * self.T)))

    def _check_grades(self, where: str) -> None:
        if self.min_rel < 0:
            raise MeasureError(f"{self.name}: min_rel must be at least 0 {where}")


def exponential_gains(grades: Ints, top: int) -> Floats:
    """Return (2^grade - 1) / 2^top, which does not overflow for any grade."""
    gains: Floats = np.exp2(grades - float(top)) - np.exp2(-float(top))
    return gains
