"""ERR: the expected reciprocal rank at which a reader stops.

The reader goes down the list and stops at a document with a probability that rises with its grade,
as in gdeval. The reader is at rank r if no document above it was where to stop.

Over random rankings one needs a(m), the mean over all choices of m documents of the product of
their probabilities of not stopping: for each grade g, one document of it is put at rank r, and
a(r - 1) is taken over the documents that are left. Only positive numbers are added, so that nothing
is lost where relevant documents are rare.

a(m) is built up grade by grade, beginning with the documents at which nobody stops, a(m) = 1. The
documents of a grade are added one at a time where they are few. Where they are more than the ranks,
they are added at once: the number of them among m is followed from rank to rank (hypergeometric).
Either way a query costs (grades) x (ranks) x (the smaller of ranks and relevant documents),
whatever the number of documents.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import MeasureError
from .base import NO_CUTOFF, Description, ImageForm, ImageScale, Measure
from .judged_runs import Floats, Ints, JudgedRun, Pool, TiedRun, number_within
from .populations import Numbers, Population
from .weighted import exponential_gains

GDEVAL_MAX_GRADE = 4  # gdeval's constant, whatever the judgments have
MAX_STEPS = 5 * 10**8  # a few seconds
STEPS_PER_RANK = 50  # that a rank costs besides, in time and memory
AT_ONCE = 2**19  # numbers of an array: as many queries at once as fit


@dataclass(frozen=True, kw_only=True)
class ExpectedReciprocalRank(Measure):
    """ERR, as gdeval computes it.

    ``variance`` is NaN: results have the standard deviation of random draws in its place.
    """

    description = Description(stem="ERR", text="expected reciprocal rank")
    scores_in_table = True

    def score(self, run: JudgedRun) -> Floats:
        """Return the value of each query."""
        return self._total(run.pool, run.query, run.ranks, run.grades)

    def image_form(self, scale: ImageScale) -> ImageForm:
        """Return the probability of stopping at each level."""
        stops = stop_probabilities(scale.grades, scale.max_grade)
        return ImageForm(kind="ERR", cutoff=self.cutoff or NO_CUTOFF, gains=stops)

    def _expected(self, population: Population) -> Numbers:
        documents, ranks, counts, stops = self._arrays_of(population)
        values = self._stop_values(documents, ranks, counts, stops, np.zeros(len(documents)))
        return values.reshape(np.shape(population.n_documents))

    def expected_over_ties(self, run: TiedRun) -> Floats:
        """Return the mean over all orders within ties.

        The reader comes to a block if the documents above it let him, whatever their order. Within
        the block all is as in a random ranking of its documents that begins further down.
        """
        last = np.inf if self.cutoff is None else float(self.cutoff)
        relevant = run.only((run.grades > 0) & (run.before < last))
        stops = stop_probabilities(relevant.grades, run.pool.max_grade)
        reading = _probability_of_reading(run.pool, relevant.query, stops)
        untied = relevant.size == 1
        terms = stops * reading / relevant.ranks
        total = run.pool.per_query(relevant.query[untied], terms[untied])
        first = relevant.firsts[relevant.size[relevant.firsts] > 1]
        return total + run.pool.per_query(
            relevant.query[first], reading[first] * self._block_values(relevant, first, last)
        )

    def _total(self, pool: Pool, query: Ints, ranks: Ints, grades: Ints) -> Floats:
        """Return the ERR of each query, given its judged documents in order."""
        counts = grades > 0
        if self.cutoff is not None:
            counts &= ranks <= self.cutoff
        query, ranks = query[counts], ranks[counts]
        stops = stop_probabilities(grades[counts], pool.max_grade)
        return pool.per_query(query, stops * _probability_of_reading(pool, query, stops) / ranks)

    def _arrays_of(self, population: Population) -> tuple[Floats, Floats, Floats, Floats]:
        """Return documents, ranks and counts by grade of each query, and the grades' stops."""
        documents = np.atleast_1d(population.n_documents)
        ranks = np.broadcast_to(population.ranks_seen(self.cutoff), documents.shape)
        counts = np.zeros((len(documents), len(population.grades)))
        for place, count in enumerate(population.counts):
            counts[:, place] = count
        grades = np.array(population.grades, dtype=np.int64)
        return documents, ranks, counts, stop_probabilities(grades, population.max_grade)

    def _block_values(self, relevant: TiedRun, first: Ints, last: float) -> Floats:
        """Return the expected 1 / rank of stopping in each tied block, for a reader at it."""
        grades = np.unique(relevant.grades)
        counts = np.zeros((int(relevant.block.max(initial=-1)) + 1, len(grades)))
        np.add.at(counts, (relevant.block, np.searchsorted(grades, relevant.grades)), 1.0)
        before, size = (part[first].astype(np.float64) for part in (relevant.before, relevant.size))
        stops = stop_probabilities(grades, relevant.pool.max_grade)
        n_ranks = np.minimum(size, last - before)
        return self._stop_values(size, n_ranks, counts[relevant.block[first]], stops, before)

    def _stop_values(
        self, documents: Floats, ranks: Floats, counts: Floats, stops: Floats, before: Floats
    ) -> Floats:
        """Return the expected 1 / rank of stopping in a random order of documents.

        ``ranks`` is the number of ranks that count. ``counts`` has a row per order and a column per
        grade, ``stops`` the probability of stopping at each grade. The first document is below
        ``before`` others.
        """
        ranks = np.where(counts.any(axis=1), ranks, 0.0)  # nothing relevant: no rank matters
        added = np.minimum(counts, ranks[:, np.newaxis]).sum(axis=1)
        steps = float((ranks * (added + STEPS_PER_RANK)).sum()) * counts.shape[1]
        if steps > MAX_STEPS:
            stem = self.description.stem
            raise MeasureError(
                f"{stem} over this many ranks and relevant documents takes {steps:.0e} steps, and "
                f"{MAX_STEPS:.0e} is the most; give it a cutoff, such as {stem}@20"
            )
        values = np.zeros(len(documents))
        order = np.lexsort((counts.sum(axis=1), ranks))  # similar sizes together
        step = max(int(AT_ONCE / (ranks.max(initial=0.0) + 1)), 1)
        for part in (order[start : start + step] for start in range(0, len(order), step)):
            values[part] = _sum_of_stops(
                documents[part], ranks[part], counts[part], stops, before[part]
            )
        return values


