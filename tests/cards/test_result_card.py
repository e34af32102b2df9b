"""Result cards: creation, writing, reading, validation and comparison."""

from __future__ import annotations

import hashlib
import json
import math
import statistics
import subprocess
import sys
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from jsonschema import Draft202012Validator
from scipy import stats

import irbounds
import naive
from extreme_scores import EXTREMES
from irbounds.cards.files import card_schema, card_text
from irbounds.errors import DataError, DegenerateSampleWarning, InputError, ParameterError
from irbounds.results import InputFile

QUERIES = tuple(f"q{k}" for k in range(12))


def make_table(values, measures=("AP",), systems=("a", "b"), **others):
    queries = tuple(f"q{k}" for k in range(np.shape(values)[-1]))
    return irbounds.ScoreTable(measures, systems, queries, np.array(values, dtype=float), **others)


def scores(seed=1, n=12):
    return np.random.default_rng(seed).beta(0.7, 2, size=n)


def make_sample_card(values, system="a", collection="C", **others):
    table = make_table([[values]], systems=(system,))
    return irbounds.cards.make_card(table, collection=collection, rng=1, **others)


STANDARDISED = irbounds.results.Standardisation("z", ("r", "s"), "sha256:" + "1" * 64)


def standardise_card(card, **changes):
    done = replace(STANDARDISED, **changes)
    return replace(card, measure=f"{done.transform}(AP)", standardisation=done)


# creating cards


def test_card_records_the_prior_variance_of_its_interval(tmp_path):
    values = scores(3)
    default, other = make_sample_card(values), make_sample_card(values, prior_variance=0.7)
    assert default.interval.method == "moderated-wilson"
    (estimate,) = irbounds.mean_interval(make_table([[values]], systems=("a",)))
    assert default.prior_variance == estimate.prior_variance
    assert other.prior_variance == 0.7
    assert tuple(other.interval) != tuple(default.interval)
    assert make_sample_card(values, method="student-t").prior_variance is None
    irbounds.cards.write_card(other, tmp_path / "c.json")
    assert irbounds.cards.read_card(tmp_path / "c.json") == other
    document = json.loads(card_text(other))
    del document["prior_variance"]  # of an earlier card
    (tmp_path / "c.json").write_text(json.dumps(document))
    assert irbounds.cards.read_card(tmp_path / "c.json").prior_variance is None


def test_card_has_the_numbers_of_its_scores():
    first, second = scores(1), scores(2)
    table = make_table(
        [[first, second]], inputs=(InputFile("/home/me/s.csv", "sha256:" + "0" * 64),)
    )
    bootstrap = {"method": "studentised-logit", "rng": 7}
    about = {"note": "a note", "url": "https://example.org"}
    card = irbounds.cards.make_card(table, system="b", collection="C", **bootstrap, **about)
    (estimate,) = irbounds.mean_interval(make_table([[second]], systems=("b",)), **bootstrap)
    assert (card.system, card.collection, card.measure, card.n) == ("b", "C", "AP", 12)
    assert card.mean == estimate.value == second.mean()
    assert card.standard_deviation == pytest.approx(second.std(ddof=1), rel=1e-14)
    assert card.standard_error == pytest.approx(stats.sem(second), rel=1e-14)
    assert card.interval == estimate.interval
    assert (card.interval.method, card.n_resamples, card.seed) == ("studentised-logit", 9999, 7)
    assert card.standardisation is None
    assert card.irbounds == irbounds.__version__
    assert card.inputs == (InputFile("s.csv", "sha256:" + "0" * 64),)  # without the directory
    assert (card.note, card.url) == ("a note", "https://example.org")
    ids = json.dumps(sorted(QUERIES), separators=(",", ":")).encode()
    assert card.query_fingerprint == "sha256:" + hashlib.sha256(ids).hexdigest()


def test_query_fingerprint_ignores_order():
    values = scores()
    backwards = irbounds.ScoreTable(("AP",), ("a",), QUERIES[::-1], values[None, None, ::-1])
    card, other = make_sample_card(values), irbounds.cards.make_card(backwards, collection="C")
    assert card.query_fingerprint == other.query_fingerprint
    assert card.query_fingerprint != make_sample_card(values[1:]).query_fingerprint


