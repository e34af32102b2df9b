"""``evaluate``: means of systems with their intervals, best first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from ..errors import ParameterError
from ..presentation.registry import View, make_section
from ..requests.inputs import RunOptions, ScoreInput, answer_about
from ..requests.options import (
    AlternativeSide,
    Baseline,
    Bounds,
    ConfidenceLevel,
    CorpusSize,
    Method,
    PerQuery,
    PriorVariance,
    Resamples,
    Seed,
)
from ..requests.request import Option
from ..requests.verb import verb
from ..results.result import Answer

if TYPE_CHECKING:
    from ..presentation.figures.style import Figure
    from ..presentation.page_content import Section
    from ..results import ChanceLevel, Estimate, Evaluation, Results
    from ..scores.score_table import ScoreTable

Sigma = Annotated[
    float | None,
    Option(
        "Known standard deviation of scores, for method normal.",
        metavar="SD",
        panel="Advanced",
    ),
]
Chance = Annotated[
    bool,
    Option(
        "Also show what a random ranking scores.",
        "Of the corpus where its size is given, else of the judged documents. Shows the score "
        "corrected for chance too.",
    ),
]


@dataclass(frozen=True, kw_only=True)
class EvaluateRequest(RunOptions, ScoreInput):
    """The options of ``evaluate``."""

    method: Method = None
    confidence_level: ConfidenceLevel = 0.95
    alternative: AlternativeSide = "two-sided"
    n_resamples: Resamples = 9999
    seed: Seed = 0
    baseline: Baseline = None
    chance: Chance = False
    corpus_size: CorpusSize = None
    per_query: PerQuery = False
    bounds: Bounds = None
    sigma: Sigma = None
    prior_variance: PriorVariance = None

    def check(self) -> None:
        """Raise ``ParameterError`` where options contradict each other."""
        if self.per_query:
            self.refuse("for means; leave out per_query", "baseline")
        if self.chance and (self.per_query or self.scores is not None):
            raise ParameterError(
                "chance is about means of runs: chance levels per query are in irbounds chance "
                "--per-query, and scores do not say what was ranked"
            )
        if not self.chance:
            self.refuse("for chance", "corpus_size")
        super().check()

    def check_measures(self) -> None:
        """Raise ``MeasureError`` where a measure cannot be computed."""
        from ..measurement.parser import check_chance_measures

        super().check_measures()
        if self.chance:
            check_chance_measures(self.measure_names)

    def means(self, scores: Any) -> Results[Estimate]:
        """Return the means with their intervals."""
        from ..intervals.means import mean_interval
        from ..progress import show_progress

        with show_progress("resampling queries") as progress:
            return mean_interval(
                scores,
                method=self.method,
                confidence_level=self.confidence_level,
                n_resamples=self.n_resamples,
                rng=self.seed,
                alternative=self.alternative,
                bounds=self.bounds,
                sigma=self.sigma,
                prior_variance=self.prior_variance,
                progress=progress,
            )


@verb(
    EvaluateRequest,
    group="Compare systems",
    docs="means",
    shows=("table", "figure", "report"),
    examples=(
        "irbounds evaluate qrels.txt bm25.run dense.run.gz",
        "irbounds evaluate qrels.txt runs/ -m map,ndcg@10 --baseline bm25",
        "irbounds evaluate --scores scores.csv -o table.tex",
    ),
)
def evaluate(request: EvaluateRequest) -> Answer[Evaluation]:
    """Show the mean of every system with its interval, best first.

    Reads judgments and runs (TREC text, JSON, CSV, TSV or Parquet, plain or compressed), reports
    what is unusual about them, and estimates each system's mean over queries. Several measures
    share one table, which marks systems that are not significantly different from the best one.

    Returns
    -------
    Evaluation
        A tuple of ``Estimate``: ``.value``, ``.interval``, ``.measure``, ``.system``. It also holds
        ``.scores`` (the scores per query), ``.comparisons`` and ``.chance``.

    Examples
    --------
    >>> import irbounds
    >>> scores = {"bm25": [0.3, 0.1, 0.5, 0.2], "dense": [0.4, 0.2, 0.6, 0.5]}
    >>> best, *_ = sorted(irbounds.evaluate(scores=scores), key=lambda estimate: -estimate.value)
    >>> best.system, round(best.value, 3)
    ('dense', 0.425)
    """
    from ..results.chance_levels import describe_population
    from ..results.evaluation import Evaluation

    table, levels = _read(request)
    if request.per_query:
        return answer_about(
            request,
            table,
            Evaluation(scores=table),
            make_sections=lambda view: [make_section([table], view)],
        )
    evaluation = _estimate(request, table, levels)
    return answer_about(
        request,
        table,
        evaluation,
        lines=[describe_population(levels)] if levels else [],
        warnings=_list_warnings(request, evaluation),
        make_sections=partial(_sections, evaluation),
    )


def _read(request: EvaluateRequest) -> tuple[ScoreTable, Sequence[ChanceLevel]]:
    if not request.chance:
        return request.read_table(), ()
    from ..random_rankings.collection_levels import chance_levels

    table, judgments, runs = request.read_scored()
    return table, chance_levels(table, judgments, runs, corpus_size=request.corpus_size)


def _estimate(
    request: EvaluateRequest, table: ScoreTable, levels: Sequence[ChanceLevel]
) -> Evaluation:
    """Return the means, with comparisons where they are shown in the paper layout."""
    from ..comparisons.differences import compare_with_best
    from ..progress import show_progress
    from ..results.evaluation import Evaluation

    estimates = request.means(table)
    is_requested = request.baseline is not None
    is_possible = not levels and len(request.method or ()) < 2 and len(table.systems) > 1
    if is_requested and not is_possible:
        raise ParameterError("baseline needs two systems, one method and no chance levels")
    fields: dict[str, Any] = {"scores": table, "chance": levels, "baseline": request.baseline}
    if is_requested or (is_possible and len(table.measures) > 1):
        with show_progress("comparing systems") as progress:
            fields["comparisons"] = compare_with_best(
                table,
                estimates,
                request.baseline,
                confidence_level=request.confidence_level,
                rng=request.seed,
                progress=progress,
            )
    return Evaluation(estimates, **fields)


def _list_warnings(request: EvaluateRequest, evaluation: Evaluation) -> list[str]:
    from ..results.evaluation import warn_few_queries, warn_unknown_bounds

    scores = evaluation.scores
    is_default = not request.method and not scores.are_tasks
    warnings = warn_unknown_bounds(evaluation) if is_default else []
    of_chance = evaluation.chance[0].warnings if evaluation.chance else ()
    warnings += [warning for warning in of_chance if warning not in scores.warnings]
    return [*warnings, *warn_few_queries(evaluation, scores)]


def _sections(evaluation: Evaluation, view: View) -> list[Section]:
    """Return one table of systems by measures, or one table per measure and method."""
    from ..results.chance_levels import add_chance_columns

    if evaluation.comparisons:
        return [make_section([evaluation.paper], view)]
    section = make_section(list(evaluation), view)
    if not evaluation.chance:
        return [section]
    return [
        replace(
            section,
            tables=[add_chance_columns(table, evaluation.chance) for table in section.tables],
            figures=partial(_figures_with_chance, list(evaluation), evaluation.chance),
            topics=[*section.topics, "chance-level"],
        )
    ]


def _figures_with_chance(
    estimates: Sequence[Estimate], levels: Sequence[ChanceLevel]
) -> list[Figure]:
    from ..presentation.figures.mean_plots import draw_means

    return [draw_means(estimates, levels)]
