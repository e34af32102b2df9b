"""What every command can be asked to show, and how loudly: worded and handled once.

``with_shared_options`` gives a command ``--quiet`` and ``--verbose``, and of ``--report``,
``--figure`` (with ``--width`` and ``--title``), ``--figures`` and ``--top`` those that it has
something for, without the command naming them:
``write_result`` finds what was asked for here, and ``report.loudness`` knows how loud to be. A
command with work to do gets the options of ``executing`` too. Names of files are checked before the
command does any work.
"""

from __future__ import annotations

import functools
import inspect
import os
import platform
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import typer

from .. import __version__
from ..errors import ParameterError
from ..presentation.figures import FIGURE_ENDINGS, MAX_SYSTEMS
from ..presentation.loudness import Loudness, is_verbose, loudness, note
from ..presentation.registry import View
from ..presentation.rounding import seconds
from .executing import EXECUTION, executing

PAGE_ENDINGS = (".html", ".htm")
FILES = ["figure", "report"]


@dataclass(frozen=True)
class Showing:
    """What a command was asked to show besides its tables."""

    command: str = ""
    figure: Path | None = None
    #: a folder for all figures
    figures: Path | None = None
    report: Path | None = None
    #: pixels of the whole figure; None: as wide as it is by itself
    width: int | None = None
    #: of the figure and of the page; None: their own, "": none
    title: str | None = None
    #: how many systems a figure shows
    top: int = MAX_SYSTEMS
    #: every option of the command by name, as plain values
    options: Mapping[str, Any] = field(default_factory=dict)
    #: the command line, less the program's name
    arguments: tuple[str, ...] = ()


_asked: ContextVar[Showing] = ContextVar("asked", default=Showing())  # noqa: B039 (frozen)


def asked() -> Showing:
    """What the command that is running was asked to show."""
    return _asked.get()


def make_view(digits: int | None = None, queries: str = "queries", **more: Any) -> View:
    """Return how the command that is running shows results."""
    return View(digits, queries, top=asked().top, verbose=is_verbose(), **more)


@contextmanager
def given_arguments(arguments: Sequence[str]) -> Iterator[None]:
    """Remember the command line for a report's provenance."""
    token = _asked.set(Showing(arguments=tuple(arguments)))
    try:
        yield
    finally:
        _asked.reset(token)


FigureFile = Annotated[
    Path | None,
    typer.Option(
        "--figure",
        metavar="FILE",
        help=f"Also draw the result; the ending says how: {', '.join(FIGURE_ENDINGS)}.",
    ),
]
FigureFolder = Annotated[
    Path | None,
    typer.Option(
        "--figures",
        metavar="FOLDER",
        help="Also draw the paper's figures there, each as PNG, SVG and PDF.",
    ),
]
ReportFile = Annotated[
    Path | None,
    typer.Option(
        "--report",
        metavar="FILE",
        help="Also write one HTML page: inputs, tables, figures, what they mean, provenance.",
    ),
]
Width = Annotated[
    int | None,
    typer.Option("--width", metavar="PIXELS", min=1, help="Width of the whole --figure."),
]
Title = Annotated[
    str | None,
    typer.Option(
        "--title",
        metavar="TEXT",
        help='Title of the figure and of the page; "" for a figure without.',
    ),
]
Top = Annotated[
    int | None,
    typer.Option(
        "--top",
        metavar="N",
        min=1,
        help=f"Show the first N systems in figures. Default: {MAX_SYSTEMS}.",
    ),
]
Quiet = Annotated[
    bool, typer.Option("--quiet", help="Results alone: no diagnosis, warnings or progress.")
]
Verbose = Annotated[
    bool, typer.Option("--verbose", help="Say also what is done, how long it takes and on what.")
]
_SHARED: dict[str, tuple[Any, Any]] = {
    "figure": (FigureFile, None),
    "figures": (FigureFolder, None),
    "report": (ReportFile, None),
    "width": (Width, None),
    "title": (Title, None),
    "top": (Top, None),
    "quiet": (Quiet, False),
    "verbose": (Verbose, False),
}


