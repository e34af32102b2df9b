"""``irbounds report --repeat``: run the command of a page again, and compare the two pages.

A page may come from somebody else. The command line in its block is parsed as any other, and of the
options that name files only those that are read are kept: only the new page is written.
Only commands that make a report are run. The files that they would read are listed first, and
refused if they are not regular files: a pipe may never end, reading a device may change it, and
looking up a name on another machine sends a message to it.
"""

from __future__ import annotations

import glob
import io
import os
import shlex
import stat
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InputError, ParameterError
from ..presentation.escaping import make_printable
from ..presentation.verbosity import force_progress
from ..requests.request import STANDARD_INPUT, DeclaredOption, join, texts_of
from .app import VERBS, Job, command_name, options_of_command, parse
from .output_options import PageOutput

if TYPE_CHECKING:
    from ..reports.provenance import Provenance

#: options of a repetition besides the page: output, verbosity and execution
OWN_OPTIONS = ("repeat", "output", "open", "quiet", "verbose", "threads", "dask", "checkpoint")
#: options of a page's command that are not repeated, besides the files that it writes
LEFT_OUT = (*OWN_OPTIONS, "width")
NETWORK = ("//", "\\\\")  # how names on another machine begin
WHERE_TO_RUN = "run it in the directory where the report was made"


def repeat_report(job: Job, output: PageOutput) -> int:
    """Run a page's command again, compare, and return the exit status of ``reports.repetition``."""
    from ..reports.repetition import comparison_lines, first_difference, has_same_options, status
    from .runner import run_job

    page = output.repeat
    assert page
    known = options_of_command(job.verb)
    others = [
        declared.typed
        for declared in known
        if declared.name in job.values and declared.name not in OWN_OPTIONS
    ]
    if others:
        own = join([f"--{name}" for name in OWN_OPTIONS[1:]])
        raise ParameterError(f"repeat takes all but {own} from the page; got {join(others)} too")
    text = page_content(page)
    before = page_provenance(text, page)
    again = make_repeatable(before.arguments, page)
    command = make_printable(shlex.join(["irbounds", *words_of(again)]))
    files = files_to_read(again, page)
    with _new_page(output.output) as target:
        _print_message(f"repeating: {command}", output)
        for file in files:
            _print_message(f"reading: {make_printable(file)}", output)
        if "dataset" in again.values:
            name = make_printable(again.values["dataset"])
            _print_message(f"reading or downloading: {name} of ir_datasets", output)
        again = _with_page(again, target, job, output)
        # its messages would name a temporary file; progress is shown
        with (
            redirect_stdout(io.StringIO()) if output.quiet else force_progress(),
            _add_place_to_errors(),
        ):
            run_job(again, words_of(again))
        if not target.is_file():
            raise InputError(f"{page}: its command wrote no report: {command}")
        made = page_content(target)
    after = page_provenance(made, target)
    place = first_difference(text, made, before, after)
    if not place and not has_same_options(before, after):
        place = "the options under 'Provenance'"
    for line in comparison_lines(before, after, place):
        print(make_printable(line))
    return status(before, after, place)


def page_content(page: Path) -> str:
    """Return the text of a page."""
    try:
        return page.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise InputError(
            f"{page}: this is not a report of irbounds, nor text in UTF-8; repeat an HTML page, "
            "not a PDF"
        ) from None


def page_provenance(text: str, page: Path) -> Provenance:
    """Return the block of a page."""
    from ..presentation.html.page import extract_provenance_block
    from ..reports.provenance import read_provenance

    try:
        block = extract_provenance_block(text)
    except InputError as error:
        raise InputError(f"{page}: {error}") from None
    return read_provenance(block, str(page))


def make_repeatable(arguments: Sequence[str], page: Path) -> Job:
    """Return the command line of a page without the options that write files.

    Raises
    ------
    InputError
        When the command is unknown, makes no report or cannot be parsed.
    ParameterError
        When it read standard input.
    """
    if not arguments:
        raise InputError(f"{page}: made in Python by irbounds.report; run that code again")
    name = command_name(arguments)
    if name not in VERBS or "--debug" in arguments:
        command = make_printable(shlex.join(arguments[:1]))
        raise InputError(f"{page}: its command is unknown here: {command}")
    try:
        with redirect_stdout(io.StringIO()):  # its help, where that is what it asks for
            job = parse(arguments)
    except Exception as error:
        # typer's usage errors share no public class
        if not isinstance(error, ParameterError) and not hasattr(error, "format_message"):
            raise
        message = make_printable(getattr(error, "format_message", error.__str__)())
        raise InputError(f"{page}: its command cannot be read here: {message}") from None
    if not isinstance(job, Job) or not _page_option(job):
        raise InputError(f"{page}: its command makes no report: {name}")
    if "repeat" in job.values:
        raise InputError(f"{page}: its command repeats another report; repeat that one")
    known = [declared for declared in options_of_command(job.verb) if declared.name in job.values]
    for declared in known:
        texts = texts_of(job.values[declared.name]) if declared.option.file == "read" else []
        if any(text.rpartition("=")[2] == STANDARD_INPUT for text in texts):
            raise ParameterError(
                f"repeat {page}: it was made from standard input, which cannot be read again"
            )
    names = [
        declared.name
        for declared in known
        if declared.option.file != "write" and declared.name not in LEFT_OUT
    ]
    return replace(job, values={word: job.values[word] for word in names})


