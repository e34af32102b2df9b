"""Means with their intervals: tables, and the sentence on the best one."""

from __future__ import annotations

import io
import math
import re

import numpy as np
import pandas as pd
import pytest
from rich.console import Console

import irbounds
from every_result import paper_table
from irbounds import ScoreTable
from irbounds.presentation.registry import View, make_section, make_tables
from irbounds.presentation.terminal import print_table
from irbounds.results import Comparison, Estimate, Interval
from irbounds.results.evaluation import PaperTable, warn_few_queries, warn_unknown_bounds


def make_estimate(system="a", value=0.3123, half=0.043, **more):
    fields = {
        "measure": "AP",
        "interval": Interval(value - half, value + half, 0.95, "student-t"),
        "standard_error": half / 2,
        "n": 50,
        "limits": None,
        **more,
    }
    return Estimate(system=system, value=value, **fields)


def test_means_are_sorted_with_digits_of_median_interval():
    rows = [
        make_estimate("b", 0.2, 0.0431),
        make_estimate("c", 0.2, 0.044),
        make_estimate("a", 0.31234, 4.0),
    ]
    (table,) = make_tables(rows, View(queries="judged queries"))
    assert table.title == "AP: mean over 50 judged queries with its 95 % Student t interval"
    assert table.headings == ("system", "mean", "low", "high")
    assert table.cells[0] == ("a", "0.312", "-3.688", "4.312")
    assert [row[0] for row in table.cells] == ["a", "b", "c"]
    assert [record["mean"] for record in table.records] == [0.31234, 0.2, 0.2]
    assert table.bars[1] == (0.2 - 0.0431, 0.2, 0.2 + 0.0431)
    assert make_tables(rows, View(digits=1))[0].cells[0][1:] == ("0.3", "-3.7", "4.3")


def test_one_means_table_per_method_and_measure():
    bca = Interval(0.2, 0.4, 0.95, "bca")
    drawn = {"interval": bca, "distribution": np.zeros(999), "seed": 3}
    rows = [
        make_estimate(),
        make_estimate(**drawn),
        make_estimate(measure="P@5"),
        make_estimate("b"),
    ]
    first, second, third = make_tables(rows)
    assert [len(table.cells) for table in (first, second, third)] == [2, 1, 1]
    assert (first.caption, second.caption) == ("", "999 resamples of the queries, seed 3")
    assert third.title.startswith("P@5: ")


def test_limit_is_one_column_and_missing_interval_is_dash():
    limit = Interval(0.25, math.inf, 0.9, "student-t", "greater")
    (table,) = make_tables([make_estimate(interval=limit)])
    assert table.headings == ("system", "mean", "low")
    assert table.cells == (("a", "0.312", "0.250"),)
    assert table.bars == ((0.25, 0.3123, math.inf),)
    nothing = Interval(math.nan, math.nan, 0.95, "bca")
    (table,) = make_tables([make_estimate(interval=nothing, n=1)])
    assert table.title == "AP: mean over 1 query with its 95 % BCa bootstrap interval"
    assert table.cells == (("a", "0.3123", "-", "-"),)


def test_default_method_is_explained_for_unknown_bounds():
    rows = [make_estimate(), make_estimate("b"), make_estimate(measure="z(AP)")]
    (warning,) = warn_unknown_bounds(rows)
    assert "bounds of AP are not known" in warning
    assert "--bounds" in warning
    assert warn_unknown_bounds([make_estimate(interval=Interval(0, 1, 0.95, "bca"))]) == []


@pytest.fixture
def table() -> ScoreTable:
    scores = [[0.0, 0.2, 0.4, 0.9], [0.0, 0.3, 0.5, 0.95], [0.0, 0.0, 0.01, 0.02]]
    return ScoreTable(("AP",), ("a", "b", "c"), ("q1", "q2", "q10", "q3"), np.array([scores]))


def make_conclusion(*rows):
    (line,) = make_section(rows).conclusion
    return line


