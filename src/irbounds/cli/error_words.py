"""Errors and warnings in the words of the command line, an error in one line.

The library names its parameters (``confidence_level``), and typer has words of its own for a value
that it cannot convert. Here, and nowhere else, both become the options and arguments of the command
that was run: ``--confidence-level``, ``QRELS``.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import (
    CheckpointError,
    DataError,
    IrboundsError,
    ParameterError,
    SeveralInputsError,
)
from ..parameters import grouping_hint

#: parameters of the library, and what the command line calls them where it has no option so called:
#: another option, or a word for an argument
OTHER_NAMES = {
    "rng": ("seed",),
    "n_systems": ("systems",),
    "n_queries": ("queries",),
    "n_documents": ("documents", "N"),
    "n_relevant": ("R",),
    "n_realisations": ("realisations",),
    "n_samples": ("samples",),
    "confidence_levels": ("confidence_level",),
    "executor": ("dask",),
}
#: what the library that converts values puts before or after its words
CONVERSION = re.compile(r"^Value error, |, unable to parse.*$|\.$")
CHOICES = re.compile(r"^'(?P<word>.*)' is not one of (?P<choices>'.*')$")
PERCENTAGE = re.compile(r"([0-9]{1,2}(?:\.[0-9]+)?) ?%")


def error_words(error: Exception, arguments: Sequence[str]) -> str | None:
    """Return one line about an error that was to be expected; None for any other.

    Several files that cannot be read have one line each. ``arguments`` are the command line, by
    which the command is found.
    """
    if isinstance(error, SeveralInputsError):
        return "\n".join(" ".join(line.split()) for line in error.lines)
    if isinstance(error, ParameterError | DataError | CheckpointError):
        text = _with_options(str(error), _option_names(_command(arguments)[0]))
    elif isinstance(error, IrboundsError):
        text = str(error)
    elif isinstance(error, OSError) and error.strerror:
        text = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    elif isinstance(error, MemoryError):
        text = (
            "the system has no more memory for this; give smaller files, fewer systems or fewer "
            "resamples, draws or images, or set a limit with --memory to see beforehand what is "
            "needed"
        )
    elif hasattr(error, "format_message"):  # typer's usage errors share no public class
        text = _conversion_words(error, arguments) or str(error.format_message())
    else:
        return None
    return " ".join(text.split())


def warning_words(text: str, arguments: Sequence[str]) -> str:
    """Return a warning with options in place of parameters; these have an underscore in them."""
    names = _option_names(_command(arguments)[0])
    return _with_options(text, {key: typed for key, typed in names.items() if "_" in key})


def _command(arguments: Sequence[str]) -> tuple[Any, list[str]]:
    """Return the command that a command line names, and what follows its name."""
    import typer

    from .app import app

    command: Any = typer.main.get_command(app)
    rest = list(arguments)
    while rest and rest[0] in getattr(command, "commands", {}):
        command = command.commands[rest.pop(0)]
    return command, rest


def _option_names(command: Any) -> dict[str, str]:
    """Return what a person types, by the names that the library has for it."""
    names: dict[str, str] = {}
    for parameter in command.params:
        typed = _typed(parameter)
        if parameter.param_type_name == "argument":
            names |= {word: word for word in typed.split() if word.isidentifier()}
        names |= {parameter.name: typed, typed.removeprefix("--").replace("-", "_"): typed}
    others = {
        key: names[word] for key, words in OTHER_NAMES.items() for word in words if word in names
    }
    return others | names


def _typed(parameter: Any) -> str:
    """``--confidence-level``, or ``QRELS`` of an argument."""
    if parameter.param_type_name == "argument":
        return str(parameter.metavar or parameter.name)
    return next((str(one) for one in parameter.opts if one.startswith("--")), parameter.opts[0])


def _with_options(text: str, names: Mapping[str, str]) -> str:
    """Return a message with options in place of parameters.

    A name that is also a common word is meant as a parameter only where it begins the message, is
    joined to another one by *and* or *or*, or is given a value (``overwrite=True``).
    """
    if not names:
        return text
    known = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    name = rf"(?<![\w'./-])(?:{known})(?![\w'/-]|\.\w)"

    def option(found: re.Match[str]) -> str:
        return re.sub(name, lambda one: names[one[0]], found[0])

    text = re.sub(rf"({name})=True\b", lambda found: names[found[1]], text)
    text = re.sub(rf"({name})='([\w-]+)'", lambda found: f"{names[found[1]]} {found[2]}", text)
    text = re.sub(rf"(?<!\ba ){name} (?:and|or) {name}|^{name}(?= |:)", option, text)
    return re.sub(name, lambda one: names[one[0]] if "_" in one[0] else one[0], text)


def _conversion_words(error: Any, arguments: Sequence[str]) -> str:
    """Return what is wrong with a value of the wrong kind; nothing for any other misuse."""
    parameter, message = getattr(error, "param", None), getattr(error, "message", "")
    if parameter is None or not message:
        return ""
    typed = _typed(parameter)
    message = CONVERSION.sub("", CONVERSION.sub("", message))
    if found := CHOICES.match(message):
        choices = re.findall("'(.*?)'", found["choices"])
        hint = _nearest(found["word"], choices)
        return f"{typed} must be one of {', '.join(choices)}; got {found['word']!r}{hint}"
    received = _received(parameter, arguments)
    if percentage := PERCENTAGE.fullmatch(received or ""):
        fraction = f"{float(percentage[1]) / 100:g}"
        rule = "must be a fraction between 0 and 1"
        return f"{typed} {rule}; got {received!r}, did you mean {fraction}?"
    message = re.sub("^Input should be ", "must be ", message)
    got = f"; got {received!r}{grouping_hint(received)}" if received is not None else ""
    return f"{typed} {message}{got}" if got and message.startswith("must ") else ""


def _received(parameter: Any, arguments: Sequence[str]) -> str | None:
    """Return what a parameter was given, where it is one word."""
    command, rest = _command(arguments)
    context = command.context_class(command, info_name=command.name)
    given, _, _ = command.make_parser(context).parse_args(rest)
    value = given.get(parameter.name)
    return value if isinstance(value, str) else None


def _nearest(word: str, choices: Sequence[str]) -> str:
    """Return a hint at the choice that a word is like, or that has its letters in their order."""
    close = difflib.get_close_matches(word.lower(), choices, n=1)
    letters = re.compile(".*".join(map(re.escape, word.lower())))
    found = close or [one for one in choices if word and letters.search(one)]
    return f", did you mean {found[0]}?" if found else ""
