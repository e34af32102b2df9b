"""Sheets of assessments, filled in by people or exported by ASReview.

The columns are ``doc_id``, ``relevance`` and optionally ``query_id`` and one of ``stratum`` and
``iprob``. Other columns are ignored with a warning. Relevance may be given in words, such as yes
and no. A sheet with an empty relevance is refused, since the document was drawn but is not assessed
yet.

Exports of ASReview list the whole data set with a label for the records that were screened. Version
1 writes ``record_id`` and ``included`` (or ``label_included``), version 2 ``asreview_label`` next
to the columns of the user's own file. Records without a label are left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from ..errors import InputError, quote, quote_several
from ..presentation.phrases import pluralise
from ..results.drawn_sample import Draw, parse_draw, read_cell
from .sheets import Row, Sheet, parse_source
from .sources import Source

SPELLINGS = {
    **dict.fromkeys(("docno", "docid", "document", "doc"), "doc_id"),
    **dict.fromkeys(("rel", "label", "judgment"), "relevance"),
    **dict.fromkeys(("topic", "qid", "query"), "query_id"),
}
NEEDED = ("doc_id", "relevance")
OPTIONAL = ("stratum", "iprob", "query_id")
#: labels of ASReview, in the order in which they are preferred
LABEL = "asreview_label"
LABELS = (LABEL, "included", "label_included")
RECORD = "record_id"
RELEVANT_WORDS = ("yes", "y", "true", "relevant", "responsive")
OTHER_WORDS = (
    *("no", "n", "false", "irrelevant", "nonresponsive", "nonrelevant"),
    *("not relevant", "non relevant", "not responsive", "non responsive"),
)
DECIMAL_ZEROS = re.compile(r"([+-]?\d{1,9})[.,]0+", re.ASCII)
MAX_NAMED = 3  # lines without a relevance that are named


@dataclass(frozen=True)
class AssessmentTable:
    """Rows by the meaning of their columns, with relevances as integers where they are known."""

    rows: Sequence[Row]
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    #: what the number of a row counts
    unit: str = "line"
    #: what ``irbounds draw`` wrote above the table
    draw: Draw | None = None
    #: whether it is an export of ASReview
    is_export: bool = False


def read_assessment_table(source: Source) -> AssessmentTable:
    """Read a sheet of assessments, or an export of ASReview."""
    sheet = parse_source(source)
    also = {heading: SPELLINGS.get(heading.lower(), heading.lower()) for heading in sheet.headings}
    label = _find_label(set(also.values()))
    table = _parse_table(sheet, also) if label is None else _parse_export(sheet, also, label)
    if {"stratum", "iprob"} <= table.rows[0].cells.keys():
        raise InputError(
            f"{sheet.source}: columns 'stratum' and 'iprob' exclude each other; remove one"
        )
    rows, words = _take_words(sheet.source, table.rows)
    notes = (*sheet.notes, *table.notes, *words)
    draw = parse_draw(sheet.source, sheet.comments)
    if draw is not None and not table.is_export:
        rows = [replace(r, cells={**r.cells, "doc_id": read_cell(r["doc_id"])}) for r in rows]
    return replace(table, rows=rows, notes=notes, unit=sheet.unit, draw=draw)


def _parse_table(sheet: Sheet, also: Mapping[str, str]) -> AssessmentTable:
    meanings = sheet.meanings(NEEDED, OPTIONAL, also)
    rows = sheet.rows(meanings)
    missing = [row.line for row in rows if not row["relevance"]]
    if missing:
        lines = ", ".join(map(str, missing[:MAX_NAMED]))
        more = " ..." if len(missing) > MAX_NAMED else ""
        raise InputError(
            f"{sheet.source}: {len(missing):,} of {pluralise(len(rows), 'document')} not assessed "
            f"yet: no relevance on {sheet.unit} {lines}{more}; assess them, and give -1 to "
            "documents that cannot be judged"
        )
    return AssessmentTable(rows, warnings=meanings.warnings)


def _find_label(columns: Collection[str]) -> str | None:
    """Return ASReview's column of labels; None if the sheet is not an export of ASReview."""
    if "relevance" in columns and LABEL not in columns:
        return None
    return next((name for name in LABELS if name in columns), None)


def _parse_export(sheet: Sheet, also: Mapping[str, str], label: str) -> AssessmentTable:
    """Return the rows of an export that have a label."""
    ids = next((name for name in ("doc_id", RECORD) if name in also.values()), None)
    if ids is None:
        raise InputError(
            f"{sheet.source}: an export of ASReview without a column 'doc_id' or {RECORD!r}; name "
            f"the column of document ids doc_id; got {quote_several(sheet.headings)}"
        )
    names = {ids: "doc_id", label: "relevance"}
    known = {heading: names.get(spelt, "") for heading, spelt in also.items()}
    rows = sheet.rows(sheet.meanings(NEEDED, (), known))
    labelled = [row for row in rows if row["relevance"]]
    if not labelled:
        raise InputError(f"{sheet.source}: no record has a label in column {quote(label)}")
    n_others = len(rows) - len(labelled)
    others = f", {n_others:,} without a label left out" if n_others else ""
    note = (
        f"{sheet.source}: export of ASReview, ids in column {quote(ids)}, labels in column "
        f"{quote(label)}: {pluralise(len(labelled), 'labelled record')}{others}"
    )
    return AssessmentTable(labelled, (note,), is_export=True)


def _take_words(source: str, rows: Sequence[Row]) -> tuple[list[Row], tuple[str, ...]]:
    """Return rows with relevances in words as integers, and a note on the words."""
    taken = []
    words: Counter[tuple[str, str]] = Counter()
    for row in rows:
        text = row["relevance"]
        relevance = _relevance_of_word(text)
        if relevance:
            words[text.lower(), relevance] += 1
        elif decimals := DECIMAL_ZEROS.fullmatch(text):  # as frames write integers with gaps
            relevance = decimals[1]
        taken.append(replace(row, cells={**row.cells, "relevance": relevance or text}))
    meanings = {"1": "relevant", "0": "not relevant"}
    described = [
        f"{quote(word)} ({count:,}) is {meanings[relevance]}"
        for (word, relevance), count in words.items()
    ]
    note = f"{source}: relevance in words: {', '.join(described)}"
    return taken, (note,) if words else ()


def _relevance_of_word(text: str) -> str:
    """Return 1 or 0 for a word that means relevant or not; nothing for other text."""
    word = " ".join(text.lower().replace("-", " ").split())
    if word in RELEVANT_WORDS:
        return "1"
    return "0" if word in OTHER_WORDS else ""
