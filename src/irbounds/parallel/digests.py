"""Digests of functions, arrays and records, and versions of libraries: the identity of work.

A checkpoint or a worker with other versions is refused, because versions affect the bits of a
result.

Digests do not use ``pickle``: two equal objects may have different pickles, and a checkpoint must
recognise its work in another process. Each value contributes its type and length before its parts,
so that no two values have the same bytes. A list of names contributes them at once, because a
corpus has millions.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache, partial
from importlib.metadata import version
from types import MethodType
from typing import Any

import numpy as np
from numpy.typing import NDArray

DIGEST_PREFIX = "sha256:"
#: metadata of a dataclass field that digests exclude, such as the path of a file
NOT_IN_DIGESTS = {"not in digests": True}
PLAIN = (str, int, float, bool, type(None))
MAX_SHOWN = 80  # characters of a value that is shown as it is
LIBRARIES = ("numpy", "scipy", "numba")


def describe_value(value: Any) -> str:
    """Return a short plain value as it is, any other as its digest."""
    if _is_plain(value) or (isinstance(value, list | tuple) and all(map(_is_plain, value))):
        text = repr(value)
        if len(text) <= MAX_SHOWN:
            return text
    return f"{DIGEST_PREFIX}{compute_digest(value)}"


def compute_digest(value: Any) -> str:
    """Return the SHA-256 of a value: the same for equal values, in any process."""
    digest = hashlib.sha256()
    _add(digest.update, value)
    return digest.hexdigest()


def _add(update: Callable[[Any], None], value: Any) -> None:
    if isinstance(value, np.ndarray | np.generic):
        _add_array(update, np.asarray(value))
    elif _is_plain(value):
        update(f"{type(value).__name__} {value!r}\n".encode("utf-8", "backslashreplace"))
    elif isinstance(value, list | tuple):
        _add_sequence(update, value)
    elif _is_record(value):
        _add_parts(update, f"record {qualified_name(type(value))}", _parts(value))
    elif isinstance(value, Mapping):
        _add_parts(update, "mapping", value.items())
    else:
        _add_other(update, value)


def _add_other(update: Callable[[Any], None], value: Any) -> None:
    if isinstance(value, Enum):
        _add_parts(update, f"choice {qualified_name(type(value))}", [value.name])
    elif isinstance(value, slice | range):
        _add_parts(update, type(value).__name__, [value.start, value.stop, value.step])
    elif isinstance(value, partial):
        _add_parts(update, "partial", [value.func, value.args, value.keywords])
    elif isinstance(value, MethodType):
        _add_parts(update, "method", [value.__self__, value.__func__])
    elif callable(value):
        update(f"function {qualified_name(value)}\n".encode())
    else:
        raise TypeError(f"no digest of {type(value).__name__}")


def _add_array(update: Callable[[Any], None], array: NDArray[Any]) -> None:
    if array.dtype.hasobject:
        _add_parts(update, f"objects {array.shape}", array.ravel().tolist())
        return
    update(f"array {array.dtype.descr} {array.shape}\n".encode())
    if array.size:
        update(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)


def _add_sequence(update: Callable[[Any], None], values: list[Any] | tuple[Any, ...]) -> None:
    kind = type(values).__qualname__
    if len(values) > 1 and set(map(type, values)) == {str}:
        update(f"names in {kind} {len(values)}\n".encode())
        update(json.dumps(values).encode())
    else:
        _add_parts(update, kind, values)


def _add_parts(update: Callable[[Any], None], kind: str, parts: Iterable[Any]) -> None:
    several = list(parts)
    update(f"{kind} {len(several)}\n".encode())
    for part in several:
        _add(update, part)


def _is_plain(value: Any) -> bool:
    """Return whether the ``repr`` of a value is complete."""
    return type(value) in PLAIN


def _is_record(value: Any) -> bool:
    return is_dataclass(value) and not isinstance(value, type)


def _parts(record: Any) -> Iterator[tuple[str, Any]]:
    for field in fields(record):
        if not field.metadata.keys() & NOT_IN_DIGESTS.keys():
            yield field.name, getattr(record, field.name)


def qualified_name(function: Any) -> str:
    """Return the name of a function or class, with its module."""
    name = getattr(function, "__qualname__", "<")
    if "<" in name:
        raise TypeError(f"no digest of {function!r}: only functions with a name have one")
    return f"{function.__module__}.{name}"


def library_versions() -> dict[str, str]:
    """Return the versions of irbounds and of the libraries that affect results, by name."""
    from .. import __version__

    return {"irbounds": __version__} | dict(_installed_versions())


@cache
def _installed_versions() -> tuple[tuple[str, str], ...]:
    return tuple((name, version(name)) for name in LIBRARIES)


def describe_version_differences(there: Mapping[str, str], here: Mapping[str, str]) -> str:
    """Return the versions that differ, as text; nothing if all are equal."""
    return ", ".join(
        f"{name} is {there.get(name, 'missing')} there and {here.get(name, 'missing')} here"
        for name in sorted(there.keys() | here.keys())
        if there.get(name) != here.get(name)
    )
