"""Plans of a sample of the rest in words and tables."""

from __future__ import annotations

from dataclasses import replace

import pytest

from irbounds.presentation.registry import View, make_section, make_tables
from irbounds.results import PlannedSample, RecallPlan


def make_sample(others, low, most, assurance):
    size = 600 + others
    return PlannedSample(size, 600, others, 600 / size, 1 - low, low, 1.0, 1 - low, assurance, most)


SAMPLE = make_sample(378, 0.9528, 1, 0.5678)
REVIEW = RecallPlan(
    population=1175,
    retrieved=600,
    yield_guess=95,
    recall_guess=0.98,
    sample=SAMPLE,
    best=SAMPLE,
    good_from=600,
    good_to=600,
    tolerance=0.05,
    method="exact",
    confidence_level=0.95,
    alternative="greater",
    cap_at_one=True,
    recall_at_least=0.95,
    wanted_assurance=0.5,
    assurance=0.5678,
    is_read_in_full=True,
    retrieved_relevant=93,
    curve=(SAMPLE, make_sample(259, 0.9269, 0, 0.302), make_sample(200, 0.9094, -1, 0.0)),
)


def make_sentences(plan):
    return make_section([plan], View(None)).sentences


def test_review_plan_says_what_to_draw_and_what_it_shows():
    assert make_sentences(REVIEW) == [
        "assess 378 of the 575 others (all 600 retrieved documents are read, 93 of them relevant): "
        "the one-sided 95 % lower limit of recall by exact is expected at 0.9528, if 95 documents "
        "are relevant and recall is 0.98",
        "the lower limit reaches 0.95 in 56.8 % of such samples, namely if at most 1 of the 378 "
        "others is relevant",
        "exact limits are guaranteed: at most 5 % of samples give a limit above the true recall, "
        "whatever that is; the guesses determine the size of the sample only",
        "the table has the smallest samples that show 0.95 with at most so many relevant documents "
        "in them; low is the mean over all possible samples, and assurance is the fraction of "
        "samples whose lower limit reaches 0.95",
    ]


def test_review_plan_table_compares_sizes():
    (table,) = make_tables([REVIEW])
    assert table.title == "samples of the 575 others: 95 % lower limit (exact)"
    assert table.headings == ("others", "at most relevant", "low", "assurance")
    assert table.cells == (
        ("200", "none", "0.9094", "0 %"),
        ("259", "0", "0.9269", "30.2 %"),
        ("plan, 378", "1", "0.9528", "56.8 %"),
    )
    assert [record["table"] for record in table.records] == ["plan", "size", "size", "size"]
    assert table.records[0]["max_relevant"] == 1


@pytest.mark.parametrize(
    ("most", "condition"),
    [
        (-1, "of such samples, not even if none of the 378 others is relevant"),
        (0, "of such samples, namely if none of the 378 others is relevant"),
        (2, "of such samples, namely if at most 2 of the 378 others are relevant"),
        (378, "of such samples, whatever the sample contains"),
        (None, "of such samples"),
    ],
)
def test_review_plan_says_which_samples_show_the_claim(most, condition):
    sample = replace(SAMPLE, max_relevant=most)
    assert make_sentences(replace(REVIEW, sample=sample))[1].endswith(condition)


def test_review_plan_before_and_after_other_assessments():
    before = make_sentences(replace(REVIEW, retrieved_relevant=None))[0]
    assert before.startswith("assess all 600 retrieved documents and 378 of the 575 others: ")
    pilot = replace(REVIEW, pilot=((600, 93), (300, 1)))
    first, _, looks, _ = make_sentences(pilot)
    assert first.startswith("assess 78 more of the 575 others (all 600 retrieved documents are rea")
    assert "one look" in looks
    assert not any("one look" in sentence for sentence in make_sentences(REVIEW))
    done = replace(REVIEW, pilot=((600, 93), (378, 1)))
    assert make_sentences(done)[0].startswith("assess no more of the 575 others (all 600 retriev")


def test_review_plan_credits_what_the_sample_finds():
    credited = make_sentences(replace(REVIEW, credit_found=True))
    assert credited[3].startswith("recall is that of the final set: relevant documents that the ")


def test_review_plan_of_a_width():
    sample = replace(SAMPLE, assurance=None, max_relevant=None)
    width = replace(
        *(REVIEW,), sample=sample, curve=(sample,), alternative="two-sided", method="beta-binomial",
        recall_at_least=None, assurance=None,
    )  # fmt: skip
    assert make_sentences(width)[-1] == (
        "in the table, width, low and high are means over all possible samples"
    )
    assert len(make_sentences(width)) == 2
    (table,) = make_tables([width])
    assert table.headings == ("others", "width", "low", "high", "width at expected counts")
