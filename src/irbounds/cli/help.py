"""The help of commands, rendered from their requests: examples first, then options by panel."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence
from typing import get_args

from rich.text import Text

from ..requests.request import DeclaredOption, Panel
from ..requests.verb import Verb

WIDTH = 80
MAX_WIDTH = 100
COLUMN = 27  # where the help of an option begins
SUMMARY_COLUMN = 15  # where the summary of a command begins
PANELS: tuple[Panel, ...] = get_args(Panel)


def print_help(about: Verb) -> None:
    """Print the help of a command."""
    _print(help_lines(about, _width()))


def print_commands() -> None:
    """Print the list of commands."""
    _print(command_lines(_width()))


def _width() -> int:
    if not sys.stdout.isatty():
        return WIDTH
    return min(shutil.get_terminal_size((WIDTH, 24)).columns, MAX_WIDTH)


def _print(lines: Iterator[Text]) -> None:
    from ..presentation.terminal import make_console

    console = make_console()
    for line in lines:
        console.print(line, soft_wrap=True)


def help_lines(about: Verb, width: int = WIDTH) -> Iterator[Text]:
    """Return the help of a command, line by line."""
    from .app import options_of_command

    options = options_of_command(about)
    yield Text.assemble(("Usage: ", "bold"), f"irbounds {about.name}{_usage(options)}")
    yield Text()
    yield from _paragraph(about.summary, width)
    yield Text()
    yield Text("Examples", "bold")
    for example in about.examples:
        yield from _example(example)
    for panel in PANELS:
        chosen = [declared for declared in options if declared.option.panel == panel]
        if not chosen:
            continue
        yield Text()
        yield Text(panel, "bold")
        for declared in chosen:
            yield from _option(declared, width)


def _usage(options: Sequence[DeclaredOption]) -> str:
    arguments = [declared for declared in options if declared.option.is_argument]
    words = [
        (declared.metavar if declared.is_required else f"[{declared.metavar}]")
        + ("..." if declared.option.is_repeated else "")
        for declared in arguments
    ]
    return " ".join(["", *words, "[OPTIONS]"])


def _paragraph(text: str, width: int) -> Iterator[Text]:
    plain = " ".join(text.split()).replace("``", "")
    for line in textwrap.wrap(plain, width, break_on_hyphens=False, break_long_words=False):
        yield Text(line)


def _example(command: str) -> Iterator[Text]:
    """Return a command, broken into lines as a shell would have them."""
    for place, line in enumerate(command.splitlines()):
        yield Text(f"  {'    ' if place else ''}{line.strip()}", "cyan")


def _option(declared: DeclaredOption, width: int) -> Iterator[Text]:
    head = names_of(declared)
    text = help_of(declared)
    lines = textwrap.wrap(text, width - COLUMN, break_on_hyphens=False) or [""]
    if len(head) > COLUMN - 4:
        yield Text(f"  {head}", "green")
    else:
        first = lines.pop(0)
        yield Text.assemble((f"  {head}".ljust(COLUMN), "green"), first)
    for line in lines:
        yield Text(" " * COLUMN + line)


def names_of(declared: DeclaredOption) -> str:
    """Return an option as it is typed: ``-m, --measures NAME,...``."""
    if declared.option.is_argument:
        return declared.metavar
    short = f"{declared.option.short}, " if declared.option.short else ""
    flag = (
        f"--[no-]{declared.flag[2:]}"
        if declared.kind.value_type is bool and declared.default
        else declared.flag
    )
    value = "" if declared.kind.value_type is bool else f" {declared.metavar}"
    if declared.kind.choices and len(flag) + len(value) > COLUMN - 4:
        value = " NAME"
    return f"{short}{flag}{value}"


def help_of(declared: DeclaredOption) -> str:
    """Return the help of an option: its meaning, its choices and its default."""
    text = declared.option.help
    if not all(word in f"{text}{names_of(declared)}" for word in declared.kind.choices):
        text = f"{text.removesuffix('.')}: {', '.join(declared.kind.choices)}."
    default = declared.default_words
    return f"{text} [{default}]" if default else text


def command_lines(width: int = WIDTH) -> Iterator[Text]:
    """Return the list of commands, which fits a screen of 24 lines."""
    from .app import VERBS, load_verb

    yield Text.assemble(("Usage: ", "bold"), "irbounds COMMAND [OPTIONS], such as irbounds demo")
    yield Text()
    for name in VERBS:
        lines = textwrap.wrap(load_verb(name).summary, width - SUMMARY_COLUMN)
        yield Text.assemble((f"  {name}".ljust(SUMMARY_COLUMN), "green"), lines[0])
        for line in lines[1:]:
            yield Text(" " * SUMMARY_COLUMN + line)
    yield Text()
    yield Text("irbounds COMMAND --help shows examples and options, --version the version,")
    yield Text("--debug the traceback of an error, --install-completion sets up the shell.")
