"""irbounds.report: a page of judgments and runs, of scores, or of results, that answers first."""

from __future__ import annotations

import math
from dataclasses import replace
from html import unescape

import numpy as np
import pandas as pd
import pytest

import irbounds
from every_result import HOSTILE, collection, result_of
from irbounds.reports.assembly import Report, verdicts
from irbounds.results import Comparison, Estimate, Interval
from irbounds.verbs.evaluate import evaluate
from irbounds.verbs.rank import rank

FAST = {"seed": 1, "n_resamples": 99}


def estimate(system, value, half=0.043, measure="AP", **more):
    interval = Interval(value - half, value + half, 0.95, "student-t")
    given = {"interval": interval, "standard_error": half / 2, "n": 50, "limits": None, **more}
    return Estimate(measure=measure, system=system, value=value, **given)


def comparison(system, baseline, value, p, measure="AP", half=0.0213):
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
        detectable_difference=0.1,
        n=50,
        n_comparisons=2,
        test="t",
        alternative="two-sided",
        adjustment="holm",
        power=0.8,
        limits=None,
    )


def said(means, *comparisons, baseline=None):
    """The verdict on systems of these means, by name."""
    (verdict,) = verdicts([estimate(*one) for one in means.items()], comparisons, baseline)
    return verdict


def against_best(*p_values):
    """The verdict on z, of mean 0.31, and on others below it with these adjusted p-values."""
    means = {f"s{k}": 0.3 - 0.01 * k for k in range(1, len(p_values) + 1)}
    found = [comparison(name, "z", -0.1, p) for name, p in zip(means, p_values, strict=True)]
    return said({**means, "z": 0.31}, *found)


def test_one_system_has_its_mean_and_interval():
    assert said({"a": 0.3}) == "By AP, a scores 0.300 (95 % interval 0.257 to 0.343)."


def test_a_mean_or_a_difference_without_an_interval():
    nothing = Interval(math.nan, math.nan, 0.95, "bca")
    (verdict,) = verdicts([estimate("a", 0.3, interval=nothing)], [])
    assert verdict == "By AP, a scores 0.3000, without an interval."
    two = said({"a": 0.2, "b": 0.3}, replace(comparison("a", "b", -0.1, 0.01), interval=nothing))
    assert two.endswith("than a (0.200): difference 0.1000, without an interval.")


@pytest.mark.parametrize(
    ("found", "difference"),
    [
        (comparison("a", "b", -0.1, 0.05), "difference 0.100 (95 % interval 0.079 to 0.121)"),
        (comparison("b", "a", 0.1, 0.05), "difference 0.100 (95 % interval 0.079 to 0.121)"),
    ],
)
def test_two_systems_that_differ(found, difference):
    """The difference is that of the better one, whichever way round they were compared."""
    assert said({"a": 0.2, "b": 0.3}, found) == (
        f"By AP, b (0.300) scores significantly higher than a (0.200): {difference}."
    )


