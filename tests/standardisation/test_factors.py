"""The file of standardisation factors: exact, documented, and validated when it is read."""

from __future__ import annotations

import hashlib
import json
import math

import numpy as np
import pytest

import irbounds
from irbounds.errors import InputError, ParameterError
from irbounds.results import InputFile
from irbounds.standardisation import Factors, standardise_scores

INPUTS = (InputFile("scores.csv", "sha256:12"),)


def make_factors(**changes) -> Factors:
    fields = {
        "systems": ("b", "a", "é"),
        "measures": ("AP", "P@10"),
        "queries": ("301", "302"),
        "means": [[0.1, 1 / 3], [0.2, 0.5]],
        "standard_deviations": [[0.05, 0.0], [5e-324, 1e300]],
        "inputs": INPUTS,
    }
    return Factors(**{**fields, **changes})


def test_file_matches_the_documentation(tmp_path):
    factors = make_factors()
    irbounds.standardisation.write_factors(factors, tmp_path / "f.json")
    text = (tmp_path / "f.json").read_text(encoding="utf-8")
    assert '"é"' in text
    assert json.loads(text) == {
        "format": "irbounds standardisation factors",
        "format_version": 1,
        "irbounds": irbounds.__version__,
        "fingerprint": factors.fingerprint,
        "reference_systems": ["b", "a", "é"],
        "inputs": [{"name": "scores.csv", "fingerprint": "sha256:12"}],
        "measures": {
            "AP": {
                "301": {"mean": 0.1, "standard_deviation": 0.05},
                "302": {"mean": 1 / 3, "standard_deviation": 0.0},
            },
            "P@10": {
                "301": {"mean": 0.2, "standard_deviation": 5e-324},
                "302": {"mean": 0.5, "standard_deviation": 1e300},
            },
        },
    }


def test_fingerprint_follows_its_definition():
    content = (
        r'{"measures":{"AP":{"301":{"mean":0.1,"standard_deviation":0.05},'
        r'"302":{"mean":0.3333333333333333,"standard_deviation":0.0}},'
        r'"P@10":{"301":{"mean":0.2,"standard_deviation":5e-324},'
        r'"302":{"mean":0.5,"standard_deviation":1e+300}}},'
        r'"reference_systems":["a","b","\u00e9"]}'
    )
    expected = hashlib.sha256(content.encode()).hexdigest()
    assert make_factors().fingerprint == f"sha256:{expected}"


def test_fingerprint_depends_only_on_the_content():
    same = [
        make_factors(inputs=()),
        make_factors(systems=("a", "b", "é")),
        make_factors(
            queries=("302", "301"),
            means=[[1 / 3, 0.1], [0.5, 0.2]],
            standard_deviations=[[0.0, 0.05], [1e300, 5e-324]],
        ),
        make_factors(
            measures=("P@10", "AP"),
            means=[[0.2, 0.5], [0.1, 1 / 3]],
            standard_deviations=[[5e-324, 1e300], [0.05, 0.0]],
        ),
    ]
    others = [
        make_factors(systems=("a", "b")),
        make_factors(measures=("AP", "P@5")),
        make_factors(queries=("301", "303")),
        make_factors(means=[[math.nextafter(0.1, 1), 1 / 3], [0.2, 0.5]]),
        make_factors(standard_deviations=[[0.05, 0.0], [0.0, 1e300]]),
    ]
    first = make_factors().fingerprint
    assert {factors.fingerprint for factors in same} == {first}
    assert len({first, *(factors.fingerprint for factors in others)}) == len(others) + 1


@pytest.mark.parametrize("transform", ["z", "normal-cdf"])
def test_fingerprint_does_not_depend_on_the_transform(transform):
    table = irbounds.ScoreTable(("AP",), ("a", "b"), ("1",), [[[0.1], [0.4]]])
    standardisation = standardise_scores(table, transform=transform).standardisation
    assert standardisation == irbounds.standardisation.Standardisation(
        transform, ("a", "b"), irbounds.standardisation.score_factors(table).fingerprint
    )


def test_numbers_are_read_exactly(tmp_path):
    rng = np.random.default_rng(4)
    means = rng.normal(size=(2, 500)) * 10.0 ** rng.integers(-300, 300, (2, 500))
    queries = tuple(f"q{k}" for k in range(500))
    factors = make_factors(queries=queries, means=means, standard_deviations=np.abs(means[::-1]))
    irbounds.standardisation.write_factors(factors, tmp_path / "f.json")
    read = irbounds.standardisation.read_factors(tmp_path / "f.json")
    assert read.means.tobytes() == factors.means.tobytes()
    assert read.standard_deviations.tobytes() == factors.standard_deviations.tobytes()
    for name in ("systems", "measures", "queries", "inputs", "fingerprint"):
        assert getattr(read, name) == getattr(factors, name)


def test_input_name_that_is_not_utf8_is_preserved(tmp_path):
    # how Python decodes a file name that is not UTF-8
    factors = make_factors(inputs=(InputFile("sc\udcffres.csv", "sha256:12"),))
    irbounds.standardisation.write_factors(factors, tmp_path / "f.json")
    assert irbounds.standardisation.read_factors(tmp_path / "f.json").inputs == factors.inputs


