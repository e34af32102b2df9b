"""``irbounds report``: everything about some runs on one page, or a page made again."""

from __future__ import annotations

import inspect
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import ParameterError
from ..parameters import check_choice
from ..presentation.loudness import is_quiet
from .inputs import DEFAULT_MEASURES, RunOptions, scored, table_of, which_queries
from .options import (
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
)
from .report_material import Material, ReportWishes
from .report_sections import report_page
from .showing import PAGE_ENDINGS, asked, check_file
from .writing import write_page

if TYPE_CHECKING:
    from ..read.records import Qrels, Run
    from ..scores.score_table import ScoreTable

__all__ = ["EXAMPLES", "report"]

EXAMPLES = (
    "\b\nExamples:\n"
    "  irbounds report qrels.txt bm25.run dense.run.gz -o report.html\n"
    "  irbounds report qrels.txt runs/*.run --corpus-size 528155 -o report.html\n"
    "  irbounds report qrels.txt runs/*.run -m AP --baseline bm25 -o report.html\n"
    "  irbounds report --scores scores.csv -o report.html\n"
    "  irbounds report --repeat report.html -o again.html"
)

PageFile = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", metavar="FILE", help="The page, an HTML file; whole or not at all."
    ),
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
    corpus_size: CorpusSize = None,
    corpus: CorpusList = None,
    measures: Measures = None,
    scores: Scores = None,
    queries: Queries = QueriesRule.judged,
    baseline: Baseline = None,
    methods: Methods = None,
    confidence_level: ConfidenceLevel = 0.95,
    n_resamples: Resamples = 9999,
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

    The diagnosis of the inputs, means with intervals, scores by query, differences from a baseline,
    ranks, and what ties do; with the size of the corpus also what chance scores and what other
    documents would have changed. Figures, words on what each result means and does not, methods,
    and where the numbers come from: --repeat makes them again. docs/reports.md says more.
    """
    from ..api import check_confidence_level, checked_methods

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
    _check_corpus(corpus_size, corpus, scores)
    options = RunOptions(duplicates.value, order.value, float32, depth)
    if scores:
        table = table_of(qrels, runs, scores, measures, queries, options, ties)
        judged: tuple[ScoreTable, Qrels | None, tuple[Run, ...]] = (table, None, ())
    else:
        judged = scored(qrels, runs, measures or DEFAULT_MEASURES, queries, options, ties)
    if baseline is not None:
        check_choice("--baseline", baseline, judged[0].systems)
    wishes = ReportWishes(
        confidence_level=confidence_level,
        methods=methods,
        baseline=baseline,
        n_resamples=n_resamples,
        n_images=n_images,
        seed=seed,
        corpus_size=corpus_size,
        corpus=corpus,
        digits=digits,
        rule=which_queries(scores, queries),
        queries=queries.value,
    )
    found, judgments, packed = judged
    write_page(report_page(Material(found, wishes, judgments, packed)), output)


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
