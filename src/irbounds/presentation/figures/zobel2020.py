"""Figures 1 to 7 of Zobel and Rashidi (2020), on the collection that takes the place of theirs."""

from __future__ import annotations

from dataclasses import replace

from ...results.zobel2020 import Zobel2020Figures
from .corpus_pools import pool_query_differences, pools
from .corpus_queries import query_distributions, query_spread_ranges
from .corpus_ranks import rank_boxes
from .corpus_scores import score_boxes, score_deviations
from .style import Figure

__all__ = ["zobel2020"]


def zobel2020(rows: Zobel2020Figures) -> list[Figure]:
    """All seven, in the paper's order."""
    figures = (
        query_spread_ranges(rows.query_spreads),
        query_distributions(rows.query_precision),
        score_boxes(rows.score_precision, rows.systems),
        score_deviations(rows.score_precision, rows.systems),
        rank_boxes(rows.rank_precision, rows.systems),
        pools(rows.pools),
        pool_query_differences(rows.pools),
    )
    return [_numbered(figure, number) for number, figure in enumerate(figures, 1)]


def _numbered(figure: Figure, number: int) -> Figure:
    name = f"zobel2020-figure-{number}"
    return replace(figure, name=name, title=f"Figure {number}: {figure.title}")
