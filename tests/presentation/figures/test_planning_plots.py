"""Figures of plans of samples for recall."""

from __future__ import annotations

import numpy as np
import pytest

from every_result import result_of
from irbounds.planning.recall_plan import plan_recall
from irbounds.presentation.figures.planning_plots import (
    draw_allocation,
    draw_expected_widths,
    draw_sizes,
)
from irbounds.presentation.figures.style import CONTRAST, EMPHASIS

#: small, since every split of the budget is planned
GUESSES = {"corpus_size": 2_000, "retrieved_size": 100, "n_relevant": 60, "recall": 0.6}
SHADED = "#E8E8E8"  # the good range


@pytest.fixture(scope="module")
def plan():
    return plan_recall(**GUESSES, budget=200, split=0.4)


def test_every_split_is_drawn_with_its_width(plan, rows_of):
    rows = {row["split"]: row for row in rows_of(draw_allocation(plan)) if "split" in row}
    for one in (*plan.curve, plan.best, plan.sample):
        row = rows[one.split]
        assert (row["width"], row["low"], row["high"]) == (
            one.expected_width,
            one.expected_low,
            one.expected_high,
        )
    assert draw_allocation(plan).description.endswith(
        f"The plan has 40 % and {plan.sample.expected_width:.3f}."
    )


def test_the_good_range_and_both_marks(plan, rows_of):
    rows = rows_of(draw_allocation(plan))
    good = next(row for row in rows if "from" in row)
    assert good == {"from": plan.good_from / 200, "to": plan.good_to / 200}
    marks = {row["mark"]: row["split"] for row in rows if "mark" in row}
    assert marks == {"best split": plan.best.split, "this plan": 0.4}


def test_the_best_split_is_painted_left_of_the_middle(plan, painted):
    figure = draw_allocation(plan)
    best = np.nonzero(painted(figure, CONTRAST))
    line = np.nonzero(painted(figure, EMPHASIS))
    in_panel = best[1][best[0] > line[0].min()]  # not the legend's
    assert in_panel.mean() < (line[1].min() + line[1].max()) / 2
    shade = np.nonzero(painted(figure, SHADED))[1]
    assert shade.min() <= in_panel.mean() <= shade.max()


def test_a_lower_limit_has_one_panel(rows_of):
    plan = plan_recall(**GUESSES, budget=200, alternative="greater")
    figure = draw_allocation(plan)
    assert "vconcat" not in figure.to_dict()
    assert figure.title.startswith("Expected lower limit of recall by the split of 200")
    marks = [row["mark"] for row in rows_of(figure) if "mark" in row]
    assert marks == ["best split"]


def test_sizes_are_sorted(rows_of, painted):
    plans = [plan_recall(**GUESSES, budget=budget) for budget in (1_000, 100)]
    figure = draw_sizes(plans)
    rows = [row for row in rows_of(figure) if "budget" in row]
    assert [row["budget"] for row in rows[:2]] == [100, 1_000]
    assert rows[0]["width"] == plans[1].sample.expected_width
    assert "with 100; " in figure.description
    assert "with 1,000." in figure.description
    found = np.nonzero(painted(figure, EMPHASIS))
    top = found[0] < (found[0].min() + found[0].max()) / 2  # the panel of widths
    first, last = found[1][top].min(), found[1][top].max()
    rows_at = [found[0][top & (np.abs(found[1] - place) < 8)].mean() for place in (first, last)]
    assert rows_at[0] < rows_at[1]  # narrower, so lower, with more documents


@pytest.mark.parametrize(("name", "field"), [("by budget", "budget"), ("by split", "split")])
def test_planned_widths_are_drawn_by_size_or_split(name, field, rows_of):
    samples = result_of(name)
    figure = draw_expected_widths(samples)
    widths = {row[field]: row["width"] for row in rows_of(figure)}
    assert widths == {getattr(one, field): one.expected_width for one in samples}
    assert figure.to_dict()["layer"][0]["encoding"]["x"]["field"] == field
    first, last = (f"{one.expected_width:.2f} with {one.budget}, " for one in samples)
    assert figure.description.startswith(f"Expected width of 2 samples, from {first}")
    assert f"; {last}" in figure.description


def test_narrower_intervals_are_painted_lower(painted):
    rows, columns = np.nonzero(painted(draw_expected_widths(result_of("by budget")), EMPHASIS))
    few, many = columns == columns.min(), columns == columns.max()
    assert rows[few].mean() < rows[many].mean()
