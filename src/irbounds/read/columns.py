"""An input's records column by column: what every format is turned into first."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from .identifiers import Identifiers, intern_strings
from .problems import Problems

__all__ = ["Columns", "columns_from_values", "fingerprint_of", "wrong_relevance"]


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
    #: the line of each record, from 1; or its number, where there are no lines
    lines: NDArray[np.uint32]
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
    queries = _texts(query_ids, "query id", problems)
    documents = _texts(doc_ids, "document id", problems)
    numbers = _numbers(values)
    if is_run:
        _check_scores(numbers, values, problems)
    else:
        _check_relevance(numbers, values, problems)
    problems.raise_if_any()
    query_table, query_codes = intern_strings(queries)
    doc_table, doc_codes = intern_strings(documents)
    if fingerprint is None:
        fingerprint = fingerprint_of(
            query_table.text, query_codes, doc_table.text, doc_codes, numbers
        )
    return Columns(
        source=source,
        fingerprint=fingerprint,
        query_ids=query_table,
        documents=doc_table,
        queries=query_codes,
        docs=doc_codes,
        values=numbers,
        ranks=None if ranks is None else _ranks(ranks),
        lines=np.arange(1, len(queries) + 1, dtype=np.uint32),
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
    return f"relevance {value!r} is not a whole number (real-valued gains fit none of the measures)"


def _texts(ids: Sequence[object], what: str, problems: Problems) -> list[str]:
    """Ids as text; numbers become text here, once."""
    texts = []
    for place, value in enumerate(ids, start=1):
        text = value if isinstance(value, str) else _number_text(value)
        if not text:
            problems.add(f"{what} {value!r} is neither text nor a whole number", place)
        texts.append(text)
    return texts


def _number_text(value: object) -> str:
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        return str(int(value))
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))  # pandas turns a column of whole numbers with gaps into floats
    return ""


def _numbers(values: Sequence[object]) -> NDArray[np.float64]:
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        return np.array([_number(value) for value in values], dtype=np.float64)


def _number(value: object) -> float:
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return np.nan


def _check_scores(
    numbers: NDArray[np.float64], values: Sequence[object], problems: Problems
) -> None:
    for i in np.flatnonzero(~np.isfinite(numbers)).tolist():
        kind = "infinite" if np.isinf(numbers[i]) else "not a number"
        problems.add(f"score {values[i]!r} is {kind}", i + 1)


def _check_relevance(
    numbers: NDArray[np.float64], values: Sequence[object], problems: Problems
) -> None:
    with np.errstate(invalid="ignore"):
        whole = (numbers == np.floor(numbers)) & (np.abs(numbers) < 1e9)
    for i in np.flatnonzero(~whole).tolist():
        problems.add(wrong_relevance(values[i]), i + 1)


def _ranks(ranks: Sequence[object]) -> NDArray[np.int32]:
    numbers = _numbers(ranks)
    with np.errstate(invalid="ignore"):
        whole = (numbers == np.floor(numbers)) & (numbers >= 0) & (numbers < 1e9)
    return np.where(whole, numbers, -1).astype(np.int32)
