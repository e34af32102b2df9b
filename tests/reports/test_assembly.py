"""irbounds.report: a page of judgments and runs, of scores, or of results, with verdicts first."""

from __future__ import annotations

import math
from dataclasses import replace
from html import unescape

import numpy as np
import pandas as pd
import pytest

import irbounds
from every_result import HOSTILE, collection, result_of
from irbounds.reports.assembly import verdicts
from irbounds.results import Comparison, Estimate, Interval


def make_estimate(system, value, half=0.043, measure="AP", **more):
    interval = Interval(value - half, value + half, 0.95, "student-t")
    fields = {"interval": interval, "standard_error": half / 2, "n": 50, "limits": None, **more}
    return Estimate(measure=measure, system=system, value=value, **fields)


def make_comparison(system, baseline, value, p, measure="AP", half=0.0213):
    return Comparison(
        measure=measure,
        system=system,
        baseline=baseline,
        value=value,
        interval=Interval(value - half, value + half, 0.95, "student-t"),
        standard_error=half / 2,
        effect_size=0.4,
        p_value=p,
        adjusted_p_value=p,
        adjusted_p_low=p,
        adjusted_p_high=p,
        n=50,
        n_comparisons=2,
        test="t",
        alternative="two-sided",
        adjustment="holm",
        limits=None,
    )


def make_verdict(means, *comparisons, baseline=None):
    """Return the verdict on systems with these means, by name."""
    (verdict,) = verdicts([make_estimate(*mean) for mean in means.items()], comparisons, baseline)
    return verdict


def make_verdict_against_best(*p_values):
    """Return the verdict on z, of mean 0.31, and on lower systems with these adjusted p-values."""
    means = {f"s{k}": 0.3 - 0.01 * k for k in range(1, len(p_values) + 1)}
    comparisons = [
        make_comparison(name, "z", -0.1, p) for name, p in zip(means, p_values, strict=True)
    ]
    return make_verdict({**means, "z": 0.31}, *comparisons)


def test_verdict_on_one_system_has_mean_and_interval():
    assert make_verdict({"a": 0.3}) == "By AP, a scores 0.300 (95 % interval 0.257 to 0.343)."


def test_verdict_without_interval():
    nothing = Interval(math.nan, math.nan, 0.95, "bca")
    (verdict,) = verdicts([make_estimate("a", 0.3, interval=nothing)], [])
    assert verdict == "By AP, a scores 0.3000, without an interval."
    two = make_verdict(
        {"a": 0.2, "b": 0.3}, replace(make_comparison("a", "b", -0.1, 0.01), interval=nothing)
    )
    assert two.endswith("than a (0.200): difference 0.1000, without an interval.")


@pytest.mark.parametrize(
    ("comparison", "difference"),
    [
        (make_comparison("a", "b", -0.1, 0.05), "difference 0.100 (95 % interval 0.079 to 0.121)"),
        (make_comparison("b", "a", 0.1, 0.05), "difference 0.100 (95 % interval 0.079 to 0.121)"),
    ],
)
def test_verdict_on_two_systems_that_differ(comparison, difference):
    """The difference is that of the better system, whichever of the two is the baseline."""
    assert make_verdict({"a": 0.2, "b": 0.3}, comparison) == (
        f"By AP, b (0.300) scores significantly higher than a (0.200): {difference}."
    )


def test_verdict_on_two_systems_that_do_not_differ():
    comparison = make_comparison("a", "b", -0.01, 0.0501)
    assert make_verdict({"a": 0.29, "b": 0.3}, comparison) == (
        "By AP, b (0.300) and a (0.290) are not significantly different: difference 0.010 (95 % "
        "interval -0.011 to 0.031)."
    )


