"""The diagnosis: unusual properties of judgments and runs, counted and named.

A warning is a fact about the inputs, or follows from one of three thresholds: of short lists, of
ties and of single precision (docs/design/decisions.md). Smaller tie rates and judged fractions are
shown without a warning.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..measurement.average_precision import AveragePrecision
from ..measurement.base import Measure
from ..measurement.judged_runs import Ints, JudgedRun, Pool, find_ties
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
    needed = _find_needed_depth(measures, runs)
    compared = measures if ties == "trec" else ()
    of_runs = tuple(
        _diagnose_run(qrels, *pair, needed[0], compared) for pair in zip(runs, judged, strict=True)
    )
    warnings = (
        *_warn_of_runs(of_runs, queries),
        *_warn_of_short_lists(of_runs, len(pool), *needed),
        *(_warn_of_ties(of_runs) if ties == "trec" else ()),
        *_warn_of_single_precision(of_runs),
        *_warn_of_equal_runs(runs),
        *_warn_of_qrels(of_qrels),
    )
    all_options = {run.options for run in runs if run.options}
    notes = [f"on request: {'; '.join(options)}" for options in sorted(all_options)]
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
    needs = [
        (measure.cutoff or (uncut if measure.is_of_whole_list else 0), measure.name)
        for measure in measures
    ]
    return max(needs, key=lambda need: need[0])


def _find_short_lists(judged: JudgedRun, needed: int) -> NDArray[np.bool_]:
    """Return for each query whether its list is shorter than needed and lacks relevant documents.

    The score of a list with all relevant documents does not depend on further documents.
    """
    n_found = judged.pool.per_query(judged.query[judged.grades >= 1])
    lacks = n_found < judged.pool.n_relevant(1)
    short: NDArray[np.bool_] = lacks & (judged.n_retrieved > 0) & (judged.n_retrieved < needed)
    return short


def _diagnose_run(
    qrels: Qrels, run: Run, judged: JudgedRun, needed: int, compared: Sequence[Measure]
) -> RunDiagnosis:
    precision = effect_of_single_precision(run, judged, compared)
    short = judged.n_retrieved[_find_short_lists(judged, min(needed, run.depth or needed))]
    known = set(qrels.query_ids)
    present = judged.n_retrieved > 0
    fractions = [measure.score(judged)[present].mean() for measure in JUDGED]
    low, high = _find_tie_range(run, judged)
    return RunDiagnosis(
        name=run.name,
        fingerprint=run.fingerprint,
        n_queries=len(run.query_ids),
        n_entries=len(run),
        n_documents=int(np.count_nonzero(np.bincount(run.docs))),
        depth_least=int(run.depths.min()),
        depth_median=float(np.median(run.depths)),
        depth_most=int(run.depths.max()),
        judged_at_10=float(fractions[0]),
        judged_at_100=float(fractions[1]),
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
        n_short=len(short),
        short_least=int(short.min()) if len(short) else 0,
        n_float32=precision.n_queries,
        float32_change=precision.change,
        float32_measure=precision.measure,
        float32_query=precision.query,
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


def _warn_of_runs(runs: Sequence[RunDiagnosis], queries: str) -> Iterator[str]:
    never = [run.name for run in runs if run.never_relevant]
    if never:
        yield f"found nothing relevant in any query: {_list_names(never)}"
    consequence = (
        "each scores 0 there (--queries common leaves them out)"
        if queries == "all"
        else "left out for every run"
    )
    facts = (
        ("n_missing", f"judged queries missing; {consequence}"),
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
            yield f"{fact}: {_list_names(named)}"


def _warn_of_short_lists(
    runs: Sequence[RunDiagnosis], n_scored: int, needed: int, measure: str
) -> Iterator[str]:
    named = [
        f"{run.name} ({run.n_short:,} of {n_scored:,} queries, the shortest {run.short_least:,})"
        for run in runs
        if run.n_short
    ]
    if named:
        yield (
            f"fewer than {needed:,} documents per query, so {measure} counts the relevant ones "
            f"below as not retrieved: {_list_names(named)}"
        )


def _warn_of_ties(runs: Sequence[RunDiagnosis]) -> Iterator[str]:
    named = [
        f"{run.name} ({100 * run.tied_share:.1f} % tied, AP {run.tie_low:.4f} to "
        f"{run.tie_high:.4f})"
        for run in runs
        if run.has_notable_ties
    ]
    if named:
        yield (
            "tied entries, which only document ids order, can change the mean AP: "
            f"{_list_names(named)}"
        )


def _warn_of_single_precision(runs: Sequence[RunDiagnosis]) -> Iterator[str]:
    named = [
        f"{run.name} ({run.n_float32:,}; {run.float32_measure} of {run.float32_query} by "
        f"{run.float32_change:.4f})"
        for run in runs
        if run.n_float32
    ]
    if named:
        yield (
            f"queries whose score changes by more than {NOTABLE} where the run is read in single "
            f"precision, as trec_eval 9 does (--float32): {_list_names(named)}"
        )


def _warn_of_equal_runs(runs: Sequence[Run]) -> Iterator[str]:
    """Yield warnings about runs with the same documents in the same order for every query."""
    groups: dict[Any, list[Run]] = {}
    for run in runs:
        groups.setdefault((len(run), len(run.query_ids)), []).append(run)
    for make_key in (_sum_digests, _digest_by_query):  # the first is fast, the second is certain
        candidates = [group for group in groups.values() if len(group) > 1]
        groups = {}
        for run in (run for group in candidates for run in group):
            groups.setdefault(make_key(run), []).append(run)
    for same in groups.values():
        if len(same) > 1:
            is_one_input = len({run.fingerprint for run in same}) == 1
            what = "run under several names" if is_one_input else "rankings in inputs that differ"
            yield f"the same {what}: {_list_names([run.name for run in same])}"


def have_same_rankings(first: Run, second: Run, queries: Iterable[str]) -> bool:
    """Return whether two runs have the same documents in the same order for these queries."""
    of_first, of_second = dict(_digest_by_query(first)), dict(_digest_by_query(second))
    return all(of_first.get(query) == of_second.get(query) for query in queries)


def _sum_digests(run: Run) -> int:
    """Return the sum of the hashes of queries, which is the same for the same rankings."""
    return int(_digest_queries(run).sum())


def _digest_by_query(run: Run) -> frozenset[tuple[str, int]]:
    """Return the queries with hashes of their ordered document ids."""
    return frozenset(zip(run.query_ids, _digest_queries(run).tolist(), strict=True))


def _digest_queries(run: Run) -> NDArray[np.uint64]:
    """Return a hash of the ordered document ids of each query."""
    from ..kernels.ranking import digest_rankings

    digests = np.empty(len(run.query_ids), dtype=np.uint64)
    digest_rankings(run.bounds, run.docs, run.documents.hashes, digests)
    return digests


def _warn_of_qrels(qrels: QrelsDiagnosis) -> Iterator[str]:
    facts = (
        (qrels.n_without_relevant, "judged queries with nothing relevant, which score 0"),
        (qrels.n_negative, "negative judgments, which count as not relevant"),
        (qrels.n_repeated, "judgments given more than once, identically; merged"),
    )
    for count, fact in facts:
        if count:
            yield f"{fact}: {count:,}"


def _list_names(names: Sequence[str], max_names: int = 5) -> str:
    """Return the first few names, and the number of the others."""
    more = f" and {len(names) - max_names} more" if len(names) > max_names else ""
    return ", ".join(names[:max_names]) + more


@dataclass(frozen=True)
class PrecisionEffect:
    """The effect of reading scores in single precision, as trec_eval 9 does.

    It counts queries that change by more than ``NOTABLE``. The largest change has its measure and
    its query.
    """

    n_queries: int = 0
    change: float = 0.0
    measure: str = ""
    query: str = ""


def effect_of_single_precision(
    run: Run, judged: JudgedRun, measures: Sequence[Measure]
) -> PrecisionEffect:
    """Score the queries that single precision puts in another order, in both orders.

    Rounding ties scores that doubles distinguish, and ties are ordered by document id. Few runs
    have such scores, so only queries whose order changes are scored.
    """
    orders = _find_both_orders(run, judged)
    computed = [measure for measure in measures if not measure.is_external]
    if orders is None or not computed:
        return PrecisionEffect()
    double, single = orders
    changes = np.abs([measure.score(single) - measure.score(double) for measure in computed])
    m, q = np.unravel_index(np.argmax(changes), changes.shape)
    return PrecisionEffect(
        n_queries=int((changes > NOTABLE).any(axis=0).sum()),
        change=float(changes[m, q]),
        measure=computed[m].name,
        query=judged.pool.query_ids[q] if changes[m, q] else "",
    )


def _find_both_orders(run: Run, judged: JudgedRun) -> tuple[JudgedRun, JudgedRun] | None:
    """Return the judged documents in double and in single precision; None if no order changes.

    Only queries whose order changes are in them.
    """
    from ..kernels.ranking import find_reordered

    reordered = np.zeros(len(run.query_ids), dtype=np.bool_)
    ids = run.documents.text, run.documents.offsets
    if run.by_rank or not find_reordered(run.bounds, run.docs, run.scores, *ids, reordered):
        return None
    places = np.flatnonzero(reordered)
    bounds, ranks = _rank_in_single_precision(run, places)
    number = {run.query_ids[place]: k for k, place in enumerate(places.tolist())}
    of_query = np.array([number.get(query, -1) for query in judged.pool.query_ids])
    double = judged.only(of_query[judged.query] >= 0)
    new_ranks = ranks[bounds[of_query[double.query]] + double.ranks - 1]
    order = np.lexsort((new_ranks, double.query))
    return double, JudgedRun(
        judged.pool, double.query, new_ranks[order], double.grades[order], judged.n_retrieved
    )


def _rank_in_single_precision(run: Run, places: Ints) -> tuple[Ints, Ints]:
    """Return the bounds of the queries at ``places``, and the ranks of their entries."""
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
