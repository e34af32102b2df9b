"""Sections of the page of a recall audit: counts, sentence to quote, tipping points."""

from __future__ import annotations

from dataclasses import replace

import pytest

import irbounds
from irbounds.reports.recall_audit import (
    LINES_TO_SIGN,
    audit_sections,
    lines_to_sign,
    sentence_to_quote,
)
from irbounds.results import Stratum
from irbounds.results.samples import counts_table
from recall_calls import estimate_all

STRATA = (
    Stratum("top", True, 500, 50, 40, 48),
    Stratum("next", True, 1_500, 50, 10),
    Stratum("unretrieved", False, 100_000, 40, 3),
)


def test_counts_have_one_row_per_stratum_with_weight():
    section = audit_sections(estimate_all(STRATA))[0]
    (table,) = section.tables
    assert table.headings == (
        "stratum", "population", "sampled", "assessable", "relevant", "weight",
    )  # fmt: skip
    assert table.cells == (
        ("top (retrieved)", "500", "50", "48", "40", "10"),
        ("next (retrieved)", "1,500", "50", "50", "10", "30"),
        ("unretrieved", "100,000", "40", "40", "3", "2,500"),
        ("total", "102,000", "140", "138", "53", ""),
    )
    assert "without replacement" in section.sentences[0]
    assert "could not be judged" in section.sentences[1]


def test_stratum_without_sample_has_no_weight():
    table = counts_table([Stratum("a", True, 10, 0, 0), STRATA[2]])
    assert table.cells[0][-1] == "-"


@pytest.mark.parametrize(
    ("options", "limits"),
    [
        ({}, "between 0.03 and 0.25 (95 % interval, beta-binomial with prior 0.5,"),
        ({"alternative": "greater"}, "at least 0.039 (95 % lower limit, beta-binomial with p"),
        ({"alternative": "less"}, "at most 0.21 (95 % upper limit, beta-binomial with prior"),
        ({"method": "exact", "alternative": "greater"}, " (95 % lower limit, exact,"),
    ],
)
def test_sentence_has_counts_limits_level_and_method(options, limits):
    estimates = estimate_all(STRATA, **options)
    sentence = sentence_to_quote(estimates)
    assert sentence.startswith(
        "Of 2,000 retrieved documents in 2 strata 100 were drawn at random (2 could not be "
        "judged), 50 of them relevant; of 100,000 unretrieved documents 40 were drawn at random, "
        "3 of them relevant. Recall is "
    )
    assert limits in sentence
    assert f", irbounds {irbounds.__version__}); the estimate is 0.0" in sentence
    assert audit_sections(estimates)[1].sentences == [f"To quote: {sentence}"]
    assert lines_to_sign(estimates) == LINES_TO_SIGN


@pytest.mark.filterwarnings("ignore::irbounds.errors.DegenerateSampleWarning")
def test_sentence_of_all_methods_is_about_the_recommended_one():
    assert "beta-binomial with prior 0.5" in sentence_to_quote(
        estimate_all(STRATA, all_methods=True)
    )


def test_sentence_on_single_documents():
    sentence = sentence_to_quote(estimate_all(retrieved=(1, 1, 1), unretrieved=(20, 1, 0)))
    assert "Of 1 retrieved document that one was read, 1 of them relevant;" in sentence
    assert "of 20 unretrieved documents 1 was drawn at random" in sentence


def test_sentence_says_what_was_credited_and_what_a_claim_assumes():
    review = {"retrieved": (600, 600, 93), "unretrieved": (575, 350, 2)}
    credited = irbounds.recall(**review, quantity="recall", credit_found=True, at_least=0.95)
    sentence = sentence_to_quote(credited)
    assert "The 2 relevant documents of the unretrieved sample were added to the re" in sentence
    assert "given random samples, sizes fixed in advance and one look" in sentence
    assert "added" not in sentence_to_quote(irbounds.recall(**review, quantity="recall"))


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    ("retrieved", "unretrieved", "method", "reason", "is_signed"),
    [
        ((5000, 0, 0), (100_000, 40, 3), "beta-binomial", "draw from every stratum", False),
        ((200, 20, 5), (300, 30, 0), "normal", "claims a certainty", False),
        ((20, 20, 5), (30, 30, 1), "beta-binomial", "Every document was assessed", True),
    ],
)
def test_samples_without_a_sentence(retrieved, unretrieved, method, reason, is_signed):
    sample = (Stratum("in", True, *retrieved), Stratum("out", False, *unretrieved))
    estimates = estimate_all(sample, quantity="recall", method=method)
    (sentence,) = audit_sections(estimates)[1].sentences
    assert reason in sentence
    assert bool(lines_to_sign(estimates)) is is_signed


# ---- tipping points ----

INSIDE = Stratum("retrieved", True, 5000, 500, 400)
OUTSIDE = Stratum("unretrieved", False, 95_000, 1500, 3)
READ_ONCE = (INSIDE, OUTSIDE)


def test_tipping_points_are_by_the_method_of_the_page():
    options = {"method": "exact", "alternative": "greater", "confidence_level": 0.9}
    estimates = estimate_all(READ_ONCE, **options, at_least=0.8)
    section = audit_sections(estimates)[-1]
    table = section.tables[0]
    assert "90 % lower limit (exact)" in table.title
    assert table.headings[-1] == "recall >= 0.8"
    assert table.records[0]["low"] == estimates[0].interval.low
    section = audit_sections(estimate_all(READ_ONCE, all_methods=True))[-1]
    assert "(beta-binomial, prior 0.5)" in section.tables[0].title


@pytest.mark.filterwarnings("ignore::irbounds.errors.DegenerateSampleWarning")
@pytest.mark.parametrize(
    ("changes", "claim"),
    [
        ({"relevant_checked": 3, "relevant_confirmed": 2}, None),
        ({"sampled": 0, "relevant": 0}, None),
        ({"assessable": 1490}, 0.8),
    ],
)
def test_samples_without_tipping_points_have_a_sentence(changes, claim):
    sample = (INSIDE, replace(OUTSIDE, **changes))
    estimates = estimate_all(sample, at_least=claim)
    section = audit_sections(estimates)[-1]
    assert section.sentences[0].startswith("Tipping points ")
    assert section.tables == ()


def test_page_without_recall_has_no_tipping_points():
    estimates = estimate_all(READ_ONCE, quantity="precision")
    assert len(audit_sections(estimates)) == 2
