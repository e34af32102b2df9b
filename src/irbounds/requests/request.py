"""Requests: the options of a verb are the fields of one frozen dataclass.

A field is annotated with its type and an ``Option``: what it means, how it is written on the
command line and how it is checked. The Python verb makes the request from its keyword arguments,
and the command line makes it from the words that were typed, so a value may be text wherever a
number or a list is meant. A request checks itself when it is made, before any file is read.
"""

from __future__ import annotations

import difflib
import inspect
import os
import re
import textwrap
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from ..errors import ParameterError, quote
from ..validation import as_float, as_integer, as_list, check_choice, check_count, grouping_hint

Panel = Literal["Input", "Method", "Output", "Advanced"]
PERCENTAGE = re.compile(r"([0-9]{1,2}(?:\.[0-9]+)?) ?%")
FLAG = re.compile("--?[A-Za-z]")  # how an option begins
STANDARD_INPUT = "-"
WIDTH = 72  # of the lines of a docstring, which help() indents
#: words of other libraries for options of ours
OTHER_WORDS = {
    "rng": "seed",
    "random_state": "seed",
    "alpha": "confidence_level",
    "level": "confidence_level",
    "metric": "measures",
    "metrics": "measures",
    "measure": "measures",
    "n_bootstrap": "n_resamples",
    "methods": "method",
    "adjust": "adjustment",
    "correction": "adjustment",
    "judgments": "qrels",
    "n_jobs": "threads",
}
REQUIRED: Any = MISSING


@dataclass(frozen=True)
class Option:
    """What an option means, how it is written and how it is checked."""

    #: one line
    help: str
    #: what else there is to know; ``--help-all``, the reference and docstrings show it
    more: str = ""
    #: what stands for the value; by default derived from the type
    metavar: str = ""
    panel: Panel = "Method"
    #: ``-m``
    short: str = ""
    #: called with the option's name and a value that is not None; returns the value to keep
    check: Callable[[str, Any], Any] | None = None
    #: whether the value names files that are read or written
    file: Literal["", "read", "write"] = ""
    #: whether the command line takes it by its place instead of by its name
    is_argument: bool = False
    #: what None means, where that is worth saying
    default: str = ""
    #: smallest integer that is allowed
    minimum: int | None = None
    #: whether one text holds several values separated by commas
    commas: bool = False
    #: whether the command line takes it more than once, where the type does not say so
    is_repeated: bool = False
    #: returns words that a shell may complete, where these are not the choices of the type
    completions: Callable[[], Iterable[str]] | None = None
    #: environment variable that holds the value where none is given
    variable: str = ""
    #: whether the command line needs it although Python does not
    is_needed: bool = False
    #: whether only Python has it, because no text stands for its values
    is_python_only: bool = False


@dataclass(frozen=True)
class Kind:
    """The values that an option takes."""

    one: Any
    choices: tuple[str, ...] = ()
    is_several: bool = False
    #: how many values belong together
    length: int = 1


