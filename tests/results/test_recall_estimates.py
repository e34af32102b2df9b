"""Recall as tables and sentences."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

import irbounds
from irbounds import recall
from irbounds.presentation.registry import View, make_section, make_tables
from irbounds.results import Interval, RecallEstimate, Stratum
from irbounds.results.recall_estimates import format_numbers, round_outwards
from irbounds.results.recall_sentences import (
    CONDITIONS,
    NOT_COVERED,
    claim_sentences,
    recall_sentences,
)

STRATA = (Stratum("in", True, 2000, 100, 50, 90), Stratum("out", False, 100_000, 100, 3))
READ = {"retrieved": (5000, 5000, 1000), "unretrieved": (95_000, 1500, 0)}
SAMPLED = {"retrieved": (5000, 500, 100), "unretrieved": (95_000, 1500, 5)}
NAN = math.nan


class NoLimits:
    method = "beta-binomial"

    def limit(self, probability):
        return math.nan


def make_estimate(
    value=0.25,
    low=0.111,
    high=0.542,
    *,
    method="beta-binomial",
    prior="0.5",
    quantity="recall",
    alternative="two-sided",
    level=0.95,
    strata=STRATA,
    **more,
):
    return RecallEstimate(
        quantity=quantity,
        value=value,
        interval=Interval(low, high, level, method, alternative),
        strata=strata,
        limits=NoLimits(),
        prior=prior,
        **more,
    )


def make_sentences(*estimates, digits=None):
    return make_section(estimates, View(digits)).sentences


def make_table(estimates, digits=None, **view):
    (table,) = make_tables(estimates, View(digits, **view))
    return table


def test_quantities_have_digits_of_their_own_interval():
    estimates = [
        make_estimate(),
        make_estimate(0.5, 0.4061, 0.5948, quantity="precision"),
        make_estimate(4000.2, 1844, 8790, quantity="yield", bounds=(0, 102_000)),
        make_estimate(NAN, NAN, NAN, quantity="elusion"),
    ]
    table = make_table(estimates)
    assert table.title == "95 % interval (beta-binomial, prior 0.5)"
    assert table.headings == ("quantity", "estimate", "low", "high")
    assert table.cells == (
        ("recall", "0.25", "0.11", "0.54"),
        ("precision", "0.500", "0.406", "0.595"),
        ("yield", "4,000", "1,844", "8,790"),
        ("elusion", "-", "-", "-"),
    )
    assert make_table(estimates, 4).cells[0] == ("recall", "0.2500", "0.1110", "0.5420")
    assert make_table(estimates, has_records=False).records == ()


def test_one_sided_recall_has_one_limit():
    table = make_table([make_estimate(alternative="greater", high=1.0)])
    assert table.title == "95 % lower limit (beta-binomial, prior 0.5)"
    assert table.cells == (("recall", "0.25", "0.11"),)


def test_small_recall_without_width_keeps_two_digits():
    small = make_estimate(3e-5, 3e-5, 3e-5, quantity="elusion")
    assert make_table([small]).cells == (("elusion", "0.000030", "0.000030", "0.000030"),)


METHODS = [
    make_estimate(low=1.0, high=1.0, method="naive-binomial", prior=None),
    make_estimate(low=-0.1, high=0.6, method="laplace", prior=None),
    make_estimate(low=NAN, high=NAN, method="koopman", prior=None),
    make_estimate(prior="uniform"),
    make_estimate(),
]


def test_method_table_has_remarks():
    table = make_table(METHODS)
    assert table.title == "recall 0.25, its 95 % interval by 5 methods"
    assert table.headings == ("method", "prior", "remark", "low", "high", "width")
    assert [(row[0], row[1], row[2]) for row in table.cells] == [
        ("naive-binomial", "", "single point"),
        ("laplace", "", "beyond 0 to 1"),
        ("koopman", "", "no interval"),
        ("beta-binomial", "uniform", ""),
        ("beta-binomial", "0.5", "recommended"),
    ]
    assert table.cells[-1][3:] == ("0.11", "0.54", "0.43")
    assert [record["recommended"] for record in table.records] == [False] * 4 + [True]
    three = (*STRATA, Stratum("more", False, 500, 0, 0))
    assert make_table([replace(METHODS[2], strata=three), METHODS[4]]).cells[0][2] == (
        "not for strata"
    )


@pytest.mark.parametrize(
    ("result", "sentence"),
    [
        (
            make_estimate(alternative="greater", level=0.9, high=1.0),
            "Recall is at least 0.11 at the 90 % level; the estimate is 0.25.",
        ),
        (
            make_estimate(alternative="less", low=0.0),
            "Recall is at most 0.54 at the 95 % level; the estimate is 0.25.",
        ),
        (make_estimate(low=NAN, high=NAN), "Recall is estimated at 0.2500, without an interval."),
        (make_estimate(NAN, NAN, NAN), "Recall cannot be estimated from these samples."),
        (
            make_estimate(NAN),
            "Recall is between 0.11 and 0.54 at the 95 % level; there is no estimate.",
        ),
        (
            make_estimate(4000, 1844, 8790, quantity="yield", bounds=(0, 102_000)),
            "Yield is between 1,844 and 8,790 documents at the 95 % level; the estimate is 4,000.",
        ),
    ],
)
def test_result_sentence(result, sentence):
    assert make_sentences(result)[0] == sentence


def test_records_have_counts_of_both_segments():
    (record,) = irbounds.results.records([make_estimate(seed=3, n_draws=9)])
    assert record == {
        "quantity": "recall",
        "estimate": 0.25,
        "low": 0.111,
        "high": 0.542,
        "posterior_mean": None,
        "method": "beta-binomial",
        "confidence_level": 0.95,
        "alternative": "two-sided",
        "prior": "0.5",
        "credit_found": False,
        "n_draws": 9,
        "seed": 3,
        "at_least": None,
        "sample_needed": None,
        "is_shown": None,
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


# ---- claims ----


def list_sentences(**options):
    return recall_sentences(recall(**options), None)


def test_verdict_is_first():
    shown = list_sentences(**READ, at_least=0.75)
    assert shown[0] == (
        f"Shown: recall of at least 0.75, {CONDITIONS}. The guaranteed 95 % lower limit is 0.84 "
        "(method exact); the estimate is 1.00."
    )
    assert shown[1:] == [NOT_COVERED]
    assert list_sentences(**READ, at_least=0.75, quantity=["precision", "recall"])[0] == shown[0]
    missed = list_sentences(**SAMPLED, at_least=0.7)
    assert missed[0].startswith("Not shown: recall of at least 0.7. The guaranteed 95 % lower")
    assert "unretrieved documents" in missed[1]
    by_posterior = list_sentences(**READ, at_least=0.85, method="beta-binomial")
    assert "The 95 % lower limit is 0.89 " in by_posterior[0]
    assert not any("uaranteed" in line for line in by_posterior)


def test_conditions_of_a_verdict():
    everything = list_sentences(retrieved=(50, 50, 9), unretrieved=(80, 80, 1), at_least=0.75)
    assert everything[0].startswith("Shown: ")
    assert CONDITIONS not in everything[0]  # nothing was sampled


def test_limit_is_told_from_the_claim():
    (estimate, *_) = recall(**READ, at_least=0.842)
    assert not estimate.is_shown
    assert "lower limit is 0.841 " in claim_sentences(estimate, 3)[0]
    (posterior, *_) = recall(**READ, at_least=0.8929, method="beta-binomial")
    assert not posterior.is_shown
    assert "lower limit is 0.89286 " in claim_sentences(posterior, 3)[0]


def test_sample_that_would_show_a_claim_or_none():
    (estimate,) = recall(**SAMPLED, at_least=0.9)
    assert f"A sample of {estimate.sample_needed:,} unretrieved" in claim_sentences(estimate, 2)[1]
    (never,) = recall(retrieved=(5000, 50, 10), unretrieved=(95_000, 1500, 700), at_least=0.5)
    assert claim_sentences(never, 2)[1] == "No larger unretrieved sample would show it."


@pytest.mark.parametrize(
    ("limit", "places", "side", "rounded"),
    [
        (0.8461, 2, "low", 0.84),
        (0.8461, 2, "high", 0.85),
        (0.84, 2, "low", 0.84),
        (0.95, 2, "high", 0.95),
        (0.1 + 0.2, 1, "high", 0.3),
        (1.0, 3, "high", 1.0),
    ],
)
def test_guaranteed_limits_are_rounded_outwards(limit, places, side, rounded):
    assert round_outwards(limit, places, side) == rounded


def test_rounding_of_an_interval():
    (estimate, *_) = recall(**SAMPLED, method="exact", quantity="recall")
    assert format_numbers(estimate, 1) == ("0.8", "0.5", "1.0")
    (posterior, *_) = recall(**SAMPLED, quantity="recall")
    assert format_numbers(posterior, 1) == ("0.8", "0.6", "0.9")
