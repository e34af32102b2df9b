"""What is shown of the inputs: a few lines, warnings, and one table of numbers."""

from __future__ import annotations

from dataclasses import replace

from irbounds.presentation.registry import make_section, make_tables
from irbounds.results import Diagnosis, QrelsDiagnosis, RunDiagnosis

QRELS = QrelsDiagnosis("qrels", "sha256:0", 50, 5000, 4000, 300, 1, 0, 0, 0)
RUN = RunDiagnosis(
    *("a", "sha256:1", 50, 50_000, 40_000, 1000, 1000.0, 1000, 1.0, 0.9, 0, 0.0, 0.3, 0.3),
    *(0, 0, 0, 0, 0, False, ()),
)


def make_diagnosis(*runs, warnings=()):
    return Diagnosis(QRELS, runs, "judged", 50, tuple(warnings))


def test_diagnosis_says_if_nothing_is_unusual():
    odd = replace(RUN, name="b", judged_at_10=0.8, tied_share=0.2)
    first, judgments, runs = make_section([make_diagnosis(RUN, odd)]).sentences
    assert first == "Nothing is unusual."
    assert judgments == "judgments qrels (sha256 0): queries 50, judgments 5,000, relevant 300"
    assert runs == (
        "runs 2: entries 100,000, at most 1,000 per query; judged of the first 10: "
        "80.0 to 100.0 %; tied: 0.0 to 20.0 %"
    )
    lines = make_section([make_diagnosis(RUN, warnings=["x"])]).sentences
    assert lines[0].startswith("judgments")


def test_table_of_the_diagnosis_is_not_in_text(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    result = make_diagnosis(RUN, warnings=["a is unusual"])
    (table,) = make_tables([result])
    assert table.cells == (("a", "50", "50,000", "40,000", "1,000", "100.0/90.0 %", "0.0 %"),)
    assert "content of the runs" not in str(result)
    assert "warning: a is unusual" in str(result)
    assert "content of the runs" in result.to_markdown()
    assert [row["name"] for row in result.records()] == ["a"]
