"""What work consists of, in a form that can be compared: digests of functions, arrays and records.

Not ``pickle``: two equal objects may be pickled differently, and a checkpoint must know its own
work again in another process.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import partial
from typing import Any

import numpy as np

from .work import Work

__all__ = ["description_of", "digest_of", "name_of"]

PLAIN = (str, int, float, bool, type(None))


def description_of(work: Work) -> dict[str, str]:
    """What all units share, by name: plain values as they are, all else as digests.

    Records are taken apart, so that what differs can be named.
    """
    described = {}
    for name, value in sorted(work.keywords.items()):
        if is_dataclass(value) and not isinstance(value, type):
            parts = {f"{name}.{field.name}": getattr(value, field.name) for field in fields(value)}
        else:
            parts = {name: value}
        described.update({part: _shown(one) for part, one in parts.items()})
    return described


def name_of(work: Work) -> str:
    """What kind of work it is: the name of its function."""
    return _function_name(work.func)


def _shown(value: Any) -> str:
    return repr(value) if isinstance(value, PLAIN) else f"sha256:{digest_of(value)}"


def digest_of(value: Any) -> str:
    """SHA-256 of a value: the same for equal values, in any process."""
    digest = hashlib.sha256()
    _add(digest.update, value)
    return digest.hexdigest()


def _add(update: Callable[[Any], None], value: Any) -> None:
    """Each kind of value writes what it is and how long, so that no two run into each other."""
    if isinstance(value, np.ndarray):
        _add_array(update, value)
    elif isinstance(value, Enum):
        _add_parts(update, type(value).__qualname__, [value.value])
    elif isinstance(value, PLAIN):
        update(f"{type(value).__name__} {value!r}\n".encode())
    elif isinstance(value, np.generic):
        _add_array(update, np.asarray(value))
    elif is_dataclass(value) and not isinstance(value, type):
        parts = [(field.name, getattr(value, field.name)) for field in fields(value)]
        _add_parts(update, type(value).__qualname__, parts)
    elif isinstance(value, Mapping):
        _add_parts(update, "mapping", value.items())
    elif isinstance(value, list | tuple | range):
        _add_parts(update, type(value).__qualname__, value)
    elif isinstance(value, slice):
        _add_parts(update, "slice", [value.start, value.stop, value.step])
    elif isinstance(value, partial):
        _add_parts(update, "partial", [value.func, value.args, value.keywords])
    elif isinstance(value, type) or callable(value):
        update(f"function {_function_name(value)}\n".encode())
    else:
        raise TypeError(f"no digest of {type(value).__name__}")


def _add_array(update: Callable[[Any], None], array: np.ndarray[Any, Any]) -> None:
    update(f"array {array.dtype.str} {array.shape}\n".encode())
    update(np.ascontiguousarray(array).data if array.size else b"")


def _add_parts(update: Callable[[Any], None], kind: str, parts: Iterable[Any]) -> None:
    listed = list(parts)
    update(f"{kind} {len(listed)}\n".encode())
    for part in listed:
        _add(update, part)


def _function_name(function: Any) -> str:
    name = getattr(function, "__qualname__", "<")
    if "<" in name:
        raise TypeError(f"no digest of {function!r}: a function must have a name of its own")
    return f"{function.__module__}.{name}"
