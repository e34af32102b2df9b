"""Sentences about claims and computed coverage."""

import pytest

from irbounds import recall
from irbounds.errors import DegenerateSampleWarning
from irbounds.presentation.registry import View
from irbounds.results.recall_estimates import format_numbers, round_outwards
from irbounds.results.recall_sentences import CONDITIONS, claim_sentences, recall_sentences
from irbounds.samples import Stratum

READ = {"retrieved": (5000, 5000, 1000), "unretrieved": (95_000, 1500, 0)}
SAMPLED = {"retrieved": (5000, 500, 100), "unretrieved": (95_000, 1500, 5)}


def sentences(**options):
    return recall_sentences(recall(**options), View())


def test_verdict_is_first():
    shown = sentences(**READ, at_least=0.75)
    assert shown[0] == (
        f"Shown: recall of at least 0.75, {CONDITIONS}. The guaranteed 95 % lower limit is 0.84 "
        "(method exact); the estimate is 1.00."
    )
    assert any(line.startswith("Guaranteed: at least 95 in 100 of such limits") for line in shown)
    assert sentences(**READ, at_least=0.75, quantity=["precision", "recall"])[0] == shown[0]
    missed = sentences(**SAMPLED, at_least=0.7)
    assert missed[0].startswith("Not shown: recall of at least 0.7. The guaranteed 95 % lower")
    assert "unretrieved documents" in missed[1]
    assert "one look" in missed[2]


def test_conditions_name_the_sample_its_size_and_the_look():
    assert all(word in CONDITIONS for word in ("random", "sizes fixed", "one look"))
    everything = sentences(retrieved=(50, 50, 9), unretrieved=(80, 80, 1), at_least=0.75)
    assert everything[0].startswith("Shown: ")
    assert CONDITIONS not in everything[0]  # nothing was sampled
    missed = sentences(**SAMPLED, at_least=0.7)
    assert CONDITIONS not in "".join(missed)


def test_judgments_that_were_not_checked_are_a_condition():
    """Checking only the positives of the unretrieved sample lifts the limit."""
    strata = [
        Stratum("retrieved", True, 20_000, 500, 400),
        Stratum("unretrieved", False, 480_000, 2400, 12, None, 12, 7),
    ]
    with pytest.warns(DegenerateSampleWarning):
        lines = sentences(samples=strata, at_least=0.75)
    assert all(words in lines[0] for words in (CONDITIONS, "2,488 documents", "400 documents"))
    full = [
        Stratum("retrieved", True, 20_000, 500, 400, None, 400, 400, 100, 0),
        Stratum("unretrieved", False, 480_000, 2400, 12, None, 12, 7, 2388, 0),
    ]
    checked = sentences(samples=full, at_least=0.75)
    assert f"{CONDITIONS}. The" in checked[0]


def test_limit_is_told_from_the_claim():
    (estimate, *_) = recall(**READ, at_least=0.842, quantity="recall")
    assert not estimate.is_shown
    assert "lower limit is 0.841 " in claim_sentences(estimate, 3)[0]
    (posterior, *_) = recall(**READ, at_least=0.8929, quantity="recall", method="beta-binomial")
    assert not posterior.is_shown
    assert "lower limit is 0.89286 " in claim_sentences(posterior, 3)[0]


def test_claim_above_the_estimate():
    (estimate, *_) = recall(**SAMPLED, at_least=0.9, quantity="recall")
    assert f"A sample of {estimate.sample_needed:,} unretrieved" in claim_sentences(estimate, 2)[1]


@pytest.mark.parametrize(
    ("retrieved", "unretrieved", "assessable", "at_least", "reason"),
    [
        ((5000, 5000, 1000), (95_000, 95_000, 600), None, 0.75, ("1,000", "600")),
        ((5000, 5000, 1000), (2000, 1500, 0), (5000, 1000), 0.75, ("1,000", "500 there could not")),
        ((5000, 50, 40), (95_000, 1500, 90), None, 0.99, ("4,000", "90")),
        ((5000, 50, 10), (95_000, 1500, 700), None, 0.5, ("retrieved sample is too small",)),
    ],
)
def test_claim_that_no_sample_would_show_has_a_reason(
    retrieved, unretrieved, assessable, at_least, reason
):
    counts = {"retrieved": retrieved, "unretrieved": unretrieved, "assessable": assessable}
    (estimate, *_) = recall(**counts, at_least=at_least, quantity="recall")
    assert not estimate.is_shown
    assert estimate.sample_needed is None
    _, why = claim_sentences(estimate, 2)
    assert all(words in why for words in reason)
    assert ("too small" in why) is ("too small" in reason[0])


def test_claim_by_another_method_is_not_called_guaranteed():
    lines = sentences(**READ, at_least=0.85, method="beta-binomial")
    assert lines[0].startswith(
        f"Shown: recall of at least 0.85, {CONDITIONS}. The 95 % lower limit is 0.89 "
    )
    assert not any("uaranteed 95" in line or line.startswith("Guaranteed") for line in lines)
    (worst,) = [line for line in lines if line.startswith("Not guaranteed")]
    assert "85.4 in 100, at a recall of 0.892; --method exact guarantees 95 in 100" in worst


def test_computed_coverage_replaces_the_nominal_one():
    far = sentences(retrieved=(2000, 100, 50), unretrieved=(100_000, 100, 3))
    assert not any("about 95" in line for line in far)
    (computed,) = [line for line in far if line.startswith("Computed for this design")]
    assert "if the yields are as estimated, 92.6 in 100 of the intervals" in computed
    near = sentences(**SAMPLED)
    assert any("about 95 in 100 of the intervals contain" in line for line in near)


def test_credit_is_stated():
    lines = sentences(retrieved=(600, 600, 93), unretrieved=(575, 350, 2), credit_found=True)
    assert any("are added to the retrieved set" in line for line in lines)


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
    value, low, high = format_numbers(estimate, 1)
    assert (value, low, high) == ("0.8", "0.5", "1.0")
    (posterior, *_) = recall(**SAMPLED, quantity="recall")
    assert format_numbers(posterior, 1) == ("0.8", "0.6", "0.9")
