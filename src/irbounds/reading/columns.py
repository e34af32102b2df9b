"""An input's records column by column: what every format is turned into first."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, quote
from .error_list import LineNumbers, Problems
from .ids import Identifiers, intern_strings
from .sources import BLANKS

#: each character can be matched in one way only, so that what is no number is refused in one pass
DECIMAL = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)


@dataclass(frozen=True, eq=False)
class Columns:
    """Records in their own order, each well formed, not yet checked against each other."""

    source: str
    fingerprint: str
    query_ids: Identifiers
    documents: Identifiers
    queries: NDArray[np.int32]
    docs: NDArray[np.int32]
    values: NDArray[np.float64]
    #: the rank column, -1 where it holds no whole number; None where there is none
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
    """Columns from Python values, whatever they came from."""
    if not len(query_ids):
        raise InputError(f"{source}: empty: no records")
    problems = Problems(source, "record")
    queries = id_texts(query_ids, "query id", problems)
    documents = id_texts(doc_ids, "document id", problems)
    numbers = as_numbers(values)
    if is_run:
        _check_scores(numbers, values, problems)
    else:
        _check_relevance(numbers, values, problems)
    problems.raise_if_any()
    query_table, query_codes = intern_strings(queries)
    doc_table, doc_codes = intern_strings(documents)
    if fingerprint is None:
        ids = (query_table.text, query_table.offsets, doc_table.text, doc_table.offsets)
        fingerprint = fingerprint_of(*ids, query_codes, doc_codes, numbers)
    return Columns(
        source=source,
        fingerprint=fingerprint,
        query_ids=query_table,
        documents=doc_table,
        queries=query_codes,
        docs=doc_codes,
        values=numbers,
        ranks=None if ranks is None else _ranks(ranks),
        lines=LineNumbers.without_gaps(),
        unit="record",
    )


def fingerprint_of(*parts: NDArray[np.generic]) -> str:
    """SHA-256 of what came from memory and so has no file to hash."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part.nbytes.to_bytes(8, "little") + part.tobytes())
    return f"sha256:{digest.hexdigest()}"


def wrong_relevance(value: object) -> str:
    """What is said of a relevance that is no whole number."""
    shown = quote(value)
    return f"relevance {shown} is not a whole number (real-valued gains fit none of the measures)"


def id_texts(ids: Sequence[object], what: str, problems: Problems) -> list[str]:
    """Ids as text; numbers become text here, once."""
    texts = []
    for place, value in enumerate(ids, start=1):
        text = value if isinstance(value, str) else integer_text(value)
        if not text:
            problems.add(f"{what} {quote(value)} is neither text nor a whole number", place)
        elif not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text):
            problems.add(f"{what} {quote(value)} is no valid Unicode", place)
        texts.append(text)
    return texts


def integer_text(value: object) -> str:
    """Return an integer of any type as text; nothing for other values."""
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        try:
            return str(int(value))
        except ValueError:  # an integer of over 4,300 digits
            return ""
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))  # pandas turns a column of whole numbers with gaps into floats
    return ""


def as_numbers(values: Sequence[object]) -> NDArray[np.float64]:
    """Values as doubles, NaN for what is no number; text by the rule that TREC text has."""
    if isinstance(values, list | tuple) and all(type(value) is float for value in values):
        return np.array(values, dtype=np.float64)
    return np.array([_as_number(value) for value in values], dtype=np.float64)


def _as_number(value: object) -> float:
    if isinstance(value, str):
        value = value.strip(BLANKS)
        return float(value) if DECIMAL.fullmatch(value) else np.nan
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        return np.nan
    try:
        return float(value)
    except OverflowError:  # a whole number of over 300 digits
        return np.inf


def _check_scores(
    numbers: NDArray[np.float64], values: Sequence[object], problems: Problems
) -> None:
    for i in np.flatnonzero(~np.isfinite(numbers)).tolist():
        kind = "infinite" if np.isinf(numbers[i]) else "not a number"
        problems.add(f"score {quote(values[i])} is {kind}", i + 1)


def _check_relevance(
    numbers: NDArray[np.float64], values: Sequence[object], problems: Problems
) -> None:
    with np.errstate(invalid="ignore"):
        whole = (numbers == np.floor(numbers)) & (np.abs(numbers) < 1e9)
    for i in np.flatnonzero(~whole).tolist():
        problems.add(wrong_relevance(values[i]), i + 1)


def _ranks(ranks: Sequence[object]) -> NDArray[np.int32]:
    numbers = as_numbers(ranks)
    with np.errstate(invalid="ignore"):
        whole = (numbers == np.floor(numbers)) & (numbers >= 0) & (numbers < 1e9)
    return np.where(whole, numbers, -1).astype(np.int32)