@dataclass(frozen=True)
class Declared:
    """An option as a request declares it."""

    name: str
    kind: Kind
    default: Any
    option: Option

    @property
    def flag(self) -> str:
        """The option as it is typed: ``--n-resamples``."""
        return f"--{self.name.rstrip('_').replace('_', '-')}"

    @property
    def typed(self) -> str:
        """What the command line calls it: a flag, or the word for an argument."""
        return self.metavar if self.option.is_argument else self.flag

    @property
    def is_required(self) -> bool:
        """Whether a command cannot run without it."""
        return self.default is REQUIRED or self.option.is_needed

    @property
    def metavar(self) -> str:
        """What stands for the value."""
        if self.kind.choices and not self.option.metavar:
            return "|".join(self.kind.choices)
        words = {int: "N", float: "X", bool: ""}
        return self.option.metavar or words.get(self.kind.one, self.name.rstrip("_").upper())

    @property
    def default_words(self) -> str:
        """What holds where the option is not given; nothing where that says nothing."""
        value = self.default
        if any(value is one for one in (None, False, REQUIRED)):
            return self.option.default
        if value is True:
            return "yes"
        if isinstance(value, tuple):
            return ",".join(map(str, value))
        return f"{value:,}".replace(",", "") if isinstance(value, int) else str(value)

    def read(self, value: Any) -> Any:
        """Return the value to keep; it may be given as text."""
        if value is None and self.option.variable:
            value = os.environ.get(self.option.variable) or None
        if value is None:
            if self.default is None:
                return None
            raise ParameterError(f"{self.name} needs a value; got None")
        if self.kind.is_several:
            value = tuple(self._convert(one) for one in self._several(value))
            if not value:
                return None if self.default is None else value
        elif self.kind.length > 1:
            value = self._read_together(value)
        else:
            value = self._convert(value)
        return value if self.option.check is None else self.option.check(self.name, value)

    def _several(self, value: Any) -> Iterable[Any]:
        for one in as_list(value):
            if self.option.commas and isinstance(one, str):
                yield from (part.strip() for part in one.split(","))
            else:
                yield one

    def _read_together(self, value: Any) -> tuple[Any, ...]:
        values = value.split(",") if isinstance(value, str) else as_list(value)
        if len(values) != self.kind.length:
            raise ParameterError(
                f"{self.name} needs {self.kind.length} values: {self.metavar}; got {quote(value)}"
            )
        for one in values:  # where one is missing, the next option is among them
            if isinstance(one, str) and FLAG.match(one):
                raise ParameterError(
                    f"{self.name} needs {self.kind.length} values: {self.metavar}; got {quote(one)}"
                )
        return tuple(self._convert(one) for one in values)

    def _convert(self, value: Any) -> Any:
        if self.kind.choices:
            check_choice(self.name, value, self.kind.choices)
        elif self.kind.one is bool:
            if not isinstance(value, bool):
                raise ParameterError(f"{self.name} must be True or False; got {quote(value)}")
        elif self.kind.one is int:
            value = _integer(self.name, value) if isinstance(value, str) else value
            if self.option.minimum is not None:
                return check_count(self.name, value, minimum=self.option.minimum)
            if self.kind.length == 1:  # a count among several is named where they are used
                return _require(self.name, value, "an integer", as_integer(value))
        elif self.kind.one is float:
            value = _number(self.name, value) if isinstance(value, str) else value
            if self.kind.length == 1 and self.option.check is None:
                return _require(self.name, value, "a number", as_float(value))
        elif self.kind.one is Path:
            if not isinstance(value, str | os.PathLike):
                raise ParameterError(f"{self.name} must be a path; got {quote(value)}")
            return Path(value)
        elif self.kind.one is str and not isinstance(value, str):
            raise ParameterError(f"{self.name} must be text; got {quote(value)}")
        return value


def _require(name: str, value: Any, kind: str, number: Any) -> Any:
    """Return a number that was found in a value; None means that there was none."""
    if number is None:
        raise ParameterError(f"{name} must be {kind}; got {quote(value)}")
    return number


