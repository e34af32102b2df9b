"""Plans for recall in words and tables."""

from __future__ import annotations

from dataclasses import replace

from irbounds.presentation.registry import View, make_section, make_tables
from irbounds.results import PlannedSample, RecallPlan
from irbounds.results.recall_plans import budget_sentences, budget_table


def make_sample(retrieved, rest, width=0.206, low=0.405, at_counts=0.205):
    budget = retrieved + rest
    return PlannedSample(
        budget, retrieved, rest, retrieved / budget, width, low, low + width, at_counts
    )


BEST = make_sample(306, 4694)
PLAN = RecallPlan(
    population=5_000_000,
    retrieved=50_000,
    yield_guess=50_000,
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
    curve=(make_sample(250, 4750), make_sample(1000, 4000, width=0.217)),
)


def make_sentences(plan, digits=None):
    return make_section([plan], View(digits)).sentences


COLUMNS = (
    "in the table, split is the fraction of the assessments that goes to the retrieved documents; "
    "width, low and high are means over all possible samples"
)


def test_recall_plan_starts_with_sample_sizes():
    assert make_sentences(PLAN) == [
        "assess 306 of the 50,000 retrieved documents and 4,694 of the 4,950,000 others: the 95 % "
        "interval of recall by beta-binomial (prior 0.5) is expected to be 0.206 wide, 0.405 to "
        "0.611, if 50,000 documents are relevant and recall is 0.3 to 0.8",
        "any number of retrieved documents from 104 to 954 gives a width within 5 % of the best",
        COLUMNS,
    ]


def test_recall_plan_guesses_have_thousands_separators():
    ranges = replace(PLAN, yield_guess="2000, 20000.5 or 1234567", recall_guess="0.1234567 or 1")
    assert make_sentences(ranges)[0].endswith(
        "if 2,000, 20,000.5 or 1,234,567 documents are relevant and recall is 0.1234567 or 1"
    )


def test_recall_plan_names_complete_assessment():
    inside = replace(PLAN, retrieved=306)
    assert make_sentences(inside)[0].startswith(
        "assess all 306 retrieved documents and 4,694 of the 4,999,694 others: "
    )
    complete_plan = replace(PLAN, retrieved=306, population=5_000, good_from=306, good_to=306)
    first, second, _ = make_sentences(complete_plan)
    assert first.startswith(
        "assess the whole corpus, all 306 retrieved documents and all 4,694 others: "
    )
    assert second == "no number of retrieved documents but 306 gives a width within 5 % of the best"
    more = replace(inside, pilot=((50, 20), (200, 1)))
    assert make_sentences(more)[0].startswith(
        "assess all 256 retrieved documents that are left and 4,494 more of the 4,999,694 others: "
    )


def test_recall_plan_asks_for_no_documents_that_are_assessed():
    inside = replace(PLAN, retrieved=306, pilot=((306, 20), (200, 1)))
    assert make_sentences(inside)[0].startswith(
        "assess no more of the 306 retrieved documents and 4,494 more of the 4,999,694 others: "
    )
    outside = replace(PLAN, population=54_694, pilot=((50, 20), (4694, 1)))
    assert make_sentences(outside)[0].startswith(
        "assess 256 more of the 50,000 retrieved documents and no more of the 4,694 others: "
    )
    done = replace(PLAN, pilot=((306, 20), (4694, 1)))
    assert make_sentences(done)[0].startswith("assess no more documents: ")


def test_control_set_is_one_sample():
    control = replace(PLAN, is_control_set=True)
    assert make_sentences(control)[0].startswith(
        "draw 5,000 of all 5,000,000 documents at random (a control set), of which about 306 will "
        "be retrieved documents and 4,694 others: the 95 % interval"
    )


def test_one_sided_recall_plan_mentions_limit():
    target = replace(
        PLAN, alternative="greater", recall_at_least=0.4, wanted_assurance=0.8, assurance=0.8123
    )
    first, second, method, third, last = make_sentences(target, 2)
    assert "the one-sided 95 % lower limit of recall by beta-binomial (prior 0.5) is ex" in first
    assert "is expected at 0.41, if 50,000" in first
    assert second == "the lower limit reaches 0.4 in 81.2 % of such samples"
    assert method.startswith(
        "limits by beta-binomial are not guaranteed; irbounds recall --at-least judges a claim by "
        "method exact"
    )
    again = make_sentences(replace(target, pilot=((50, 20), (200, 1))))
    assert again[3].startswith("the level is for one look")
    assert third.endswith(
        "from 104 to 954 gives a lower limit whose distance to 1 is within 5 % of the least"
    )
    assert last.endswith("documents; low is the mean over all possible samples")
    (table,) = make_tables([target])
    assert table.title == "splits of 5,000 assessments: 95 % lower limit (beta-binomial, prior 0.5)"
    above = make_sentences(replace(PLAN, alternative="less"))
    assert "the one-sided 95 % upper limit of recall" in above[0]
    assert "is expected at 0.611" in above[0]
    assert above[1].endswith("gives an upper limit within 5 % of the lowest")
    assert not any(" end " in line or "wide" in line for line in [first, second, third, *above])


def test_two_sided_recall_plan_mentions_interval_end():
    target = replace(PLAN, recall_at_least=0.4, wanted_assurance=0.8, assurance=0.8)
    assert make_sentences(target)[1] == "the lower end reaches 0.4 in 80 % of such samples"


