"""Tests of ``difference_interval``: results, errors and reproducibility."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import irbounds
from extreme_scores import EXTREMES
from irbounds import difference_interval
from irbounds.comparisons import differences
from irbounds.comparisons import pairs as pairs_module
from irbounds.scores.score_table import ScoreTable

SCORES = np.random.default_rng(21).beta(0.6, 2, size=(4, 35)) + np.array([[0.3, 0, 0.1, 0.2]]).T
METHODS = ["student-t", "percentile", "bca", "studentised-logit"]


def numbers(comparisons):
    return [
        (c.value, c.interval.low, c.interval.high, c.p_value, c.adjusted_p_value)
        for c in comparisons
    ]


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_student_t_difference_matches_scipy(table, alternative):
    comparisons = difference_interval(
        table(SCORES), baseline="s1", alternative=alternative, test="t", confidence_level=0.9
    )
    assert [(c.system, c.baseline, c.n) for c in comparisons] == [
        (s, "s1", 35) for s in ("s0", "s2", "s3")
    ]
    for comparison, place in zip(comparisons, (0, 2, 3), strict=True):
        expected = stats.ttest_rel(SCORES[place], SCORES[1], alternative=alternative)
        low, high = expected.confidence_interval(0.9)
        assert (comparison.interval.low, comparison.interval.high) == pytest.approx(
            (low, high), rel=1e-9
        )
        assert comparison.p_value == pytest.approx(expected.pvalue, rel=1e-9)
        difference = SCORES[place] - SCORES[1]
        assert comparison.effect_size == pytest.approx(difference.mean() / difference.std(ddof=1))
        assert comparison.standard_error == pytest.approx(stats.sem(difference))
        assert (comparison.alternative, comparison.interval.alternative) == (
            alternative,
            alternative,
        )
        assert (comparison.seed, comparison.n_resamples) == (None, None)


def test_difference_interval_of_all_pairs_with_defaults(table):
    comparisons = difference_interval(table(np.array([SCORES, 1 - SCORES[::-1] / 2])), rng=5)
    assert len(comparisons) == 12
    assert all(c.value >= 0 for c in comparisons)
    assert {c.n_comparisons for c in comparisons} == {6}
    assert [(c.system, c.baseline) for c in comparisons[:3]] == [
        ("s0", "s3"),
        ("s0", "s2"),
        ("s0", "s1"),
    ]
    for family in (comparisons[:6], comparisons[6:]):  # each measure is a family of its own
        ordered = sorted(c.p_value for c in family)
        least = min(c.adjusted_p_value for c in family)
        assert least == pytest.approx(min(6 * ordered[0], 1))
    assert {(c.test, c.adjustment, c.seed) for c in comparisons} == {("t", "holm", None)}
    assert all(c.adjusted_p_low <= c.adjusted_p_value <= c.adjusted_p_high for c in comparisons)


@pytest.mark.parametrize("method", METHODS)
def test_difference_intervals_match_mean_intervals(table, method):
    comparisons = difference_interval(
        table(SCORES, measures=("other",)),
        baseline="s1",
        method=method,
        n_resamples=500,
        rng=3,
        bounds=(0, 1.5),
        test="t",
    )
    for comparison, place in zip(comparisons, (0, 2, 3), strict=True):
        difference = SCORES[place] - SCORES[1]
        (expected,) = irbounds.mean_interval(
            difference, method=method, n_resamples=500, rng=3, bounds=(-1.5, 1.5)
        )
        assert (comparison.interval.low, comparison.interval.high) == pytest.approx(
            (expected.interval.low, expected.interval.high), rel=1e-9
        )
        assert comparison.interval.method == method
        assert comparison.at(0.5).interval.low > comparison.interval.low
        assert comparison.seed == (None if method == "student-t" else 3)


def test_difference_interval_is_reproducible(table):
    options = {"method": "bca", "n_resamples": 300}
    once = difference_interval(table(SCORES), rng=8, **options)
    assert numbers(difference_interval(table(SCORES), rng=8, **options)) == numbers(once)
    other = difference_interval(table(SCORES), rng=9, **options)
    assert numbers(other) != numbers(once)
    # and the seed that is remembered draws the same again
    unknown = difference_interval(table(SCORES), **options)
    again = difference_interval(table(SCORES), rng=unknown[0].seed, **options)
    assert numbers(again) == numbers(unknown)


def test_chunks_of_pairs_do_not_change_comparisons(table, monkeypatch):
    options = {"method": "bca", "n_resamples": 300, "rng": 1}
    expected = difference_interval(table(SCORES), **options)
    monkeypatch.setattr(pairs_module, "CHUNK", 2 * 2 * 300)  # two pairs at a time
    calls = []
    comparisons = difference_interval(
        table(SCORES), **options, progress=lambda *done: calls.append(done)
    )
    assert numbers(comparisons) == numbers(expected)
    in_chunk = [64, 128, 192, 256, 300]
    reports = [(chunk * 300 + done, 900) for chunk in range(3) for done in in_chunk]
    assert calls[:15] == reports  # 3 chunks of 5 units


def test_too_many_comparisons_are_refused_before_pairing(monkeypatch):
    monkeypatch.setattr(differences, "pair_systems", lambda *_: pytest.fail("pairs were made"))
    names = tuple(map(str, range(3_000)))
    many = ScoreTable(("AP",), names, ("1", "2"), np.zeros((1, 3_000, 2)))
    message = "4,498,500 comparisons of 3,000 systems, .* with a baseline"
    with pytest.raises(irbounds.errors.ParameterError, match=message):
        difference_interval(many)
    monkeypatch.undo()
    assert len(pairs_module.pair_systems(many, "7")[0]) == 2_999


def test_progress_of_many_pairs(table, monkeypatch):
    """Estimates and tests of 780 pairs of 40 systems, reported every 100."""
    monkeypatch.setattr(differences, "PAIRS", 100)
    monkeypatch.setattr(pairs_module, "CHUNK", 100 * 40)
    monkeypatch.setattr(differences, "CHUNK", 100 * 40)
    calls = []
    scores = np.random.default_rng(1).random((40, 40))
    systems = tuple(map(str, range(40)))
    options = {"adjustment": "none"}
    comparisons = difference_interval(
        table(scores, systems=systems), progress=lambda *done: calls.append(done), **options
    )
    tests = ((min(k, 780), 780) for k in range(100, 880, 100))
    assert calls == [*((k, 8) for k in range(1, 9)), *tests]
    monkeypatch.undo()
    assert numbers(comparisons) == numbers(
        difference_interval(table(scores, systems=systems), **options)
    )


@pytest.mark.parametrize("method", ["student-t", "bca"])
@pytest.mark.parametrize("test", ["t", "sign-flip", "wilcoxon"])
def test_constant_differences_have_no_interval(table, method, test):
    scores = np.array([[0.1, 0.2, 0.3, 0.7], [0.1, 0.2, 0.3, 0.7], [0.2, 0.3, 0.4, 0.8]])
    with pytest.warns(irbounds.errors.DegenerateSampleWarning) as caught:
        comparisons = difference_interval(
            table(scores, systems=("same", "base", "more")),
            baseline="base",
            method=method,
            test=test,
            n_resamples=99,
            rng=1,
        )
    same, more = comparisons
    assert [str(warning.message) for warning in caught] == [
        "same minus base, AP: no interval, all 4 differences are 0",
        "more minus base, AP: no interval, all 4 differences are 0.1",
    ]
    assert np.isnan([c.interval.low for c in comparisons]).all()
    assert np.isnan([c.effect_size for c in comparisons]).all()
    assert (same.value, same.p_value) == (0.0, 1.0)
    assert more.value == pytest.approx(0.1)
    expected = {"sign-flip": 2 / 2**4, "wilcoxon": 2 / 2**4}.get(test, np.nan)
    assert more.p_value == pytest.approx(expected, nan_ok=True)
    # what has no p-value is not counted in the family
    expected = {"sign-flip": 4 / 2**4, "wilcoxon": 4 / 2**4}.get(test, np.nan)
    assert more.adjusted_p_value == pytest.approx(expected, nan_ok=True)
    assert same.adjusted_p_value == 1.0


def test_one_query_has_no_difference_interval(table):
    with pytest.warns(
        irbounds.errors.DegenerateSampleWarning, match="a single query has no spread"
    ):
        (comparison,) = difference_interval(table([[0.3], [0.1]]))
    assert comparison.n == 1
    assert np.isnan([comparison.interval.low, comparison.p_value]).all()
    with pytest.warns(irbounds.errors.DegenerateSampleWarning):
        (comparison,) = difference_interval(table([[0.3], [0.1]]), test="sign-flip")
    assert (comparison.p_value, comparison.adjusted_p_value) == (1.0, 1.0)


def test_scale_of_one_system_does_not_change_another_pair(table):
    scores = np.array([SCORES[0], SCORES[1], SCORES[2] * 1e12])
    alone = difference_interval(table(scores[:2]), rng=1)[0]
    for comparison in difference_interval(table(scores), rng=1, adjustment="none"):
        if {comparison.system, comparison.baseline} == {"s0", "s1"}:
            assert (comparison.value, comparison.p_value) == (alone.value, alone.p_value)


def test_pairs_without_p_value_are_not_counted(table):
    scores = np.array([SCORES[0], SCORES[0] + 0.125, SCORES[1]])
    with pytest.warns(irbounds.errors.DegenerateSampleWarning, match="all 35 differences are"):
        comparisons = difference_interval(table(scores), baseline="s0", test="t")
    assert [c.n_comparisons for c in comparisons] == [1, 1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "normal"}, r"method must be one of 'student-t', .*; got 'normal'"),
        ({"method": "magic"}, r"method must be one of 'student-t', .*; got 'magic'"),
        ({"method": None}, r"method must be one of .*; got None"),
        ({"test": "z"}, r"test must be one of 't', 'sign-flip', 'wilcoxon'; got 'z'"),
        ({"adjustment": "bonferroni"}, r"adjustment must be one of 'holm', .*; got 'bonferroni'"),
        ({"confidence_level": 95}, r"confidence_level .*; got 95, did you mean 0.95\?"),
        ({"n_resamples": 0}, "n_resamples must be an integer of at least 1; got 0"),
        ({"rng": -1}, "rng must be an integer of at least 0"),
        ({"bounds": (1, 0)}, "bounds must be two numbers, the lower one first"),
        ({"baseline": "nobody"}, r"baseline must be one of 's0', .*; got 'nobody'"),
        ({"alternative": "more"}, r"alternative must be one of .*; got 'more'"),
        ({"alternative": "less"}, "alternative 'less' needs a baseline: without one the scores"),
        (
            {"method": "studentised-logit", "bounds": (0, 0.5)},
            r"bounds -0.5 to 0.5 must include every score; s\d minus s\d, AP has",
        ),
    ],
)
def test_difference_interval_parameter_errors(table, options, message):
    with pytest.raises(irbounds.errors.ParameterError, match=message):
        difference_interval(table(SCORES), **options)


def test_unknown_bounds_are_an_error(table):
    with pytest.raises(irbounds.errors.ParameterError, match="not known for 'other'"):
        difference_interval(table(SCORES, measures=("other",)), method="studentised-logit")


def test_difference_interval_takes_the_inputs_of_read_scores(table):
    frame = pd.DataFrame(SCORES.T, columns=["s0", "s1", "s2", "s3"])
    comparisons = difference_interval({"AP": frame}, test="t")
    assert numbers(comparisons) == numbers(difference_interval(table(SCORES), test="t"))
    with pytest.raises(
        irbounds.errors.ParameterError, match="needs at least two systems; got 'system'"
    ):
        difference_interval([0.1, 0.2, 0.3])


def test_difference_interval_of_real_scores(data_directory):
    scores = irbounds.read_scores(data_directory / "scores" / "robust2004_ap.csv", measure="AP")
    with pytest.warns(irbounds.errors.DegenerateSampleWarning):
        comparisons = difference_interval(scores, test="sign-flip")
    assert len(comparisons) == 5995
    with pytest.warns(irbounds.errors.DegenerateSampleWarning, match="sys67 minus sys69"):
        by_t = difference_interval(scores, test="t")
    for comparison in by_t[::500]:
        x, y = scores.scores("AP", comparison.system), scores.scores("AP", comparison.baseline)
        expected = stats.ttest_rel(x, y)
        assert comparison.p_value == pytest.approx(expected.pvalue, rel=1e-8)
        assert comparison.interval.low == pytest.approx(
            expected.confidence_interval().low, rel=1e-8
        )
    # Smucker, Allan and Carterette (2007): randomisation and t tests agree on retrieval scores
    p = np.array(
        [
            [comparison.p_value, other.p_value]
            for comparison, other in zip(comparisons, by_t, strict=True)
        ]
    )
    assert np.abs(p[:, 0] - p[:, 1]).mean() < 0.001
    assert ((p[:, 0] < 0.05) == (p[:, 1] < 0.05)).mean() > 0.99


@pytest.mark.parametrize("n", [1, 2, 12])
@pytest.mark.parametrize("case", EXTREMES)
def test_extreme_scores_have_ordered_limits_or_a_warning(case, n):
    others = [np.zeros(n), EXTREMES[case][::-1][:n]]
    scores = np.array([EXTREMES[case][:n], *others])[None]
    table = irbounds.ScoreTable(("m",), tuple("abc"), tuple(map(str, range(n))), scores)
    for method, test, adjustment in (
        ("student-t", "t", "holm"),
        ("percentile", "sign-flip", "holm"),
        ("bca", "wilcoxon", "benjamini-hochberg"),
    ):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            comparisons = difference_interval(
                table,
                method=method,
                test=test,
                adjustment=adjustment,
                n_resamples=9,
                rng=1,
            )
        assert {warning.category for warning in caught} <= {irbounds.errors.DegenerateSampleWarning}
        for row in comparisons:
            assert abs(row.value) <= 2e250
            assert caught or row.interval.low <= row.interval.high
            assert caught or 0 < row.p_value <= 1
            assert caught or 0 < row.adjusted_p_value <= 1
            assert caught or np.isfinite(row.effect_size)


def test_tiny_differences_have_the_p_value_of_large_ones():
    scores = np.random.default_rng(4).integers(1, 9, (2, 12)).astype(float)
    names = ("m",), ("a", "b"), tuple(map(str, range(12)))
    plain, tiny = (
        difference_interval(irbounds.ScoreTable(*names, scores[None] * scale))[0]
        for scale in (1.0, 2.0**-1070)
    )
    assert tiny.p_value == plain.p_value < 1
