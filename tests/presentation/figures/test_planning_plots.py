"""Figures of plans: widths by the number of queries, and samples for recall."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from every_result import result_of
from irbounds import ScoreTable
from irbounds.errors import DegenerateSampleWarning
from irbounds.planning.queries import plan_queries, plan_systems
from irbounds.planning.recall_plan import plan_recall
from irbounds.planning.reliability import plan_reliability
from irbounds.presentation.figures.planning_plots import (
    COEFFICIENTS,
    draw_allocation,
    draw_expected_widths,
    draw_query_plans,
    draw_reliability,
    draw_sizes,
    draw_systems_plans,
)
from irbounds.presentation.figures.style import COLOURS, CONTRAST, EMPHASIS, QUIET
from irbounds.results import records

N = 30
#: small, since every split of the budget is planned
GUESSES = {"corpus_size": 2_000, "retrieved_size": 100, "n_relevant": 60, "recall": 0.6}
SHADED = "#E8E8E8"  # the good range


def table(n_systems=3, measures=("AP",)):
    generator = np.random.default_rng(2)
    values = generator.uniform(0, 1, (len(measures), n_systems, N))
    systems = tuple(f"s{k}" for k in range(n_systems))
    return ScoreTable(measures, systems, tuple(f"q{k}" for k in range(N)), values)


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_curve_equals_the_t_formula_at_every_number(alternative):
    """Half widths by scipy's t, differences by the power of its noncentral t."""
    for plan in plan_queries(table(), alternative=alternative, power=0.7, confidence_level=0.9):
        for point in plan.curve:
            spread = plan.standard_deviation / np.sqrt(point.n)
            half = stats.t.ppf(0.95, point.n - 1) * spread
            assert point.half_width == pytest.approx(half, rel=1e-9)
            critical = stats.t.ppf(0.95 if alternative == "two-sided" else 0.9, point.n - 1)
            shift = point.detectable_difference / spread
            power = stats.nct.sf(critical, point.n - 1, shift)
            if alternative == "two-sided":
                power += stats.nct.cdf(-critical, point.n - 1, shift)
            assert power == pytest.approx(0.7, abs=1e-6)


def test_curve_passes_the_present_number_and_the_request():
    plans = plan_queries(table(), difference=0.01)
    for plan in plans:
        sizes = [point.n for point in plan.curve]
        assert sizes == sorted(set(sizes))
        assert sizes[0] == 5
        assert sizes[-1] == max(one.queries_for_difference for one in plans)
        (now,) = [point for point in plan.curve if point.n == N]
        assert now.half_width == plan.half_width
        assert now.detectable_difference == plan.detectable_difference
    assert plan_queries(table())[0].curve[-1].n == 4 * N
    assert "curve" not in records(plans)[0]


def test_few_queries_are_where_a_curve_begins():
    (plan,) = plan_queries([0.1, 0.5, 0.4])
    assert plan.curve[0].n == 3


def test_drawn_rows_equal_the_results(rows_of):
    plans = plan_queries(table(), difference=0.05, half_width=0.04)
    rows = rows_of(draw_query_plans(plans))
    for plan in plans:
        drawn = {(r["kind"], r["n"]): r["size"] for r in rows if r.get("pair") == plan.pair}
        for point in plan.curve[:-1]:
            assert drawn["half width", point.n] == point.half_width
            assert drawn["detectable difference", point.n] == point.detectable_difference
        assert drawn["detectable difference", plan.queries_for_difference] == 0.05
        assert drawn["half width", plan.queries_for_half_width] == 0.04
    assert {"n": N, "label": "30 now"} in rows


def test_title_and_description():
    plans = plan_queries(table())
    figure = draw_query_plans(plans)
    assert figure.name == "widths-AP"
    assert "AP, typical of 3 pairs: with the 30 queries there are" in figure.description
    assert "with 120 queries these are" in figure.description
    assert "difference of two means in AP" in str(figure.to_dict())
    (alone,) = plan_queries([0.1, 0.5, 0.4, 0.2])
    assert "difference of a mean from a fixed value" in str(draw_query_plans([alone]).to_dict())


def test_of_many_plans_three_are_drawn(rows_of):
    plans = plan_queries(table(9), baseline="s0")
    assert len(plans) == 8
    found = draw_query_plans(plans)
    pairs = {row["pair"] for row in rows_of(found) if "pair" in row}
    least, *_, most = sorted(plans, key=lambda plan: plan.standard_deviation)
    assert {f"least spread: {least.pair}", f"most spread: {most.pair}"} < pairs
    assert len(pairs) == 3


