"""Decisions of comparisons with other seeds: none changes, or it is marked as undecided."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import irbounds
from irbounds import difference_interval


@pytest.fixture(scope="module")
def many_systems():
    """Return scores of 40 systems on 60 queries, with many pairs near the level."""
    rng = np.random.default_rng(51)
    scores = (
        rng.normal(0, 1, 60) + rng.exponential(0.5, (40, 60)) + np.linspace(0, 0.8, 40)[:, None]
    )
    names = tuple(f"s{k}" for k in range(40)), tuple(map(str, range(60)))
    return irbounds.ScoreTable(("AP",), *names, scores[None])


def collect_decisions(table, seed, **options):
    """Return by pair whether it is significant, and whether that is certain."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", irbounds.errors.DegenerateSampleWarning)
        comparisons = difference_interval(table, rng=seed, **({"test": "sign-flip"} | options))
    return np.array([(c.is_significant, c.is_decided) for c in comparisons]).T


@pytest.mark.parametrize("adjustment", ["holm", "benjamini-hochberg", "none"])
def test_sign_flip_decisions_do_not_depend_on_the_seed(many_systems, adjustment):
    significant, decided = collect_decisions(many_systems, 1, adjustment=adjustment)
    assert 100 < significant.sum() < 680
    assert decided.all()
    for seed in (2, 3):
        assert (
            collect_decisions(many_systems, seed, adjustment=adjustment)[0] == significant
        ).all()


@pytest.mark.parametrize(
    "options",
    [
        {"n_resamples": 20_000},
        {"n_resamples": 2_000, "adjustment": "none"},
        {"n_resamples": 1_000, "test": "bootstrap", "adjustment": "benjamini-hochberg"},
    ],
    ids=lambda options: "-".join(map(str, options.values())),
)
def test_decisions_that_other_seeds_turn_are_marked(many_systems, options):
    # The limits of both seeds miss with a probability of a millionth. A decision at the edge of
    # being marked turns with another seed with a probability of about 0.0003.
    significant, decided = collect_decisions(many_systems, 0, **options)
    turned = np.zeros_like(decided)
    for seed in range(1, 21):
        turned |= collect_decisions(many_systems, seed, **options)[0] != significant
    assert turned.sum() > 5
    assert not (turned & decided).any()
    # and not everything is marked
    assert decided.mean() > 0.5


def test_decisions_of_trec_8_do_not_depend_on_the_seed(data_directory):
    scores = irbounds.read_scores(data_directory / "scores" / "adhoc8_ap.csv", measure="AP")
    significant, decided = collect_decisions(scores, 0)
    assert (len(significant), significant.sum()) == (8_256, 3_401)
    assert decided.all()
    assert (collect_decisions(scores, 1)[0] == significant).all()
