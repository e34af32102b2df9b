"""Fixtures of the tests of readers."""

from __future__ import annotations

from datetime import date
from xml.sax.saxutils import escape
from zipfile import ZipFile

import pytest


@pytest.fixture
def directory(tmp_path, monkeypatch):
    """An empty working directory with a subdirectory ``s``."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s").mkdir()
    return tmp_path


CONTENT_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
FIRST_DAY = date(1899, 12, 30)  # of Excel's count of days


def _cell(value) -> str:
    if value is None:
        return "<c/>"
    if isinstance(value, bool):
        return f'<c t="b"><v>{value:d}</v></c>'
    if isinstance(value, date):
        return f'<c s="1"><v>{(value - FIRST_DAY).days}</v></c>'
    if isinstance(value, str) and value.startswith("="):  # a formula with its last value
        formula, _, cached = value[1:].partition(" -> ")
        kind = ' t="e"' if cached.startswith("#") else ""
        return f"<c{kind}><f>{formula}</f>{f'<v>{cached}</v>' if cached else ''}</c>"
    if isinstance(value, str):
        return f'<c t="inlineStr"><is><t xml:space="preserve">{escape(value)}</t></is></c>'
    return f"<c><v>{value}</v></c>"


@pytest.fixture
def write_workbook(tmp_path):
    """Return a function that writes a workbook: rows of values by the name of their worksheet."""

    def write_file(name, worksheets):
        parts = {
            "[Content_Types].xml": f'<Types xmlns="{CONTENT_TYPES}"><Default Extension="rels" '
            'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Override PartName="/xl/workbook.xml" ContentType="{TYPE}.sheet.main+xml"/></Types>',
            "_rels/.rels": f'<Relationships xmlns="{RELATIONS}"><Relationship Id="r1" '
            f'Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
            "xl/styles.xml": f'<styleSheet xmlns="{MAIN}"><cellXfs count="2"><xf numFmtId="0"/>'
            '<xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>',
        }
        sheets, relations = [], [
            f'<Relationship Id="s" Type="{OFFICE}/styles" Target="styles.xml"/>'
        ]  # fmt: skip
        for number, (title, rows) in enumerate(worksheets.items(), start=1):
            part = f"worksheets/sheet{number}.xml"
            sheets.append(f'<sheet name="{title}" sheetId="{number}" r:id="r{number}"/>')
            relations.append(
                f'<Relationship Id="r{number}" Type="{OFFICE}/worksheet" Target="{part}"/>'
            )
            lines = "".join(f"<row>{''.join(map(_cell, row))}</row>" for row in rows)
            parts[f"xl/{part}"] = (
                f'<worksheet xmlns="{MAIN}"><sheetData>{lines}</sheetData></worksheet>'
            )
        parts["xl/workbook.xml"] = (
            f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>{"".join(sheets)}</sheets>'
            "</workbook>"
        )
        parts["xl/_rels/workbook.xml.rels"] = (
            f'<Relationships xmlns="{RELATIONS}">{"".join(relations)}</Relationships>'
        )
        path = tmp_path / name
        with ZipFile(path, "w") as archive:
            for part, text in parts.items():
                archive.writestr(part, f'<?xml version="1.0" encoding="UTF-8"?>{text}')
        return path

    return write_file
