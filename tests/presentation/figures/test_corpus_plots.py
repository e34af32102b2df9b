"""Figures of images of the corpus: box plots of systems, and the variance split."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from irbounds.presentation.figures import MAX_SYSTEMS
from irbounds.presentation.figures.corpus_plots import draw_images, draw_variances
from irbounds.presentation.figures.export import figure_bytes
from irbounds.presentation.figures.style import COLOURS, CONTRAST, EMPHASIS, THIN_LINE
from irbounds.results import (
    DifferencePrecision,
    ImageSummary,
    Interval,
    RankInterval,
    RankPrecision,
    ScorePrecision,
    VarianceSplit,
)

HOSTILE = '<script>alert("1")</script>\'s run.v2[0] & ' + "x" * 40
FIVE = ("minimum", "lower_quartile", "median", "upper_quartile", "maximum")


def summary(mean, sd):
    """Seven different numbers, so that one in the place of another shows."""
    return ImageSummary(mean, sd, mean - 3 * sd, mean - sd, mean + sd / 8, mean + sd, mean + 4 * sd)


def around(mean, sd):
    return Interval(mean - 2 * sd, mean + 2.5 * sd, 0.95, "percentile")


def score(system, root, sd=0.01, measure="AP"):
    mean = root + sd / 5
    return ScorePrecision(measure, system, root, summary(mean, sd), around(mean, sd), 2, 50, 1000)


def difference(system, baseline, root, higher=0.99):
    held = (summary(root, 0.01), around(root, 0.01), higher, 50, 1000)
    return DifferencePrecision("AP", system, baseline, root, *held)


def rank(system, place, low, high, measure="AP"):
    ranks = ImageSummary(place + 0.1, 0.5, low, place, place, place + 0.75, high)
    interval = RankInterval(low, high, 0.95, "quantile")
    return RankPrecision(measure, system, 0.5, place, ranks, interval, 0.9, None, 8, 1000)


def split(system, root, queries, documents, both, *, baseline=None, measure="AP"):
    total = queries + documents + both
    interval = Interval(root - 0.05, root + 0.06, 0.95, "student-t")
    parts = (queries, documents, both, total, queries, documents, total)
    return VarianceSplit(measure, system, baseline, root, *parts, interval, 50, 1000)


SCORES = [score("weak", 0.2), score("strong", 0.5, 0.02)]


RANKS = [rank("first", 1, 1, 2), rank("last", 7, 5, 8)]


SPLITS = [split("weak", 0.2, 6e-4, 1e-4, 3e-4), split("strong", 0.5, 5e-4, 1e-4, 4e-4)]


def axis_titles(figure):
    """Every axis title of a specification, in order."""

    def found(part, channel=""):
        if isinstance(part, list):
            return [title for one in part for title in found(one)]
        if not isinstance(part, dict):
            return []
        own = [part["title"]] if channel in ("x", "y") and part.get("title") else []
        return own + [title for key, one in part.items() for title in found(one, key)]

    return list(dict.fromkeys(found(figure.to_dict())))


def test_score_boxes_equal_the_results(rows_of):
    figure = draw_images([*SCORES, score("weak", 0.7, measure="nDCG@10")])
    drawn = {(row["system"], row["root"]): row for row in rows_of(figure)}
    for one in SCORES:
        row = drawn[one.system, one.value]
        assert {name: row[name] for name in FIVE} == {
            name: getattr(one.images, name) for name in FIVE
        }
        assert (row["low"], row["high"]) == (one.interval.low, one.interval.high)
    assert ("weak", 0.7) in drawn
    assert axis_titles(figure) == ["mean AP", "mean nDCG@10"]
    assert figure.name == "corpus-scores"
    assert figure.title == "Mean scores on 1,000 images of the corpus"
    assert figure.description.startswith("AP: strong is first of 2 systems.")


def halves(mask, axis=0):
    """The columns (or rows) painted in the first and in the second half of the other axis."""
    found = np.nonzero(mask)
    along, across = found[axis], found[1 - axis]
    middle = (along.min() + along.max()) / 2
    return across[along < middle], across[along > middle]


def test_the_better_system_is_above_and_to_the_right(painted):
    """The box and the diamond of strong, all of them, right of those of weak."""
    for colour in (EMPHASIS, CONTRAST):
        above, below = halves(painted(draw_images(SCORES), colour, legend=False))
        assert above.min() > below.max()


def test_symbols_of_the_legend_are_those_of_the_marks(symbol):
    """A diamond fills half of its box, a square all of it, and a line is flat."""
    for figure in (draw_images(SCORES), draw_images(RANKS)):
        assert 0.4 < symbol(figure, CONTRAST)[0] < 0.65
        assert symbol(figure, EMPHASIS) == pytest.approx((1, 1), abs=0.1)
        assert THIN_LINE in json.dumps(figure.to_dict())


def test_the_better_rank_is_above_and_to_the_left(painted):
    above, below = halves(painted(draw_images(RANKS), EMPHASIS, legend=False))
    assert above.max() < below.min()


def test_rank_boxes_equal_the_results(rows_of):
    figure = draw_images(RANKS)
    drawn = {row["system"]: row for row in rows_of(figure)}
    assert [drawn["last"][name] for name in ("root", "low", "high", "upper_quartile")] == [
        *(7, 5, 8),
        7.75,
    ]
    assert axis_titles(figure) == ["rank by mean AP, 1 is best"]
    assert figure.title == "Ranks on 1,000 images of the corpus"


def test_differences_from_a_baseline(rows_of, painted):
    rows = [difference("worse", "base", -0.2), difference("better", "base", 0.3)]
    figure = draw_images(rows)
    drawn = {row["label"]: row["root"] for row in rows_of(figure) if "label" in row}
    assert drawn == {"better \N{MINUS SIGN} base": 0.3, "worse \N{MINUS SIGN} base": -0.2}
    above, below = halves(painted(figure, EMPHASIS, legend=False))
    assert above.min() > below.max()


def test_of_many_pairs_the_largest_are_drawn(rows_of):
    rows = [difference(f"s{k}", f"t{k}", k / 100) for k in range(MAX_SYSTEMS + 5)]
    figure = draw_images(rows)
    labels = {row["label"] for row in rows_of(figure) if "label" in row}
    assert labels == {f"s{k} \N{MINUS SIGN} t{k}" for k in range(5, MAX_SYSTEMS + 5)}
    assert figure.title.endswith(f" (the first {MAX_SYSTEMS} of {MAX_SYSTEMS + 5} pairs)")


def test_variance_fractions_add_up_and_are_painted_in_proportion(rows_of, painted):
    figure = draw_variances(SPLITS)
    drawn = rows_of(figure)
    shares = {(row["system"], row["part"]): row for row in drawn if "fraction" in row}
    assert shares["weak", "queries"]["fraction"] == pytest.approx(0.6)
    assert shares["weak", "both together"]["from"] == pytest.approx(0.7)
    assert shares["weak", "both together"]["to"] == pytest.approx(1.0)
    documents, both = (painted(figure, colour, legend=False).sum() for colour in COLOURS[1:3])
    assert both / documents == pytest.approx(3.5, rel=0.1)


def test_without_variance_fractions_are_unknown(rows_of):
    flat = Interval(math.nan, math.nan, 0.95, "student-t")
    row = replace(split("flat", 0.5, 0.0, 0.0, 0.0), interval=flat)
    figure = draw_variances([row])
    assert {one["fraction"] for one in rows_of(figure) if "fraction" in one} == {None}


@pytest.mark.parametrize(
    "figure",
    [
        draw_images([score(HOSTILE, 0.3), score("b", 0.2)]),
        draw_images([rank(HOSTILE, 1, 1, 2, "AP(rel=2).[0]")]),
        draw_images([difference(HOSTILE, "'b\"", 0.1), difference("c", HOSTILE, 0.2)]),
        draw_variances([split(HOSTILE, 0.3, 1e-4, 0.0, 1e-4, baseline="</svg>")]),
    ],
    ids=lambda figure: figure.name,
)
def test_hostile_names_are_text(figure, rows_of):
    assert any(row.get("system") == HOSTILE for row in rows_of(figure))
    drawn = ElementTree.fromstring(figure_bytes(figure, ".svg"))
    assert not [one for one in drawn.iter() if one.tag.endswith("script")]
    assert any((one.text or "").startswith("<script>alert") for one in drawn.iter())


@pytest.mark.parametrize("n", [MAX_SYSTEMS, MAX_SYSTEMS + 1])
def test_of_many_systems_the_first_are_drawn_with_a_note(n, rows_of):
    """Systems s0, s1 and so on are best first; spreads keep the order of their rows."""
    names = [f"s{k}" for k in range(n)]
    scores = [score(name, 1 - k / 100) for k, name in enumerate(names)]
    for draw, rows in (
        (draw_images, scores),
        (draw_images, [rank(name, k + 1, 1, n) for k, name in enumerate(names)]),
        (draw_variances, [split(name, 1 - k / 100, 1, 1, 1) for k, name in enumerate(names)]),
    ):
        shown = {row["system"] for row in rows_of(draw(rows[::-1])) if "system" in row}
        assert shown == set(names[:MAX_SYSTEMS]), draw
        note = f" (the first {MAX_SYSTEMS} of {n} systems)"
        assert draw(rows).title.endswith(note) == (n > MAX_SYSTEMS)
        assert {row["system"] for row in rows_of(draw(rows, top=3)) if "system" in row} == {
            *names[:3]
        }
        assert "the first" not in draw(rows, top=None).title
