"""Shuffled labels: against naive code, and reproducible bits."""

from __future__ import annotations

import numpy as np
import pytest

import naive
from irbounds import execution
from irbounds.resampling import label_shuffles
from irbounds.resampling.label_shuffles import UNIT, shuffle_labels
from irbounds.resampling.seeds import Purpose, stream

SCORES = np.random.default_rng(2).beta(0.6, 2, size=(7, 23))


def spread(means):
    return means.max(axis=1) - means.min(axis=1)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_label_shuffles_have_the_same_bits_on_any_threads(threads):
    with execution(threads=1):
        once = shuffle_labels(SCORES, 100, 9, spread)
    with execution(threads=threads, n_blocks=4):
        assert np.array_equal(shuffle_labels(SCORES, 100, 9, spread), once)
        assert not np.array_equal(shuffle_labels(SCORES, 100, 10, spread), once)


def test_more_label_shuffles_begin_with_the_same_ones():
    many = shuffle_labels(SCORES, 77, 9, spread)
    assert (many.size, len(set(many))) == (77, 77)
    assert np.array_equal(shuffle_labels(SCORES, 40, 9, spread), many[:40])


def test_chunks_of_words_do_not_change_label_shuffles(monkeypatch):
    expected = shuffle_labels(SCORES, 40, 9, spread)
    monkeypatch.setattr(label_shuffles, "WORDS_AT_ONCE", 2 * UNIT * 3)  # two queries at a time
    assert np.array_equal(shuffle_labels(SCORES, 40, 9, spread), expected)


def test_label_shuffles_match_naive():
    calls = []
    shuffle_labels(SCORES, UNIT, 4, lambda means: calls.append(means) or spread(means))
    words = stream(4, Purpose.label_shuffles, 0).integers(
        0, 2**64, size=(23, UNIT, 3), dtype=np.uint64
    )
    expected = np.zeros((UNIT, 7))
    for q, row in enumerate(SCORES.T.tolist()):
        for r in range(UNIT):
            row = naive.shuffled(row, [int(word) for word in words[q, r]])
            expected[r] += row
    np.testing.assert_allclose(calls[0], expected / 23, rtol=1e-13)


def test_label_shuffles_keep_the_overall_mean_and_the_input():
    before = SCORES.copy()
    means = shuffle_labels(SCORES, 50, 1, lambda means: means.mean(axis=1))
    np.testing.assert_allclose(means, SCORES.mean(), rtol=1e-12)
    assert np.array_equal(SCORES, before)
    equal = np.tile(SCORES[:1], (4, 1))
    np.testing.assert_allclose(shuffle_labels(equal, 50, 1, spread), 0, atol=1e-15)


def test_label_shuffles_report_progress():
    calls = []
    shuffle_labels(SCORES, 3 * UNIT + 1, 1, spread, progress=lambda: calls.append(1))
    assert len(calls) == 4