def test_few_queries_have_one_warning_per_measure():
    scores = np.array([0.1, 0.9, 0.4, 0.6, 0.2])
    frame = pd.DataFrame({"a": scores, "b": scores[::-1]})

    def warn(frames, **options):
        table = irbounds.read_scores(frames)
        return warn_few_queries(irbounds.mean_interval(table, **options), table)

    (moderated,) = warn({"AP": frame})
    usual = "AP: with 5 queries intervals are wide and rely on a prior variance of scores; ±0.05 "
    assert re.fullmatch(f"{re.escape(usual)}takes about \\d+ queries", moderated)
    (student_t,) = warn({"AP": frame}, method="student-t")
    assert "intervals of this method miss more often than their level says; ±0.05" in student_t
    (binary,) = warn({"P@1": frame.round()})
    assert "are wide, but hold for every true mean; ±0.05" in binary
    # 0.05 says nothing about scores in other units
    (in_units,) = warn({"milliseconds": frame * 1000})
    assert in_units.endswith("their level says")
    many = pd.concat([frame] * 2, ignore_index=True)
    assert warn({"AP": many}) == []
    many.iloc[:7] = 0
    (at_bound,) = warn({"AP": many})
    assert "70 % of the scores are 0 or 1, so that means depend on few queries; ±0.05" in at_bound


def test_conclusion_warns_about_overlapping_intervals():
    line = make_conclusion(make_estimate("a"), make_estimate("b"), make_estimate("a", measure="RR"))
    assert "do not show that systems are equal" in line
    assert "`irbounds compare`" in line
    assert "too few" not in line
    limit = Interval(0.25, math.inf, 0.9, "student-t", "greater")
    line = make_conclusion(*(make_estimate(name, interval=limit) for name in "ab"))
    assert line.startswith("Limits of single systems do not show which system is better")


def test_conclusion_for_one_system_explains_interval():
    line = make_conclusion(make_estimate())
    assert line.startswith("The interval is about other queries of the same kind")
    assert "same documents and judgments" in line
    assert "compare" not in line
    assert make_conclusion(make_estimate(), make_estimate(measure="RR")).startswith(
        "The intervals are about"
    )
    limit = Interval(0.25, math.inf, 0.9, "student-t", "greater")
    assert make_conclusion(make_estimate(interval=limit)).startswith("The limit is about")


@pytest.mark.parametrize(
    ("n", "words"), [(1, ["1 query is too few"]), (9, ["9 queries are too few"]), (10, [])]
)
def test_conclusion_mentions_few_queries(n, words):
    line = make_conclusion(make_estimate("a", n=n), make_estimate("b", n=n))
    assert re.findall(r"\d+ quer\w+ \w+ too few", line) == words


HIGHER, LOWER, NO_MARK = "\N{UPWARDS ARROW}", "\N{DOWNWARDS ARROW}", "\N{NO-BREAK SPACE}"
QUERIES = tuple(f"q{k}" for k in range(5))


def make_paper_estimate(measure, system, value, half=0.043, **more):
    interval = Interval(value - half, value + half, 0.95, "student-t")
    fields = {"interval": interval, "standard_error": half / 2, "n": 5, "limits": None, **more}
    return Estimate(measure=measure, system=system, value=value, **fields)


def make_comparison(measure, system, baseline, p, differences=(), **more):
    value = float(np.mean(differences)) if len(differences) else 0.1
    scores = (np.array(differences), np.zeros(len(differences)))
    fields = {
        "interval": Interval(value - 0.1, value + 0.1, 0.95, "student-t"),
        "standard_error": 0.05,
        "effect_size": 0.4,
        "p_value": p,
        "adjusted_p_value": p,
        "n": 5,
        "adjusted_p_low": p,
        "adjusted_p_high": p,
        "n_comparisons": 2,
        "test": "t",
        "alternative": "two-sided",
        "adjustment": "holm",
        "limits": None,
        "scores": scores,
        **more,
    }
    return Comparison(measure=measure, system=system, baseline=baseline, value=value, **fields)


MEANS = (
    *(
        make_paper_estimate("AP", "a", 0.1),
        make_paper_estimate("AP", "b", 0.3),
        make_paper_estimate("AP", "c", 0.2),
    ),
    *(
        make_paper_estimate("RR", "a", 0.91, 0.2),
        make_paper_estimate("RR", "b", 0.5, 0.2),
        make_paper_estimate("RR", "c", 0.6, 0.2),
    ),
)
#: b is the best by AP, and a by RR
WITH_BEST = PaperTable(
    MEANS,
    (
        make_comparison("AP", "a", "b", 0.001, [-0.2] * 5),
        make_comparison("AP", "c", "b", 0.2, [-0.1] * 5),
        make_comparison("RR", "b", "a", 0.0501, [-0.4] * 5),
        make_comparison("RR", "c", "a", 0.05, [-0.3] * 5),
    ),
)
#: 3 queries won, 1 tied and 1 lost; 0 won, 2 tied and 3 lost
WITH_BASELINE = PaperTable(
    MEANS,
    (
        make_comparison("AP", "a", "c", 0.01, [-0.4, -0.1, 0.0, 0.0, -0.2]),
        make_comparison("AP", "b", "c", 0.01, [0.5, 0.2, 0.1, 0.0, -0.1]),
        make_comparison("RR", "a", "c", 0.06, [0.1] * 5),
        make_comparison("RR", "b", "c", 1.0, [0.0] * 5),
    ),
    "c",
)


