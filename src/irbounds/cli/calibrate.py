"""``irbounds calibrate``: which interval is honest for these scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from .inputs import table_of_scores
from .options import (
    Bounds,
    Digits,
    Format,
    Output,
    ScoreFiles,
    Seed,
    TableMeasures,
    TableQueries,
    TableQueriesRule,
    numbers_of,
    parsed_bounds,
)
from .showing import make_view
from .writing import chosen_form, record_about, write_result

if TYPE_CHECKING:
    pass

EXAMPLES = (
    "\b\nExamples:\n"
    "  irbounds calibrate scores.csv -m AP\n"
    "  irbounds calibrate AP=ap.csv P@10=p10.csv --n 5,10,20,50,100\n"
    "  irbounds calibrate scores.csv --bounds 0,1 --method student-t --method studentised-logit\n"
    "  irbounds calibrate AP=ap.csv --figure calibration.png"
)


def calibrate(
    scores: ScoreFiles,
    n: Annotated[
        str, typer.Option(metavar="N,N...", help="Numbers of queries that a sample has.")
    ] = "5,10,20,50",
    measures: TableMeasures = None,
    methods: Annotated[
        list[str] | None,
        typer.Option("--method", metavar="NAME", help="A method to try; may be repeated."),
    ] = None,
    confidence_level: Annotated[
        list[float] | None,
        typer.Option(metavar="LEVEL", help="A level to try; may be repeated. Default: 0.95."),
    ] = None,
    n_samples: Annotated[
        int, typer.Option(metavar="N", help="Samples for each system and number of queries.")
    ] = 1000,
    n_resamples: Annotated[
        int, typer.Option(metavar="N", help="Bootstrap resamples for each sample.")
    ] = 1000,
    without_replacement: Annotated[
        bool,
        typer.Option(
            "--without-replacement", help="Draw samples without replacement, as Park (2010) did."
        ),
    ] = False,
    bounds: Bounds = None,
    queries: TableQueries = TableQueriesRule.all,
    seed: Seed = 0,
    digits: Digits = None,
    form: Format = None,
    output: Output = None,
) -> None:
    """Set what interval methods promise against what they do, and recommend one.

    Takes the table's queries for the whole population, so that the true means are known, draws
    samples of n queries from it again and again for every system, and counts the intervals that
    miss. A method is called honest if it misses no more than a fifth oftener than it promises, as
    far as the noise of the simulation lets that be told. Of those the one with the lowest interval
    score, which weighs width against misses, is recommended.
    """
    from ..api import calibrate as calibration
    from ..presentation.registry import section_of
    from ..presentation.terminal import progress_of

    chosen = chosen_form(form, output)
    sizes = numbers_of("--n", n)
    within = parsed_bounds(bounds)
    table = table_of_scores(scores, measures, queries.value)
    with progress_of("trying samples") as progress:
        rows = calibration(
            table,
            sizes,
            methods=methods,
            confidence_levels=confidence_level or [0.95],
            n_samples=n_samples,
            n_resamples=n_resamples,
            replacement=not without_replacement,
            bounds=within,
            rng=seed,
            progress=progress,
        )
    section = section_of(rows, make_view(digits))
    write_result(
        [section],
        form=chosen,
        output=output,
        warnings=table.warnings,
        about=record_about(
            table,
            table.warnings,
            found=section.sentences,
            seed=seed,
            n_samples=n_samples,
            n_resamples=n_resamples,
            replacement=not without_replacement,
        ),
    )
