"""Records of an input column by column: the form that every format is turned into first."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, quote
from .error_list import ErrorList, LineNumbers
from .ids import Identifiers, intern_strings
from .sources import WHITE_SPACE

#: each character can be matched in one way only, so text that is not a number is refused in one
#: pass
DECIMAL = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)


@dataclass(frozen=True, eq=False)
class Columns:
    """Records in their own order, each well formed, not yet compared with each other."""

    source: str
    fingerprint: str
    query_ids: Identifiers
    documents: Identifiers
    queries: NDArray[np.int32]
    docs: NDArray[np.int32]
    values: NDArray[np.float64]
    #: the rank column, -1 where it is not an integer; None if there is no such column
    ranks: NDArray[np.int32] | None
    #: the line of each record
    lines: LineNumbers
    unit: str = "line"


def columns_from_values(
    source: str,
    query_ids: Sequence[object],
    doc_ids: Sequence[object],
    values: Sequence[object],
    *,
    is_run: bool,
    ranks: Sequence[object] | None = None,
    fingerprint: str | None = None,
) -> Columns:
    """Return columns from Python values of any origin."""
    if not len(query_ids):
        raise InputError(f"{source}: empty: no records")
    errors = ErrorList(source, "record")
    queries = id_texts(query_ids, "query id", errors)
    documents = id_texts(doc_ids, "document id", errors)
    numbers = as_numbers(values)
    if is_run:
        _check_scores(numbers, values, errors)
    else:
        _check_relevance(numbers, values, errors)
    errors.raise_if_any()
    query_table, query_numbers = intern_strings(queries)
    doc_table, doc_numbers = intern_strings(documents)
    if fingerprint is None:
        ids = (query_table.text, query_table.offsets, doc_table.text, doc_table.offsets)
        fingerprint = fingerprint_of(*ids, query_numbers, doc_numbers, numbers)
    return Columns(
        source=source,
        fingerprint=fingerprint,
        query_ids=query_table,
        documents=doc_table,
        queries=query_numbers,
        docs=doc_numbers,
        values=numbers,
        ranks=None if ranks is None else _parse_ranks(ranks),
        lines=LineNumbers.without_gaps(),
        unit="record",
    )


def fingerprint_of(*parts: NDArray[np.generic]) -> str:
    """Return the SHA-256 of arrays, for data that has no file to hash."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part.nbytes.to_bytes(8, "little") + part.tobytes())
    return f"sha256:{digest.hexdigest()}"


def describe_wrong_relevance(value: object) -> str:
    """Return the error message for a relevance that is not an integer."""
    return f"relevance {quote(value)} is not an integer (no measure takes real-valued gains)"


def id_texts(ids: Sequence[object], what: str, errors: ErrorList) -> list[str]:
    """Return ids as text, with integers converted; others are added to the errors."""
    with suppress(TypeError):  # an id that is not text
        if "".join(ids).isascii() and all(ids):  # type: ignore[arg-type]
            return list(ids)  # type: ignore[arg-type]
    texts = []
    for number, value in enumerate(ids, start=1):
        text = value if isinstance(value, str) else integer_text(value)
        if not text:
            errors.add(f"{what} {quote(value)} is neither text nor an integer", number)
        elif not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text):
            errors.add(f"{what} {quote(value)} is not valid Unicode", number)
        texts.append(text)
    return texts


def integer_text(value: object) -> str:
    """Return an integer of any type as text; an empty string for other values."""
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        try:
            return str(int(value))
        except ValueError:  # an integer of over 4,300 digits
            return ""
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))  # pandas turns a column of integers with gaps into floats
    return ""


def as_numbers(values: Sequence[object]) -> NDArray[np.float64]:
    """Return values as doubles, NaN for what is not a number; text is parsed as in TREC text."""
    if isinstance(values, list | tuple) and all(type(value) is float for value in values):
        return np.array(values, dtype=np.float64)
    return np.array([_as_number(value) for value in values], dtype=np.float64)


def _as_number(value: object) -> float:
    if isinstance(value, str):
        value = value.strip(WHITE_SPACE)
        return float(value) if DECIMAL.fullmatch(value) else np.nan
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        return np.nan
    try:
        return float(value)
    except OverflowError:  # an integer of over 300 digits
        return np.inf


def _check_scores(
    numbers: NDArray[np.float64], values: Sequence[object], errors: ErrorList
) -> None:
    for i in np.flatnonzero(~np.isfinite(numbers)).tolist():
        kind = "infinite" if np.isinf(numbers[i]) else "not a number"
        errors.add(f"score {quote(values[i])} is {kind}", i + 1)


def _check_relevance(
    numbers: NDArray[np.float64], values: Sequence[object], errors: ErrorList
) -> None:
    with np.errstate(invalid="ignore"):
        is_integer = (numbers == np.floor(numbers)) & (np.abs(numbers) < 1e9)
    for i in np.flatnonzero(~is_integer).tolist():
        errors.add(describe_wrong_relevance(values[i]), i + 1)


def _parse_ranks(ranks: Sequence[object]) -> NDArray[np.int32]:
    numbers = as_numbers(ranks)
    with np.errstate(invalid="ignore"):
        is_rank = (numbers == np.floor(numbers)) & (numbers >= 0) & (numbers < 1e9)
    return np.where(is_rank, numbers, -1).astype(np.int32)
