"""Webber (2013), Figures 15 to 17: how wide an interval is, by where and how much is assessed.

A corpus of 5,000,000 documents; the sample is taken to hold relevant documents in the very shares
that the segments do, which need not be whole numbers. The paper draws curves and prints no numbers,
and of the cases in its figures names a few only: the sizes, the pairs of recall and precision and
the sample sizes that the text does not name are ours. What the text says of the curves is tested.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..planning.recall_plan import widths_by_budget, widths_by_split
from ..results import StudyTable
from ..validation import Progress

CORPUS = 5_000_000
BUDGET = 5_000
#: Figures 15 and 17: recall and precision are 0.5, so a set is as large as the yield
SIZES = (500_000, 50_000, 5_000)
#: Figure 16: recall and precision of a set of 500,000
QUALITIES = ((0.5, 0.5), (0.2, 0.8), (0.8, 0.2), (0.8, 0.8), (0.2, 0.2))
SHARES = (0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 0.98)
BUDGETS = (100, 500, 1_000, 5_000, 10_000, 50_000)
METHODS = ("beta-binomial", "normal")
SPLIT = f"the share of {BUDGET:,} documents that are assessed in the retrieved set"


def width_tables(progress: Progress | None = None) -> tuple[StudyTable, ...]:
    """Figures 15 to 17 in numbers."""
    step, done = progress or (lambda done, total: None), 0
    by_size = [_by_share(size) for size in SIZES]
    by_quality = [_by_share(SIZES[0], *quality) for quality in QUALITIES]
    by_budget = {}
    for size in SIZES:
        for method in METHODS:
            by_budget[f"{size:,}, {method}"] = _by_budget(size, method)
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


def _by_share(size: int, recall: float = 0.5, precision: float = 0.5) -> list[float]:
    """Widths of one budget at every split, as the paper has them."""
    curve = widths_by_split(
        SHARES,
        corpus_size=CORPUS,
        retrieved_size=size,
        n_relevant=size * precision / recall,
        recall=recall,
        budget=BUDGET,
        cap_at_one=False,
    )
    return [one.width_at_expected_counts for one in curve]


def _by_budget(size: int, method: str) -> list[float]:
    """Widths at the best split of every budget.

    Ends are raised to 1 where nothing relevant is seen outside of the set. Otherwise the anomaly of
    Figure 15 would win: with next to nothing assessed there the interval is shorter again, but only
    because its upper end falls short of 1.
    """
    curve = widths_by_budget(
        BUDGETS,
        corpus_size=CORPUS,
        retrieved_size=size,
        n_relevant=size,
        recall=0.5,
        method=method,
        criterion="expected-counts",
    )
    return [one.width_at_expected_counts for one in curve]


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
