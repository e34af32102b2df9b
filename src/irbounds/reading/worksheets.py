"""Worksheets of Excel workbooks (``.xlsx``), which the extra ``irbounds[excel]`` reads.

A workbook is recognised by its first bytes, whatever its name is. Its only worksheet with content
is read. Cells become text as a person would type them: the number 800 is ``800``, whether or not
the worksheet shows decimals. Formulas are read as the values that were saved with them. A formula
that was never calculated and a formula whose value is an error, such as ``#DIV/0!``, are empty
cells.
"""

from __future__ import annotations

import re
import zlib
from datetime import date, datetime, time, timedelta
from functools import reduce
from io import BytesIO
from math import prod
from typing import Any
from xml.parsers.expat import ExpatError, ParserCreate
from zipfile import BadZipFile, ZipFile

from ..errors import InputError, quote_several
from .sources import WHITE_SPACE, Source

ZIP = b"PK\x03\x04"
OLD_WORKBOOK = bytes.fromhex("d0cf11e0a1b11ae1")  # also that of workbooks with a password
PLACE = re.compile(r"([A-Za-z]+)(\d+)", re.ASCII)  # of a cell, its column and its row
SHEET = b"sheetData"  # in every worksheet, and in no other part
MAX_CELLS = 4_000_000  # up to the last row and column with content
DAMAGED = (  # errors of the standard library about an archive or XML
    *(BadZipFile, EOFError, ExpatError, LookupError),
    *(OSError, RuntimeError, ValueError, zlib.error),
)
MAX_INTEGER = 1e15  # spreadsheets keep 15 digits of a number


class AlteredCell(str):
    """The text of a date, or of a number of over 15 digits: spreadsheets change ids into these."""

    __slots__ = ()


def is_workbook(head: bytes) -> bool:
    """Return whether the first bytes are those of a workbook, readable or not."""
    return head.startswith((ZIP, OLD_WORKBOOK))


def read_worksheet(source: Source) -> list[tuple[int, list[str]]]:
    """Return the number and the cells of each row with a value of the only worksheet with any."""
    data = source.read()
    _check_kind(source, data)
    package = _import_calamine(source.name)
    try:
        workbook = package.CalamineWorkbook.from_filelike(BytesIO(data))
        tables = {
            sheet.name: workbook.get_sheet_by_name(sheet.name).to_python(skip_empty_area=False)
            for sheet in workbook.sheets_metadata
            if sheet.typ == package.SheetTypeEnum.WorkSheet
        }
    except package.CalamineError as error:
        raise InputError(
            f"{source.name}: the workbook cannot be read: {' '.join(str(error).split())}; save it "
            "as .xlsx again, or as CSV UTF-8"
        ) from None
    filled = [
        name for name, table in tables.items() if any(cell != "" for row in table for cell in row)
    ]
    if len(filled) > 1:
        raise InputError(
            f"{source.name}: {len(filled)} worksheets have content ({quote_several(filled)}); keep "
            "one in the workbook, or save it as CSV UTF-8"
        )
    table = tables[filled[0]] if filled else []
    return _without_empty_columns([[_cell_text(value) for value in row] for row in table])


def _check_kind(source: Source, data: bytes) -> None:
    """Raise ``InputError`` unless the bytes are a workbook with at most ``MAX_CELLS`` cells."""
    if data.startswith(OLD_WORKBOOK):
        raise InputError(
            f"{source.name}: a workbook of the old kind (.xls), or one with a password; save it as "
            ".xlsx without a password, or as CSV UTF-8"
        )
    try:
        with ZipFile(BytesIO(data)) as archive:
            names = archive.namelist()
            parts = map(archive.read, archive.infolist())
            sizes = [_measure_worksheet(source.name, part) for part in parts if SHEET in part]
    except DAMAGED:
        raise InputError(f"{source.name}: a damaged workbook or zip archive") from None
    if "xl/workbook.xml" not in names:
        raise InputError(
            f"{source.name}: a zip archive without an .xlsx workbook, such as .ods and .xlsb; save "
            "the sheet as .xlsx or as CSV UTF-8"
        )
    if (n_cells := sum(map(prod, sizes))) > MAX_CELLS:
        height, width = max(sizes, key=prod)
        raise InputError(
            f"{source.name}: {n_cells:,} cells up to row {height:,} and column {width:,}, which "
            f"have content; at most {MAX_CELLS:,} are read; delete cells far from the table"
        )


def _measure_worksheet(name: str, worksheet: bytes) -> tuple[int, int]:
    """Return the last row and the last column with content; a cell given twice is an error.

    The reader keeps all cells up to these, and expects them in order.
    """
    height = width = row = column = 0
    before = (0, 0)

    def visit(tag: str, attributes: dict[str, str]) -> None:
        nonlocal height, width, row, column, before
        kind = tag.rpartition(":")[2]
        if kind == "row":
            row, column = int(attributes.get("r", row + 1)), 0
        elif kind == "c":
            column += 1
            if place := PLACE.fullmatch(attributes.get("r", "")):
                row = int(place[2])
                column = reduce(lambda k, letter: 26 * k + int(letter, 36) - 9, place[1], 0)
            if (row, column) <= before:
                raise InputError(
                    f"{name}: row {row}, column {column}: a cell that is there twice, or not in "
                    "order; save the workbook again, or as CSV UTF-8"
                )
            before = (row, column)
        elif kind in ("v", "is"):  # a cell with content
            height, width = max(height, row), max(width, column)

    parser = ParserCreate()
    parser.StartElementHandler = visit
    parser.Parse(worksheet, True)
    return height, width


def _import_calamine(name: str) -> Any:
    try:
        import python_calamine
    except ImportError as missing:
        raise InputError(
            f"{name}: a workbook of Excel, and {missing.name} is not installed; it comes with: "
            'pip install "irbounds[excel]"; or save the sheet as CSV UTF-8'
        ) from None
    return python_calamine


def _cell_text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        if abs(value) < MAX_INTEGER:
            return str(int(value)) if value.is_integer() else str(value)
        return AlteredCell(value)
    if isinstance(value, datetime | date | time | timedelta):
        return AlteredCell(value)
    return str(value)


def _without_empty_columns(rows: list[list[str]]) -> list[tuple[int, list[str]]]:
    """Return the number and the cells of each row with a value, without columns of empty cells."""
    filled = [place for place, cells in enumerate(zip(*rows, strict=True)) if any(cells)]
    numbered = [(number, [row[k] for k in filled]) for number, row in enumerate(rows, start=1)]
    return [(number, cells) for number, cells in numbered if "".join(cells).strip(WHITE_SPACE)]
