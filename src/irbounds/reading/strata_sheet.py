"""Sheets of strata: one line per stratum, with its counts and whether it was retrieved."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ..errors import InputError, quote
from ..results import InputFile, Stratum
from ..results.samples import CHECK_FIELDS, Sample, name_segment
from .sheets import Row, Sheet, read_sheet

ALL = "all"  # of a stratum were sampled
SIZE_COLUMNS = ("stratum", "retrieved", "population")
STRATA_COLUMNS = (*SIZE_COLUMNS, "sampled", "relevant")
NOT_SAMPLED = {"sampled": "0", "relevant": "0"}
OPTIONAL = ("assessable", *CHECK_FIELDS)
NAMES = {name: name for name in (*STRATA_COLUMNS, *OPTIONAL)}
TRUE_WORDS = ("yes", "y", "true", "1", "r", "retrieved")
FALSE_WORDS = ("no", "n", "false", "0", "unretrieved")
TOTAL_WORDS = {"total", "totals", "sum", "all", "gesamt", "insgesamt", "summe"}


def read_strata(path: str | Path) -> Sample:
    """Read a sheet of strata: CSV with commas or semicolons, TSV, or a workbook of Excel.

    The columns are ``stratum, retrieved, population, sampled, relevant[, assessable]``, in any
    order, and the four counts of a second assessment. ``retrieved`` is yes or no, ``sampled`` may
    be ``all``.
    """
    sheet = read_sheet(path)
    return _read_rows(sheet, *sheet.rows(NAMES, STRATA_COLUMNS))


def read_populations(path: str | Path) -> Sample:
    """Read strata whose samples are not counted yet: ``stratum, retrieved, population``."""
    sheet = read_sheet(path)
    rows, warnings = sheet.rows(NAMES, SIZE_COLUMNS)
    sizes = [
        replace(row, cells={name: row[name] for name in SIZE_COLUMNS} | NOT_SAMPLED) for row in rows
    ]
    return _read_rows(sheet, sizes, warnings)


def _read_rows(sheet: Sheet, rows: Sequence[Row], warnings: tuple[str, ...]) -> Sample:
    strata: dict[tuple[str, bool], Stratum] = {}
    for row in rows:
        stratum = _parse_stratum(row)
        # a part of the corpus that is retrieved in part is two strata with one name
        key = (stratum.name, stratum.retrieved)
        if key in strata:
            raise row.error(
                f"stratum {quote(stratum.name)} ({name_segment(stratum)}) is there twice"
            )
        strata[key] = stratum
    if len({is_retrieved for _, is_retrieved in strata}) < 2:
        raise InputError(
            f"{sheet.source}: every stratum is {name_segment(stratum)}: recall needs both "
            "segments; one without documents is a stratum with a population of 0"
        )
    return Sample(
        tuple(strata.values()), (InputFile(sheet.source, sheet.fingerprint),), (), warnings
    )


def _parse_stratum(row: Row) -> Stratum:
    if not row["stratum"]:
        raise row.error("a stratum without a name")
    word = row["retrieved"].lower()
    if word not in TRUE_WORDS + FALSE_WORDS:
        words = re.findall(r"\w+", f"{row['stratum']} {word}".lower())
        hint = "; is this a row of totals? delete it" if set(words) & TOTAL_WORDS else ""
        raise row.error(
            f"retrieved must be yes ({', '.join(TRUE_WORDS[1:])}) or no "
            f"({', '.join(FALSE_WORDS[1:])}); got {quote(row['retrieved'])}{hint}"
        )
    population = row.count("population")
    stratum = Stratum(
        row["stratum"],
        word in TRUE_WORDS,
        population,
        population if row["sampled"].lower() == ALL else row.count("sampled"),
        row.count("relevant"),
        **{
            column: row.count(column)
            for column in OPTIONAL
            # an empty cell: nothing was assessed again
            if row[column] or (column == "assessable" and column in row.cells)
        },
    )
    if contradiction := stratum.find_contradiction():
        raise row.error(contradiction)
    return stratum
