"""Figures of chance: its distribution, and systems compared with it."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from irbounds.presentation.figures.chance_plots import TAIL, draw_chance_levels, make_bars
from irbounds.presentation.figures.style import CONTRAST, QUIET
from irbounds.random_rankings import null_distribution
from irbounds.verbs.chance import chance

HOSTILE = """<script>alert('1')</script> it's a.b["c"]"""
QRELS = {f"q{k}": {f"d{j}": int(j < k + 2) for j in range(12)} for k in range(5)}


def run(reversed_order: bool) -> dict[str, dict[str, float]]:
    sign = 1.0 if reversed_order else -1.0
    return {q: {doc: sign * j for j, doc in enumerate(docs)} for q, docs in QRELS.items()}


@pytest.fixture(scope="module")
def exact():
    return null_distribution(10, 4)


def all_scores(n_documents: int, n_relevant: int) -> np.ndarray:
    """AP of every choice of ranks, one by one."""
    return np.array(
        [
            sum(i / n for i, n in enumerate(places, 1)) / n_relevant
            for places in combinations(range(1, n_documents + 1), n_relevant)
        ]
    )


def draw(*numbers, **options):
    (figure,) = draw_chance_levels(chance(*numbers, **options))
    return figure


def test_bars_are_the_probability_between_their_edges(exact):
    scores = all_scores(10, 4)
    bars = make_bars(exact, None, "greater")
    for bar in bars:
        inside = (scores > bar["low"] * (1 + 1e-12)) & (scores <= bar["high"] * (1 + 1e-12))
        assert bar["probability"] == pytest.approx(np.mean(inside), abs=1e-12)
    assert len({round(bar["high"] - bar["low"], 12) for bar in bars}) == 1


@pytest.mark.parametrize("observed", [0.4, 0.7, float(all_scores(10, 4)[17])])
@pytest.mark.parametrize("side", ["greater", "less"])
def test_bars_beyond_a_score_add_up_to_its_p_value(exact, observed, side):
    bars = make_bars(exact, observed, side)
    beyond = sum(bar["probability"] for bar in bars if bar["beyond"])
    assert beyond == pytest.approx(exact.p_value(observed, side), abs=TAIL)
    other = "less" if side == "greater" else "greater"
    assert abs(beyond - exact.p_value(observed, other)) > 0.1  # and not to the other one


def test_of_two_sides_the_rarer_one_is_marked(exact):
    for observed, side in ((0.9, "greater"), (0.3, "less")):
        assert make_bars(exact, observed, "two-sided") == make_bars(exact, observed, side)


def test_a_distribution_of_one_score():
    bars = make_bars(null_distribution(5, 5), None, "greater")
    assert [bar["probability"] for bar in bars if bar["low"] < 1 <= bar["high"]] == [1.0]


def test_distribution_title_and_description(exact, rows_of):
    figure = draw(10, 4, observed=0.7)
    assert figure.title == "AP of random rankings: 0.5286 on average; 0.7 observed (p = 0.162)"
    assert figure.name == "chance-AP"
    lines = {row["line"]: row["place"] for row in rows_of(figure) if "line" in row}
    assert lines == {
        "mean of random rankings: 0.5286": exact.mean,
        "fraction of relevant documents: 0.4": 0.4,
        "0.7 observed (p = 0.162)": 0.7,
    }
    assert figure.description == figure.title


def test_distribution_paints_the_tail_beyond_a_score(painted):
    near, far = (painted(draw(10, 4, observed=score), CONTRAST) for score in (0.5, 0.8))
    assert near.sum() > 2 * far.sum()
    plot = slice(0, int(0.7 * len(far)))  # less the legend
    grey = painted(draw(10, 4, observed=0.8), QUIET)[plot].sum(axis=0) > 10  # bars, not letters
    assert np.nonzero(grey)[0].max() < np.median(np.nonzero(far[plot])[1])


def test_distributions_of_several_measures_are_panels():
    figure = draw(10, 4, measures=["AP", "nDCG@10"], n_draws=99)
    assert [panel["title"]["text"].split()[0] for panel in figure.to_dict()["vconcat"]] == [
        *("AP", "nDCG@10"),
    ]


def test_systems_and_chance_levels_are_drawn(rows_of):
    runs = {"good": run(False), HOSTILE: run(True)}
    levels = chance(QRELS, runs, measures=["AP", "nDCG@10"], n_draws=199)
    (figure,) = draw_chance_levels(levels)
    rows = {(row["label"], row["series"]): row for row in rows_of(figure)}
    assert len(rows) == 8
    for level in levels:
        label = f"{level.system}, {level.measure}"
        assert rows[label, "system"]["value"] == level.observed
        random = rows[label, "random rankings"]
        assert (random["value"], random["system"]) == (level.expected, level.system)
        ends = tuple(map(level.distribution.quantile, (0.025, 0.975)))
        assert (random["low"], random["high"]) == ends
    assert figure.title == "Mean AP, nDCG@10 compared with random rankings of the judged documents"


def test_chance_levels_without_systems_have_no_figure():
    assert draw_chance_levels(chance(QRELS)) == []