def test_recall_plan_compares_fixed_split_with_best():
    fixed_split = replace(PLAN, sample=make_sample(2500, 2500, width=0.27))
    assert make_sentences(fixed_split)[1] == (
        "any number of retrieved documents from 104 to 954 gives a width within 5 % of the best; "
        "the best is a width of 0.206, with 306 retrieved documents and 4,694 others"
    )
    below = make_sentences(replace(fixed_split, alternative="greater"))[1]
    assert below.endswith(
        "the best is a lower limit of 0.794, with 306 retrieved documents and 4,694 others"
    )
    (table,) = make_tables([fixed_split])
    assert [row[0] for row in table.cells] == ["5 %", "best, 6.1 %", "20 %", "plan, 50 %"]


def test_recall_plan_includes_pilot_counts():
    with_pilot = replace(
        PLAN, pilot=((50, 20), (200, 1)), two_phase_width=0.206, one_phase_width=0.2289
    )
    first, near, second, _ = make_sentences(with_pilot)
    assert first.startswith(
        "assess 256 more of the 50,000 retrieved documents and 4,494 more of the 4,950,000 others:"
    )
    assert first.endswith("by a pilot with 20 relevant of 50 retrieved and 1 of 200 others")
    assert near.endswith("within 5 % of the best (the pilot's 50 among them)")
    assert second == (
        "the remaining 4,750 split as the pilot was would give a width of 0.229; the split above "
        "is 10.0 % narrower"
    )
    (table,) = make_tables([with_pilot])
    assert table.title == (
        "splits of 5,000 assessments, the pilot's 250 among them: 95 % interval (beta-binomial, "
        "prior 0.5)"
    )
    as_well = replace(with_pilot, one_phase_width=0.2061)
    assert make_sentences(as_well)[2] == (
        "the remaining 4,750 split as the pilot was would do as well"
    )
    below = replace(with_pilot, alternative="greater")
    assert make_sentences(below)[2].endswith(
        "would give a lower limit of 0.771; the split above has a lower limit of 0.794"
    )
    nothing_left = replace(with_pilot, pilot=((306, 20), (4694, 1)))
    assert len(make_sentences(nothing_left)) == 3


def test_recall_plan_evaluates_future_pilot():
    to_come = replace(PLAN, pilot_sample=(61, 939), two_phase_width=0.2057, one_phase_width=0.2056)
    nothing = "a pilot of 61 retrieved documents and 939 others would gain nothing"
    assert make_sentences(to_come)[-2] == nothing
    worse = replace(to_come, two_phase_width=0.21)
    assert make_sentences(worse)[-2] == nothing
    better = replace(to_come, two_phase_width=0.2)
    assert make_sentences(better)[-2] == (
        "a pilot of 61 retrieved documents and 939 others first, the remaining 4,000 split by "
        "its counts: a width of 0.200 is expected instead of 0.206, 2.7 % narrower"
    )
    below = replace(better, alternative="greater")
    assert make_sentences(below)[-2].endswith("a lower limit of 0.800 is expected instead of 0.794")


def test_recall_plan_table_has_full_records():
    (table,) = make_tables([PLAN])
    assert table.title == "splits of 5,000 assessments: 95 % interval (beta-binomial, prior 0.5)"
    assert table.headings[:3] == ("split", "retrieved", "others")
    assert table.cells[1] == (
        "best, 6.1 %", "306", "4,694", "0.206", "0.405", "0.611", "0.205",
    )  # fmt: skip
    kinds = [record["table"] for record in table.records]
    assert kinds == ["plan", "split", "split", "split"]
    assert table.records[0]["best_expected_width"] == 0.206


def test_recall_budgets_are_tabulated():
    few = make_sample(41, 459, width=0.545)
    plans = [replace(PLAN, sample=few, best=few), PLAN]
    table = budget_table(plans)
    assert table.title == "recall by budget: 95 % interval (beta-binomial, prior 0.5)"
    assert budget_sentences(plans) == [
        "each budget at its best split, if 50,000 documents are relevant and recall is 0.3 to 0.8",
        COLUMNS,
    ]
    budget_plans = [replace(PLAN, sample=few)]
    assert budget_sentences(budget_plans)[0].startswith("each budget at the split given, if ")
    normal = budget_table([replace(PLAN, method="normal", prior=None)])
    assert normal.title == "recall by budget: 95 % interval (normal)"
    assert [row[:4] for row in table.cells] == [
        ("500", "8.2 %", "41", "459"),
        ("5,000", "6.1 %", "306", "4,694"),
    ]
    assert table.cells[0][4] == "0.545"
    record = table.records[0]
    assert (record["table"], record["budget"], record["expected_width"]) == ("budget", 500, 0.545)
    assert (record["method"], record["prior"], record["confidence_level"]) == (
        "beta-binomial", "0.5", 0.95,
    )  # fmt: skip
    assert (record["yield_guess"], record["recall_guess"]) == (50_000, "0.3 to 0.8")


def test_recall_budgets_are_rows_of_one_table():
    samples = [make_sample(41, 459, width=0.545), BEST]
    (table,) = make_tables(samples)
    assert table.headings == ("assessed", "split", "retrieved", "others", "width", "low", "high")
    assert table.cells == (
        ("500", "8.2 %", "41", "459", "0.545", "0.405", "0.950"),
        ("5,000", "6.1 %", "306", "4,694", "0.206", "0.405", "0.611"),
    )
