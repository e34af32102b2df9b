"""What an auditor signs below."""

from __future__ import annotations

import pytest

from irbounds.recall.intervals import sample_estimates
from irbounds.report.recall_audit import audit_sections, counts_table, limits_table
from irbounds.results import Sample, Stratum

STRATA = (
    Stratum("top", True, 500, 50, 40, 48),
    Stratum("next", True, 1_500, 50, 10),
    Stratum("unretrieved", False, 100_000, 40, 3),
)


@pytest.fixture
def sample() -> Sample:
    return Sample(STRATA)


def test_every_count_stands_in_a_row_with_its_weight(sample):
    table = counts_table([sample])
    assert table.headings == (
        "stratum", "population", "sampled", "assessable", "relevant", "weight",
    )  # fmt: skip
    assert table.cells == (
        ("top (retrieved)", "500", "50", "48", "40", "10"),
        ("next (retrieved)", "1,500", "50", "50", "10", "30"),
        ("unretrieved", "100,000", "40", "40", "3", "2,500"),
        ("total", "102,000", "140", "138", "53", ""),
    )
    assert [record["weight"] for record in table.records] == [10, 30, 2500]


def test_a_stratum_without_a_sample_has_no_weight():
    table = counts_table([Sample((Stratum("a", True, 10, 0, 0), STRATA[2]))])
    assert table.cells[0][-1] == "-"


def test_the_plan_says_what_was_drawn_from_where(sample):
    drawn, *others = audit_sections([sample], sample_estimates(sample))[0].sentences
    assert drawn == (
        "Drawn: 50 of the 500 documents of top (retrieved); 50 of the 1,500 documents of next "
        "(retrieved); 40 of the 100,000 unretrieved documents."
    )
    assert any("without replacement" in line for line in others)
    assert any("could not be judged" in line for line in others)


def test_all_assessed_and_all_judged_are_said_to_be(sample):
    whole = Sample((Stratum("retrieved", True, 20, 20, 5), STRATA[2]))
    sentences = audit_sections([whole], sample_estimates(whole))[0].sentences
    assert sentences[0].startswith("Drawn: all 20 retrieved documents; 40 of")
    assert not any("could not be judged" in line for line in sentences)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_both_kinds_of_interval_whatever_was_asked_for(sample, alternative):
    (found,) = sample_estimates(sample, quantities=("recall",), alternative=alternative)
    two_sided, bounded = found.at(0.95, "two-sided"), found.at(0.95, "greater")
    (record,) = limits_table([found]).records
    assert (record["low"], record["high"]) == (two_sided.interval.low, two_sided.interval.high)
    assert record["lower_limit"] == bounded.interval.low
    assert record["low"] < record["lower_limit"] < record["high"]


def test_the_sentence_has_the_tables_numbers(sample):
    estimates = sample_estimates(sample, quantities=("recall",))
    section = audit_sections([sample], estimates)[1]
    (cells,) = section.tables[0].cells
    _, _, _, number, low, high, limit = cells
    assert section.sentences[0] == (
        f"By beta-binomial with prior 0.5, recall is estimated at {number}; its 95 % interval is "
        f"{low} to {high}, and with 95 % confidence recall is at least {limit}."
    )


def test_many_sets_are_told_apart_and_have_no_single_sentence():
    samples = [Sample(STRATA, name, "7") for name in ("A", "B")]
    estimates = [one for each in samples for one in sample_estimates(each, quantities=("recall",))]
    counts, limits = audit_sections(samples, estimates)
    assert counts.tables[0].headings[0] == "system"
    assert {row[0] for row in counts.tables[0].cells} == {"A", "B"}
    assert len(limits.sentences) == 1