def with_shared_options(
    command: Callable[..., None],
    *files: str,
    name: str = "",
    works: bool = True,
    reads: bool = True,
) -> Callable[..., None]:
    """The command with the options that all share; ``files``: those of files that it has too.

    ``works``: whether it has work that is worth dividing; ``reads``: whether it reads files, which
    have to fit into memory.
    """
    memory = {"memory": EXECUTION["memory"]} if reads else {}
    execution = EXECUTION if works else memory
    signature = inspect.signature(command, eval_str=True)
    looks = [*(["width"] if "figure" in files else []), *(["title"] if files else [])]
    keys = dict.fromkeys((*files, *looks, "quiet", "verbose"))
    # plan recall has a --width of its own, that of an interval
    options = execution | {key: _SHARED[key] for key in keys if key not in signature.parameters}
    added = [
        inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)
        for key, (kind, default) in options.items()
    ]

    @functools.wraps(command)
    def with_options(**given: Any) -> None:
        where = {key: given.pop(key, default) for key, (_, default) in execution.items()}
        wishes = {key: given.pop(key, _SHARED[key][1]) for key in options if key not in where}
        _check(**wishes)
        _check_looks(wishes)
        _check_distinct(wishes.get("figure"), wishes.get("report"), given.get("output"))
        loud = _loudness(wishes.pop("quiet"), wishes.pop("verbose"))
        showing = Showing(
            command=name or command.__name__.replace("_", "-"),
            options={key: _plain(value) for key, value in (given | _of_results(where)).items()},
            arguments=_with_data(asked().arguments, given.get("data")),
            **{key: value for key, value in wishes.items() if value is not None},
        )
        token = _asked.set(showing)
        try:
            with loudness(loud), _told(showing), executing(**where):
                command(**given)
        finally:
            _asked.reset(token)

    parameters = [*signature.parameters.values(), *added]
    with_options.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return with_options


def _of_results(where: Mapping[str, Any]) -> dict[str, Any]:
    """Of how to work, what can change a result: memory decides of how many images all is kept."""
    memory = where.get("memory")
    return {} if memory is None else {"memory": memory}


def _loudness(quiet: bool, verbose: bool) -> Loudness:
    return "quiet" if quiet else "verbose" if verbose else "usual"


@contextmanager
def _told(showing: Showing) -> Iterator[None]:
    """Say what is done and, when it is, how long it took; only where all is to be told."""
    seed = showing.options.get("seed")
    seeded = "" if seed is None else f", seed {seed}"
    note(f"{__version__}, Python {platform.python_version()}: {showing.command}{seeded}")
    began = time.monotonic()
    yield
    note(f"{showing.command}: done in {seconds(time.monotonic() - began)}")


def _check(
    *,
    quiet: bool,
    verbose: bool,
    report: Path | None = None,
    figure: Path | None = None,
    figures: Path | None = None,
    **looks: Any,
) -> None:
    """Check files before any work is done."""
    if quiet and verbose:
        raise ParameterError("--quiet and --verbose: give one or the other")
    check_file("--figure", figure, FIGURE_ENDINGS)
    check_file("--report", report, PAGE_ENDINGS)
    if figures is not None and figures.exists() and not figures.is_dir():
        raise ParameterError(f"--figures {figures}: this is a file; name a folder")


def _check_looks(wishes: Mapping[str, Any]) -> None:
    """Refuse looks of files that are not asked for; ``irbounds report`` always writes one."""
    for look, files in {"width": ["figure"], "title": FILES, "top": FILES}.items():
        there = [key for key in files if key in wishes]
        if there and wishes.get(look) is not None and not any(wishes[key] for key in there):
            raise ParameterError(f"--{look} needs {' or '.join(f'--{key} FILE' for key in there)}")


def _check_distinct(*paths: Path | None) -> None:
    """What is written last would be all that is left."""
    places = [os.path.realpath(path) for path in paths if path is not None]
    for place in places:
        if places.count(place) > 1:
            raise ParameterError(
                f"--figure, --report and --output must be different files: {place}"
            )


def _with_data(arguments: tuple[str, ...], folder: Path | None) -> tuple[str, ...]:
    """The command line with the folder that the environment named, so that it can be repeated."""
    typed = any(argument.partition("=")[0] == "--data" for argument in arguments)
    return arguments if folder is None or typed else (*arguments, f"--data={folder}")


def check_file(option: str, path: Path | None, endings: Sequence[str]) -> None:
    """A file that can be written, with an ending that says how."""
    if path is None:
        return
    if path.suffix.lower() not in endings:
        raise ParameterError(f"{option} {path}: give one of the endings {', '.join(endings)}")
    check_place(option, path)


def check_place(option: str, path: Path) -> None:
    """A file in a folder that is there."""
    if not path.parent.is_dir():
        raise ParameterError(f"{option} {path}: there is no folder {path.parent}")
    if path.is_dir():
        raise ParameterError(f"{option} {path}: this is a folder; name a file")
    try:
        path.stat()
    except FileNotFoundError:
        pass
    except OSError as error:  # a link to itself, a name that is too long
        raise ParameterError(f"{option} {path}: {error.strerror}") from None


def _plain(value: Any) -> Any:
    """An option's value as JSON can hold it."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return str(value) if isinstance(value, Path) else value
