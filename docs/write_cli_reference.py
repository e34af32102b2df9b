"""Write docs/cli.md from the commands themselves, so that it cannot drift.

A test compares the file with what this script would write.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import typer

from irbounds.cli.app import app

TARGET = Path(__file__).parent / "cli.md"
INTRODUCTION = """\
# Command line

Generated from the commands themselves by `make reference`. Every command has `--help`; `irbounds
--version` shows the version, and `--debug` anywhere shows the traceback of an error.

Exit status: 0 all is well; 1 `irbounds check` has warnings; 2 an error, told in one line on
standard error; 130 interrupted; 141 the reader of a pipe has gone away; 143 terminated (SIGTERM).
"""


def reference() -> str:
    """The whole page."""
    pages = [_page("irbounds", command) for command in app.registered_commands]
    for group in app.registered_groups:
        inner = group.typer_instance.registered_commands
        pages += [_page(f"irbounds {group.name}", command) for command in inner]
    return INTRODUCTION + "".join(pages)


def _page(parent: str, command: Any) -> str:
    arguments, options = [], []
    for parameter in _parameters(command.callback):
        is_argument = isinstance(parameter.info, typer.models.ArgumentInfo)
        (arguments if is_argument else options).append(parameter)
    name = f"{parent} {command.name}"
    usage = " ".join([name, *(p.usage for p in arguments), *(["[OPTIONS]"] if options else [])])
    lines = [f"\n## {name}\n", f"    {usage}\n", _paragraphs(command.callback.__doc__), ""]
    if arguments or options:
        lines += ["| | |", "| --- | --- |"]
        lines += [f"| `{p.shown}` | {p.help} |" for p in (*arguments, *options)]
        lines.append("")
    examples = (command.epilog or "").replace("\b", "").strip().splitlines()
    if examples:
        lines += ["```", *(line.strip() for line in examples[1:]), "```"]
    return "\n".join(lines) + "\n"


@dataclass
class Parameter:
    """One argument or option, from the command's own signature."""

    name: str
    kind: Any
    info: Any
    default: Any

    @property
    def is_list(self) -> bool:
        return "list[" in str(self.kind)

    @property
    def choices(self) -> list[str]:
        kinds = get_args(self.kind) or (self.kind,)
        for kind in kinds:
            if get_origin(kind) is Literal:
                return [str(value) for value in get_args(kind)]
            if isinstance(kind, type) and issubclass(kind, Enum):
                return [str(member.value) for member in kind]
        return []

    @property
    def usage(self) -> str:
        name = f"{self.info.metavar or self.name.upper()}{'...' if self.is_list else ''}"
        required = self.default is inspect.Parameter.empty
        return name if required else f"[{name}]"

    @property
    def shown(self) -> str:
        if isinstance(self.info, typer.models.ArgumentInfo):
            return str(self.info.metavar or self.name.upper())
        # inside Annotated, typer keeps the first name where a default would stand
        first = [self.info.default] if isinstance(self.info.default, str) else []
        given = [*first, *(self.info.param_decls or ())]
        names = ", ".join(given or [f"--{self.name.replace('_', '-')}"])
        if self.choices:
            return f"{names} " + r"\|".join(self.choices)
        return names if self.kind is bool else f"{names} {self.info.metavar or self.name.upper()}"

    @property
    def help(self) -> str:
        default = getattr(self.default, "value", self.default)
        known = isinstance(default, str | int | float) and not isinstance(default, bool)
        return f"{self.info.help}{f' Default: {default}.' if known else ''}"


def _parameters(function: Any) -> list[Parameter]:
    found = []
    for name, parameter in inspect.signature(function, eval_str=True).parameters.items():
        kind, info = get_args(parameter.annotation)[:2]
        found.append(Parameter(name, kind, info, parameter.default))
    return found


def _paragraphs(text: str | None) -> str:
    return "\n\n".join(" ".join(part.split()) for part in (text or "").split("\n\n"))


if __name__ == "__main__":
    TARGET.write_text(reference())
