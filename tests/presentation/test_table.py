"""Tables in every format, with names that bite."""

from __future__ import annotations

import csv
import io
import json

from irbounds.presentation.table import FORMATS, Table, render

NASTY = 'a,"b|c_d&e%\\f'
TABLE = Table(
    title="T",
    headings=("system", "mean"),
    cells=((NASTY, "0.5"), ("b", "-")),
    records=({"system": NASTY, "mean": 0.5}, {"system": "b", "mean": float("nan")}),
)


def test_programs_get_full_records_and_no_nan():
    rows = list(csv.DictReader(io.StringIO(render([TABLE], "csv", {}))))
    assert rows == [{"system": NASTY, "mean": "0.5"}, {"system": "b", "mean": ""}]
    whole = json.loads(render([TABLE], "json", {"irbounds": "x"}))
    assert whole == {
        "irbounds": "x",
        "results": [{"system": NASTY, "mean": 0.5}, {"system": "b", "mean": None}],
    }
    lines = render([TABLE], "jsonl", {}).splitlines()
    assert [json.loads(line) for line in lines] == whole["results"]


def test_people_get_rounded_cells_with_names_escaped():
    assert '| a,"b\\|c_d&e%\\\\f | 0.5 |' in render([TABLE], "markdown", {})
    latex = render([TABLE], "latex", {})
    assert r"a,''{}b$|$c\_d\&e\%\textbackslash{}f & 0.5 \\" in latex
    assert latex.count("rule") == 3


def test_two_tables_of_each_format():
    for form in FORMATS:
        assert render([TABLE, TABLE], form, {}).count("0.5") == 2
