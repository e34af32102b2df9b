"""``ap``: the command and the Python functions on one test set."""

from __future__ import annotations

import csv
import math

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import average_precision_score, roc_auc_score

import irbounds as package
from irbounds.errors import InputError, ParameterError

RNG = np.random.default_rng(41)
LABELS = RNG.random(300) < 0.15
FIRST = RNG.normal(size=300) + 1.5 * LABELS
SECOND = RNG.normal(size=300) + 0.9 * LABELS
ROWS = {"label": LABELS, "first": FIRST, "second": SECOND}


@pytest.fixture
def labels_file(tmp_path):
    path = tmp_path / "labels.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(ROWS)
        for label, *scores in zip(*ROWS.values(), strict=True):
            writer.writerow([int(label), *(repr(float(score)) for score in scores)])
    return path


def test_values_chance_levels_and_p_values():
    results = package.ap(ROWS)
    scores = [result for result in results if not hasattr(result, "baseline")]
    names = [(score.measure, score.classifier) for score in scores]
    assert names == [(m, c) for m in ("AP", "ROC AUC") for c in ("first", "second")]
    for score, expected in zip(
        scores,
        (
            *(average_precision_score(LABELS, s) for s in (FIRST, SECOND)),
            *(roc_auc_score(LABELS, s) for s in (FIRST, SECOND)),
        ),
        strict=True,
    ):
        assert score.value == pytest.approx(expected, abs=1e-12)
        assert score.interval.low < score.value < score.interval.high
    n, n_positive = 300, int(LABELS.sum())
    assert scores[0].chance == package.expected_score(n, n_positive)
    assert scores[0].chance > scores[0].prevalence == n_positive / n
    random = package.random_rankings.null_distribution(n, n_positive)
    assert scores[0].p_value == random.p_value(scores[0].value)
    assert scores[2].chance == 0.5
    test = stats.mannwhitneyu(FIRST[LABELS], FIRST[~LABELS], alternative="greater")
    assert scores[2].p_value == test.pvalue


def difference_of(first, second):
    return package.ap({"label": LABELS, "first": first, "second": second})[4]


def test_difference_is_antisymmetric():
    one, other = difference_of(FIRST, SECOND), difference_of(SECOND, FIRST)
    assert one.value == pytest.approx(
        average_precision_score(LABELS, FIRST) - average_precision_score(LABELS, SECOND)
    )
    assert other.value == -one.value
    assert tuple(other.interval) == pytest.approx((-one.interval.high, -one.interval.low))
    assert other.p_value == pytest.approx(one.p_value)


def test_bca_is_seeded():
    options = {"method": "bca", "n_resamples": 500}
    score, again, other = (package.ap(ROWS, **options, seed=seed)[0] for seed in (3, 3, 4))
    assert (score.interval.method, score.n_resamples, score.seed) == ("bca", 500, 3)
    assert again.interval == score.interval
    assert other.interval != score.interval


def test_one_sided_limits_and_other_levels():
    score = package.ap(ROWS, alternative="greater")[0]
    both = package.ap(ROWS, confidence_level=0.9)[0]
    assert score.interval.low == pytest.approx(both.interval.low)
    assert score.interval.high == 1
    assert both.at(0.95).interval == package.ap(ROWS)[0].interval


def test_three_classifiers_have_all_pairs_or_a_baseline():
    rows = {**ROWS, "third": RNG.normal(size=300)}
    pairs = [d for d in package.ap(rows) if hasattr(d, "baseline") and d.measure == "AP"]
    assert [(d.classifier, d.baseline) for d in pairs] == [
        ("first", "second"),
        ("first", "third"),
        ("second", "third"),
    ]
    ordered = sorted(pairs, key=lambda d: d.p_value)
    assert ordered[0].adjusted_p_value == pytest.approx(min(3 * ordered[0].p_value, 1))
    some = package.ap(rows, baseline="third")
    assert {d.baseline for d in some if hasattr(d, "baseline")} == {"third"}


@pytest.mark.parametrize(
    ("words", "options"),
    [
        ((), {}),
        (
            ("--method", "bca", "--n-resamples", "99", "--seed", "5", "--score-columns", "second"),
            {"method": "bca", "n_resamples": 99, "seed": 5, "score_columns": "second"},
        ),
    ],
)
def test_command_equals_python(irbounds, labels_file, words, options):
    result = irbounds("ap", "labels.csv", *words, "--format", "csv")
    assert result.returncode == 0
    rows = list(csv.DictReader(result.stdout.decode().splitlines()))
    expected = package.ap(labels_file, **options)
    for row, record in zip(rows, expected.records(), strict=True):
        for name, value in record.items():
            if isinstance(value, float):
                assert float(row[name] or "nan") == pytest.approx(value, nan_ok=True)


