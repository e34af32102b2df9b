"""Error messages and warnings of the command line, an error in one line.

The library names its parameters (``confidence_level``). Here, and nowhere else, they become the
options and arguments of the command that was run: ``--confidence-level``, ``QRELS``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ..atomic_write import NO_SPACE
from ..errors import DataError, IrboundsError, ParameterError, SeveralInputsError
from ..validation import find_meant

#: parameters of the library that have another name on the command line
OTHER_NAMES = {"rng": "seed"}
NO_MEMORY = (
    "not enough memory; use smaller files, fewer systems or measures, or fewer resamples, draws or "
    "images"
)


def describe_error(error: Exception, arguments: Sequence[str]) -> str | None:
    """Return one line about an error of the user; None for an internal error.

    Several files that cannot be read have one line each. ``arguments`` are the command line, by
    which the command is found.
    """
    if isinstance(error, SeveralInputsError):
        return "\n".join(" ".join(line.split()) for line in error.lines)
    if isinstance(error, ParameterError | DataError):
        text = _with_options(str(error), option_names(arguments))
    elif isinstance(error, IrboundsError):
        text = str(error)
    elif isinstance(error, OSError) and error.strerror:
        # errors of files have their names
        is_output = error.filename is None and error.errno in NO_SPACE
        name = "standard output" if is_output else error.filename
        text = f"{name}: {error.strerror}" if name else error.strerror
    elif isinstance(error, MemoryError):
        text = NO_MEMORY
    elif hasattr(error, "possibilities"):  # typer's usage errors have no common public class
        text = _describe_unknown_option(
            str(getattr(error, "option_name", "")), option_names(arguments)
        )
    elif hasattr(error, "format_message"):
        text = str(error.format_message())
    else:
        return None
    return " ".join(text.split())


def describe_warning(text: str, arguments: Sequence[str]) -> str:
    """Return a warning with options in place of parameters; these have an underscore in them."""
    names = option_names(arguments)
    return _with_options(text, {key: typed for key, typed in names.items() if "_" in key})


def option_names(arguments: Sequence[str]) -> dict[str, str]:
    """Return the option for each parameter of the command that a command line names."""
    from .app import VERBS, command_name, load_verb, options_of_command

    name = command_name(arguments)
    if name not in VERBS:
        return {}
    names = {declared.name: declared.typed for declared in options_of_command(load_verb(name))}
    others = {other: names[word] for other, word in OTHER_NAMES.items() if word in names}
    return others | names


def _describe_unknown_option(typed: str, names: Mapping[str, str]) -> str:
    """Return a line about an unknown option, with the most similar one."""
    meant = find_meant(typed.lstrip("-").replace("-", "_"), names)
    return f"no option {typed}" + (f", did you mean {names[meant]}?" if meant else "")


def _with_options(text: str, names: Mapping[str, str]) -> str:
    """Return a message with options in place of parameters.

    A name that is also a common word is meant as a parameter only where it begins the message, is
    joined to another one by *and* or *or*, follows *needs* or *give*, or is given a value
    (``overwrite=True``).
    """
    if not names:
        return text
    known = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    name = rf"(?<![\w'./-])(?:{known})(?![\w'/-]|\.\w)"

    def option(match: re.Match[str]) -> str:
        return re.sub(name, lambda word: names[word[0]], match[0])

    text = re.sub(rf"({name})=True\b", lambda match: names[match[1]], text)
    text = re.sub(rf"({name})='([\w./=-]+)'", lambda match: f"{names[match[1]]} {match[2]}", text)
    joined = rf"{name}(?:(?:, | and | or |, or ){name})+"
    text = re.sub(rf"(?<!\ba ){joined}|^{name}(?= |:)|(?<=\bneeds ){name}", option, text)
    return re.sub(name, lambda match: names[match[0]] if "_" in match[0] else match[0], text)
