"""Comparison of two files that evaluate wrote, by Welch's interval and test."""

from __future__ import annotations

import json
import math

import pytest
from scipy import stats

import irbounds
from irbounds.errors import DataError, InputError, ParameterError

A = [0.5, 0.7, 0.4, 0.6, 0.25, 0.1]
B = [0.3, 0.4, 0.5, 0.2, 0.05]


@pytest.fixture
def publish(tmp_path, irbounds, monkeypatch):
    """Return a function that writes scores of systems and the JSON of evaluate."""
    monkeypatch.chdir(tmp_path)

    def write(name, measure="AP", **systems):
        rows = zip(*systems.values(), strict=True)
        lines = [",".join(map(str, row)) for row in rows]
        (tmp_path / f"{name}.csv").write_text("\n".join([",".join(systems), *lines]) + "\n")
        scores = f"{measure}={name}.csv"
        made = irbounds("evaluate", "--scores", scores, "-o", f"{name}.json")
        assert made.returncode == 0, made.stderr
        return tmp_path / f"{name}.json"

    return write


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_welch_is_scipys(publish, alternative):
    first, second = publish("a", ours=A), publish("b", theirs=B)
    (row,) = irbounds.compare(first, second, confidence_level=0.9, alternative=alternative)
    of_a, of_b = (json.loads(path.read_text())["results"][0] for path in (first, second))
    summary = [of_a[key] for key in ("mean", "standard_deviation", "n")]
    summary += [of_b[key] for key in ("mean", "standard_deviation", "n")]
    expected = stats.ttest_ind_from_stats(*summary, equal_var=False, alternative=alternative)
    scores = stats.ttest_ind(A, B, equal_var=False, alternative=alternative)
    assert row.p_value == pytest.approx(expected.pvalue, rel=1e-12)
    assert row.p_value == pytest.approx(scores.pvalue, rel=1e-12)
    assert tuple(row.interval) == pytest.approx(tuple(scores.confidence_interval(0.9)), rel=1e-12)
    assert (row.system, row.baseline, row.n, row.baseline_n) == ("ours", "theirs", 6, 5)
    assert row.degrees_of_freedom == pytest.approx(scores.df)
    assert row.at(0.8, "two-sided").interval.high == pytest.approx(
        stats.ttest_ind(A, B, equal_var=False).confidence_interval(0.8).high
    )


@pytest.mark.parametrize(
    ("alternative", "low", "high", "p"),
    [
        ("two-sided", -0.13645133259389447, 0.4064513325938946, 0.2896130869285157),
        ("less", -math.inf, 0.35495288105849876, 0.8551934565357422),
        ("greater", -0.0849528810584986, math.inf, 0.14480654346425784),
    ],
)
def test_numbers_of_earlier_versions(publish, alternative, low, high, p):
    """The interval and the p-value of compare-cards in 0.2.0."""
    files = publish("a", ours=A), publish("b", theirs=B)
    (row,) = irbounds.compare(*files, alternative=alternative)
    assert row.value == pytest.approx(0.13500000000000006, rel=1e-12)
    assert tuple(row.interval) == pytest.approx((low, high), rel=1e-12)
    assert row.p_value == pytest.approx(p, rel=1e-12)


def test_all_means_by_the_same_measure_are_adjusted_together(publish):
    first, second = publish("a", ours=A, base=A[::-1]), publish("b", theirs=B, base=B[::-1])
    rows = irbounds.compare(first, second)
    assert {(row.system, row.baseline) for row in rows} == {
        *(("base (a.json)", "base (b.json)"), ("base", "theirs")),
        *(("ours", "base"), ("ours", "theirs")),
    }
    assert {row.n_comparisons for row in rows} == {4}
    assert {row.adjusted_p_value for row in rows} == {1.0}
    plain = irbounds.compare(first, second, adjustment="none")
    assert [row.adjusted_p_value for row in plain] == [row.p_value for row in rows]


def test_command_shows_the_difference_and_warns(publish, irbounds, tmp_path):
    publish("a", ours=A)
    publish("b", theirs=B)
    result = irbounds("compare", "a.json", "b.json")
    text = result.stdout.decode()
    assert result.returncode == 0
    assert "AP: difference of published means with its 95 % Welch interval" in text
    assert "ours is not significantly different from theirs" in text
    assert "warning" not in text
    (tmp_path / "again.json").write_text((tmp_path / "a.json").read_text() + "\n")
    again = irbounds("compare", "a.json", "again.json").stdout.decode()
    assert "warning: both files have an input in common" in again
    assert irbounds("compare", "a.json", "a.json").returncode == 2
    document = json.loads(irbounds("compare", "a.json", "b.json", "--format", "json").stdout)
    assert [file["name"] for file in document["inputs"]] == ["a.json", "b.json"]
    assert document["results"][0]["method"] == "welch"
    (tmp_path / "ties.json").write_text((tmp_path / "b.json").read_text().replace("trec", "worst"))
    other = irbounds("compare", "a.json", "ties.json").stdout.decode()
    assert "warning: documents of equal score were ordered by different rules" in other


def test_a_mean_with_two_methods_is_compared_once_and_other_measures_are_named(publish):
    first, second = publish("a", ours=A), publish("b", theirs=B)
    document = json.loads(second.read_text())
    (row,) = document["results"]
    document["results"] += [{**row, "method": "bca"}, {**row, "measure": "RR"}]
    second.write_text(json.dumps(document))
    result = irbounds.compare(first, second)
    assert [row.n_comparisons for row in result] == [1]
    assert "only one file has RR" in result.warnings


def test_errors_are_one_line(publish, irbounds, tmp_path):
    publish("a", ours=A)
    publish("rr", "RR", ours=A)
    publish("equal", ours=[0.5, 0.5, 0.5])
    (tmp_path / "rank.json").write_bytes(
        irbounds("rank", "--scores", "AP=a.csv", "AP=a.csv", "--format", "json").stdout
        or b'{"irbounds": "1", "results": [{"rank": 1}]}'
    )
    (tmp_path / "bad.json").write_text(
        (tmp_path / "a.json").read_text().replace('"n": 6', '"n": "6"')
    )
    (tmp_path / "none.json").write_text('{"irbounds": "1", "results": 3}')
    for name, message in (
        ("rr.json", "have no measure in common"),
        ("equal.json", "equal.json: needs means with standard deviations above 0"),
        ("rank.json", "rank.json: needs means with standard deviations above 0"),
        ("bad.json", "bad.json: needs means with standard deviations above 0"),
        ("none.json", "none.json: needs means with standard deviations above 0"),
    ):
        result = irbounds("compare", "a.json", name)
        assert result.returncode == 2
        assert message in " ".join(result.stderr.decode().split())
        assert b"Traceback" not in result.stderr
    refused = irbounds("compare", "a.json", "a.json", "--test", "wilcoxon")
    assert b"--test is not for published means" in refused.stderr


def test_errors_in_python(publish):
    first = publish("a", ours=A)
    with pytest.raises(DataError, match="no measure in common"):
        irbounds.compare(first, publish("rr", "RR", ours=A))
    with pytest.raises(ParameterError, match="baseline and by_query are not for published means"):
        irbounds.compare(first, first, baseline="ours", by_query=True)
    first.write_text('{"irbounds": "1", "results": [')
    with pytest.raises(InputError, match=r"a\.json: line 1: not JSON"):
        irbounds.compare(first, first)