def test_two_systems_that_do_not_differ():
    found = comparison("a", "b", -0.01, 0.0501)
    assert said({"a": 0.29, "b": 0.3}, found) == (
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
def test_many_systems_are_counted_and_few_are_named(p_values, words):
    assert against_best(*p_values) == f"By AP, z is best (0.310); {words}."


def test_a_baseline_has_those_above_below_and_not_different():
    means = {"a": 0.1, "b": 0.2, "c": 0.3, "d": 0.21}
    found = [
        comparison("a", "b", -0.1, 0.01),
        comparison("c", "b", 0.1, 0.01),
        comparison("d", "b", 0.01, 0.6),
    ]
    assert said(means, *found, baseline="b") == (
        "By AP, c is best (0.300); compared with b (0.200), 1 scores significantly higher, "
        "1 scores significantly lower, d is "
        "not significantly different."
    )
    nobody = [found[0], comparison("c", "b", 0.1, 0.06), found[2]]
    assert said(means, *nobody, baseline="b").endswith(
        "compared with b (0.200), 1 scores significantly lower, c and d are not significantly "
        "different."
    )
    two = [found[0], comparison("d", "b", 0.01, 0.01), found[1]]
    assert (
        "compared with b (0.200), 2 score significantly higher, 1 scores significantly lower."
        in said(means, *two, baseline="b")
    )


def test_a_baseline_that_is_the_best_itself():
    means = {"a": 0.1, "b": 0.2, "c": 0.3}
    found = [comparison("a", "c", -0.2, 0.01), comparison("b", "c", -0.1, 0.2)]
    assert said(means, *found, baseline="c") == (
        "By AP, c is best (0.300); b is not significantly different, 1 of 2 others scores "
        "significantly lower."
    )


def test_every_measure_has_its_own_verdict():
    means = [estimate("a", 0.1), estimate("b", 0.3)]
    other = [estimate("a", 0.9, 0.2, "RR"), estimate("b", 0.5, 0.2, "RR")]
    found = [comparison("a", "b", -0.2, 0.01), comparison("b", "a", -0.4, 0.2, "RR")]
    first, second = verdicts([*means, *other], found)
    assert first.startswith("By AP, b (0.300) scores significantly higher than a (0.100)")
    assert second.startswith("By RR, a (0.90) and b (0.50) are not significantly different")


@pytest.fixture
def scores() -> dict[str, pd.DataFrame]:
    """Three systems on 20 queries: ``far`` is below the others on every one of them."""
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


def test_a_report_of_scores_agrees_with_a_count_by_hand(scores):
    """The oracle: means by pandas, signs by eye, and the verdict written by hand."""
    page = irbounds.report(scores=scores, **FAST).page
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


def test_a_report_of_scores_has_no_sections_on_runs(scores):
    page = irbounds.report(scores=scores["AP"], **FAST).page
    headings = [section.heading for section in page.sections]
    assert headings[:1] == ["Means with intervals"]
    assert "Ranks" in headings
    assert any(heading.startswith("Differences from ") for heading in headings)
    assert not {"Diagnosis of the inputs", "Ties", "Chance level", "Corpus images"} & {*headings}
    assert page.inputs == ()
    assert any("bounds" in warning for warning in page.warnings)


def test_measures_may_be_chosen(scores):
    page = irbounds.report(scores=scores, measures=["RR"], **FAST).page
    (verdict,) = page.verdicts
    assert verdict.startswith("By RR, ")


def test_a_report_of_judgments_and_runs_says_what_was_read():
    judged, runs = collection()
    found = irbounds.report(judged, runs, measures=["AP", "P@5"], title="My runs", **FAST)
    page = found.page
    assert page.title == "My runs"
    assert len(page.verdicts) == 2
    headings = [section.heading for section in page.sections]
    assert headings[0] == "Means with intervals"
    assert headings[-1] == "Diagnosis of the inputs"
    assert "Ties" in headings  # one of the runs has some
    assert not {"Chance level", "Corpus images"} & {*headings}  # the corpus is not known
    assert "judged queries" in page.sections[0].tables[0].title
    assert any("runs 3" in line for line in page.inputs)
    assert page.scores is not None
    assert set(page.scores.systems) == set(runs)
    assert str(found) == "\n".join(("My runs", *page.verdicts))


def test_a_known_corpus_adds_chance_and_images():
    judged, runs = collection()
    page = irbounds.report(judged, runs, measures="AP", corpus_size=40, n_images=16, **FAST).page
    folded = {section.heading: section.is_folded for section in page.sections}
    assert folded["Chance level"]
    assert folded["Corpus images"]
    assert not folded["Means with intervals"]
    assert next(iter(page.sections)).tables[0].headings[1] == "AP"


def test_one_system_has_no_differences_and_no_ranks():
    judged, runs = collection()
    page = irbounds.report(judged, {"a.b": runs["a.b"]}, measures="AP", **FAST).page
    headings = {section.heading for section in page.sections}
    assert not {"Ranks"} & headings
    assert not any(heading.startswith("Differences") for heading in headings)
    assert page.title == "1 system on 6 queries"
    assert page.verdicts[0].startswith("By AP, a.b scores ")
    assert page.scores is None


def test_a_baseline_is_what_all_are_compared_with(scores):
    page = irbounds.report(scores=scores, baseline="far", **FAST).page
    assert "compared with far (" in page.verdicts[0]
    assert "Differences from far" in [section.heading for section in page.sections]
    assert "W/T/L" in page.sections[0].tables[0].headings
    with pytest.raises(irbounds.errors.ParameterError, match=r"baseline .*'nobody'"):
        irbounds.report(scores=scores, baseline="nobody", **FAST)


def test_several_methods_have_tables_of_their_own(scores):
    page = irbounds.report(scores=scores["AP"], method=["student-t", "percentile"], **FAST).page
    titles = [table.title for table in page.sections[0].tables]
    assert len(titles) == 3
    assert "Student t" in titles[1]
    assert "percentile" in titles[2]
    assert len(page.verdicts) == 1


def test_wrong_options_are_errors_before_anything_is_computed(scores):
    with pytest.raises(irbounds.errors.ParameterError, match="confidence_level"):
        irbounds.report(scores=scores, confidence_level=95)
    with pytest.raises(irbounds.errors.ParameterError, match="method"):
        irbounds.report(scores=scores, method="magic")


def test_the_same_seed_gives_the_same_numbers(scores):
    first, second = (irbounds.report(scores=scores, **FAST).page for _ in range(2))
    assert first.provenance.results == second.provenance.results
    other = irbounds.report(scores=scores, seed=2, n_resamples=99).page
    assert other.provenance.results != first.provenance.results


def test_digits_reach_the_tables(scores):
    page = irbounds.report(scores=scores["AP"], digits=1, **FAST).page
    assert page.sections[0].tables[0].cells[0][1].strip("=\N{NO-BREAK SPACE}").count(".") == 1
    assert len(page.sections[0].tables[0].cells[0][2]) == len("[0.0, 0.0]")


def test_warnings_are_on_the_page():
    same = pd.DataFrame({"a": [0.5, 0.5, 0.5], "b": [0.1, 0.2, 0.35]})
    page = irbounds.report(scores=same, method="bca", **FAST).page
    assert any("a" in warning and "no interval" in warning for warning in page.warnings)
    assert len(set(page.warnings)) == len(page.warnings)


@pytest.mark.parametrize(
    "name", ["means", "differences", "recall", "card", "sample", "coverage", "paper table", "exact"]
)
def test_a_report_of_results_has_a_section_for_their_kind(name):
    found = result_of(name)
    page = irbounds.report(results=found).page
    (section,) = page.sections
    assert page.title == section.heading
    assert section.tables
    assert page.verdicts == ()
    assert page.provenance.arguments == ()


def test_a_report_of_several_results_has_a_section_per_kind():
    page = irbounds.report(results=[result_of("means"), result_of("ranks"), result_of("card")]).page
    assert [section.heading for section in page.sections] == [
        *("Means with intervals", "Ranks", "Card"),
    ]
    assert page.title == "Means with intervals, Ranks and Card"
    assert irbounds.report(results=[result_of("means")], title="Mine").page.title == "Mine"


def test_a_result_of_a_verb_is_shown_as_its_command_shows_it(scores):
    """Two measures: one table of systems by measures, as ``evaluate`` has it."""
    found = evaluate(scores=scores, n_resamples=99)
    page = irbounds.report(results=[found, result_of("ranks")], digits=2).page
    assert [section.heading for section in page.sections] == ["Means with intervals", "Ranks"]
    table = page.sections[0].tables[0]
    assert [table.title for table in page.sections[0].tables] == [
        *(one.title for one in found._sections()[0].tables),
    ]
    assert table.headings[0] == "system"
    assert len(page.sections[0].tables) == 1
    assert set(found.warnings) <= set(page.warnings)


def test_results_of_verbs_state_what_was_read_each_file_once(tmp_path):
    (tmp_path / "s.csv").write_text("query_id,a,b\nq1,0.1,0.2\nq2,0.3,0.1\nq3,0.5,0.9\n")
    given = {"scores": {"AP": str(tmp_path / "s.csv")}, "n_resamples": 99}
    page = irbounds.report(results=[evaluate(**given), rank(**given)]).page
    assert [one.name for one in page.provenance.inputs] == [str(tmp_path / "s.csv")]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"results": []}, "results must be what verbs return"),
        ({"results": 3}, "got int"),
        ({"results": ["a"]}, "got str"),
        ({"scores": {"a": [0.1, 0.2]}, "seed": 3}, "scores and seed are not for results"),
        ({"corpus_size": 9}, "corpus_size is not for results"),
    ],
)
def test_results_take_the_place_of_all_other_inputs(options, said):
    with pytest.raises(irbounds.errors.ParameterError, match=said):
        irbounds.report(**{"results": result_of("means"), **options})


