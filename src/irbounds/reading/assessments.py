"""Assessed documents of a sample, with their stratum or their inclusion probability.

Three layouts. Judgments as TREC has them (query, ignored, document, relevance) are a simple random
sample of each segment. A fifth column is the probability with which the document was drawn, as the
TREC Legal Track has published it. A CSV or TSV file names its columns: ``doc_id``, ``relevance``
and, if wanted, ``query_id`` and one of ``stratum`` and ``iprob``; others are passed over with a
warning.

A document that was drawn but could not be judged has a negative relevance. Samples are small, so
they are read line by line in plain Python; the probability is kept as it was written, because the
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
from .columns import DECIMAL, id_texts, integer_text
from .error_list import Problems
from .sheets import Row, parse_sheet
from .sources import BLANKS, Source, file_ending

TREC_COLUMNS = ("query_id", "ignored", "doc_id", "relevance", "iprob")
WHOLE = re.compile(r"[+-]?\d{1,9}", re.ASCII)
UNNAMED = "the assessments"
LEAST_PROBABILITY = Decimal("1E-12")
LAYOUT = "query 0 document relevance [iprob]"
SPELLINGS = {
    **dict.fromkeys(("docno", "docid", "document", "doc"), "doc_id"),
    **dict.fromkeys(("rel", "label", "judgment"), "relevance"),
    **dict.fromkeys(("topic", "qid", "query"), "query_id"),
}


@dataclass(frozen=True)
class Assessment:
    """One document that was drawn, and what was said of it."""

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
    #: identical assessments given more than once, merged
    n_repeated: int = 0
    #: assessments of other queries, left out
    n_others: int = 0
    #: sentences on what else was passed over
    warnings: tuple[str, ...] = ()

    @property
    def has_strata(self) -> bool:
        """Whether documents name their stratum."""
        return self.documents[0].stratum is not None

    @property
    def has_probabilities(self) -> bool:
        """Whether documents have the probability with which they were drawn."""
        return self.documents[0].iprob is not None


def read_assessments(source: Any, query: str | None = None) -> Assessments:
    """The assessed documents of a query, from a file or a dict of ids to relevances.

    The query need not be named where there is only one.
    """
    if isinstance(source, Mapping):
        return _from_mapping(source, query)
    if not isinstance(source, str | Path):
        raise InputError(
            f"{UNNAMED}: a path or a dict of ids to relevances is expected; "
            f"got {type(source).__name__}"
        )
    with Source(source) as file:
        rows, warnings = _rows(source, file)
        found = _from_rows(file.name, file.fingerprint, rows, query)
        return replace(found, warnings=warnings)


def _rows(path: str | Path, source: Source) -> tuple[list[Row], tuple[str, ...]]:
    is_table = file_ending(path, source) in (".csv", ".tsv")
    problems = Problems(source.name)
    warnings: tuple[str, ...] = ()
    if is_table:
        rows, warnings = _table_rows(source.name, source.text())
    else:
        rows = _trec_rows(source, problems)
    problems.raise_if_any()
    if not rows:
        raise InputError(f"{source.name}: empty: no line with the columns {LAYOUT!r}")
    return rows, warnings


def _from_mapping(source: Mapping[Any, Any], query: str | None) -> Assessments:
    if not source:
        raise InputError(f"{UNNAMED}: empty: no documents")
    problems = Problems(UNNAMED, "document")
    ids = id_texts(list(source), "document id", problems)
    problems.raise_if_any()
    rows = [
        Row(number, {"doc_id": doc_id.strip(BLANKS), "relevance": _relevance_text(relevance)})
        for number, (doc_id, relevance) in enumerate(zip(ids, source.values(), strict=True), 1)
    ]
    text = "\n".join(f"{row['doc_id']}\t{row['relevance']}" for row in rows)
    fingerprint = f"sha256:{hashlib.sha256(text.encode(errors='backslashreplace')).hexdigest()}"
    return _from_rows(UNNAMED, fingerprint, rows, query, unit="document")


def _relevance_text(relevance: object) -> str:
    """Return a relevance as a file has it; what is neither text nor an integer as a message has."""
    return relevance if isinstance(relevance, str) else integer_text(relevance) or quote(relevance)


def _from_rows(
    name: str, fingerprint: str, rows: Sequence[Row], query: str | None, unit: str = "line"
) -> Assessments:
    problems = Problems(name, unit)
    found = [(row.cells.get("query_id"), row.line, _assessment(row, problems)) for row in rows]
    problems.raise_if_any()
    chosen = _chosen_query(name, [one[0] for one in found], query)
    ours = [(line, one) for query_id, line, one in found if query_id == chosen]
    documents = _distinct(ours, problems)
    problems.raise_if_any()
    return Assessments(
        name,
        fingerprint,
        chosen,
        documents,
        n_repeated=len(ours) - len(documents),
        n_others=len(found) - len(ours),
    )


def _trec_rows(source: Source, problems: Problems) -> list[Row]:
    rows: list[Row] = []
    for number, fields in source.fields():
        expected = (len(rows[0].cells),) if rows else (4, 5)
        if len(fields) not in expected:
            problems.add(_wrong_width(len(fields), expected), number)
            continue
        rows.append(Row(number, dict(zip(TREC_COLUMNS, fields, strict=False))))
    return rows


def _wrong_width(count: int, expected: Sequence[int]) -> str:
    wanted = " or ".join(map(str, expected))
    also = "" if len(expected) > 1 else ", as in the lines before"
    hint = "; a run goes with --run" if count == 6 else ""
    return f"{count} columns where {wanted} are expected ({LAYOUT}){also}{hint}"


def _table_rows(name: str, text: str) -> tuple[list[Row], tuple[str, ...]]:
    sheet = parse_sheet(name, text, "")
    also = {heading: SPELLINGS.get(heading.lower(), heading.lower()) for heading in sheet.headings}
    meanings = sheet.meanings(("doc_id", "relevance"), ("stratum", "iprob", "query_id"), also)
    if "stratum" in meanings and "iprob" in meanings:
        raise InputError(f"{name}: columns 'stratum' and 'iprob' are two ways to say one thing")
    return sheet.rows(meanings), meanings.warnings


def _assessment(row: Row, problems: Problems) -> Assessment:
    cells = row.cells
    for column in ("doc_id", "stratum"):
        if column in cells and not cells[column]:
            problems.add(f"no {column}", row.line)
    return Assessment(
        cells["doc_id"],
        _relevance(row, problems),
        cells.get("stratum"),
        _probability(row, problems) if "iprob" in cells else None,
    )


def _relevance(row: Row, problems: Problems) -> int:
    text = row["relevance"]
    if WHOLE.fullmatch(text):
        return int(text)
    problems.add(
        f"relevance {quote(text)} is not a whole number (1 or more: relevant; 0: not; below 0: "
        "could not be judged)",
        row.line,
    )
    return 0


def _probability(row: Row, problems: Problems) -> Decimal:
    text = row["iprob"]
    try:
        value = Decimal(text) if DECIMAL.fullmatch(text) else Decimal(0)
    except InvalidOperation:  # an exponent of over 18 digits
        value = Decimal(0)
    if not LEAST_PROBABILITY <= value <= 1:
        problems.add(
            f"iprob must be a probability from {LEAST_PROBABILITY} to 1; got {quote(text)}",
            row.line,
        )
        return Decimal(1)
    return value


def _chosen_query(source: str, queries: Iterable[str | None], wanted: str | None) -> str | None:
    names = list(dict.fromkeys(queries))
    if names == [None]:  # a table without such a column is about one query, whichever that is
        return None
    shown = ", ".join(map(quote, names[:3])) + (" ..." if len(names) > 3 else "")
    if wanted is None and len(names) > 1:
        raise DataError(f"{source}: {len(names):,} queries ({shown}): say which one with query")
    if wanted is not None and wanted not in names:
        raise DataError(f"{source}: no assessment of query {quote(wanted)}; there are {shown}")
    return names[0] if wanted is None else wanted


def _distinct(
    found: Iterable[tuple[int, Assessment]], problems: Problems
) -> tuple[Assessment, ...]:
    """Every document once; one that is there with two relevances is a contradiction."""
    documents: dict[str, tuple[int, Assessment]] = {}
    for line, one in found:
        first_line, first = documents.setdefault(one.doc_id, (line, one))
        if first != one:
            problems.add(
                f"document {quote(one.doc_id)} was assessed otherwise on line {first_line}", line
            )
    return tuple(one for _, one in documents.values())
