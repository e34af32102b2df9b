"""What commands say of scores, one function a kind of result: from results to a section.

A command shows its section and ``irbounds report`` puts the same ones on one page, so that both
have the same tables, figures and explanations. Figures are drawn when a section is asked for them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from .showing import asked

if TYPE_CHECKING:
    from ..presentation.figures.style import Figure
    from ..presentation.pages import Section
    from ..presentation.tables import Table
    from ..results import Comparison, Estimate, RandomBaseline, RankEstimate, TieEffect
    from ..scores.score_table import ScoreTable

__all__ = [
    "chance_section",
    "comparison_section",
    "means_section",
    "rank_section",
    "scores_section",
    "study_section",
    "tie_figures",
]


def means_section(
    estimates: Sequence[Estimate],
    rule: str,
    digits: int | None,
    *,
    ties: str = "",
    levels: Sequence[RandomBaseline] = (),
) -> Section:
    """Systems with mean and interval; ``rule`` names the queries, ``levels`` is for chance."""
    from ..presentation.baseline import with_chance
    from ..presentation.evaluation import estimate_tables
    from ..presentation.pages import Section
    from ..presentation.ties import with_tie_rule

    tables = estimate_tables(estimates, rule, digits)
    if levels:
        tables = with_chance(tables, levels, digits)
    methods = dict.fromkeys(one.interval.method for one in estimates)
    return Section(
        "Means with intervals",
        tables=with_tie_rule(tables, ties),
        figures=partial(_mean_figures, estimates, levels),
        topics=["mean-interval", *methods, *(["random-baseline"] if levels else [])],
    )


def _mean_figures(
    estimates: Sequence[Estimate], levels: Sequence[RandomBaseline]
) -> Sequence[Figure]:
    from ..presentation.figures.means import forests

    return [forests(estimates, levels, top=asked().top)]


def scores_section(table: ScoreTable, tables: Sequence[Table]) -> Section:
    """Scores of single queries; which tables show them is for the caller to say."""
    from ..presentation.pages import Section
    from ..presentation.ties import with_tie_rule

    return Section(
        "Scores by query",
        tables=with_tie_rule(tables, table.ties),
        figures=partial(_score_figures, table),
        topics=["score-table"],
    )


def _score_figures(table: ScoreTable) -> Sequence[Figure]:
    from ..presentation.figures.distributions import score_panels
    from ..presentation.queries import score_rows

    scores = {measure: score_rows(table, measure) for measure in table.measures}
    return [score_panels(scores, top=asked().top)]


def comparison_section(
    comparisons: Sequence[Comparison], rule: str, digits: int | None, *, ties: str = ""
) -> Section:
    """Differences of systems: from a baseline where all have the same, else of pairs."""
    from ..presentation.comparison import comparison_sentences, comparison_tables
    from ..presentation.pages import Section
    from ..presentation.ties import with_tie_rule

    baselines = {one.baseline for one in comparisons}
    first = comparisons[0]
    return Section(
        f"Differences from {first.baseline}" if len(baselines) == 1 else "Differences",
        comparison_sentences(comparisons),
        with_tie_rule(comparison_tables(comparisons, rule, digits), ties),
        partial(_difference_figures, comparisons),
        ["difference", first.interval.method, first.test, first.adjustment],
    )


def _difference_figures(comparisons: Sequence[Comparison]) -> Sequence[Figure]:
    from ..presentation.figures.differences import differences

    return [differences(comparisons, top=asked().top)]


def rank_section(
    ranks: Sequence[RankEstimate], rule: str, digits: int | None, *, ties: str = ""
) -> Section:
    """Where systems stand, and where they might."""
    from ..presentation.pages import Section
    from ..presentation.ranks import rank_sentences, rank_tables
    from ..presentation.ties import with_tie_rule

    return Section(
        "Ranks",
        rank_sentences(ranks),
        with_tie_rule(rank_tables(ranks, rule, digits), ties),
        partial(_rank_figures, ranks),
        ["rank", "max-statistic"],
    )


def _rank_figures(ranks: Sequence[RankEstimate]) -> Sequence[Figure]:
    from ..presentation.figures.ranks import rank_intervals

    return [rank_intervals(ranks, top=asked().top)]


def chance_section(rows: Sequence[RandomBaseline], tables: Sequence[Table]) -> Section:
    """What chance scores, and systems beside it; of numbers alone also by which method."""
    from ..presentation.baseline import method_line, p_lines
    from ..presentation.pages import Section

    methods = [method_line(rows)] if rows[0].population == "given" else []
    return Section(
        "Chance level",
        [*methods, *p_lines(rows)],
        tables,
        partial(_chance_figures, rows),
        ["random-baseline", *dict.fromkeys(row.method for row in rows if row.method)],
    )


def _chance_figures(rows: Sequence[RandomBaseline]) -> Sequence[Figure]:
    from ..presentation.figures.chance import baseline_figures

    return baseline_figures(rows, top=asked().top)


def study_section(
    sentences: Sequence[str],
    tables: Sequence[Table],
    figures: Callable[[], Sequence[Figure]],
    topics: Sequence[str],
) -> Section:
    """An experiment made again."""
    from ..presentation.pages import Section

    return Section("The paper beside ours", sentences, tables, figures, ["study", *topics])


def tie_figures(effects: Sequence[TieEffect]) -> Sequence[Figure]:
    """How far the order within ties can move means; not at all where there are none."""
    from ..presentation.figures.ties import tie_spans

    return [tie_spans(effects)]
