"""What is said of the inputs: only what was looked at, and what is worth a look."""

from __future__ import annotations

from dataclasses import replace

import pytest

from irbounds.presentation.registry import View, make_section, make_tables
from irbounds.results import Diagnosis, QrelsDiagnosis, RunDiagnosis, TieEffect
from irbounds.results.input_diagnosis import check_lines, diagnosis_sentences, summary_lines
from irbounds.scores.scoring import tie_effects

NOTHING_FOUND = "No queries are missing, nothing is repeated or out of order."
QRELS = QrelsDiagnosis("qrels", "sha256:0", 50, 5000, 4000, 300, 1, 0, 0, 0)
RUN = RunDiagnosis(
    *("a", "sha256:1", 50, 50_000, 40_000, 1000, 1000.0, 1000, 1.0, 0.9, 0, 0.0, 0.3, 0.3),
    *(0, 0, 0, 0, 0, False, ()),
)


def make_diagnosis(*runs, warnings=()):
    return Diagnosis(QRELS, runs, "judged", 50, tuple(warnings))


def make_sentences(*runs, warnings=()):
    return diagnosis_sentences(make_diagnosis(*runs, warnings=warnings))


def test_diagnosis_of_clean_runs_lists_checks():
    assert make_sentences(RUN, replace(RUN, name="b")) == [NOTHING_FOUND]


@pytest.mark.parametrize("flaw", ["n_missing", "n_duplicates", "n_rank_contradictions"])
def test_diagnosis_does_not_report_irregularities_as_absent(flaw):
    assert make_sentences(RUN, replace(RUN, **{flaw: 1})) == []


def test_diagnosis_counts_findings():
    assert make_sentences(RUN, warnings=["one"]) == ["1 unusual finding, listed among the inputs."]
    assert make_sentences(RUN, warnings=["one", "two"]) == [
        "2 unusual findings, listed among the inputs."
    ]


def make_tie_effect(measure="nDCG@10", system="a", worst=0.2, best=0.25):
    return TieEffect(system, measure, 10, 0.1, 50, 5, worst, worst, worst, best)


def test_diagnosis_without_findings_is_one_line():
    odd = replace(RUN, name="b", judged_at_10=0.8, tied_share=0.2)
    (line,) = check_lines(make_diagnosis(RUN, odd))
    assert line == (
        "nothing unusual: 2 runs, 50 queries; 80.0 to 100.0 % of the first 10 judged, "
        "0.0 to 20.0 % of entries tied"
    )
    (line,) = check_lines(make_diagnosis(RUN, warnings=["x"]))
    assert line.startswith("1 run, 50 queries; 100.0 % of")


def test_diagnosis_lines_mention_ties_unless_a_warning_does():
    tied = replace(RUN, name="b", tie_high=0.3008)
    effects = [
        make_tie_effect(),
        make_tie_effect(system="b", best=0.3),
        make_tie_effect("AP"),
        make_tie_effect("P@5"),
    ]
    effects[-1] = replace(effects[-1], best=effects[-1].worst)
    _, *lines = check_lines(make_diagnosis(RUN, tied), effects)
    assert lines == [
        "ties leave the mean AP open by up to 0.0008 (b: 0.3000 to 0.3008)",
        "ties leave the mean nDCG@10 open by up to 0.1000 (b: 0.2000 to 0.3000)",
    ]
    _, *lines = check_lines(
        make_diagnosis(RUN, replace(tied, tie_high=0.302), warnings=["x"]), effects
    )
    assert [line for line in lines if " AP " in line] == []


def test_verbose_diagnosis_has_lines_of_other_commands_and_ties():
    result = make_diagnosis(RUN)
    *lines, ties = check_lines(result, [make_tie_effect()], verbose=True)
    assert lines == summary_lines(result)
    assert "nDCG@10" in ties


def test_diagnosis_tables_are_details_unless_verbose(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    result = make_diagnosis(RUN, warnings=["a is unusual"])
    for verbose in (False, True):
        tables = make_tables([result], View(verbose=verbose))
        assert {table.is_detail for table in tables} == {not verbose}
        assert len(tables) == 3
    first, *others = str(result).splitlines()
    assert first.startswith("1 run, 50 queries")
    assert others[0] == "warning: a is unusual"
    assert others[1].startswith("3 tables of numbers: --output")
    assert len(others) == 2
    assert "content of the runs" in result.to_markdown()
    assert [row["name"] for row in result.records()] == ["a"]


def make_effect(n_affected, span):
    return TieEffect("a", "AP", 10, 0.1, 50, n_affected, 0.3, 0.3, 0.3, 0.3 + span)


def test_tie_span_below_decimals():
    """A rounding error is not an effect; effects below the decimals are "less than" one."""
    effects = [
        make_effect(0, 0.0),
        make_effect(0, 1e-17),
        make_effect(3, 0.00001),
        make_effect(3, 0.00006),
    ]
    (table,) = make_tables(effects)
    assert [row[-1] for row in table.cells] == ["0", "0", "<0.0001", "0.0001"]
    (coarse,) = make_tables(effects, View(digits=2))
    assert [row[-1] for row in coarse.cells] == ["0", "0", "<0.01", "<0.01"]


def test_tie_row_has_mean_per_rule_and_bar_from_worst_to_best():
    tie_result = TieEffect("a", "AP", 1234, 0.1, 50, 3, 0.31, 0.32, 0.30, 0.35)
    (table,) = make_tables([tie_result])
    assert table.title == "ties: mean AP by each rule"
    assert table.headings == ("run", "tied", "queries", "trec", "expected", "worst", "best", "span")
    assert table.cells == (("a", "1,234", "3", "0.3100", "0.3200", "0.3000", "0.3500", "0.0500"),)
    assert table.bars == ((0.30, 0.31, 0.35),)


def test_tie_sentences_with_and_without_effect():
    qrels = {"q": {"a": 0, "b": 1}}
    runs = {"all": {"q": {"a": 1.0, "b": 1.0}}, "none": {"q": {"a": 1.0, "b": 2.0}}}
    assert make_section(tie_effects(qrels, runs, "RR")).sentences == [
        "RR: by the order within ties the mean of all could be anything from 0.5000 to 1.0000, a "
        "span of 0.5000; no other run's is wider."
    ]
    assert make_section(tie_effects(qrels, {"none": runs["none"]}, "RR")).sentences == [
        "RR: ties move no run's mean by as much as 0.0001."
    ]
