"""ERR of a random ranking: a reader who goes down the list and may stop at each document.

The reader is at rank r if no document above it was where to stop. For the expectation one needs
a(m), the mean over all m documents of the product of their chances of not stopping: for each grade
g, one document of it is put at rank r, and a(r - 1) is taken over the documents that are left. Only
sums of positive numbers occur, so nothing is lost where relevant documents are rare.

a(m) is built up grade by grade from the documents that stop nobody, a(m) = 1. The documents of a
grade are added one at a time where they are few. Where they are more than the ranks, they are added
at once: how many of them are among m is followed from rank to rank (hypergeometric). Either way a
query costs (grades) x (ranks) x (the smaller of ranks and relevant documents), whatever the number
of documents.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..errors import MeasureError
from .formulas import stopping_chances
from .populations import Numbers, Population

Floats = NDArray[np.float64]

MOST_STEPS = 5 * 10**8  # a few seconds
PASS = 50  # steps that a rank costs besides, in time and memory
AT_ONCE = 2**19  # numbers of an array: as many queries at once as fit


def expected_reciprocal_rank(population: Population, *, cutoff: int | None = None) -> Numbers:
    """The expected ERR of each query."""
    shape = np.shape(population.n_documents)
    documents = np.atleast_1d(population.n_documents)
    seen = np.minimum(population.depth, np.inf if cutoff is None else float(cutoff))
    ranks = np.broadcast_to(seen, documents.shape)
    counts = np.zeros((len(documents), len(population.grades)))
    for place, count in enumerate(population.counts):
        counts[:, place] = count
    stops = stopping_chances(np.array(population.grades, dtype=np.int64), population.max_grade)
    above = np.zeros(len(documents))
    return stopping_values(documents, ranks, counts, stops, above).reshape(shape)


def stopping_values(
    documents: Floats, ranks: Floats, counts: Floats, stops: Floats, above: Floats
) -> Floats:
    """What stopping in a random order of documents is worth, on average: 1 / rank where it happens.

    So many ranks are looked at; ``counts`` has a row for each order and a column for each grade,
    ``stops`` a grade's chance to stop. The first document stands below ``above`` others.
    """
    ranks = np.where(counts.any(axis=1), ranks, 0.0)  # nothing relevant: no rank matters
    _check_cost(ranks, counts)
    values = np.zeros(len(documents))
    order = np.lexsort((counts.sum(axis=1), ranks))  # like beside like
    step = max(int(AT_ONCE / (ranks.max(initial=0.0) + 1)), 1)
    for some in (order[start : start + step] for start in range(0, len(order), step)):
        values[some] = _values(documents[some], ranks[some], counts[some], stops, above[some])
    return values


def _check_cost(ranks: Floats, counts: Floats) -> None:
    added = np.minimum(counts, ranks[:, np.newaxis]).sum(axis=1)
    steps = float((ranks * (added + PASS)).sum()) * counts.shape[1]
    if steps > MOST_STEPS:
        raise MeasureError(
            f"ERR over this many ranks and relevant documents takes {steps:.0e} steps, and "
            f"{MOST_STEPS:.0e} is the most; give it a cutoff, such as ERR@20"
        )


def _values(
    documents: Floats, ranks: Floats, counts: Floats, stops: Floats, above: Floats
) -> Floats:
    """The sum over grades and ranks of: stops here, and at no document of the order before."""
    places = np.arange(int(ranks.max(initial=0.0)))  # documents before a rank
    reached = above[:, np.newaxis] + places + 1.0
    weights = np.where(places < ranks[:, np.newaxis], 1.0 / reached, 0.0)
    total = np.zeros(len(documents))
    for grade, stop in enumerate(stops.tolist()):
        rest = counts.copy()
        rest[:, grade] = np.maximum(rest[:, grade] - 1, 0)
        reading = _reading(documents - counts.sum(axis=1), rest, 1 - stops, len(places))
        total += counts[:, grade] / np.maximum(documents, 1.0) * stop * (weights * reading).sum(1)
    return total


def _reading(others: Floats, counts: Floats, passing: Floats, n_ranks: int) -> Floats:
    """The mean product of the chances to pass by 0, 1, ... documents, for each query."""
    means = np.ones((len(others), n_ranks))
    documents = others.copy()
    for count, passes in zip(counts.T, passing.tolist(), strict=True):
        if count.max(initial=0.0) <= n_ranks:
            means = _added_singly(means, documents, count, passes)
        else:
            means = _added_at_once(means, documents, count, passes)
        documents = documents + count
    return means


def _added_singly(means: Floats, documents: Floats, count: Floats, passes: float) -> Floats:
    """Of m among n + 1 documents, the new one is a member with probability m / (n + 1)."""
    number = np.arange(means.shape[1], dtype=np.float64)
    for added in range(int(count.max(initial=0.0))):
        total = (documents + added + 1)[:, np.newaxis]
        mixed = np.maximum(total - number, 0.0) * means  # more than there are: not asked for
        mixed[:, 1:] += number[1:] * passes * means[:, :-1]
        means = np.where((added < count)[:, np.newaxis], mixed / total, means)
    return means


def _added_at_once(means: Floats, documents: Floats, count: Floats, passes: float) -> Floats:
    """Follow how many of the new documents are among the first m; ``held`` has passed by them."""
    others, new = documents[:, np.newaxis], count[:, np.newaxis]
    n_ranks = means.shape[1]
    number = np.arange(n_ranks, dtype=np.float64)
    held = np.zeros_like(means)
    held[:, :1] = 1.0
    result = np.ones_like(means)
    for drawn in range(1, n_ranks):
        left = np.maximum(others + new - (drawn - 1), 1.0)
        next_new = held * np.maximum(new - number, 0.0) / left * passes
        held = held * np.maximum(others - (drawn - 1 - number), 0.0) / left
        held[:, 1:] += next_new[:, :-1]
        result[:, drawn] = (held[:, : drawn + 1] * means[:, drawn::-1]).sum(axis=1)
    return result
