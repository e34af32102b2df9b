"""Sizes, limits, and work that is refused or given fewer threads before it starts."""

from __future__ import annotations

import os
from types import SimpleNamespace

import numpy as np
import pytest

import irbounds
from irbounds.corpus.memory import pools_fitting
from irbounds.design.coverage import CoveragePlan
from irbounds.design.memory import coverage_fitting
from irbounds.errors import ParameterError
from irbounds.interval.memory import check_estimates_fit
from irbounds.scale import memory
from irbounds.scale.execution import current
from irbounds.scale.memory import (
    PROGRAM,
    bytes_of,
    check_fits,
    fitting,
    left_now,
    machine_memory,
    resident,
    room,
    shown_bytes,
    threads_within,
)

MIB = 1 << 20


@pytest.fixture(autouse=True)
def light_process(monkeypatch):
    """As if nothing were loaded: what the tests' own process occupies says nothing here."""
    monkeypatch.setattr(memory, "resident", lambda: 0)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("2GiB", 2 << 30),
        ("2 gib", 2 << 30),
        (" 2G ", 2 << 30),
        ("2GB", 2_000_000_000),
        ("1.5GiB", 3 << 29),
        ("500MB", 500_000_000),
        ("1TiB", 1 << 40),
        ("400000KiB", 400_000 << 10),
        ("300000000", 300_000_000),
        ("300000000B", 300_000_000),
        (300_000_000, 300_000_000),
        (np.int64(1 << 40), 1 << 40),
    ],
)
def test_sizes(given, expected):
    assert bytes_of(given) == expected


@pytest.mark.parametrize("given", ["", "GiB", "2 XB", "-2GiB", "2,5GiB", 0, -1, 2.5, True, "0", []])
def test_what_is_no_size(given):
    with pytest.raises(ParameterError, match=r"^memory must be a size such as 2GiB or 500MB; got "):
        bytes_of(given)


@pytest.mark.parametrize("given", ["1MiB", "250MiB", PROGRAM])
def test_less_than_the_program_itself(given):
    with pytest.raises(
        ParameterError, match=r"^memory must be more than the 250 MiB that the program .*; got "
    ):
        bytes_of(given)
    assert bytes_of(PROGRAM + 1) == PROGRAM + 1


@pytest.mark.parametrize(
    ("n_bytes", "shown"),
    [
        (0, "0 KiB"),
        (1536, "2 KiB"),
        (MIB, "1.0 MiB"),
        (9.94 * MIB, "9.9 MiB"),
        (512 * MIB, "512 MiB"),
        (1023 * MIB, "1,023 MiB"),
        (1.25 * 2**30, "1.2 GiB"),
        (2**40, "1,024 GiB"),
    ],
)
def test_sizes_are_shown_as_people_write_them(n_bytes, shown):
    assert shown_bytes(n_bytes) == shown


def test_room_is_what_the_limit_leaves_and_never_more_than_the_machine_has(monkeypatch):
    monkeypatch.setattr(memory, "machine_memory", lambda: PROGRAM + 100 * MIB)
    assert room(50 * MIB) == 50 * MIB
    assert room(200 * MIB) == 100 * MIB
    with irbounds.execution(memory=PROGRAM + 10 * MIB):
        assert room(50 * MIB) == 10 * MIB
    with irbounds.execution(memory="2GiB"):  # whoever says so may have more than there is
        assert room(50 * MIB) == (2 << 30) - PROGRAM


def test_results_cannot_depend_on_the_moment(monkeypatch):
    with irbounds.execution(memory="1GiB"):
        before = room(0)
        monkeypatch.setattr(memory, "resident", lambda: 900 * MIB)
        assert room(0) == before
        assert left_now() == 124 * MIB


def test_what_is_left_counts_the_program_before_it_is_there(monkeypatch):
    with irbounds.execution(memory="1GiB"):
        assert left_now() == 1024 * MIB - PROGRAM
        monkeypatch.setattr(memory, "resident", lambda: 2000 * MIB)
        assert left_now() == 0