@pytest.mark.parametrize(
    ("p_values", "words"),
    [
        (
            (0.2, 0.01),
            "s1 is not significantly different, 1 of 2 others scores significantly lower",
        ),
        (
            (0.2, 0.01, 0.01),
            "s1 is not significantly different, 2 of 3 others score significantly lower",
        ),
        (
            (0.2, 0.3, 0.01),
            "s1 and s2 are not significantly different, 1 of 3 others scores significantly lower",
        ),
        (
            (0.2, 0.3, 0.4, 0.05),
            "s1, s2 and s3 are not significantly different, 1 of 4 others scores significantly "
            "lower",
        ),
        (
            (*[0.2] * 4, 0.01),
            "4 of 5 others are not significantly different, 1 scores significantly lower",
        ),
        ((0.2, 0.3), "none of the 2 others is significantly different"),
        ((0.01, 0.02), "all 2 others score significantly lower"),
    ],
)
def test_verdict_names_few_systems_and_counts_many(p_values, words):
    assert make_verdict_against_best(*p_values) == f"By AP, z is best (0.310); {words}."


def test_verdict_against_a_baseline():
    means = {"a": 0.1, "b": 0.2, "c": 0.3, "d": 0.21}
    comparisons = [
        make_comparison("a", "b", -0.1, 0.01),
        make_comparison("c", "b", 0.1, 0.01),
        make_comparison("d", "b", 0.01, 0.6),
    ]
    assert make_verdict(means, *comparisons, baseline="b") == (
        "By AP, c is best (0.300); compared with b (0.200), 1 scores significantly higher, "
        "1 scores significantly lower, d is "
        "not significantly different."
    )
    nobody = [comparisons[0], make_comparison("c", "b", 0.1, 0.06), comparisons[2]]
    assert make_verdict(means, *nobody, baseline="b").endswith(
        "compared with b (0.200), 1 scores significantly lower, c and d are not significantly "
        "different."
    )
    two = [comparisons[0], make_comparison("d", "b", 0.01, 0.01), comparisons[1]]
    assert (
        "compared with b (0.200), 2 score significantly higher, 1 scores significantly lower."
        in make_verdict(means, *two, baseline="b")
    )


def test_verdict_against_a_baseline_that_is_best():
    means = {"a": 0.1, "b": 0.2, "c": 0.3}
    comparisons = [make_comparison("a", "c", -0.2, 0.01), make_comparison("b", "c", -0.1, 0.2)]
    assert make_verdict(means, *comparisons, baseline="c") == (
        "By AP, c is best (0.300); b is not significantly different, 1 of 2 others scores "
        "significantly lower."
    )


def test_every_measure_has_its_own_verdict():
    means = [make_estimate("a", 0.1), make_estimate("b", 0.3)]
    other = [make_estimate("a", 0.9, 0.2, "RR"), make_estimate("b", 0.5, 0.2, "RR")]
    comparisons = [
        make_comparison("a", "b", -0.2, 0.01),
        make_comparison("b", "a", -0.4, 0.2, "RR"),
    ]
    first, second = verdicts([*means, *other], comparisons)
    assert first.startswith("By AP, b (0.300) scores significantly higher than a (0.100)")
    assert second.startswith("By RR, a (0.90) and b (0.50) are not significantly different")


@pytest.fixture
def scores() -> dict[str, pd.DataFrame]:
    """Three systems on 20 queries; ``far`` is below the others on every query."""
    rng = np.random.default_rng(5)
    base = rng.uniform(0.4, 0.7, size=20)
    noise = np.tile([0.01, -0.01], 10)
    ap = pd.DataFrame(
        {
            "top": base + 0.001,
            "near": base + noise,
            "far": base - rng.uniform(0.2, 0.3, size=20),
        }
    )
    return {"AP": ap, "RR": ap**2}


def test_report_of_scores_matches_pandas(scores):
    """Means by pandas, signs by inspection, and a verdict written by hand."""
    page = irbounds.report(scores=scores).page
    assert page.title == "3 systems on 20 queries"
    for verdict, (measure, frame) in zip(page.verdicts, scores.items(), strict=True):
        means = frame.mean().sort_values(ascending=False)
        best, second, last = means.index
        assert last == "far"
        assert verdict.startswith(f"By {measure}, {best} is best ({means[best]:.2f}")
        assert (
            f"{second} is not significantly different, 1 of 2 others scores significantly lower."
            in verdict
        )


