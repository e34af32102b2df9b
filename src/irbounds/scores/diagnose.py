"""The diagnosis: what is odd about the inputs, each oddity counted and named.

What makes a warning is a fact about the inputs, never a threshold of taste; tie rates and judged
shares are shown for the reader to weigh.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ..read.records import Qrels, Run
from ..results import Diagnosis, QrelsDiagnosis, RunDiagnosis
from .formulas import FORMULAS
from .packed_runs import JudgedRun, Pool

__all__ = ["diagnose"]


def diagnose(
    qrels: Qrels, runs: Sequence[Run], judged: Sequence[JudgedRun], queries: str
) -> Diagnosis:
    """Look at the judgments and at every run against them."""
    of_qrels = _diagnose_qrels(qrels)
    of_runs = tuple(_diagnose_run(qrels, *pair) for pair in zip(runs, judged, strict=True))
    n_scored = len(judged[0].pool) if judged else of_qrels.n_queries
    said = (
        *_warnings_of_runs(of_runs, queries),
        *_warnings_of_twins(of_runs),
        *_warnings_of_qrels(of_qrels),
    )
    return Diagnosis(of_qrels, of_runs, queries, n_scored, said)


def _diagnose_qrels(qrels: Qrels) -> QrelsDiagnosis:
    pool = Pool(qrels)
    return QrelsDiagnosis(
        name=qrels.name,
        fingerprint=qrels.fingerprint,
        n_queries=len(qrels.query_ids),
        n_judgments=len(qrels),
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
    return RunDiagnosis(
        name=run.name,
        fingerprint=run.fingerprint,
        n_queries=len(run.query_ids),
        n_entries=len(run),
        depth_least=int(run.depths.min()),
        depth_median=float(np.median(run.depths)),
        depth_most=int(run.depths.max()),
        judged_at_10=float(shares[0]),
        judged_at_100=float(shares[1]),
        tied_share=run.n_tied / len(run),
        n_constant=_n_constant(run),
        n_missing=len(known.difference(run.query_ids)),
        n_unjudged=len(set(run.query_ids) - known),
        n_duplicates=run.n_duplicates,
        n_rank_contradictions=run.n_rank_contradictions,
        never_relevant=not (judged.grades > 0).any(),
        options=run.options,
    )


def _n_constant(run: Run) -> int:
    """Queries of two documents or more that all have one score: the run does not rank them."""
    first, last = run.scores[run.bounds[:-1]], run.scores[run.bounds[1:] - 1]
    return int(((first == last) & (run.depths > 1)).sum())


def _warnings_of_runs(runs: Sequence[RunDiagnosis], queries: str) -> Iterator[str]:
    fate = "each scores 0 there" if queries == "judged" else "left out for every run"
    facts = (
        ([r.name for r in runs if r.never_relevant], "found nothing relevant in any query"),
        (
            [f"{r.name} ({r.n_missing})" for r in runs if r.n_missing],
            f"judged queries missing; {fate}",
        ),
        (
            [f"{r.name} ({r.n_unjudged})" for r in runs if r.n_unjudged],
            "queries without judgments; left out",
        ),
        (
            [f"{r.name} ({r.n_duplicates:,})" for r in runs if r.n_duplicates],
            "repeated documents; the best-ranked of each was kept",
        ),
        (
            [f"{r.name} ({r.n_rank_contradictions:,})" for r in runs if r.n_rank_contradictions],
            "neighbours whose rank column contradicts their scores",
        ),
        (
            [f"{r.name} ({r.n_constant})" for r in runs if r.n_constant],
            "queries whose documents all have one score; the document id alone ranks them",
        ),
        (
            [f"{r.name} ({'; '.join(r.options)})" for r in runs if r.options],
            "changed on request",
        ),
    )
    for names, fact in facts:
        if names:
            yield f"{fact}: {_listed(names)}"


def _warnings_of_twins(runs: Sequence[RunDiagnosis]) -> Iterator[str]:
    names: dict[str, list[str]] = {}
    for run in runs:
        names.setdefault(run.fingerprint, []).append(run.name)
    for twins in names.values():
        if len(twins) > 1:
            yield f"the same run under several names: {_listed(twins)}"


def _warnings_of_qrels(qrels: QrelsDiagnosis) -> Iterator[str]:
    facts = (
        (qrels.n_without_relevant, "judged queries have nothing relevant; they score 0"),
        (qrels.n_negative, "judgments are negative; they count as not relevant"),
        (qrels.n_repeated, "judgments are given more than once, identically; merged"),
    )
    for count, fact in facts:
        if count:
            yield f"{count:,} {fact}"


def _listed(names: Sequence[str], most: int = 5) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
