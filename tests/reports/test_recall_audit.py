"""What an auditor signs below."""

from __future__ import annotations

import pytest

import irbounds
from irbounds.reports.recall_audit import ATTESTATION, audit_sections, limits_table
from irbounds.results import Sample, Stratum
from irbounds.results.samples import counts_table
from irbounds.samples import all_recall_intervals
from irbounds.samples.recall_intervals import sample_estimates

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


def test_all_assessed_and_all_judged_are_said_to_be():
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


@pytest.mark.parametrize(
    ("alternative", "headings"),
    [
        ("two-sided", ("quantity", "lower limit")),
        ("greater", ("quantity", "low", "high")),
        ("less", ("quantity", "low", "high", "lower limit")),
    ],
)
def test_the_table_has_only_what_was_not_asked_for(sample, alternative, headings):
    found = sample_estimates(sample, quantities=("recall", "yield"), alternative=alternative)
    table = limits_table(found)
    assert table.headings == headings
    assert "chosen beforehand" in table.title
    shown = {"low": "0.03", "high": "0.25", "lower limit": "0.039"}
    assert table.cells[0][1:] == tuple(shown[name] for name in headings[1:])


def test_no_program_has_seen_that_samples_are_random(sample):
    sentences = audit_sections([sample], sample_estimates(sample))[0].sentences
    assert not any(line.startswith("Within a stratum") for line in sentences)
    (supposed,) = (line for line in sentences if "same chance to be drawn" in line)
    assert supposed.startswith("The intervals assume that within a stratum every document had")
    assert supposed.endswith("irbounds cannot check this; whoever signs below confirms it.")


def test_what_is_to_be_filled_in_stands_above_the_signature():
    assert ATTESTATION[0] == "Matter"
    assert ATTESTATION[-4:] == ("Name", "Role", "Date", "Signature")
    assert "drawn at random from the populations listed above, by (how)" in ATTESTATION[1]
    assert any("assessments by" in line for line in ATTESTATION)


def test_one_statement_to_quote_with_all_that_it_rests_on(sample):
    section = audit_sections([sample], sample_estimates(sample))[1]
    assert section.sentences[0] == (
        "To quote: Of 2,000 retrieved documents in 2 strata 100 were drawn at random (2 could "
        "not be judged), 50 of them relevant; of 100,000 unretrieved documents 40 were drawn "
        "at random, 3 of them relevant. Recall is between 0.03 and 0.25 (95 % interval, "
        f"beta-binomial with prior 0.5, irbounds {irbounds.__version__}); the estimate is 0.09."
    )
    assert not any("at least" in line for line in section.sentences)


def test_one_document_is_said_in_the_singular():
    sample = Sample((Stratum("retrieved", True, 1, 1, 1), Stratum("unretrieved", False, 20, 1, 0)))
    plan, statement = (
        " ".join(section.sentences)
        for section in audit_sections([sample], sample_estimates(sample))[:2]
    )
    assert "Drawn: the only retrieved document; 1 of the 20 unretrieved documents" in plan
    assert "Of 1 retrieved document that one was drawn, 1 of them relevant;" in statement
    assert "of 20 unretrieved documents 1 was drawn at random" in statement


@pytest.mark.parametrize(
    ("alternative", "said"),
    [("greater", "Recall is at least 0.039 ("), ("less", "Recall is at most 0.21 (")],
)
def test_the_side_that_was_asked_for_leads_alone(sample, alternative, said):
    found = sample_estimates(sample, quantities=("recall",), alternative=alternative)
    quoted = audit_sections([sample], found)[1].sentences[0]
    side = {"greater": "lower", "less": "upper"}[alternative]
    assert said in quoted
    assert f"(95 % {side} limit, beta-binomial" in quoted
    assert "between" not in quoted


@pytest.mark.filterwarnings("ignore::irbounds.errors.DegenerateSampleWarning")
def test_all_methods_quote_the_recommended_one(sample):
    found = all_recall_intervals(sample)
    section = audit_sections([sample], found)[1]
    assert "beta-binomial with prior 0.5" in section.sentences[0]
    assert section.tables[0].headings[:3] == ("quantity", "method", "prior")


@pytest.mark.filterwarnings("ignore::irbounds.errors.DegenerateSampleWarning")
def test_what_rests_on_the_prior_is_neither_quoted_nor_tabled():
    lacking = Sample((Stratum("retrieved", True, 5_000, 0, 0), STRATA[2]))
    section = audit_sections([lacking], sample_estimates(lacking))[1]
    words = " ".join(section.sentences)
    assert "To quote" not in words
    assert "at least" not in words
    assert "draw from every stratum first" in words
    assert section.tables == ()


def test_everything_assessed_leaves_no_limit_to_add():
    known = Sample((Stratum("retrieved", True, 20, 20, 5), Stratum("rest", False, 30, 30, 1)))
    section = audit_sections([known], sample_estimates(known))[1]
    assert section.tables == ()
    assert section.sentences == [
        "Every document was assessed: there is no interval to quote and no limit to add."
    ]


def test_a_single_point_is_nothing_to_sign_for():
    sure = Sample((Stratum("retrieved", True, 200, 20, 5), Stratum("rest", False, 300, 30, 0)))
    with pytest.warns(UserWarning, match="single point"):
        found = sample_estimates(sure, quantities=("recall",), method="normal")
    (said,) = audit_sections([sure], found)[1].sentences
    assert "There is nothing to quote or to sign" in said


def test_many_sets_are_told_apart_and_have_no_single_sentence():
    samples = [Sample(STRATA, name, "7") for name in ("A", "B")]
    estimates = [one for each in samples for one in sample_estimates(each, quantities=("recall",))]
    counts, limits = audit_sections(samples, estimates)
    assert counts.tables[0].headings[0] == "system"
    assert {row[0] for row in counts.tables[0].cells} == {"A", "B"}
    assert not any("To quote" in line for line in limits.sentences)


def test_what_was_judged_is_all_of_the_sample_unless_said(sample):
    assert [stratum.judged for stratum in sample] == [48, 50, 40]


def test_a_name_that_all_samples_share_stands_in_the_title(sample):
    assert counts_table([sample]).title == "counts by stratum"
    assert counts_table([Sample(STRATA, "A", "7")]).title == "A, topic 7: counts by stratum"
    two = counts_table([Sample(STRATA, name, "7") for name in ("A", "B")])
    assert (two.title, two.headings[0]) == ("topic 7: counts by stratum", "system")
