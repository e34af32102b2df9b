"""Options shared by several verbs: numbers of every type, and levels near 0 and 1."""

from __future__ import annotations

import math
import re
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import irbounds
from irbounds.errors import ParameterError, quote
from irbounds.planning.recall_plan import plan_recall
from irbounds.standardisation import standardise_scores
from irbounds.validation import (
    MIN_TAIL,
    as_float,
    check_bounds,
    check_choice,
    check_confidence_level,
    check_count,
    check_fraction,
    count_hint,
    parse_written_count,
)

SCORES = [0.1, 0.5, 0.4, 0.0, 0.2, 0.9]
TABLE = irbounds.ScoreTable(
    ("AP",), ("a", "b"), tuple("123456"), np.array([[SCORES, [0.3, 0.4, 0.2, 0.1, 0.2, 0.7]]])
)
SAMPLE = {"retrieved": (2000, 100, 50), "unretrieved": (10_000, 100, 3)}
PLAN = {"corpus_size": 1000, "retrieved_size": 100, "n_relevant": 50, "recall": 0.5, "budget": 100}
IMAGES = irbounds.corpus_bootstrap(
    {"1": {"x": 1, "y": 0}, "2": {"y": 1}},
    {"a": {"1": {"x": 2.0, "y": 1.0}, "2": {"y": 1.0}}, "b": {"1": {"y": 1.0}, "2": {"y": 1.0}}},
    ["AP"],
    corpus_size=10,
    n_images=10,
    rng=1,
)
CARD = irbounds.cards.make_card(SCORES, collection="c")
ESTIMATE = irbounds.mean_interval(SCORES)[0]
RECALL_METHODS = (
    "naive-binomial",
    "normal",
    "normal-official",
    "laplace",
    "agresti-coull",
    "koopman",
    "beta-jeffreys",
    "beta-binomial",
    "monte-carlo",
)
#: functions of the confidence level that return intervals
AT_LEVEL = {
    **{
        f"mean_interval {method}": lambda level, method=method: irbounds.mean_interval(
            SCORES, method=method, confidence_level=level, n_resamples=99, rng=1, bounds=(0, 1)
        )
        for method in ("student-t", "percentile", "basic", "bca", "studentised-logit")
    },
    "at": lambda level: [ESTIMATE.at(level)],
    "at, one-sided": lambda level: [ESTIMATE.at(level, "greater")],
    "difference_interval": lambda level: irbounds.difference_interval(
        TABLE, confidence_level=level, n_resamples=99
    ),
    "make_card": lambda level: [
        irbounds.cards.make_card(SCORES, collection="c", confidence_level=level)
    ],
    "compare_cards": lambda level: [
        irbounds.cards.compare_cards(CARD, CARD, confidence_level=level)
    ],
    **{
        f"recall_interval {method} {side}": lambda level, method=method, side=side: [
            irbounds.recall_interval(
                **SAMPLE, method=method, confidence_level=level, alternative=side, rng=1
            )
        ]
        for method in RECALL_METHODS
        for side in ("two-sided", "less", "greater")
    },
    **{
        f"precision_interval {method}": lambda level, method=method: [
            irbounds.samples.precision_interval(**SAMPLE, method=method, confidence_level=level)
        ]
        for method in ("wilson", "jeffreys", "clopper-pearson", "wald", "beta-binomial")
    },
    "all_recall_intervals": lambda level: irbounds.samples.all_recall_intervals(
        **SAMPLE, confidence_level=level
    ),
    "score_precision": lambda level: IMAGES.score_precision(level),
    "difference_precision": lambda level: IMAGES.difference_precision(None, level),
    "query_precision": lambda level: IMAGES.query_precision("a", level),
    "variance_split": lambda level: IMAGES.variance_split(None, level),
}
#: functions of the confidence level that return something else
OTHERS = {
    "rank_interval": lambda level: irbounds.rank_interval(TABLE, confidence_level=level),
    "plan_queries": lambda level: irbounds.plan_queries(
        scores=SCORES, confidence_level=level, difference=0.1, half_width=0.1
    ),
    "plan_recall": lambda level: plan_recall(**PLAN, confidence_level=level),
    "rank_precision": lambda level: IMAGES.rank_precision(level),
}
VALID_LEVELS = [MIN_TAIL, 0.01, 0.95, 1 - 1e-6, 1 - MIN_TAIL]
INVALID_LEVELS = [1e-300, 1e-12, 9e-10, 1 - 9e-10, 1 - 5e-13, 1 - 1e-15, 1 - 2.0**-53]
IGNORED = "ignore::irbounds.errors.DegenerateSampleWarning"


