"""Figures 1 to 7 of Zobel and Rashidi (2020), on a collection that replaces theirs."""

from __future__ import annotations

from dataclasses import replace

from ...results.zobel2020 import Zobel2020Figures
from .corpus_plots import (
    pool_query_differences,
    pools,
    query_distributions,
    query_spread_ranges,
    rank_boxes,
    score_boxes,
    score_deviations,
)
from .style import Figure


def zobel2020(rows: Zobel2020Figures) -> list[Figure]:
    """Draw all seven, in the paper's order."""
    figures = (
        query_spread_ranges(rows.query_spreads),
        query_distributions(rows.query_precision),
        score_boxes(rows.score_precision, rows.systems),
        score_deviations(rows.score_precision, rows.systems),
        rank_boxes(rows.rank_precision, rows.systems),
        pools(rows.pools),
        pool_query_differences(rows.pools),
    )
    return [
        replace(figure, name=f"zobel2020-figure-{k}", title=f"Figure {k}: {figure.title}")
        for k, figure in enumerate(figures, 1)
    ]