def test_a_list_of_documents_may_be_an_iterator():
    """It is read for chance levels and for images."""
    judged, runs = collection()
    known = {document for documents in judged.values() for document in documents}
    known |= {document for run in runs.values() for one in run.values() for document in one}
    given = {"measures": "AP", "n_images": 8, **FAST}
    one, two = (
        irbounds.report(judged, runs, corpus=ids, **given).page
        for ids in (sorted(known), iter(sorted(known)))
    )
    assert one.provenance.results == two.provenance.results
    assert "Corpus images" in [section.heading for section in two.sections]


def saved(found: Report, tmp_path) -> str:
    found.save(tmp_path / "report.html")
    return (tmp_path / "report.html").read_text(encoding="utf-8")


def test_a_saved_page_has_the_verdicts_and_needs_no_network(scores, tmp_path):
    found = irbounds.report(scores=scores, title="Three & more", **FAST)
    text = saved(found, tmp_path)
    assert text.startswith("<!DOCTYPE html>")
    assert "Three &amp; more" in text
    assert all(verdict in unescape(text) for verdict in found.page.verdicts)
    assert "default-src 'none'" in unescape(text)


def test_a_saved_page_of_hostile_names_runs_nothing(tmp_path):
    judged, runs = collection()
    text = saved(irbounds.report(judged, runs, measures="AP", title=HOSTILE, **FAST), tmp_path)
    assert HOSTILE not in text