@pytest.mark.filterwarnings(IGNORED)
@pytest.mark.parametrize("verb", AT_LEVEL)
def test_intervals_at_levels_near_0_and_1_are_finite_and_in_order(verb):
    widths = []
    for level in VALID_LEVELS:
        for estimate in AT_LEVEL[verb](level):
            interval = estimate.interval
            ends = {"less": interval.high, "greater": interval.low}
            assert math.isfinite(ends.get(interval.alternative, interval.high - interval.low))
            assert interval.low <= interval.high
            assert interval.confidence_level == level
        widths.append(interval.half_width)
    if math.isfinite(widths[0]):
        assert widths == sorted(widths)


@pytest.mark.filterwarnings(IGNORED)
@pytest.mark.parametrize("verb", [*AT_LEVEL, *OTHERS])
def test_levels_too_close_to_0_or_1_are_refused(verb):
    call = {**AT_LEVEL, **OTHERS}[verb]
    for level in INVALID_LEVELS:
        with pytest.raises(ParameterError, match="must be from 1e-09 to 1 - 1e-09; got "):
            call(level)


@pytest.mark.filterwarnings(IGNORED)
@pytest.mark.parametrize("verb", OTHERS)
def test_other_verbs_accept_every_valid_level(verb):
    for level in VALID_LEVELS:
        assert OTHERS[verb](level).records()[0]["confidence_level"] == level


@pytest.mark.parametrize(
    "level",
    [np.float32(0.75), np.array(0.75), Fraction(3, 4)],
)
@pytest.mark.filterwarnings(IGNORED)
@pytest.mark.parametrize("verb", AT_LEVEL)
def test_level_of_any_numeric_type_gives_the_same_interval(verb, level):
    for estimate, plain in zip(AT_LEVEL[verb](level), AT_LEVEL[verb](0.75), strict=True):
        assert repr(estimate.interval) == repr(plain.interval)
        assert type(estimate.interval.confidence_level) is float


def test_power_and_assurance_have_the_same_limits():
    for power in INVALID_LEVELS:
        with pytest.raises(ParameterError, match="power must be from 1e-09 to 1 - 1e-09"):
            irbounds.plan_queries(scores=SCORES, power=power)
        with pytest.raises(ParameterError, match="power must be from 1e-09 to 1 - 1e-09"):
            irbounds.difference_interval(TABLE, power=power)
        with pytest.raises(ParameterError, match="assurance must be from 1e-09 to 1 - 1e-09"):
            plan_recall(**PLAN, recall_at_least=0.1, assurance=power)


def test_card_of_small_numpy_numbers_can_be_written_and_read(tmp_path):
    card = irbounds.cards.make_card(
        np.array(SCORES, np.float32),
        collection="c",
        method="percentile",
        confidence_level=np.float32(0.9),
        n_resamples=np.int8(99),
        rng=np.uint8(3),
        bounds=(np.float16(0), np.int8(1)),
    )
    irbounds.cards.write_card(card, tmp_path / "card.json")
    assert irbounds.cards.read_card(tmp_path / "card.json") == card


