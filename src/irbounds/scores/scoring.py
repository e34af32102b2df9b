"""``score``: scores of runs on judged queries, with the diagnosis."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, get_args

from ..errors import DataError, quote, quote_several
from ..measurement.judged_runs import JudgedRun, Pool, judge_run
from ..measurement.parser import parse_measures
from ..parallel import map_in_threads
from ..reading.qrels_and_runs import read_qrels, read_runs
from ..reading.records import Qrels, Run
from ..results import Diagnosis, InputFile
from ..validation import QueryRule, TieRule, check_choice
from .diagnosis import diagnose
from .score_table import ScoreTable
from .ties import check_ties, score_by_rule


def _read_judged(
    qrels: Any, runs: Any, queries: QueryRule
) -> tuple[Qrels, tuple[Run, ...], list[JudgedRun]]:
    """Return judgments, runs, and the judged documents of every run on the queries to score."""
    judgments, records = read_qrels(qrels), read_runs(runs)
    pool = Pool(judgments, choose_queries(judgments, records, queries))
    return judgments, records, judge_runs(records, pool)


def judge_runs(runs: Sequence[Run], pool: Pool) -> list[JudgedRun]:
    """Find the judged documents of every run, in threads."""
    return list(map_in_threads(lambda run: judge_run(run, pool), runs))


def score(
    qrels: Any,
    runs: Any,
    measures: Iterable[Any] | str,
    *,
    queries: QueryRule = "all",
    ties: TieRule = "trec",
    progress: Callable[[], None] | None = None,
) -> ScoreTable:
    """Score every run on every query by every measure.

    Parameters
    ----------
    qrels
        Judgments: anything that ``read_qrels`` takes.
    runs
        One run or several: a list, or a mapping of names to anything that ``read_run`` takes.
    measures
        Names in ir_measures' spelling, such as ``["AP", "nDCG@10", "RBP(rel=1,p=0.95)"]``, or names
        of trec_eval and ranx, such as ``"map,ndcg_cut_10"``; see ``irbounds.measures()``.
    queries
        ``"all"``: all judged queries, with score 0 where a run lacks one. ``"common"``: the
        queries that are in every run.
    ties
        The order of documents with equal scores. ``"trec"`` sorts them by id, descending.
        ``"expected"`` is the exact mean over all their orders, ``"worst"`` and ``"best"`` are the
        extremes.
    progress
        Called after each run is scored. ir_measures' providers can take seconds per run.

    Returns
    -------
    ScoreTable
        ``values`` is measure x system x query; ``diagnosis`` and ``warnings`` describe the inputs.

    Examples
    --------
    >>> table = score({"q": {"a": 1, "b": 0}}, {"mine": {"q": {"b": 2.0, "a": 1.0}}}, ["AP", "P@1"])
    >>> table.values.ravel().tolist()
    [0.5, 0.0]
    """
    parsed = parse_measures(measures)
    check_ties(ties, parsed)
    qrels, runs, judged = _read_judged(qrels, runs, queries)
    diagnosis = diagnose(qrels, runs, judged, queries, parsed, ties)
    return ScoreTable(
        measures=tuple(measure.name for measure in parsed),
        systems=tuple(run.name for run in runs),
        queries=judged[0].pool.query_ids,
        values=score_by_rule(ties, qrels, runs, judged, parsed, progress),
        diagnosis=diagnosis,
        warnings=diagnosis.warnings,
        inputs=tuple(InputFile(records.name, records.fingerprint) for records in (qrels, *runs)),
        ties=ties,
    )


def diagnose_runs(
    qrels: Any, runs: Any, measures: Iterable[Any] | str = "AP", *, queries: QueryRule = "all"
) -> Diagnosis:
    """Return the diagnosis of judgments and runs."""
    parsed = parse_measures(measures)
    qrels, runs, judged = _read_judged(qrels, runs, queries)
    return diagnose(qrels, runs, judged, queries, parsed)


def choose_queries(qrels: Qrels, runs: Sequence[Run], rule: QueryRule) -> tuple[str, ...]:
    """Return the queries to score by a rule for queries that runs lack.

    ``"all"``: every judged query; a run that lacks one scores 0 there. ``"common"``: the judged
    queries that every run has. Queries without judgments are never scored.
    """
    check_choice("queries", rule, get_args(QueryRule))
    _check_some_in_common(qrels, runs)
    if rule == "all":
        return qrels.query_ids
    common = set(qrels.query_ids).intersection(*(run.query_ids for run in runs))
    if not common:
        raise DataError("queries='common': no judged query is in every run")
    return tuple(query for query in qrels.query_ids if query in common)


def _check_some_in_common(qrels: Qrels, runs: Sequence[Run]) -> None:
    """Raise ``DataError`` if a run has no judged query."""
    judged = set(qrels.query_ids)
    foreign = [run for run in runs if judged.isdisjoint(run.query_ids)]
    if not foreign:
        return
    first, *others = foreign
    here, there = (", ".join(map(quote, ids[:3])) for ids in (qrels.query_ids, first.query_ids))
    more = f"; nor in {quote_several([run.name for run in others])}" if others else ""
    raise DataError(
        f"no query in common: the judgments {quote(qrels.name)} have {here}, ... "
        f"and the run {quote(first.name)} has {there}, ...{more}"
    )
