"""Figures 1 to 7 of Zobel and Rashidi (2020), on a collection that replaces theirs."""

from __future__ import annotations

from dataclasses import replace

from ...results.zobel2020 import Zobel2020Figures
from .corpus_measure_plots import (
    draw_pool_differences,
    draw_pool_p_values,
    draw_query_distributions,
    draw_query_spreads,
)
from .corpus_system_plots import draw_rank_boxes, draw_score_boxes, draw_score_deviations
from .style import Figure


def zobel2020(rows: Zobel2020Figures) -> list[Figure]:
    """Draw all seven, in the paper's order."""
    figures = (
        draw_query_spreads(rows.query_spreads),
        draw_query_distributions(rows.query_precision),
        draw_score_boxes(rows.score_precision, rows.systems),
        draw_score_deviations(rows.score_precision, rows.systems),
        draw_rank_boxes(rows.rank_precision, rows.systems),
        draw_pool_p_values(rows.pools),
        draw_pool_differences(rows.pools),
    )
    return [
        replace(figure, name=f"zobel2020-figure-{k}", title=f"Figure {k}: {figure.title}")
        for k, figure in enumerate(figures, 1)
    ]
