"""Sentences about claims and computed coverage."""

import pytest

from irbounds import recall
from irbounds.presentation.registry import View
from irbounds.results.recall_estimates import format_numbers, round_outwards
from irbounds.results.recall_sentences import claim_sentences, recall_sentences

READ = {"retrieved": (5000, 5000, 1000), "unretrieved": (95_000, 1500, 0)}
SAMPLED = {"retrieved": (5000, 500, 100), "unretrieved": (95_000, 1500, 5)}


def sentences(**options):
    return recall_sentences(recall(**options), View())


def test_verdict_is_first():
    shown = sentences(**READ, at_least=0.75)
    assert shown[0] == (
        "Shown: recall of at least 0.75. The guaranteed 95 % lower limit is 0.84 (method exact); "
        "the estimate is 1.00."
    )
    assert any(line.startswith("Guaranteed: at least 95 in 100 of such limits") for line in shown)
    missed = sentences(**SAMPLED, at_least=0.7)
    assert missed[0].startswith("Not shown: recall of at least 0.7. The guaranteed 95 % lower")
    assert "would show it with probability 0.8" in missed[1]
    assert "one look at one sample" in missed[2]


def test_limit_is_told_from_the_claim():
    (estimate, *_) = recall(**READ, at_least=0.842, quantity="recall")
    assert not estimate.is_shown
    assert "lower limit is 0.841 " in claim_sentences(estimate, 3)[0]
    (posterior, *_) = recall(**READ, at_least=0.8929, quantity="recall", method="beta-binomial")
    assert not posterior.is_shown
    assert "lower limit is 0.89286 " in claim_sentences(posterior, 3)[0]


def test_claim_above_the_estimate():
    (estimate, *_) = recall(**SAMPLED, at_least=0.9, quantity="recall")
    assert "do not suggest that the claim is true" in claim_sentences(estimate, 2)[1]
    assert len(claim_sentences(estimate, 2)) == 2


def test_claim_by_another_method_is_not_called_guaranteed():
    lines = sentences(**READ, at_least=0.85, method="beta-binomial")
    assert lines[0].startswith("Shown: recall of at least 0.85. The 95 % lower limit is 0.89 ")
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
