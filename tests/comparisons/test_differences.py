"""``difference_interval``: what it gives, what it refuses, and the same again."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import irbounds
from extreme_scores import EXTREMES
from irbounds import difference_interval
from irbounds.comparisons import differences, sign_flip
from irbounds.comparisons import pairs as pairs_module
from irbounds.intervals.power import detectable_difference
from irbounds.planning.queries import plan_queries
from irbounds.scores.score_table import ScoreTable

SCORES = np.random.default_rng(21).beta(0.6, 2, size=(4, 35)) + np.array([[0.3, 0, 0.1, 0.2]]).T
METHODS = ["student-t", "percentile", "basic", "bca", "studentised", "studentised-logit"]


def numbers(comparisons):
    return [
        (c.value, c.interval.low, c.interval.high, c.p_value, c.adjusted_p_value)
        for c in comparisons
    ]


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_student_t_is_equal_to_scipy(table, alternative):
    found = difference_interval(
        table(SCORES), baseline="s1", alternative=alternative, test="t", confidence_level=0.9
    )
    assert [(c.system, c.baseline, c.n) for c in found] == [
        (s, "s1", 35) for s in ("s0", "s2", "s3")
    ]
    for one, place in zip(found, (0, 2, 3), strict=True):
        expected = stats.ttest_rel(SCORES[place], SCORES[1], alternative=alternative)
        low, high = expected.confidence_interval(0.9)
        assert (one.interval.low, one.interval.high) == pytest.approx((low, high), rel=1e-9)
        assert one.p_value == pytest.approx(expected.pvalue, rel=1e-9)
        difference = SCORES[place] - SCORES[1]
        assert one.effect_size == pytest.approx(difference.mean() / difference.std(ddof=1))
        assert one.standard_error == pytest.approx(stats.sem(difference))
        assert one.detectable_difference == pytest.approx(
            detectable_difference(difference.std(ddof=1), 35, 0.9, 0.8, alternative)
        )
        assert (one.alternative, one.interval.alternative) == (alternative, alternative)
        assert (one.seed, one.n_resamples, one.n_draws) == (None, None, None)


def test_all_pairs_with_defaults(table):
    found = difference_interval(table(np.array([SCORES, 1 - SCORES[::-1] / 2])), rng=5)
    assert len(found) == 12
    assert all(c.value >= 0 for c in found)
    assert {c.n_comparisons for c in found} == {6}
    assert [(c.system, c.baseline) for c in found[:3]] == [("s0", "s3"), ("s0", "s2"), ("s0", "s1")]
    for family in (found[:6], found[6:]):  # each measure is a family of its own
        ordered = sorted(c.p_value for c in family)
        least = min(c.adjusted_p_value for c in family)
        assert least == pytest.approx(min(6 * ordered[0], 1))
    assert {(c.test, c.adjustment, c.seed, c.n_draws) for c in found} == {
        ("sign-flip", "holm", 5, 9999)
    }


@pytest.mark.parametrize("method", METHODS)
def test_intervals_are_those_of_the_mean_of_differences(table, method):
    found = difference_interval(
        table(SCORES, measures=("other",)),
        baseline="s1",
        method=method,
        n_resamples=500,
        rng=3,
        bounds=(0, 1.5),
        test="t",
    )
    for one, place in zip(found, (0, 2, 3), strict=True):
        difference = SCORES[place] - SCORES[1]
        (expected,) = irbounds.mean_interval(
            difference, method=method, n_resamples=500, rng=3, bounds=(-1.5, 1.5)
        )
        assert (one.interval.low, one.interval.high) == pytest.approx(
            (expected.interval.low, expected.interval.high), rel=1e-9
        )
        assert one.interval.method == method
        assert one.at(0.5).interval.low > one.interval.low
        drawn = method != "student-t"
        assert (one.distribution is not None, one.seed) == (drawn, 3 if drawn else None)


@pytest.mark.parametrize("test", ["sign-flip", "bootstrap"])
@pytest.mark.parametrize("adjustment", ["holm", "benjamini-hochberg", "max-statistic", "none"])
def test_the_same_seed_gives_the_same_numbers(table, test, adjustment):
    wanted = {"method": "bca", "n_resamples": 300, "test": test, "adjustment": adjustment}
    once = difference_interval(table(SCORES), rng=8, **wanted)
    assert numbers(difference_interval(table(SCORES), rng=8, **wanted)) == numbers(once)
    other = difference_interval(table(SCORES), rng=9, **wanted)
    assert [c.p_value for c in other] != [c.p_value for c in once]
    # and the seed that is remembered draws the same again
    unknown = difference_interval(table(SCORES), **wanted)
    again = difference_interval(table(SCORES), rng=unknown[0].seed, **wanted)
    assert numbers(again) == numbers(unknown)


def test_chunks_change_nothing(table, monkeypatch):
    expected = difference_interval(table(SCORES), method="bca", n_resamples=300, rng=1)
    monkeypatch.setattr(pairs_module, "CHUNK", 2 * 4 * 300)  # two pairs at a time
    calls = []
    found = difference_interval(
        table(SCORES),
        method="bca",
        n_resamples=300,
        rng=1,
        progress=lambda *done: calls.append(done),
    )
    assert numbers(found) == numbers(expected)
    in_chunk = [64, 128, 192, 256, 300]
    told = [(chunk * 300 + done, 900) for chunk in range(3) for done in in_chunk]
    assert calls[:15] == told  # 3 chunks of 5 units, then the test
    assert calls[-1] == (300, 300)


@pytest.fixture
def may_take(monkeypatch):
    """Set how many bytes a call may take; every byte counts."""

    def set_limit(n_bytes: int) -> None:
        monkeypatch.setattr("irbounds.parallel.memory.NEGLIGIBLE", 0)
        for module in ("parallel.memory", "comparisons.differences"):
            monkeypatch.setattr(f"irbounds.{module}.remaining_memory", lambda: n_bytes)

    return set_limit


def test_too_much_memory_is_refused_with_what_to_lower(table, may_take, monkeypatch):
    monkeypatch.setattr(differences, "COMPARISON_BYTES", 1)
    may_take(48_000)
    with pytest.raises(
        irbounds.errors.ParameterError,
        match=r"^method 'bca': 501 resamples for 12 comparisons: at least 47 KiB of memory, and "
        r"47 KiB may be taken; take at most 500 resamples, fewer systems or measures, or a "
        r"baseline, or method='student-t', or .*--memory .*irbounds\.execution\(memory=",
    ):
        difference_interval(table([SCORES, SCORES]), method="bca", n_resamples=501)
    with pytest.raises(
        irbounds.errors.ParameterError, match=r"sign-flip.* systems.* at most 1,500 "
    ):
        difference_interval(table(SCORES), n_resamples=1501)
    with pytest.raises(
        irbounds.errors.ParameterError, match=r"'bootstrap'.* 2 rows.* at most 3,000 "
    ):
        difference_interval(table(SCORES), n_resamples=3001, test="bootstrap")
    with pytest.raises(
        irbounds.errors.ParameterError, match=r"'max-statistic'.* 1 row.* at most 6,000 "
    ):
        difference_interval(table(SCORES), n_resamples=6001, test="t", adjustment="max-statistic")
    assert difference_interval(table(SCORES), n_resamples=6001, test="t")  # draws nothing


def test_a_bootstrap_of_129_systems_may_take_what_the_machine_has(monkeypatch):
    """8,256 comparisons of 9,999 resamples are 630 MiB; an ordinary machine has 4 GiB."""
    monkeypatch.setattr("irbounds.parallel.memory.machine_memory", lambda: 4 << 30)
    monkeypatch.setattr("irbounds.parallel.memory.resident_memory", lambda: 0)
    monkeypatch.setattr(differences, "compare_family", lambda *_, **__: iter(()))
    scores = np.random.default_rng(1).random((1, 129, 40))
    names = tuple(map(str, range(129))), tuple(map(str, range(40)))
    many = ScoreTable(("AP",), *names, scores)
    assert difference_interval(many, method="bca") == ()
    with (
        irbounds.execution(memory="800MiB"),
        pytest.raises(
            irbounds.errors.ParameterError, match=r"bca.*8,256 comparisons.* at least 630 MiB"
        ),
    ):
        difference_interval(many, method="bca")


@pytest.mark.parametrize(
    ("n_systems", "said"),
    [
        (3_000, "4,498,500 comparisons of 3,000 systems: at least 10 GiB"),
        (100_000, "4,999,950,000 comparisons of 100,000 systems: at least 11,"),
    ],
)
def test_all_pairs_are_counted_before_they_are_made(monkeypatch, n_systems, said):
    monkeypatch.setattr("irbounds.parallel.memory.machine_memory", lambda: 8 << 30)
    monkeypatch.setattr(differences, "pair_systems", lambda *_: pytest.fail("pairs were made"))
    names = tuple(map(str, range(n_systems)))
    many = ScoreTable(("AP",), names, ("1", "2"), np.zeros((1, n_systems, 2)))
    with pytest.raises(irbounds.errors.ParameterError, match=f"{said}.*with a baseline.*--memory"):
        difference_interval(many)
    with pytest.raises(irbounds.errors.ParameterError, match=r"comparisons of .* with a baseline"):
        plan_queries_of_many(many)
    monkeypatch.undo()
    assert len(pairs_module.pair_systems(many, "7")[0]) == n_systems - 1  # which is few


def plan_queries_of_many(table):
    """Pairs of arrays of numbers take less, and too much all the same."""
    with irbounds.execution(memory="300MiB"):
        return plan_queries(table)


@pytest.mark.parametrize("test", ["t", "sign-flip"])
def test_progress_of_many_pairs(table, monkeypatch, test):
    """Estimates, tests and results of 780 pairs of 40 systems, reported every 100."""
    monkeypatch.setattr(differences, "AT_ONCE", 100)
    monkeypatch.setattr(sign_flip, "AT_ONCE", 100)
    monkeypatch.setattr(pairs_module, "CHUNK", 100 * 40)
    monkeypatch.setattr(differences, "CHUNK", 100 * 40)
    calls = []
    scores = np.random.default_rng(1).random((40, 40))
    systems = tuple(map(str, range(40)))
    wanted = {"test": test, "rng": 1, "n_resamples": 100, "adjustment": "none"}
    found = difference_interval(
        table(scores, systems=systems), progress=lambda *done: calls.append(done), **wanted
    )
    in_steps = [(k, 780) for k in (*range(100, 780, 100), 780)]
    assert calls[:8] == in_steps
    assert calls[-7:] == in_steps[:-1]
    if test == "sign-flip":
        assert calls[8:-7] == [(64, 100), (100, 100), *in_steps[:-1]]
    monkeypatch.undo()
    assert numbers(found) == numbers(difference_interval(table(scores, systems=systems), **wanted))


def test_distributions_are_kept_where_they_are_few(table, monkeypatch):
    wanted = {"method": "percentile", "n_resamples": 100, "test": "t", "rng": 1}
    kept = difference_interval(table(SCORES), **wanted)
    assert {c.distribution.shape for c in kept} == {(100,)}
    assert kept[0].distribution.mean() == pytest.approx(kept[0].value, abs=0.05)
    monkeypatch.setattr(differences, "MAX_COPIED", 599)
    without = difference_interval(table(SCORES), **wanted)
    assert {c.distribution for c in without} == {None}
    assert numbers(without) == numbers(kept)
    assert without[0].at(0.5).interval.low == kept[0].at(0.5).interval.low


@pytest.mark.parametrize("method", ["student-t", "bca", "studentised"])
@pytest.mark.parametrize("test", ["t", "sign-flip", "wilcoxon", "bootstrap"])
def test_constant_differences(table, method, test):
    scores = np.array([[0.1, 0.2, 0.3, 0.7], [0.1, 0.2, 0.3, 0.7], [0.2, 0.3, 0.4, 0.8]])
    with pytest.warns(irbounds.errors.DegenerateSampleWarning) as caught:
        found = difference_interval(
            table(scores, systems=("same", "base", "more")),
            baseline="base",
            method=method,
            test=test,
            n_resamples=99,
            rng=1,
        )
    same, more = found
    assert [str(one.message) for one in caught] == [
        "same minus base, AP: no interval, all 4 differences are 0",
        "more minus base, AP: no interval, all 4 differences are 0.1",
    ]
    assert np.isnan([c.interval.low for c in found]).all()
    assert np.isnan([c.effect_size for c in found]).all()
    assert np.isnan([c.detectable_difference for c in found]).all()
    assert (same.value, same.p_value) == (0.0, 1.0)
    assert more.value == pytest.approx(0.1)
    expected = {"sign-flip": 2 / 2**4, "wilcoxon": 2 / 2**4}.get(test, np.nan)
    assert more.p_value == pytest.approx(expected, nan_ok=True)
    # what has no p-value is not counted in the family
    expected = {"sign-flip": 4 / 2**4, "wilcoxon": 4 / 2**4}.get(test, np.nan)
    assert more.adjusted_p_value == pytest.approx(expected, nan_ok=True)
    assert same.adjusted_p_value == 1.0


def test_one_query_allows_no_interval(table):
    with pytest.warns(
        irbounds.errors.DegenerateSampleWarning, match="a single query has no spread"
    ):
        (found,) = difference_interval(table([[0.3], [0.1]]))
    assert (found.n, found.p_value, found.adjusted_p_value) == (1, 1.0, 1.0)
    assert np.isnan(found.interval.low)


def test_one_systems_scale_does_not_touch_another_pair(table):
    scores = np.array([SCORES[0], SCORES[1], SCORES[2] * 1e12])
    alone = difference_interval(table(scores[:2]), rng=1)[0]
    for one in difference_interval(table(scores), rng=1, adjustment="none"):
        if {one.system, one.baseline} == {"s0", "s1"}:
            assert (one.value, one.p_value) == (alone.value, alone.p_value)


def test_what_has_no_p_value_is_not_counted(table):
    scores = np.array([SCORES[0], SCORES[0] + 0.125, SCORES[1]])
    with pytest.warns(irbounds.errors.DegenerateSampleWarning, match="all 35 differences are"):
        found = difference_interval(table(scores), baseline="s0", test="t")
    assert [c.n_comparisons for c in found] == [1, 1]


def test_too_few_draws_for_a_max_statistic_are_said(table):
    with pytest.warns(
        irbounds.errors.DegenerateSampleWarning, match="n_resamples must be at least 19"
    ):
        difference_interval(
            table(SCORES), test="t", adjustment="max-statistic", n_resamples=10, rng=1
        )


def test_too_few_draws_for_the_family_are_said(table):
    rng = np.random.default_rng(1)
    scores = np.arange(8)[:, None] + rng.normal(0, 0.1, (8, 40))
    message = (
        r"AP: 99 draws are too few for 28 of 28 comparisons: .* above 0.05 when adjusted; "
        r"use n_resamples of 560, test 't' or adjustment 'max-statistic'"
    )
    for adjustment in ("holm", "benjamini-hochberg"):
        wanted = {"n_resamples": 99, "rng": 1, "adjustment": adjustment}
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            difference_interval(table(scores), **wanted)
        # all p-values at the least: Benjamini and Hochberg's adjustment leaves them there
        assert bool(caught) == (adjustment == "holm")
    with pytest.warns(irbounds.errors.DegenerateSampleWarning, match=message):
        difference_interval(table(scores), n_resamples=99, rng=1)
    # by default there are enough for the adjustment
    many = difference_interval(table(scores), rng=1, confidence_level=0.999)
    assert {(c.n_draws, c.n_resamples) for c in many} == {(28_000, None)}
    assert max(c.adjusted_p_value for c in many) <= 0.001
    (first, *_) = difference_interval(table(scores), rng=1, method="percentile")
    assert (first.n_draws, first.n_resamples) == (9_999, 9_999)
    (first, *_) = difference_interval(
        table(scores), rng=1, method="percentile", confidence_level=0.999
    )
    assert (first.n_draws, first.n_resamples) == (28_000, 9_999)
    # and nothing is said where there are enough
    assert (
        max(c.adjusted_p_value for c in difference_interval(table(scores), n_resamples=560)) < 0.05
    )
    for wanted in ({"test": "t"}, {"adjustment": "max-statistic"}, {"adjustment": "none"}):
        assert difference_interval(table(scores), n_resamples=99, **wanted)[0].p_value < 0.05


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        (
            {"method": "normal"},
            "'normal' needs a known standard deviation, and that of differences",
        ),
        ({"method": "magic"}, r"method must be one of 'student-t', .*; got 'magic'"),
        ({"method": None}, r"method must be one of .*; got None"),
        ({"test": "z"}, r"test must be one of 't', 'sign-flip', 'wilcoxon', 'bootstrap'; got 'z'"),
        ({"adjustment": "bonferroni"}, r"adjustment must be one of 'holm', .*; got 'bonferroni'"),
        ({"power": 80}, r"power must be a fraction between 0 and 1; got 80, did you mean 0.8\?"),
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
def test_what_cannot_be_is_said(table, wanted, message):
    with pytest.raises(irbounds.errors.ParameterError, match=message):
        difference_interval(table(SCORES), **wanted)


def test_unknown_bounds_are_asked_for(table):
    with pytest.raises(irbounds.errors.ParameterError, match="not known for 'other'"):
        difference_interval(table(SCORES, measures=("other",)), method="studentised-logit")


def test_anything_that_read_scores_takes(table):
    frame = pd.DataFrame(SCORES.T, columns=["s0", "s1", "s2", "s3"])
    found = difference_interval({"AP": frame}, test="t")
    assert numbers(found) == numbers(difference_interval(table(SCORES), test="t"))
    with pytest.raises(
        irbounds.errors.ParameterError, match="needs at least two systems; got 'system'"
    ):
        difference_interval([0.1, 0.2, 0.3])


def test_real_scores(data_folder):
    scores = irbounds.read_scores(data_folder / "scores" / "robust2004_ap.csv", measure="AP")
    with pytest.warns(irbounds.errors.DegenerateSampleWarning):
        found = difference_interval(scores, rng=0, n_resamples=120_000)
    assert len(found) == 5995
    with pytest.warns(irbounds.errors.DegenerateSampleWarning, match="sys67 minus sys69"):
        by_t = difference_interval(scores, test="t")
    for one in by_t[::500]:
        x, y = scores.scores("AP", one.system), scores.scores("AP", one.baseline)
        expected = stats.ttest_rel(x, y)
        assert one.p_value == pytest.approx(expected.pvalue, rel=1e-8)
        assert one.interval.low == pytest.approx(expected.confidence_interval().low, rel=1e-8)
    # Smucker, Allan and Carterette (2007): randomisation and t tests agree on retrieval scores
    p = np.array([[one.p_value, other.p_value] for one, other in zip(found, by_t, strict=True)])
    assert np.abs(p[:, 0] - p[:, 1]).mean() < 0.001
    assert ((p[:, 0] < 0.05) == (p[:, 1] < 0.05)).mean() > 0.99


@pytest.mark.parametrize("n", [1, 2, 12])
@pytest.mark.parametrize("case", EXTREMES)
def test_extreme_scores_have_numbers_in_order_or_a_warning(case, n):
    others = [np.zeros(n), EXTREMES[case][::-1][:n]]
    scores = np.array([EXTREMES[case][:n], *others])[None]
    table = irbounds.ScoreTable(("m",), tuple("abc"), tuple(map(str, range(n))), scores)
    for method, test, adjustment in (
        ("student-t", "t", "holm"),
        ("percentile", "sign-flip", "max-statistic"),
        ("basic", "wilcoxon", "none"),
        ("bca", "bootstrap", "benjamini-hochberg"),
        ("studentised", "t", "max-statistic"),
    ):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            found = difference_interval(
                table, method=method, test=test, adjustment=adjustment, n_resamples=9, rng=1
            )
        assert {one.category for one in said} <= {irbounds.errors.DegenerateSampleWarning}
        for row in found:
            assert abs(row.value) <= 2e250
            assert said or row.interval.low <= row.interval.high
            assert said or 0 < row.p_value <= 1
            assert said or 0 < row.adjusted_p_value <= 1
            assert said or np.isfinite([row.effect_size, row.detectable_difference]).all()


def test_tiny_differences_have_the_p_value_of_large_ones():
    rng = np.random.default_rng(4)
    scores = rng.integers(1, 9, (2, 12)).astype(float)
    names = ("m",), ("a", "b"), tuple(map(str, range(12)))
    for test in ("t", "bootstrap"):
        plain, tiny = (
            difference_interval(
                irbounds.ScoreTable(*names, scores[None] * scale),
                test=test,
                method="percentile",
                n_resamples=99,
                rng=1,
            )[0]
            for scale in (1.0, 2.0**-1070)
        )
        assert tiny.p_value == plain.p_value < 1


def test_a_level_near_1_draws_no_more_signs_than_seconds_allow(monkeypatch):
    monkeypatch.setattr(differences, "MAX_DRAWS", 20_000)
    scores = np.random.default_rng(5).random((1, 2, 31))
    scores[0, 1] += 9
    table = irbounds.ScoreTable(("m",), ("a", "b"), tuple(map(str, range(31))), scores)
    with pytest.warns(
        irbounds.errors.DegenerateSampleWarning, match="20,000 draws are too few for 1 of 1"
    ):
        (found,) = difference_interval(table, confidence_level=1 - 1e-9, rng=1)
    assert found.n_draws == 20_000
