"""Claims: sides of limits, verdicts, the sample that is needed, swapped segments."""

import pytest

from irbounds import recall, recall_interval
from irbounds.results import Sample, Stratum
from irbounds.samples import sample_estimates
from irbounds.samples.claims import ASSURANCE, side_of_limit, warn_of_swapped
from irbounds.samples.counts import segment_strata
from irbounds.samples.hypergeometric import hypergeometric_cdf, hypergeometric_masses

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
    rows = sample_estimates(
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
    shown, *others = sample_estimates(**counts, **options, at_least=0.75)
    assert shown.is_shown
    assert shown.sample_needed is None
    assert {row.is_shown for row in others} == {None}
    barely = sample_estimates(**counts, **options, at_least=1000 / 1188)[0]
    assert barely.is_shown
    assert not sample_estimates(**counts, **options, at_least=0.842)[0].is_shown


def test_sample_that_is_needed_shows_the_claim_with_its_probability():
    """The relevant documents of the larger sample are at most these with probability 0.8."""
    retrieved, (N0, n0, x0) = (600, 600, 93), (5750, 350, 2)
    result = sample_estimates(
        retrieved=retrieved,
        unretrieved=(N0, n0, x0),
        method="exact",
        alternative="greater",
        at_least=0.6,
    )[0]
    assert not result.is_shown
    n = result.sample_needed
    assert n0 < n < N0
    assumed = round(N0 * (x0 + 0.5) / (n0 + 1))
    assert result.recall_assumed == pytest.approx(93 / (93 + N0 * (x0 + 0.5) / (n0 + 1)))
    limits = {
        x: recall_interval(
            retrieved=retrieved, unretrieved=(N0, n, x), method="exact", alternative="greater"
        ).interval.low
        for x in range(200)
        if x <= n
    }
    largest = max(x for x, low in limits.items() if low >= 0.6)
    assert hypergeometric_cdf(largest, N0, assumed, n) >= ASSURANCE


def test_control_set_grows_as_a_whole():
    sample = Sample(segment_strata((5000, 80, 60), (95_000, 1420, 5)), is_control_set=True)
    result = sample_estimates(sample, method="exact", alternative="greater", at_least=0.85)[0]
    assert not result.is_shown
    assert 1500 < result.sample_needed < 100_000
    alone = sample_estimates(
        Sample(sample.strata), method="exact", alternative="greater", at_least=0.85
    )[0]
    assert alone.sample_needed is None or alone.sample_needed != result.sample_needed


def test_documents_that_could_not_be_judged_count_against_a_claim():
    options = {"method": "exact", "alternative": "greater", "at_least": 0.7}
    result = sample_estimates(
        retrieved=(5000, 5000, 1000), unretrieved=(95_000, 1500, 0, 1497), **options
    )[0]
    against = recall_interval(
        retrieved=(5000, 5000, 1000),
        unretrieved=(95_000, 1500, 3),
        method="exact",
        alternative="greater",
    )
    assert result.interval.low == against.interval.low
    assert result.value == 1.0
    assert not result.is_shown


def test_sample_is_not_needed_if_the_estimate_is_below_the_claim():
    result = sample_estimates(
        retrieved=(600, 600, 93),
        unretrieved=(5750, 350, 9),
        method="exact",
        alternative="greater",
        at_least=0.7,
    )[0]
    assert not result.is_shown
    assert result.sample_needed is None


def test_swapped_segments_are_suspected():
    def sample(retrieved, unretrieved):
        return Sample(segment_strata(retrieved, unretrieved))

    usual = sample((2000, 100, 50), (100_000, 100, 3))
    swapped = sample((100_000, 100, 3), (2000, 100, 50))
    (warning,) = warn_of_swapped([swapped])
    assert "swapped?" in warning
    assert "0.5" in warning
    assert "0.03" in warning
    assert warn_of_swapped([usual]) == []
    assert warn_of_swapped([swapped, usual]) == []


@pytest.mark.filterwarnings("ignore::irbounds.errors.DegenerateSampleWarning")
@pytest.mark.parametrize(
    ("retrieved", "unretrieved", "at_least"),
    [((50, 50, 2), (1000, 200, 3), 0.25), ((50, 50, 0), (400, 100, 2), 0.2)],
)
def test_sample_with_credit_shows_the_claim_with_its_probability(retrieved, unretrieved, at_least):
    """With credit the limit can rise with what is found, so that all counts are tried."""
    options = {"method": "exact", "alternative": "greater", "credit_found": True}
    result = sample_estimates(
        retrieved=retrieved, unretrieved=unretrieved, **options, at_least=at_least
    )[0]
    n, (N0, n0, x0) = result.sample_needed, unretrieved
    first, masses = hypergeometric_masses(N0, round(N0 * (x0 + 0.5) / (n0 + 1)), n)
    chance = sum(
        mass
        for x, mass in enumerate(masses.tolist(), first)
        if recall_interval(retrieved=retrieved, unretrieved=(N0, n, x), **options).interval.low
        >= at_least
    )
    assert chance >= ASSURANCE


def test_documents_that_could_not_be_judged_are_not_credited():
    """They count as relevant in the limit, and were not added to the retrieved set."""
    options = {"method": "exact", "alternative": "greater", "credit_found": True}
    claim = sample_estimates(
        retrieved=(600, 600, 93), unretrieved=(575, 350, 2, 345), **options, at_least=0.9
    )[0]
    plain = recall_interval(
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