def make_table(paper, **view):
    (table,) = make_tables([paper], View(**view))
    return table


def test_paper_table_rows_are_sorted_by_first_measure():
    table = make_table(WITH_BEST, queries="judged queries")
    assert table.title == "mean over 5 judged queries with its 95 % Student t interval"
    assert table.headings == ("system", "AP", "95 % interval", "RR", "95 % interval")
    assert table.cells == (
        ("b", f"0.300{NO_MARK}", "[0.257, 0.343]", "0.50=", "[0.30, 0.70]"),
        ("c", "0.200=", "[0.157, 0.243]", f"0.60{NO_MARK}", "[0.40, 0.80]"),
        ("a", f"0.100{NO_MARK}", "[0.057, 0.143]", f"0.91{NO_MARK}", "[0.71, 1.11]"),
    )
    assert table.strong == {(0, 1), (2, 3)}
    assert "bold: best of its measure; = not significantly different from the best" in table.caption


def test_paper_table_with_baseline_has_arrows_wins_ties_and_losses():
    table = make_table(WITH_BASELINE)
    assert table.headings == (
        *("system", "AP", "95 % interval", "W/T/L"),
        *("RR", "95 % interval", "W/T/L"),
    )
    assert [(row[0], row[1], row[3], row[4], row[6]) for row in table.cells] == [
        ("b", f"0.300{HIGHER}", "3/1/1", "0.50=", "0/5/0"),
        ("c", f"0.200{NO_MARK}", "-", f"0.60{NO_MARK}", "-"),
        ("a", f"0.100{LOWER}", "0/2/3", "0.91=", "5/0/0"),
    ]
    assert f"{HIGHER} higher, {LOWER} lower than c, = not significantly different" in table.caption
    assert "W/T/L: queries won, tied and lost against it" in table.caption
    assert set(table.spare) == {"W/T/L", "95 % interval"}


def test_paper_table_bolds_all_equal_best_means():
    means = [
        make_paper_estimate("AP", name, value) for name, value in (("a", 0.1 + 0.2), ("b", 0.3))
    ]
    means.append(make_paper_estimate("AP", "c", 0.2999))
    assert make_table(PaperTable(tuple(means), ())).strong == {(0, 1), (1, 1)}


def test_paper_table_digits_are_specified_or_per_measure():
    row = make_table(WITH_BEST, digits=1).cells[0]
    assert row == ("b", f"0.3{NO_MARK}", "[0.3, 0.3]", "0.5=", "[0.3, 0.7]")


def test_paper_table_mean_without_interval_has_dashes():
    nothing = Interval(math.nan, math.nan, 0.95, "bca")
    table = make_table(PaperTable((make_paper_estimate("AP", "a", 0.3, interval=nothing),), ()))
    assert table.cells == (("a", f"0.3000{NO_MARK}", "[-, -]"),)


def test_paper_table_limit_is_one_number():
    limit = Interval(0.25, math.inf, 0.9, "student-t", "greater")
    table = make_table(PaperTable((make_paper_estimate("AP", "a", 0.3, interval=limit),), ()))
    assert table.headings == ("system", "AP", "90 % limit")
    assert table.cells == (("a", f"0.300{NO_MARK}", "[0.250]"),)
    assert table.title.endswith("90 % Student t lower limit")


def test_paper_table_title_names_common_method():
    bca = Interval(0.1, 0.3, 0.95, "bca")
    both = (make_paper_estimate("AP", "a", 0.2), make_paper_estimate("RR", "a", 0.2, interval=bca))
    assert make_table(PaperTable(both, ())).title == "mean over 5 queries with its 95 % interval"


def test_paper_table_records_have_mean_and_comparison():
    rows = {(row["measure"], row["system"]): row for row in WITH_BASELINE.records()}
    assert len(rows) == 6
    assert rows["AP", "b"]["mean"] == 0.3
    assert rows["AP", "b"]["low"] == 0.3 - 0.043
    verdicts = {key: (row["compared_with"], row["verdict"]) for key, row in rows.items()}
    assert verdicts == {
        ("AP", "a"): ("c", "lower"),
        ("AP", "b"): ("c", "higher"),
        ("AP", "c"): (None, "reference"),
        ("RR", "a"): ("c", "not significantly different"),
        ("RR", "b"): ("c", "not significantly different"),
        ("RR", "c"): (None, "reference"),
    }
    assert rows["RR", "a"]["adjusted_p_value"] == 0.06
    assert make_table(WITH_BASELINE, has_records=False).records == ()
    assert [dict(row) for row in make_table(WITH_BASELINE).records] == WITH_BASELINE.records()


