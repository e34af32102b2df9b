"""``irbounds data``: list, fetch and find the public collections."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

from ..presentation.verbosity import is_quiet
from ..requests.request import Option, Request
from ..requests.verb import verb
from ..results.result import Answer

if TYPE_CHECKING:
    from ..datasets import DataFile, DataSet

COLUMNS = ("name", "content", "size", "licence", "here")

Name = Annotated[
    str,
    Option(
        "Data set; irbounds data list shows the names.",
        metavar="NAME",
        panel="Input",
        is_argument=True,
    ),
]
File = Annotated[
    str | None,
    Option("One file of it.", metavar="FILE", panel="Input", is_argument=True, default="all files"),
]
Into = Annotated[
    Path | None,
    Option(
        "Directory to write to.",
        metavar="DIRECTORY",
        panel="Output",
        file="write",
        default="the user's cache",
    ),
]
Timeout = Annotated[
    float, Option("How long to wait for the server.", metavar="SECONDS", panel="Input")
]


@dataclass(frozen=True, kw_only=True)
class ListRequest(Request):
    """The options of ``data list``: it has none."""


@dataclass(frozen=True, kw_only=True)
class FetchRequest(Request):
    """The options of ``data fetch``."""

    name: Name = field(kw_only=False)
    into: Into = None
    timeout: Timeout = 30.0


@dataclass(frozen=True, kw_only=True)
class PathRequest(Request):
    """The options of ``data path``."""

    name: Name = field(kw_only=False)
    file: File = field(default=None, kw_only=False)


@verb(
    ListRequest,
    name="data list",
    group="Data",
    docs="data-sets",
    shows=(),
    is_parallel=False,
    examples=("irbounds data list", "irbounds data list | cut -f 1"),
)
def list_data(request: ListRequest) -> Answer[None]:
    """List the data sets, and which of them are here.

    Shows name, content, size, licence, and whether the files are here: a table on a terminal,
    tab-separated lines in a pipe.

    Returns
    -------
    None
        The list is printed.
    """
    from ..datasets import DATASETS, data_directory

    rows = [_row(dataset) for dataset in DATASETS.values()]
    directory = data_directory()
    absent = "" if directory.is_dir() else " (does not exist yet)"
    if _is_terminal(sys.stdout):
        _print_table(rows)
        text = ""
    else:
        text = "".join("\t".join(row) + "\n" for row in (COLUMNS, *rows))
    return Answer(None, lines=[f"data directory: {directory}{absent}"], text=text)


@verb(
    FetchRequest,
    name="data fetch",
    group="Data",
    docs="data-sets",
    shows=(),
    is_parallel=False,
    examples=(
        "irbounds data fetch robust2004",
        "irbounds data fetch clef-tar2017 --into ~/collections",
    ),
)
def fetch_data(request: FetchRequest) -> Answer[None]:
    """Download a data set and print the paths of its files.

    Prints one path per line. Citation and licence go to standard error before the first download.
    Every download is checked by its SHA-256; files that are here already are checked too and not
    downloaded again. With IRBOUNDS_DATA set, the files of that directory are used, and nothing is
    written there unless --into names it.

    Returns
    -------
    None
        The paths are printed.
    """
    from ..datasets import fetch

    with _progress_bar() as progress:
        paths = fetch(
            request.name,
            into=request.into,
            timeout=request.timeout,
            announce=_announce,
            progress=progress,
        )
    return Answer(None, text=_lines_of(paths))


@verb(
    PathRequest,
    name="data path",
    group="Data",
    docs="data-sets",
    shows=(),
    is_parallel=False,
    examples=(
        "irbounds data path robust2004",
        "head -n 3 $(irbounds data path robust2004 robust2004_ap.csv)",
    ),
)
def print_path(request: PathRequest) -> Answer[None]:
    """Print the paths of the files of a data set.

    Prints one path per line. Downloads nothing; it is an error where a file is not here.

    Returns
    -------
    None
        The paths are printed.
    """
    from ..datasets import dataset_path, dataset_paths

    if request.file is not None:
        return Answer(None, text=_lines_of([dataset_path(request.name, request.file)]))
    return Answer(None, text=_lines_of(dataset_paths(request.name)))


def _lines_of(paths: list[Path]) -> str:
    return "".join(f"{path}\n" for path in paths)


def _print_table(rows: list[tuple[str, ...]]) -> None:
    from ..presentation.table import Table
    from ..presentation.terminal import make_console, print_table

    table = Table("data sets", COLUMNS, tuple(rows), records=(), first_number=len(COLUMNS))
    print_table(make_console(), table)


def _row(dataset: DataSet) -> tuple[str, ...]:
    from ..datasets import missing_files

    n_files, n_missing = len(dataset.files), len(missing_files(dataset.name))
    here = {0: "yes", n_files: "no"}.get(n_missing, f"{n_files - n_missing} of {n_files} files")
    size = f"{dataset.size / 1e6:.2f} MB" if dataset.fetchable else "by hand"
    return dataset.name, dataset.title, size, dataset.licence, here


def _announce(dataset: DataSet) -> None:
    # standard error: standard output holds only paths, for use in shell substitution
    print(dataset.notice, file=sys.stderr, flush=True)


@contextmanager
def _progress_bar() -> Iterator[Callable[[DataFile, int], None] | None]:
    """Yield a function that draws progress on standard error, or None without a terminal."""
    if is_quiet() or not _is_terminal(sys.stderr):
        yield None
        return
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn

    from ..presentation.terminal import make_console

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
    with Progress(*columns, console=make_console(error=True)) as bar:
        tasks = {}

        def show(file: DataFile, received: int) -> None:
            if file.path not in tasks:
                tasks[file.path] = bar.add_task(file.path, total=file.size)
            bar.update(tasks[file.path], completed=received)

        yield show


def _is_terminal(stream: TextIO) -> bool:
    return stream.isatty()
