"""Which figure is the main one, for kinds of result that have several; ``kinds`` names the others.

Also what a figure needs that is shown by itself, as ``.plot()`` does.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...parameters import check_choice
from ...results import MeasurePrecision, RandomBaseline, RecallEstimate, RecallPlan
from ..kinds import QueryScores
from ..queries import score_rows
from ..recall import recall_view
from .chance import baseline_figures, chance_of_queries
from .corpus import measure_spreads, system_spreads
from .distributions import score_panels
from .planning import plan_by_allocation, plan_by_size
from .recall import methods_side_by_side, posterior_density, quantities, systems
from .spans import MAX_SYSTEMS
from .style import Figure

__all__ = [
    "baseline_figure",
    "measure_figure",
    "plan_figure",
    "recall_figure",
    "score_figure",
]


def recall_figure(estimates: Sequence[RecallEstimate]) -> Figure:
    """As the tables have it: several retrieved sets, methods or quantities, or one of all."""
    if len(estimates) == 1:
        return posterior_density(estimates[0])
    views = {"systems": systems, "methods": methods_side_by_side, "quantities": quantities}
    return views[recall_view(estimates)](estimates)


def plan_figure(plans: Sequence[RecallPlan]) -> Figure:
    """One plan by where it is drawn, several by how large they are."""
    return plan_by_size(plans) if len(plans) > 1 else plan_by_allocation(plans[0])


def measure_figure(rows: Sequence[MeasurePrecision]) -> Figure:
    """All systems together where there is such a row, else system by system."""
    whole = [row for row in rows if row.system is None]
    return measure_spreads(whole) if whole else system_spreads(rows)


def baseline_figure(rows: Sequence[RandomBaseline]) -> Figure:
    """Numbers alone, of which no distribution is known, still have a mean and its spread."""
    figures = baseline_figures(rows)
    return figures[0] if figures else chance_of_queries(rows[0].queries)


def score_figure(table: QueryScores, measure: str | None = None, top: int = MAX_SYSTEMS) -> Figure:
    """Draw one measure's scores, the first unless another is named."""
    shown = table.measures[0] if measure is None else measure
    check_choice("measure", shown, table.measures)
    return score_panels({shown: score_rows(table, shown)}, top)
