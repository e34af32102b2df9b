"""Tipping points in tables, sentences and records."""

from __future__ import annotations

import pytest

from irbounds.presentation.registry import make_section
from irbounds.results import Sample, Stratum
from irbounds.samples import tipping_points

INSIDE = Stratum("retrieved", True, 5000, 500, 400)
OUTSIDE = Stratum("unretrieved", False, 95_000, 1500, 3)


SHORT = {"method": "beta-binomial", "alternative": "greater"}


def section(*strata, **options):
    return make_section(tipping_points(Sample(strata), **options))


def test_tables_of_both_kinds_of_mistakes():
    first, second = section(INSIDE, OUTSIDE).tables
    assert first.headings == ("not relevant after all", "estimate", "low", "high")
    assert [row[0] for row in first.cells] == ["0 of 3", "1 of 3", "2 of 3", "3 of 3"]
    assert first.cells[0] == ("0 of 3", "0.955", "0.888", "0.987")
    assert second.headings[0] == "relevant after all"
    assert second.cells[1][0] == "1 of 1,497"
    assert first.title == (
        "recall if documents judged relevant in the unretrieved sample are not relevant: 95 % "
        "interval (beta-binomial, prior 0.5)"
    )
    assert len(first.bars) == 4


def test_a_claim_adds_a_column():
    first, second = section(INSIDE, OUTSIDE, at_least=0.93, alternative="greater").tables
    assert first.headings == ("not relevant after all", "estimate", "low", "recall >= 0.93")
    assert [row[-1] for row in first.cells] == ["not shown", "not shown", "shown", "shown"]
    assert {row[-1] for row in second.cells} == {"not shown"}


def test_an_empty_sample_has_one_table():
    tables = section(INSIDE, Stratum("unretrieved", False, 95_000, 1500, 0)).tables
    assert [table.headings[0] for table in tables] == ["relevant after all"]


@pytest.mark.parametrize(
    ("relevant", "at_least", "sentence", "advice"),
    [
        (
            3,
            0.93,
            "A recall of at least 0.93 is not shown by the counts. It is shown if 2 or more of "
            "the 3 documents judged relevant in the unretrieved sample are not relevant after all.",
            "Assess the 3 documents judged relevant in the unretrieved sample again: if 2 or more "
            "are not relevant, the claim is shown; if all are confirmed, it is not. Assess a "
            "random part of the 1,497 others too",
        ),
        (
            3,
            0.9,
            "A recall of at least 0.9 is shown by the counts. It is no longer shown if 1 or "
            "more of the 1,497 documents judged not relevant in the unretrieved sample are "
            "relevant.",
            "Assess a random part of the 1,497 documents judged not relevant in the unretrieved "
            "sample again",
        ),
        (
            3,
            0.99,
            "A recall of at least 0.99 is not shown, even if nothing in the unretrieved sample is "
            "relevant.",
            "Assessing these documents again cannot show the claim.",
        ),
        (
            3,
            None,
            "The estimate of recall changes from 0.955 to 0.969 if one document judged relevant "
            "is not, and to 0.940 if one document judged not relevant is relevant.",
            "recall is at least 0.900 if all of the 3 documents are confirmed, and at least 0.971 "
            "if none is.",
        ),
        (
            0,
            None,
            "The estimate of recall changes from 1.000 to 0.984 if one document judged not "
            "relevant is relevant.",
            "Assess a random part of the 1,500 documents of the unretrieved sample again.",
        ),
    ],
)
def test_verdict_and_advice(relevant, at_least, sentence, advice):
    outside = Stratum("unretrieved", False, 95_000, 1500, relevant)
    result = section(INSIDE, outside, at_least=at_least, **SHORT)
    assert result.sentences[0] == sentence
    assert advice in result.conclusion[0]
    assert "relevant_checked" in result.conclusion[-1]


def test_tolerated_rates_in_a_sentence():
    outside = Stratum("unretrieved", False, 95_000, 1500, 0)
    sentences = section(INSIDE, outside, at_least=0.85, **SHORT).sentences
    assert sentences[1] == (
        "Assessors would judge about 95,000 documents of the unretrieved segment not relevant. "
        "Recall of at least 0.85 stands by the estimate while at most 0.74 % of them (705 "
        "documents) are relevant, and by the lower limit while at most 0.61 % of them (582 "
        "documents) are relevant."
    )


def test_order_of_strata_is_stated():
    near, far = Stratum("near", False, 5000, 500, 100), Stratum("far", False, 90_000, 1000, 3)
    sentences = section(INSIDE, near, far).sentences
    assert any("first in stratum 'far'" in sentence for sentence in sentences)
    assert not any("stratum" in sentence for sentence in section(INSIDE, OUTSIDE).sentences)


def test_records_have_one_row_per_number_of_mistakes():
    results = tipping_points([INSIDE, OUTSIDE], at_least=0.9, **SHORT)
    rows = results.records()
    assert [row["n_wrong"] for row in rows] == [0, 1, 2, 3, 0, 1, 2, 3, 5, 10]
    assert rows[1]["judgment"] == "relevant"
    assert rows[1]["low"] == results[0].mistaken[1].interval.low
    assert rows[0]["is_shown"] is True
    assert rows[0]["tolerated_n_documents_by_estimate"] == 254
    assert rows[0]["at_least"] == 0.9
    assert len(results.to_polars()) == 10
    assert [row["n_wrong"] for table in make_section(results).tables for row in table.records] == [
        row["n_wrong"] for row in rows
    ]


def test_credit_makes_mistakes_of_both_kinds_matter():
    strata = [Stratum("a", True, 50, 50, 0), Stratum("b", False, 400, 100, 2)]
    text = " ".join(str(tipping_points(strata, at_least=0.08, credit_found=True)).split())
    assert "mistakes of both kinds can make it fall" in text
    assert "whatever" not in text
    assert "not among those judged relevant" not in text
