"""The commands, gathered."""

from __future__ import annotations

from typing import Annotated

import typer

from .. import __version__
from . import (
    baseline,
    calibrate,
    card,
    check,
    compare,
    compare_cards,
    corpus,
    data,
    demo,
    evaluate,
    plan,
    rank,
    recall,
    report,
    simulate,
    standardise,
    study,
)
from .showing import with_shared_options

app = typer.Typer(
    name="irbounds",
    help="Honest uncertainty for information-retrieval evaluation.",
    epilog="\b\nExamples:\n  irbounds demo\n  irbounds evaluate qrels.txt bm25.run dense.run",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"irbounds {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show the full traceback of an error.")
    ] = False,
) -> None:
    """Honest uncertainty for information-retrieval evaluation."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


WITHOUT_WORK = (recall, compare_cards, check, demo, simulate)  # that is worth dividing
WITHOUT_FILES = (demo, simulate)  # to read

for module, *files in (
    (evaluate, "figure", "report", "top"),
    (compare, "figure", "report", "top"),
    (calibrate, "figure", "report"),
    (standardise, "figure", "report", "top"),
    (rank, "figure", "report", "top"),
    (corpus, "figure", "report", "top"),
    (recall, "figure", "report", "top"),
    (baseline, "figure", "report", "top"),
    (card, "figure", "report"),
    (compare_cards, "figure", "report"),
    (check, "figure", "report"),
    (report, "title", "top"),
    (demo,),
    (simulate,),
):
    verb = module.__name__.rpartition(".")[2]
    command = with_shared_options(
        getattr(module, verb),
        *files,
        works=module not in WITHOUT_WORK,
        reads=module not in WITHOUT_FILES,
    )
    app.command(verb.replace("_", "-"), epilog=module.EXAMPLES)(command)
app.add_typer(plan.app, name="plan")
app.add_typer(data.app, name="data")
app.add_typer(study.app, name="study")
