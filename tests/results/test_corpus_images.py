"""Tables and sentences of scores, ranks, differences and variances on images of the corpus."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from irbounds.presentation.registry import View, make_tables
from irbounds.results import (
    DifferencePrecision,
    ImageSummary,
    Interval,
    RankInterval,
    RankPrecision,
    ScorePrecision,
    VarianceSplit,
)


def make_summary(mean, sd):
    """Return seven different numbers, so that swapped numbers are detected."""
    return ImageSummary(mean, sd, mean - 5 * sd, mean - sd, mean + sd / 8, mean + sd, mean + 5 * sd)


def make_interval(low, high):
    return Interval(low, high, 0.95, "percentile")


def make_score(system, root, mean, sd, *, decimals=2, measure="AP"):
    interval = make_interval(mean - 2 * sd, mean + 2 * sd)
    return ScorePrecision(
        measure, system, root, make_summary(mean, sd), interval, decimals, 50, 1000
    )


def make_difference(system, baseline, root, higher, *, measure="AP"):
    fields = (make_summary(root, 0.011), make_interval(root - 0.02, root + 0.02), higher, 50, 1000)
    return DifferencePrecision(measure, system, baseline, root, *fields)


def make_rank(system, place, low, high, best, *, over=None):
    ranks = ImageSummary(place + 0.1, 0.5, low, place - 0.25, place, place + 0.75, high)
    interval = RankInterval(low, high, 0.95, "percentile")
    return RankPrecision(
        *("AP", system, 0.5 - place / 10, place, ranks, interval, best, over, 3, 1000)
    )


JUDGED = View(queries="judged queries")
SCORES = [make_score("b", 0.301, 0.312, 0.0133), make_score("a", 0.402, 0.398, 0.0121)]
RANKS = [
    make_rank("a", 1, 1, 2, 0.9, over=0.95),
    make_rank("b", 2, 1, 3, 0.1, over=0.9494),
    make_rank("c", 3, 2, 3, 0.0),
]
PAIRS = [
    make_difference("a", "b", 0.1, 0.95),
    make_difference("a", "c", 0.2, 1.0),
    make_difference("b", "c", 0.1, 0.9494),
]


def test_corpus_scores_are_sorted_with_one_more_decimal_for_shift_and_spread():
    (table,) = make_tables(SCORES, JUDGED)
    assert table.title == "AP over 50 judged queries: on the corpus and on 1,000 images"
    assert table.caption == (
        "low to high: 95 % of images; shift: mean - corpus; decimals: the most that can be relied "
        "on"
    )
    assert table.bars[0] == (0.3738, 0.402, 0.4222)
    assert table.cells == (
        ("a", "0.402", "0.398", "-0.0040", "0.0121", "0.374", "0.422", "2"),
        ("b", "0.301", "0.312", "+0.0110", "0.0133", "0.285", "0.339", "2"),
    )
    assert len(table.headings) == 8
    assert table.records[1]["shift"] == 0.312 - 0.301
    (still,) = make_tables([make_score("a", 0.0, 0.0, 0.0, decimals=8)])
    assert still.cells[0][-1] == "-"  # nothing varies, and nothing limits the decimals
    (one_digit_table,) = make_tables(SCORES, View(1, "judged queries"))
    assert one_digit_table.cells[0][1:5] == ("0.4", "0.4", "-0.00", "0.01")


def test_corpus_ranks_show_range():
    (table,) = make_tables(RANKS)
    assert table.cells == (
        ("a", "0.400", "1", "1", "2", "0.900", "0.950"),
        ("b", "0.300", "2", "1", "3", "0.100", "0.949"),
        ("c", "0.200", "3", "2", "3", "0.000", ""),
    )
    assert [record["over_next"] for record in table.records] == [0.95, 0.9494, None]
    assert table.records[0]["rank_high"] == 2
    assert table.records[0]["image_rank_upper_quartile"] == 1.75


def test_corpus_differences_name_common_baseline_once():
    (table,) = make_tables(PAIRS)
    assert table.headings[:3] == ("system", "minus", "corpus")
    assert table.cells[0] == (*("a", "c", "0.200", "0.200", "0.0110", "0.180", "0.220", "1.000"),)
    assert [row[:2] for row in table.cells] == [("a", "c"), ("a", "b"), ("b", "c")]
    (against,) = make_tables(PAIRS[1:])
    assert against.headings[:2] == ("system", "corpus")
    assert "AP: differences from c over 50 queries" in against.title
    assert against.cells[1][0] == "b"


def make_split(system, root, parts, *, baseline=None):
    total = sum(parts)
    half = 2 * math.sqrt(total) if total else math.nan
    return VarianceSplit(
        *("AP", system, baseline, root, *parts, total, total, total / 4, 1.5 * total),
        *(make_interval(root - half, root + half), 50, 1000),
    )


def test_variance_components_are_fractions():
    rows = [
        make_split("b", 0.3, (0.0006, 0.0001, 0.0003)),
        make_split("a", 0.4, (0.0008, 0.0, 0.0002)),
    ]
    (table,) = make_tables(rows, JUDGED)
    assert table.cells == (
        ("a", "0.400", "0.337", "0.463", "0.0316", "80 %", "0 %", "20 %"),
        ("b", "0.300", "0.237", "0.363", "0.0316", "60 %", "10 %", "30 %"),
    )
    single_split = [make_split("a", 0.1, (3.0, 1.0, 0.0), baseline="b")]
    assert "mean difference from b over 50 queries" in make_tables(single_split)[0].title
    still = [make_split("a", 0.1, (0.0, 0.0, 0.0))]
    assert make_tables(still)[0].cells[0][2:] == (*("-", "-", "0.00000", "-", "-", "-"),)


@pytest.mark.parametrize(
    ("n_images", "cell"),
    [(2, "0.9"), (10, "0.9"), (100, "0.95"), (1000, "0.946"), (10**6, "0.946")],
)
def test_fraction_digits_are_limited_by_number_of_replicates(n_images, cell):
    result = replace(make_difference("a", "b", 0.1, 0.94567), n_images=n_images)
    assert make_tables([result])[0].cells[0][-1] == cell