@pytest.mark.filterwarnings(IGNORED)
def test_small_numpy_numbers_in_the_other_verbs():
    half, unit, ten = np.float32(0.5), np.int8(1), np.int8(10)
    plans = irbounds.plan_queries(scores=SCORES, difference=half, half_width=np.array(0.25))
    assert plans == irbounds.plan_queries(scores=SCORES, difference=0.5, half_width=0.25)
    estimate = irbounds.samples.f_interval(**SAMPLE, beta=np.int8(2), prior=(half, unit))
    assert estimate.value == irbounds.samples.f_interval(**SAMPLE, beta=2, prior=(0.5, 1)).value
    plan = plan_recall(
        corpus_size=np.int16(1000),
        retrieved_size=np.int8(100),
        n_relevant=ten,
        recall=half,
        budget=100,
    )
    assert plan.sample == plan_recall(**{**PLAN, "n_relevant": 10}).sample
    assert irbounds.random_rankings.score_variance(
        np.int8(100), ten
    ) == irbounds.random_rankings.score_variance(100, 10)
    assert irbounds.random_rankings.score_variance(
        np.array([100], np.int8), np.array([10], np.int8)
    ) == (irbounds.random_rankings.score_variance(100, 10))
    assert irbounds.random_rankings.p_value(
        half, ten, unit, alternative="less"
    ) == irbounds.random_rankings.p_value(0.5, 10, 1, alternative="less")
    assert irbounds.random_rankings.corrected_score(
        half, np.array(0.25)
    ) == irbounds.random_rankings.corrected_score(0.5, 0.25)
    (estimate,) = irbounds.mean_interval(SCORES, method="normal", sigma=np.float32(0.5))
    assert type(estimate.standard_error) is float
    simulated = irbounds.simulation.simulate_collection(
        *np.array([2, 3, 100, 5], np.int8), tie_rate=half, rng=1
    )
    assert simulated.plan.tie_rate == 0.5


NOT_NUMBERS = [
    True,
    np.bool_(True),
    np.array(True),
    np.array([0.5, 0.6]),
    np.array([[1, 2], [3, 4]]),
    pd.DataFrame({"a": [1, 2]}),
    np.timedelta64(3, "s"),
    "0.9",
    np.str_("t"),
    None,
    1j,
    [],
    {},
]


@pytest.mark.parametrize("value", NOT_NUMBERS, ids=repr)
def test_values_that_are_not_numbers_are_one_line_errors(value):
    assert as_float(value) is None
    for check in (
        check_confidence_level,
        lambda value: check_count("n", value),
        lambda value: check_choice("method", value, ["bca"]),
        lambda value: check_bounds((value, 1)),
        lambda value: irbounds.samples.f_interval(**SAMPLE, beta=value),
        lambda value: irbounds.mean_interval(SCORES, method="normal", sigma=[value]),
        lambda value: irbounds.plan_queries(scores=SCORES, difference=[value]),
        lambda value: irbounds.simulation.simulate_collection(tie_rate=value),
        lambda value: irbounds.random_rankings.p_value(value, 10, 1),
        lambda value: standardise_scores(TABLE, reference=[value, value]),
        lambda value: irbounds.mean_interval(SCORES, method=[value]),
        lambda value: irbounds.difference_interval(TABLE, method=[value]),
        lambda value: irbounds.plan_queries(scores=TABLE, baseline=[value]),
        lambda value: irbounds.recall_interval(**SAMPLE, method=[value], prior=1),
        lambda value: irbounds.score({"1": {"x": 1}}, {"a": {"1": {"x": 1.0}}}, value),
        lambda value: irbounds.planning.widths_by_budget(
            value, corpus_size=1000, retrieved_size=100, n_relevant=50, recall=0.5
        ),
    ):
        with pytest.raises(ParameterError) as error:
            check(value)
        assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("value", "hint"), [(95, 0.95), (5, 0.95), (99.9, 0.999), (2.5, 0.975), (20, 0.8)]
)
def test_hint_for_a_percentage_is_a_level(value, hint):
    with pytest.raises(ParameterError, match=rf"got {value:g}, did you mean {hint:g}\?"):
        check_confidence_level(value)
    with pytest.raises(ParameterError, match=rf"did you mean {value / 100:g}\?"):
        check_fraction("at_least", value)


