"""``irbounds report``: everything about some runs on one page, or a page made again."""

from __future__ import annotations

import inspect
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import ParameterError
from ..parameters import check_choice
from ..presentation.loudness import is_quiet
from .inputs import DEFAULT_MEASURES, RunOptions, scored, table_of, which_queries
from .options import (
    Bounds,
    ConfidenceLevel,
    CorpusList,
    CorpusSize,
    Depth,
    Digits,
    DuplicateRule,
    Duplicates,
    Float32,
    Measures,
    Methods,
    OptionalQrels,
    OptionalRuns,
    Order,
    OrderRule,
    Queries,
    QueriesRule,
    Resamples,
    Scores,
    Seed,
    Ties,
    TiesRule,
    check_corpus_size,
    check_standard_input,
    parsed_bounds,
)
from .showing import PAGE_ENDINGS, asked, check_file, make_view
from .writing import write_page

if TYPE_CHECKING:
    from ..read.records import Qrels, Run
    from ..scores.score_table import ScoreTable

EXAMPLES = (
    "\b\nExamples:\n"
    "  irbounds report qrels.txt bm25.run dense.run.gz -o report.html\n"
    "  irbounds report qrels.txt runs/*.run --corpus-size 528155 -o report.html\n"
    "  irbounds report qrels.txt runs/*.run -m AP --baseline bm25 -o report.html\n"
    "  irbounds report qrels.txt bm25.run dense.run --title 'Sparse and dense' -o report.html\n"
    "  irbounds report --scores scores.csv -o report.html\n"
    "  irbounds report --repeat report.html -o again.html"
)

PageFile = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", metavar="FILE", help="The page, an HTML file; whole or not at all."
    ),
]
Title = Annotated[
    str | None,
    typer.Option(metavar="TEXT", help="Of the page. Default: the numbers of systems and queries."),
]
RepeatFile = Annotated[
    Path | None,
    typer.Option(
        "--repeat",
        metavar="FILE",
        help="Make this report of any command again from its own options, here and now, and say "
        "whether it is the same. Exit status: 0 the same, 1 not, 3 the same numbers on a page that "
        "states other versions or inputs and reads otherwise.",
    ),
]
Baseline = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Compare all others with this system. Default: the best by the first measure.",
    ),
]
Images = Annotated[
    int,
    typer.Option(
        "--n-images", metavar="N", min=2, help="Images of the corpus, where its size is known."
    ),
]


def report(
    qrels: OptionalQrels = None,
    runs: OptionalRuns = None,
    output: PageFile = None,
    title: Title = None,
    corpus_size: CorpusSize = None,
    corpus: CorpusList = None,
    measures: Measures = None,
    scores: Scores = None,
    queries: Queries = QueriesRule.judged,
    baseline: Baseline = None,
    methods: Methods = None,
    confidence_level: ConfidenceLevel = 0.95,
    n_resamples: Resamples = 9999,
    bounds: Bounds = None,
    n_images: Images = 1000,
    seed: Seed = 0,
    duplicates: Duplicates = DuplicateRule.error,
    order: Order = OrderRule.score,
    ties: Ties = TiesRule.trec,
    float32: Float32 = False,
    depth: Depth = None,
    digits: Digits = None,
    repeat: RepeatFile = None,
) -> None:
    """Everything about some runs on one page that needs no network.

    First a verdict per measure and one figure of all systems; then differences, ranks and queries;
    then, folded, what ties do and what is odd about the inputs; with the size of the corpus also
    chance levels and what other documents would have changed. Each result is explained, and
    --repeat computes the report again. docs/reports.md says more.
    """
    from ..api import check_confidence_level, checked_methods
    from ..reports.report import ReportRequest, report_of
    from .error_words import warning_words

    if repeat is not None:
        from .repeat import repeat_report

        _check_repeats_alone()
        check_file("--output", output, PAGE_ENDINGS)
        if output is not None and os.path.realpath(output) == os.path.realpath(repeat):
            raise ParameterError(f"--output {output}: this is the page to repeat; name another")
        raise typer.Exit(repeat_report(repeat, output, quiet=is_quiet()))
    if output is None:
        raise ParameterError("needs -o FILE, the page to write; or --repeat FILE, a page to repeat")
    check_file("--output", output, PAGE_ENDINGS)
    check_confidence_level(confidence_level)
    checked_methods(methods)
    within = parsed_bounds(bounds)
    _check_corpus(corpus_size, corpus, scores)
    options = RunOptions(duplicates.value, order.value, float32, depth)
    if scores:
        table = table_of(qrels, runs, scores, measures, queries, options, ties)
        judged: tuple[ScoreTable, Qrels | None, tuple[Run, ...]] = (table, None, ())
    else:
        judged = scored(qrels, runs, measures or DEFAULT_MEASURES, queries, options, ties)
    if baseline is not None:
        check_choice("--baseline", baseline, judged[0].systems)
    request = ReportRequest(
        title=title,
        confidence_level=confidence_level,
        method=methods,
        baseline=baseline,
        n_resamples=n_resamples,
        bounds=within,
        n_images=n_images,
        rng=seed,
        corpus_size=corpus_size,
        corpus=corpus,
        queries=queries.value,
        view=make_view(digits, which_queries(scores, queries)),
        arguments=asked().arguments,
        options=asked().options,
    )
    found, judgments, packed = judged
    page = report_of(found, request, judgments, packed).page
    said = [warning_words(line, asked().arguments) for line in page.warnings]
    write_page(replace(page, warnings=said), output)


def _check_corpus(corpus_size: int | None, corpus: str | None, scores: list[str] | None) -> None:
    """The size of the corpus, or its list, or neither; said before anything is read."""
    if corpus_size is None and corpus is None:
        return
    if scores:
        raise ParameterError("--corpus-size and --corpus are for QRELS and RUN, not for --scores")
    check_corpus_size(corpus_size, corpus)
    if corpus is not None:
        check_standard_input([corpus, corpus])  # it is read for chance and for images


def _check_repeats_alone() -> None:
    """A report is repeated as it was made: what else is asked for would be ignored."""
    defaults = inspect.signature(report).parameters
    others = [
        name
        for name, value in asked().options.items()
        if name not in ("output", "repeat") and value != defaults[name].default
    ]
    if asked().title is not None:
        others.append("title")
    if others:
        raise ParameterError(
            "--repeat takes everything from the page but --output, --quiet and --verbose; got "
            f"{', '.join(name.replace('_', '-') for name in others)} too"
        )
