"""``irbounds study``: the papers' experiments, their tables beside ours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .options import Form, Format, Output, Seed
from .writing import chosen_form, write_result

if TYPE_CHECKING:
    from ..results import StudyTable
    from ..scores.score_table import ScoreTable

__all__ = ["app"]

app = typer.Typer(
    help="Run a paper's experiments again; its tables beside ours.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Data = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        help="Where robust2004_ap.csv is (or in its folder scores). Default: a simulated "
        "collection of the same size.",
    ),
]
Samples = Annotated[int, typer.Option("--n-samples", metavar="N", help="Samples per system and n.")]
SIMULATED = "simulated collection: the paper's numbers are for comparison, not to be met"
ROBUST = ("robust2004_ap.csv", 110, 249)
OTHER = ("adhoc8_ap.csv", 129, 50)


def _example(name: str) -> str:
    return (
        f"\b\nExamples:\n  irbounds study {name} --data data\n"
        f"  irbounds study {name} --data data --n-samples 100 --format csv > {name}.csv"
    )


@app.command("park2010", epilog=_example("park2010"))
def park2010(
    data: Data = None,
    n_samples: Samples = 1000,
    seed: Seed = 0,
    form: Format = None,
    output: Output = None,
) -> None:
    """Park (2010): normal and t intervals of AP, raw and standardised; Tables 1 to 8.

    Table 8 is on TREC-8 (adhoc8_ap.csv) in place of the paper's TREC-3, so there the numbers
    differ.
    """
    from ..report.terminal import progress_of
    from ..studies.park2010 import park2010 as study
    from ..studies.park2010 import references_that_agree

    chosen = chosen_form(form, output)
    population = _population(data, *ROBUST, seed)
    other = _population(data, *OTHER, seed + 1)
    with progress_of("trying samples") as progress:
        tables = study(population, other, n_samples=n_samples, rng=seed, progress=progress)
    agree = references_that_agree(population, seed)
    notes = [
        f"queries on which five random systems have one score, left out: {agree:.2f} on average",
        "Table 8 is on TREC-8 in place of TREC-3, which is not among the data",
    ]
    _write(tables, notes, data, chosen, output, lambda table: table.number != 8)


@app.command("park2011", epilog=_example("park2011"))
def park2011(
    data: Data = None,
    n_samples: Samples = 1000,
    n_resamples: Annotated[
        int, typer.Option(metavar="N", help="Bootstrap resamples for each sample.")
    ] = 1000,
    seed: Seed = 0,
    form: Format = None,
    output: Output = None,
) -> None:
    """Park (2011): percentile, BCa and studentised logit intervals of AP; Tables 1 to 3."""
    from ..report.terminal import progress_of
    from ..studies.park2011 import park2011 as study

    chosen = chosen_form(form, output)
    population = _population(data, *ROBUST, seed)
    with progress_of("trying samples") as progress:
        tables = study(
            population, n_samples=n_samples, n_resamples=n_resamples, rng=seed, progress=progress
        )
    _write(tables, [], data, chosen, output, lambda table: True)


def _population(
    data: Path | None, name: str, n_systems: int, n_queries: int, seed: int
) -> ScoreTable:
    from ..report.terminal import progress
    from ..studies.populations import real_scores, simulated_scores

    if data is not None:
        return real_scores(data, name)
    with progress("simulating queries", n_queries) as step:
        return simulated_scores(n_systems, n_queries, seed, step)


def _write(
    tables: Sequence[StudyTable],
    notes: Sequence[str],
    data: Path | None,
    form: Form,
    output: Path | None,
    comparable: Callable[[StudyTable], bool],
) -> None:
    from .. import __version__
    from ..report.studies import study_sentence, study_tables

    said = list(notes)
    if data is None:
        said.insert(0, SIMULATED)
    else:
        said.append(study_sentence([table for table in tables if comparable(table)]))
    write_result(
        study_tables(tables),
        form=form,
        output=output,
        above=said,
        about={"irbounds": __version__, "notes": said},
    )
