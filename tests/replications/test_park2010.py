"""Park (2010): the paper's tables on its data.

The tolerances were set before the numbers were known. Monte Carlo noise of a mean error is below
0.001 at full scale, so they allow for what the paper does not state, not for chance.
"""

from __future__ import annotations

import numpy as np
import pytest
from replications.data import find_file
from replications.park2010 import (
    PAPER,
    SMALL,
    STUDENT,
    draw_standardised,
    error_rows,
    rows,
    tally_sizes,
)

import irbounds


@pytest.mark.slow
def test_park2010_at_full_scale(data_directory):
    far, widths, first = {}, [], {}
    for table, row, column, paper, ours in rows(data_directory, 1.0):
        if column == "mean" or table == "Table 6":
            far[table] = max(far.get(table, 0), abs(ours - paper))
        if table == "Table 7":
            widths.append((ours, paper))
        if (row, column) == ("0.05", "mean"):
            first[table] = ours
    assert list(far) == [f"Table {number}" for number in (1, 2, 3, 4, 5, 6, 8)]
    reaches = {1: 0.012, 2: 0.02, 3: 0.012, 4: 0.012, 5: 0.02, 6: 0.02}
    for number, reach in reaches.items():
        assert far[f"Table {number}"] < reach, number
    assert len(widths) == 5
    for ours, paper in widths:
        assert abs(ours - paper) < 0.15 * paper
    # closer than required, where the tail is lighter: other standard deviations would be 12 % off
    for ours, paper in widths[1:]:
        assert abs(ours / paper - 1) < 0.06
    # what the paper is about: t on AP is too short, and standardising mends it
    assert first["Table 2"] > 0.07
    assert first["Table 4"] < 0.06


def mean_sd_max(scores, *, others_only):
    """Return Table 8 (level x mean, sd and max over systems), averaged over two seeds."""
    draw = draw_standardised(scores, others_only=others_only)
    tables = []
    for seed in (0, 1):
        tally = tally_sizes(draw, len(scores), [SMALL], 1000, seed)[SMALL]
        ours = [row[4] for row in error_rows("Table 8", PAPER[8], tally, STUDENT)]
        tables.append(np.reshape(ours, (-1, 3)))
    return np.mean(tables, axis=0)


@pytest.mark.slow
def test_table_8_on_trec3_meets_the_paper(data_directory):
    """Means over two seeds; one seed has a standard deviation of 0.003 at most.

    The maximum is that of one system: 0.118 at alpha = 0.05 with a standard deviation of 0.009, so
    the paper's 0.142 is 2.7 of them away, and at other levels less.
    """
    file = find_file(data_directory, "scores/adhoc3_ap.csv")
    scores = irbounds.read_scores(file, measure="AP").values[0]
    assert scores.shape == (40, 50)
    theirs = np.array(PAPER[8])
    ours = mean_sd_max(scores, others_only=True)
    assert np.abs(ours - theirs)[:, 0].max() < 0.005
    assert np.abs(ours - theirs)[:, 1].max() < 0.006
    assert np.abs(ours - theirs)[:, 2].max() < 0.035
    # negative control: with the system itself among the five, systems differ less than in the paper
    own_too = mean_sd_max(scores, others_only=False)
    assert own_too[0, 1] < ours[0, 1] - 0.001
    assert np.abs(own_too - theirs)[:, 0].max() > np.abs(ours - theirs)[:, 0].max()


def test_a_system_is_never_among_the_others_that_it_is_standardised_by():
    """With six systems the five others are always the same, so the scores are known."""
    rng = np.random.default_rng(3)
    scores = rng.random((6, 30))
    drawn = draw_standardised(scores, others_only=True)(2, 4, 50, rng)
    others = np.delete(scores, 2, axis=0)
    expected = (scores[2] - others.mean(axis=0)) / others.std(axis=0, ddof=1)
    assert drawn.mean == pytest.approx(np.full(50, expected.mean()))
    assert np.isclose(drawn.scores[..., None], expected).any(axis=2).all()
    mixed = draw_standardised(scores)(2, 4, 50, rng)
    assert len(np.unique(mixed.mean.round(9))) > 1


def test_no_sample_contains_a_topic_on_which_references_agree():
    rng = np.random.default_rng(3)
    scores = rng.random((9, 40))
    scores[:, 5:] = 0.5  # on these all systems agree
    drawn = draw_standardised(scores)(2, 4, 200, rng)
    assert drawn.scores.shape == (200, 4)
    assert (drawn.scores != 0).all()
    assert np.abs(drawn.mean).max() < 20
