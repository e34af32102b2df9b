"""The verbs a person calls; each reads like the pipeline it is."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from .compare.card_comparison import compare_cards
from .compare.card_files import card_text, read_card, write_card
from .compare.cards import make_card
from .compare.differences import check_comparison, difference_interval
from .compare.ranks import rank_interval
from .design.calibration import calibrate
from .design.queries import check_query_plan, plan_queries
from .errors import DataError, ParameterError
from .interval.means import mean_interval
from .interval.methods import checked_methods
from .parameters import check_confidence_level
from .read.inputs import read_qrels, read_run
from .read.records import Run
from .results import Diagnosis, InputFile
from .scores.diagnose import diagnose
from .scores.factors import read_factors, write_factors
from .scores.measures import parse_measures
from .scores.packed_runs import Pool, judge_run
from .scores.score_input import read_scores
from .scores.score_table import QueryRule, ScoreTable, choose_queries, score_runs
from .scores.standardise import score_factors, standardise
from .simulate import simulate_collection, write_collection

__all__ = [
    "calibrate",
    "card_text",
    "check",
    "check_comparison",
    "check_confidence_level",
    "check_measures",
    "check_query_plan",
    "checked_methods",
    "compare_cards",
    "difference_interval",
    "make_card",
    "mean_interval",
    "plan_queries",
    "rank_interval",
    "read_card",
    "read_factors",
    "read_qrels",
    "read_run",
    "read_runs",
    "read_scores",
    "score",
    "score_factors",
    "simulate_collection",
    "standardise",
    "write_card",
    "write_collection",
    "write_factors",
]

Item = TypeVar("Item")
Result = TypeVar("Result")


def score(
    qrels: Any,
    runs: Any,
    measures: Iterable[Any] | str,
    *,
    queries: QueryRule = "judged",
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
        Names in ir_measures' spelling, such as ``["AP", "nDCG@10", "RBP(rel=1,p=0.95)"]``.
    queries
        ``"judged"``: all judged queries, 0 where a run lacks one. ``"common"``: those in every run.
    progress
        Called after each run is scored; ir_measures' providers can take seconds for one.

    Examples
    --------
    >>> table = score({"q": {"a": 1, "b": 0}}, {"mine": {"q": {"b": 2.0, "a": 1.0}}}, ["AP", "P@1"])
    >>> table.values.ravel().tolist()
    [0.5, 0.0]
    """
    parsed = parse_measures(measures)
    qrels, runs = read_qrels(qrels), read_runs(runs)
    pool = Pool(qrels, choose_queries(qrels, runs, queries))
    judged = _in_threads(lambda run: judge_run(run, pool), runs)
    diagnosis = diagnose(qrels, runs, judged, queries)
    return ScoreTable(
        measures=tuple(measure.name for measure in parsed),
        systems=tuple(run.name for run in runs),
        queries=pool.query_ids,
        values=score_runs(qrels, runs, judged, parsed, progress),
        diagnosis=diagnosis,
        warnings=diagnosis.warnings,
        inputs=tuple(InputFile(one.name, one.fingerprint) for one in (qrels, *runs)),
    )


def check(qrels: Any, runs: Any, *, queries: QueryRule = "judged") -> Diagnosis:
    """What is odd about judgments and runs, without scoring them."""
    qrels, runs = read_qrels(qrels), read_runs(runs)
    pool = Pool(qrels, choose_queries(qrels, runs, queries))
    judged = _in_threads(lambda run: judge_run(run, pool), runs)
    return diagnose(qrels, runs, judged, queries)


def check_measures(measures: Iterable[Any] | str) -> None:
    """Raise ``MeasureError`` unless every measure is one that ``score`` can compute."""
    parse_measures(measures)


def read_runs(
    sources: Any, *, progress: Callable[[], None] | None = None, **options: Any
) -> tuple[Run, ...]:
    """Read several runs, two or more at a time; names must differ.

    ``options`` are those of ``read_run``; ``progress`` is called after each run.
    """
    named = _named(sources)

    def read(item: tuple[str | None, Any]) -> Run:
        run = read_run(item[1], name=item[0], **options)
        if progress:
            progress()
        return run

    runs = tuple(_in_threads(read, named))
    _check_distinct(runs)
    return runs


def _in_threads(function: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
    """One call an item, in parallel: zlib and the kernels let go of the interpreter's lock."""
    with ThreadPoolExecutor(min(len(items), os.cpu_count() or 1)) as pool:
        return list(pool.map(function, items))


def _named(sources: Any) -> list[tuple[str | None, Any]]:
    """Runs with the names they were given; one run may be a dict of dict, or records, itself."""
    if isinstance(sources, Mapping) and not _is_one_run(sources):
        named: list[tuple[str | None, Any]] = [(str(name), run) for name, run in sources.items()]
    elif isinstance(sources, list | tuple | Iterator):
        items = list(sources)
        records = bool(items) and hasattr(items[0], "_fields")
        named = [(None, items)] if records else [(None, run) for run in items]
    else:
        named = [(None, sources)]
    if not named:
        raise ParameterError("no run given")
    return named


def _is_one_run(mapping: Mapping[Any, Any]) -> bool:
    inner = next(iter(mapping.values()), None)
    if not isinstance(inner, Mapping):
        return False
    return not isinstance(next(iter(inner.values()), None), Mapping)


def _check_distinct(runs: Sequence[Run]) -> None:
    seen: set[str] = set()
    for run in runs:
        if run.name in seen:
            raise DataError(
                f"two runs are called {run.name!r}: one file twice, or two files of one name; "
                "in Python, a mapping of names to runs tells them apart"
            )
        seen.add(run.name)