def test_file_rewritten_with_a_note(tmp_path):
    path = tmp_path / "f.json"
    factors = make_factors(means=[[0.0, 1e-5], [1.0, 0.5]])
    irbounds.standardisation.write_factors(factors, path)
    content = {"note": "from our paper", **json.loads(path.read_text())}
    text = json.dumps(content, sort_keys=True).replace("1e-05", "0.00001")
    text = text.replace('"mean": 0.0,', '"mean": 0,').replace('"mean": 1.0,', '"mean": 1,')
    assert all(f'"mean": {number},' in text for number in ("0", "1", "0.00001"))
    path.write_text(text)
    assert irbounds.standardisation.read_factors(path).fingerprint == factors.fingerprint


def replace_value(*keys, to):
    """Return a function that replaces one value of the file."""

    def change(content):
        inner = content
        for key in keys[:-1]:
            inner = inner[key]
        inner[keys[-1]] = to

    return change


def remove_key(*keys):
    """Return a function that removes one key from the file."""

    def change(content):
        inner = content
        for key in keys[:-1]:
            inner = inner[key]
        del inner[keys[-1]]

    return change


MEAN = ("measures", "AP", "301", "mean")
DEVIATION = ("measures", "P@10", "302", "standard_deviation")


@pytest.mark.parametrize(
    ("change", "expected_message"),
    [
        (
            replace_value("format", to="other"),
            "'format' must be 'irbounds standardisation factors'; got",
        ),
        (remove_key("format"), "'format' must be 'irbounds standardisation factors'; got None"),
        (replace_value("format_version", to=2), "format_version must be 1; got 2"),
        (replace_value("format_version", to=True), "'format_version' must be an integer; got True"),
        (replace_value("format_version", to="1"), "'format_version' must be an integer; got '1'"),
        (remove_key("format_version"), "no key 'format_version'"),
        (remove_key("irbounds"), "no key 'irbounds'"),
        (replace_value("irbounds", to=1), "'irbounds' must be text; got 1"),
        (remove_key("fingerprint"), "no key 'fingerprint'"),
        (remove_key("reference_systems"), "no key 'reference_systems'"),
        (replace_value("reference_systems", to="a"), "'reference_systems' must be a list; got 'a'"),
        (
            replace_value("reference_systems", to=["a", 2]),
            "'reference_systems' must hold text; got 2",
        ),
        (
            replace_value("reference_systems", to=["a"]),
            "systems of factors must be at least 2; got 1",
        ),
        (
            replace_value("reference_systems", to=["a", "a"]),
            "systems of factors must differ; 'a' is the",
        ),
        (remove_key("inputs"), "no key 'inputs'"),
        (replace_value("inputs", to=["f"]), "'inputs' must hold objects; got 'f'"),
        (remove_key("inputs", 0, "name"), "inputs: no key 'name'"),
        (
            replace_value("inputs", 0, "fingerprint", to=1),
            "inputs: 'fingerprint' must be text; got 1",
        ),
        (remove_key("measures"), "no key 'measures'"),
        (replace_value("measures", to=[]), "'measures' must be an object; got []"),
        (replace_value("measures", to={}), "measures of factors must be at least 1; got 0"),
        (replace_value("measures", to={"AP": {}}), "queries of factors must be at least 1; got 0"),
        (replace_value("measures", "AP", to=1), "'AP' must be an object; got 1"),
        (replace_value("measures", "AP", "301", to=1), "AP: query '301' must be an object; got 1"),
        (
            remove_key("measures", "P@10", "302"),
            "must have the same queries; P@10 differs in '302'",
        ),
        (remove_key(*MEAN), "AP, query '301': no key 'mean'"),
        (remove_key(*DEVIATION), "P@10, query '302': no key 'standard_deviation'"),
        (replace_value(*MEAN, to="0.1"), "AP, query '301': 'mean' must be a number; got '0.1'"),
        (replace_value(*MEAN, to=None), "AP, query '301': 'mean' must be a number; got None"),
        (replace_value(*MEAN, to=True), "AP, query '301': 'mean' must be a number; got True"),
        (replace_value(*MEAN, to=math.nan), "numbers must be finite; got 'NaN'"),
        (replace_value(*MEAN, to=math.inf), "numbers must be finite; got 'Infinity'"),
        (replace_value(*MEAN, to=10**400), "numbers must be finite; got '1000"),
        (
            replace_value(*DEVIATION, to=-0.5),
            "P@10, query '302': the standard deviation must be a finite number, 0 or more; got -",
        ),
        (replace_value(*DEVIATION, to=math.inf), "numbers must be finite; got 'Infinity'"),
        (
            replace_value(*MEAN, to=0.11),
            "the fingerprint does not match the content, which was changed",
        ),
        (
            replace_value("reference_systems", to=["a", "b"]),
            "the fingerprint does not match the content",
        ),
        (
            replace_value("fingerprint", to="sha256:0"),
            "the file has 'sha256:0', its numbers have 'sha2",
        ),
    ],
)
def test_invalid_files_are_errors(tmp_path, change, expected_message):
    path = tmp_path / "f.json"
    irbounds.standardisation.write_factors(make_factors(), path)
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))
    with pytest.raises(InputError) as caught:
        irbounds.standardisation.read_factors(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert expected_message in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        ('{"format":\n 1, }', "line 2: not JSON"),
        ("[1, 2]", "a JSON object is expected; got list"),
        ('{"format": "a", "format": "b"}', "the key 'format' is in one object twice"),
        ("[" * 100_000, "JSON that cannot be read"),
        (f'{{"format": {"1" * 5000}}}', "numbers must be finite; got '1111"),
        (f'{{"format": "{"long" * 5000}"}}', "not a file of standardisation factors"),
        (b"\xff\xfe", "line 1: not UTF-8 (byte 0xff)"),
        ("query_id,a\n1,0.5\n", "line 1: not JSON"),
    ],
)
def test_files_of_other_formats_are_errors(write, text, message):
    path = write("f.json", text)
    with pytest.raises(InputError) as caught:
        irbounds.standardisation.read_factors(path)
    assert str(caught.value).startswith(f"{path}: {message}")
    assert len(str(caught.value)) < len(str(path)) + 250


