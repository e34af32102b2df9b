"""Sections of a recall audit: counts, statement to quote, limits and attestation."""

from __future__ import annotations

from dataclasses import replace

import pytest

import irbounds
from irbounds.presentation.registry import View
from irbounds.reports.recall_audit import (
    ATTESTATION,
    HEADINGS,
    MAX_FINDINGS,
    _sentence_to_quote,
    audit_sections,
    limits_table,
    make_cover,
)
from irbounds.results import Sample, Stratum
from irbounds.results.recall_sentences import CONDITIONS
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


def test_counts_table_has_one_row_per_stratum_with_weight(sample):
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


def test_stratum_without_sample_has_no_weight():
    table = counts_table([Sample((Stratum("a", True, 10, 0, 0), STRATA[2]))])
    assert table.cells[0][-1] == "-"


def test_plan_lists_drawn_documents_per_stratum(sample):
    drawn, *others = audit_sections([sample], sample_estimates(sample))[0].sentences
    assert drawn == (
        "Drawn: 50 of the 500 documents of top (retrieved); 50 of the 1,500 documents of next "
        "(retrieved); 40 of the 100,000 unretrieved documents."
    )
    assert any("without replacement" in line for line in others)
    assert any("could not be judged" in line for line in others)


def test_plan_of_a_fully_assessed_stratum():
    fully_assessed = Sample((Stratum("retrieved", True, 20, 20, 5), STRATA[2]))
    sentences = audit_sections([fully_assessed], sample_estimates(fully_assessed))[0].sentences
    assert sentences[0].startswith("Drawn: all 20 retrieved documents; 40 of")
    assert not any("could not be judged" in line for line in sentences)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_limits_table_has_interval_and_lower_limit_for_any_alternative(sample, alternative):
    (estimate,) = sample_estimates(sample, quantities=("recall",), alternative=alternative)
    two_sided, bounded = estimate.at(0.95, "two-sided"), estimate.at(0.95, "greater")
    (record,) = limits_table([estimate]).records
    assert (record["low"], record["high"]) == (two_sided.interval.low, two_sided.interval.high)
    assert record["lower_limit"] == bounded.interval.low
    assert record["low"] < record["lower_limit"] < record["high"]


@pytest.mark.parametrize(
    ("alternative", "headings"),
    [
        ("two-sided", ("quantity", "limit")),
        ("greater", ("quantity", "low", "high")),
        ("less", ("quantity", "low", "high", "limit")),
    ],
)
def test_limits_table_omits_the_requested_interval(sample, alternative, headings):
    estimates = sample_estimates(sample, quantities=("recall", "yield"), alternative=alternative)
    table = limits_table(estimates)
    assert table.headings == headings
    assert "chosen beforehand" in table.title
    expected_cells = {"low": "0.03", "high": "0.25", "limit": "at least 0.039"}
    assert table.cells[0][1:] == tuple(expected_cells[name] for name in headings[1:])


def test_plan_states_random_sampling_as_an_assumption(sample):
    sentences = audit_sections([sample], sample_estimates(sample))[0].sentences
    assert not any(line.startswith("Within a stratum") for line in sentences)
    (assumption,) = (line for line in sentences if "same chance to be drawn" in line)
    assert assumption.startswith("The intervals assume that within a stratum every document had")
    assert assumption.endswith("irbounds cannot check this; whoever signs confirms it.")


def test_attestation_fields_precede_the_signature():
    assert HEADINGS == ("Matter", "Prepared by")
    assert ATTESTATION[-4:] == ("Name", "Role", "Date", "Signature")
    assert "drawn at random from the populations listed above, by (how)" in ATTESTATION[0]
    assert any("assessments by" in line for line in ATTESTATION)
    for words in ("sizes and the seed were fixed on", "look (k of K)", "training", "blind"):
        assert any(words in line for line in ATTESTATION), words


def test_statement_to_quote_has_counts_and_method(sample):
    section = audit_sections([sample], sample_estimates(sample))[1]
    assert section.sentences[0] == (
        "To quote: Of 2,000 retrieved documents in 2 strata 100 were drawn at random (2 could "
        "not be judged), 50 of them relevant; of 100,000 unretrieved documents 40 were drawn "
        "at random, 3 of them relevant. Recall is between 0.03 and 0.25 (95 % interval, "
        f"beta-binomial with prior 0.5, irbounds {irbounds.__version__}); the estimate is 0.09."
    )
    assert not any("at least" in line for line in section.sentences)


def test_one_document_is_in_the_singular():
    sample = Sample((Stratum("retrieved", True, 1, 1, 1), Stratum("unretrieved", False, 20, 1, 0)))
    plan, statement = (
        " ".join(section.sentences)
        for section in audit_sections([sample], sample_estimates(sample))[:2]
    )
    assert "Drawn: the only retrieved document; 1 of the 20 unretrieved documents" in plan
    assert "Of 1 retrieved document that one was read, 1 of them relevant;" in statement
    assert "of 20 unretrieved documents 1 was drawn at random" in statement


