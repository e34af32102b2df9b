"""Pairs of systems, and differences without rounding errors."""

from __future__ import annotations

import numpy as np
import pytest

from irbounds.comparisons import pairs as module
from irbounds.comparisons.pairs import pair_systems
from irbounds.errors import ParameterError


def list_names(pairs):
    places = zip(pairs.first, pairs.second, strict=True)
    return [(pairs.systems[first], pairs.systems[second]) for first, second in places]


def test_all_pairs_put_the_better_system_first(table):
    scores = [[[0.1, 0.2], [0.8, 0.9], [0.4, 0.5]], [[0.9, 0.9], [0.2, 0.1], [0.2, 0.1]]]
    first, second = pair_systems(table(scores), None)
    assert list_names(first) == [("s1", "s2"), ("s1", "s0"), ("s2", "s0")]
    # equal means stay in the order of the table
    assert list_names(second) == [("s0", "s1"), ("s0", "s2"), ("s1", "s2")]
    assert (first.measure, second.measure) == ("AP", "P@10")
    np.testing.assert_allclose(first.differences(slice(None)).mean(axis=1), [0.4, 0.7, 0.3])


def test_pairs_with_a_baseline(table):
    (pairs,) = pair_systems(table([[0.1, 0.2], [0.8, 0.9], [0.4, 0.5]]), "s2")
    assert list_names(pairs) == [("s0", "s2"), ("s1", "s2")]
    np.testing.assert_allclose(pairs.differences(slice(None)).mean(axis=1), [-0.3, 0.4])


def test_pairing_errors(table):
    with pytest.raises(ParameterError, match="needs at least two systems; got 's0'"):
        pair_systems(table([[0.1, 0.2]]), None)
    with pytest.raises(ParameterError, match=r"baseline must be one of 's0', 's1'; got 's9'"):
        pair_systems(table([[0.1, 0.2], [0.3, 0.4]]), "s9")


@pytest.mark.parametrize("scale", [1e-290, 1e-6, 1.0, 7.3, 1e9])
def test_differences_remove_rounding(couples, scale):
    tenths = np.array([3, 2, 10, 7, 1]) / 10
    higher, lower = tenths * scale, (tenths - 0.1) * scale
    assert len(set(higher - lower)) > 1  # as doubles they are not
    assert len(set(couples([higher, lower]).differences(slice(None))[0])) == 1
    thirds = np.array([1 / 3, 2 / 3, 1.0]) * scale
    sums = np.array([0.1 + 0.2 + 1 / 30, 2 / 3, 1.0]) * scale
    assert couples([thirds, sums]).differences(slice(None)).tolist() == [[0.0, 0.0, 0.0]]


def test_differences_keep_more_than_rounding(couples):
    scores = np.random.default_rng(0).random((2, 50))
    (actual,) = couples(scores).differences(slice(None))
    np.testing.assert_allclose(actual, scores[0] - scores[1], rtol=0, atol=1e-13)
    (small,) = couples([[0.5, 0.5], [0.5 + 1e-12, 0.5]]).differences(slice(None))
    assert small[0] == pytest.approx(-1e-12, rel=0.1)


def test_chunks_cover_every_pair_once(couples, monkeypatch):
    monkeypatch.setattr(module, "CHUNK", 40)
    pairs = couples(np.random.default_rng(0).random((14, 10)))
    parts = pairs.chunks()
    assert [len(pairs.differences(part)) for part in parts] == [4, 3]
    assert len(pairs.chunks(1000)) == 7  # one pair at the least
    np.testing.assert_array_equal(
        np.concatenate([pairs.differences(part) for part in parts]), pairs.differences(slice(None))
    )