def test_card_of_runs_names_its_inputs():
    qrels = {"q": {"d": 1}, "r": {"d": 1}}
    runs = {
        "a": {"q": {"d": 1.0}, "r": {"e": 1.0}},
        "b": {"q": {"e": 2.0, "d": 1.0}, "r": {"d": 1}},
    }
    table = irbounds.score(qrels, runs, ["AP"])
    card = irbounds.cards.make_card(table, system="b", collection="C", method="student-t")
    assert [row.name for row in card.inputs] == [table.inputs[0].name, "b"]
    assert (card.n_resamples, card.seed) == (None, None)


def test_one_query_and_equal_scores_have_no_interval():
    with pytest.warns(DegenerateSampleWarning, match="a single query"):
        first = make_sample_card([0.5])
    assert math.isnan(first.standard_deviation)
    assert math.isnan(first.standard_error)
    assert math.isnan(first.interval.low)
    with pytest.warns(DegenerateSampleWarning, match="all 3 scores are 0.1"):
        equal = make_sample_card([0.1, 0.1, 0.1])
    assert (equal.standard_deviation, equal.standard_error) == (0, 0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "a card has one measure: name one of AP, RR"),
        ({"measure": "AP"}, "a card has one system: name one of a, b"),
        ({"measure": "P@5", "system": "a"}, "no measure 'P@5' here, only 'AP', 'RR'"),
        ({"measure": "AP", "system": "c"}, "no system 'c' here, only 'a', 'b'"),
        ({"collection": " "}, "collection must be a name; got ' '"),
        ({"collection": None}, "collection must be a name; got None"),
        ({"note": 5}, "note must be text; got 5"),
        ({"url": 5}, "url must be text; got 5"),
        ({"method": "normal"}, "method 'normal' is not for cards"),
        ({"method": ["bca", "basic"]}, "method must be the name of one method; got "),
        ({"confidence_level": 95}, "did you mean 0.95"),
        ({"method": "magic"}, "method must be one of"),
    ],
)
def test_make_card_parameter_errors(arguments, message):
    values = np.random.default_rng(0).random((2, 2, 5))
    table = make_table(values, measures=("AP", "RR"))
    usual = {"collection": "C"}
    if "measure" not in arguments and message.startswith(("method must", "did")):
        usual |= {"system": "a", "measure": "AP"}
    with pytest.raises(ParameterError, match=message):
        irbounds.cards.make_card(table, **{**usual, **arguments})


def test_standardised_scores_without_factors_are_an_error():
    table = make_table([[scores()]], measures=("z(AP)",), systems=("a",))
    with pytest.raises(
        DataError, match=r"the factors of the standardised scores of z\(AP\) are not known"
    ):
        irbounds.cards.make_card(table, collection="C")


# writing and reading cards


def write_and_read(card, tmp_path):
    irbounds.cards.write_card(card, tmp_path / "x.card.json")
    return irbounds.cards.read_card(tmp_path / "x.card.json")


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("method", ["student-t", "bca", "studentised-logit"])
def test_card_files_preserve_every_bit(tmp_path, alternative, method):
    for seed in range(3):
        card = make_sample_card(scores(seed), alternative=alternative, method=method, note="né ☃")
        assert write_and_read(card, tmp_path) == card
    assert write_and_read(standardise_card(card), tmp_path) == standardise_card(card)
    by_hand = replace(card, query_fingerprint=None, inputs=())
    assert write_and_read(by_hand, tmp_path) == by_hand


def test_cards_without_interval_can_be_read(tmp_path):
    with pytest.warns(DegenerateSampleWarning):
        cards = (
            make_sample_card([0.5]),
            make_sample_card([0.5, 0.5], method="student-t"),
            make_sample_card([0.5], alternative="less"),
        )
    for card in cards:
        back = write_and_read(card, tmp_path)
        assert card_text(back) == card_text(card)
        assert math.isnan(back.interval.low)
        assert math.isnan(back.interval.high)