@pytest.mark.parametrize(
    ("alternative", "statement"),
    [("greater", "Recall is at least 0.039 ("), ("less", "Recall is at most 0.21 (")],
)
def test_one_sided_statement_has_only_the_requested_limit(sample, alternative, statement):
    estimates = sample_estimates(sample, quantities=("recall",), alternative=alternative)
    quoted = audit_sections([sample], estimates)[1].sentences[0]
    side = {"greater": "lower", "less": "upper"}[alternative]
    assert statement in quoted
    assert f"(95 % {side} limit, beta-binomial" in quoted
    assert "between" not in quoted


@pytest.mark.filterwarnings("ignore::irbounds.errors.DegenerateSampleWarning")
def test_statement_of_all_methods_quotes_the_recommended_method(sample):
    estimates = all_recall_intervals(sample)
    section = audit_sections([sample], estimates)[1]
    assert "beta-binomial with prior 0.5" in section.sentences[0]
    assert section.tables[0].headings[:3] == ("quantity", "method", "prior")


@pytest.mark.filterwarnings("ignore::irbounds.errors.DegenerateSampleWarning")
def test_estimate_dominated_by_prior_has_no_statement_and_table():
    unsampled = Sample((Stratum("retrieved", True, 5_000, 0, 0), STRATA[2]))
    section = audit_sections([unsampled], sample_estimates(unsampled))[1]
    text = " ".join(section.sentences)
    assert "To quote" not in text
    assert "at least" not in text
    assert "draw from every stratum first" in text
    assert section.tables == ()


def test_fully_assessed_sample_has_no_limits():
    fully_assessed = Sample(
        (Stratum("retrieved", True, 20, 20, 5), Stratum("rest", False, 30, 30, 1))
    )
    section = audit_sections([fully_assessed], sample_estimates(fully_assessed))[1]
    assert section.tables == ()
    assert section.sentences == [
        "Every document was assessed: there is no interval to quote and no limit to add."
    ]


def test_degenerate_interval_has_no_statement():
    degenerate = Sample(
        (Stratum("retrieved", True, 200, 20, 5), Stratum("rest", False, 300, 30, 0))
    )
    with pytest.warns(UserWarning, match="single point"):
        estimates = sample_estimates(degenerate, quantities=("recall",), method="normal")
    (sentence,) = audit_sections([degenerate], estimates)[1].sentences
    assert "There is nothing to quote or to sign" in sentence


def test_several_samples_have_a_system_column_and_no_statement():
    samples = [Sample(STRATA, name, "7") for name in ("A", "B")]
    estimates = [
        estimate
        for sample in samples
        for estimate in sample_estimates(sample, quantities=("recall",))
    ]
    counts, limits = audit_sections(samples, estimates)
    assert counts.tables[0].headings[0] == "system"
    assert {row[0] for row in counts.tables[0].cells} == {"A", "B"}
    assert not any("To quote" in line for line in limits.sentences)


def test_judged_defaults_to_the_sample_size(sample):
    assert [stratum.judged for stratum in sample] == [48, 50, 40]


def test_common_names_of_samples_are_in_the_title(sample):
    assert counts_table([sample]).title == "counts by stratum"
    assert counts_table([Sample(STRATA, "A", "7")]).title == "A, topic 7: counts by stratum"
    table = counts_table([Sample(STRATA, name, "7") for name in ("A", "B")])
    assert (table.title, table.headings[0]) == ("topic 7: counts by stratum", "system")


def test_cover_has_result_counts_and_the_sentence_to_quote(sample):
    estimates = sample_estimates(sample)
    cover = make_cover(sample, estimates, View())
    statement = audit_sections([sample], estimates)[1].sentences[0]
    assert cover.claim == ""
    assert cover.findings[0] == (
        "Recall is between 0.03 and 0.25 at the 95 % level; the estimate is 0.09."
    )
    assert any("assessors' mistakes" in sentence for sentence in cover.findings)
    assert f"To quote: {cover.quote}" == statement
    assert cover.counts.cells == counts_table([sample]).cells
    assert (cover.headings, cover.signatures) == (HEADINGS, ATTESTATION)


@pytest.mark.parametrize(("at_least", "verdict"), [(0.01, "Shown"), (0.75, "Not shown")])
def test_cover_of_a_claim_begins_with_claim_and_verdict(sample, at_least, verdict):
    recall, *others = sample_estimates(sample, alternative="greater")
    claimed = replace(recall, at_least=at_least)
    cover = make_cover(sample, [*others, claimed], View())
    assert cover.claim == f"Recall is at least {at_least}."
    assert cover.findings[0].startswith(f"{verdict}: recall of at least {at_least}")
    assert "Recall is at least 0.039 (95 % lower limit" in cover.quote
    assert (CONDITIONS in cover.quote) is (CONDITIONS in cover.findings[0]) is (verdict == "Shown")


