"""``ap``: the command and the Python functions on one test set."""

from __future__ import annotations

import csv
import math

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import average_precision_score, roc_auc_score

import irbounds as package
from irbounds.errors import DegenerateSampleWarning, InputError, ParameterError

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
    assert scores[0].p_value == package.random_rankings.p_value(scores[0].value, n, n_positive)
    assert scores[2].chance == 0.5
    test = stats.mannwhitneyu(FIRST[LABELS], FIRST[~LABELS], alternative="greater")
    assert scores[2].p_value == test.pvalue


def test_functions_equal_the_verb():
    score, _, _, _, difference, _ = package.ap(ROWS)
    same = package.average_precision_interval(LABELS, FIRST)
    assert (same.value, same.interval, same.p_value) == (score.value, score.interval, score.p_value)
    paired = package.average_precision_difference(LABELS, FIRST, SECOND)
    assert (paired.value, paired.interval) == (difference.value, difference.interval)
    assert paired.value == pytest.approx(
        average_precision_score(LABELS, FIRST) - average_precision_score(LABELS, SECOND)
    )
    assert package.average_precision_interval(LABELS.tolist(), FIRST.tolist()).value == score.value
    assert package.average_precision_interval(2 * LABELS - 1, FIRST).interval == score.interval


def test_difference_is_antisymmetric():
    one = package.average_precision_difference(LABELS, FIRST, SECOND)
    other = package.average_precision_difference(LABELS, SECOND, FIRST)
    assert other.value == -one.value
    assert tuple(other.interval) == pytest.approx((-one.interval.high, -one.interval.low))
    assert other.p_value == pytest.approx(one.p_value)


@pytest.mark.parametrize("method", ["percentile", "bca"])
@pytest.mark.parametrize("stratified", [False, True])
def test_bootstraps(method, stratified):
    options = {"method": method, "stratified": stratified, "n_resamples": 500}
    score = package.average_precision_interval(LABELS, FIRST, **options, rng=3)
    assert (score.interval.method, score.n_resamples, score.seed) == (method, 500, 3)
    assert len(score.distribution) == 500
    if method == "percentile":
        expected = np.quantile(score.distribution, [0.025, 0.975])
        assert tuple(score.interval) == pytest.approx(tuple(expected))
    again = package.average_precision_interval(LABELS, FIRST, **options, rng=3)
    assert again.interval == score.interval
    other = package.average_precision_interval(LABELS, FIRST, **options, rng=4)
    assert other.interval != score.interval


def test_one_sided_limits_and_other_levels():
    score = package.average_precision_interval(LABELS, FIRST, alternative="greater")
    both = package.average_precision_interval(LABELS, FIRST, confidence_level=0.9)
    assert score.interval.low == pytest.approx(both.interval.low)
    assert score.interval.high == 1
    assert both.at(0.95).interval == package.average_precision_interval(LABELS, FIRST).interval


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
            ("--method", "percentile", "--stratified", "--n-resamples", "99", "--seed", "5"),
            {"method": "percentile", "stratified": True, "n_resamples": 99, "seed": 5},
        ),
        (("--score-columns", "second"), {"score_columns": "second"}),
        (("--baseline", "first"), {"baseline": "first"}),
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
        ("label,a\n1,2\n0,nan\n", (), "labels.csv: row 2: a: score 'nan' is not a number"),
        ("label,a\n1,2\n0,1\n", ("--label-column", "b"), "--label-column must be one of"),
        ("label,a\n1,2\n0,1\n", ("--ties", "trec"), "give --id-column"),
        ("label,a\n1,2\n0,1\n", ("--baseline", "a"), "--baseline needs two classifiers"),
        (
            "label,a,b\n1,2,3\n0,1,2\n",
            ("--baseline", "c"),
            "--baseline must be one of 'a', 'b'; got 'c'",
        ),
        ("label,a\nyes,2\nno,1\n", (), "got 'yes', 'no': --positive LABEL"),
        ("class,a\n1,2\n0,1\n", (), "no column 'label'; found 'class', 'a'; --label-column NAME"),
        (
            "y,target,a\n1,1,2\n0,0,1\n",
            (),
            "each of the columns 'y', 'target' could be the label; --label-column NAME",
        ),
        ("label,a\n1,2\n0,inf\n", (), "row 2: a: score 'inf' is infinite"),
        (
            "label,a,b\n1,2,3\n0,1,2\n",
            ("--score-columns", "c"),
            "--score-columns must be one of 'a', 'b'; got 'c'",
        ),
        (
            "label,a,b\n1,2,3\n0,1,2\n",
            ("--score-columns", "a,a"),
            "--score-columns has 'a' twice",
        ),
        ("", (), "labels.csv: empty"),
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
    assert b"AP: first scores significantly higher than second" in result.stdout + result.stderr
    assert (tmp_path / "f.svg").read_text().startswith("<svg")
    assert "Classifiers on one test set" in (tmp_path / "r.html").read_text()


