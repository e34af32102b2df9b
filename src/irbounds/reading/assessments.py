"""Assessed documents of a sample, with their stratum or their inclusion probability.

There are three layouts. TREC judgments (query, ignored, document, relevance) are a simple random
sample of each segment. A fifth column is the probability with which the document was drawn, as in
files of the TREC Legal Track. A sheet has the columns ``doc_id``, ``relevance`` and optionally
``query_id`` and one of ``stratum`` and ``iprob``. Relevance may be given in words, such as yes and
no. A document that was drawn but could not be judged has a negative relevance. An empty relevance
is an error, since the document was drawn but is not assessed yet.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from ..errors import DataError, InputError, quote
from ..results.drawn_sample import TITLE, read_cell
from .columns import DECIMAL, id_texts, integer_text
from .encodings import is_utf_16
from .error_list import ErrorList
from .sheets import SEPARATORS, Row, parse_source
from .sources import WHITE_SPACE, Source, detect_format
from .worksheets import AlteredCell, is_workbook

NAMES = {
    **{name: name for name in ("doc_id", "relevance", "query_id", "stratum", "iprob")},
    **dict.fromkeys(("docno", "docid", "document", "doc"), "doc_id"),
    **dict.fromkeys(("rel", "label", "judgment"), "relevance"),
    **dict.fromkeys(("topic", "qid", "query"), "query_id"),
}
NEEDED = ("doc_id", "relevance")
RELEVANT_WORDS = ("yes", "y", "true", "relevant", "responsive")
OTHER_WORDS = (
    *("no", "n", "false", "irrelevant", "nonresponsive", "nonrelevant"),
    *("not relevant", "non relevant", "not responsive", "non responsive"),
)
INTEGER = re.compile(r"([+-]?\d{1,9})([.,]0+)?", re.ASCII)  # frames write integers as 1.0
TREC_COLUMNS = ("query_id", "ignored", "doc_id", "relevance", "iprob")
LAYOUT = "query 0 document relevance [iprob]"
UNNAMED = "the assessments"
MIN_PROBABILITY = Decimal("1E-12")


@dataclass(frozen=True)
class Assessment:
    """A document of the sample, with its relevance."""

    doc_id: str
    relevance: int
    stratum: str | None = None
    #: the probability with which it was drawn, as it was written: its decimals say how exact it is
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
    warnings: tuple[str, ...] = ()
    #: the lines above the table
    comments: str = ""

    @property
    def has_strata(self) -> bool:
        """Whether documents name their stratum."""
        return self.documents[0].stratum is not None


def read_assessments(source: Any, query: str | None = None) -> Assessments:
    """Read the assessed documents of a query from a file or a dict of ids to relevances.

    The query need not be named if there is only one.
    """
    if isinstance(source, Mapping):
        return _read_mapping(source, query)
    if not isinstance(source, str | Path):
        raise InputError(
            f"{UNNAMED}: a path or a dict of ids to relevances is expected; "
            f"got {type(source).__name__}"
        )
    with Source(source) as file:
        if not file.peek():
            raise InputError(f"{file.name}: empty: the file has no content")
        if not _is_table(source, file):
            rows = _read_trec(file)
            return _collect_documents(file.name, file.fingerprint, rows, query)
        sheet = parse_source(file)
    rows, warnings = sheet.rows(NAMES, NEEDED)
    if TITLE in sheet.comments:
        rows = [
            replace(row, cells={**row.cells, "doc_id": read_cell(row["doc_id"])}) for row in rows
        ]
    assessments = _collect_documents(sheet.source, sheet.fingerprint, rows, query)
    return replace(assessments, warnings=warnings, comments=sheet.comments)


def _is_table(path: str | Path, source: Source) -> bool:
    head = source.peek()
    if is_workbook(head) or detect_format(path, source) in (".csv", ".tsv"):
        return True
    # a spreadsheet's "Unicode text", whose name does not say so
    return is_utf_16(head) and any(mark in head.decode("utf-16", "ignore") for mark in SEPARATORS)


def _read_mapping(source: Mapping[Any, Any], query: str | None) -> Assessments:
    if not source:
        raise InputError(f"{UNNAMED}: empty: no documents")
    errors = ErrorList(UNNAMED, "document")
    ids = id_texts(list(source), "document id", errors)
    errors.raise_if_any()
    texts = [
        value if isinstance(value, str) else integer_text(value) or quote(value)
        for value in source.values()
    ]
    pairs = [(doc_id.strip(WHITE_SPACE), text) for doc_id, text in zip(ids, texts, strict=True)]
    rows = [
        Row(UNNAMED, number, {"doc_id": doc_id, "relevance": text}, "document")
        for number, (doc_id, text) in enumerate(pairs, start=1)
    ]
    content = "\n".join(map("\t".join, pairs)).encode(errors="backslashreplace")
    fingerprint = f"sha256:{hashlib.sha256(content).hexdigest()}"
    return _collect_documents(UNNAMED, fingerprint, rows, query)


def _read_trec(source: Source) -> list[Row]:
    rows: list[Row] = []
    for number, fields in source.fields():
        expected = (len(rows[0].cells),) if rows else (4, 5)
        row = Row(source.name, number, dict(zip(TREC_COLUMNS, fields, strict=False)))
        if len(fields) not in expected:
            widths = " or ".join(map(str, expected))
            raise row.error(f"{len(fields)} columns where {widths} are expected ({LAYOUT})")
        rows.append(row)
    if not rows:
        raise InputError(f"{source.name}: empty: no line with the columns {LAYOUT!r}")
    return rows


def _collect_documents(
    name: str, fingerprint: str, rows: Sequence[Row], query: str | None
) -> Assessments:
    """Return every document of the query once; different assessments of one are an error."""
    chosen = _choose_query(name, rows, query)
    documents: dict[str, tuple[Row, Assessment]] = {}
    n_repeated = n_others = 0
    for row in rows:
        assessment = _parse_assessment(row)
        if chosen is not None and row["query_id"] != chosen:
            n_others += 1
            continue
        n_repeated += assessment.doc_id in documents
        first_row, first = documents.setdefault(assessment.doc_id, (row, assessment))
        if first != assessment:
            raise row.error(
                f"document {quote(assessment.doc_id)} was assessed differently on {row.unit} "
                f"{first_row.line}"
            )
    assessed = tuple(assessment for _, assessment in documents.values())
    return Assessments(name, fingerprint, chosen, assessed, n_repeated, n_others)


def _choose_query(source: str, rows: Sequence[Row], query: str | None) -> str | None:
    """Return the query that is given, or the only one in the file."""
    if "query_id" not in rows[0].cells:  # the table is about one query, which has no name
        return None
    names = list(dict.fromkeys(row["query_id"] for row in rows))
    first = ", ".join(map(quote, names[:3])) + (" ..." if len(names) > 3 else "")
    if query is None and len(names) > 1:
        raise DataError(f"{source}: {len(names):,} queries ({first}): select one with query")
    if query is not None and query not in names:
        raise DataError(f"{source}: no assessment of query {quote(query)}; there are {first}")
    return names[0] if query is None else query


def _parse_assessment(row: Row) -> Assessment:
    for column in ("doc_id", "stratum", "relevance"):
        if column in row.cells and not row[column]:
            raise row.error(
                f"no {column}; assess all documents of the sample, and give -1 to those that "
                "cannot be judged"
                if column == "relevance"
                else f"no {column}"
            )
    if isinstance(row["doc_id"], AlteredCell):
        raise row.error(
            f"doc_id {quote(str(row['doc_id']))} is a date or a number of over 15 digits, which a "
            "spreadsheet has made of an id; format the cells as text and enter the ids again"
        )
    if {"stratum", "iprob"} <= row.cells.keys():
        raise row.error("columns 'stratum' and 'iprob' exclude each other; remove one")
    return Assessment(
        row["doc_id"],
        _parse_relevance(row),
        row.cells.get("stratum"),
        _parse_probability(row) if "iprob" in row.cells else None,
    )


def _parse_relevance(row: Row) -> int:
    word = " ".join(row["relevance"].lower().replace("-", " ").split())
    if word in RELEVANT_WORDS:
        return 1
    if word in OTHER_WORDS:
        return 0
    integer = INTEGER.fullmatch(row["relevance"])
    if integer is None:
        raise row.error(
            f"relevance {quote(row['relevance'])} is not an integer (1 or more: relevant; 0: not; "
            "below 0: could not be judged; also yes and no)"
        )
    return int(integer[1])


def _parse_probability(row: Row) -> Decimal:
    text = row["iprob"]
    try:
        value = Decimal(text) if DECIMAL.fullmatch(text) else Decimal(0)
    except InvalidOperation:  # an exponent of over 18 digits
        value = Decimal(0)
    if not MIN_PROBABILITY <= value <= 1:
        raise row.error(
            f"iprob must be a probability from {MIN_PROBABILITY} to 1; got {quote(text)}"
        )
    return value
