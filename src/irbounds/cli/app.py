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
    simulate,
    standardise,
    study,
)

__all__ = ["app"]

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


app.command("evaluate", epilog=evaluate.EXAMPLES)(evaluate.evaluate)
app.command("compare", epilog=compare.EXAMPLES)(compare.compare)
app.command("calibrate", epilog=calibrate.EXAMPLES)(calibrate.calibrate)
app.command("standardise", epilog=standardise.EXAMPLES)(standardise.standardise)
app.command("rank", epilog=rank.EXAMPLES)(rank.rank)
app.command("corpus", epilog=corpus.EXAMPLES)(corpus.corpus)
app.command("recall", epilog=recall.EXAMPLES)(recall.recall)
app.command("baseline", epilog=baseline.EXAMPLES)(baseline.baseline)
app.command("card", epilog=card.EXAMPLES)(card.card)
app.command("compare-cards", epilog=compare_cards.EXAMPLES)(compare_cards.compare_cards)
app.command("check", epilog=check.EXAMPLES)(check.check)
app.command("demo", epilog=demo.EXAMPLES)(demo.demo)
app.command("simulate", epilog=simulate.EXAMPLES)(simulate.simulate)
app.add_typer(plan.app, name="plan")
app.add_typer(data.app, name="data")
app.add_typer(study.app, name="study")
