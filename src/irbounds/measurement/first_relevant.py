"""Measures of the first relevant document: RR (its reciprocal rank) and Success (is there one?).

Over random rankings and within ties both follow from the probability that the first ranks have no
relevant document. Only the first block of ties with a relevant document matters; within it, all is
as in a random ranking of its documents that begins further down.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from .base import NO_CUTOFF, BinaryMeasure, Description, ImageForm, ImageScale
from .judged_runs import Floats, Ints, JudgedRun, TiedRun, number_within
from .populations import Numbers, Population
from .rank_sums import harmonic_difference, rank_sums

MIN_OTHERS = 16.0  # documents that Stirling's series needs


@dataclass(frozen=True, kw_only=True)
class ReciprocalRank(BinaryMeasure):
    """One divided by the rank of the first relevant document; 0 without one."""

    description = Description(
        stem="RR",
        text="1 / rank of the first relevant",
        trec_eval={"recip_rank": "RR"},
        ranx={"mrr": "RR", "mrr@k": "RR@k"},
        aliases=("MRR",),
    )

    def score(self, run: JudgedRun) -> Floats:
        """Return the value of each query."""
        query, ranks = run.relevant(self.rel, self.cutoff)
        first = number_within(query) == 1
        return run.pool.per_query(query[first], 1.0 / ranks[first])

    def image_form(self, scale: ImageScale) -> ImageForm:
        """Return the reciprocal rank of the first relevant document."""
        level, cutoff = scale.lowest_level(self.rel), self.cutoff or NO_CUTOFF
        return ImageForm(kind="reciprocal rank", lowest_level=level, cutoff=cutoff)

    def _expected(self, population: Population) -> Numbers:
        shape = np.shape(population.n_documents)
        documents, relevant, last = self._possible_ranks(population)
        whole = relevant * harmonic_difference(np.maximum(relevant - 1, 0.0), documents)
        # exactly 1 if all documents are relevant
        mean = np.where(relevant < documents, whole / (documents - relevant + 1), 1.0)
        cut = (last < documents - relevant + 1) & (relevant > 0)
        if cut.any():
            mean[cut] = _moment(documents[cut], relevant[cut], last[cut], 1)
        return mean.reshape(shape)

    def _variance(self, population: Population) -> Numbers:
        documents, relevant, last = self._possible_ranks(population)
        variance = np.zeros(len(documents))
        some = relevant > 0
        documents, relevant, last = documents[some], relevant[some], last[some]
        mean, square = (_moment(documents, relevant, last, power) for power in (1, 2))
        spread = square - mean**2
        # where nearly all rankings score 1, 1 - RR has the same variance and loses no digits
        near = mean > 0.5
        missing, square = (
            _missing_moment(documents[near], relevant[near], last[near], power) for power in (1, 2)
        )
        spread[near] = square - missing**2
        variance[some] = np.maximum(spread, 0.0)
        return variance.reshape(np.shape(population.n_documents))

    def expected_over_ties(self, run: TiedRun) -> Floats:
        """Return the mean over all orders within ties."""
        first, n_relevant = _first_blocks(run, self.rel)
        last = np.inf if self.cutoff is None else float(self.cutoff)
        untied = (first.size == 1) & (first.ranks <= last)
        values = run.pool.per_query(first.query[untied], 1.0 / first.ranks[untied])
        n_places = np.minimum(first.size - n_relevant + 1, last - first.before)
        tied = (first.size > 1) & (n_places > 0)
        block = (first.size[tied], n_relevant[tied], first.before[tied])
        columns = [numbers.astype(np.float64) for numbers in block]
        values[first.query[tied]] = rank_sums(_reciprocals_in_block, n_places[tied], *columns)
        return values

    def _possible_ranks(self, population: Population) -> tuple[Floats, Floats, Floats]:
        """Return documents, relevant documents and the last rank that can have the first one."""
        documents, relevant, seen = np.broadcast_arrays(
            np.atleast_1d(population.n_documents),
            population.n_relevant(self.rel),
            population.ranks_seen(self.cutoff),
        )
        return documents, relevant, np.minimum(seen, documents - relevant + 1)


@dataclass(frozen=True, kw_only=True)
class Success(BinaryMeasure):
    """1 if one of the first documents is relevant, else 0."""

    description = Description(
        stem="Success",
        text="whether one in k is relevant",
        trec_eval={"success_k": "Success@k"},
        ranx={"hit_rate@k": "Success@k"},
    )
    cutoff: int = field()

    def score(self, run: JudgedRun) -> Floats:
        """Return the value of each query."""
        query, _ = run.relevant(self.rel, self.cutoff)
        return (run.pool.per_query(query) > 0).astype(np.float64)

    def _expected(self, population: Population) -> Numbers:
        # from 0.0, so that no ranks give 0.0 and not -0.0
        mean: Numbers = 0.0 - np.expm1(self._log_failure(population))
        return mean

    def _variance(self, population: Population) -> Numbers:
        log_failure = self._log_failure(population)
        variance: Numbers = (0.0 - np.expm1(log_failure)) * np.exp(log_failure)
        return variance

    def expected_over_ties(self, run: TiedRun) -> Floats:
        """Return the mean over all orders within ties."""
        first, n_relevant = _first_blocks(run, self.rel)
        values = run.pool.per_query(first.query[first.before + first.size <= self.cutoff])
        cut = (first.before < self.cutoff) & (first.before + first.size > self.cutoff)
        block = (first.size[cut], n_relevant[cut], self.cutoff - first.before[cut])
        log_failure = log_none_found(*(numbers.astype(np.float64) for numbers in block))
        values[first.query[cut]] = -np.expm1(log_failure)
        return values

    def _log_failure(self, population: Population) -> Floats:
        """Return the logarithm of the probability that no relevant document is seen."""
        relevant = np.asarray(population.n_relevant(self.rel))
        documents = np.asarray(population.n_documents)
        return log_none_found(documents, relevant, np.asarray(population.ranks_seen(self.cutoff)))


def _first_blocks(run: TiedRun, rel: int) -> tuple[TiedRun, Ints]:
    """Return one relevant document of each query's first block with any, and how many it has."""
    relevant = run.only(run.grades >= rel)
    n_in_block = np.bincount(relevant.block)
    first = number_within(relevant.query) == 1
    return relevant.only(first), n_in_block[relevant.block[first]]


