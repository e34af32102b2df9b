"""Scores by every rule for ties: one of them, or all side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from ..measurement.base import Measure
from ..measurement.expected_ties import expected_scores
from ..measurement.judged_runs import JudgedRun
from ..measurement.tied_runs import best_order, with_ties, worst_order
from ..reading.records import Qrels, Run
from ..results import Results, TieEffect
from ..validation import TieRule
from .score_table import score_runs

SMALLEST_EFFECT = 1e-12  # differences below are rounding errors
ORDERS = {"worst": worst_order, "best": best_order}


def score_by_rule(
    ties: TieRule,
    qrels: Qrels,
    runs: Sequence[Run],
    judged: Sequence[JudgedRun],
    measures: Sequence[Measure],
    progress: Callable[[], None] | None = None,
) -> NDArray[np.float64]:
    """Scores as measure x system x query; ``progress`` is called after each run."""
    if ties == "trec":
        return score_runs(qrels, runs, judged, measures, progress)
    tied = [with_ties(run, one) for run, one in zip(runs, judged, strict=True)]
    if ties == "expected":
        return expected_scores(tied, measures, progress)
    ordered = [ORDERS[ties](one) for one in tied]
    return score_runs(qrels, runs, ordered, measures, progress)


def effects_of_ties(
    qrels: Qrels, runs: Sequence[Run], judged: Sequence[JudgedRun], measures: Sequence[Measure]
) -> Results[TieEffect]:
    """A row a measure and run, measure by measure; all measures must have a formula of ours."""
    values = {
        rule: score_by_rule(rule, qrels, runs, judged, measures) for rule in get_args(TieRule)
    }
    differs = (values["best"] - values["worst"] > SMALLEST_EFFECT).sum(axis=2)
    return Results(
        TieEffect(
            system=run.name,
            measure=measure.name,
            n_tied=run.n_tied,
            tied_share=run.n_tied / len(run),
            n=len(judged[0].pool),
            n_affected=int(differs[m, s]),
            **{rule: float(scores[m, s].mean()) for rule, scores in values.items()},
        )
        for m, measure in enumerate(measures)
        for s, run in enumerate(runs)
    )