def stop_probabilities(grades: Ints, max_grade: int) -> Floats:
    """Return the probability of stopping at documents of these grades, by gdeval's scale."""
    return exponential_gains(grades, max(max_grade, GDEVAL_MAX_GRADE))


def _probability_of_reading(pool: Pool, query: Ints, stops: Floats) -> Floats:
    """Return the probability that the reader comes to each relevant document."""
    # one row per query, one column per relevant document: a cumulative product along the row
    place = number_within(query)
    table = np.zeros((len(pool), int(place.max(initial=0)) + 1))
    table[query, place] = stops
    reading: Floats = np.multiply.accumulate(1.0 - table, axis=1)[query, place - 1]
    return reading


def _sum_of_stops(
    documents: Floats, ranks: Floats, counts: Floats, stops: Floats, before: Floats
) -> Floats:
    """Return the sum over grades and ranks of the probability of stopping, divided by the rank."""
    places = np.arange(int(ranks.max(initial=0.0)))  # documents above a rank
    reached = before[:, np.newaxis] + places + 1.0
    weights = np.where(places < ranks[:, np.newaxis], 1.0 / reached, 0.0)
    total = np.zeros(len(documents))
    for grade, stop in enumerate(stops.tolist()):
        rest = counts.copy()
        rest[:, grade] = np.maximum(rest[:, grade] - 1, 0)
        passing = mean_products(documents - counts.sum(axis=1), rest, 1 - stops, len(places))
        total += counts[:, grade] / np.maximum(documents, 1.0) * stop * (weights * passing).sum(1)
    return total


def mean_products(others: Floats, counts: Floats, passing: Floats, n_ranks: int) -> Floats:
    """Return the mean product of the probabilities of passing 0, 1, ... documents, per query."""
    means = np.ones((len(others), n_ranks))
    documents = others.copy()
    for count, passes in zip(counts.T, passing.tolist(), strict=True):
        if count.max(initial=0.0) <= n_ranks:
            means = _add_one_by_one(means, documents, count, passes)
        else:
            means = _add_at_once(means, documents, count, passes)
        documents = documents + count
    return means


def _add_one_by_one(means: Floats, documents: Floats, count: Floats, passes: float) -> Floats:
    """Add documents: of m among n + 1, the new one is a member with probability m / (n + 1)."""
    number = np.arange(means.shape[1], dtype=np.float64)
    for added in range(int(count.max(initial=0.0))):
        total = (documents + added + 1)[:, np.newaxis]
        mixed = np.maximum(total - number, 0.0) * means  # m above the total is never used
        mixed[:, 1:] += number[1:] * passes * means[:, :-1]
        means = np.where((added < count)[:, np.newaxis], mixed / total, means)
    return means


def _add_at_once(means: Floats, documents: Floats, count: Floats, passes: float) -> Floats:
    """Add documents by the distribution of their number among the first m.

    ``mass`` is the probability of each number times that of passing as many new documents.
    """
    others, new = documents[:, np.newaxis], count[:, np.newaxis]
    n_ranks = means.shape[1]
    number = np.arange(n_ranks, dtype=np.float64)
    mass = np.zeros_like(means)
    mass[:, :1] = 1.0
    result = np.ones_like(means)
    for drawn in range(1, n_ranks):
        left = np.maximum(others + new - (drawn - 1), 1.0)
        next_new = mass * np.maximum(new - number, 0.0) / left * passes
        mass = mass * np.maximum(others - (drawn - 1 - number), 0.0) / left
        mass[:, 1:] += next_new[:, :-1]
        result[:, drawn] = (mass[:, : drawn + 1] * means[:, drawn::-1]).sum(axis=1)
    return result