def _probability_of_first(rank: Floats, documents: Floats, relevant: Floats) -> Floats:
    """Return the probability that the first relevant document is at this rank."""
    # it is relevant, and the ranks above have none of the others
    above = log_none_found(documents - 1, relevant - 1, rank - 1)
    probabilities: Floats = relevant / documents * np.exp(above)
    return probabilities


def _reciprocals_in_block(place: Floats, size: Floats, relevant: Floats, before: Floats) -> Floats:
    return _probability_of_first(place, size, relevant) / (before + place)


def _moment(documents: Floats, relevant: Floats, last: Floats, power: int) -> Floats:
    """Return the mean of a power of RR."""

    def term(rank: Floats, documents: Floats, relevant: Floats) -> Floats:
        return _probability_of_first(rank, documents, relevant) / rank**power

    return rank_sums(term, last, documents, relevant)


def _missing_moment(documents: Floats, relevant: Floats, last: Floats, power: int) -> Floats:
    """Return the mean of a power of 1 - RR."""

    def term(rank: Floats, documents: Floats, relevant: Floats) -> Floats:
        return _probability_of_first(rank, documents, relevant) * ((rank - 1) / rank) ** power

    nothing = np.exp(log_none_found(documents, relevant, last))
    return rank_sums(term, last, documents, relevant) + nothing


def log_none_found(n_documents: Floats, n_relevant: Floats, n_ranks: Floats) -> Floats:
    """Return the logarithm of the probability that the first ranks have no relevant document.

    Of N documents R are relevant; the first n ranks of a random order have none of these with
    probability C(N - R, n) / C(N, n). As a product it has min(n, R) factors, and as a difference of
    four log-factorials it loses all its digits where N is large. Stirling's series of the four,
    combined before anything is computed, has neither problem. With t = R n / ((N - R)(N - n)) the
    logarithm is

        n log(1 - R/N) + R log(1 - n/N) - (N - R - n + 1/2) log(1 - t) + c,

    where c combines the small terms of the four series. Every part is as exact as a logarithm can
    be, and the parts are of one size. Where fewer than ``MIN_OTHERS`` other documents would be left
    over, the series is too rough; the last few factors are then multiplied one by one.

    Minus infinity where there are fewer other documents than ranks. ``n_ranks`` may be between
    integers as long as ``MIN_OTHERS`` documents are not relevant.
    """
    documents, relevant, ranks = np.broadcast_arrays(n_documents, n_relevant, n_ranks)
    left = documents - relevant - ranks
    n_factors = np.clip(np.ceil(MIN_OTHERS - left), 0.0, np.floor(ranks))
    near = left < MIN_OTHERS
    # where every factor is multiplied by itself, the series of no ranks and none relevant is 0
    rest = np.where(near & (n_factors == ranks), 0.0, relevant)
    logs = np.asarray(_series(np.maximum(documents, 1.0), rest, ranks - n_factors))
    if np.any(near):
        logs[near] += _factors(documents[near], relevant[near], ranks[near], n_factors[near])
    return logs


def _series(documents: Floats, relevant: Floats, ranks: Floats) -> Floats:
    """Return Stirling's series of the four factorials, combined."""
    others, below = documents - relevant, documents - ranks
    left = others - ranks
    shared = _log_fraction(documents * left, others * below, relevant * ranks)
    large = ranks * _log_fraction(others, documents, relevant)
    large = large + relevant * _log_fraction(below, documents, ranks)
    # in this order both brackets are exactly 0 without ranks, and their sum without relevant ones
    small = (_stirling(others) - _stirling(left)) + (_stirling(below) - _stirling(documents))
    logs: Floats = large - (left + 0.5) * shared + small
    return logs


def _log_fraction(part: Floats, whole: Floats, rest: Floats) -> Floats:
    """Return the logarithm of part / whole, from the part or the rest, whichever is smaller."""
    logs: Floats = np.where(
        rest < part, np.log1p(-np.minimum(rest / whole, 0.5)), np.log(part / whole)
    )
    return logs


def _stirling(n: Floats) -> Floats:
    """Return log n! less (n + 1/2) log n - n + log(2 pi) / 2."""
    square = 1.0 / (n * n)
    series = 1 / 12 - square * (
        1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square * (1 / 1188)))
    )
    sums: Floats = series / n
    return sums


def _factors(documents: Floats, relevant: Floats, ranks: Floats, n_factors: Floats) -> Floats:
    """Return the logarithm of the last factors, rank by rank."""
    product = np.ones(documents.shape)
    for step in range(1, int(MIN_OTHERS) + 1):
        before = ranks - step  # documents ranked above this one
        fraction = (documents - relevant - before) / np.maximum(documents - before, 1.0)
        product = np.where(step <= n_factors, product * np.maximum(fraction, 0.0), product)
    with np.errstate(divide="ignore"):
        return np.where(documents - relevant < ranks, -np.inf, np.log(product))
