"""Requests: the options of a verb are the fields of one frozen dataclass.

A field is annotated with its type and an ``Option``: what it means, how it is written on the
command line and how it is checked. The Python verb makes the request from its keyword arguments,
and the command line makes it from the words that were typed, so a value may be text wherever a
number or a list is meant. A request checks itself when it is made, before any file is read.
"""

from __future__ import annotations

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
from ..validation import (
    as_float,
    as_integer,
    as_list,
    check_choice,
    check_count,
    count_hint,
    find_meant,
    grouping_hint,
)

Panel = Literal["Input", "Method", "Output", "Advanced"]
PERCENTAGE = re.compile(r"([0-9]{1,2}(?:\.[0-9]+)?) ?%")
FLAG = re.compile("--?[A-Za-z]")  # how an option begins
STANDARD_INPUT = "-"
WIDTH = 72  # of the lines of a docstring, which help() indents
REQUIRED: Any = MISSING


@dataclass(frozen=True)
class Option:
    """What an option means, how it is written and how it is checked."""

    #: one line
    help: str
    #: what else there is to know; the reference and docstrings show it
    more: str = ""
    #: the placeholder for the value; by default derived from the type
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
    #: the meaning of None, if it has one
    default: str = ""
    #: smallest integer that is allowed
    minimum: int | None = None
    #: whether one text holds several values separated by commas
    commas: bool = False
    #: whether the command line takes it more than once, where the type does not say so
    is_repeated: bool = False
    #: returns words that a shell may complete, where these are not the choices of the type
    completions: Callable[[], Iterable[str]] | None = None
    #: whether the command line needs it although Python does not
    is_needed: bool = False
    #: whether only Python has it, because its values cannot be written as text
    is_python_only: bool = False


@dataclass(frozen=True)
class Kind:
    """The values that an option takes."""

    #: the type of a single value
    value_type: Any
    choices: tuple[str, ...] = ()
    is_several: bool = False
    #: how many values belong together
    length: int = 1


@dataclass(frozen=True)
class DeclaredOption:
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
        """The placeholder for the value."""
        if self.kind.choices and not self.option.metavar:
            return "|".join(self.kind.choices)
        words = {int: "N", float: "X", bool: ""}
        return self.option.metavar or words.get(self.kind.value_type, self.name.rstrip("_").upper())

    @property
    def default_words(self) -> str:
        """The default as text; empty if there is nothing to show."""
        value = self.default
        if any(value is empty for empty in (None, False, REQUIRED)):
            return self.option.default
        if value is True:
            return "yes"
        if isinstance(value, tuple):
            return ",".join(map(str, value))
        return f"{value:,}".replace(",", "") if isinstance(value, int) else str(value)

    def read(self, value: Any) -> Any:
        """Return the value to keep; it may be given as text."""
        if value is None:
            if self.default is None:
                return None
            raise ParameterError(f"{self.name} needs a value; got None")
        if self.kind.is_several:
            value = tuple(self._convert(item) for item in self._several(value))
            if not value:
                return None if self.default is None else value
        elif self.kind.length > 1:
            value = self._read_together(value)
        else:
            value = self._convert(value)
        return value if self.option.check is None else self.option.check(self.name, value)

    def _several(self, value: Any) -> Iterable[Any]:
        for item in as_list(value):
            if self.option.commas and isinstance(item, str):
                yield from (part.strip() for part in item.split(","))
            else:
                yield item

    def _read_together(self, value: Any) -> tuple[Any, ...]:
        values = value.split(",") if isinstance(value, str) else as_list(value)
        if len(values) != self.kind.length:
            raise self._count_error(value)
        for item in values:  # if one is missing, the next option is taken for it
            if isinstance(item, str) and FLAG.match(item):
                raise self._count_error(item)
        return tuple(self._convert(item) for item in values)

    def _count_error(self, value: Any) -> ParameterError:
        return ParameterError(
            f"{self.name} needs {self.kind.length} values: {self.metavar}; got {quote(value)}"
        )

    def _convert(self, value: Any) -> Any:
        if self.kind.choices:
            check_choice(self.name, value, self.kind.choices)
        elif self.kind.value_type is bool:
            if not isinstance(value, bool):
                raise ParameterError(f"{self.name} must be True or False; got {quote(value)}")
        elif self.kind.value_type is int:
            value = read_integer(self.name, value) if isinstance(value, str) else value
            if self.option.minimum is not None:
                return check_count(self.name, value, minimum=self.option.minimum)
            if self.kind.length == 1:  # a count among several is named where they are used
                return _require(self.name, value, "an integer", as_integer(value))
        elif self.kind.value_type is float:
            value = _number(self.name, value) if isinstance(value, str) else value
            if self.kind.length == 1 and self.option.check is None:
                return _require(self.name, value, "a number", as_float(value))
        elif self.kind.value_type is Path:
            if not isinstance(value, str | os.PathLike):
                raise ParameterError(f"{self.name} must be a path; got {quote(value)}")
            return Path(value)
        elif self.kind.value_type is str and not isinstance(value, str):
            raise ParameterError(f"{self.name} must be text; got {quote(value)}")
        return value


def _require(name: str, value: Any, kind: str, number: Any) -> Any:
    """Return a converted number; raise ``ParameterError`` if it is None."""
    if number is None:
        raise ParameterError(f"{name} must be {kind}; got {quote(value)}")
    return number


