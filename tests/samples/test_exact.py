"""Guaranteed limits: one uncertain stratum, edges, quantities, credit for found documents."""

import math
import warnings

import pytest

import irbounds
import naive
from irbounds.errors import DegenerateSampleWarning, ParameterError
from irbounds.results import Stratum
from recall_calls import estimate_all, estimate_recall

READ = {"retrieved": (5000, 5000, 1000), "unretrieved": (95_000, 1500, 0)}
REVIEW = {"retrieved": (600, 600, 93), "unretrieved": (575, 350, 2)}
SAMPLED = {"retrieved": (5000, 500, 100), "unretrieved": (95_000, 1500, 5)}


def test_retrieved_side_read_in_full_has_the_hypergeometric_limit():
    for N0, n0, x0 in ((40, 10, 0), (40, 10, 3), (60, 59, 1), (25, 1, 1)):
        for level in (0.8, 0.95):
            missed = naive.one_sided_yield_limit(N0, n0, x0, 1 - level, "high")
            result = estimate_recall(
                retrieved=(30, 30, 12),
                unretrieved=(N0, n0, x0),
                method="exact",
                alternative="greater",
                confidence_level=level,
            )
            assert result.interval.low == pytest.approx(12 / (12 + missed), abs=1e-12)


def test_empty_sample_of_the_rest():
    """R0 = 188 is the last with P(X0 = 0) above 0.05: (1 - 1500 / 95000) ^ 188 = 0.0503."""
    low = estimate_recall(**READ, method="exact", alternative="greater").interval.low
    assert low == pytest.approx(1000 / 1188, abs=1e-12)


def test_found_documents_are_credited():
    plain = estimate_recall(**REVIEW, method="exact", alternative="greater")
    credited = estimate_recall(**REVIEW, method="exact", alternative="greater", credit_found=True)
    assert (plain.interval.low, credited.interval.low) == pytest.approx((0.93, 0.95), abs=1e-12)
    assert plain.value == pytest.approx(93 / (93 + 575 * 2 / 350))
    assert credited.value == pytest.approx(95 / (93 + 575 * 2 / 350))
    posterior = estimate_recall(**REVIEW, alternative="greater", credit_found=True)
    assert posterior.interval.low == pytest.approx(0.95, abs=1e-12)
    assert credited.credit_found


def test_credit_changes_all_quantities_but_the_yield():
    rows = {row.quantity: row for row in estimate_all(**SAMPLED, credit_found=True)}
    plain = {row.quantity: row for row in estimate_all(**SAMPLED)}
    assert rows["yield"].interval == plain["yield"].interval
    assert rows["precision"].value == pytest.approx((1000 + 5) / 5005)
    assert rows["elusion"].value == pytest.approx((5 * 95_000 / 1500 - 5) / 94_995)
    for name in ("recall", "precision", "F1"):
        assert rows[name].interval.low > plain[name].interval.low
    exact = {row.quantity: row for row in estimate_all(**SAMPLED, method="exact",
                                                           credit_found=True)}  # fmt: skip
    for name, row in exact.items():
        assert row.interval.low <= row.value <= row.interval.high, name


def test_credit_is_refused_by_other_methods():
    with pytest.raises(ParameterError, match="credit_found is for"):
        estimate_recall(**REVIEW, method="koopman", credit_found=True)


def test_everything_read_is_known():
    known = {"retrieved": (20, 20, 9), "unretrieved": (80, 80, 1)}
    for result in estimate_all(**known, method="exact"):
        assert result.interval.low == result.interval.high == pytest.approx(result.value)


def test_no_relevant_documents():
    with pytest.warns(DegenerateSampleWarning, match="no point estimate"):
        result = estimate_recall(retrieved=(100, 50, 0), unretrieved=(1000, 100, 0), method="exact")
    assert (result.interval.low, result.interval.high) == (0.0, 1.0)
    with pytest.warns(DegenerateSampleWarning, match="no interval"):
        nothing = estimate_recall(retrieved=(10, 10, 0), unretrieved=(20, 20, 0), method="exact")
    assert math.isnan(nothing.interval.low)