def test_missing_interval_ends_are_null(tmp_path):
    whole = json.loads(card_text(make_sample_card(scores(), alternative="less")))
    assert whole["interval"]["low"] is None
    assert isinstance(whole["interval"]["high"], float)
    # two queries cannot bound a studentised interval: both ends are infinite
    with pytest.warns(DegenerateSampleWarning, match="an infinite end"):
        card = make_sample_card([0.2, 0.9], method="studentised")
    assert math.isnan(card.interval.low)
    assert card_text(write_and_read(card, tmp_path)) == card_text(card)
    # one of two ends is infinite
    half = replace(card, interval=replace(card.interval, low=0.1, high=math.inf))
    assert write_and_read(half, tmp_path) == half


def test_read_card_accepts_integers_as_floats(tmp_path):
    whole = json.loads(card_text(make_sample_card(scores())))
    whole |= {"n": 12.0, "mean": 0}
    (tmp_path / "x.json").write_text("\ufeff" + json.dumps(whole), encoding="utf-8")
    card = irbounds.cards.read_card(tmp_path / "x.json")
    assert (card.n, type(card.n), card.mean, type(card.mean)) == (12, int, 0.0, float)
    del whole["note"], whole["url"]
    (tmp_path / "x.json").write_text(json.dumps(whole))
    assert irbounds.cards.read_card(str(tmp_path / "x.json")).note is None


def test_write_card_is_atomic_and_takes_cards_only(tmp_path):
    with pytest.raises(ParameterError, match=r"card must be a Card, .*; got dict"):
        irbounds.cards.write_card({}, tmp_path / "x.json")
    assert list(tmp_path.iterdir()) == []


def test_card_schema_is_valid_and_complete():
    schema = card_schema()
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"].endswith("draft/2020-12/schema")
    own = {"format", "format_version"}
    assert set(schema["properties"]) == {f.name for f in fields(irbounds.cards.Card)} | own
    assert set(schema["required"]) == set(schema["properties"]) - {
        *("prior_variance", "ties", "note", "url")
    }
    parts = {
        "interval": irbounds.results.Interval,
        "standardisation": irbounds.results.Standardisation,
    }
    for name, kind in parts.items():
        assert set(schema["properties"][name]["required"]) == {f.name for f in fields(kind)}
    of_inputs = schema["properties"]["inputs"]["items"]["properties"]
    assert set(of_inputs) == {f.name for f in fields(InputFile)}
    # every key, also of the parts, is explained
    described = [*schema["properties"].values(), *of_inputs.values()]
    for name in parts:
        described += schema["properties"][name]["properties"].values()
    assert all(card["description"].endswith(".") for card in described)


