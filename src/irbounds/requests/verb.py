"""Verbs: functions with the same name and options in Python and on the command line."""

from __future__ import annotations

import functools
import inspect
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, ParamSpec, TypeVar

from ..results.result import Answer
from .request import make_request, with_parameters

Options = ParamSpec("Options")
Requested = TypeVar("Requested")
Made = TypeVar("Made")
Group = Literal["Compare systems", "Audit recall", "Plan", "Look into methods", "Data", "Help"]
#: what a command can write: a table and more, or one page
Shown = Literal["table", "figure", "report", "top", "page", "sheet"]


@dataclass(frozen=True)
class Verb:
    """A verb: the class of its requests, the function that runs them, and its help."""

    name: str
    request: type[Any]
    run: Callable[[Any], Answer[Any]]
    group: Group
    examples: tuple[str, ...]
    shows: frozenset[Shown]
    #: whether its work is divided among threads
    is_parallel: bool
    #: the page of the documentation
    docs: str
    text: str

    @property
    def summary(self) -> str:
        """The first line of the docstring."""
        return self.text.partition("\n")[0]

    @property
    def description(self) -> str:
        """The docstring without its first line and its sections."""
        body = re.split(r"^\w[\w ]*\n-{3,}$", self.text, maxsplit=1, flags=re.MULTILINE)[0]
        return body.partition("\n")[2].strip()

    def answer(self, request: Any) -> tuple[Answer[Any], list[warnings.WarningMessage]]:
        """Return the answer to a request, and the warnings that were issued on the way."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            answer = self.run(request)
        return answer, caught


def verb(
    request: Callable[Options, Requested],
    *,
    group: Group,
    examples: tuple[str, ...],
    shows: tuple[Shown, ...] = ("table", "figure", "report"),
    is_parallel: bool = True,
    docs: str = "",
    name: str = "",
) -> Callable[[Callable[[Requested], Answer[Made]]], Callable[Options, Made]]:
    """Make a public verb from a function of its request.

    Parameters
    ----------
    request
        The dataclass of its options.
    group
        The group in the list of commands.
    examples
        Command lines.
    shows
        What the command can write.
    is_parallel
        Whether it takes options about threads and clusters.
    docs
        The page of the documentation.
    name
        On the command line; by default that of the function.
    """

    def decorate(run: Callable[[Requested], Answer[Made]]) -> Callable[Options, Made]:
        kind: Any = request
        known = Verb(
            name or run.__name__.replace("_", "-"),
            kind,
            run,
            group,
            examples,
            frozenset(shows),
            is_parallel,
            docs,
            inspect.cleandoc(run.__doc__ or ""),
        )

        @functools.wraps(run)
        def call(*values: Options.args, **named: Options.kwargs) -> Made:
            made_request = make_request(kind, run.__name__, values, named)
            answer, caught = known.answer(made_request)
            for warning in caught:
                warnings.warn(warning.message, warning.category, stacklevel=2)
            made_answer: Answer[Made] = answer.with_warnings(
                [str(warning.message) for warning in caught]
            )
            return made_answer.attach()

        described: Any = call
        described.__doc__ = with_parameters(run.__doc__, kind)
        described.__signature__ = _signature(kind, run)
        described.__annotations__ = {"return": described.__signature__.return_annotation}
        described.verb = known
        return call

    return decorate


def _signature(kind: Any, run: Callable[..., Any]) -> inspect.Signature:
    """Return the signature of a verb: the fields of its request, and what it returns."""
    made = inspect.signature(kind)
    returned = str(inspect.signature(run).return_annotation)
    inner = re.fullmatch(r"Answer\[(.*)\]", returned)
    unannotated = inspect.Parameter.empty
    return made.replace(
        parameters=[
            parameter.replace(annotation=unannotated) for parameter in made.parameters.values()
        ],
        return_annotation=inner[1] if inner else inspect.Signature.empty,
    )


def verb_of(function: Any) -> Verb:
    """Return the verb of a public function."""
    attached: Verb = function.verb
    return attached