@pytest.mark.parametrize("value", [10**400, -(10**400), 10**5000], ids=["large", "low", "huge"])
def test_integers_too_large_for_a_double_are_errors(value):
    assert as_float(value) == math.copysign(math.inf, 1 if value > 0 else -1)
    with pytest.raises(ParameterError, match="confidence_level must be a fraction between 0 and 1"):
        irbounds.mean_interval(SCORES, confidence_level=value)
    for verb in (irbounds.mean_interval, irbounds.cards.make_card):
        options = {"collection": "c"} if verb is irbounds.cards.make_card else {}
        with pytest.raises(ParameterError, match="n_resamples must be "):
            verb(SCORES, n_resamples=value, **options)
    with pytest.raises(ParameterError, match="corpus_size must be "):
        irbounds.simulation.simulate_collection(corpus_size=value)
    with pytest.raises(irbounds.errors.DataError, match="'retrieved': population must be "):
        irbounds.recall_interval(retrieved=(value, 1, 1), unretrieved=(1, 1, 1))


def test_quoted_values_are_short_and_on_one_line():
    assert quote(0.5) == "0.5"
    assert quote(np.array([[1, 2], [3, 4]])) == "array([[1, 2], [3, 4]])"
    assert re.fullmatch(r"'x+\.\.\.x+'", quote("x" * 1000))
    assert len(quote("x" * 1000)) == 80
    assert quote(10**5000) == "an integer of 16,610 bits"


def test_location_of_a_too_large_score_is_shortened():
    names = "s" * 5000, "m" * 5000, "q" * 5000
    with pytest.raises(ParameterError, match="scores must lie between") as raised:
        irbounds.ScoreTable((names[1],), (names[0],), (names[2],), np.array([[[1e260]]]))
    assert len(str(raised.value)) < 400


@pytest.mark.parametrize(
    ("text", "with_point", "with_comma"),
    [
        ("800", 800, 800),
        ("800.0", 800, 800),
        ("800,00", 800, 800),
        ("1,200", 1200, "write 1200 if ',' separates thousands"),
        ("1.200", "write 1200 if '.' separates thousands", 1200),
        ("1,000", 1000, "write 1 or 1000"),
        ("1.000", "write 1 or 1000", 1000),
        ("1 200", 1200, 1200),
        ("1'200", 1200, 1200),
        ("1\u2019200", 1200, 1200),
        ("1\u202f200,00", 1200, 1200),
        ("1,200,300", 1200300, 1200300),
        ("1.200.300", 1200300, 1200300),
        ("1.200.300,0", 1200300, 1200300),
        ("1,200.000", 1200, 1200),
        ("1200.000", 1200, 1200),
        ("0.000", 0, 0),
        ("50%", "a count is needed, not a percentage", "a count is needed, not a percentage"),
        ("12,5 %", "a count is needed, not a percentage", "a count is needed, not a percentage"),
        ("1.2E+05", "write all digits", "write all digits"),
        *(
            (text, "", "")
            for text in (
                *("", "-5", "+5", "many", "2.5", "0,125", "1,20", "1,2000", "1,200.5", "1.200,300"),
                *("1,200.300", "1,200 300", "01,200", "800.", ".0", "..0", "9" * 19, "\u0661"),
            )
        ),
    ],
)
def test_written_counts(text, with_point, with_comma):
    """An integer is the only reading; text is the hint where there is none or another one."""
    for mark, expected in ((".", with_point), (",", with_comma)):
        is_count = isinstance(expected, int)
        assert parse_written_count(text, mark) == (expected if is_count else None)
        hint = f"write {expected}" if is_count else expected
        assert count_hint(text, mark) == (f"; {hint}" if hint else "")