def words_of(job: Job) -> list[str]:
    """Return the command line of a job, in words that cannot be taken for anything else."""
    options, names = list[str](), list[str]()
    for declared in options_of_command(job.verb):
        value = job.values.get(declared.name)
        if value is None:
            continue
        if declared.option.is_argument:
            names += texts_of(value)
        elif isinstance(value, bool):
            options.append(declared.flag if value else f"--no-{declared.flag[2:]}")
        elif declared.kind.length > 1 and not declared.option.commas:
            options += [declared.flag, *value]
        else:
            options += [f"{declared.flag}={text}" for text in texts_of(value)]
    return [*job.verb.name.split(), *options, *(["--", *names] if names else [])]


def files_to_read(job: Job, page: Path) -> list[str]:
    """Return what a page's command would read: regular files, and directories of data.

    A missing file is left to the command, which reports it.

    Raises
    ------
    InputError
        When a name is on another machine, or is not a regular file.
    """
    files = []
    for declared in options_of_command(job.verb):
        if declared.option.file == "read" and declared.name in job.values:
            for file in _files_of(declared, texts_of(job.values[declared.name]), job, page):
                if kind := _kind_of(file, may_be_directory=declared.metavar == "DIRECTORY"):
                    raise InputError(
                        f"{page}: its command reads {file}, which is {kind}; it is not run"
                    )
                files.append(file)
    return files


def _files_of(declared: DeclaredOption, names: Sequence[str], job: Job, page: Path) -> list[str]:
    """Return the files that are meant: by ``NAME=FILE``, a pattern, a directory or a file."""
    from ..requests.inputs import files_of_judgments, files_of_runs, files_of_scores

    files: list[str] = []
    for name in names:
        path = name.partition("=")[2]
        if any(word.startswith(NETWORK) for word in (name, path)):
            raise InputError(f"{page}: its command reads {name}, on another machine; it is not run")
        if "\0" in name:  # no file has this name
            continue
        path = name if not path or os.path.lexists(name) else path
        if declared.name == "runs":
            files += files_of_runs(name, job.values.get("qrels"))
        elif declared.name == "qrels" and job.values.get("runs") and Path(path).is_dir():
            files += files_of_judgments(path, job.values["runs"])
        elif declared.name in ("scores", "qrels") and (_is_pattern(path) or Path(path).is_dir()):
            files += files_of_scores(path)
        else:
            files.append(path)
    return [file for file in files if os.path.lexists(file)]


def _is_pattern(path: str) -> bool:
    return glob.has_magic(path) and not os.path.lexists(path)


def _kind_of(file: str, *, may_be_directory: bool) -> str:
    """Return what a path is where it is not to be read; else nothing."""
    try:
        mode = Path(file).stat().st_mode
    except OSError:  # a broken link, no permission: the command reports it
        return ""
    if stat.S_ISREG(mode) or (may_be_directory and stat.S_ISDIR(mode)):
        return ""
    kinds = {stat.S_IFIFO: "a named pipe", stat.S_IFSOCK: "a socket", stat.S_IFDIR: "a directory"}
    return kinds.get(stat.S_IFMT(mode), "a device")


def _page_option(job: Job) -> str:
    """Return the option of a command that names its page; nothing where it has none."""
    if "page" in job.verb.shows:
        return "output"
    names = [declared.name for declared in options_of_command(job.verb)]
    return "report" if "report" in names else ""


def _with_page(again: Job, target: Path, job: Job, output: PageOutput) -> Job:
    """Return a page's command that writes the new page, with the options of the repetition."""
    names = [name for name in OWN_OPTIONS[2:] if name in job.values]
    values: dict[str, Any] = {name: job.values[name] for name in names}
    values[_page_option(again)] = str(target)
    if output.output is None and not output.verbose:
        values["quiet"] = True
    return replace(again, values={**again.values, **values})


@contextmanager
def _new_page(output: Path | None) -> Iterator[Path]:
    """Yield the path of the new page: the given file, else a temporary one."""
    if output is not None:
        yield output
        return
    with tempfile.TemporaryDirectory(prefix="irbounds-") as directory:
        yield Path(directory) / "again.html"


@contextmanager
def _add_place_to_errors() -> Iterator[None]:
    """Add to errors about missing files in which directory to run the repetition."""
    try:
        yield
    except InputError as error:
        if not isinstance(error.__cause__ or error.__context__, FileNotFoundError):
            raise
        raise InputError(f"{error}; {WHERE_TO_RUN}") from None
    except FileNotFoundError as error:
        raise InputError(f"{error.filename}: {error.strerror}; {WHERE_TO_RUN}") from None


def _print_message(line: str, output: PageOutput) -> None:
    if not output.quiet:
        print(line, file=sys.stderr, flush=True)
