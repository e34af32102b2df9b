"""Recall as tables and sentences."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

import irbounds
from irbounds.report.recall import (
    METHODS_DIFFER,
    method_table,
    quantity_table,
    recall_sentences,
    sample_lines,
    system_tables,
)
from irbounds.results import Interval, RecallEstimate, Sample, Stratum

STRATA = (Stratum("in", True, 2000, 100, 50, 90), Stratum("out", False, 100_000, 100, 3))


class NoLimits:
    method = "beta-binomial"

    def limit(self, probability):
        return math.nan


def estimate(
    value=0.25,
    low=0.111,
    high=0.542,
    *,
    method="beta-binomial",
    prior="0.5",
    quantity="recall",
    alternative="two-sided",
    level=0.95,
    **more,
):
    return RecallEstimate(
        quantity=quantity,
        value=value,
        bias_reduced=0.24,
        interval=Interval(low, high, level, method, alternative),
        strata=STRATA,
        limits=NoLimits(),
        prior=prior,
        **more,
    )


NAN = math.nan


def test_what_was_drawn():
    assert sample_lines([Sample(STRATA)]) == [
        "retrieved    2,000 documents, 100 sampled, 90 assessable, 50 relevant",
        "unretrieved  100,000 documents, 100 sampled, 3 relevant",
    ]
    three = Sample((*STRATA, Stratum("more", False, 500, 0, 0)))
    assert sample_lines([three])[1] == (
        "unretrieved  100,500 documents, 100 sampled, 3 relevant in 2 strata"
    )
    many = [Sample(STRATA, topic=topic) for topic in ("a", "a", "b")]
    assert sample_lines(many) == ["samples 3 retrieved sets, 2 topics"]
    assert sample_lines([Sample(STRATA)] * 2) == ["samples 2 retrieved sets"]


def test_quantities_have_the_digits_of_their_own_interval():
    found = [
        estimate(),
        estimate(0.5, 0.4061, 0.5948, quantity="precision"),
        estimate(4000.2, 1844, 8790, quantity="yield", bounds=(0, 102_000)),
        estimate(NAN, NAN, NAN, quantity="elusion"),
    ]
    table = quantity_table(found)
    assert table.title == "95 % interval (beta-binomial, prior 0.5)"
    assert table.headings == ("quantity", "estimate", "low", "high")
    assert table.cells == (
        ("recall", "0.25", "0.11", "0.54"),
        ("precision", "0.500", "0.406", "0.595"),
        ("yield", "4,000", "1,844", "8,790"),
        ("elusion", "-", "-", "-"),
    )
    assert quantity_table(found, 4).cells[0] == ("recall", "0.2500", "0.1110", "0.5420")
    assert quantity_table(found, 4).cells[2] == ("yield", "4,000", "1,844", "8,790")
    assert quantity_table(found, full=False).records == ()


def test_one_side_has_one_end():
    table = quantity_table([estimate(alternative="greater", high=1.0, system="bm25", topic="7")])
    assert table.title == "bm25, topic 7: 95 % lower limit (beta-binomial, prior 0.5)"
    assert table.cells == (("recall", "0.25", "0.11"),)


def test_systems_best_first_by_topic_and_quantity():
    found = [
        estimate(0.2, 0.1, 0.3, system="a", topic="7"),
        estimate(0.4, 0.3, 0.5, system="b", topic="7"),
        estimate(0.9, 0.8, 1.0, system="a", topic="8"),
        estimate(0.6, 0.5, 0.7, system="a", topic="7", quantity="precision"),
    ]
    tables = system_tables(found)
    assert [table.title for table in tables] == [
        "topic 7: recall with its 95 % interval (beta-binomial, prior 0.5)",
        "topic 8: recall with its 95 % interval (beta-binomial, prior 0.5)",
        "topic 7: precision with its 95 % interval (beta-binomial, prior 0.5)",
    ]
    assert [row[0] for row in tables[0].cells] == ["b", "a"]


NINE = [
    estimate(low=1.0, high=1.0, method="naive-binomial", prior=None),
    estimate(low=-0.1, high=0.6, method="laplace", prior=None),
    estimate(low=0.1, high=1.2, method="normal", prior=None),
    estimate(low=NAN, high=NAN, method="koopman", prior=None),
    estimate(prior="uniform"),
    estimate(),
]


def test_methods_side_by_side_with_a_remark():
    table = method_table(NINE)
    assert table.title == "recall 0.25, its 95 % interval by 6 methods"
    assert table.headings == ("method", "prior", "remark", "low", "high", "width")
    assert [(row[0], row[1], row[2]) for row in table.cells] == [
        ("naive-binomial", "", "bare point"),
        ("laplace", "", "beyond 0 to 1"),
        ("normal", "", "beyond 0 to 1"),
        ("koopman", "", "no interval"),
        ("beta-binomial", "uniform", ""),
        ("beta-binomial", "0.5", "recommended"),
    ]
    assert table.cells[-1][3:] == ("0.11", "0.54", "0.43")
    assert [record["recommended"] for record in table.records] == [False] * 5 + [True]
    three = (*STRATA, Stratum("more", False, 500, 0, 0))
    assert method_table([replace(NINE[3], strata=three)]).cells[0][2] == "not for strata"
    one_sided = method_table([estimate(alternative="less", low=0.0)])
    assert one_sided.headings == ("method", "prior", "remark", "high")


def test_the_sentences():
    gist, meaning, not_covered = recall_sentences([estimate()])
    assert gist == "recall is between 0.11 and 0.54 at the 95 % level; the estimate is 0.25."
    assert meaning == (
        "Were such samples drawn again and again, about 95 in 100 of the intervals would hold the "
        "true value."
    )
    assert not_covered == (
        "This says nothing of assessors' mistakes, of samples not drawn at random, or of documents "
        "beyond these 102,000."
    )


@pytest.mark.parametrize(
    ("one", "gist"),
    [
        (
            estimate(alternative="greater", level=0.9, high=1.0),
            "recall is at least 0.11 at the 90 % level; the estimate is 0.25.",
        ),
        (
            estimate(alternative="less", low=0.0),
            "recall is at most 0.54 at the 95 % level; the estimate is 0.25.",
        ),
        (estimate(low=NAN, high=NAN), "recall is estimated at 0.2500, without an interval."),
        (estimate(NAN, NAN, NAN), "recall cannot be estimated from these samples."),
        (
            estimate(NAN),
            "recall is between 0.11 and 0.54 at the 95 % level; there is no estimate.",
        ),
        (
            estimate(1.0, 1.0, 1.0),
            "recall is estimated at 1.0000; the 95 % interval is no more than that.",
        ),
        (
            estimate(4000, 1844, 8790, quantity="yield", bounds=(0, 102_000)),
            "yield is between 1,844 and 8,790 documents at the 95 % level; the estimate is 4,000.",
        ),
    ],
)
def test_the_gist(one, gist):
    assert recall_sentences([one])[0] == gist


def test_a_limit_lies_on_its_side():
    below = recall_sentences([estimate(alternative="greater", high=1.0)])[1]
    above = recall_sentences([estimate(alternative="less", low=0.0)])[1]
    assert below.endswith("about 95 in 100 of the limits would lie below the true value.")
    assert above.endswith("about 95 in 100 of the limits would lie above the true value.")


def test_other_methods_and_impossible_ends_are_spoken_of():
    lines = recall_sentences(NINE)
    assert lines[0].startswith("recall is between 0.11 and 0.54")  # of the recommended one
    assert METHODS_DIFFER in lines
    assert any(line.startswith("An end below 0 or above 1") for line in lines)
    assert METHODS_DIFFER in recall_sentences([estimate(method="normal", prior=None)])
    assert METHODS_DIFFER not in recall_sentences([estimate(prior="uniform")])
    wilson = estimate(method="wilson", prior=None, quantity="precision")
    assert METHODS_DIFFER not in recall_sentences([wilson])


def test_nothing_is_promised_of_no_interval():
    lines = recall_sentences([estimate(low=NAN, high=NAN)])
    assert not any(line.startswith("Were such samples") for line in lines)


def test_many_sets_have_no_gist():
    lines = recall_sentences([estimate(system="a"), estimate(system="b")])
    assert lines[0].startswith("Were such samples")
    assert lines[-1].endswith("beyond the corpus.")


def test_records_have_the_counts_of_both_segments():
    (record,) = irbounds.records([estimate(topic="7", system="bm25", seed=3, n_draws=9)])
    assert record == {
        "topic": "7",
        "system": "bm25",
        "quantity": "recall",
        "estimate": 0.25,
        "bias_reduced": 0.24,
        "low": 0.111,
        "high": 0.542,
        "posterior_mean": None,
        "method": "beta-binomial",
        "confidence_level": 0.95,
        "alternative": "two-sided",
        "prior": "0.5",
        "cap_at_one": False,
        "n_draws": 9,
        "seed": 3,
        "table_error": None,
        "retrieved_strata": 1,
        "retrieved_population": 2000,
        "retrieved_sampled": 100,
        "retrieved_assessable": 90,
        "retrieved_relevant": 50,
        "unretrieved_strata": 1,
        "unretrieved_population": 100_000,
        "unretrieved_sampled": 100,
        "unretrieved_assessable": 100,
        "unretrieved_relevant": 3,
    }
