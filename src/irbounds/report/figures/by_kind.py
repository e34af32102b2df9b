"""The main figure of every kind of result, as ``.plot()`` shows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import altair as alt

from ...errors import ParameterError
from ...parameters import check_choice
from ...results import (
    CalibrationRow,
    Card,
    CardComparison,
    CollectionTable,
    Comparison,
    Diagnosis,
    DifferencePrecision,
    Estimate,
    MeasurePrecision,
    NullDistribution,
    PlannedSample,
    PoolPrecision,
    QueryBaseline,
    QueryPlan,
    QueryPrecision,
    QuerySpread,
    RandomBaseline,
    RankEstimate,
    RankPrecision,
    RecallCoverageRow,
    RecallEstimate,
    RecallPlan,
    Sample,
    ScorePrecision,
    StudyTable,
    TieEffect,
    ValidityRow,
    VarianceSplit,
)
from ..notebook import EstimatorValues, QueryScores, is_by_methods
from ..queries import score_rows
from . import small_results as small
from .baseline import baseline_figures
from .calibration import calibration
from .chance_distribution import null_distribution_figure
from .corpus_measures import measure_spreads, system_spreads
from .corpus_pools import pools
from .corpus_queries import query_distributions, query_spread_ranges
from .corpus_ranks import rank_boxes
from .corpus_scores import difference_boxes, score_boxes
from .corpus_variance import variances
from .differences import differences
from .distributions import score_distributions
from .export import INK, PAPER
from .means import forests
from .ranks import rank_intervals
from .recall import methods_side_by_side, quantities, systems
from .recall_plans import plan_by_allocation, plan_by_size
from .recall_posterior import posterior_density
from .sampling import estimator_scatter, expected_widths
from .style import Figure, themed
from .widths import widths_by_queries

__all__ = ["FIGURES", "on_paper"]

#: colours and sizes are the same for every chart, and this one is spelt out in no time
BLANK = alt.Chart(alt.InlineData(values=[])).mark_point()


def on_paper(figure: Figure) -> Figure:
    """A figure with the sizes and colours that it has in a file, to be shown by itself."""
    dressed: Figure = figure.configure(**themed(BLANK, INK, PAPER)["config"])
    return dressed


def _of_recall(estimates: Sequence[RecallEstimate]) -> Figure:
    """As the tables have it: several retrieved sets, methods or quantities, or one of all."""
    if len({(one.system, one.topic) for one in estimates}) > 1:
        return systems(estimates)
    if is_by_methods(estimates):
        return methods_side_by_side(estimates)
    return quantities(estimates) if len(estimates) > 1 else posterior_density(estimates[0])


def _of_plans(plans: Sequence[RecallPlan]) -> Figure:
    return plan_by_size(plans) if len(plans) > 1 else plan_by_allocation(plans[0])


def _of_measures(rows: Sequence[MeasurePrecision]) -> Figure:
    """All systems together where there is such a row, else system by system."""
    whole = [row for row in rows if row.system is None]
    return measure_spreads(whole) if whole else system_spreads(rows)


def _of_baselines(rows: Sequence[RandomBaseline]) -> Figure:
    """Numbers alone, of which no distribution is known, still have a mean and its spread."""
    figures = baseline_figures(rows)
    return figures[0] if figures else small.chance_of_queries(rows[0].queries)


def _of_scores(table: QueryScores, measure: str | None = None) -> Figure:
    """One measure's scores, the first unless another is asked for."""
    shown = table.measures[0] if measure is None else measure
    check_choice("measure", shown, table.measures)
    return score_distributions(score_rows(table, shown), shown)


def _single(draw: Callable[..., Figure]) -> Callable[..., Figure]:
    """A figure of one result, for a sequence of one."""

    def drawn(results: Sequence[Any], **options: Any) -> Figure:
        if len(results) > 1:
            raise ParameterError(
                f"a figure is of one {type(results[0]).__name__}; got {len(results)}: plot each"
            )
        return draw(results[0], **options)

    return drawn


FIGURES: dict[type, Callable[..., Figure]] = {
    Estimate: forests,
    Comparison: differences,
    RankEstimate: rank_intervals,
    QueryPlan: widths_by_queries,
    CalibrationRow: calibration,
    Card: small.card_means,
    CardComparison: _single(small.card_difference),
    Diagnosis: _single(small.diagnosis_ties),
    TieEffect: small.tie_spans,
    ScorePrecision: score_boxes,
    DifferencePrecision: difference_boxes,
    RankPrecision: rank_boxes,
    QueryPrecision: query_distributions,
    MeasurePrecision: _of_measures,
    QuerySpread: query_spread_ranges,
    ValidityRow: small.left_out_images,
    PoolPrecision: pools,
    VarianceSplit: variances,
    RecallEstimate: _of_recall,
    RecallPlan: _of_plans,
    PlannedSample: expected_widths,
    RecallCoverageRow: small.coverage_by_method,
    Sample: small.relevant_shares,
    RandomBaseline: _of_baselines,
    QueryBaseline: small.chance_of_queries,
    StudyTable: small.study_numbers,
    CollectionTable: small.collection_numbers,
    NullDistribution: _single(null_distribution_figure),
    QueryScores: _single(_of_scores),
    EstimatorValues: _single(estimator_scatter),
}
