"""Figures of chance: its distribution, systems beside it, and its queries."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from irbounds import expected_score
from irbounds.errors import ParameterError
from irbounds.presentation.figures.chance_plots import (
    MAX_SINGLE,
    TAIL,
    choose_tail,
    draw_chance_by_query,
    draw_chance_levels,
    draw_distributions,
    draw_null_distribution,
    draw_systems_and_chance,
    make_bars,
)
from irbounds.presentation.figures.style import CONTRAST, EMPHASIS, QUIET
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


@pytest.fixture(scope="module")
def systems():
    runs = {"good": run(False), HOSTILE: run(True)}
    return chance(QRELS, runs, measures=["AP", "nDCG@10"], population="judged", n_draws=199, seed=0)


def all_scores(n_documents: int, n_relevant: int) -> np.ndarray:
    """AP of every choice of ranks, one by one."""
    return np.array(
        [
            sum(i / n for i, n in enumerate(places, 1)) / n_relevant
            for places in combinations(range(1, n_documents + 1), n_relevant)
        ]
    )


def test_few_scores_are_drawn_one_by_one():
    bars = make_bars(null_distribution(5, 2), 0.5, "greater")
    scores = np.sort(all_scores(5, 2))
    assert [bar.low for bar in bars] == pytest.approx(scores)
    assert [bar.share for bar in bars] == pytest.approx([0.1] * 10)
    assert [bar.beyond for bar in bars] == list(scores >= 0.5 - 1e-12)


def test_bars_are_the_probability_between_their_edges(exact):
    scores = all_scores(10, 4)
    bars = make_bars(exact, None, "greater")
    assert len(bars) > MAX_SINGLE
    for bar in bars:
        within = np.mean((scores > bar.low * (1 + 1e-12)) & (scores <= bar.high * (1 + 1e-12)))
        assert bar.share == pytest.approx(within, abs=1e-12)
    assert {round(bar.high - bar.low, 12) for bar in bars} == {
        round(bars[0].high - bars[0].low, 12)
    }


@pytest.mark.parametrize("observed", [0.4, 0.7, float(all_scores(10, 4)[17])])
@pytest.mark.parametrize("side", ["greater", "less"])
def test_bars_beyond_a_score_add_up_to_its_p_value(exact, observed, side):
    beyond = sum(bar.share for bar in make_bars(exact, observed, side) if bar.beyond)
    assert beyond == pytest.approx(exact.p_value(observed, side), abs=TAIL)
    other = "less" if side == "greater" else "greater"
    assert abs(beyond - exact.p_value(observed, other)) > 0.1  # and not to the other one


def test_of_two_sides_the_rarer_one_is_marked(exact):
    assert choose_tail(exact, 0.9, "two-sided") == "greater"
    assert choose_tail(exact, 0.3, "two-sided") == "less"
    assert choose_tail(exact, 0.3, "greater") == "greater"
    assert choose_tail(exact, None, "two-sided") == "two-sided"


def test_a_distribution_of_one_score():
    (bar,) = make_bars(null_distribution(5, 5), None, "greater")
    assert (bar.low, bar.high, bar.share) == (1.0, 1.0, 1.0)


def test_distribution_title_and_description(exact, rows_of):
    figure = draw_null_distribution(exact, 0.7, measure="AP", prevalence=0.4)
    assert figure.title == "AP of random rankings: 0.5286 on average; 0.7 observed (p = 0.162)"
    assert figure.name == "chance-AP"
    lines = {row["line"]: row["place"] for row in rows_of(figure) if "line" in row}
    assert lines == {
        "mean of random rankings: 0.5286": exact.mean,
        "fraction of relevant documents: 0.4": 0.4,
        "observed: 0.7 (p = 0.162)": 0.7,
    }
    middles = {(row["from"], row["to"]) for row in rows_of(figure) if "from" in row}
    assert middles == {(exact.quantile(0.025), exact.quantile(0.975))}
    assert "mean 0.5286, middle 95 % from 0.3068 to 0.875" in figure.description
    layers = figure.to_dict()["layer"]
    assert layers[0]["encoding"]["x"]["title"][0] == "AP"
    assert layers[0]["encoding"]["y"]["title"].startswith("probability (bars 0.01")


def test_distribution_paints_the_tail_beyond_a_score(exact, painted):
    near, far = (painted(draw_null_distribution(exact, x), CONTRAST) for x in (0.5, 0.8))
    assert near.sum() > 2 * far.sum()
    figure = draw_null_distribution(exact, 0.8)
    plot = slice(0, int(0.7 * len(far)))  # less the legend
    grey = painted(figure, QUIET)[plot].sum(axis=0) > 10  # columns of bars, not of letters
    assert np.nonzero(grey)[0].max() < np.median(np.nonzero(far[plot])[1])


def test_without_a_score_no_tail_is_painted(exact, rows_of):
    assert not any(row.get("beyond") for row in rows_of(draw_null_distribution(exact)))
    assert any(row.get("beyond") for row in rows_of(draw_null_distribution(exact, 0.7)))


def test_distributions_of_several_measures_are_panels(systems, rows_of):
    figure = draw_distributions([row for row in systems if row.system == "good"])
    assert [panel["title"]["text"].split()[0] for panel in figure.to_dict()["vconcat"]] == [
        *("AP", "nDCG@10"),
    ]
    named = [row["line"] for row in rows_of(figure) if "line" in row]
    assert sum(line.startswith("good: ") for line in named) == 2


def test_without_a_distribution_there_is_no_figure_of_it():
    rows = chance(QRELS, None, measures=["AP"], population="judged")
    with pytest.raises(ParameterError, match="no distribution of chance scores is known for AP"):
        draw_distributions(rows)


def test_systems_and_chance_levels_are_drawn(systems, rows_of):
    figure = draw_systems_and_chance(systems)
    rows = {(row["system"], row["chance"]): row for row in rows_of(figure)}
    for one in systems:
        row = rows[one.system, one.expected]
        assert row["score"] == one.observed
        assert (row["low"], row["high"]) == tuple(map(one.distribution.quantile, (0.025, 0.975)))
        assert (row["corrected"], row["p"]) == (one.corrected, one.p_value)
    assert figure.title == "Mean AP, nDCG@10 compared with random rankings of the judged documents"
    assert f"2 systems by mean AP, from good at 1 to {HOSTILE} at" in figure.description
    first = figure.to_dict()["vconcat"][0]["layer"][0]["encoding"]
    assert first["x"]["title"] == "mean AP"
    entries = first["color"]["scale"]["domain"]
    assert entries == ["random rankings: mean and middle 95 %", "system"]
    assert first["y"]["sort"] == ["good", HOSTILE]


def test_of_many_systems_the_first_are_drawn(systems, rows_of):
    one = next(row for row in systems if row.measure == "AP")
    rows = [replace(one, system=f"s{k}", observed=k / 100) for k in range(41)]
    figure = draw_systems_and_chance(rows)
    assert {row["system"] for row in rows_of(figure)} == {f"s{k}" for k in range(1, 41)}
    assert figure.title.endswith(" (the first 40 of 41 systems)")
    assert len({row["system"] for row in rows_of(draw_systems_and_chance(rows, top=None))}) == 41


def test_systems_without_a_distribution_have_only_ticks(systems, rows_of):
    bare = [replace(row, distribution=None) for row in systems if row.measure == "AP"]
    figure = draw_systems_and_chance(bare)
    assert {(row["low"], row["high"]) for row in rows_of(figure)} == {(None, None)}
    entries = figure.to_dict()["layer"][0]["encoding"]["color"]["scale"]["domain"]
    assert entries == ["random rankings: mean", "system"]


def test_systems_paint_the_better_one_above_and_right_of_chance(systems, painted):
    figure = draw_systems_and_chance([row for row in systems if row.measure == "AP"])
    rows, columns = np.nonzero(painted(figure, EMPHASIS, legend=False))
    middle = (rows.min() + rows.max()) / 2
    _, chance = np.nonzero(painted(figure, CONTRAST, legend=False))
    assert columns[rows < middle].min() > chance.max()
    assert columns[rows > middle].max() < np.median(chance)  # ranks all relevant ones last


def test_queries_are_drawn_against_their_prevalence(rows_of):
    empty = {**QRELS, "none": {"d0": 0, "d1": 0}}
    rows = chance(empty, None, measures=["AP", "P@5"], population="judged")
    figure = draw_chance_by_query(rows)
    drawn = [row for row in rows_of(figure) if "query" in row]
    assert len(drawn) == 10
    for row in drawn[:5]:
        assert row["prevalence"] == row["n_relevant"] / 12
        assert row["chance"] == expected_score(12, row["n_relevant"])
    assert figure.description.count("1 with nothing relevant are not drawn.") == 2
    axes = figure.to_dict()["vconcat"][0]["layer"][1]["encoding"]
    assert axes["x"]["title"] == "fraction of relevant documents"
    assert axes["y"]["title"] == "AP of random rankings, mean"


@pytest.mark.parametrize(("measure", "is_above"), [("AP", True), ("P@5", False)])
def test_queries_of_ap_are_painted_above_the_line(painted, measure, is_above):
    """P@5, whose chance is the prevalence, is the control."""
    figure = draw_chance_by_query(chance(QRELS, None, measures=[measure], population="judged"))
    rows, columns = np.nonzero(painted(figure, QUIET))
    slope, offset = np.polyfit(columns, rows, 1)
    dots, places = np.nonzero(painted(figure, EMPHASIS))
    above = slope * places + offset - dots
    assert (above.min() > 10) == is_above
    assert is_above or abs(np.median(above)) < 10


def test_each_kind_of_baseline_has_its_figures(systems):
    def names(rows) -> list[str]:
        return [figure.name for figure in draw_chance_levels(rows)]

    assert names(systems) == ["systems-and-chance-AP-nDCG-10"]
    assert names([row for row in systems if row.system == "good"]) == [
        *("systems-and-chance-AP-nDCG-10", "chance-AP-nDCG-10"),
    ]
    assert names(chance(QRELS, None, measures=["AP"], population="judged")) == [
        "chance-by-query-AP"
    ]