def test_the_curves_fall_and_the_width_lies_below(painted):
    figure = draw_query_plans([plan_queries(table())[0]])
    tall = int(painted(figure, QUIET).shape[0] * 0.2)  # below the legend
    tops = []
    for colour in (COLOURS[1], COLOURS[0]):
        ink = painted(figure, colour)[tall:]
        columns = np.flatnonzero(ink.any(axis=0))
        first, last = (np.flatnonzero(ink[:, at]).mean() for at in (columns[2], columns[-3]))
        assert first < last  # rows count from above
        tops.append(first)
    assert tops[0] < tops[1]
    line = np.flatnonzero(painted(figure, QUIET)[tall:].sum(axis=0) > 100)
    assert 0 < line.size < 10


def test_measures_are_panels():
    assert (
        len(draw_query_plans(plan_queries(table(measures=("AP", "P@5")))).to_dict()["vconcat"]) == 2
    )


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


def differing_table(measures=("AP",)):
    plain = table(3, measures)
    effects = np.array([[0.0], [0.3], [1.0]]) + plain.values.mean(axis=1, keepdims=True)
    return replace(plain, values=effects + plain.values / 4)


def test_reliability_rows_equal_the_results(rows_of):
    plan = plan_reliability(differing_table(), n_queries=200, reliability=[0.9, 0.95])
    rows = rows_of(plan.plot())
    for first in (plan.coefficients[0], plan.coefficients[2]):
        kind = COEFFICIENTS[first.coefficient]
        drawn = {row["n"]: row for row in rows if row.get("kind") == kind and "low" in row}
        assert set(drawn) >= {30, 200}
        for point in first.curve:
            assert drawn[point.n]["size"] == point.value
            assert (drawn[point.n]["low"], drawn[point.n]["high"]) == tuple(point.interval)
        marked = {
            (row["size"], row["n"]) for row in rows if row.get("request") and row["kind"] == kind
        }
        assert marked == {(row.target, row.value) for row in first.required}
    assert {"n": N, "label": "30 now"} in rows


def test_reliability_title_and_description():
    plan = plan_reliability(differing_table())
    figure = plan.plot()
    assert figure.name == "reliability-AP"
    value = plan.coefficients[0].value
    assert f"Reliability of 3 systems' AP: Erho2 {value:.3f} (from " in figure.description
    several = plan_reliability(differing_table(("AP", "P@5"))).plot()
    assert several.name == "reliability"
    assert len(several.to_dict()["vconcat"]) == 2


def test_reliability_of_one_coefficient_is_drawn(rows_of):
    plan = plan_reliability(differing_table())
    rows = rows_of(draw_reliability(plan.coefficients[1:]))
    assert {row["kind"] for row in rows if "kind" in row} == {COEFFICIENTS["Phi"]}


def test_unreachable_reliability_is_not_marked(rows_of):
    with pytest.warns(DegenerateSampleWarning, match="variance of systems is negative"):
        plan = plan_reliability({"a": [0.1, 0.5, 0.9, 0.3], "b": [0.12, 0.48, 0.9, 0.32]})
    assert not [row for row in rows_of(plan.plot()) if row.get("request")]


def test_systems_plans_rows_equal_the_results(rows_of):
    plans = plan_systems(table(), n_systems=8, difference=0.1)
    rows = rows_of(draw_systems_plans(plans))
    for plan in plans:
        drawn = {row["n"]: row["size"] for row in rows if row.get("kind") == plan.anova}
        for point in plan.curve:
            if point.n != plan.queries_for_difference:
                assert drawn[point.n] == point.detectable_difference
        assert drawn[plan.queries_for_difference] == 0.1
    assert {"n": N, "label": "30 now"} in rows
    assert draw_systems_plans(plans).name == "ranges-AP"


def test_systems_plans_from_a_variance_have_no_present_number(rows_of):
    figure = draw_systems_plans(plan_systems(n_systems=10, variance=0.0442, difference=0.1))
    assert figure.name == "ranges"
    assert figure.title.startswith("What queries can show about 10 systems")
    assert not [row for row in rows_of(figure) if "label" in row]
    assert "one-way 0.581 with 5 queries" in figure.description
