"""The diagnosis: what is odd about the inputs, each oddity counted and named.

What makes a warning is a fact about the inputs, never a threshold of taste; tie rates, how far ties
could move a mean, and judged shares are shown for the reader to weigh.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ..read.records import Qrels, Run
from ..results import TIE_WORDS, Diagnosis, QrelsDiagnosis, RunDiagnosis
from .formulas import FORMULAS
from .packed_runs import JudgedRun, Pool
from .tie_orders import best_order, with_ties, worst_order

__all__ = ["diagnose", "odd_judgments"]


def diagnose(
    qrels: Qrels,
    runs: Sequence[Run],
    judged: Sequence[JudgedRun],
    queries: str,
    ties: str = "trec",
) -> Diagnosis:
    """Look at the judgments and at every run against them."""
    pool = judged[0].pool
    of_qrels = _diagnose_qrels(qrels, pool)
    of_runs = tuple(_diagnose_run(qrels, *pair) for pair in zip(runs, judged, strict=True))
    said = (
        *_warnings_of_runs(of_runs, queries),
        *_warnings_of_twins(of_runs),
        *_warnings_of_qrels(of_qrels),
    )
    asked = {run.options for run in runs if run.options}
    notes = [f"on request: {'; '.join(options)}" for options in sorted(asked)]
    notes += [f"on request: {TIE_WORDS[ties]}"] if ties in TIE_WORDS else []
    return Diagnosis(of_qrels, of_runs, queries, len(pool), said, tuple(notes))


def odd_judgments(qrels: Qrels, pool: Pool) -> Iterator[str]:
    """What is odd about the judgments by themselves."""
    return _warnings_of_qrels(_diagnose_qrels(qrels, pool))


def _diagnose_qrels(qrels: Qrels, pool: Pool) -> QrelsDiagnosis:
    return QrelsDiagnosis(
        name=qrels.name,
        fingerprint=qrels.fingerprint,
        n_queries=len(qrels.query_ids),
        n_judgments=len(qrels),
        n_documents=len(qrels.documents),
        n_relevant=int((qrels.relevance > 0).sum()),
        max_grade=int(qrels.relevance.max()),
        n_negative=qrels.n_negative,
        n_repeated=qrels.n_repeated,
        n_without_relevant=int((pool.n_relevant(1) == 0).sum()),
    )


def _diagnose_run(qrels: Qrels, run: Run, judged: JudgedRun) -> RunDiagnosis:
    known = set(qrels.query_ids)
    present = judged.n_retrieved > 0
    shares = [FORMULAS["Judged"](judged, cutoff=k)[present].mean() for k in (10, 100)]
    low, high = _reach_of_ties(run, judged)
    return RunDiagnosis(
        name=run.name,
        fingerprint=run.fingerprint,
        n_queries=len(run.query_ids),
        n_entries=len(run),
        n_documents=int(np.count_nonzero(np.bincount(run.docs))),
        depth_least=int(run.depths.min()),
        depth_median=float(np.median(run.depths)),
        depth_most=int(run.depths.max()),
        judged_at_10=float(shares[0]),
        judged_at_100=float(shares[1]),
        n_tied=run.n_tied,
        tied_share=run.n_tied / len(run),
        tie_low=low,
        tie_high=high,
        n_constant=_n_constant(run),
        n_missing=len(known.difference(run.query_ids)),
        n_unjudged=len(set(run.query_ids) - known),
        n_duplicates=run.n_duplicates,
        n_rank_contradictions=run.n_rank_contradictions,
        never_relevant=not (judged.grades > 0).any(),
        options=run.options,
    )


def _reach_of_ties(run: Run, judged: JudgedRun) -> tuple[float, float]:
    """The mean AP in the worst and in the best order within ties."""
    found = judged.only(judged.grades >= 1)  # AP sees no others
    orders: tuple[JudgedRun, ...] = (found,)
    if run.n_tied:
        tied = with_ties(run, found)
        orders = worst_order(tied), best_order(tied)
    means = [float(FORMULAS["AP"](order).mean()) for order in orders]
    return means[0], means[-1]


def _n_constant(run: Run) -> int:
    """Queries of two documents or more that all have one score: the run does not rank them."""
    falls = run.begins_block.copy()
    falls[run.bounds[:-1]] = False
    ranked = np.logical_or.reduceat(falls, run.bounds[:-1])
    return int((~ranked & (run.depths > 1)).sum())


def _warnings_of_runs(runs: Sequence[RunDiagnosis], queries: str) -> Iterator[str]:
    never = [run.name for run in runs if run.never_relevant]
    if never:
        yield f"found nothing relevant in any query: {_listed(never)}"
    fate = (
        "each scores 0 there (--queries common leaves them out)"
        if queries == "judged"
        else "left out for every run"
    )
    facts = (
        ("n_missing", f"judged queries missing; {fate}"),
        ("n_unjudged", "queries without judgments; left out"),
        ("n_duplicates", "repeated documents; the best-ranked of each was kept"),
        (
            "n_rank_contradictions",
            "entries that the rank column puts behind one of lower score; the score counts "
            "(--order rank)",
        ),
        ("n_constant", "queries whose documents all have one score, which ranks nothing"),
    )
    for field, fact in facts:
        named = [f"{r.name} ({getattr(r, field):,})" for r in runs if getattr(r, field)]
        if named:
            yield f"{fact}: {_listed(named)}"


def _warnings_of_twins(runs: Sequence[RunDiagnosis]) -> Iterator[str]:
    names: dict[str, list[str]] = {}
    for run in runs:
        names.setdefault(run.fingerprint, []).append(run.name)
    for twins in names.values():
        if len(twins) > 1:
            yield f"the same run under several names: {_listed(twins)}"


def _warnings_of_qrels(qrels: QrelsDiagnosis) -> Iterator[str]:
    facts = (
        (qrels.n_without_relevant, "judged queries with nothing relevant, which score 0"),
        (qrels.n_negative, "negative judgments, which count as not relevant"),
        (qrels.n_repeated, "judgments given more than once, identically; merged"),
    )
    for count, fact in facts:
        if count:
            yield f"{fact}: {count:,}"


def _listed(names: Sequence[str], most: int = 5) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
