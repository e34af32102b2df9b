"""What reading scores in single precision, as trec_eval 9 does, would change.

Rounding ties scores that doubles tell apart, and ties go by document id. Few runs hold such scores:
only queries whose order changes are looked at further.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..measurement.base import Measure
from ..measurement.judged_runs import Ints, JudgedRun
from ..reading.records import Run
from ..results.diagnosis import NOTABLE


@dataclass(frozen=True)
class PrecisionEffect:
    """Queries that change by more than ``NOTABLE``; the largest change, its measure and query."""

    n_queries: int = 0
    change: float = 0.0
    measure: str = ""
    query: str = ""


def effect_of_single_precision(
    run: Run, judged: JudgedRun, measures: Sequence[Measure]
) -> PrecisionEffect:
    """Score the queries that single precision puts in another order, in both orders."""
    orders = _both_orders(run, judged)
    formulas = [(one.name, one.formula) for one in measures if one.formula is not None]
    if orders is None or not formulas:
        return PrecisionEffect()
    double, single = orders
    changes = np.abs([formula(single) - formula(double) for _, formula in formulas])
    m, q = np.unravel_index(np.argmax(changes), changes.shape)
    return PrecisionEffect(
        n_queries=int((changes > NOTABLE).any(axis=0).sum()),
        change=float(changes[m, q]),
        measure=formulas[m][0],
        query=judged.pool.query_ids[q] if changes[m, q] else "",
    )


def _both_orders(run: Run, judged: JudgedRun) -> tuple[JudgedRun, JudgedRun] | None:
    """The judged documents of queries that single precision reorders, as they are and so; or None.

    Those of other queries are left out of both.
    """
    from ..kernels.ranking import find_reordered

    reordered = np.zeros(len(run.query_ids), dtype=np.bool_)
    ids = run.documents.text, run.documents.offsets
    if run.by_rank or not find_reordered(run.bounds, run.docs, run.scores, *ids, reordered):
        return None
    places = np.flatnonzero(reordered)
    bounds, ranks = _ranks_in_single_precision(run, places)
    number = {run.query_ids[place]: k for k, place in enumerate(places.tolist())}
    of_query = np.array([number.get(query, -1) for query in judged.pool.query_ids])
    double = judged.only(of_query[judged.query] >= 0)
    new_ranks = ranks[bounds[of_query[double.query]] + double.ranks - 1]
    order = np.lexsort((new_ranks, double.query))
    return double, JudgedRun(
        judged.pool, double.query, new_ranks[order], double.grades[order], judged.n_retrieved
    )


def _ranks_in_single_precision(run: Run, places: Ints) -> tuple[Ints, Ints]:
    """Where the queries at ``places`` begin, one after the other, and the new ranks of entries."""
    from ..kernels.ranking import rank_documents

    sizes = run.depths[places]
    bounds = np.concatenate(([0], np.cumsum(sizes)))
    entries = np.arange(bounds[-1]) + np.repeat(run.bounds[places] - bounds[:-1], sizes)
    with np.errstate(over="ignore"):
        rounded = run.scores[entries].astype(np.float32).astype(np.float64)
    order = np.arange(len(entries))
    ids = run.documents.text, run.documents.offsets
    rank_documents(bounds, run.docs[entries], rounded, *ids, order)
    ranks = np.empty_like(order)
    ranks[order] = np.arange(len(order)) - np.repeat(bounds[:-1], sizes) + 1
    return bounds, ranks