def test_paper_table_markdown_bolds_best():
    lines = WITH_BEST.to_markdown().splitlines()
    assert lines[4] == "| b | **0.300** | \\[0.257, 0.343\\] | 0.50= | \\[0.30, 0.70\\] |"
    assert "**0.91**" in lines[6]
    assert WITH_BEST.to_markdown().count("**") == 2 + 2 * 2  # the title and two cells


def test_paper_table_latex_is_one_float_and_bolds_best():
    text = WITH_BEST.to_latex()
    assert text.count(r"\begin{table}") == text.count(r"\end{table}") == 1
    assert text.count(r"\textbf{") == 2
    assert r"b & \textbf{0.300~} & {[}0.257, 0.343{]} & 0.50= & {[}0.30, 0.70{]} \\" in text


def test_paper_table_html_bolds_best_and_escapes_names():
    bold = re.findall("<strong>(.*?)</strong>", WITH_BEST.to_html())
    assert [cell.strip(NO_MARK) for cell in bold] == ["0.300", "0.91"]
    hostile = PaperTable((make_paper_estimate("AP", "<b>a</b>", 0.3),), ())
    assert "<strong>0.300" in hostile.to_html()
    assert "<b>a</b>" not in hostile.to_html()


def test_paper_table_terminal_bolds_best():
    text = io.StringIO()
    console = Console(file=text, width=100, force_terminal=True, color_system="standard")
    print_table(console, make_table(WITH_BEST))
    bold = [part.split("\x1b[0m")[0] for part in text.getvalue().split("\x1b[1m")[1:]]
    assert [cell.strip() for cell in bold if cell.strip()[:2] == "0."] == ["0.300", "0.91"]


def test_paper_table_keeps_means_on_narrow_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "30")
    text = str(WITH_BASELINE)
    assert "W/T/L: queries won" not in text
    assert "0.300" in text
    assert "0.91" in text
    assert "no room for " in text


def test_paper_table_of_one_system_has_no_comparison():
    scores = ScoreTable(("AP", "RR"), ("a",), QUERIES, np.linspace(0, 1, 10).reshape(2, 1, 5))
    paper = paper_table(scores, method="studentised-logit", rng=1, n_resamples=99)
    assert paper.comparisons == ()
    table = make_table(paper)
    assert table.strong == {(0, 1), (0, 3)}
    assert table.caption == "99 resamples of the queries, seed 1"
    assert {row["compared_with"] for row in paper.records()} == {None}


def test_paper_table_compares_with_best_or_baseline():
    rng = np.random.default_rng(1)
    base = rng.uniform(0.2, 0.5, size=30)
    top = np.where(np.arange(30) < 4, base, base + rng.uniform(-0.1, 0.15, size=30))
    ap = pd.DataFrame({"low": base * 0.6, "mid": base, "top": top})
    frames = {"AP": ap, "RR": 1 - ap}
    paper = paper_table(frames, rng=1, n_resamples=199)
    best = {test_result.measure: test_result.baseline for test_result in paper.comparisons}
    means = {measure: frame.mean().idxmax() for measure, frame in frames.items()}
    assert best == means
    assert means["RR"] == "low"
    against = paper_table(frames, baseline="mid", rng=1, n_resamples=199)
    assert {test_result.baseline for test_result in against.comparisons} == {"mid"}
    differences = irbounds.difference_interval(frames, baseline="mid", rng=1)
    assert [test_result.adjusted_p_value for test_result in against.comparisons] == [
        test_result.adjusted_p_value for test_result in differences
    ]
    table = make_table(against)
    for k, (measure, frame) in enumerate(frames.items()):
        for row in table.cells:
            difference = frame[row[0]] - frame["mid"]
            counts = [(difference > 0).sum(), (difference == 0).sum(), (difference < 0).sum()]
            counts_text = "-" if row[0] == "mid" else "/".join(map(str, counts))
            assert row[3 * k + 3] == counts_text, (measure, row[0])
    with pytest.raises(irbounds.errors.ParameterError, match=r"baseline .*'nobody'"):
        paper_table(frames, baseline="nobody")