def read_integer(name: str, text: str) -> int:
    """Return an integer that was given as text; raise ``ParameterError`` for other text."""
    try:
        return int(text)
    except ValueError:
        raise ParameterError(
            f"{name} must be an integer; got {quote(text)}{count_hint(text)}"
        ) from None


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
        for declared in options_of(type(self)):
            object.__setattr__(self, declared.name, declared.read(getattr(self, declared.name)))
        self._check_files()
        self.check()

    def check(self) -> None:
        """Raise ``ParameterError`` where options contradict each other."""

    def list_changed(self, *names: str) -> list[str]:
        """Return the names of the options that differ from their defaults."""
        defaults = {declared.name: declared.default for declared in options_of(type(self))}
        return [name for name in names if not _is_default(getattr(self, name), defaults[name])]

    def refuse(self, reason: str, *names: str) -> None:
        """Raise ``ParameterError`` if one of the options differs from its default."""
        if changed := self.list_changed(*names):
            verb = "is" if len(changed) == 1 else "are"
            raise ParameterError(f"{join(changed)} {verb} {reason}")

    def _check_files(self) -> None:
        """Raise ``ParameterError`` for an empty name of a file, or two inputs on one stream."""
        names = [
            (declared.name, value)
            for declared in options_of(type(self))
            if declared.option.file == "read"
            for value in texts_of(getattr(self, declared.name))
        ]
        for option, name in names:
            if not name:
                raise ParameterError(f"{option} needs the name of a file; got {quote(name)}")
        if sum(name.rpartition("=")[2] == STANDARD_INPUT for _, name in names) > 1:
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
    return [str(item) for item in items if isinstance(item, str | Path)]


_known: dict[Any, tuple[DeclaredOption, ...]] = {}


def options_of(kind: Any) -> tuple[DeclaredOption, ...]:
    """Return the options of a request in the order in which they are declared."""
    if kind not in _known:
        _known[kind] = _declare_options(kind)
    return _known[kind]


def _declare_options(kind: Any) -> tuple[DeclaredOption, ...]:
    hints = get_type_hints(kind, include_extras=True)
    declared = []
    for field in fields(kind):
        hint = hints[field.name]
        if get_origin(hint) is not Annotated:
            raise TypeError(f"{kind.__name__}.{field.name} is declared without an Option")
        value_hint, *rest = get_args(hint)
        (option,) = (part for part in rest if isinstance(part, Option))
        default = field.default if field.default_factory is MISSING else field.default_factory()
        declared.append(DeclaredOption(field.name, _kind_of(value_hint), default, option))
    return tuple(declared)


def _kind_of(hint: Any) -> Kind:
    """Return the kind of values that a type describes: one or several, integers or choices."""
    parts = [hint]
    if get_origin(hint) in (Union, types.UnionType):
        parts = [part for part in get_args(hint) if part is not type(None)]
    is_several, value_types = False, []
    for part in parts:
        if get_origin(part) is tuple and Ellipsis not in get_args(part):
            return Kind(get_args(part)[0], length=len(get_args(part)))
        if get_origin(part) in (Sequence, tuple, list):
            is_several = True
            part = get_args(part)[0]
        value_types.append(part)
    value_type = value_types[0]
    choices = tuple(map(str, get_args(value_type))) if get_origin(value_type) is Literal else ()
    return Kind(str if choices else value_type, choices, is_several)


def make_request(
    kind: type[Any], name: str, values: Sequence[Any], named: Mapping[str, Any]
) -> Any:
    """Return a request made from the arguments of a call."""
    known = [declared.name for declared in options_of(kind)]
    for word in named:
        if word not in known:
            near = find_meant(word, known)
            hint = f"; did you mean {near!r}?" if near else ""
            raise TypeError(f"{name}() has no option {word!r}{hint}")
    places = [field.name for field in fields(kind) if not field.kw_only]
    if len(values) > len(places):
        accepted = f"{join(places)} by position" if places else "no argument by position"
        several = " Several runs are a list, or a mapping of names." if "runs" in places else ""
        raise TypeError(f"{name}() takes {accepted}, and options by name.{several}")
    needed = [declared.name for declared in options_of(kind) if declared.default is REQUIRED]
    missing = [word for word in needed[len(values) :] if word not in named]
    if missing:
        raise ParameterError(f"needs {join(missing)}")
    return kind(*values, **named)


def plain_options(request: Any) -> dict[str, Any]:
    """Return the value of every option of the command line as JSON can hold it."""
    known = [
        declared for declared in options_of(type(request)) if not declared.option.is_python_only
    ]
    return {declared.name: _plain(getattr(request, declared.name)) for declared in known}


def _plain(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value if isinstance(value, str | int | float | None) else str(value)


def parameters_section(kind: type) -> str:
    """Return the section of a numpydoc docstring on the options of a request."""
    lines = ["Parameters", "----------"]
    for declared in options_of(kind):
        choices = ", ".join(f"``{word!r}``" for word in declared.kind.choices)
        default = f"Default: {declared.default_words}." if declared.default_words else ""
        parts = (
            declared.option.help,
            declared.option.more,
            choices and f"One of {choices}.",
            default,
        )
        lines.append(declared.name)
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