def test_report_of_scores_has_no_sections_on_runs(scores):
    page = irbounds.report(scores=scores["AP"]).page
    headings = [section.heading for section in page.sections]
    assert headings[:1] == ["Means with intervals"]
    assert "Ranks" in headings
    assert any(heading.startswith("Differences from ") for heading in headings)
    assert "Diagnosis of the inputs" not in headings
    assert page.inputs == ()
    assert any("bounds" in warning for warning in page.warnings)


def test_report_of_runs_lists_its_inputs():
    judged, runs = collection()
    report = irbounds.report(judged, runs, measures=["AP", "P@5"])
    page = report.page
    assert page.title == "3 systems on 6 queries"
    assert len(page.verdicts) == 2
    headings = [section.heading for section in page.sections]
    assert headings[0] == "Means with intervals"
    assert headings[-1] == "Diagnosis of the inputs"
    assert "judged queries" in page.sections[0].tables[0].title
    assert any("runs 3" in line for line in page.inputs)
    assert page.scores is not None
    assert set(page.scores.systems) == set(runs)
    assert str(report) == "\n".join((page.title, *page.verdicts))


def test_report_of_one_system_has_no_differences_and_ranks():
    judged, runs = collection()
    page = irbounds.report(judged, {"a.b": runs["a.b"]}, measures="AP").page
    headings = {section.heading for section in page.sections}
    assert not {"Ranks"} & headings
    assert not any(heading.startswith("Differences") for heading in headings)
    assert page.title == "1 system on 6 queries"
    assert page.verdicts[0].startswith("By AP, a.b scores ")
    assert page.scores is None


def test_report_compares_all_systems_with_the_baseline(scores):
    page = irbounds.report(scores=scores, baseline="far").page
    assert "compared with far (" in page.verdicts[0]
    assert "Differences from far" in [section.heading for section in page.sections]
    assert "W/T/L" in page.sections[0].tables[0].headings
    with pytest.raises(irbounds.errors.ParameterError, match=r"baseline .*'nobody'"):
        irbounds.report(scores=scores, baseline="nobody")


def test_first_figure_warns_on_the_page_not_when_it_is_drawn():
    scores = pd.DataFrame({"a": [0.1, 0.2, 0.4], "b": [0.2, 0.3, 0.5], "c": [0.3, 0.1, 0.2]})
    page = irbounds.report(scores=scores, baseline="c").page
    assert any("a minus b" in warning for warning in page.warnings)
    assert page.lead().name  # warnings are errors here


def test_report_of_results_has_a_section_per_kind():
    page = irbounds.report(results=[result_of("means"), result_of("ranks")]).page
    assert [section.heading for section in page.sections] == ["Means with intervals", "Ranks"]
    assert page.title == "Means with intervals and Ranks"
    assert page.verdicts == ()
    assert page.provenance.arguments == ()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"results": []}, "results must be what verbs return"),
        ({"results": 3}, "got int"),
        ({"scores": {"a": [0.1, 0.2]}, "baseline": "a"}, "scores and baseline are not for results"),
    ],
)
def test_results_cannot_be_combined_with_other_inputs(options, message):
    with pytest.raises(irbounds.errors.ParameterError, match=message):
        irbounds.report(**{"results": result_of("means"), **options})


def test_saved_page_escapes_hostile_names_and_loads_nothing(tmp_path):
    judged, runs = collection()
    assert HOSTILE in runs
    irbounds.report(judged, runs, measures="AP").save(str(tmp_path / "page.html"))
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE html>")
    assert HOSTILE not in text
    assert "default-src 'none'" in unescape(text)
    with pytest.raises(OSError, match=tmp_path.name):
        irbounds.report(results=result_of("means")).save(tmp_path)


def test_first_figure_does_not_depend_on_the_baseline(scores):
    page = irbounds.report(scores=scores, baseline="far").page
    assert page.lead().to_dict() == irbounds.report(scores=scores).page.lead().to_dict()
