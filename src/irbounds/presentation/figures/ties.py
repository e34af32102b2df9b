"""Figures of ties: how far the order within ties can move the scores of runs."""

from __future__ import annotations

from collections.abc import Sequence

from ...results import Diagnosis, TieEffect
from .dots import Dot, dots
from .style import Figure


def tie_spans(effects: Sequence[TieEffect]) -> Figure:
    """Draw how far the order within ties can move the mean of each run."""
    several = len({one.measure for one in effects}) > 1
    points = []
    for one in effects:
        label = f"{one.system}, {one.measure}" if several else one.system
        points.append(Dot(label, one.trec, one.worst, one.best, system=one.system))
    return dots(
        points,
        axis="mean score" if several else f"mean {effects[0].measure}",
        name="ties",
        title="Mean scores, and how far the order within ties can move them",
        reach="from the worst order within ties to the best",
    )


def diagnosis_ties(diagnosis: Diagnosis) -> Figure:
    """Draw how far the order within ties can move the mean AP of each run."""
    points = [
        Dot(run.name, (run.tie_low + run.tie_high) / 2, run.tie_low, run.tie_high)
        for run in diagnosis.runs
    ]
    return dots(
        points,
        axis="mean AP",
        name="diagnosis",
        title="Mean AP of each run, and how far the order within ties can move it",
        reach="from the worst order within ties to the best, with a dot halfway",
    )
