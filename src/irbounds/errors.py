"""Every error and warning that irbounds raises on purpose.

A message names the file and line, or the parameter, then the rule, then the value received, in one
line. The command line prints that line and exits with status 2.
"""

from __future__ import annotations

import reprlib
from collections.abc import Collection, Iterable, Sequence
from itertools import islice
from typing import Any

__all__ = [
    "DataError",
    "DegenerateSampleWarning",
    "InputError",
    "IrboundsError",
    "MeasureError",
    "ParameterError",
    "SeveralInputsError",
]

MAX_CHARACTERS = 80  # of a received value in a message
MAX_NAMED = 20  # values of a list in a message
MAX_NAME = 300  # characters of the name of a system, a measure or a query


class IrboundsError(Exception):
    """The base class of all errors that irbounds raises."""


class InputError(IrboundsError):
    """A file or a frame cannot be read.

    ``fault`` is the message without the ``hint`` at its end.
    """

    def __init__(self, fault: str, hint: str = "") -> None:
        super().__init__(f"{fault}; {hint}" if hint else fault)
        self.fault = fault
        self.hint = hint


class SeveralInputsError(InputError):
    """Several inputs cannot be read: ``errors`` has one error for each.

    ``lines`` is the message line by line: every input with its faults, each hint once, and the
    names of those that were read.
    """

    def __init__(self, errors: Sequence[InputError], names: Sequence[str]) -> None:
        hints = dict.fromkeys(error.hint for error in errors if error.hint)
        self.errors = tuple(errors)
        self.names = tuple(names)
        self.lines = (
            f"{len(errors):,} of {len(errors) + len(names):,} inputs cannot be read",
            *(error.fault for error in errors),
            *(f"hint: {hint}" for hint in hints),
            *([f"read without a fault: {', '.join(names)}"] if names else []),
        )
        super().__init__("\n".join(self.lines))

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return type(self), (self.errors, self.names)


class ParameterError(IrboundsError, ValueError):
    """An argument is outside its documented range."""


class MeasureError(ParameterError):
    """A measure is unknown, or cannot be computed here."""


class DataError(IrboundsError):
    """Valid inputs do not fit together."""


class DegenerateSampleWarning(UserWarning):
    """A sample is too small, or varies too little, for the requested interval."""


class _Quotes(reprlib.Repr):
    """``repr`` for values of any size: long ones lose their middle, nested ones their depth."""

    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxlong = self.maxother = MAX_CHARACTERS

    def repr_int(self, value: Any, level: int) -> str:
        try:
            return super().repr_int(value, level)
        except ValueError:  # Python refuses to write an integer of over 4,300 digits
            return f"an integer of {value.bit_length():,} bits"


_quotes = _Quotes()


def quote(value: object) -> str:
    """Return a received value as a message shows it: its ``repr``, shortened, in one line."""
    text = _quotes.repr(value)
    return " ".join(text.split()) if "\n" in text else text


def quote_several(values: Collection[object]) -> str:
    """Return received values as a list in a message, the first few of many."""
    text = ", ".join(map(quote, islice(values, MAX_NAMED)))
    return text if len(values) <= MAX_NAMED else f"{text} ... ({len(values):,} in all)"


def show_name(name: str, max_characters: int = MAX_CHARACTERS) -> str:
    """Return a name as it is if it fits into a message, else quoted and shortened."""
    return name if name.isprintable() and len(name) <= max_characters else quote(name)


def check_names(names: Iterable[str], source: str) -> None:
    """Raise ``InputError`` for a name that is too long for tables and figures."""
    for name in names:
        if len(name) > MAX_NAME:
            raise InputError(
                f"{show_name(source)}: a name may have {MAX_NAME} characters; got {len(name):,}: "
                f"{quote(name)}"
            )
