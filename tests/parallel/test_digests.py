"""Digests of work: the same in any process, and different for different work."""

from __future__ import annotations

import itertools
import subprocess
import sys
from dataclasses import dataclass, field
from enum import Enum
from functools import partial

import numpy as np
import pytest

import every_work
from irbounds.parallel import digests
from irbounds.parallel.digests import compute_digest, describe_value


@dataclass(frozen=True)
class Plan:
    n: int
    scores: np.ndarray | None = None

    def drawn(self) -> int:
        return self.n


@dataclass(frozen=True)
class OtherPlan:
    n: int
    scores: np.ndarray | None = None


@dataclass(frozen=True)
class Found:
    n: int
    left_out_of_equality: int = field(default=0, compare=False)
    place: str = field(default="", metadata=digests.NOT_IN_DIGESTS)


class Side(Enum):
    less = "less"
    greater = "greater"


DIFFERENT = [
    *(1, 1.0, True, "1", "1.0", "True", None, "None", b"1".decode() + "\n", 0, 0.0, -0.0, ""),
    *(float("nan"), float("inf"), "nan", np.float64(1), np.float32(1), np.int64(1), np.bool_(True)),
    *([], (), [[]], [[], []], [1, 2], (1, 2), [[1], 2], [1, [2]], ["1", "2"], ["1, 2"], ("1", "2")),
    *(["a", "b"], ["ab", ""], ['a", "b'], ["a", 1], {}, {"a": 1}, {"b": 1}, {"a": {"b": 1}}),
    *({"a": 1, "b": 2}, [("a", 1), ("b", 2)], range(2), slice(0, 2), slice(0, 2, 1), [0, 1]),
    *(np.zeros(2), np.zeros(2, "f4"), np.zeros((2, 1)), np.zeros((1, 2)), -np.zeros(2)),
    *(np.zeros(0), np.zeros((0, 3)), np.array([np.nan, 0]), np.array(["a", "b"])),
    *(np.array(["a", "b"], object), np.array(["a", 1], object), np.array(["2020"], "M8[Y]")),
    *(np.array([18262], "M8[D]"), np.array([(1, 2)], [("a", "i4"), ("b", "i4")])),
    np.array([(1, 2)], [("b", "i4"), ("a", "i4")]),
    *(Plan(1), Plan(2), OtherPlan(1), Plan(1, np.zeros(1)), Plan(1, np.ones(1))),
    *(Side.less, Side.greater, "less", np.sum, np.mean, np.float64, np.float32),
    *(partial(np.sum), partial(np.sum, axis=0), partial(np.sum, axis=1), partial(np.mean, axis=0)),
    *(Plan(1).drawn, Plan(2).drawn, Plan.drawn),
]


def test_only_marked_fields_are_left_out_of_digests():
    assert compute_digest(Found(1, place="here")) == compute_digest(Found(1, place="there"))
    assert compute_digest(Found(1)) != compute_digest(Found(1, left_out_of_equality=1))


def test_different_values_have_different_digests():
    digests = [compute_digest(value) for value in DIFFERENT]
    same = [
        (DIFFERENT[a], DIFFERENT[b])
        for a, b in itertools.combinations(range(len(digests)), 2)
        if digests[a] == digests[b]
    ]
    assert same == []


def test_equal_values_have_the_same_digest():
    order = np.arange(12.0).reshape(3, 4)
    assert (
        compute_digest(order)
        == compute_digest(np.asfortranarray(order))
        == compute_digest(order[:])
    )
    assert compute_digest(order.T) == compute_digest(order.T.copy())
    assert compute_digest(float("nan")) == compute_digest(float("-nan"))
    assert compute_digest([np.float64(2)]) == compute_digest([np.array(2.0)])


@pytest.mark.parametrize("value", [lambda: 1, object(), {1, 2}, open])
def test_values_without_name_or_order_have_no_digest(value):
    if value is open:  # a function of Python's own has one
        assert compute_digest(value) != compute_digest(print)
        return
    with pytest.raises(TypeError, match="no digest of"):
        compute_digest(value)


@pytest.mark.parametrize("value", [3, None, "bca", ["bca"], (0.0, 1.0), [2, None], []])
def test_short_plain_values_are_shown(value):
    assert describe_value(value) == repr(value)


@pytest.mark.parametrize("value", [np.arange(3), np.float64(1), ["x" * 99], [[1]], Plan(1), np.sum])
def test_other_values_are_shown_as_digests(value):
    assert describe_value(value) == f"sha256:{compute_digest(value)}"


PROGRAM = """
import sys
import every_work
import irbounds

with irbounds.execution(threads=int(sys.argv[1]), checkpoint=sys.argv[2]):
    for name in every_work.WORK:
        every_work.bits(name)
"""


@pytest.mark.slow
def test_descriptions_of_all_work_are_the_same_in_any_process(tmp_path):
    """Neither the order of pieces nor their digests depend on hashing or threads."""
    files = []
    for number in ("1", "2"):
        directory = tmp_path / number
        environment = every_work.environment(PYTHONHASHSEED=number)
        command = [sys.executable, "-c", PROGRAM, number, str(directory)]
        subprocess.run(command, check=True, env=environment)
        paths = (path for path in directory.rglob("*") if path.is_file())
        files.append({path.relative_to(directory): path.read_bytes() for path in paths})
    assert len([path for path in files[0] if path.name == "work.json"]) >= len(every_work.WORK)
    assert files[0] == files[1]


def test_a_large_collection_is_read_in_few_steps():
    """A million names are added in one step; an array is not copied."""
    steps = []
    digests._add(steps.append, [[f"FT911-{k}" for k in range(100_000)], np.zeros(100_000)])
    assert len(steps) <= 6
