"""Run a command: parse, make the request, run the verb, show the answer."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import ParameterError
from ..presentation.verbosity import set_quiet
from ..requests.request import Request, options_of, plain_options
from .app import ExecutionOptions, Job, parse
from .error_messages import describe_warning
from .output import Invocation, show_answer
from .output_options import Output, output_kind

if TYPE_CHECKING:
    from ..results.result import Answer

#: commands that always write a page, and the functions that show their answers
PAGE_COMMANDS = {
    "report": "output:show_report",
    "demo": "demo:show_demo",
}


def run_command(arguments: Sequence[str]) -> int:
    """Run a command line, and return its exit status."""
    job = parse(arguments)
    return run_job(job, arguments) if isinstance(job, Job) else job or 0


def run_job(job: Job, arguments: Sequence[str]) -> int:
    """Make the requests of a command, run its verb and show the answer."""
    from ..parallel import execution

    output: Output = job.request(output_kind(job.verb.shows))
    threads = job.request(ExecutionOptions).threads
    _ = output.form  # an unknown extension is an error before any work is done
    with set_quiet(output.quiet):  # requests print notes on names of measures
        request = job.request(job.verb.request)
    _check_distinct(output, request)
    options = plain_options(request)
    words = tuple(word for word in arguments if word != "--debug")
    ran = Invocation(job.verb.name, words, options)
    with set_quiet(output.quiet), execution(threads=threads):
        answer, caught = job.verb.answer(request)
        answer = answer.with_warnings([str(warning.message) for warning in caught])
        answer = _with_option_names(answer, arguments)
        _show(job.verb.name)(answer, output, ran)
    return answer.status


def _check_distinct(*requests: Request) -> None:
    """Raise ``ParameterError`` if an output is an input, or if two outputs are one file."""
    options: dict[str, str] = {}
    for request in requests:
        for declared in options_of(type(request)):
            if declared.option.file == "read":
                for place in _list_files(getattr(request, declared.name)):
                    options[place] = declared.name
    for request in requests:
        for declared in options_of(type(request)):
            value = getattr(request, declared.name)
            if declared.option.file != "write" or value is None:
                continue
            place = os.path.realpath(value)
            if other := options.get(place):
                raise ParameterError(
                    f"{other} and {declared.name} must be different files: {place}"
                )
            options[place] = declared.name


def _list_files(value: Any) -> Iterator[str]:
    """Yield the real paths of the files that an option names, also as ``NAME=FILE``."""
    for name in value if isinstance(value, list | tuple) else [value]:
        if isinstance(name, str | os.PathLike):
            for path in {os.fspath(name), os.fspath(name).partition("=")[2]} - {""}:
                inside = Path(path).iterdir() if Path(path).is_dir() else None
                matches = inside or glob.glob(path)  # noqa: PTH207 (absolute patterns)
                yield from map(os.path.realpath, [path, *matches])


def _show(name: str) -> Any:
    """Return the function that shows the answer of a command."""
    if name not in PAGE_COMMANDS:
        return show_answer
    place, function = PAGE_COMMANDS[name].split(":")
    return getattr(import_module(f"irbounds.cli.{place}"), function)


def _with_option_names(answer: Answer[Any], arguments: Sequence[str]) -> Answer[Any]:
    """Return an answer whose warnings name options as they are typed."""
    return replace(
        answer, warnings=[describe_warning(warning, arguments) for warning in answer.warnings]
    )