def test_a_saved_page_of_results(tmp_path):
    text = saved(irbounds.report(results=result_of("means")), tmp_path)
    assert "Means with intervals" in text


def test_a_page_is_written_to_text_paths_and_not_to_directories(scores, tmp_path):
    found = irbounds.report(results=result_of("means"))
    found.save(str(tmp_path / "page.html"))
    assert (tmp_path / "page.html").stat().st_size > 1000
    with pytest.raises(OSError, match=tmp_path.name):
        found.save(tmp_path)


def test_the_first_figure_of_two_systems_is_their_difference_on_every_query(scores):
    table = irbounds.read_scores(scores)
    two = table.select_systems(table.systems[:2])
    page = irbounds.report(scores=two, **FAST).page
    first = page.lead()
    assert first.name.startswith("differences")
    better, worse = (
        one.system
        for one in sorted(
            irbounds.mean_interval(two.select(two.measures[:1])), key=lambda one: -one.value
        )
    )
    assert first.title.startswith(f"{better} \N{MINUS SIGN} {worse}")
    means, differences = page.sections[:2]
    assert [figure.name for figure in means.drawn] == ["overview"]
    assert differences.heading == f"Differences from {worse}"
    assert differences.drawn == ()


def test_the_first_figure_is_about_the_best_system_whatever_the_baseline(scores):
    page = irbounds.report(scores=scores, baseline="far", **FAST).page
    assert page.lead().to_dict() == irbounds.report(scores=scores, **FAST).page.lead().to_dict()
