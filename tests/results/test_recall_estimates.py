"""Recall as tables and sentences."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

import irbounds
from irbounds.presentation.registry import View, make_section, make_tables
from irbounds.results import Interval, RecallEstimate, Stratum
from irbounds.results.recall_sentences import OUTSIDE, RESTS_ON_PRIOR

STRATA = (Stratum("in", True, 2000, 100, 50, 90), Stratum("out", False, 100_000, 100, 3))


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
        bias_reduced=0.24,
        interval=Interval(low, high, level, method, alternative),
        strata=strata,
        limits=NoLimits(),
        prior=prior,
        **more,
    )


NAN = math.nan


def make_sentences(estimates, digits=None):
    return make_section(estimates, View(digits)).sentences


def make_table(estimates, digits=None, **view):
    (table,) = make_tables(estimates, View(digits, **view))
    return table


def test_recall_quantities_have_digits_of_own_interval():
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
    assert make_table(estimates, 4).cells[2] == ("yield", "4,000", "1,844", "8,790")
    assert make_table(estimates, has_records=False).records == ()


def test_one_sided_recall_has_one_limit():
    table = make_table([make_estimate(alternative="greater", high=1.0, system="bm25", topic="7")])
    assert table.title == "bm25, topic 7: 95 % lower limit (beta-binomial, prior 0.5)"
    assert table.cells == (("recall", "0.25", "0.11"),)


def test_recall_titles_have_topic_and_method_name():
    estimates = [make_estimate(topic="7", method="normal-official", prior=None)]
    assert make_table(estimates, topic="query").title == (
        "query 7: 95 % interval (normal-official)"
    )
    estimates.append(make_estimate(topic="7", method="normal", prior=None))
    assert make_table(estimates, topic="query").title.startswith("query 7: recall 0.25")
    assert make_table(estimates).title.startswith("topic 7: recall 0.25")


def test_small_recall_without_width_keeps_two_digits():
    small = make_estimate(3e-5, 3e-5, 3e-5, quantity="elusion")
    assert make_table([small]).cells == (("elusion", "0.000030", "0.000030", "0.000030"),)
    assert make_table([small], 4).cells[0][1] == "0.0000"
    assert make_tables([small])[0].cells[0][1] == "0.000030"
    large = make_estimate(0.9505, 0.9505, 0.9505)
    assert make_table([large]).cells[0][1] == "0.9505"
    # beside an interval of some width, that one decides
    wide = make_estimate(0.5, 0.4, 0.6, quantity="elusion", system="b")
    assert [row[1] for row in make_tables([small, wide])[0].cells] == ["0.50", "0.00"]


def test_recall_systems_are_sorted_by_topic_and_quantity():
    estimates = [
        make_estimate(0.2, 0.1, 0.3, system="a", topic="7"),
        make_estimate(0.4, 0.3, 0.5, system="b", topic="7"),
        make_estimate(0.9, 0.8, 1.0, system="a", topic="8"),
        make_estimate(0.6, 0.5, 0.7, system="a", topic="7", quantity="precision"),
    ]
    tables = make_tables(estimates)
    assert [table.title for table in tables] == [
        "topic 7: recall with its 95 % interval (beta-binomial, prior 0.5)",
        "topic 8: recall with its 95 % interval (beta-binomial, prior 0.5)",
        "topic 7: precision with its 95 % interval (beta-binomial, prior 0.5)",
    ]
    assert [row[0] for row in tables[0].cells] == ["b", "a"]


NINE = [
    make_estimate(low=1.0, high=1.0, method="naive-binomial", prior=None),
    make_estimate(low=-0.1, high=0.6, method="laplace", prior=None),
    make_estimate(low=0.1, high=1.2, method="normal", prior=None),
    make_estimate(low=NAN, high=NAN, method="koopman", prior=None),
    make_estimate(prior="uniform"),
    make_estimate(),
]


def test_recall_method_table_has_remarks():
    table = make_table(NINE)
    assert table.title == "recall 0.25, its 95 % interval by 6 methods"
    assert table.headings == ("method", "prior", "remark", "low", "high", "width")
    assert [(row[0], row[1], row[2]) for row in table.cells] == [
        ("naive-binomial", "", "single point"),
        ("laplace", "", "beyond 0 to 1"),
        ("normal", "", "beyond 0 to 1"),
        ("koopman", "", "no interval"),
        ("beta-binomial", "uniform", ""),
        ("beta-binomial", "0.5", "recommended"),
    ]
    assert table.cells[-1][3:] == ("0.11", "0.54", "0.43")
    assert [record["recommended"] for record in table.records] == [False] * 5 + [True]
    three = (*STRATA, Stratum("more", False, 500, 0, 0))
    assert make_table([replace(NINE[3], strata=three), NINE[5]]).cells[0][2] == "not for strata"
    below = {"alternative": "less", "low": 0.0}
    one_sided = make_table([make_estimate(**below), make_estimate(**below, prior="uniform")])
    assert one_sided.headings == ("method", "prior", "remark", "high")


def test_recall_sentences():
    gist, meaning, unjudged, not_covered = make_sentences([make_estimate()])
    assert "could not be judged count as not relevant" in unjudged
    assert gist == "Recall is between 0.11 and 0.54 at the 95 % level; the estimate is 0.25."
    assert meaning == (
        "On average over corpora, about 95 in 100 of the intervals contain the true value; for one "
        "corpus it may be fewer (docs/reference/recall-methods.md)."
    )
    assert not_covered == (
        "This does not allow for assessors' mistakes, samples not drawn at random, or documents "
        "beyond these 102,000."
    )


@pytest.mark.parametrize(
    ("result", "gist"),
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
            make_estimate(1.0, 1.0, 1.0),
            "Recall is estimated at 1.0000; the 95 % interval is this single point.",
        ),
        (
            make_estimate(4000, 1844, 8790, quantity="yield", bounds=(0, 102_000)),
            "Yield is between 1,844 and 8,790 documents at the 95 % level; the estimate is 4,000.",
        ),
    ],
)
def test_recall_summary_sentence(result, gist):
    assert make_sentences([result])[0] == gist


def test_recall_limit_sentence_names_its_side():
    below = make_sentences([make_estimate(alternative="greater", high=1.0)])[1]
    above = make_sentences([make_estimate(alternative="less", low=0.0)])[1]
    assert "about 95 in 100 of the limits are not above the true value" in below
    assert "about 95 in 100 of the limits are not below the true value" in above


def test_impossible_recall_limits_are_reported():
    lines = make_sentences(NINE)
    assert lines[0].startswith("Recall is between 0.11 and 0.54")  # of the recommended one
    assert any(line.startswith("An end below 0 or above 1") for line in lines)


ALL = (Stratum("in", True, 20, 20, 9), Stratum("out", False, 80, 80, 1))
INSIDE = (Stratum("in", True, 20, 20, 9), Stratum("out", False, 80, 8, 1))
IN_PART = (*STRATA, Stratum("more", False, 500, 0, 0))
REPEATED = "In repeated sampling, "
AVERAGE = "On average over corpora, "
NOMINALLY = "Nominally, about 95 in 100 such "
OFTEN_LOWER = (
    f"{NOMINALLY}intervals contain the true value; actual coverage is often lower: use "
    "beta-binomial with prior 0.5 (docs/reference/recall-methods.md)."
)
CLOSE = (
    f"{NOMINALLY}intervals contain the true value; coverage is close to this for most samples, "
    "and closest by beta-binomial with prior 0.5 (docs/reference/recall-methods.md)."
)


GUARANTEED = (
    "Guaranteed: at least 95 in 100 of such intervals contain the true value, whatever the corpus "
    "is like."
)


def list_coverage_sentences(*estimates):
    """Return the sentences about coverage."""
    starts = (REPEATED, AVERAGE, "Nominally", "Part of the corpus", "Guaranteed")
    return [line for line in make_sentences(estimates) if line.startswith(starts)]


def test_fully_assessed_recall_is_known_exactly():
    known = make_estimate(0.9505, 0.9505, 0.9505, strata=ALL)
    assert make_sentences([known]) == [
        "Everything was assessed: recall is 0.9505, without sampling error.",
        "This does not allow for assessors' mistakes, or documents beyond these 100.",
    ]
    # even if a method does not see it
    blind = make_estimate(0.9505, 0.9, 1.0, strata=ALL, method="koopman", prior=None)
    assert list_coverage_sentences(blind) == []
    judged = replace(ALL[0], assessable=19)
    result = make_estimate(0.9505, 0.9505, 0.9505, strata=(judged, ALL[1]))
    assert make_sentences([result])[0].startswith("Everything was drawn: recall is 0.9505, ")
    assert make_sentences([make_estimate(NAN, NAN, NAN, strata=ALL)])[0] == (
        "Recall cannot be estimated from these samples."
    )


def test_segment_fraction_is_known_if_segment_is_fully_assessed():
    precision = make_estimate(0.45, 0.45, 0.45, quantity="precision", strata=INSIDE)
    elusion = make_estimate(0.1, 0.05, 0.4, quantity="elusion", strata=INSIDE)
    assert make_sentences([precision])[0] == (
        "Everything retrieved was assessed: precision is 0.4500, without sampling error."
    )
    assert list_coverage_sentences(precision) == []
    assert list_coverage_sentences(elusion)[0].startswith(AVERAGE)
    # of the one that is not known
    assert list_coverage_sentences(precision, elusion)[0].startswith(AVERAGE)


@pytest.mark.parametrize("method", ["beta-binomial", "beta-jeffreys"])
def test_coverage_is_not_stated_without_a_sample(method):
    assert list_coverage_sentences(make_estimate(strata=IN_PART, method=method)) == [RESTS_ON_PRIOR]
    precision = make_estimate(strata=IN_PART, method=method, quantity="precision")
    assert list_coverage_sentences(precision) == list_coverage_sentences(
        replace(precision, strata=STRATA)
    )
    assert list_coverage_sentences(precision, make_estimate(strata=IN_PART, method=method)) == [
        RESTS_ON_PRIOR
    ]
    empty = (*STRATA, Stratum("none", False, 0, 0, 0))
    assert list_coverage_sentences(make_estimate(strata=empty)) == list_coverage_sentences(
        make_estimate()
    )


def test_coverage_is_not_stated_without_an_interval_or_for_a_single_point():
    assert list_coverage_sentences(make_estimate(low=NAN, high=NAN)) == []
    assert list_coverage_sentences(make_estimate(1.0, 1.0, 1.0)) == []
    assert list_coverage_sentences(make_estimate(1.0, 1.0, 1.0, method="normal", prior=None)) == []


@pytest.mark.parametrize(
    ("method", "prior", "sentence"),
    [
        ("beta-binomial", "0.5", None),
        ("monte-carlo", "0.5", None),
        *((method_name, "uniform", CLOSE) for method_name in ("beta-binomial", "monte-carlo")),
        *(
            (method_name, None, CLOSE)
            for method_name in ("koopman", "beta-jeffreys", "wilson", "jeffreys")
        ),
        *((method_name, None, GUARANTEED) for method_name in ("exact", "clopper-pearson")),
        *(
            (method_name, None, OFTEN_LOWER)
            for method_name in (
                "naive-binomial", "normal", "normal-official", "laplace", "agresti-coull", "wald",
            )
        ),
    ],
)  # fmt: skip
def test_coverage_sentence_depends_on_the_method(method, prior, sentence):
    for quantity in ("recall", "precision"):
        (sentence_text,) = list_coverage_sentences(
            make_estimate(method=method, prior=prior, quantity=quantity)
        )
        assert sentence_text == sentence if sentence else sentence_text.startswith(AVERAGE)


def test_coverage_sentence_of_limit_names_its_side():
    (sentence_text,) = list_coverage_sentences(
        make_estimate(method="normal", prior=None, alternative="greater", high=1.0)
    )
    assert sentence_text.startswith(f"{NOMINALLY}limits are not above the true value; actual")


def test_coverage_sentence_of_all_methods_names_best():
    assert list_coverage_sentences(*NINE) == [
        f"{REPEATED}about 95 in 100 of the intervals by beta-binomial with prior 0.5 contain "
        "the true value; the coverage of other methods is less close to this "
        "(docs/reference/recall-methods.md)."
    ]


@pytest.mark.parametrize(
    ("result", "is_outside"),
    [
        (make_estimate(), False),
        (make_estimate(1.0, 0.7, 0.99), True),
        (make_estimate(1.0, 0.7, 1.0), True),
        (make_estimate(0.0, 0.001, 0.3), True),
        (make_estimate(1.0, 0.7, 1.0, alternative="greater"), False),
        (make_estimate(0.1, 0.2, 1.0, alternative="greater"), True),
        (make_estimate(0.0, 0.0, 0.3, alternative="less"), False),
        (make_estimate(0.4, 0.0, 0.3, alternative="less"), True),
        (make_estimate(1.0, 1.0, 1.0), False),
        (make_estimate(NAN), False),
        (make_estimate(low=NAN, high=NAN), False),
    ],
)
def test_recall_outside_its_interval_is_explained(result, is_outside):
    lines = make_sentences([result])
    assert (OUTSIDE in lines) is is_outside
    assert (OUTSIDE in make_sentences([make_estimate(), result])) is is_outside


def test_recall_sentence_digits():
    gist = make_sentences([make_estimate()], 4)[0]
    assert gist == "Recall is between 0.1110 and 0.5420 at the 95 % level; the estimate is 0.2500."


def test_many_recall_sets_have_no_summary_sentence():
    lines = make_sentences([make_estimate(system="a"), make_estimate(system="b")])
    assert lines[0].startswith(AVERAGE)
    assert lines[-1].endswith("beyond the corpus.")


def test_recall_records_have_counts_of_both_segments():
    (record,) = irbounds.results.records(
        [make_estimate(topic="7", system="bm25", seed=3, n_draws=9)]
    )
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
        "credit_found": False,
        "n_draws": 9,
        "seed": 3,
        "coverage": None,
        "worst_coverage": None,
        "worst_value": None,
        "at_least": None,
        "sample_needed": None,
        "is_shown": None,
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


def test_coarse_table_error_is_stated():
    huge = {"retrieved": (10**8, 1000, 500), "unretrieved": (9 * 10**8, 1000, 3)}
    lines = make_sentences([irbounds.recall_interval(**huge)])
    assert "Computed on coarse tables: the ends of recall are accurate to 4e-06." in lines
    small = irbounds.recall_interval(retrieved=(200, 50, 20), unretrieved=(900, 60, 2))
    assert not any("coarse" in line for line in make_sentences([small]))


@pytest.mark.filterwarnings("ignore::irbounds.errors.DegenerateSampleWarning")
def test_recall_of_empty_retrieved_set_is_0():
    result = irbounds.recall_interval(retrieved=(0, 0, 0), unretrieved=(1000, 10, 0))
    lines = make_sentences([result])
    assert lines[0] == "Recall can only be 0.0000, if there is a relevant document."
    assert not any("In repeated sampling" in line for line in lines)