DAMAGE = [
    ("prior_variance", 0, "prior_variance must be greater than 0; got 0"),
    ("prior_variance", 2, "prior_variance must be at most 1; got 2"),
    ("prior_variance", "x", "prior_variance must be a number or null; got 'x'"),
    ("prior_variance", 0.5, "prior_variance must be null for the method 'student-t'; got 0.5"),
    ("format", "other", "format must be 'irbounds result card'; got 'other'"),
    ("format_version", 2, "format_version must be 1; got 2"),
    ("format_version", "1", "format_version must be 1; got '1'"),
    ("system", "", "system must not be empty; got ''"),
    ("system", 5, "system must be text; got 5"),
    ("collection", None, "collection must be text; got None"),
    ("measure", ["AP"], r"measure must be text; got \['AP'\]"),
    ("measure", "z(AP)", r"measure must be named after the .* transform; got 'z\(AP\)'"),
    ("n", 0, "n must be at least 1; got 0"),
    ("n", 2.5, "n must be an integer; got 2.5"),
    ("n", True, "n must be an integer; got True"),
    ("n", 13, r"standard_error must be standard_deviation / sqrt\(n\); got 0.0"),
    ("n", 1, "standard_deviation must be null for one query and only then; got 0"),
    ("mean", "0.3", "mean must be a number; got '0.3'"),
    ("mean", None, "mean must be a number; got None"),
    ("standard_deviation", -1, "standard_deviation must be at least 0; got -1"),
    ("standard_deviation", None, "standard_deviation must be null .* and only then; got nan"),
    ("standard_deviation", "x", "standard_deviation must be a number or null; got 'x'"),
    ("standard_error", 0.5, r"standard_error must be standard_deviation / sqrt\(n\); got 0.5"),
    ("standard_error", None, r"standard_error must be standard_deviation / sqrt\(n\); got nan"),
    ("interval", None, "interval must be an object; got None"),
    ("interval.low", "0", "interval.low must be a number or null; got '0'"),
    ("interval.low", 9, "interval.low must not be above interval.high; got 9"),
    ("interval.high", [], r"interval.high must be a number or null; got \[\]"),
    ("interval.confidence_level", 95, "interval.confidence_level must be less than 1; got 95"),
    ("interval.confidence_level", 0, "interval.confidence_level must be greater than 0; got 0"),
    ("interval.method", "", "interval.method must not be empty; got ''"),
    ("interval.alternative", "up", "alternative must be one of 'two-sided', 'less', 'greater'; "),
    ("interval.alternative", "less", "interval.low must be null where the alternative is 'less'"),
    ("interval.alternative", "greater", "interval.high must be null where the alternative is 'g"),
    ("interval.width", 1, "interval: unknown key 'width'"),
    ("n_resamples", 0, "n_resamples must be at least 1; got 0"),
    ("n_resamples", "many", "n_resamples must be an integer or null; got 'many'"),
    ("seed", -1, "seed must be at least 0; got -1"),
    ("seed", 0.5, "seed must be an integer or null; got 0.5"),
    ("standardisation", "z", "standardisation must be an object or null; got 'z'"),
    ("standardisation", {}, "standardisation: no key 'transform'"),
    ("standardisation.transform", "log", "transform must be one of 'z', 'normal-cdf'; got 'log'"),
    ("standardisation.transform", "normal-cdf", "measure must be named after the standardisation"),
    ("standardisation.systems", ["a"], r"systems must have at least 2 elements; got \['a'\]"),
    ("standardisation.systems", ["a", 1], r"standardisation.systems\[1\] must be text; got 1"),
    ("standardisation.fingerprint", "1" * 64, "fingerprint must be of the form ^sha256"),
    ("query_fingerprint", "sha256:12", "query_fingerprint must be of the form ^sha256"),
    ("query_fingerprint", 5, "query_fingerprint must be text or null; got 5"),
    ("irbounds", None, "irbounds must be text; got None"),
    ("inputs", {}, "inputs must be a list; got {}"),
    ("inputs", ["x"], r"inputs\[0\] must be an object; got 'x'"),
    ("inputs", [{"name": "x"}], r"inputs\[0\]: no key 'fingerprint'"),
    ("inputs", [{"name": "x", "fingerprint": "md5:0"}], r"inputs\[0\].fingerprint must be of the"),
    ("ties", "id", "ties must be one of 'trec', 'expected', 'worst', 'best'; got 'id'"),
    ("note", 5, "note must be text or null; got 5"),
    ("url", ["x"], r"url must be text or null; got \['x'\]"),
    ("other", 1, "the card: unknown key 'other'"),
]


def damage_card(card, key, value):
    whole = json.loads(card_text(card))
    *outer, last = key.split(".")
    part = whole[outer[0]] if outer else whole
    part[last] = value
    return json.dumps(whole)


@pytest.mark.parametrize(("key", "value", "message"), DAMAGE)
def test_read_card_detects_damage_in_every_field(tmp_path, key, value, message):
    card = make_sample_card(scores(), method="student-t")
    if key.startswith("standardisation."):
        card = standardise_card(card)
    path = tmp_path / "x.card.json"
    path.write_text(damage_card(card, key, value))
    with pytest.raises(InputError, match=message.replace("^", r"\^")) as caught:
        irbounds.cards.read_card(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


def test_damage_test_covers_every_field():
    assert {key.partition(".")[0] for key, _, _ in DAMAGE} >= set(card_schema()["properties"])


@pytest.mark.parametrize("key", sorted(set(card_schema()["required"])))
def test_read_card_detects_missing_fields(tmp_path, key):
    whole = json.loads(card_text(make_sample_card(scores())))
    del whole[key]
    (tmp_path / "x.json").write_text(json.dumps(whole))
    with pytest.raises(InputError, match=f"x.json: the card: no key '{key}'$"):
        irbounds.cards.read_card(tmp_path / "x.json")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "x.json: empty$"),
        ("{", "x.json: line 1: not JSON: "),
        ("[]", "x.json: a JSON object is expected; got list"),
        ("{}", r"x.json: the card: no key 'format' \(errors in total: 16\)"),
        ('{"mean": NaN}', "x.json: numbers must be finite; got 'NaN'"),
        ('{"mean": 1e999}', "x.json: numbers must be finite; got '1e999'"),
        (f'{{"mean": {"9" * 400}}}', "x.json: numbers must be finite; got '999"),
        (f'{{"mean": {"9" * 5000}}}', "x.json: "),
        ('{"mean": 1, "mean": 2}', "x.json: the key 'mean' is in one object twice"),
        ("[" * 100_000, "x.json: JSON that cannot be read: "),
    ],
)
def test_files_that_are_not_cards_are_errors(tmp_path, text, message):
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(InputError, match=message) as caught:
        irbounds.cards.read_card(tmp_path / "x.json")
    assert "\n" not in str(caught.value)


