"""Scores of runs on judged queries."""

from __future__ import annotations

from collections.abc import Sequence

from ..measurement.judged_runs import JudgedRun, Pool, judge_run
from ..parallel.execution import current
from ..parallel.in_threads import in_threads
from ..reading.records import Run


def judge_runs(runs: Sequence[Run], pool: Pool) -> list[JudgedRun]:
    """Find the judged documents of every run, in threads."""
    return list(in_threads(lambda run: judge_run(run, pool), runs, current().n_threads))
