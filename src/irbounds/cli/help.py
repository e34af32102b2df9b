"""The help of commands, rendered from their requests: examples first, then options by panel."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, get_args

from rich.text import Text

from ..errors import ParameterError
from ..requests.request import DeclaredOption, Option, Panel, Request
from ..requests.verb import Group, Verb, verb
from ..results.result import Answer
from ..validation import nearest_hint

WIDTH = 80
MAX_WIDTH = 100
COLUMN = 27  # where the help of an option begins
SUMMARY_COLUMN = 19  # where the summary of a command begins
PANELS: tuple[Panel, ...] = get_args(Panel)
INTRODUCTION = "Honest uncertainty for information-retrieval evaluation."
EXAMPLES = ("irbounds demo", "irbounds evaluate qrels.txt bm25.run dense.run")


def print_help(about: Verb, *, is_all: bool = False) -> None:
    """Print the help of a command."""
    _print(help_lines(about, _width(), is_all=is_all))


def print_commands() -> None:
    """Print the list of commands, in groups."""
    _print(command_lines(_width()))


def _width() -> int:
    return min(shutil.get_terminal_size((WIDTH, 24)).columns, MAX_WIDTH) if _is_shown() else WIDTH


def _is_shown() -> bool:
    return sys.stdout.isatty()


def _print(lines: Iterator[Text]) -> None:
    from ..presentation.terminal import make_console

    console = make_console()
    for line in lines:
        console.print(line, soft_wrap=True)


def help_lines(about: Verb, width: int = WIDTH, *, is_all: bool = False) -> Iterator[Text]:
    """Return the help of a command, line by line."""
    from .app import options_of_command

    options = options_of_command(about)
    yield Text.assemble(("Usage: ", "bold"), f"irbounds {about.name}{_usage(options)}")
    yield Text()
    yield from _paragraph(about.summary, width)
    if is_all and about.description:
        for part in about.description.split("\n\n"):
            yield Text()
            yield from _paragraph(part, width)
    yield Text()
    yield Text("Examples", "bold")
    for example in about.examples:
        yield from _example(example)
    for panel in PANELS:
        chosen = [declared for declared in options if declared.option.panel == panel]
        if not chosen or (panel == "Advanced" and not is_all):
            continue
        yield Text()
        yield Text(panel, "bold")
        for declared in chosen:
            yield from _option(declared, width, is_all)
    yield Text()
    n = sum(declared.option.panel == "Advanced" for declared in options)
    if n and not is_all:
        yield Text(f"{n} more option{'s' * (n > 1)}: irbounds {about.name} --help-all")
    if about.docs:
        yield Text(f"More on this: irbounds docs {about.docs}")


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


def _option(declared: DeclaredOption, width: int, is_all: bool) -> Iterator[Text]:
    head = names_of(declared)
    text = help_of(declared, is_all)
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


def help_of(declared: DeclaredOption, is_all: bool = False) -> str:
    """Return the help of an option: its meaning, its choices and its default."""
    parts = [declared.option.help]
    if is_all and declared.option.more:
        parts.append(declared.option.more.replace("``", ""))
    is_repeated = declared.kind.is_several or declared.option.is_repeated
    if is_all and is_repeated and not declared.option.is_argument:
        parts.append("May be repeated.")
    text = parts[0]
    if not all(word in f"{text}{names_of(declared)}" for word in declared.kind.choices):
        parts[0] = f"{text.removesuffix('.')}: {', '.join(declared.kind.choices)}."
    default = declared.default_words
    return " ".join(parts) + (f" [{default}]" if default else "")


def command_lines(width: int = WIDTH) -> Iterator[Text]:
    """Return the list of commands, in groups."""
    from .app import VERBS, load_verb

    yield Text.assemble(("Usage: ", "bold"), "irbounds COMMAND [OPTIONS]")
    yield Text()
    yield from _paragraph(INTRODUCTION, width)
    yield Text()
    yield Text("Examples", "bold")
    for example in EXAMPLES:
        yield from _example(example)
    groups: dict[str, list[tuple[str, str]]] = {name: [] for name in get_args(Group)}
    for name in VERBS:
        about = load_verb(name)
        groups[about.group].append((name, about.summary))
    for group, rows in groups.items():
        if not rows:
            continue
        yield Text()
        yield Text(group, "bold")
        for name, summary in rows:
            lines = textwrap.wrap(summary, width - SUMMARY_COLUMN)
            yield Text.assemble((f"  {name}".ljust(SUMMARY_COLUMN), "green"), lines[0])
            for line in lines[1:]:
                yield Text(" " * SUMMARY_COLUMN + line)
    yield Text()
    yield Text("irbounds COMMAND --help shows the options of a command; --version the version,")
    yield Text("--debug the traceback of an error, --install-completion sets up the shell.")


def _commands() -> list[str]:
    from .app import VERBS

    return list(VERBS)


Command = Annotated[
    Any,
    Option(
        "A command.",
        metavar="COMMAND",
        panel="Input",
        is_argument=True,
        is_repeated=True,
        completions=_commands,
    ),
]


@dataclass(frozen=True, kw_only=True)
class HelpRequest(Request):
    """The options of ``help``."""

    command: Command = None


@verb(
    HelpRequest,
    group="Help",
    shows=(),
    is_parallel=False,
    name="help",
    examples=("irbounds help evaluate",),
)
def show_help(request: HelpRequest) -> Answer[None]:
    """Show the help of a command.

    Returns
    -------
    None
        The help is printed.
    """
    from .app import OTHER_NAMES, VERBS, load_verb

    words = " ".join(request.command or ())
    name = OTHER_NAMES.get(words, words)
    if name in VERBS:
        print_help(load_verb(name))
    elif not name:
        print_commands()
    else:
        raise ParameterError(f"no command {name!r}{nearest_hint(name, list(VERBS))}")
    return Answer(None, text="")