def _integer(name: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        hint = grouping_hint(text)
        raise ParameterError(f"{name} must be an integer; got {quote(text)}{hint}") from None


def _number(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        pass
    if percentage := PERCENTAGE.fullmatch(text):
        fraction = f"{float(percentage[1]) / 100:g}"
        raise ParameterError(
            f"{name} must be a fraction between 0 and 1; got {quote(text)}, did you mean "
            f"{fraction}?"
        )
    raise ParameterError(f"{name} must be a number; got {quote(text)}{grouping_hint(text)}")


@dataclass(frozen=True, kw_only=True)
class Request:
    """The options of a verb; what is wrong with them is raised when a request is made."""

    def __post_init__(self) -> None:
        for one in options_of(type(self)):
            object.__setattr__(self, one.name, one.read(getattr(self, one.name)))
        self._check_standard_input()
        self.check()

    def check(self) -> None:
        """Raise ``ParameterError`` where options contradict each other."""

    def explain_no_figure(self) -> str:
        """Return why there is no figure to draw; nothing where there may be one.

        Called where a figure is asked for, before any work.
        """
        return ""

    def given(self, *names: str) -> list[str]:
        """Return those of the options that differ from their defaults."""
        defaults = {one.name: one.default for one in options_of(type(self))}
        return [name for name in names if not _is_default(getattr(self, name), defaults[name])]

    def refuse(self, reason: str, *names: str) -> None:
        """Raise ``ParameterError`` where one of the options is given."""
        if found := self.given(*names):
            verb = "is" if len(found) == 1 else "are"
            raise ParameterError(f"{join(found)} {verb} {reason}")

    def _check_standard_input(self) -> None:
        names = [
            value
            for one in options_of(type(self))
            if one.option.file == "read"
            for value in texts_of(getattr(self, one.name))
        ]
        if sum(name.rpartition("=")[2] == STANDARD_INPUT for name in names) > 1:
            raise ParameterError("standard input (-) can be read only once")


def _is_default(value: Any, default: Any) -> bool:
    return value is default or (isinstance(value, str | int | float | tuple) and value == default)


def join(names: Sequence[str]) -> str:
    """Return names as a message lists them: ``a, b and c``."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def texts_of(value: Any) -> list[str]:
    """Return the texts that a value holds: itself, or those of a list."""
    if isinstance(value, str | Path):
        return [str(value)]
    items = value if isinstance(value, list | tuple) else ()
    return [str(one) for one in items if isinstance(one, str | Path)]


_known: dict[Any, tuple[Declared, ...]] = {}


def options_of(kind: Any) -> tuple[Declared, ...]:
    """Return the options of a request in the order in which they are declared."""
    if kind not in _known:
        _known[kind] = _declared(kind)
    return _known[kind]


def _declared(kind: Any) -> tuple[Declared, ...]:
    hints = get_type_hints(kind, include_extras=True)
    declared = []
    for field in fields(kind):
        hint = hints[field.name]
        if get_origin(hint) is not Annotated:
            raise TypeError(f"{kind.__name__}.{field.name} is declared without an Option")
        found, *rest = get_args(hint)
        (option,) = (one for one in rest if isinstance(one, Option))
        default = field.default if field.default_factory is MISSING else field.default_factory()
        declared.append(Declared(field.name, _kind_of(found), default, option))
    return tuple(declared)


def _kind_of(hint: Any) -> Kind:
    """Return what a type says of the values: one or several, integers or choices."""
    parts = [hint]
    if get_origin(hint) in (Union, types.UnionType):
        parts = [one for one in get_args(hint) if one is not type(None)]
    is_several, ones = False, []
    for part in parts:
        if get_origin(part) is tuple and Ellipsis not in get_args(part):
            return Kind(get_args(part)[0], length=len(get_args(part)))
        if get_origin(part) in (Sequence, tuple, list):
            is_several = True
            part = get_args(part)[0]
        ones.append(part)
    one = ones[0]
    choices = tuple(map(str, get_args(one))) if get_origin(one) is Literal else ()
    return Kind(str if choices else one, choices, is_several)


def make_request(
    kind: type[Any], name: str, values: Sequence[Any], named: Mapping[str, Any]
) -> Any:
    """Return a request made from the arguments of a call."""
    known = [one.name for one in options_of(kind)]
    for word in named:
        if word not in known:
            other = OTHER_WORDS.get(word, word)
            near = [other] if other in known else difflib.get_close_matches(word, known, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise TypeError(f"{name}() has no option {word!r}{hint}")
    places = [one.name for one in fields(kind) if not one.kw_only]
    if len(values) > len(places):
        taken = f"{join(places)} by position" if places else "no argument by position"
        several = " Several runs are a list, or a mapping of names." if "runs" in places else ""
        raise TypeError(f"{name}() takes {taken}, and options by name.{several}")
    needed = [one.name for one in options_of(kind) if one.default is REQUIRED]
    missing = [word for word in needed[len(values) :] if word not in named]
    if missing:
        raise ParameterError(f"needs {join(missing)}")
    return kind(*values, **named)


def plain_options(request: Any) -> dict[str, Any]:
    """Return the value of every option of the command line as JSON can hold it."""
    known = [one for one in options_of(type(request)) if not one.option.is_python_only]
    return {one.name: _plain(getattr(request, one.name)) for one in known}


def _plain(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value if isinstance(value, str | int | float | None) else str(value)


def parameters_section(kind: type) -> str:
    """Return the section of a numpydoc docstring on the options of a request."""
    lines = ["Parameters", "----------"]
    for one in options_of(kind):
        choices = ", ".join(f"``{word!r}``" for word in one.kind.choices)
        default = f"Default: {one.default_words}." if one.default_words else ""
        parts = (one.option.help, one.option.more, choices and f"One of {choices}.", default)
        lines.append(one.name)
        text = " ".join(filter(None, parts))
        lines += textwrap.wrap(
            text, WIDTH, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False
        )
    return "\n".join(lines)


def with_parameters(text: str | None, kind: type) -> str:
    """Return a docstring with the section on parameters before the others."""
    clean = inspect.cleandoc(text or "")
    place = re.search(r"^\w[\w ]*\n-{3,}$", clean, re.MULTILINE)
    head, tail = (clean, "") if place is None else (clean[: place.start()], clean[place.start() :])
    return f"{head.rstrip()}\n\n{parameters_section(kind)}\n\n{tail}".rstrip() + "\n"
