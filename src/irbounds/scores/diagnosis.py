"""The diagnosis: unusual properties of judgments and runs, counted and named.

A warning is a fact about the inputs, or follows from one of three thresholds: of short lists, of
ties and of single precision (docs/design/decisions.md). Smaller tie rates and judged fractions are
shown without a warning.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..measurement.average_precision import AveragePrecision
from ..measurement.base import Measure
from ..measurement.judged_runs import JudgedRun, Pool, find_ties
from ..measurement.sets import Judged
from ..presentation.registry import TIE_WORDS
from ..reading.records import Qrels, Run
from ..results import Diagnosis, QrelsDiagnosis, RunDiagnosis
from ..results.input_diagnosis import NOTABLE
from .ties import best_order, worst_order

AP = AveragePrecision(name="AP")
JUDGED = (Judged(name="Judged@10", cutoff=10), Judged(name="Judged@100", cutoff=100))
TREC_DEPTH = 1000  # documents per query that most tracks require
MIN_DEPTH = 100  # documents per query that measures without a cutoff need at least
MAX_NAMED = 5  # runs in a warning


def diagnose(
    qrels: Qrels,
    runs: Sequence[Run],
    judged: Sequence[JudgedRun],
    queries: str,
    measures: Sequence[Measure],
    ties: str = "trec",
) -> Diagnosis:
    """Return unusual properties of judgments and runs that can change these measures.

    If ties are not ordered by document id, warnings about that order and about single precision,
    which adds ties, are left out.
    """
    pool = judged[0].pool
    # the depth that a measure without a cutoff needs: half of that of the deepest run
    deepest = max(int(run.depths.max()) for run in runs)
    uncut = max(MIN_DEPTH, min(TREC_DEPTH, deepest) // 2)
    needs = [(m.cutoff or (uncut if m.is_of_whole_list else 0), m.name) for m in measures]
    needed, measure = max(needs, key=lambda need: need[0])
    compared = [m for m in measures if not m.is_external] if ties == "trec" else []
    of_runs = tuple(
        _diagnose_run(qrels, *pair, needed, compared) for pair in zip(runs, judged, strict=True)
    )
    short = (
        f"fewer than {needed:,} documents per query, so {measure} counts the relevant ones below "
        "as not retrieved"
    )
    warnings = (
        *_warn_of_runs(of_runs, queries, len(pool), short, is_by_id=ties == "trec"),
        *_warn_of_equal_runs(runs),
        *warn_of_judgments(qrels, pool),
    )
    notes = [f"on request: {'; '.join(part)}" for part in sorted({r.options for r in runs} - {()})]
    notes += [f"on request: {TIE_WORDS[ties]}"] if ties in TIE_WORDS else []
    of_qrels = QrelsDiagnosis(
        name=qrels.name,
        fingerprint=qrels.fingerprint,
        n_queries=len(qrels.query_ids),
        n_judgments=len(qrels),
        n_documents=len(qrels.documents),
        n_relevant=int((qrels.relevance > 0).sum()),
        max_grade=int(qrels.relevance.max()),
        n_negative=qrels.n_negative,
        n_repeated=qrels.n_repeated,
        n_without_relevant=_count_without_relevant(pool),
    )
    return Diagnosis(of_qrels, of_runs, queries, len(pool), warnings, tuple(notes))


def warn_of_judgments(qrels: Qrels, pool: Pool) -> Iterator[str]:
    """Yield warnings about the judgments without any run."""
    facts = {
        "judged queries with nothing relevant, which score 0": _count_without_relevant(pool),
        "negative judgments, which count as not relevant": qrels.n_negative,
        "judgments given more than once, identically; merged": qrels.n_repeated,
    }
    yield from (f"{fact}: {count:,}" for fact, count in facts.items() if count)


def _count_without_relevant(pool: Pool) -> int:
    return int((pool.n_relevant(1) == 0).sum())


def _diagnose_run(
    qrels: Qrels, run: Run, judged: JudgedRun, needed: int, compared: Sequence[Measure]
) -> RunDiagnosis:
    known = set(qrels.query_ids)
    present = judged.n_retrieved > 0
    judged_at_10, judged_at_100 = (float(m.score(judged)[present].mean()) for m in JUDGED)
    # AP in the worst and the best order within ties, of the relevant documents it depends on
    relevant = judged.only(judged.grades >= 1)
    tied = find_ties(run, relevant) if run.n_tied else None
    orders = (worst_order(tied), best_order(tied)) if tied else (relevant, relevant)
    tie_low, tie_high = (float(AP.score(order).mean()) for order in orders)
    # queries whose two or more documents all have the same score
    falls = run.begins_block.copy()
    falls[run.bounds[:-1]] = False
    constant = ~np.logical_or.reduceat(falls, run.bounds[:-1]) & (run.depths > 1)
    # a score does not depend on further documents where all relevant ones are in the list
    n_found = judged.pool.per_query(judged.query[judged.grades >= 1])
    lacks = present & (n_found < judged.pool.n_relevant(1))
    short = judged.n_retrieved[lacks & (judged.n_retrieved < min(needed, run.depth or needed))]
    return RunDiagnosis(
        name=run.name,
        fingerprint=run.fingerprint,
        n_queries=len(run.query_ids),
        n_entries=len(run),
        n_documents=int(np.count_nonzero(np.bincount(run.docs))),
        depth_least=int(run.depths.min()),
        depth_median=float(np.median(run.depths)),
        depth_most=int(run.depths.max()),
        judged_at_10=judged_at_10,
        judged_at_100=judged_at_100,
        n_tied=run.n_tied,
        tied_share=run.n_tied / len(run),
        tie_low=tie_low,
        tie_high=tie_high,
        n_constant=int(constant.sum()),
        n_missing=len(known.difference(run.query_ids)),
        n_unjudged=len(set(run.query_ids) - known),
        n_duplicates=run.n_duplicates,
        n_rank_contradictions=run.n_rank_contradictions,
        never_relevant=not (judged.grades > 0).any(),
        options=run.options,
        n_short=len(short),
        short_least=int(short.min()) if len(short) else 0,
        **effect_of_single_precision(run, judged, compared),
    )


def effect_of_single_precision(
    run: Run, judged: JudgedRun, measures: Sequence[Measure]
) -> dict[str, Any]:
    """Return the queries whose scores change in single precision, and the largest change.

    Rounding ties scores that doubles distinguish, and ties are ordered by document id, as in
    trec_eval 9. Few runs have such scores, so only runs whose order changes are scored.
    """
    from ..kernels.ranking import is_reordered, rank_documents

    ids = run.documents.text, run.documents.offsets
    if run.by_rank or not measures or not is_reordered(run.bounds, run.docs, run.scores, *ids):
        return {}
    with np.errstate(over="ignore"):
        rounded = run.scores.astype(np.float32).astype(np.float64)
    order = np.arange(len(run))
    rank_documents(run.bounds, run.docs, rounded, *ids, order)
    ranks = np.empty_like(order)
    ranks[order] = np.arange(len(run)) - np.repeat(run.bounds[:-1], run.depths) + 1
    place = {query: k for k, query in enumerate(run.query_ids)}
    first = np.array([run.bounds[place.get(query, 0)] for query in judged.pool.query_ids])
    new_ranks = ranks[first[judged.query] + judged.ranks - 1]
    order = np.lexsort((new_ranks, judged.query))
    single = JudgedRun(
        judged.pool, judged.query, new_ranks[order], judged.grades[order], judged.n_retrieved
    )
    changes = np.abs([measure.score(single) - measure.score(judged) for measure in measures])
    m, q = divmod(int(np.argmax(changes)), changes.shape[1])
    return {
        "n_float32": int((changes > NOTABLE).any(axis=0).sum()),
        "float32_change": float(changes[m, q]),
        "float32_measure": measures[m].name,
        "float32_query": judged.pool.query_ids[q] if changes[m, q] else "",
    }


def _warn_of_runs(
    runs: Sequence[RunDiagnosis], queries: str, n_scored: int, short: str, *, is_by_id: bool
) -> Iterator[str]:
    """Yield a line per fact with the runs that it is true of; ``short`` is that of short lists."""
    missing = (
        "each scores 0 there (--queries common leaves them out)"
        if queries == "all"
        else "left out for every run"
    )
    contradictions = "entries that the rank column puts behind one of lower score"
    changed = f"queries whose score changes by more than {NOTABLE} where the run is read"
    counts = {
        f"judged queries missing; {missing}": "n_missing",
        "queries without judgments; left out": "n_unjudged",
        "repeated documents; the best-ranked of each was kept": "n_duplicates",
        f"{contradictions}; the score counts (--order rank)": "n_rank_contradictions",
        "queries whose documents all have one score, which ranks nothing": "n_constant",
    }
    facts = {
        "found nothing relevant in any query": [run.name for run in runs if run.never_relevant],
        **{
            fact: [f"{run.name} ({n:,})" for run in runs if (n := getattr(run, count))]
            for fact, count in counts.items()
        },
        short: [
            f"{run.name} ({run.n_short:,} of {n_scored:,} queries, the shortest "
            f"{run.short_least:,})"
            for run in runs
            if run.n_short
        ],
        "tied entries, which only document ids order, can change the mean AP": [
            f"{run.name} ({100 * run.tied_share:.1f} % tied, AP {run.tie_low:.4f} to "
            f"{run.tie_high:.4f})"
            for run in runs
            if is_by_id and run.has_notable_ties
        ],
        f"{changed} in single precision, as trec_eval 9 does (--float32)": [
            f"{run.name} ({run.n_float32:,}; {run.float32_measure} of {run.float32_query} by "
            f"{run.float32_change:.4f})"
            for run in runs
            if run.n_float32
        ],
    }
    for fact, names in facts.items():
        if names:
            yield f"{fact}: {_list_names(names)}"


def _warn_of_equal_runs(runs: Sequence[Run]) -> Iterator[str]:
    """Yield warnings about runs with the same documents in the same order for every query."""
    sizes = Counter((len(run), len(run.query_ids)) for run in runs)
    equal: dict[Hashable, list[Run]] = {}
    for run in runs:
        if sizes[len(run), len(run.query_ids)] > 1:
            equal.setdefault(frozenset(_digest_queries(run).items()), []).append(run)
    for same in equal.values():
        if len(same) > 1:
            is_one_input = len({run.fingerprint for run in same}) == 1
            what = "run under several names" if is_one_input else "rankings in inputs that differ"
            yield f"the same {what}: {_list_names([run.name for run in same])}"


def have_same_rankings(first: Run, second: Run, queries: Iterable[str]) -> bool:
    """Return whether two runs have the same documents in the same order for these queries."""
    of_first, of_second = _digest_queries(first), _digest_queries(second)
    return all(of_first.get(query) == of_second.get(query) for query in queries)


def _digest_queries(run: Run) -> dict[str, int]:
    """Return a hash of the ordered document ids of each query."""
    from ..kernels.ranking import digest_rankings

    digests: NDArray[np.uint64] = np.empty(len(run.query_ids), dtype=np.uint64)
    digest_rankings(run.bounds, run.docs, run.documents.hashes, digests)
    return dict(zip(run.query_ids, digests.tolist(), strict=True))


def _list_names(names: Sequence[str]) -> str:
    """Return the first few names, and the number of the others."""
    more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
    return ", ".join(names[:MAX_NAMED]) + more