def test_work_that_fits_nowhere_is_refused():
    with pytest.raises(
        ParameterError,
        match=r"^7 things: at least 100 MiB of memory, and 99 MiB may be taken; take fewer$",
    ):
        check_fits("7 things", 100 * MIB, 99 * MIB, "take fewer")
    check_fits("7 things", 100 * MIB, 100 * MIB, "take fewer")


@pytest.mark.parametrize(("each", "n_threads"), [(10, 8), (20, 5), (60, 1), (99, 1)])
def test_no_more_threads_than_fit(each, n_threads):
    with (
        irbounds.execution(memory=PROGRAM + 110 * MIB, threads=8),
        fitting("it", kept=10 * MIB, each_thread=each * MIB, advice=""),
    ):
        assert current().n_threads == n_threads
        assert current().memory == PROGRAM + 110 * MIB  # the rest stays as it was


def test_one_thread_that_does_not_fit_is_refused():
    with (
        irbounds.execution(memory=PROGRAM + 110 * MIB),
        pytest.raises(ParameterError, match="it: at least 111 MiB of memory, and 110 MiB may"),
        fitting("it", kept=10 * MIB, each_thread=101 * MIB, advice="lower it"),
    ):
        raise AssertionError


def test_threads_elsewhere_have_memory_of_their_own():
    class Elsewhere:
        def submit(self):
            """Never called."""

    with (
        irbounds.execution(memory=PROGRAM + 110 * MIB, executor=Elsewhere()),
        fitting("it", kept=10 * MIB, each_thread=1000 * MIB, advice=""),
    ):
        pass


def test_trifles_are_not_asked_for(monkeypatch):
    monkeypatch.setattr(memory, "resident", lambda: 1 << 40)
    with (
        irbounds.execution(threads=2, memory="1GiB"),
        fitting("it", kept=MIB, each_thread=MIB, advice=""),
    ):
        assert current().n_threads == 2


def test_threads_within_leaves_one():
    with irbounds.execution(threads=4), threads_within(-5, 1e9):
        assert current().n_threads == 1


