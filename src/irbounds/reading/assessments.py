"""Assessed documents of a sample, with their stratum or their inclusion probability.

There are three layouts. TREC judgments (query, ignored, document, relevance) are a simple random
sample of each segment. A fifth column is the probability with which the document was drawn, as in
files of the TREC Legal Track. A sheet names its columns (``assessment_table``).

A document that was drawn but could not be judged has a negative relevance. Samples are small, so
they are read line by line in plain Python. The probability is kept as it was written, because the
number of its decimals says how exact it is.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from ..errors import DataError, InputError, quote
from ..results.drawn_sample import Draw
from .assessment_table import AssessmentTable, read_assessment_table
from .columns import DECIMAL, id_texts, integer_text
from .encodings import is_utf_16
from .error_list import ErrorList
from .sheets import SEPARATORS, Row
from .sources import WHITE_SPACE, Source, detect_format
from .worksheets import AlteredCell, is_workbook

TREC_COLUMNS = ("query_id", "ignored", "doc_id", "relevance", "iprob")
INTEGER = re.compile(r"[+-]?\d{1,9}", re.ASCII)
UNNAMED = "the assessments"
MIN_PROBABILITY = Decimal("1E-12")
LAYOUT = "query 0 document relevance [iprob]"


@dataclass(frozen=True)
class Assessment:
    """A document of the sample, with its relevance."""

    doc_id: str
    relevance: int
    stratum: str | None = None
    #: the probability with which it was drawn, as it was written
    iprob: Decimal | None = None


@dataclass(frozen=True)
class Assessments:
    """The sample of one query, every document once."""

    name: str
    fingerprint: str
    query_id: str | None
    documents: tuple[Assessment, ...]
    #: identical assessments that are in the file more than once; merged
    n_repeated: int = 0
    #: assessments of other queries, left out
    n_others: int = 0
    #: sentences about how the file was read
    notes: tuple[str, ...] = ()
    #: sentences on what else was ignored
    warnings: tuple[str, ...] = ()
    #: what ``irbounds draw`` wrote above the table
    draw: Draw | None = None
    is_export: bool = False

    @property
    def has_strata(self) -> bool:
        """Whether documents name their stratum."""
        return self.documents[0].stratum is not None

    @property
    def has_probabilities(self) -> bool:
        """Whether documents have the probability with which they were drawn."""
        return self.documents[0].iprob is not None


def read_assessments(source: Any, query: str | None = None) -> Assessments:
    """Read the assessed documents of a query from a file or a dict of ids to relevances.

    The query need not be named if there is only one.
    """
    if isinstance(source, Mapping):
        return _from_mapping(source, query)
    if not isinstance(source, str | Path):
        raise InputError(
            f"{UNNAMED}: a path or a dict of ids to relevances is expected; "
            f"got {type(source).__name__}"
        )
    with Source(source) as file:
        if not file.peek():
            raise InputError(f"{file.name}: empty: the file has no content")
        if _is_table(source, file):
            table = read_assessment_table(file)
        else:
            table = AssessmentTable(_parse_trec(file))
        assessments = _from_rows(file.name, file.fingerprint, table.rows, query, table.unit)
        kept = {name: getattr(table, name) for name in ("notes", "warnings", "draw", "is_export")}
        return replace(assessments, **kept)


def _is_table(path: str | Path, source: Source) -> bool:
    head = source.peek()
    if is_workbook(head) or detect_format(path, source) in (".csv", ".tsv"):
        return True
    # a spreadsheet's "Unicode text", whose name does not say so
    return is_utf_16(head) and any(mark in head.decode("utf-16", "ignore") for mark in SEPARATORS)


def _from_mapping(source: Mapping[Any, Any], query: str | None) -> Assessments:
    if not source:
        raise InputError(f"{UNNAMED}: empty: no documents")
    errors = ErrorList(UNNAMED, "document")
    ids = id_texts(list(source), "document id", errors)
    errors.raise_if_any()
    rows = [
        Row(number, {"doc_id": doc_id.strip(WHITE_SPACE), "relevance": _relevance_text(relevance)})
        for number, (doc_id, relevance) in enumerate(zip(ids, source.values(), strict=True), 1)
    ]
    text = "\n".join(f"{row['doc_id']}\t{row['relevance']}" for row in rows)
    fingerprint = f"sha256:{hashlib.sha256(text.encode(errors='backslashreplace')).hexdigest()}"
    return _from_rows(UNNAMED, fingerprint, rows, query, unit="document")


def _relevance_text(relevance: object) -> str:
    """Return a relevance as text; what is neither text nor an integer, quoted for a message."""
    return relevance if isinstance(relevance, str) else integer_text(relevance) or quote(relevance)


def _from_rows(
    name: str, fingerprint: str, rows: Sequence[Row], query: str | None, unit: str = "line"
) -> Assessments:
    errors = ErrorList(name, unit)
    parsed = [(row.cells.get("query_id"), row.line, _parse_assessment(row, errors)) for row in rows]
    errors.raise_if_any()
    chosen = _choose_query(name, [query_id for query_id, _, _ in parsed], query)
    ours = [(line, assessment) for query_id, line, assessment in parsed if query_id == chosen]
    documents = _merge_repeats(ours, errors)
    errors.raise_if_any()
    return Assessments(
        name,
        fingerprint,
        chosen,
        documents,
        n_repeated=len(ours) - len(documents),
        n_others=len(parsed) - len(ours),
    )


def _parse_trec(source: Source) -> list[Row]:
    errors = ErrorList(source.name)
    rows: list[Row] = []
    for number, fields in source.fields():
        expected = (len(rows[0].cells),) if rows else (4, 5)
        if len(fields) not in expected:
            errors.add(_describe_wrong_width(len(fields), expected), number)
            continue
        rows.append(Row(number, dict(zip(TREC_COLUMNS, fields, strict=False))))
    errors.raise_if_any()
    if not rows:
        raise InputError(f"{source.name}: empty: no line with the columns {LAYOUT!r}")
    return rows


def _describe_wrong_width(count: int, expected: Sequence[int]) -> str:
    widths = " or ".join(map(str, expected))
    also = "" if len(expected) > 1 else ", as in the lines before"
    hint = "; a run goes with --run" if count == 6 else ""
    return f"{count} columns where {widths} are expected ({LAYOUT}){also}{hint}"


def _parse_assessment(row: Row, errors: ErrorList) -> Assessment:
    cells = row.cells
    for column in ("doc_id", "stratum"):
        if column in cells and not cells[column]:
            errors.add(f"no {column}", row.line)
    if isinstance(cells["doc_id"], AlteredCell):
        errors.add(
            f"doc_id {quote(str(cells['doc_id']))} is a date or a number of over 15 digits, which "
            "a spreadsheet has made of an id; format the cells as text and enter the ids again",
            row.line,
        )
    return Assessment(
        cells["doc_id"],
        _parse_relevance(row, errors),
        cells.get("stratum"),
        _parse_probability(row, errors) if "iprob" in cells else None,
    )


def _parse_relevance(row: Row, errors: ErrorList) -> int:
    text = row["relevance"]
    if INTEGER.fullmatch(text):
        return int(text)
    errors.add(
        f"relevance {quote(text)} is not an integer (1 or more: relevant; 0: not; below 0: "
        "could not be judged; in sheets also yes and no)",
        row.line,
    )
    return 0


def _parse_probability(row: Row, errors: ErrorList) -> Decimal:
    text = row["iprob"]
    try:
        value = Decimal(text) if DECIMAL.fullmatch(text) else Decimal(0)
    except InvalidOperation:  # an exponent of over 18 digits
        value = Decimal(0)
    if not MIN_PROBABILITY <= value <= 1:
        errors.add(
            f"iprob must be a probability from {MIN_PROBABILITY} to 1; got {quote(text)}",
            row.line,
        )
        return Decimal(1)
    return value


def _choose_query(source: str, queries: Iterable[str | None], query: str | None) -> str | None:
    """Return the query that is given, or the only one in the file."""
    names = list(dict.fromkeys(queries))
    if names == [None]:  # a table without such a column is about one query, which has no name
        return None
    first = ", ".join(map(quote, names[:3])) + (" ..." if len(names) > 3 else "")
    if query is None and len(names) > 1:
        raise DataError(f"{source}: {len(names):,} queries ({first}): select one with query")
    if query is not None and query not in names:
        raise DataError(f"{source}: no assessment of query {quote(query)}; there are {first}")
    return names[0] if query is None else query


def _merge_repeats(
    assessments: Iterable[tuple[int, Assessment]], errors: ErrorList
) -> tuple[Assessment, ...]:
    """Return every document once; add errors for those with different assessments."""
    documents: dict[str, tuple[int, Assessment]] = {}
    for line, assessment in assessments:
        doc_id = assessment.doc_id
        first_line, first = documents.setdefault(doc_id, (line, assessment))
        if first != assessment:
            errors.add(
                f"document {quote(doc_id)} was assessed differently on {errors.unit} {first_line}",
                line,
            )
    return tuple(assessment for _, assessment in documents.values())
