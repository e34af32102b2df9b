"""The commands, made from the verbs: requests become options, and command lines become requests.

Only what is needed is loaded: a command line that names a verb loads no other verb.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Annotated, Any

import typer

from .. import __version__
from ..errors import ParameterError
from ..requests.request import DeclaredOption, Option, Request, join, options_of
from ..requests.verb import Verb, verb_of
from ..validation import nearest_hint
from . import INTERRUPTED
from .output_options import output_options

#: every command and where it is, in the order of the list of commands
VERBS = {
    "evaluate": "verbs.evaluate:evaluate",
    "compare": "verbs.compare:compare",
    "gate": "verbs.gate:gate",
    "rank": "verbs.rank:rank",
    "corpus": "verbs.corpus:corpus",
    "ap": "verbs.ap:ap",
    "report": "verbs.report:report",
    "check": "verbs.check:check",
    "recall": "verbs.recall:recall",
    "draw": "verbs.draw:draw",
    "plan-queries": "verbs.plan_queries:plan_queries",
    "plan-recall": "verbs.plan_recall:plan_recall",
    "chance": "verbs.chance:chance",
    "standardise": "verbs.standardise:standardise",
    "simulate": "verbs.simulate:simulate",
    "demo": "cli.demo:demo",
    "measures": "verbs.measures:measures",
}
HELP = ("--help", "-h")
DEBUG = "--debug"
WITHOUT_HELP: dict[str, list[str]] = {"help_option_names": []}


@dataclass(frozen=True)
class Job:
    """A parsed command line: its verb, and the text of each option that was given."""

    verb: Verb
    values: Mapping[str, Any]

    def request(self, kind: Any) -> Any:
        """Return the part of the options that a request declares."""
        options = options_of(kind)
        missing = [
            option.typed
            for option in options
            if option.is_required and option.name not in self.values
        ]
        if missing:
            raise ParameterError(f"needs {join(missing)}")
        names = [option.name for option in options if option.name in self.values]
        return kind(**{name: self.values[name] for name in names})


def load_verb(name: str) -> Verb:
    """Return the verb of a command."""
    place, function = VERBS[name].split(":")
    return verb_of(getattr(import_module(f"irbounds.{place}"), function))


def command_name(arguments: Sequence[str]) -> str:
    """Return the command that a command line names, or an empty string."""
    words = [word for word in arguments if word != DEBUG]
    return words[0] if words and words[0] in VERBS else ""


def make_app(arguments: Sequence[str] = ()) -> typer.Typer:
    """Return the application with the command that is named, or with all of them."""
    named = command_name(arguments)
    app = _make_empty_app()
    for name in [named] if named else VERBS:
        command = _command(load_verb(name))
        app.command(name, context_settings=WITHOUT_HELP, add_help_option=False)(command)
    return app


def parse(arguments: Sequence[str]) -> Job | int | None:
    """Return the parsed command line, or an exit status if there is nothing to run."""
    words = [word for word in arguments if word != DEBUG]
    if len(words) == 1 and words[0] in HELP:  # needs no parser
        from .help import print_commands

        print_commands()
        return 0
    if words and not words[0].startswith("-") and words[0] not in VERBS:
        hint = nearest_hint(words[0], list(VERBS)) or "; irbounds --help lists all"
        raise ParameterError(f"no command {words[0]!r}{hint}")
    try:
        result = make_app(words)(words, standalone_mode=False, prog_name="irbounds")
    except typer.Abort:  # typer's exception for Ctrl-C; newer versions return a status
        result = INTERRUPTED
    if result == INTERRUPTED:
        raise KeyboardInterrupt
    return result if isinstance(result, Job | int) else None


def _make_empty_app() -> typer.Typer:
    """Return an application that shows the list of commands if no command is named."""
    app = typer.Typer(
        name="irbounds",
        invoke_without_command=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings=WITHOUT_HELP,
        add_help_option=False,
    )

    @app.callback()
    def root(
        context: typer.Context,
        version: Annotated[bool, typer.Option("--version", is_eager=True)] = False,
        help: Annotated[bool, typer.Option(*HELP, is_eager=True)] = False,
    ) -> None:
        from .help import print_commands

        if version:
            typer.echo(f"irbounds {__version__}")
            raise typer.Exit
        if help or context.invoked_subcommand is None:
            print_commands()
            raise typer.Exit

    return app


def options_of_command(verb: Verb) -> list[DeclaredOption]:
    """Return all options of a command: its own, those of its output, and those of execution."""
    own = [declared for declared in options_of(verb.request) if not declared.option.is_python_only]
    names = {declared.name for declared in own}
    output = [declared for declared in output_options(verb.shows) if declared.name not in names]
    execution = options_of(ExecutionOptions) if verb.is_parallel else []
    return [*own, *output, *execution]


def _command(verb: Verb) -> Callable[..., Job]:
    """Return the function that typer turns into a command."""

    def command(**values: Any) -> Job:
        from .help import print_help

        if values.pop("help_"):
            print_help(verb)
            raise typer.Exit
        typed = {name: value for name, value in values.items() if value is not None}
        return Job(verb, _move_runs(typed, values))

    parameters = [
        inspect.Parameter(
            "help_",
            inspect.Parameter.KEYWORD_ONLY,
            default=False,
            annotation=Annotated[bool, typer.Option(*HELP, is_eager=True)],
        )
    ]
    parameters += map(_parameter, options_of_command(verb))
    function: Any = command
    function.__signature__ = inspect.Signature(parameters)
    return command


def _move_runs(values: Mapping[str, Any], names: Collection[str]) -> dict[str, Any]:
    """Return the values with all arguments as runs where ``--dataset`` names the judgments.

    ``names`` are the options of the command, which may have no list of runs.
    """
    if "dataset" not in values or "qrels" not in values or "runs" not in names:
        return dict(values)
    others = {name: value for name, value in values.items() if name != "qrels"}
    return {**others, "runs": [values["qrels"], *values.get("runs", ())]}


def _completion(declared: DeclaredOption) -> Callable[[str], list[str]]:
    """Return a function that completes the value of an option; typer accepts no other callable."""

    def complete(incomplete: str) -> list[str]:
        words = declared.kind.choices or (
            declared.option.completions() if declared.option.completions else ()
        )
        return [word for word in words if word.startswith(incomplete)]

    return complete


def _parameter(declared: DeclaredOption) -> inspect.Parameter:
    """Return an option as typer declares it; all values are text."""
    option, kind = declared.option, declared.kind
    is_list = kind.is_several or option.is_repeated
    words: Any = list[str] | None if is_list else str | None
    more: dict[str, Any] = {"metavar": declared.metavar}
    if kind.choices or option.completions:
        more["autocompletion"] = _completion(declared)
    if option.is_argument:
        info: Any = typer.Argument(**more)
    elif kind.value_type is bool:
        words = bool | None
        flag = f"{declared.flag}/--no-{declared.flag[2:]}" if declared.default else declared.flag
        info = typer.Option(*filter(None, (flag, option.short)))
    else:
        if kind.length > 1 and not option.commas:
            words = tuple.__class_getitem__((str,) * kind.length) | None
            more["callback"] = _check_together(declared)
        info = typer.Option(*filter(None, (declared.flag, option.short)), **more)
    return inspect.Parameter(
        declared.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[words, info],
    )


def _check_together(declared: DeclaredOption) -> Callable[[Any], Any]:
    """Return a check of values that belong together, which runs before typer counts arguments.

    If a value is missing, the next option is taken for it, and the values of that option would be
    reported as unexpected arguments.
    """

    def check(value: Any) -> Any:
        if value is not None:
            declared.read(value)
        return value

    return check


Threads = Annotated[
    int | None,
    Option(
        "Number of threads.",
        "Changes no number.",
        panel="Advanced",
        minimum=1,
        default="one per core",
    ),
]


@dataclass(frozen=True, kw_only=True)
class ExecutionOptions(Request):
    """Threads of a command."""

    threads: Threads = None