def test_few_rows_and_ties_have_warnings():
    rng = np.random.default_rng(2)
    labels = np.arange(200) < 5
    (score,) = package.ap({"label": labels, "a": rng.normal(size=200)})[:1]
    assert any("5 positive rows" in warning for warning in score.warnings)
    tied = package.ap({"label": labels, "a": rng.integers(0, 4, 200)})
    assert any("a: 100.0 % of the rows are tied" in warning for warning in tied.warnings)
    one = package.ap({"label": np.arange(200) < 1, "a": rng.normal(size=200)})
    assert math.isnan(one[0].interval.low)
    assert any("one positive row" in warning for warning in one.warnings)
    assert package.ap(ROWS).warnings == ()


@pytest.mark.parametrize(
    ("ties", "words", "has_p"),
    [
        ("threshold", "p is too large", True),
        ("worst", "p is too large", True),
        ("best", "no p-value", False),
        ("expected", "", True),
        ("trec", "", True),
    ],
)
def test_p_value_and_warning_by_the_rule_for_ties(ties, words, has_p):
    rows = {
        "label": np.arange(60) < 12,
        "tied": np.zeros(60),
        "untied": np.arange(60) % 7 + np.arange(60) / 100,
        "id": RNG.permutation(60),
    }
    tied, untied, *_ = results = package.ap(rows, ties=ties)
    assert math.isnan(tied.p_value) is not has_p
    draws = (untied.n_draws, untied.seed) if has_p else (None, None)
    assert (tied.n_draws, tied.seed) == draws
    assert not math.isnan(untied.p_value)
    assert not any(math.isnan(result.p_value) for result in results[2:4])  # ROC AUC
    warnings = [warning for warning in results.warnings if " are tied, " in warning]
    assert len(warnings) == bool(words)
    for warning in warnings:
        assert warning.startswith("tied: 100.0 % of the rows")
        assert words in warning
        assert "--ties expected" in warning
    if ties in ("threshold", "worst"):
        assert tied.p_value > 0.5
    if ties == "best":
        assert tied.p_text == "-"
        with pytest.warns(DegenerateSampleWarning, match="no p-value"):
            package.average_precision_interval(rows["label"], rows["tied"], ties="best")


def test_a_significant_p_value_that_is_too_large_has_no_warning():
    rounded = package.ap({"label": LABELS, "a": np.round(FIRST, 1)})
    assert rounded[0].n_tied
    assert rounded[0].p_value < 0.01
    assert not any("are tied" in warning for warning in rounded.warnings)


