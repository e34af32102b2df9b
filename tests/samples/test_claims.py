"""Claims: sides of limits, verdicts, the sample that is needed, swapped segments."""

import pytest

from irbounds import recall
from irbounds.errors import DegenerateSampleWarning, ParameterError
from irbounds.results import Stratum
from irbounds.samples.claims import warn_of_swapped
from irbounds.samples.recall_intervals import side_of_limit
from recall_calls import estimate_all, estimate_recall, segments

ALL = ("recall", "precision", "F1", "yield", "prevalence", "elusion")


@pytest.mark.parametrize("quantity", ALL)
def test_sides_of_one_claim(quantity):
    opposite = quantity in ("yield", "prevalence", "elusion")
    assert side_of_limit(quantity, "greater", ALL) == ("less" if opposite else "greater")
    assert side_of_limit(quantity, "less", ALL) == ("greater" if opposite else "less")
    assert side_of_limit(quantity, "two-sided", ALL) == "two-sided"


def test_sides_of_quantities_on_their_own():
    for side in ("greater", "less"):
        assert side_of_limit("elusion", side, ["elusion"]) == "less"
        assert side_of_limit("yield", side, ["yield"]) == side
        assert side_of_limit("prevalence", side, ["prevalence", "yield"]) == side


def test_limits_have_the_side_of_the_claim():
    rows = estimate_all(
        retrieved=(5000, 500, 100), unretrieved=(95_000, 1500, 5), alternative="greater"
    )
    for row in rows:
        is_upper = row.quantity in ("yield", "prevalence", "elusion")
        assert row.interval.alternative == ("less" if is_upper else "greater")
        end = row.interval.high if is_upper else row.interval.low
        assert (end > row.value) is is_upper


def test_claim_that_is_shown():
    counts = {"retrieved": (5000, 5000, 1000), "unretrieved": (95_000, 1500, 0)}
    options = {"method": "exact", "alternative": "greater"}
    quantities = ["precision", "recall"]
    other, shown = estimate_all(**counts, **options, at_least=0.75, quantity=quantities)
    assert shown.is_shown
    assert shown.sample_needed is None
    assert other.is_shown is None
    barely = estimate_all(**counts, **options, at_least=1000 / 1188)[0]
    assert barely.is_shown
    assert not estimate_all(**counts, **options, at_least=0.842)[0].is_shown


def sample_needed(retrieved, unretrieved, at_least, **options):
    return estimate_all(
        retrieved=retrieved,
        unretrieved=unretrieved,
        **{"method": "exact", "alternative": "greater", **options},
        at_least=at_least,
    )[0]


@pytest.mark.filterwarnings("ignore::irbounds.errors.DegenerateSampleWarning")
@pytest.mark.parametrize(
    ("retrieved", "unretrieved", "at_least", "needed"),
    [
        ((5000, 5000, 1000), (95_000, 100, 0), 0.75, 847),
        ((3000, 3000, 120), (5000, 0, 0), 0.8, 460),
        ((600, 600, 93), (5750, 350, 2), 0.6, None),
        ((600, 600, 93), (5750, 350, 9), 0.7, None),
        ((5000, 500, 100), (95_000, 1500, 5), 0.9, None),
    ],
)
@pytest.mark.parametrize("options", [{}, {"method": "beta-binomial"}, {"credit_found": True}])
def test_smallest_sample_without_a_further_document_that_shows_the_claim(
    retrieved, unretrieved, at_least, needed, options
):
    result = sample_needed(retrieved, unretrieved, at_least, **options)
    assert not result.is_shown
    n, relevant = result.sample_needed, unretrieved[2]
    if needed and not options:
        assert n == needed
    assert unretrieved[1] < n < unretrieved[0]
    assert sample_needed(retrieved, (unretrieved[0], n, relevant), at_least, **options).is_shown
    less = (unretrieved[0], n - 1, relevant)
    assert not sample_needed(retrieved, less, at_least, **options).is_shown


@pytest.mark.parametrize(
    ("retrieved", "unretrieved", "at_least"),
    [
        ((5000, 5000, 1000), (95_000, 95_000, 600), 0.75),  # everything was read
        ((600, 600, 93), (5750, 350, 41), 0.7),  # too many were missed
        ((5000, 50, 10), (95_000, 1500, 700), 0.5),  # the retrieved sample is too small
        ((5000, 1000, 0), (95_000, 95_000, 0), 0.8),  # nothing was found: 0/0 is possible
        ((5000, 200, 0), (95_000, 5000, 0), 0.8),
    ],
)
@pytest.mark.filterwarnings("ignore::irbounds.errors.DegenerateSampleWarning")
def test_no_sample_shows_the_claim(retrieved, unretrieved, at_least):
    result = sample_needed(retrieved, unretrieved, at_least)
    assert not result.is_shown
    assert result.sample_needed is None
    if unretrieved[1] < unretrieved[0]:
        whole = (unretrieved[0], unretrieved[0], unretrieved[2])
        assert not sample_needed(retrieved, whole, at_least).is_shown


