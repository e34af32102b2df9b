"""Plans for recall in words and tables."""

from __future__ import annotations

from dataclasses import replace

from irbounds.report.recall_planning import (
    budget_table,
    recall_plan_sentences,
    recall_plan_tables,
)
from irbounds.results import PlannedSample, RecallPlan


def sample(retrieved, rest, width=0.206, low=0.405, at_counts=0.205):
    budget = retrieved + rest
    return PlannedSample(
        budget, retrieved, rest, retrieved / budget, width, low, low + width, at_counts
    )


BEST = sample(306, 4694)
PLAN = RecallPlan(
    population=5_000_000,
    retrieved=50_000,
    yield_guess="50,000",
    recall_guess="0.3 to 0.8",
    sample=BEST,
    best=BEST,
    good_from=104,
    good_to=954,
    tolerance=0.05,
    method="beta-binomial",
    confidence_level=0.95,
    alternative="two-sided",
    cap_at_one=True,
    prior="0.5",
    curve=(sample(250, 4750), sample(1000, 4000, width=0.217)),
)


def test_what_to_do_stands_first():
    assert recall_plan_sentences(PLAN) == [
        "assess 306 of the 50,000 retrieved documents and 4,694 of the 4,950,000 others: the 95 % "
        "interval of recall by beta-binomial (prior 0.5) is expected to be 0.206 wide, 0.405 to "
        "0.611, if 50,000 documents are relevant and recall is 0.3 to 0.8",
        "with 104 to 954 retrieved ones among the 5,000 the width is within 5 % of the best",
    ]


def test_one_sided_plans_speak_of_one_end():
    wish = replace(
        PLAN, alternative="greater", recall_at_least=0.4, wanted_assurance=0.8, assurance=0.8123
    )
    first, second, _ = recall_plan_sentences(wish, digits=2)
    assert "the lower end of the 95 % interval of recall by beta-binomial (prior 0.5)" in first
    assert "is expected at 0.41, if 50,000" in first
    assert second == "the lower end reaches 0.4 in 81 % of such samples"
    above = recall_plan_sentences(replace(PLAN, alternative="less"))
    assert "the upper end of the 95 % interval of recall" in above[0]
    assert "is expected at 0.611" in above[0]


def test_a_given_split_is_told_of_the_best():
    given = replace(PLAN, sample=sample(2500, 2500, width=0.27))
    assert recall_plan_sentences(given)[1] == (
        "with 104 to 954 retrieved ones among the 5,000 the width is within 5 % of the best, 0.206 "
        "with 306 and 4,694"
    )
    (table,) = recall_plan_tables(given)
    assert [row[0] for row in table.cells] == ["5 %", "best, 6.1 %", "20 %", "plan, 50 %"]


def test_a_pilot_counts_towards_the_plan():
    done = replace(PLAN, pilot=((50, 20), (200, 1)), two_phase_width=0.206, one_phase_width=0.2289)
    first, _, last = recall_plan_sentences(done)
    assert first.startswith(
        "assess 256 more of the 50,000 retrieved documents and 4,494 more of the 4,950,000 others:"
    )
    assert first.endswith("by a pilot with 20 relevant of 50 retrieved and 1 of 200 others")
    assert last == (
        "the rest split as the pilot was would give 0.229: reallocated it is 10.0 % narrower"
    )


def test_a_pilot_to_come_is_weighed():
    to_come = replace(PLAN, pilot_sample=(61, 939), two_phase_width=0.2057, one_phase_width=0.2056)
    assert recall_plan_sentences(to_come)[-1] == (
        "a pilot of 61 and 939 first, the rest by what it shows: expected to be 0.206 wide in "
        "place of 0.206, no difference"
    )
    worse = replace(to_come, two_phase_width=0.21)
    assert recall_plan_sentences(worse)[-1].endswith("0.210 wide in place of 0.206, 2.1 % wider")


def test_the_table_holds_full_records():
    (table,) = recall_plan_tables(PLAN)
    assert table.title.startswith("5,000 assessments, 95 % intervals of recall by beta-binomial")
    assert table.headings[:3] == ("split", "retrieved", "rest")
    assert table.cells[1] == (
        "best, 6.1 %", "306", "4,694", "0.206", "0.405", "0.611", "0.205",
    )  # fmt: skip
    kinds = [record["table"] for record in table.records]
    assert kinds == ["plan", "split", "split", "split"]
    assert table.records[0]["best_expected_width"] == 0.206


def test_budgets_make_a_table():
    table = budget_table([sample(41, 459, width=0.545), BEST], "beta-binomial", 0.9)
    assert table.title.startswith("90 % intervals of recall by beta-binomial, each budget")
    assert [row[:4] for row in table.cells] == [
        ("500", "8.2 %", "41", "459"),
        ("5,000", "6.1 %", "306", "4,694"),
    ]
    assert table.cells[0][4] == "0.545"
