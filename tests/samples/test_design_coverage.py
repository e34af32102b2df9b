"""Computed coverage of posterior intervals: against enumeration and simulation."""

import itertools
import math
import warnings
from dataclasses import replace

import numpy as np
import pytest

import naive
from irbounds import recall_interval
from irbounds.results import Stratum
from irbounds.samples import sample_estimates
from irbounds.samples.design_coverage import (
    Design,
    Tails,
    add_coverage,
    coverage_at_estimate,
    worst_coverage,
)
from irbounds.samples.quantities import ELUSION, PRECISION, RECALL, YIELD, estimate, f_quantity
from irbounds.samples.request import make_request

QUANTITIES = {
    "recall": RECALL,
    "precision": PRECISION,
    "F1": f_quantity(1.0),
    "yield": YIELD,
    "elusion": ELUSION,
}
FULL = [Stratum(f"s{place}", True, 500, 10, 10) for place in range(10)]
FULL.append(Stratum("rest", False, 50_000, 2000, 20))


def enumerate_coverage(quantity, request, yields):
    """Return the coverage by computing the interval of every possible sample."""
    coverage = 0.0
    truth = Design(quantity, request).value(yields)
    ranges = [range(part.sampled + 1) for part in request.strata]
    chances = [
        naive.hypergeometric(part.population, R, part.sampled)
        for part, R in zip(request.strata, yields, strict=True)
    ]
    for counts in itertools.product(*ranges):
        strata = tuple(
            replace(part, relevant=x) for part, x in zip(request.strata, counts, strict=True)
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            interval = estimate(quantity, replace(request, strata=strata)).interval
        if interval.low - 1e-9 <= truth <= interval.high + 1e-9:
            coverage += math.prod(c[x] for c, x in zip(chances, counts, strict=True))
    return coverage


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("name", QUANTITIES)
def test_coverage_is_that_of_all_samples(name, alternative):
    for counts, yields in [
        (((30, 8, 3), (60, 10, 1)), (12, 5)),
        (((12, 12, 5), (40, 9, 0)), (5, 3)),
        (((25, 5, 5), (30, 30, 2)), (20, 2)),
    ]:
        request = make_request(None, *counts, alternative=alternative, confidence_level=0.8)
        quantity = QUANTITIES[name]
        expected = enumerate_coverage(quantity, request, yields)
        computed = Design(quantity, request).coverage(yields, Tails.of(0.8, alternative))
        if not Design(quantity, request).uncertain:
            expected = 1.0  # the interval is a point
        assert computed == pytest.approx(expected, abs=1e-6), (counts, yields)


def test_lowest_coverage_of_the_empty_sample():
    """At a true recall of 0.892 the limit of 0.893 holds in 85.4 % of samples."""
    request = make_request(None, (5000, 5000, 1000), (95_000, 1500, 0), alternative="greater")
    coverage, value = worst_coverage(RECALL, request)
    assert coverage == pytest.approx(0.8544, abs=5e-4)
    assert value == pytest.approx(0.892, abs=5e-4)
    # (1 - 1500 / 95000) ^ 121, without replacement
    missed = math.prod((93_500 - k) / (95_000 - k) for k in range(121))
    assert 1 - missed == pytest.approx(coverage, abs=1e-4)


def test_strata_whose_samples_are_all_relevant():
    request = make_request(FULL, None, None)
    assert coverage_at_estimate(PRECISION, request) == 0.0
    with pytest.warns(match="precision: .* only relevant documents .* coverage is 0 in 100"):
        estimate(PRECISION, request)


@pytest.mark.parametrize("quantity", [RECALL, PRECISION, YIELD], ids=lambda q: q.name)
def test_coverage_with_strata_is_near_simulation(quantity):
    """300 simulated samples have an error of 0.013, the computed ones of about 0.01."""
    strata = [
        Stratum("a", True, 800, 60, 55),
        Stratum("b", True, 1200, 60, 9),
        Stratum("c", False, 12_000, 300, 9),
        Stratum("d", False, 40_000, 300, 3),
    ]
    request = make_request(strata, None, None)
    design = Design(quantity, request)
    yields = design.estimated_yields
    generator = np.random.default_rng(6)
    hits, truth = 0, design.value(yields)
    for _ in range(300):
        drawn = tuple(
            replace(part, relevant=int(generator.hypergeometric(R, part.population - R,
                                                                part.sampled)))
            for part, R in zip(strata, yields, strict=True)
        )  # fmt: skip
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            interval = estimate(quantity, replace(request, strata=drawn)).interval
        hits += interval.low <= truth <= interval.high
    assert coverage_at_estimate(quantity, request) == pytest.approx(hits / 300, abs=0.045)


def test_coverage_is_added_to_estimates():
    counts = {"retrieved": (2000, 100, 50), "unretrieved": (100_000, 100, 3)}
    rows = sample_estimates(**counts, coverage=True)
    assert all(0.9 < row.coverage < 0.97 for row in rows)
    recall = rows[0]
    assert recall.worst_coverage is not None  # off by more than two points
    assert recall.worst_coverage <= recall.coverage
    near = {row.quantity: row for row in rows}["precision"]
    assert near.worst_coverage is None
    assert sample_estimates(**counts)[0].coverage is None
    assert sample_estimates(**counts, method="exact", coverage=True)[0].coverage is None


def test_coverage_that_is_not_computed():
    cases = [
        ({"retrieved": (20, 20, 5), "unretrieved": (30, 30, 3)}, {}),
        ({"retrieved": (20, 10, 5), "unretrieved": (30, 10, 3)}, {"credit_found": True}),
    ]
    for counts, options in cases:
        request = make_request(None, counts["retrieved"], counts["unretrieved"], **options)
        result = recall_interval(**counts, **options)
        assert add_coverage(RECALL, request, result).coverage is None


def test_documents_that_could_not_be_judged():
    """They count as not relevant in recall; precision is about the others."""
    counts = (2000, 100, 50, 90), (1000, 100, 3)
    rows = {
        row.quantity: row
        for row in sample_estimates(retrieved=counts[0], unretrieved=counts[1], coverage=True)
    }
    assert rows["precision"].coverage is rows["F1"].coverage is None
    all_judged = sample_estimates(
        retrieved=counts[0][:3], unretrieved=counts[1], quantities=["recall"], coverage=True
    )
    assert rows["recall"].coverage == all_judged[0].coverage
