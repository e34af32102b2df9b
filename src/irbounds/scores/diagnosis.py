"""The diagnosis: unusual properties of judgments and runs, counted and named.

A warning is a fact about the inputs, or follows from one of three thresholds: of short lists, of
ties and of single precision (docs/design/decisions.md). Smaller tie rates and judged fractions are
shown without a warning.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
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
    of_qrels = _diagnose_qrels(qrels, pool)
    needed, measure = _find_needed_depth(measures, runs)
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
        *_warn_of_qrels(of_qrels),
    )
    notes = [f"on request: {'; '.join(part)}" for part in sorted({r.options for r in runs} - {()})]
    notes += [f"on request: {TIE_WORDS[ties]}"] if ties in TIE_WORDS else []
    return Diagnosis(of_qrels, of_runs, queries, len(pool), warnings, tuple(notes))


def warn_of_judgments(qrels: Qrels, pool: Pool) -> Iterator[str]:
    """Return warnings about the judgments without any run."""
    return _warn_of_qrels(_diagnose_qrels(qrels, pool))


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


def _find_needed_depth(measures: Sequence[Measure], runs: Sequence[Run]) -> tuple[int, str]:
    """Return the number of documents per query that measures need, and the measure that needs most.

    That is the cutoff. Without one, it is half of the depth of the deepest run, or half of TREC's
    depth if that is less, and ``MIN_DEPTH`` at least.
    """
    deepest = max(int(run.depths.max()) for run in runs)
    uncut = max(MIN_DEPTH, min(TREC_DEPTH, deepest) // 2)
    needs = [(m.cutoff or (uncut if m.is_of_whole_list else 0), m.name) for m in measures]
    return max(needs, key=lambda need: need[0])


def _diagnose_run(
    qrels: Qrels, run: Run, judged: JudgedRun, needed: int, compared: Sequence[Measure]
) -> RunDiagnosis:
    known = set(qrels.query_ids)
    present = judged.n_retrieved > 0
    fractions = [float(measure.score(judged)[present].mean()) for measure in JUDGED]
    low, high = _find_tie_range(run, judged)
    # a score does not depend on further documents where all relevant ones are in the list
    n_found = judged.pool.per_query(judged.query[judged.grades >= 1])
    lacks = present & (n_found < judged.pool.n_relevant(1))
    depths = judged.n_retrieved[lacks & (judged.n_retrieved < min(needed, run.depth or needed))]
    return RunDiagnosis(
        name=run.name,
        fingerprint=run.fingerprint,
        n_queries=len(run.query_ids),
        n_entries=len(run),
        n_documents=int(np.count_nonzero(np.bincount(run.docs))),
        depth_least=int(run.depths.min()),
        depth_median=float(np.median(run.depths)),
        depth_most=int(run.depths.max()),
        judged_at_10=fractions[0],
        judged_at_100=fractions[1],
        n_tied=run.n_tied,
        tied_share=run.n_tied / len(run),
        tie_low=low,
        tie_high=high,
        n_constant=_count_constant(run),
        n_missing=len(known.difference(run.query_ids)),
        n_unjudged=len(set(run.query_ids) - known),
        n_duplicates=run.n_duplicates,
        n_rank_contradictions=run.n_rank_contradictions,
        never_relevant=not (judged.grades > 0).any(),
        options=run.options,
        n_short=len(depths),
        short_least=int(depths.min()) if len(depths) else 0,
        **effect_of_single_precision(run, judged, compared),
    )


def _find_tie_range(run: Run, judged: JudgedRun) -> tuple[float, float]:
    """Return the mean AP in the worst and in the best order within ties."""
    relevant = judged.only(judged.grades >= 1)  # AP depends on no others
    orders: tuple[JudgedRun, ...] = (relevant,)
    if run.n_tied:
        tied = find_ties(run, relevant)
        orders = worst_order(tied), best_order(tied)
    means = [float(AP.score(order).mean()) for order in orders]
    return means[0], means[-1]


def _count_constant(run: Run) -> int:
    """Return the number of queries whose two or more documents all have the same score."""
    falls = run.begins_block.copy()
    falls[run.bounds[:-1]] = False
    ranked = np.logical_or.reduceat(falls, run.bounds[:-1])
    return int((~ranked & (run.depths > 1)).sum())


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
    runs: Sequence[RunDiagnosis],
    queries: str,
    n_scored: int,
    short: str,
    *,
    is_by_id: bool,
) -> Iterator[str]:
    """Yield a line per fact with the runs that it is true of; ``short`` is that of short lists."""

    def count(n: int, more: str = "") -> str:
        return f"({n:,}{more})" if n else ""

    missing = (
        "each scores 0 there (--queries common leaves them out)"
        if queries == "all"
        else "left out for every run"
    )
    contradictions = "entries that the rank column puts behind one of lower score"
    changed = f"queries whose score changes by more than {NOTABLE} where the run is read"
    facts: dict[str, Callable[[RunDiagnosis], str]] = {
        "found nothing relevant in any query": lambda run: " " if run.never_relevant else "",
        f"judged queries missing; {missing}": lambda run: count(run.n_missing),
        "queries without judgments; left out": lambda run: count(run.n_unjudged),
        "repeated documents; the best-ranked of each was kept": (
            lambda run: count(run.n_duplicates)
        ),
        f"{contradictions}; the score counts (--order rank)": (
            lambda run: count(run.n_rank_contradictions)
        ),
        "queries whose documents all have one score, which ranks nothing": (
            lambda run: count(run.n_constant)
        ),
        short: lambda run: count(
            run.n_short, f" of {n_scored:,} queries, the shortest {run.short_least:,}"
        ),
        "tied entries, which only document ids order, can change the mean AP": lambda run: (
            f"({100 * run.tied_share:.1f} % tied, AP {run.tie_low:.4f} to {run.tie_high:.4f})"
            if is_by_id and run.has_notable_ties
            else ""
        ),
        f"{changed} in single precision, as trec_eval 9 does (--float32)": lambda run: count(
            run.n_float32,
            f"; {run.float32_measure} of {run.float32_query} by {run.float32_change:.4f}",
        ),
    }
    for fact, describe in facts.items():
        named = [f"{run.name} {text}".rstrip() for run in runs if (text := describe(run))]
        if named:
            yield f"{fact}: {_list_names(named)}"


def _warn_of_equal_runs(runs: Sequence[Run]) -> Iterator[str]:
    """Yield warnings about runs with the same documents in the same order for every query."""
    by_size: dict[Hashable, list[Run]] = {}
    for run in runs:
        by_size.setdefault((len(run), len(run.query_ids)), []).append(run)
    equal: dict[Hashable, list[Run]] = {}
    for run in (run for group in by_size.values() if len(group) > 1 for run in group):
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


def _warn_of_qrels(qrels: QrelsDiagnosis) -> Iterator[str]:
    facts = (
        (qrels.n_without_relevant, "judged queries with nothing relevant, which score 0"),
        (qrels.n_negative, "negative judgments, which count as not relevant"),
        (qrels.n_repeated, "judgments given more than once, identically; merged"),
    )
    for count, fact in facts:
        if count:
            yield f"{fact}: {count:,}"


def _list_names(names: Sequence[str]) -> str:
    """Return the first few names, and the number of the others."""
    more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
    return ", ".join(names[:MAX_NAMED]) + more