def test_sample_of_strata_shows_the_claim():
    strata = [
        Stratum("found", True, 600, 600, 93),
        Stratum("near", False, 400, 40, 1),
        Stratum("far", False, 5000, 0, 0),
    ]
    with pytest.warns(DegenerateSampleWarning):
        (result, *_) = recall(strata, at_least=0.7, quantity="recall")
    added = (result.sample_needed - 40) / (360 + 5000)
    near, far = 40 + round(360 * added), round(5000 * added)
    larger = [strata[0], Stratum("near", False, 400, near, 1), Stratum("far", False, 5000, far, 0)]
    assert recall(larger, at_least=0.7, quantity="recall")[0].is_shown


def test_claim_needs_a_level_that_shows_something():
    with pytest.raises(ParameterError, match=r"at least 0\.8; got 0\.79"):
        sample_needed((5000, 5000, 1000), (95_000, 1500, 0), 0.75, confidence_level=0.79)
    assert sample_needed((5000, 5000, 1000), (95_000, 1500, 0), 0.75, confidence_level=0.8).is_shown


@pytest.mark.parametrize("method", ["exact", "beta-binomial", "beta-jeffreys"])
def test_documents_that_could_not_be_judged_are_the_worst_case_of_every_limit(method):
    options = {"method": method, "alternative": "greater"}
    rows = estimate_all(
        retrieved=(5000, 500, 100, 490), unretrieved=(95_000, 1500, 5, 1493), **options
    )
    lower = estimate_all(retrieved=(5000, 500, 100), unretrieved=(95_000, 1500, 12), **options)
    upper = estimate_all(retrieved=(5000, 500, 110), unretrieved=(95_000, 1500, 12), **options)
    assert len(rows) == len(ALL)
    for row, low, high in zip(rows, lower, upper, strict=True):
        is_upper = row.quantity in ("yield", "prevalence", "elusion")
        expected = high.interval.high if is_upper else low.interval.low
        assert (row.interval.high if is_upper else row.interval.low) == expected
        again = row.at(0.95, "two-sided").at(0.95, row.interval.alternative)
        assert again.interval == row.interval


def test_intervals_count_documents_that_could_not_be_judged_as_not_relevant():
    counts = {"retrieved": (5000, 500, 100, 490), "unretrieved": (95_000, 1500, 5, 1493)}
    judged = estimate_recall(retrieved=(5000, 500, 100), unretrieved=(95_000, 1500, 5))
    assert tuple(estimate_recall(**counts).interval) == tuple(judged.interval)
    cautious = estimate_recall(**counts).at(0.95, "greater").interval.low
    assert cautious < judged.at(0.95, "greater").interval.low


def test_documents_that_could_not_be_judged_count_against_a_claim():
    options = {"method": "exact", "alternative": "greater", "at_least": 0.7}
    result = estimate_all(
        retrieved=(5000, 5000, 1000), unretrieved=(95_000, 1500, 0, 1497), **options
    )[0]
    against = estimate_recall(
        retrieved=(5000, 5000, 1000),
        unretrieved=(95_000, 1500, 3),
        method="exact",
        alternative="greater",
    )
    assert result.interval.low == against.interval.low
    assert result.value == 1.0
    assert not result.is_shown


def test_swapped_segments_are_suspected():
    (warning,) = warn_of_swapped(segments((100_000, 100, 3), (2000, 100, 50)))
    assert "swapped?" in warning
    assert "0.5" in warning
    assert "0.03" in warning
    assert warn_of_swapped(segments((2000, 100, 50), (100_000, 100, 3))) == []


def test_documents_that_could_not_be_judged_are_not_credited():
    """They count as relevant in the limit, and were not added to the retrieved set."""
    options = {"method": "exact", "alternative": "greater", "credit_found": True}
    claim = estimate_all(
        retrieved=(600, 600, 93), unretrieved=(575, 350, 2, 345), **options, at_least=0.9
    )[0]
    plain = estimate_recall(
        retrieved=(600, 600, 93), unretrieved=(575, 350, 7), method="exact", alternative="greater"
    )
    missed = round(93 / plain.interval.low) - 93  # the upper limit of the unretrieved yield
    assert claim.interval.low == pytest.approx((93 + 2) / (93 + missed), abs=1e-12)


def test_sample_needed_leaves_out_strata_that_were_read():
    strata = [
        Stratum("a", True, 600, 600, 93),
        Stratum("read", False, 400, 400, 2),
        Stratum("rest", False, 5000, 300, 0),
    ]
    results = recall(strata, at_least=0.85, quantity="recall")
    assert 300 < results[0].sample_needed < 5000
    assert f"{results[0].sample_needed - 300:,} more than these 300," in " ".join(
        str(results).split()
    )