def test_this_process_and_machine(monkeypatch):
    monkeypatch.undo()
    machine_memory.cache_clear()
    physical = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    assert 0 < machine_memory() <= physical
    before = resident()
    ballast = np.ones(64 * MIB // 8)
    assert resident() - before > 0.9 * ballast.nbytes


@pytest.mark.parametrize(
    ("place", "limits", "expected"),
    [
        ("0::/", {"memory.max": "4294967296"}, 4 << 30),
        ("0::/", {"memory.max": "max"}, None),
        ("0::/a/b", {"a/b/memory.max": "max", "a/memory.max": "3000000000"}, 3_000_000_000),
        ("5:cpu,memory:/job", {"memory/job/memory.limit_in_bytes": "1000000000"}, 10**9),
        ("5:cpu:/job", {"memory/memory.limit_in_bytes": "9223372036854771712"}, None),
    ],
)
def test_the_limit_of_a_container(tmp_path, monkeypatch, place, limits, expected):
    for name, text in limits.items():
        (tmp_path / "groups" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "groups" / name).write_text(f"{text}\n")
    (tmp_path / "mine").write_text(f"{place}\n")
    monkeypatch.setattr(memory, "GROUPS", tmp_path / "groups")
    monkeypatch.setattr(memory, "GROUP_OF_PROCESS", tmp_path / "mine")
    monkeypatch.setattr(memory.os, "sysconf", lambda name: 1 << (31 if "PAGES" in name else 12))
    machine_memory.cache_clear()
    try:
        assert machine_memory() == (expected or 1 << 43)
    finally:
        machine_memory.cache_clear()


def test_a_system_that_says_nothing(tmp_path, monkeypatch):
    monkeypatch.undo()
    for name in ("GROUPS", "GROUP_OF_PROCESS", "PAGES_OF_PROCESS"):
        monkeypatch.setattr(memory, name, tmp_path / "nowhere")
    monkeypatch.delattr(memory.os, "sysconf")
    machine_memory.cache_clear()
    try:
        assert resident() == 0
        assert machine_memory() == 1 << 62
    finally:
        machine_memory.cache_clear()


def test_estimates_by_hand():
    """Two rows of a million resamples: means, squares, errors, sorted means and ratios, 8 bytes."""
    methods = [["bca", "studentised", "percentile"], ["student-t", "bca", "studentised"]]
    with irbounds.execution(memory=PROGRAM + 80_000_000):
        check_estimates_fit(methods, 1_000_000)
        with pytest.raises(ParameterError, match=r"^1,000,001 resamples for 2 systems and mea.*76"):
            check_estimates_fit(methods, 1_000_001)
        check_estimates_fit([["student-t"]], 10**12)
        check_estimates_fit([["percentile"]] * 2, 2_500_000)
        with pytest.raises(ParameterError, match=r"or method 'student-t'$"):
            check_estimates_fit([["percentile"]] * 2, 2_500_001)


@pytest.mark.parametrize(
    ("method", "width"), [("percentile", 3), ("studentised-logit", 5), ("studentised", 7)]
)
def test_calibration_by_hand(method, width):
    """A hundred samples of n = 10 of 50: arrays of 100 x 100,000, four of 100 x 50, the counts."""
    plan = CoveragePlan(["student-t", method], [0.95], 500, 100_000, 1)
    needed = 8 * 100 * (width * 100_000 + 4 * 50) + 2 * 10 * 100_000
    with (
        irbounds.execution(memory=PROGRAM + 2 * needed, threads=4),
        coverage_fitting(10, 50, plan),
    ):
        assert current().n_threads == 2
    with (
        irbounds.execution(memory=PROGRAM + needed - 1),
        pytest.raises(ParameterError, match=r"^100,000 resamples for each of 100 samples at once"),
        coverage_fitting(10, 50, plan),
    ):
        raise AssertionError


def test_pools_by_hand():
    """2 measures x 3 depths x 100 queries, 10,000 images, 50,000 rows of counts."""
    packed = SimpleNamespace(n_rows=50_000)
    kept = 16 * 6 * 10_000 + 4 * 600 * 1024
    each = 64 * (50_000 + 32 * 600 + 4 * 300)
    with (
        irbounds.execution(memory=PROGRAM + kept + 8 * each, threads=20),
        pools_fitting(packed, (2, 3, 100), 10_000),
    ):
        assert current().n_threads == 8


REFUSED = {
    "mean_interval": lambda scores: irbounds.mean_interval(
        scores, method="percentile", n_resamples=10**7
    ),
    # the means fit once, and not twice
    "mean_interval, kept": lambda scores: irbounds.mean_interval(
        scores, method="percentile", n_resamples=6 * 10**6
    ),
    "sign flips": lambda scores: irbounds.difference_interval(scores, n_resamples=10**7),
    "difference_interval": lambda scores: irbounds.difference_interval(
        scores, method="percentile", n_resamples=10**7
    ),
    "rank_interval": lambda scores: irbounds.rank_interval(scores, n_resamples=10**7),
    "calibrate": lambda scores: irbounds.calibrate(scores, 20, n_resamples=10**7),
    "random_baseline": lambda _: irbounds.random_baseline(
        {"q": {f"d{k}": k % 2 for k in range(50)}},
        {"mine": {"q": {"d1": 1.0}}},
        population="judged",
        method="monte-carlo",
        n_draws=10**7,
    ),
}


@pytest.mark.parametrize("call", REFUSED.values(), ids=REFUSED)
def test_refused_before_anything_is_drawn(call, monkeypatch):
    """With the limit; without one, a call that draws nothing gets as far as drawing."""
    import pandas as pd

    def drawing(*_, **__):
        raise RuntimeError("drawing")

    for place in (
        "resample.queries",
        "resample.sign_flips",
        "resample.label_shuffles",
        "design.coverage",
        "baseline.random_rankings",
        "compare.sign_flip",
    ):
        monkeypatch.setattr(f"irbounds.{place}.finished", drawing)
    scores = {"AP": pd.DataFrame(np.random.default_rng(1).random((40, 2)), columns=["a", "b"])}
    with (
        irbounds.execution(memory="400MiB"),
        pytest.raises(ParameterError, match=r"MiB.*; (take fewer|got 10,000,000 \(or)"),
    ):
        call(scores)
    with irbounds.execution(memory="100GiB"), pytest.raises(RuntimeError, match="drawing"):
        call(scores)
