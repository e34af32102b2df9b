"""Scores of runs with tied documents, by each rule for ties.

A run does not order its documents of equal score. The rules:

- ``"trec"``: by document id, descending by bytes, as trec_eval does. Rankings have this order when
  they are read; see ``reading.trec_eval_order``.
- ``"expected"``: the exact mean over all orders, ``Measure.expected_over_ties``.
- ``"worst"`` and ``"best"``: the orders with the lowest and the highest score.

Best order of a block of ties: judged documents first, by descending grade. Worst order: judged
documents last, by ascending grade, so that unjudged documents and those of low grade push the
relevant ones down.

Why these are best and worst for every measure at once: two neighbours of a block are swapped so
that the higher grade comes first (an unjudged document counts as lower than any grade), and no
measure falls. Such swaps turn any order into the best one, and the worst one into any order. At
ranks r and r + 1, with all other documents unchanged:

- P, R, Rprec, nDCG, RBP, INSQ and Judged add up gains times weights. The gain does not fall with
  the grade, and the weight does not rise with the rank, whatever the cutoff.
- AP: with s relevant documents above, the term (s + 1) / (r + 1) becomes (s + 1) / r, or begins to
  count where the cutoff is between the two. The terms below have the same documents above them.
- RR and Success: the first relevant document moves up or stays.
- ERR: with stop probabilities a >= b, a / r + (1 - a) b / (r + 1) is at least
  b / r + (1 - b) a / (r + 1), the difference being (a - b) / (r (r + 1)). With the cutoff between,
  a / r is at least b / r. The probability of reading on is (1 - a) (1 - b) either way.
- Bpref: a relevant document has one judged non-relevant document fewer above it, or as many.
- SetP, SetR and SetF, and Judged without a cutoff, do not depend on the order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, get_args

import numpy as np

from ..errors import MeasureError
from ..measurement.base import Measure
from ..measurement.external import ExternalMeasure, ProvidedScorer
from ..measurement.judged_runs import Floats, Ints, JudgedRun, TiedRun, find_ties, number_within
from ..reading.records import Qrels, Run
from ..validation import TieRule, check_choice


def check_ties(ties: Any, measures: Sequence[Measure]) -> None:
    """Raise unless ``ties`` is one of the rules and every measure can be scored by it."""
    check_choice("ties", ties, get_args(TieRule))
    for measure in measures:
        if measure.is_external and ties != "trec":
            raise MeasureError(
                f"{measure.name} is computed by ir_measures' providers, which take one order: "
                f"only with ties='trec'; got {ties!r}"
            )


def score_by_rule(
    ties: TieRule,
    qrels: Qrels,
    runs: Sequence[Run],
    judged: Sequence[JudgedRun],
    measures: Sequence[Measure],
    progress: Callable[[], None] | None = None,
) -> Floats:
    """Return scores as measure x system x query; call ``progress`` after each run."""
    queries = judged[0].pool.query_ids
    values = np.empty((len(measures), len(runs), len(queries)))
    others = [measure for measure in measures if isinstance(measure, ExternalMeasure)]
    scorer = ProvidedScorer(others, qrels, queries) if others else None
    for s, (run, order) in enumerate(zip(runs, judged, strict=True)):
        provided = scorer.score(run) if scorer else {}
        if ties == "expected":
            tied = find_ties(run, order)
            lowest, highest = worst_order(tied), best_order(tied)
            for m, measure in enumerate(measures):  # rounding may leave the range by a last digit
                expected = measure.expected_over_ties(tied)
                values[m, s] = np.clip(expected, measure.score(lowest), measure.score(highest))
        else:
            if ties != "trec":
                tied = find_ties(run, order)
                order = best_order(tied) if ties == "best" else worst_order(tied)
            for m, measure in enumerate(measures):
                is_provided = measure.name in provided
                values[m, s] = provided[measure.name] if is_provided else measure.score(order)
        if progress:
            progress()
    return values


def best_order(run: TiedRun) -> JudgedRun:
    """Return the run with the order within ties that scores highest, by any measure."""
    tied = np.flatnonzero(run.size > 1)
    block = run.block[tied]
    by_grade = tied[np.lexsort((-run.grades[tied], block))]
    return _reorder(run, tied, by_grade, run.before[tied] + number_within(block))


def worst_order(run: TiedRun) -> JudgedRun:
    """Return the run with the order within ties that scores lowest, by any measure."""
    tied = np.flatnonzero(run.size > 1)
    block = run.block[tied]
    by_grade = tied[np.lexsort((run.grades[tied], block))]
    n_unjudged = run.size[tied] - np.bincount(block)[block] if len(tied) else tied
    return _reorder(run, tied, by_grade, run.before[tied] + n_unjudged + number_within(block))


def _reorder(run: TiedRun, tied: Ints, by_grade: Ints, ranks: Ints) -> JudgedRun:
    """Return tied documents at their new ranks; a block keeps its places in the arrays."""
    new_ranks, new_grades = run.ranks.copy(), run.grades.copy()
    new_ranks[tied] = ranks
    new_grades[tied] = run.grades[by_grade]
    return JudgedRun(run.pool, run.query, new_ranks, new_grades, run.n_retrieved)
