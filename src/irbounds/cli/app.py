"""The commands, made from the verbs: their requests become options, and typed words a request.

Only what is asked for is loaded: a command line that names a verb loads this verb and no other.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Annotated, Any

import typer

from .. import __version__
from ..errors import ParameterError
from ..requests.request import Declared, join, options_of
from ..requests.verb import Verb, verb_of
from ..validation import nearest_hint
from .executing import Execution
from .interrupting import INTERRUPTED
from .output import output_options

#: packages of commands that may be absent, by the first word of their commands
OPTIONAL_PACKAGES = {"study": "replications"}


def optional_commands() -> dict[str, str]:
    """Return the commands of the optional packages that are present."""
    commands: dict[str, str] = {}
    for package in OPTIONAL_PACKAGES.values():
        if find_spec(f"irbounds.{package}") is not None:
            commands |= import_module(f"irbounds.{package}").COMMANDS
    return commands


#: every command and where it is, in the order of the list of commands
VERBS = {
    "evaluate": "verbs.evaluate:evaluate",
    "compare": "verbs.compare:compare",
    "rank": "verbs.rank:rank",
    "corpus": "verbs.corpus:corpus",
    "report": "verbs.report:report",
    "check": "verbs.check:check",
    "recall": "verbs.recall:recall",
    "plan-queries": "verbs.plan_queries:plan_queries",
    "plan-recall": "verbs.plan_recall:plan_recall",
    "chance": "verbs.chance:chance",
    "calibrate": "verbs.calibrate:calibrate",
    "standardise": "verbs.standardise:standardise",
    "card": "verbs.card:card",
    "compare-cards": "verbs.compare_cards:compare_cards",
    "simulate": "verbs.simulate:simulate",
    **optional_commands(),
    "demo": "cli.demo:demo",
    "data list": "cli.data:list_data",
    "data fetch": "cli.data:fetch_data",
    "data path": "cli.data:print_path",
    "measures": "verbs.measures:measures",
    "docs": "cli.docs:docs",
    "help": "cli.help:show_help",
}
#: other spellings of commands
OTHER_NAMES = {"standardize": "standardise"}
FAMILIES = tuple(dict.fromkeys(name.partition(" ")[0] for name in VERBS if " " in name))
WITHOUT_HELP: dict[str, list[str]] = {"help_option_names": []}


@dataclass(frozen=True)
class Job:
    """A command that was parsed: its verb, and the words that were typed for each option."""

    verb: Verb
    typed: Mapping[str, Any]

    def request(self, kind: Any) -> Any:
        """Return the part of the options that a request declares."""
        known = options_of(kind)
        missing = [one.typed for one in known if self._is_missing(one)]
        if missing:
            raise ParameterError(f"needs {join(missing)}")
        named = {one.name: self.typed[one.name] for one in known if one.name in self.typed}
        return kind(**named)

    def _is_missing(self, one: Declared) -> bool:
        return one.is_required and one.name not in self.typed


def load_verb(name: str) -> Verb:
    """Return the verb of a command."""
    place, function = VERBS[name].split(":")
    return verb_of(getattr(import_module(f"irbounds.{place}"), function))


def command_name(arguments: Sequence[str]) -> str:
    """Return the command that a command line names; nothing where it names none."""
    words = [word for word in arguments if word != "--debug"]
    first = OTHER_NAMES.get(words[0], words[0]) if words else ""
    both = " ".join((first, *words[1:2]))
    return both if both in VERBS else first if first in (*VERBS, *FAMILIES) else ""


def make_app(arguments: Sequence[str] = ()) -> typer.Typer:
    """Return the application with the command that is named, or with all of them."""
    named = command_name(arguments)
    app = _group("irbounds")
    families: dict[str, typer.Typer] = {}
    for name in _names_of(named):
        family, _, word = name.rpartition(" ")
        group = app
        if family:
            group = families.setdefault(family, _group(family))
        command = _command(load_verb(name))
        for spelling in (word, *(other for other, one in OTHER_NAMES.items() if one == name)):
            group.command(
                spelling,
                context_settings=WITHOUT_HELP,
                add_help_option=False,
            )(command)
    for family, group in families.items():
        app.add_typer(group, name=family)
    return app


def _names_of(named: str) -> list[str]:
    """Return a command, the commands of a family, or all of them."""
    if named in VERBS:
        return [named]
    return [name for name in VERBS if not named or name.startswith(f"{named} ")]


def parse(arguments: Sequence[str]) -> Job | int | None:
    """Return the command of a command line, or an exit status where there is nothing to run."""
    words = [word for word in arguments if word != "--debug"]
    _check_command(words)
    try:
        found = make_app(words)(words, standalone_mode=False, prog_name="irbounds")
    except typer.Abort:  # what typer makes of Ctrl-C, or in newer versions a status
        found = INTERRUPTED
    if found == INTERRUPTED:
        raise KeyboardInterrupt
    return found if isinstance(found, Job | int) else None


def _check_command(words: Sequence[str]) -> None:
    """Raise ``ParameterError`` for a command that is not there, with the nearest one."""
    names = [word for word in words[:2] if not word.startswith("-")]
    if not names or words[0] not in names or command_name(words) in VERBS:
        return
    if names[0] in OPTIONAL_PACKAGES and names[0] not in FAMILIES:
        package = OPTIONAL_PACKAGES[names[0]]
        raise ParameterError(f"no command {names[0]!r}: the {package} are not installed")
    family = names[0] if names[0] in FAMILIES else ""
    if family and len(names) < 2:
        return
    known = [one for one in (*VERBS, *FAMILIES, *OTHER_NAMES) if one.startswith(family)]
    meant = " ".join(names) if family else names[0]
    joined = "-".join(names)  # plan queries
    hint = f", did you mean {joined}?" if joined in VERBS else nearest_hint(meant, known)
    raise ParameterError(f"no command {meant!r}{hint or '; irbounds --help lists all'}")


def _group(name: str) -> typer.Typer:
    """Return a group of commands that shows its help where no command is named."""
    group = typer.Typer(
        name=name,
        invoke_without_command=True,
        add_completion=name == "irbounds",
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings=WITHOUT_HELP,
        add_help_option=False,
    )
    family = "" if name == "irbounds" else name

    @group.callback()
    def root(
        context: typer.Context,
        version: Annotated[bool, typer.Option("--version", is_eager=True)] = False,
        help: Annotated[bool, typer.Option("--help", "--help-all", "-h", is_eager=True)] = False,
    ) -> None:
        from .help import print_commands

        if version:
            typer.echo(f"irbounds {__version__}")
            raise typer.Exit
        if help or context.invoked_subcommand is None:
            print_commands(family)
            raise typer.Exit

    return group


def options_of_command(verb: Verb) -> list[Declared]:
    """Return all options of a command: its own, those of its output, and those of execution."""
    own = [one for one in options_of(verb.request) if not one.option.is_python_only]
    names = {one.name for one in own}
    output = [one for one in output_options(verb.shows) if one.name not in names]
    reads = any(one.option.file == "read" for one in own)
    execution = [
        one for one in options_of(Execution) if verb.is_parallel or (reads and one.name == "memory")
    ]
    return [*own, *output, *execution]


def _command(verb: Verb) -> Callable[..., Job]:
    """Return the function that typer makes a command of."""

    def command(**given: Any) -> Job:
        from .help import print_help

        for word in ("help", "help_all"):
            if given.pop(f"{word}_"):
                print_help(verb, is_all=word == "help_all")
                raise typer.Exit
        return Job(verb, {name: value for name, value in given.items() if value is not None})

    shown = [("help_", ("--help", "-h")), ("help_all_", ("--help-all",))]
    parameters = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=False,
            annotation=Annotated[bool, typer.Option(*flags, is_eager=True)],
        )
        for name, flags in shown
    ]
    parameters += map(_parameter, options_of_command(verb))
    function: Any = command
    function.__signature__ = inspect.Signature(parameters)
    return command


def _completion(one: Declared) -> Callable[[str], list[str]]:
    """Return what completes the value of an option; typer takes nothing but a plain function."""

    def complete(incomplete: str) -> list[str]:
        words = one.kind.choices or (one.option.completions() if one.option.completions else ())
        return [word for word in words if word.startswith(incomplete)]

    return complete


def _parameter(one: Declared) -> inspect.Parameter:
    """Return an option as typer declares it: all its values are texts."""
    option, kind = one.option, one.kind
    is_list = kind.is_several or option.is_repeated
    words: Any = list[str] | None if is_list else str | None
    more: dict[str, Any] = {"metavar": one.metavar}
    if kind.choices or option.completions:
        more["autocompletion"] = _completion(one)
    if option.is_argument:
        info: Any = typer.Argument(**more)
    elif kind.one is bool:
        words = bool | None
        flag = f"{one.flag}/--no-{one.flag[2:]}" if one.default else one.flag
        info = typer.Option(*filter(None, (flag, option.short)))
    else:
        if kind.length > 1 and not option.commas:
            words = tuple.__class_getitem__((str,) * kind.length) | None
            more["callback"] = _check_together(one)
        info = typer.Option(*filter(None, (one.flag, option.short)), **more)
    return inspect.Parameter(
        one.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[words, info],
    )


def _check_together(one: Declared) -> Callable[[Any], Any]:
    """Return a check of values that belong together, which runs before arguments are counted.

    Where one of the values is missing, the next option is among them, and its own values would be
    called unexpected arguments.
    """

    def check(value: Any) -> Any:
        if value is not None:
            one.read(value)
        return value

    return check
