"""The command ``irbounds data``: list, fetch and find the public collections."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from .groups import command_group

if TYPE_CHECKING:
    from ..datasets import DataFile, DataSet

app = command_group("data", "List, fetch and find the public collections that the studies use.")

COLUMNS = ("name", "what", "size", "licence", "here")

Name = Annotated[
    str, typer.Argument(metavar="NAME", help="A name that 'irbounds data list' shows.")
]


@app.command("list", epilog="\b\nExample:\n  irbounds data list\n  irbounds data list | cut -f 1")
def list_datasets() -> None:
    """Show the data sets, and which are here already.

    Name, content, size, licence, and whether the files are here: a table on a terminal, lines of
    tab-separated fields when piped.
    """
    from ..datasets import DATASETS, data_folder
    from ..presentation.tables import Table
    from ..presentation.terminal import console_for, print_table

    rows = [_row(dataset) for dataset in DATASETS.values()]
    if _is_terminal(sys.stdout):
        table = Table("data sets", COLUMNS, tuple(rows), records=(), first_number=len(COLUMNS))
        print_table(console_for(), table)
    else:
        for row in (COLUMNS, *rows):
            typer.echo("\t".join(row))
    folder = data_folder()
    absent = "" if folder.is_dir() else " (not there yet)"
    typer.echo(f"data folder: {folder}{absent}", err=True)


@app.command(
    "fetch",
    epilog="\b\nExample:\n  irbounds data fetch robust2004\n"
    "  irbounds data fetch clef-tar2017 --into ~/collections",
)
def fetch_dataset(
    name: Name,
    into: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write into this folder instead of the user's cache."),
    ] = None,
    timeout: Annotated[
        float, typer.Option(metavar="SECONDS", help="How long to wait for the server.")
    ] = 30.0,
) -> None:
    """Download a data set and print where its files are.

    Prints one path a line. Citation and licence go to standard error before the first download.
    Every download is checked by its SHA-256; files that are here already are checked too and not
    downloaded again. With IRBOUNDS_DATA set, the files of that folder are used, and nothing is
    written there unless --into names it.
    """
    from ..datasets import fetch

    with _progress_bar() as progress:
        paths = fetch(name, into=into, timeout=timeout, announce=_announce, progress=progress)
    for path in paths:
        typer.echo(path)


@app.command(
    "path",
    epilog="\b\nExample:\n  irbounds data path robust2004\n"
    "  head -n 3 $(irbounds data path robust2004 robust2004_ap.csv)",
)
def print_path(
    name: Name,
    file: Annotated[
        str | None, typer.Argument(metavar="FILE", help="One file of it; all when left out.")
    ] = None,
) -> None:
    """Print where the files of a data set are, and nothing else.

    Prints one path a line. Downloads nothing; fails when a file is not here.
    """
    from ..datasets import dataset_path, dataset_paths

    for path in dataset_paths(name) if file is None else [dataset_path(name, file)]:
        typer.echo(path)


def _row(dataset: DataSet) -> tuple[str, ...]:
    from ..datasets import missing_files

    n_files, n_missing = len(dataset.files), len(missing_files(dataset.name))
    here = {0: "yes", n_files: "no"}.get(n_missing, f"{n_files - n_missing} of {n_files} files")
    size = f"{dataset.size / 1e6:.2f} MB" if dataset.fetchable else "by hand"
    return dataset.name, dataset.title, size, dataset.licence, here


def _announce(dataset: DataSet) -> None:
    # Standard error: standard output holds only paths, for use in shell substitution.
    typer.echo(dataset.notice, err=True)


@contextmanager
def _progress_bar() -> Iterator[Callable[[DataFile, int], None] | None]:
    """Yield a function that draws progress on standard error, or None where nobody looks."""
    if not _is_terminal(sys.stderr):
        yield None
        return
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn

    from ..presentation.terminal import console_for

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
    with Progress(*columns, console=console_for(error=True)) as bar:
        tasks = {}

        def show(file: DataFile, received: int) -> None:
            if file.path not in tasks:
                tasks[file.path] = bar.add_task(file.path, total=file.size)
            bar.update(tasks[file.path], completed=received)

        yield show


def _is_terminal(stream: TextIO) -> bool:
    return stream.isatty()
