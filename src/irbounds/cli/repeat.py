"""``irbounds report --repeat``: the command of a page run again, and its numbers held against it.

A page is a file from somebody else. What its block asks for is parsed by the command's own parser
and put together anew, and of everything that names a file only what is read is kept: whatever the
block says, nothing is written but the new page. Only commands that make a report are run. What they
would read is listed first, and refused where it is not a file: a pipe never ends, to read a device
may change it, and to look up a name on another machine is a message to it.
"""

from __future__ import annotations

import glob
import io
import os
import shlex
import stat
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from ..errors import InputError, ParameterError
from ..presentation.loudness import progress_shown
from ..presentation.printable import printable
from .showing import given_arguments

if TYPE_CHECKING:
    from ..reports.provenance import Provenance

#: options with one of these metavars name files
NAMES_OF_FILES = ("FILE", "FOLDER", "DIR")
#: of these, the options that only read; any other is left out
READ = frozenset(
    (
        *("scores", "corpus", "corpus_list", "qrels", "factors", "data"),
        *("assessed", "retrieved_ids", "run", "strata"),
    )
)
#: said of the repetition anew, or never; or of where to work, which changes no number
LEFT_OUT = frozenset(("quiet", "verbose", "help", "threads", "dask", "checkpoint"))
STANDARD_INPUT = "-"
NETWORK = ("//", "\\\\")  # how names on another machine begin
WHERE_TO_RUN = "run it in the folder where the report was made"


def repeat_report(page: Path, output: Path | None, *, quiet: bool = False) -> int:
    """Run a page's command again, compare, and return the exit status of ``report.repetition``."""
    from ..reports.page_comparison import first_difference
    from ..reports.repetition import comparison_lines, has_same_options, status

    text = page_content(page)
    before = page_provenance(text, page)
    shown = _shown(kept_arguments(before.arguments, page))
    files = files_to_read(before.arguments, page)
    with _new_page(output) as target:
        silent = quiet or output is None
        arguments = kept_arguments(before.arguments, page, target, quiet=silent)
        _say(f"repeating: irbounds {shown}", quiet)
        for file in files:
            _say(f"reading: {printable(file)}", quiet)
        # its lines would be about a file that nobody asked for, but how far it is is welcome
        with redirect_stdout(io.StringIO()) if quiet else progress_shown():
            _run(arguments)
        if not target.is_file():
            raise InputError(f"{page}: its command wrote no report: {shown}")
        made = page_content(target)
    after = page_provenance(made, target)
    place = first_difference(text, made, before, after)
    if not place and not has_same_options(before, after):
        place = "the options under 'Provenance'"
    for line in comparison_lines(before, after, place):
        typer.echo(printable(line))
    return status(before, after, place)


def page_content(page: Path) -> str:
    """A page's text."""
    try:
        return page.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{page}: this is no report of irbounds, nor any text in UTF-8") from None


def page_provenance(text: str, page: Path) -> Provenance:
    """The block of a page."""
    from ..presentation.html.page import provenance_block
    from ..reports.provenance import read_provenance

    try:
        block = provenance_block(text)
    except InputError as error:
        raise InputError(f"{page}: {error}") from None
    return read_provenance(block, str(page))


@contextmanager
def _new_page(output: Path | None) -> Iterator[Path]:
    """Where the repetition goes: the file that was named, else one that is gone afterwards."""
    if output is not None:
        yield output
        return
    with tempfile.TemporaryDirectory(prefix="irbounds-") as folder:
        yield Path(folder) / "again.html"


def _run(arguments: Sequence[str]) -> None:
    """The command, in this process; its own status (check has one) is no failure."""
    from .app import app

    try:
        with given_arguments(arguments):
            app(list(arguments), standalone_mode=False, prog_name="irbounds")
    except InputError as error:
        if not isinstance(error.__cause__ or error.__context__, FileNotFoundError):
            raise
        raise InputError(f"{error}; {WHERE_TO_RUN}") from None
    except FileNotFoundError as error:
        raise InputError(f"{error.filename}: {error.strerror}; {WHERE_TO_RUN}") from None


def kept_arguments(
    arguments: Sequence[str], page: Path, target: Path | None = None, *, quiet: bool = False
) -> list[str]:
    """What of a page's command line may be run, with ``target`` as the only file to write.

    Without a target it is what a person is shown.
    """
    path, command, rest = _found_command(arguments, page)
    given = _parsed(command, rest, page)
    if given.get("repeat") is not None:
        raise InputError(f"{page}: its command repeats another report; repeat that one")
    writes = "--output" if path == ["report"] else "--report"
    options = [] if target is None else [f"{writes}={target}"]
    options += ["--quiet"] if quiet else []
    names = []
    for parameter in command.params:
        value = given.get(parameter.name)
        if value is None or not _may_stay(parameter):
            continue
        _check_can_be_read_again(value, page)
        if parameter.param_type_name == "argument":
            names += [value] if isinstance(value, str) else list(value)
        else:
            options += _option(parameter, value)
    options += _format_of(given, command)
    return [*path, *options, *(["--", *names] if names else [])]


