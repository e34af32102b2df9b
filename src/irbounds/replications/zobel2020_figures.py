"""Zobel and Rashidi (2020): the numbers of Figures 1 to 7, from the images of the study's tables.

As in the paper, Figure 2 is of system #3, Figures 3 to 5 are of the best 25 systems, and Figures 6
and 7 compare the best two by AP and RBP on pools of depth 10 and 25 and on all judgments, which the
paper calls depth 100. Where we depart: Figure 1 is of all systems and not of the best 50, holds the
median and the largest besides the 95th percentile, and RR, which the paper leaves out; ranks are
among all systems; figures are of one collection, the paper's Figures 1 and 4 of four.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from ..corpora.bootstrap import CorpusBootstrap
from ..results.zobel2020 import Zobel2020Figures
from ..validation import Progress
from .zobel2020 import MEASURES

BEST = 25
OF_FIGURE_2 = 3
POOLED = ("AP", "RBP@0.95")
DEPTHS = (10, 25)


def zobel2020_figures(
    images: CorpusBootstrap, progress: Progress | None = None
) -> Zobel2020Figures:
    """Rows of all figures; ``images`` are the study's, systems best first."""
    best = images.systems[:BEST]
    third = images.systems[min(OF_FIGURE_2, len(images.systems)) - 1]
    first, second = images.systems[:2]
    pools = _named(images.shallow_pools(first, second, DEPTHS, progress=progress))
    return Zobel2020Figures(
        systems=best,
        query_spreads=_named(images.query_spreads()),
        query_precision=_named(images.query_precision(third)),
        score_precision=_named(row for row in images.score_precision() if row.system in best),
        rank_precision=_named(row for row in images.rank_precision() if row.system in best),
        pools=tuple(row for row in pools if row.measure in POOLED),
    )


def _named(rows: Iterable[Any]) -> tuple[Any, ...]:
    """Rows under the paper's names of measures."""
    names = {ours: theirs for theirs, ours in MEASURES.items()}
    return tuple(replace(row, measure=names[row.measure]) for row in rows)