def test_missing_card_file_is_an_input_error(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        irbounds.cards.read_card(tmp_path / "none.json")


def test_jsonschema_is_imported_only_for_reading():
    script = "import sys; from irbounds.cards import compare_cards, make_card, write_card; "
    script += "make_card([0.1, 0.2], collection='C'); print('jsonschema' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert done.stdout == b"False\n"


# comparing cards


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("level", [0.8, 0.95])
@pytest.mark.parametrize(("n_a", "n_b"), [(12, 12), (2, 40), (7, 300)])
def test_compare_cards_matches_scipy_welch_and_naive(alternative, level, n_a, n_b):
    card, other = scores(4, n_a), 0.3 * scores(5, n_b)
    a, b = make_sample_card(card), make_sample_card(other, "b")
    actual = irbounds.cards.compare_cards(a, b, confidence_level=level, alternative=alternative)
    published = [(c.mean, c.standard_deviation, c.n) for c in (a, b)]
    by_scipy = stats.ttest_ind_from_stats(
        *published[0], *published[1], equal_var=False, alternative=alternative
    )
    assert actual.p_value == pytest.approx(by_scipy.pvalue, rel=1e-12)
    test = stats.ttest_ind(card, other, equal_var=False, alternative=alternative)
    low, high = test.confidence_interval(level)
    assert actual.interval.low == pytest.approx(low, rel=1e-12)
    assert actual.interval.high == pytest.approx(high, rel=1e-12)
    assert (actual.interval.method, actual.interval.alternative) == ("welch", alternative)
    assert actual.interval.confidence_level == level
    twin = naive.welch(a.n, a.mean, a.standard_deviation, b.n, b.mean, b.standard_deviation)
    parts = (actual.value, actual.standard_error, actual.degrees_of_freedom)
    assert parts == pytest.approx(twin, rel=1e-12)
    assert actual.degrees_of_freedom == pytest.approx(test.df, rel=1e-12)
    assert (actual.first, actual.second, actual.reason) == (a, b, None)


def test_compare_cards_with_tiny_and_one_sided_spreads():
    # their squares underflow
    a, b = (make_sample_card(scores(k)) for k in (1, 2))
    usual = irbounds.cards.compare_cards(a, b)
    scaled = [
        replace(
            c,
            mean=c.mean * 1e-200,
            standard_deviation=c.standard_deviation * 1e-200,
            standard_error=c.standard_error * 1e-200,
        )
        for c in (a, b)
    ]
    tiny = irbounds.cards.compare_cards(*scaled)
    assert tiny.p_value == pytest.approx(usual.p_value, rel=1e-12)
    still = replace(b, standard_deviation=0.0, standard_error=0.0)
    actual = irbounds.cards.compare_cards(a, still)
    assert actual.degrees_of_freedom == pytest.approx(a.n - 1)
    by_scipy = stats.ttest_1samp(scores(1), still.mean)
    assert actual.p_value == pytest.approx(by_scipy.pvalue, rel=1e-12)


def test_compare_cards_without_spread_gives_a_reason():
    with pytest.warns(DegenerateSampleWarning):
        card, equal = make_sample_card([0.5], "one"), make_sample_card([0.2, 0.2], "equal")
    varied = make_sample_card(scores())
    for pair, reason in [
        ((card, varied), "one has a single query, and so no standard deviation"),
        ((varied, card), "one has a single query, and so no standard deviation"),
        ((equal, equal), "all scores of each card are equal, so that there is no spread"),
    ]:
        actual = irbounds.cards.compare_cards(*pair)
        assert actual.reason == reason
        assert actual.value == pair[0].mean - pair[1].mean
        unknown = (actual.interval.low, actual.interval.high, actual.p_value, actual.standard_error)
        assert all(math.isnan(x) for x in unknown)
    assert irbounds.cards.compare_cards(varied, equal).reason is None


def check_refused(a, b, message):
    with pytest.raises(DataError, match=f"^the cards cannot be compared: {message}"):
        irbounds.cards.compare_cards(a, b)


def test_cards_on_different_scales_are_refused():
    a, b = make_sample_card(scores(1)), make_sample_card(scores(2), "b")
    check_refused(a, replace(b, measure="RR"), r"their measures differ \(AP and RR\)$")
    check_refused(
        a, standardise_card(b), "the scores of b are standardised and those of a are not$"
    )
    check_refused(
        standardise_card(a), b, "the scores of a are standardised and those of b are not$"
    )
    check_refused(
        standardise_card(a),
        standardise_card(b, transform="normal-cdf"),
        r"their scores were standardised by different transforms \(z and normal-cdf\)$",
    )
    check_refused(
        standardise_card(a),
        standardise_card(b, fingerprint="sha256:" + "2" * 64),
        r"their scores were standardised by different factors \(sha256 1{12} and sha256 2{12}\)$",
    )
    other_measure = replace(standardise_card(b), measure="z(RR)")
    check_refused(
        standardise_card(a), other_measure, r"their measures differ \(z\(AP\) and z\(RR\)\)$"
    )
    assert irbounds.cards.compare_cards(standardise_card(a), standardise_card(b)).p_value > 0


SAME = "both cards have the same queries: a paired comparison would be more precise"
OTHER_QUERIES = "the cards have different queries: the interval allows for that only if"
OTHER_COLLECTION = "the collections have different names ('C' and 'D')"


def test_compare_cards_warnings():
    a, b = make_sample_card(scores(1)), make_sample_card(scores(2), "b")
    elsewhere = replace(b, query_fingerprint="sha256:" + "3" * 64)

    def list_warnings(x, y):
        return irbounds.cards.compare_cards(x, y).warnings

    (same,) = list_warnings(a, b)
    assert same.startswith(SAME)
    (other,) = list_warnings(a, elsewhere)
    assert other.startswith(OTHER_QUERIES)
    collections, queries = list_warnings(a, replace(elsewhere, collection="D"))
    assert collections.startswith(
        f"{OTHER_COLLECTION}: the difference may be due to the collections and"
    )
    assert queries.startswith(OTHER_QUERIES)
    for pair in ((a, replace(b, query_fingerprint=None)), (replace(a, query_fingerprint=None), b)):
        (unknown,) = list_warnings(*pair)
        assert unknown.startswith("the cards may have different queries: the interval")
    (by_name,) = list_warnings(a, replace(b, collection="D"))
    assert by_name.startswith(f"{OTHER_COLLECTION}, though their query ids are the same: ")


def test_compare_cards_parameter_errors():
    a = make_sample_card(scores())
    with pytest.raises(ParameterError, match="compare_cards takes two cards; got str"):
        irbounds.cards.compare_cards(a, "b.card.json")
    with pytest.raises(ParameterError, match=r"did you mean 0.95"):
        irbounds.cards.compare_cards(a, a, confidence_level=95)
    with pytest.raises(ParameterError, match="alternative must be one of"):
        irbounds.cards.compare_cards(a, a, alternative="more")


def test_welch_coverage_and_negative_control_pooled():
    # unequal spreads and sizes; false alarm below 1 in 10,000. As negative control the interval
    # that pools the variances, which misses far more often here
    rng, rounds, truth = np.random.default_rng(6), 1000, 0.1
    frame = make_sample_card(scores())
    quantile = stats.t.ppf(0.975, 64)
    hits = pooled = 0
    for _ in range(rounds):
        small, large = rng.normal(0.4, 0.3, 6), rng.normal(0.3, 0.05, 60)
        cards = [
            replace(
                frame,
                n=len(x),
                mean=float(x.mean()),
                standard_deviation=float(x.std(ddof=1)),
                standard_error=float(x.std(ddof=1) / np.sqrt(len(x))),
            )
            for x in (small, large)
        ]
        interval = irbounds.cards.compare_cards(*cards).interval
        hits += interval.low <= truth <= interval.high
        variance = (5 * small.var(ddof=1) + 59 * large.var(ddof=1)) / 64
        reach = quantile * np.sqrt(variance * (1 / 6 + 1 / 60))
        pooled += abs(small.mean() - large.mean() - truth) <= reach
    assert stats.binomtest(hits, rounds, 0.95).pvalue > 1e-4
    assert stats.binomtest(pooled, rounds, 0.95, alternative="less").pvalue < 1e-10


def test_documentation_explains_every_card_field():
    page = (Path(__file__).parents[2] / "docs" / "reference" / "card-fields.md").read_text()
    schema = card_schema()["properties"]
    inner = {
        name: part.get("properties") or part.get("items", {}).get("properties") or {}
        for name, part in schema.items()
    }
    names = [*schema, *(f"{name}.{key}" for name, part in inner.items() for key in part)]
    assert len(names) == 30
    for name in names:
        assert f"`{name}`" in page.partition("## Fields")[2], name
    example = page.partition("```json\n")[2].partition("```")[0]
    Draft202012Validator(card_schema()).validate(json.loads(example))


def test_card_stores_the_tie_rule(tmp_path):
    judged, run = {"q": {"a": 1, "b": 0}, "r": {"a": 1}}, {"q": {"a": 1.0, "b": 1.0}, "r": {"a": 1}}
    cards = []
    for ties in ("trec", "expected"):
        table = irbounds.score(judged, {"mine": run}, "AP", ties=ties)
        card = irbounds.cards.make_card(table, collection="C", method="student-t")
        irbounds.cards.write_card(card, tmp_path / ties)
        cards.append(irbounds.cards.read_card(tmp_path / ties))
    assert [card.ties for card in cards] == ["trec", "expected"]
    message = "documents of equal score were ordered differently (trec and expected)"
    assert any(message in warning for warning in irbounds.cards.compare_cards(*cards).warnings)
    assert not any(
        message in row for row in irbounds.cards.compare_cards(cards[0], cards[0]).warnings
    )
    whole = json.loads((tmp_path / "trec").read_text())
    del whole["ties"]  # a card from before the tie rule was stored
    (tmp_path / "old").write_text(json.dumps(whole))
    assert irbounds.cards.read_card(tmp_path / "old") == cards[0]


@pytest.mark.filterwarnings("ignore::irbounds.errors.DegenerateSampleWarning")
@pytest.mark.parametrize("case", EXTREMES)
def test_cards_of_extreme_scores_can_be_written_read_and_compared(case, tmp_path):
    other = irbounds.cards.make_card(EXTREMES["equal"], collection="c")
    for n in (2, 12):
        scores = EXTREMES[case][:n]
        card = irbounds.cards.make_card(scores, collection="c", method="percentile", n_resamples=2)
        irbounds.cards.write_card(card, tmp_path / f"{n}.json")
        assert repr(irbounds.cards.read_card(tmp_path / f"{n}.json")) == repr(card)
        if case != "nearly equal":  # whose deviation is that of their rounded mean as well
            expected = statistics.stdev(scores.tolist())
            assert card.standard_deviation == pytest.approx(expected, rel=1e-9, abs=5e-324)
        for actual in (
            irbounds.cards.compare_cards(card, card),
            irbounds.cards.compare_cards(card, other),
        ):
            assert actual.reason or actual.interval.low <= actual.interval.high
            assert actual.reason or 0 <= actual.p_value <= 1


def test_cards_whose_standard_errors_vanish_have_no_interval():
    scores = [0.0, 5e-324, 0.0, 0.0, 5e-324, 5e-324, 0.0, 0.0]
    with pytest.warns(DegenerateSampleWarning, match="than the resolution of double precision"):
        card = irbounds.cards.make_card(scores, collection="c")
    actual = irbounds.cards.compare_cards(card, card)
    assert math.isnan(actual.interval.low)
    assert "than the resolution of double precision" in actual.reason
