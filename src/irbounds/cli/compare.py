"""``irbounds compare``: differences between systems, with intervals and tests."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from .inputs import RunOptions, table_of, which_queries
from .options import (
    Alternative,
    AlternativeOption,
    Bounds,
    ConfidenceLevel,
    Depth,
    Digits,
    DuplicateRule,
    Duplicates,
    Float32,
    Format,
    Measures,
    OptionalQrels,
    OptionalRuns,
    Order,
    OrderRule,
    Output,
    Queries,
    QueriesRule,
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

EXAMPLES = (
    "\b\nExamples:\n"
    "  irbounds compare qrels.txt bm25.run dense.run.gz\n"
    "  irbounds compare qrels.txt runs/*.run --baseline bm25 -m AP\n"
    "  irbounds compare qrels.txt runs/*.run --adjust max-statistic --output pairs.csv\n"
    "  irbounds compare --scores AP=scores.csv --test t --method bca\n"
    "  irbounds compare qrels.txt runs/*.run --baseline bm25 --figure differences.pdf"
)


class TestRule(StrEnum):
    """How a difference is tested."""

    sign_flip = "sign-flip"
    t = "t"
    wilcoxon = "wilcoxon"
    bootstrap = "bootstrap"


class AdjustmentRule(StrEnum):
    """How p-values allow for many comparisons."""

    holm = "holm"
    benjamini_hochberg = "benjamini-hochberg"
    max_statistic = "max-statistic"
    none = "none"


Baseline = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Compare all others with this system; default: all pairs."),
]
DifferenceMethod = Annotated[
    str,
    typer.Option(
        "--method",
        metavar="NAME",
        help="student-t, studentised-logit, studentised, bca, percentile or basic.",
    ),
]
Test = Annotated[
    TestRule, typer.Option("--test", help="sign-flip is exact up to 30 differences other than 0.")
]
Adjustment = Annotated[
    AdjustmentRule,
    typer.Option(
        "--adjust", help="Over all comparisons of a measure; max-statistic: randomised Tukey HSD."
    ),
]
Draws = Annotated[
    int | None,
    typer.Option(
        "--n-resamples",
        metavar="N",
        help="Random draws, for what needs them: bootstrap, max-statistic, and sign-flip with more "
        "than 30 queries. Default: 9999, and for sign-flip as many as the adjustment needs.",
    ),
]
Power = Annotated[
    float, typer.Option(metavar="POWER", help="The chance that a detectable difference is found.")
]


def compare(
    qrels: OptionalQrels = None,
    runs: OptionalRuns = None,
    measures: Measures = None,
    scores: Scores = None,
    queries: Queries = QueriesRule.judged,
    baseline: Baseline = None,
    method: DifferenceMethod = "student-t",
    confidence_level: ConfidenceLevel = 0.95,
    alternative: AlternativeOption = Alternative.two_sided,
    test: Test = TestRule.sign_flip,
    adjustment: Adjustment = AdjustmentRule.holm,
    n_resamples: Draws = None,
    seed: Seed = 0,
    power: Power = 0.8,
    bounds: Bounds = None,
    duplicates: Duplicates = DuplicateRule.error,
    order: Order = OrderRule.score,
    ties: Ties = TiesRule.trec,
    float32: Float32 = False,
    depth: Depth = None,
    digits: Digits = None,
    form: Format = None,
    output: Output = None,
) -> None:
    """Differences of systems on the same queries, largest first.

    Shows for every pair, or for every system against a baseline, the mean difference with its
    interval, its size in standard deviations, a p-value, the p-value adjusted for all comparisons
    of the measure, and the smallest true difference that this many queries would show.
    docs/comparing.md says what each means.
    """
    from ..api import check_comparison, difference_interval
    from ..presentation.registry import section_of
    from ..presentation.terminal import progress_of

    chosen = chosen_form(form, output)
    check_comparison(method, confidence_level, alternative.value, test, adjustment, power, baseline)
    within = parsed_bounds(bounds)
    options = RunOptions(duplicates.value, order.value, float32, depth)
    table = table_of(qrels, runs, scores, measures, queries, options, ties)
    said = list(table.warnings)
    with collected_warnings(said), progress_of("comparing systems") as progress:
        comparisons = difference_interval(
            table,
            baseline=baseline,
            method=method,
            confidence_level=confidence_level,
            n_resamples=n_resamples,
            rng=seed,
            alternative=alternative.value,
            test=test.value,
            adjustment=adjustment.value,
            power=power,
            bounds=within,
            progress=progress,
        )
    with progress_of("preparing tables"):
        view = make_view(digits, which_queries(scores, queries), ties=table.ties)
        section = section_of(comparisons, view)
    write_result(
        [section],
        form=chosen,
        output=output,
        inputs=lines_about(table),
        warnings=said,
        about=record_about(table, said, found=section.sentences, ties=table.ties),
    )
