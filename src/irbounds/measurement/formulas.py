"""The measures, each as array operations on a run's judged documents.

Every function takes the judged run and the measure's parameters and gives one value per query; a
query without relevant documents, or without retrieved ones, scores 0. Definitions follow trec_eval
(pytrec_eval) where it has the measure, cwl_eval for RBP and INSQ, gdeval for ERR and the
exponential gain; `docs/measures.md` has them in words. Tied documents are in trec_eval's order for
all of them, so that values equal those of cwl_eval and gdeval only where ties are in that order.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .judged_runs import Floats, Ints, JudgedRun, number_within

__all__ = [
    "CWL_DEPTH",
    "FORMULAS",
    "dcg_gains",
    "inverse_square_gains",
    "inverse_square_weights",
    "rank_biased_gains",
    "rank_biased_weights",
    "ratio",
    "stopping_chances",
]

CWL_DEPTH = 1000  # cwl_eval spreads a measure's weight over this many ranks
GDEVAL_MAX_GRADE = 4  # gdeval's constant, whatever the judgments hold


def average_precision(run: JudgedRun, *, rel: int = 1, cutoff: int | None = None) -> Floats:
    query, ranks = run.relevant(rel, cutoff)
    total = run.pool.per_query(query, number_within(query) / ranks)
    return ratio(total, run.pool.n_relevant(rel))


def precision(run: JudgedRun, *, cutoff: int, rel: int = 1) -> Floats:
    query, _ = run.relevant(rel, cutoff)
    return run.pool.per_query(query) / cutoff


def recall(run: JudgedRun, *, cutoff: int, rel: int = 1) -> Floats:
    query, _ = run.relevant(rel, cutoff)
    return ratio(run.pool.per_query(query), run.pool.n_relevant(rel))


def r_precision(run: JudgedRun, *, rel: int = 1) -> Floats:
    query, ranks = run.relevant(rel)
    n_relevant = run.pool.n_relevant(rel)
    return ratio(run.pool.per_query(query[ranks <= n_relevant[query]]), n_relevant)


def reciprocal_rank(run: JudgedRun, *, rel: int = 1, cutoff: int | None = None) -> Floats:
    query, ranks = run.relevant(rel, cutoff)
    first = number_within(query) == 1
    return run.pool.per_query(query[first], 1.0 / ranks[first])


def success(run: JudgedRun, *, cutoff: int, rel: int = 1) -> Floats:
    query, _ = run.relevant(rel, cutoff)
    return (run.pool.per_query(query) > 0).astype(np.float64)


def ndcg(run: JudgedRun, *, cutoff: int | None = None, dcg: str = "log2") -> Floats:
    top = run.pool.max_grade
    relevant = run.grades > 0
    gains = dcg_gains(run.grades[relevant], top, dcg)
    found = _dcg(run, run.query[relevant], run.ranks[relevant], gains, cutoff)
    query, ranks, grades = run.pool.ideal
    return ratio(found, _dcg(run, query, ranks, dcg_gains(grades, top, dcg), cutoff))


def rank_biased_precision(
    run: JudgedRun, *, p: float = 0.8, rel: int | None = None, cutoff: int | None = None
) -> Floats:
    gains = rank_biased_gains(run.grades, run.pool.max_grade, rel)
    return _weighted(run, rank_biased_weights(p), gains, cutoff)


def inverse_squares(
    run: JudgedRun, *, T: float = 1.0, min_rel: int = 0, max_rel: int | None = None
) -> Floats:
    top = run.pool.max_grade if max_rel is None else max_rel
    gains = inverse_square_gains(run.grades, min_rel, top)
    return _weighted(run, inverse_square_weights(T), gains, None)


def expected_reciprocal_rank(run: JudgedRun, *, cutoff: int | None = None) -> Floats:
    wanted = run.grades > 0
    if cutoff is not None:
        wanted &= run.ranks <= cutoff
    query, ranks, grades = run.query[wanted], run.ranks[wanted], run.grades[wanted]
    stops = stopping_chances(grades, run.pool.max_grade)
    # one row a query, one column a relevant document: what was read before is a product along it
    place = number_within(query)
    table = np.zeros((len(run.pool), int(place.max(initial=0)) + 1))
    table[query, place] = stops
    reading = np.cumprod(1.0 - table, axis=1)[query, place - 1]
    return run.pool.per_query(query, stops * reading / ranks)


def binary_preference(run: JudgedRun, *, rel: int = 1) -> Floats:
    pool = run.pool
    n_relevant = pool.n_relevant(rel)
    n_nonrelevant = pool.n_relevant(0) - n_relevant  # negative grades count as not judged
    nonrelevant = (run.grades >= 0) & (run.grades < rel)
    above = np.cumsum(nonrelevant)
    before_query = np.append(0, above)[np.searchsorted(run.query, np.arange(len(pool)))]
    relevant = run.grades >= rel
    query = run.query[relevant]
    above = (above - before_query[run.query])[relevant]
    bound = np.minimum(n_relevant, n_nonrelevant)[query]
    lost = np.minimum(above, n_relevant[query]) / np.maximum(bound, 1)
    return ratio(pool.per_query(query, 1.0 - lost), n_relevant)


def judged(run: JudgedRun, *, cutoff: int | None = None) -> Floats:
    query = run.query if cutoff is None else run.query[run.ranks <= cutoff]
    looked_at = run.n_retrieved if cutoff is None else np.minimum(run.n_retrieved, cutoff)
    return ratio(run.pool.per_query(query), looked_at)


def set_precision(run: JudgedRun, *, rel: int = 1, relative: bool = False) -> Floats:
    query, _ = run.relevant(rel)
    base = np.minimum(run.n_retrieved, run.pool.n_relevant(rel)) if relative else run.n_retrieved
    return ratio(run.pool.per_query(query), base)


def set_recall(run: JudgedRun, *, rel: int = 1) -> Floats:
    query, _ = run.relevant(rel)
    return ratio(run.pool.per_query(query), run.pool.n_relevant(rel))


def set_f(run: JudgedRun, *, rel: int = 1, beta: float = 1.0) -> Floats:
    # trec_eval weighs recall by beta itself, not by its square
    p, r = set_precision(run, rel=rel), set_recall(run, rel=rel)
    return ratio((1.0 + beta) * p * r, beta * p + r)


FORMULAS: dict[str, Callable[..., Floats]] = {
    "AP": average_precision,
    "P": precision,
    "R": recall,
    "Rprec": r_precision,
    "RR": reciprocal_rank,
    "Success": success,
    "nDCG": ndcg,
    "RBP": rank_biased_precision,
    "INSQ": inverse_squares,
    "ERR": expected_reciprocal_rank,
    "Bpref": binary_preference,
    "Judged": judged,
    "SetP": set_precision,
    "SetR": set_recall,
    "SetF": set_f,
}


def dcg_gains(grades: Ints, top: int, dcg: str) -> Floats:
    """The grade itself, or the exponential gain, whose scale divides out."""
    return _exponential(grades, top) if dcg == "exp-log2" else grades.astype(np.float64)


def rank_biased_weights(p: float) -> Floats:
    """Weight of each rank, 1 in all."""
    weights = np.power(p, np.arange(CWL_DEPTH), dtype=np.float64)
    shares: Floats = weights / weights.sum()
    return shares


def rank_biased_gains(grades: Ints, top: int, rel: int | None) -> Floats:
    """Gain 0 or 1 by ``rel``; without it, the grade as a share of the highest grade."""
    if rel is not None:
        return (grades >= rel).astype(np.float64)
    return np.maximum(grades, 0).astype(np.float64) / top


def inverse_square_weights(T: float) -> Floats:
    """Weight of each rank, 1 in all."""
    # the product of the continuation probabilities ((i + 2T - 1) / (i + 2T))^2 telescopes
    weights = np.square(2 * T / (np.arange(CWL_DEPTH) + 2 * T))
    shares: Floats = weights / weights.sum()
    return shares


def inverse_square_gains(grades: Ints, lowest: int, top: int) -> Floats:
    """The grade as a share of the way from ``lowest`` to ``top``."""
    gains: Floats = (np.clip(np.maximum(grades, 0), lowest, top) - lowest) / (top - lowest)
    return gains


def stopping_chances(grades: Ints, top: int) -> Floats:
    """How likely a reader is to stop at a document of this grade, by gdeval's scale."""
    return _exponential(grades, max(top, GDEVAL_MAX_GRADE))


def ratio(above: float | Floats, below: float | Ints | Floats) -> Floats:
    """Divide, with 0 where there is nothing to divide by."""
    quotient: Floats = np.zeros(np.shape(above))
    np.divide(above, below, out=quotient, where=np.greater(below, 0))
    return quotient


def _exponential(grades: Ints, top: int) -> Floats:
    """(2^grade - 1) / 2^top, which no grade can make overflow."""
    shares: Floats = np.exp2(grades - float(top)) - np.exp2(-float(top))
    return shares


def _dcg(run: JudgedRun, query: Ints, ranks: Ints, gains: Floats, cutoff: int | None) -> Floats:
    discounted = gains / np.log2(ranks + 1.0)
    if cutoff is not None:
        discounted = np.where(ranks <= cutoff, discounted, 0.0)
    return run.pool.per_query(query, discounted)


def _weighted(run: JudgedRun, weights: Floats, gains: Floats, cutoff: int | None) -> Floats:
    wanted = run.ranks <= min(cutoff or CWL_DEPTH, CWL_DEPTH)
    values = weights[run.ranks[wanted] - 1] * gains[wanted]
    # a thousand weights may add up to a rounding error more than 1
    return np.minimum(run.pool.per_query(run.query[wanted], values), 1.0)