@pytest.mark.parametrize(
    ("text", "words", "message"),
    [
        ("label,a\n1,2\n1,3\n", (), "labels.csv: all 2 labels of 'label' are positive"),
        ("class,a\n1,2\n0,1\n", (), "no column 'label'; found 'class', 'a'; --label-column NAME"),
        ("label,a\n1,2\n0,1\n", ("--baseline", "a"), "--baseline must be one of two or more"),
        ("label,a,b\n1,2,3\n0,1,2\n", ("--baseline", "c"), "got 'c' and columns of scores 'a'"),
        (
            "label,a,b\n1,2,3\n0,1,2\n",
            ("--score-columns", "c"),
            "--score-columns must be one of 'a', 'b'; got 'c'",
        ),
    ],
)
def test_command_refuses_in_one_line(irbounds, tmp_path, text, words, message):
    (tmp_path / "labels.csv").write_text(text)
    result = irbounds("ap", "labels.csv", *words, "-o", "out.csv")
    assert result.returncode == 2
    assert message in result.stderr.decode()
    assert result.stderr.count(b"\n") == 1
    assert not (tmp_path / "out.csv").exists()


def test_command_reads_standard_input_and_draws(irbounds, labels_file, tmp_path):
    result = irbounds(
        "ap", "-", "--figure", "f.svg", "--report", "r.html", stdin=labels_file.read_bytes()
    )
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "f.svg").read_text().startswith("<svg")
    assert "Classifiers on one test set" in (tmp_path / "r.html").read_text()


def test_command_names_columns_that_are_not_scores(irbounds, tmp_path):
    (tmp_path / "labels.csv").write_text(",label,a,id\n5,1,0.4,7\n6,0,0.3,8\n7,0,0.2,9\n")
    result = irbounds("ap", "labels.csv")
    text = (result.stdout + result.stderr).decode()
    assert "labels.csv: ids or text, not scores: '', 'id'" in text
    assert "classifiers 1" in text


def test_few_rows_and_ties_have_warnings():
    rng = np.random.default_rng(2)
    labels = np.arange(200) < 5
    (score,) = package.ap({"label": labels, "a": rng.normal(size=200)})[:1]
    assert any("5 positive rows" in warning for warning in score.warnings)
    tied = package.ap({"label": labels, "a": np.zeros(200)})
    assert tied.warnings[1] == "a: 200 rows are tied, so p is too large"
    assert tied[0].n_tied == 200
    one = package.ap({"label": np.arange(200) < 1, "a": rng.normal(size=200)})
    assert math.isnan(one[0].interval.low)
    assert any("one positive row" in warning for warning in one.warnings)
    assert package.ap(ROWS).warnings == ()
    rounded = package.ap({"label": LABELS, "a": np.round(FIRST, 1)})
    assert (rounded[0].n_tied > 0, rounded.warnings) == (True, ())  # p is small all the same


def test_interval_and_test_of_a_difference_are_about_its_value_without_bias():
    difference = difference_of(FIRST, SECOND)
    low, high = difference.interval
    center, error = (low + high) / 2, difference.standard_error
    assert abs(center - difference.value) > 1e-4
    t = abs(center) / error
    degrees = difference.limits.degrees_of_freedom
    assert difference.p_value == pytest.approx(2 * stats.t.sf(t, degrees))


def test_warnings_where_there_is_no_interval_or_test():
    one = package.ap({"label": np.arange(300) > 0, "a": FIRST})
    assert "one negative row" in one.warnings[0]
    assert math.isnan(one[0].interval.high)
    same = package.ap({"label": LABELS, "a": FIRST, "b": np.exp(FIRST)})
    assert any("order the rows alike" in warning for warning in same.warnings)
    assert same[4].value == 0
    assert math.isnan(same[4].p_value)
    perfect = package.ap({"label": LABELS, "a": LABELS + FIRST / 100}, method="bca")
    assert any("all equal, or all on one side" in warning for warning in perfect.warnings)


def test_errors():
    with pytest.raises(ParameterError, match="baseline must be one of two or more"):
        package.ap(ROWS, score_columns="first", baseline="first")
    with pytest.raises(InputError, match="both classes"):
        package.ap({"label": [1, 1], "a": [0.1, 0.2]})
    with pytest.raises(ParameterError, match="confidence_level"):
        package.ap(ROWS, confidence_level=95)


def test_shows_itself():
    results = package.ap(ROWS)
    assert "chance" in str(results)
    assert results.to_polars().height == 6
    assert "<table" in results.to_html()
    assert results.plot().to_dict()
