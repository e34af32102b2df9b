"""Scores of runs on judged queries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from ..measurement.judged_runs import JudgedRun, Pool, judge_run
from ..measurement.parser import parse_measures
from ..parallel.execution import current_execution
from ..parallel.work import map_in_threads
from ..reading.qrels_and_runs import read_qrels, read_runs
from ..reading.records import Run
from ..results import Diagnosis, InputFile, Results, TieEffect
from ..validation import QueryRule, TieRule
from .diagnosis import diagnose
from .score_table import ScoreTable, choose_queries
from .ties import check_ties, effects_of_ties, score_by_rule


def judge_runs(runs: Sequence[Run], pool: Pool) -> list[JudgedRun]:
    """Find the judged documents of every run, in threads."""
    return list(
        map_in_threads(lambda run: judge_run(run, pool), runs, current_execution().n_threads)
    )


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
        of trec_eval and ranx, such as ``"map,ndcg_cut_10"``; see ``list_measures``.
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
    qrels, runs = read_qrels(qrels), read_runs(runs)
    pool = Pool(qrels, choose_queries(qrels, runs, queries))
    judged = judge_runs(runs, pool)
    diagnosis = diagnose(qrels, runs, judged, queries, parsed, ties)
    return ScoreTable(
        measures=tuple(measure.name for measure in parsed),
        systems=tuple(run.name for run in runs),
        queries=pool.query_ids,
        values=score_by_rule(ties, qrels, runs, judged, parsed, progress),
        diagnosis=diagnosis,
        warnings=diagnosis.warnings,
        inputs=tuple(InputFile(one.name, one.fingerprint) for one in (qrels, *runs)),
        ties=ties,
    )


def tie_effects(
    qrels: Any, runs: Any, measures: Iterable[Any] | str = "AP", *, queries: QueryRule = "all"
) -> Results[TieEffect]:
    """How far ties move mean scores: each run by each measure, by every rule for ties.

    Examples
    --------
    >>> constant = {"mine": {"q": {"a": 1.0, "b": 1.0}}}
    >>> (effect,) = tie_effects({"q": {"a": 0, "b": 1}}, constant, "RR")
    >>> effect.trec, effect.worst, effect.expected, effect.best
    (1.0, 0.5, 0.75, 1.0)
    """
    parsed = parse_measures(measures)
    check_ties("expected", parsed)
    qrels, runs = read_qrels(qrels), read_runs(runs)
    pool = Pool(qrels, choose_queries(qrels, runs, queries))
    judged = judge_runs(runs, pool)
    return effects_of_ties(qrels, runs, judged, parsed)


def diagnose_runs(
    qrels: Any, runs: Any, measures: Iterable[Any] | str = "AP", *, queries: QueryRule = "all"
) -> Diagnosis:
    """Return what is unusual about judgments and runs, with the effects of ties."""
    parsed = parse_measures(measures)
    qrels, runs = read_qrels(qrels), read_runs(runs)
    pool = Pool(qrels, choose_queries(qrels, runs, queries))
    judged = judge_runs(runs, pool)
    found = diagnose(qrels, runs, judged, queries, parsed)
    return replace(found, ties=effects_of_ties(qrels, runs, judged, parsed))


def check_measures(measures: Iterable[Any] | str, ties: TieRule = "trec") -> None:
    """Raise ``MeasureError`` unless every measure is one that ``score`` can compute."""
    check_ties(ties, parse_measures(measures))