def test_cover_lists_twelve_strata_and_segments_of_more():
    def sample_of(n: int) -> Sample:
        name = "documents of a custodian with a very long name, number {}"
        strata = (Stratum(name.format(k), k < 5, 100, 10, 2) for k in range(n))
        return Sample(tuple(strata))

    covers = [make_cover(s, sample_estimates(s), View()) for s in map(sample_of, (12, 13))]
    few, many = (cover.counts.cells for cover in covers)
    assert len(few) == 13
    assert all(len(row[0]) <= 48 for row in few)
    assert few[0][0].endswith("r 0 (retrieved)")
    assert [row[:3] for row in many] == [
        ("retrieved, 5 strata", "500", "50"),
        ("unretrieved, 8 strata", "800", "80"),
        ("total", "1,300", "130"),
    ]
    assert "'Sampling plan and counts' has the counts of each stratum" in covers[1].counts.caption


@pytest.mark.filterwarnings("ignore::irbounds.errors.DegenerateSampleWarning")
def test_cover_with_a_second_assessment_has_a_cell_per_heading():
    counts = {"relevant_checked": 2, "relevant_confirmed": 1}
    for n in (6, 7):
        strata = (Stratum(f"s{k}", k < 3, 100, 10, 2, **counts) for k in range(n))
        sample = Sample(tuple(strata))
        table = make_cover(sample, sample_estimates(sample), View()).counts
        assert {len(row) for row in table.cells} == {len(table.headings)}
        assert len(table.cells) == (7 if n == 6 else 3)
        assert "of which confirmed are relevant" in table.caption
    assert table.cells[0][5:9] == ("6", "3", "0", "0")


@pytest.mark.filterwarnings("ignore::irbounds.errors.DegenerateSampleWarning")
def test_cover_without_a_statement_cannot_be_signed():
    unsampled = Sample((Stratum("retrieved", True, 5_000, 0, 0), STRATA[2]))
    cover = make_cover(unsampled, sample_estimates(unsampled), View())
    assert (cover.quote, cover.signatures) == ("", ())
    assert any("nothing to quote or to sign" in sentence for sentence in cover.findings)


def test_cover_of_fully_assessed_documents_can_be_signed():
    known = Sample((Stratum("retrieved", True, 20, 20, 5), Stratum("rest", False, 30, 30, 1)))
    cover = make_cover(known, sample_estimates(known), View())
    assert (cover.quote, cover.signatures) == ("", ATTESTATION)
    assert any("Every document was assessed" in sentence for sentence in cover.findings)


def test_cover_has_the_notes_of_the_sample_as_far_as_there_is_room():
    notes = ("a", "b", "c", "irbounds draw seed=7 corpus=2/9 lists=0", "d")
    noted = Sample(STRATA, notes=notes)
    cover = make_cover(noted, sample_estimates(noted), View())
    assert cover.notes == [
        "irbounds draw seed=7 corpus=2/9 lists=0",
        "a",
        "b",
        "2 more under Inputs.",
    ]
    few = Sample(STRATA, notes=notes[:3])
    assert make_cover(few, sample_estimates(few), View()).notes == ["a", "b", "c"]


def test_sentences_on_the_cover_are_limited(sample, monkeypatch):
    monkeypatch.setattr("irbounds.reports.recall_audit.MAX_FINDINGS", 100)
    findings = make_cover(sample, sample_estimates(sample), View()).findings
    assert findings[-1] == "More is said under Estimates."
    assert len(findings) == 2
    assert MAX_FINDINGS > 500


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_limits_table_has_as_many_cells_as_headings(sample, alternative):
    estimates = irbounds.samples.sample_estimates(sample, alternative=alternative)
    table = limits_table(estimates)
    assert {len(row) for row in table.cells} == {len(table.headings)}
    for record in table.records:
        is_upper = record["quantity"] in ("yield", "prevalence", "elusion")
        assert (record["lower_limit"] is None) is is_upper
        assert (record["upper_limit"] is None) is not is_upper


def test_quoted_sentence_says_what_was_credited():
    review = {"retrieved": (600, 600, 93), "unretrieved": (575, 350, 2)}
    (credited,) = irbounds.recall(**review, quantity="recall", credit_found=True, at_least=0.95)
    sentence = _sentence_to_quote([credited], None)
    assert (
        "The 2 relevant documents of the unretrieved sample were added to the retrieved" in sentence
    )
    (plain,) = irbounds.recall(**review, quantity="recall")
    assert "added" not in _sentence_to_quote([plain], None)


def test_quoted_sentence_describes_a_control_set():
    (estimate,) = irbounds.recall(
        retrieved=(5000, 80, 50), control_set=(100_000, 1500, 60), quantity="recall"
    )
    sentence = _sentence_to_quote([estimate], None)
    assert sentence.startswith("Of all 100,000 documents 1,500 were drawn at random as a control")
    assert "80 of the drawn documents are among the 5,000 retrieved ones" in sentence