def test_functions_take_the_positive_label():
    names = np.where(LABELS, "spam", "ham")
    score = package.average_precision_interval(names, FIRST, positive="spam")
    assert score.interval == package.average_precision_interval(LABELS, FIRST).interval
    assert score.value == package.ap({**ROWS, "label": names}, positive="spam")[0].value
    numbers = np.where(LABELS, 2, np.where(FIRST > 0, 1, 3))
    same = package.average_precision_difference(numbers, FIRST, SECOND, positive=2)
    assert same.value == package.average_precision_difference(LABELS, FIRST, SECOND).value
    with pytest.raises(InputError, match="all 300 labels of 'y_true' are negative"):
        package.average_precision_interval(names, FIRST, positive="Spam")
    with pytest.raises(InputError, match="in Python positive=LABEL"):
        package.average_precision_interval(names, FIRST)


def test_interval_and_test_of_a_difference_are_about_its_value_without_bias():
    difference = package.average_precision_difference(LABELS, FIRST, SECOND)
    low, high = difference.interval
    center, error = (low + high) / 2, difference.standard_error
    assert abs(center - difference.value) > 1e-4
    t = abs(center) / error
    degrees = difference.limits.degrees_of_freedom
    assert difference.p_value == pytest.approx(2 * stats.t.sf(t, degrees))


def test_command_notes_which_columns_are_labels_and_ids(irbounds, tmp_path):
    (tmp_path / "labels.csv").write_text(",y,a,id\n5,1,0.4,7\n6,0,0.3,8\n7,0,0.2,9\n")
    result = irbounds("ap", "labels.csv")
    text = (result.stdout + result.stderr).decode()
    assert "labels.csv: labels are in column 'y'" in text
    assert "labels.csv: ids of rows, not scores: the column without a name, 'id'" in text
    assert "classifiers 1" in text


def test_functions_warn_where_intervals_are_doubtful():
    rng = np.random.default_rng(3)
    scores = rng.normal(size=50)
    with pytest.warns(DegenerateSampleWarning, match="5 positive rows"):
        package.average_precision_interval(np.arange(50) < 5, scores)
    with pytest.warns(DegenerateSampleWarning, match="one negative row"):
        one = package.average_precision_interval(np.arange(50) > 0, scores)
    assert math.isnan(one.interval.high)
    with pytest.warns(DegenerateSampleWarning, match="order the rows alike"):
        same = package.average_precision_difference(LABELS, FIRST, np.exp(FIRST))
    assert same.value == 0
    assert math.isnan(same.p_value)
    with pytest.warns(DegenerateSampleWarning, match="at a bound"):
        package.average_precision_interval(LABELS, LABELS + FIRST / 100, method="logit-t")


def test_ties_by_id_need_ids():
    rows = {"label": [1, 0, 0], "s": [1, 1, 0], "id": ["a", "b", "c"]}
    assert package.ap(rows, ties="trec")[0].value == 0.5
    rows["id"] = ["b", "a", "c"]
    assert package.ap(rows, ties="trec")[0].value == 1
    del rows["id"]
    with pytest.raises(ParameterError, match="id_column"):
        package.ap(rows, ties="trec")
    with pytest.raises(ParameterError, match="irbounds\\.ap"):
        package.average_precision_interval(LABELS, FIRST, ties="trec")


def test_errors():
    with pytest.raises(ParameterError, match="baseline must be one of 'first', 'second'"):
        package.ap(ROWS, baseline="third")
    with pytest.raises(ParameterError, match="baseline needs two classifiers"):
        package.ap(ROWS, score_columns="first", baseline="first")
    with pytest.raises(InputError, match="both classes"):
        package.average_precision_interval([1, 1], [0.1, 0.2])
    with pytest.raises(ParameterError, match="confidence_level"):
        package.average_precision_interval(LABELS, FIRST, confidence_level=95)


def test_shows_itself():
    results = package.ap(ROWS)
    text = str(results)
    assert "first scores significantly higher than second" in text
    assert "chance" in text
    assert results.to_polars().height == 6
    assert "<table" in results.to_html()
    assert results.plot().to_dict()
    single = package.average_precision_interval(LABELS, FIRST)
    assert single.records()[0]["value"] == single.value
    assert single.plot().to_dict()