def test_missing_file_is_an_error(tmp_path):
    with pytest.raises(InputError, match=r"none\.json: no such file or directory"):
        irbounds.standardisation.read_factors(tmp_path / "none.json")


def test_file_is_written_atomically(tmp_path, monkeypatch):
    path = tmp_path / "f.json"
    path.write_text("what was there before")

    def fail(*_, **__):
        raise OSError("disk full")

    monkeypatch.setattr("irbounds.atomic_write.os.replace", fail)
    with pytest.raises(OSError, match="disk full"):
        irbounds.standardisation.write_factors(make_factors(), path)
    assert path.read_text() == "what was there before"
    assert [file.name for file in tmp_path.iterdir()] == ["f.json"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"means": [[0.1, 0.2]]}, r"means must be of shape \(2, 2\); got \(1, 2\)"),
        ({"standard_deviations": [0.1]}, r"standard_deviations must be of shape \(2, 2\); got"),
        ({"queries": ("1", "1")}, "queries of factors must differ; '1' is there twice"),
        ({"systems": ("a",)}, "systems of factors must be at least 2; got 1"),
        ({"means": [[0.1, math.nan], [1, 2]]}, "AP, query '302': the mean must be a finite number"),
    ],
)
def test_invalid_factors_are_errors(changes, message):
    with pytest.raises(ParameterError, match=message):
        make_factors(**changes)


def test_factors_are_frozen_with_a_short_repr():
    factors = make_factors()
    with pytest.raises(ValueError, match="read-only"):
        factors.means[0, 0] = 1.0
    assert repr(factors) == "<Factors: AP, P@10 of 3 systems on 2 queries>"


def test_equal_scores_have_a_standard_deviation_of_0():
    values = [[[0.003, 0.1], [0.003, 0.2], [0.003, 0.3]]]  # a third of the sum is not 0.003
    table = irbounds.ScoreTable(("AP",), ("a", "b", "c"), ("1", "2"), values, inputs=INPUTS)
    factors = irbounds.standardisation.score_factors(table)
    assert factors.means.tolist() == [[0.003, pytest.approx(0.2)]]
    assert factors.standard_deviations.tolist() == [[0.0, pytest.approx(0.1)]]
    assert factors.inputs == INPUTS
    assert irbounds.standardisation.score_factors(table, ["c", "a"]).systems == ("c", "a")


def test_minus_zero_is_zero():
    plus, minus = (
        irbounds.standardisation.score_factors(
            irbounds.ScoreTable(("AP",), ("a", "b"), ("1",), [[[first], [0.0]]])
        )
        for first in (0.0, -0.0)
    )
    assert plus.fingerprint == minus.fingerprint


def test_factors_are_selected_by_any_name_of_a_measure():
    ours = make_factors()
    theirs = make_factors(measures=("map", "P_10"))
    assert theirs.select(["P@10", "AP"]).measures == ("P_10", "map")
    assert ours.select(["precision@10"]).means.tolist() == [[0.2, 0.5]]
    table = irbounds.ScoreTable(("P@10", "AP"), ("x",), ("301",), [[[0.2]], [[0.2]]])
    expected = standardise_scores(table.select("AP"), factors=ours)
    standardised = standardise_scores(table.select("AP"), factors=theirs)
    assert (standardised.measures, standardised.values.tolist()) == (
        ("z(AP)",),
        expected.values.tolist(),
    )
    assert standardised.values.tolist() == [[[2.0]]]
    assert standardised.scores("z(map)", "x").tolist() == [2.0]
    assert standardised.standardisation.fingerprint == theirs.select(["AP"]).fingerprint
    with pytest.raises(irbounds.errors.DataError, match="do not have RR, only map, P_10"):
        theirs.select(["RR"])
    with pytest.raises(ParameterError, match="'MAP' may be any of 'map', 'AP'"):
        make_factors(measures=("map", "AP")).select(["MAP"])
