"""``irbounds evaluate``: systems with mean and interval, best first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ..errors import ParameterError
from ..parameters import check_choice
from ..presentation.registry import section_of
from .baseline_options import ChancePopulation
from .evaluate_chance import Chance, chance_wish, table_with_chance
from .evaluate_means import MeansWish, estimated
from .evaluate_stream import evaluate_stream, stream_of
from .inputs import RunOptions, check_pattern, table_of, which_queries
from .options import (
    Alternative,
    AlternativeOption,
    Bounds,
    ConfidenceLevel,
    CorpusList,
    CorpusSize,
    Depth,
    Digits,
    DuplicateRule,
    Duplicates,
    Float32,
    Format,
    Measures,
    Methods,
    OptionalQrels,
    OptionalRuns,
    Order,
    OrderRule,
    Output,
    PerQuery,
    Queries,
    QueriesRule,
    Resamples,
    Scores,
    Seed,
    Ties,
    TiesRule,
    parsed_bounds,
)
from .showing import make_view
from .writing import (
    chosen_form,
    collected_warnings,
    lines_about,
    record_about,
    write_result,
)

if TYPE_CHECKING:
    from ..presentation.figures.style import Figure
    from ..presentation.pages import Section
    from ..presentation.registry import View
    from ..results import ChanceLevel, Estimate
    from ..scores.score_table import ScoreTable

EXAMPLES = (
    "\b\nExamples:\n"
    "  irbounds evaluate qrels.txt bm25.run dense.run.gz\n"
    "  irbounds evaluate qrels.txt runs/*.run -m AP -m nDCG@10 -m 'RBP(rel=1,p=0.95)'\n"
    "  irbounds evaluate qrels.txt runs/*.run --baseline bm25 --output table.tex\n"
    "  irbounds evaluate qrels.txt runs/*.run --layout long\n"
    "  irbounds evaluate qrels.txt bm25.run --per-query --format csv > scores.csv\n"
    "  irbounds evaluate qrels.txt bm25.run --ties expected\n"
    "  irbounds evaluate qrels.txt bm25.run --chance --corpus-size 528155\n"
    "  irbounds evaluate --scores scores.csv\n"
    "  irbounds evaluate --scores 'AP=scores/*.parquet' --n-resamples 1000 --memory 2GiB\n"
    "  irbounds evaluate qrels.txt bm25.run --method bca --confidence-level 0.9\n"
    "  irbounds evaluate qrels.txt bm25.run --method student-t --method studentised-logit\n"
    "  irbounds evaluate qrels.txt runs/*.run --figure means.pdf --report report.html\n"
    "  zcat bm25.run.gz | irbounds evaluate qrels.txt - --output table.tex"
)

Sigma = Annotated[
    float | None,
    typer.Option(metavar="SD", help="The known standard deviation of scores, for normal."),
]


Layout = Annotated[
    Literal["paper", "long"] | None,
    typer.Option(
        "--layout",
        help="paper: systems by measures in one table, compared with the best or with --baseline; "
        "long: one table per measure. Default: paper where there are several measures, two systems "
        "or more, one method and no --chance.",
    ),
]
Baseline = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Compare all others with this system in the paper layout. Default: the best by each "
        "measure.",
    ),
]


def evaluate(
    qrels: OptionalQrels = None,
    runs: OptionalRuns = None,
    measures: Measures = None,
    scores: Scores = None,
    queries: Queries = QueriesRule.judged,
    methods: Methods = None,
    confidence_level: ConfidenceLevel = 0.95,
    alternative: AlternativeOption = Alternative.two_sided,
    n_resamples: Resamples = 9999,
    seed: Seed = 0,
    bounds: Bounds = None,
    sigma: Sigma = None,
    chance: Chance = False,
    corpus_size: CorpusSize = None,
    corpus: CorpusList = None,
    population: ChancePopulation = None,
    per_query: PerQuery = False,
    layout: Layout = None,
    baseline: Baseline = None,
    duplicates: Duplicates = DuplicateRule.error,
    order: Order = OrderRule.score,
    ties: Ties = TiesRule.trec,
    float32: Float32 = False,
    depth: Depth = None,
    digits: Digits = None,
    form: Format = None,
    output: Output = None,
) -> None:
    """Mean scores of systems with their intervals, best first.

    Reads judgments and runs (TREC text, JSON, CSV, TSV or Parquet, plain or compressed), says what
    is odd about them, and shows each system's mean over queries with its interval. Several measures
    share one table, with the best mean of each in bold and a mark at systems that are not
    significantly different from it. docs/intervals.md says which method is honest when. Scores in
    Parquet files larger than memory are given as a pattern in quotes, or as a folder
    (docs/streams.md).
    """
    from ..api import check_confidence_level, checked_methods

    chosen = chosen_form(form, output)
    check_confidence_level(confidence_level)
    checked_methods(methods)
    within = parsed_bounds(bounds)
    asked = MeansWish(
        methods, confidence_level, n_resamples, seed, alternative.value, within, sigma
    )
    options = RunOptions(duplicates.value, order.value, float32, depth)
    wish = chance_wish(
        chance, population, corpus_size, corpus, is_of_means=not (per_query or scores)
    )
    given = {
        "QRELS": qrels is not None,
        "--queries": queries is not QueriesRule.judged,
        "--per-query": per_query,
        "--layout paper": layout == "paper" or baseline is not None,
        "--ties": ties is not TiesRule.trec,
        "--duplicates": duplicates is not DuplicateRule.error,
        "--order": order is not OrderRule.score,
        "--float32": float32,
        "--depth": depth is not None,
    }
    if baseline is not None and layout == "long":
        raise ParameterError("--baseline is for --layout paper; got --layout long")
    if per_query and (layout is not None or baseline is not None):
        raise ParameterError("--layout and --baseline are for means; got --per-query")
    check_pattern(scores, qrels, runs, quoted=True)
    stream = stream_of(scores, measures, given)
    if stream:
        return evaluate_stream(stream, asked, digits, chosen, output)
    levels: Sequence[ChanceLevel] = ()
    if wish:
        table, levels = table_with_chance(wish, qrels, runs, measures, queries, options, ties)
    else:
        table = table_of(qrels, runs, scores, measures, queries, options, ties)
    said = list(levels[0].warnings if levels else table.warnings)
    view = make_view(digits, which_queries(scores, queries), ties=table.ties)
    if baseline is not None:
        check_choice("--baseline", baseline, table.systems)
    if per_query:
        section = section_of([table], view)
    else:
        estimates = estimated(table, asked, "resampling queries", said)
        is_paper = layout == "paper" or baseline is not None
        is_simple = not levels and len(asked.method or ()) < 2 and len(table.systems) > 1
        if is_paper and not is_simple:
            raise ParameterError("--layout paper needs two systems, one --method and no --chance")
        if is_paper or (layout is None and is_simple and len(table.measures) > 1):
            section = _paper(table, estimates, baseline, asked, view, said)
        else:
            section = _long(estimates, levels, view)
    write_result(
        [section],
        form=chosen,
        output=output,
        inputs=_lines_about(table, levels),
        warnings=said,
        about=record_about(table, said, ties=table.ties),
    )


def _paper(
    table: ScoreTable,
    estimates: Sequence[Estimate],
    baseline: str | None,
    asked: MeansWish,
    view: View,
    said: list[str],
) -> Section:
    """Return one table of systems by measures."""
    from ..api import compare_with_best
    from ..presentation.terminal import progress_of
    from ..results.paper_table import PaperTable

    with collected_warnings(said), progress_of("comparing systems") as progress:
        comparisons = compare_with_best(
            table,
            estimates,
            baseline,
            confidence_level=asked.confidence_level,
            rng=asked.rng,
            progress=progress,
        )
    return section_of([PaperTable(tuple(estimates), tuple(comparisons), baseline)], view)


def _long(estimates: Sequence[Estimate], levels: Sequence[ChanceLevel], view: View) -> Section:
    """Return one table per measure and method, with chance levels where there are any."""
    from ..results.chance import with_chance

    section = section_of(estimates, view)
    if not levels:
        return section
    return replace(
        section,
        tables=with_chance(section.tables, levels, view.digits),
        figures=partial(_figures_with_chance, estimates, levels),
        topics=[*section.topics, "random-baseline"],
    )


def _figures_with_chance(
    estimates: Sequence[Estimate], levels: Sequence[ChanceLevel]
) -> list[Figure]:
    from ..presentation.figures.means import forests

    return [forests(estimates, levels)]


def _lines_about(table: ScoreTable, levels: Sequence[ChanceLevel]) -> list[str]:
    """What was read, and what chance ranks."""
    from ..results.chance import population_line

    return [*lines_about(table), *([population_line(levels)] if levels else [])]
