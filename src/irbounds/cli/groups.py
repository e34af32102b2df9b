"""Commands that are groups of commands: alone, they show their help."""

from __future__ import annotations

import typer


def command_group(name: str, help: str) -> typer.Typer:
    """Return a group of commands that shows its help where no command of it is named."""
    group = typer.Typer(name=name, help=help, invoke_without_command=True, rich_markup_mode=None)

    @group.callback(help=help)
    def root(context: typer.Context) -> None:
        if context.invoked_subcommand is None:
            typer.echo(context.get_help())

    return group