def test_paper_table_is_reproducible_and_records_seed():
    scores = np.random.default_rng(2).uniform(0.2, 0.6, size=(40, 2))
    frame = {"AP": pd.DataFrame(scores, columns=["a", "b"])}
    options = {"method": "studentised-logit", "n_resamples": 99}
    first = paper_table(frame, **options)
    seed = first.estimates[0].seed
    assert {test_result.seed for test_result in first.comparisons} == {None}  # nothing is drawn
    assert paper_table(frame, **options, rng=seed).records() == first.records()


def test_paper_table_section_explains_methods_and_test():
    section = make_section([WITH_BEST])
    assert section.heading == "Means with intervals"
    assert section.topics == ["mean-interval", "student-t", "t", "holm"]
    alone = make_section([PaperTable(MEANS[:1], ())])
    assert alone.topics == ["mean-interval", "student-t"]


def conclude_paper(paper):
    return make_section([paper]).conclusion


def test_paper_conclusion_counts_different_systems():
    conclusion, more = conclude_paper(WITH_BEST)
    assert conclusion == (
        "AP: 1 of the 2 others scores significantly lower than b; RR: 1 of the 2 others scores "
        "significantly lower than a "
        "(5 % level, Holm's adjustment)."
    )
    assert "`irbounds rank`" in more
    assert more.endswith("5 queries are too few to trust small differences.")
    conclusion, _ = conclude_paper(WITH_BASELINE)
    assert conclusion.startswith(
        "AP: 1 of the 2 others scores significantly lower than c and 1 higher; RR: none of the 2"
    )


def test_paper_conclusion_groups_measures_with_same_finding():
    measures = ("AP", "RR", "P@5", "P@10")
    means = [
        make_paper_estimate(m, s, v, n=50) for m in measures for s, v in (("a", 0.5), ("b", 0.4))
    ]
    tests = [make_comparison(m, "b", "a", 0.001, [-0.1] * 5) for m in measures]
    conclusion, more = conclude_paper(PaperTable(tuple(means), tuple(tests)))
    assert conclusion.startswith("AP, RR, P@5 and P@10: b scores significantly lower than a (")
    assert more == "`irbounds compare` shows the differences with their intervals."


def test_paper_conclusion_of_many_findings_has_counts():
    means, tests = [], []
    for k, measure in enumerate(("AP", "RR", "P@5", "P@10")):
        means += [make_paper_estimate(measure, f"s{j}", 0.5 - j / 10) for j in range(6)]
        tests += [
            make_comparison(measure, f"s{j}", "s0", 0.001 if j <= k else 0.5, [-0.1] * 5)
            for j in range(1, 6)
        ]
    conclusion, _ = conclude_paper(PaperTable(tuple(means), tuple(tests)))
    numbers = "AP 0 of 5, RR 1 of 5, P@5 2 of 5, P@10 3 of 5"
    assert conclusion.startswith(f"Significantly different from the best system: {numbers} (5 %")
    conclusion, _ = conclude_paper(PaperTable(tuple(means), tuple(tests), "s0"))
    assert conclusion.startswith(f"Significantly different from s0: {numbers} (")


def test_paper_conclusion_mentions_missing_tests():
    means = tuple(make_paper_estimate("AP", name, 0.5, n=1) for name in "ab")
    conclusion, more = conclude_paper(
        PaperTable(means, (make_comparison("AP", "b", "a", math.nan, [-0.1]),))
    )
    assert conclusion.startswith("AP: no test for 1 of 1 (")
    assert "1 query is too few" in more
    (line,) = conclude_paper(PaperTable(means[:1], ()))
    assert line.startswith("The interval is about other queries")


def test_table_of_binary_scores_states_that_the_mean_is_a_proportion():
    estimates = irbounds.mean_interval({"Success@5": pd.DataFrame({"a": [1.0, 0.0, 1.0]})})
    (table,) = make_section(list(estimates)).tables
    assert "Clopper-Pearson" in table.title
    assert table.caption.endswith("a proportion")


def test_paper_table_lists_methods_that_differ_between_measures():
    frames = {"AP": [0.2, 0.4, 0.9], "Success@5": [0.0, 1.0, 1.0], "RR": [0.5, 1.0, 0.2]}
    table = paper_table({name: pd.DataFrame({"a": row}) for name, row in frames.items()})
    caption = make_section([table]).tables[0].caption
    assert "intervals: moderated Wilson (AP, RR), Clopper-Pearson (Success@5)" in caption