def files_to_read(arguments: Sequence[str], page: Path) -> list[str]:
    """Return what a page's command would read: regular files, and the directory of a study's data.

    A name that is not there is left to the command, which says so.

    Raises
    ------
    InputError
        When a name is on another machine, or is neither a file nor a directory.
    """
    _, command, rest = _found_command(arguments, page)
    given = _parsed(command, rest, page)
    names = []
    for parameter in command.params:
        value = given.get(parameter.name)
        if value is not None and (
            parameter.param_type_name == "argument" or parameter.name in READ
        ):
            names += [(parameter.name, one) for one in _texts(value)]
    files = [file for name, word in names for file in _files_of(word, page, name == "scores")]
    for file in files:
        kind = _kind_of(file)
        if kind:
            raise InputError(f"{page}: its command reads {file}, which is {kind}; it is not run")
    return files


def _files_of(name: str, page: Path, may_be_stream: bool) -> list[str]:
    """Return the files that one word of a command line means: ``NAME=FILE``, a pattern, a file.

    ``may_be_stream``: whether a directory means the files below it.
    """
    path = name.partition("=")[2]
    if any(word.startswith(NETWORK) for word in (name, path)):
        raise InputError(f"{page}: its command reads {name}, on another machine; it is not run")
    try:
        path = name if not path or os.path.lexists(name) else path
        is_there = os.path.lexists(path)
        if may_be_stream and (Path(path).is_dir() if is_there else glob.has_magic(path)):
            from ..api import stream_files

            return stream_files(path)
        return [path] if is_there else []
    except ValueError:  # a zero byte in the name
        return []


def _kind_of(file: str) -> str:
    """Return what a path is where it is neither a regular file nor a directory; else nothing."""
    try:
        mode = Path(file).stat().st_mode
    except OSError:  # a broken link, no permission: the command says so
        return ""
    if stat.S_ISREG(mode) or stat.S_ISDIR(mode):
        return ""
    kinds = {stat.S_IFIFO: "a named pipe", stat.S_IFSOCK: "a socket"}
    return kinds.get(stat.S_IFMT(mode), "a device")


def _found_command(arguments: Sequence[str], page: Path) -> tuple[list[str], Any, list[str]]:
    """The command's name, the command, and what it was given; only those that make a report."""
    from .app import app

    command: Any = typer.main.get_command(app)
    rest, path = list(arguments), list[str]()
    if not rest:
        raise InputError(f"{page}: made in Python by irbounds.report; run that code again")
    while hasattr(command, "commands"):
        word = rest.pop(0) if rest else ""
        if word not in command.commands:
            raise InputError(f"{page}: its command is unknown here: {_shown([*path, word])}")
        path.append(word)
        command = command.commands[word]
    makes_reports = any(parameter.name == "report" for parameter in command.params)
    if path != ["report"] and not makes_reports:
        raise InputError(f"{page}: its command makes no report: {_shown(path)}")
    return path, command, rest


def _parsed(command: Any, rest: list[str], page: Path) -> Mapping[str, Any]:
    """What each parameter was given, as text; nothing is run."""
    context = command.context_class(command, info_name=command.name)
    try:
        given, _, _ = command.make_parser(context).parse_args(rest)
    except Exception as error:
        if not hasattr(error, "format_message"):  # typer's usage errors share no public class
            raise
        raise InputError(
            f"{page}: its command cannot be read here: {printable(error.format_message())}"
        ) from None
    return dict(given)


def _may_stay(parameter: Any) -> bool:
    """Whether a parameter only reads: arguments do, and options by name."""
    if parameter.param_type_name == "argument":
        return True
    if parameter.name in LEFT_OUT:
        return False
    return parameter.metavar not in NAMES_OF_FILES or parameter.name in READ


def _option(parameter: Any, value: Any) -> list[str]:
    """An option and its value in words that cannot be taken for anything else."""
    name = next(word for word in parameter.opts if word.startswith("--"))
    if getattr(parameter, "is_flag", False):
        return [name if value else parameter.secondary_opts[0]]
    if parameter.nargs > 1:
        return [name, *value]
    return [f"{name}={one}" for one in (value if parameter.multiple else [value])]


def _format_of(given: Mapping[str, Any], command: Any) -> list[str]:
    """The format that an output left out had by its ending: some commands' tables go by it."""
    from .writing import ENDINGS

    has_formats = any(parameter.name == "form" for parameter in command.params)
    ending = Path(given.get("output") or "").suffix.lower()
    if not has_formats or given.get("form") is not None or ending not in ENDINGS or not ending:
        return []
    return [f"--format={ENDINGS[ending].value}"]


def _check_can_be_read_again(value: Any, page: Path) -> None:
    if any(text == STANDARD_INPUT or text.endswith(f"={STANDARD_INPUT}") for text in _texts(value)):
        raise ParameterError(
            f"--repeat {page}: it was made from standard input, which cannot be read again"
        )


def _texts(value: Any) -> list[str]:
    """Return the words that a parameter was given; a flag has none."""
    if isinstance(value, str):
        return [value]
    return list(value) if isinstance(value, list | tuple) else []


def _shown(arguments: Sequence[str]) -> str:
    return printable(shlex.join(arguments))


def _say(line: str, quiet: bool) -> None:
    if not quiet:
        print(line, file=sys.stderr, flush=True)
