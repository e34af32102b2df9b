"""What work consists of, in a form that can be compared: digests of functions, arrays and records.

Not ``pickle``: two equal objects may be pickled differently, and a checkpoint must know its own
work again in another process. Each kind of value writes what it is and how long before its parts,
so that no two run into each other; a list of names is written at once, since a corpus has millions.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import partial
from types import MethodType
from typing import Any

import numpy as np
from numpy.typing import NDArray

DIGEST_OF = "sha256:"
#: metadata of a record's field that is no part of what the record is, such as where it was found
ASIDE = {"not in digests": True}
PLAIN = (str, int, float, bool, type(None))
SHORT = 80  # characters that are shown as they are


def shown(value: Any) -> str:
    """Short plain values as they are, all else as a digest."""
    if _is_plain(value) or (isinstance(value, list | tuple) and all(map(_is_plain, value))):
        written = repr(value)
        if len(written) <= SHORT:
            return written
    return f"{DIGEST_OF}{digest_of(value)}"


def digest_of(value: Any) -> str:
    """SHA-256 of a value: the same for equal values, in any process."""
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
        _add_parts(update, f"record {name_of(type(value))}", _parts(value))
    elif isinstance(value, Mapping):
        _add_parts(update, "mapping", value.items())
    else:
        _add_other(update, value)


def _add_other(update: Callable[[Any], None], value: Any) -> None:
    if isinstance(value, Enum):
        _add_parts(update, f"choice {name_of(type(value))}", [value.name])
    elif isinstance(value, slice | range):
        _add_parts(update, type(value).__name__, [value.start, value.stop, value.step])
    elif isinstance(value, partial):
        _add_parts(update, "partial", [value.func, value.args, value.keywords])
    elif isinstance(value, MethodType):
        _add_parts(update, "method", [value.__self__, value.__func__])
    elif callable(value):
        update(f"function {name_of(value)}\n".encode())
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
    listed = list(parts)
    update(f"{kind} {len(listed)}\n".encode())
    for part in listed:
        _add(update, part)


def _is_plain(value: Any) -> bool:
    """A value that its ``repr`` says in full."""
    return type(value) in PLAIN


def _is_record(value: Any) -> bool:
    return is_dataclass(value) and not isinstance(value, type)


def _parts(record: Any) -> Iterator[tuple[str, Any]]:
    for field in fields(record):
        if not field.metadata.keys() & ASIDE.keys():
            yield field.name, getattr(record, field.name)


def name_of(function: Any) -> str:
    """The name of a function or class, with its module."""
    name = getattr(function, "__qualname__", "<")
    if "<" in name:
        raise TypeError(f"no digest of {function!r}: a function must have a name of its own")
    return f"{function.__module__}.{name}"