def test_stratum_without_a_sample_may_have_any_yield():
    strata = [
        Stratum("in", True, 100, 100, 60),
        Stratum("out", False, 1000, 200, 1),
        Stratum("unread", False, 40, 0, 0),
    ]
    sampled = estimate_recall(strata[:2], method="exact")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = estimate_recall(strata, method="exact")
    missed = 60 / sampled.interval.low - 60
    assert result.interval.low == pytest.approx(60 / (60 + missed + 40))
    assert result.interval.high == sampled.interval.high


def test_fractions_of_one_segment_are_hypergeometric():
    counts = {"retrieved": (40, 12, 5), "unretrieved": (90, 20, 1)}
    rows = estimate_all(**counts, method="exact", quantity=("precision", "elusion"))
    for row, (N, n, x) in zip(rows, ((40, 12, 5), (90, 20, 1)), strict=True):
        interval = row.interval
        low = naive.one_sided_yield_limit(N, n, x, 0.025, "low") / N
        high = naive.one_sided_yield_limit(N, n, x, 0.025, "high") / N
        assert (interval.low, interval.high) == pytest.approx((low, high), abs=1e-12)


def test_prevalence_is_yield_over_all_documents():
    rows = estimate_all(**SAMPLED, method="exact", quantity=("yield", "prevalence"))
    total, fraction = (row.interval for row in rows)
    assert (fraction.low, fraction.high) == pytest.approx((total.low / 1e5, total.high / 1e5))


@pytest.mark.parametrize(
    "quantity", ["recall", "precision", "F1", "yield", "prevalence", "elusion"]
)
def test_documents_that_could_not_be_judged_have_the_worst_case_at_each_end(quantity):
    """Each end is the one of the judgments, among all possible ones, that put it furthest out."""
    options = {"method": "exact", "confidence_level": 0.8}
    counts = {"retrieved": (60, 20, 8, 18), "unretrieved": (300, 40, 1, 37)}

    def ends(counts):
        rows = estimate_all(**counts, **options)
        return next(tuple(row.interval) for row in rows if row.quantity == quantity)

    low, high = ends(counts)
    possible = [
        ends({"retrieved": (60, 20, inside), "unretrieved": (300, 40, outside)})
        for inside in (8, 9, 10)
        for outside in (1, 2, 3, 4)
    ]
    assert low == min(end for end, _ in possible)
    assert high == max(end for _, end in possible)
    (plain,) = (row for row in estimate_all(**counts) if row.quantity == quantity)
    (exact,) = (row for row in estimate_all(**counts, **options) if row.quantity == quantity)
    assert exact.value == plain.value


def test_million_documents():
    result = estimate_recall(
        retrieved=(500_000, 1500, 800), unretrieved=(500_000, 3000, 50), method="exact"
    )
    assert 0.95 < result.interval.low < result.value < result.interval.high < 0.98


@pytest.mark.filterwarnings("ignore::irbounds.errors.DegenerateSampleWarning")
def test_limits_where_only_yields_without_a_relevant_document_are_left():
    """Recall is 0 if only unretrieved documents may be relevant, 1 if only retrieved ones may."""

    def ends(retrieved, unretrieved, **options):
        interval = estimate_recall(
            retrieved=retrieved, unretrieved=unretrieved, method="exact", **options
        ).interval
        return interval.low, interval.high

    assert ends((5, 5, 0), (100, 97, 0)) == (0.0, 0.0)
    assert ends((100, 97, 0), (5, 5, 0)) == (1.0, 1.0)
    assert ends((100, 97, 0), (10**6, 0, 0), alternative="less") == (0.0, 1.0)
    assert ends((1, 0, 0), (1, 1, 0), alternative="greater") == (1.0, 1.0)
    strata = [
        Stratum("a", True, 5, 5, 0),
        Stratum("z", True, 9, 0, 0),
        Stratum("b", False, 100, 97, 0),
    ]
    interval = estimate_recall(strata, method="exact").interval
    assert (interval.low, interval.high) == (0.0, 1.0)
    empty = {"retrieved": (0, 0, 0), "unretrieved": (6, 5, 0)}
    (result,) = estimate_all(**empty, method="exact", quantity=["F"])
    assert (result.interval.low, result.interval.high) == (0.0, 0.0)
    claim = irbounds.recall(retrieved=(5, 5, 0), unretrieved=(100, 97, 0), at_least=0.7)
    assert not claim[0].is_shown
    assert str(claim)
