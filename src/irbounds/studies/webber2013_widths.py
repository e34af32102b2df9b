"""Webber (2013), Figures 15 to 17: how wide an interval is, by where and how much is assessed.

A corpus of 5,000,000 documents; the sample is taken to hold relevant documents in the very shares
that the segments do, which need not be whole numbers. The paper draws curves and prints no numbers,
and of the cases in its figures names a few only: the sizes, the pairs of recall and precision and
the sample sizes that the text does not name are ours. What the text says of the curves is tested.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, logit

from ..design.recall_widths import Analysis, interval_ends
from ..parameters import Progress
from ..recall.priors import parse_prior
from ..results import StudyTable

__all__ = ["Retrieval", "best_width", "interval_width", "width_tables"]

CORPUS = 5_000_000
BUDGET = 5_000
LEVEL = 0.95
HALF = parse_prior(0.5)
#: Figures 15 and 17: recall and precision are 0.5, so a set is as large as the yield
SIZES = (500_000, 50_000, 5_000)
#: Figure 16: recall and precision of a set of 500,000
QUALITIES = ((0.5, 0.5), (0.2, 0.8), (0.8, 0.2), (0.8, 0.8), (0.2, 0.2))
SHARES = (0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 0.98)
BUDGETS = (100, 500, 1_000, 5_000, 10_000, 50_000)
TRIED = 25  # splits, of which the best is taken: around it a width hardly changes
METHODS = ("beta-binomial", "normal")
SPLIT = f"the share of {BUDGET:,} documents that are assessed in the retrieved set"


@dataclass(frozen=True)
class Retrieval:
    """A retrieved set of known size and quality."""

    size: int
    recall: float = 0.5
    precision: float = 0.5


def width_tables(progress: Progress | None = None) -> tuple[StudyTable, ...]:
    """Figures 15 to 17 in numbers."""
    step, done = progress or (lambda done, total: None), 0
    by_size = [_by_share(Retrieval(size)) for size in SIZES]
    by_quality = [_by_share(Retrieval(SIZES[0], *quality)) for quality in QUALITIES]
    by_budget = {}
    for size in SIZES:
        for method in METHODS:
            widths = [best_width(Retrieval(size), budget, method)[0] for budget in BUDGETS]
            by_budget[f"{size:,}, {method}"] = widths
            done += 1
            step(done, len(SIZES) * len(METHODS))
    shares = tuple(f"{share:.0%}" for share in SHARES)
    words = [f"recall {recall}, precision {precision}" for recall, precision in QUALITIES]
    return (
        _table(15, f"{SPLIT}, by yield", "yield",
               [f"{size:,}" for size in SIZES], shares, by_size),
        _table(16, f"{SPLIT}, by quality", "retrieval", words, shares,
               by_quality),
        _table(17, "documents assessed, split at best, by yield", "yield",
               list(by_budget), tuple(f"{budget:,}" for budget in BUDGETS),
               list(by_budget.values())),
    )  # fmt: skip


def interval_width(
    retrieval: Retrieval,
    samples: tuple[int, int],
    method: str = "beta-binomial",
    *,
    cap_at_one: bool = False,
) -> float:
    """Width of the 95 % interval of a sample that holds relevant documents by their shares.

    ``cap_at_one`` ends it at 1 where the unretrieved sample holds next to nothing relevant.
    """
    found = retrieval.size * retrieval.precision
    missed = found / retrieval.recall - found
    size = retrieval.size, CORPUS - retrieval.size
    relevant = np.array([[samples[0] * found / size[0], samples[1] * missed / size[1]]])
    analysis = Analysis(method, HALF, LEVEL, "two-sided", cap_at_one)
    low, high = interval_ends(analysis, size, samples, relevant)
    return float(high[0] - low[0])


def best_width(retrieval: Retrieval, budget: int, method: str) -> tuple[float, float]:
    """The least width of many splits of a budget, and the share that the retrieved set gets.

    At least half goes to the unretrieved segment. With next to nothing there the interval is
    shorter again, but only because its upper end falls short of 1 (the anomaly of Figure 15).
    """
    most = min(0.5, retrieval.size / budget)
    shares = expit(np.linspace(logit(2 / budget), logit(most), TRIED))
    return min(
        (interval_width(retrieval, _samples(share, budget), method), share)
        for share in map(float, shares)
    )


def _by_share(retrieval: Retrieval) -> list[float]:
    return [interval_width(retrieval, _samples(share, BUDGET)) for share in SHARES]


def _samples(share: float, budget: int) -> tuple[int, int]:
    inside = round(share * budget)
    return inside, budget - inside


def _table(
    number: int,
    what: str,
    corner: str,
    rows: Sequence[str],
    columns: tuple[str, ...],
    ours: Sequence[Sequence[float]],
) -> StudyTable:
    unknown = tuple((math.nan,) * len(columns) for _ in rows)
    return StudyTable(
        study="webber2013",
        number=number,
        title=f"width of the 95 % interval of recall by {what}",
        corner=corner,
        rows=tuple(rows),
        columns=columns,
        ours=tuple(map(tuple, ours)),
        theirs=unknown,
        noise=(),
        name=f"Figure {number}",
    )
