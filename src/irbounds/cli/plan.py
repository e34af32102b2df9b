"""``irbounds plan``: how much to assess before a result can be shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from . import plan_recall
from .groups import command_group
from .inputs import RunOptions, table_of
from .options import (
    Alternative,
    AlternativeOption,
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
)
from .showing import make_view, with_shared_options
from .writing import (
    chosen_form,
    collected_warnings,
    lines_about,
    record_about,
    write_result,
)

if TYPE_CHECKING:
    pass

app = command_group(
    "plan", "How many queries, or assessments for recall, it takes to show something."
)

QUERIES_EXAMPLES = (
    "\b\nExamples:\n"
    "  irbounds plan queries qrels.txt bm25.run dense.run -m AP\n"
    "  irbounds plan queries --scores AP=scores.csv --difference 0.02 --power 0.9\n"
    "  irbounds plan queries --scores AP=scores.csv --baseline bm25 --half-width 0.03\n"
    "  irbounds plan queries --scores AP=scores.csv --difference 0.02 --figure queries.png"
)

Baseline = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="A plan for each other system against this one. Default: the typical pair of systems "
        "(median standard deviation of all pairs) and the hardest (the largest).",
    ),
]
Difference = Annotated[
    float | None, typer.Option(metavar="D", help="A true difference of means worth showing.")
]
HalfWidth = Annotated[
    float | None,
    typer.Option(metavar="W", help="Half the width that a difference's interval should have."),
]
Power = Annotated[
    float,
    typer.Option(metavar="P", help="The chance of showing a difference that is there."),
]


def queries_command(
    qrels: OptionalQrels = None,
    runs: OptionalRuns = None,
    measures: Measures = None,
    scores: Scores = None,
    baseline: Baseline = None,
    difference: Difference = None,
    half_width: HalfWidth = None,
    power: Power = 0.8,
    confidence_level: ConfidenceLevel = 0.95,
    alternative: AlternativeOption = Alternative.two_sided,
    queries: Queries = QueriesRule.judged,
    duplicates: Duplicates = DuplicateRule.error,
    order: Order = OrderRule.score,
    float32: Float32 = False,
    depth: Depth = None,
    digits: Digits = None,
    form: Format = None,
    output: Output = None,
) -> None:
    """What the queries at hand can show, and how many a difference or a width takes.

    From the spread of the systems' own differences over queries: the smallest true difference that
    a paired t test of as many queries shows with the power, and the half width of its interval;
    with --difference or --half-width also the number of queries for that. One system alone is
    planned for by its own scores. docs/planning.md has the formulas and their limits.
    """
    from .. import api
    from ..presentation.registry import section_of

    chosen = chosen_form(form, output)
    api.check_query_plan(difference, half_width, power, confidence_level)
    table = table_of(
        qrels,
        runs,
        scores,
        measures,
        queries,
        RunOptions(duplicates.value, order.value, float32, depth),
    )
    said = list(table.warnings)
    with collected_warnings(said):
        plans = api.plan_queries(
            table,
            baseline=baseline,
            difference=difference,
            half_width=half_width,
            power=power,
            confidence_level=confidence_level,
            alternative=alternative.value,
        )
    section = section_of(plans, make_view(digits))
    write_result(
        [section],
        form=chosen,
        output=output,
        inputs=lines_about(table),
        warnings=said,
        about=record_about(table, said, found=section.sentences),
    )


app.command("queries", epilog=QUERIES_EXAMPLES)(
    with_shared_options(queries_command, "figure", "report", name="plan queries", works=False)
)
app.command("recall", epilog=plan_recall.EXAMPLES)(
    with_shared_options(
        plan_recall.plan_recall_command, "figure", "report", name="plan recall", works=False
    )
)
