"""Memory limits, estimates, sizes as text, and the memory of the process and the machine."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext

import numpy as np
import pytest

import irbounds
import sample_work
from irbounds.errors import ParameterError
from irbounds.intervals.means import check_estimates_fit
from irbounds.parallel import memory
from irbounds.parallel.execution import current_execution
from irbounds.parallel.memory import (
    NO_LIMIT,
    PROGRAM_BYTES,
    check_fits,
    check_fits_now,
    format_bytes,
    limit_threads,
    machine_memory,
    memory_budget,
    parse_bytes,
    remaining_memory,
    reserve_memory,
    resident_memory,
)
from irbounds.parallel.work import bind, run_work
from irbounds.resampling import query_bootstrap
from irbounds.verbs.chance import chance

MIB = 1 << 20


@pytest.fixture(autouse=True)
def light_process(monkeypatch):
    """Pretend that the process of the tests occupies nothing."""
    monkeypatch.setattr(memory, "resident_memory", lambda: 0)


def test_memory_budget_is_limited_by_the_user_and_the_machine(monkeypatch):
    monkeypatch.setattr(memory, "machine_memory", lambda: PROGRAM_BYTES + 100 * MIB)
    assert memory_budget(50 * MIB) == 50 * MIB
    assert memory_budget(200 * MIB) == 100 * MIB
    with irbounds.execution(memory=PROGRAM_BYTES + 10 * MIB):
        assert memory_budget(50 * MIB) == 10 * MIB
    with irbounds.execution(memory="2GiB"):  # whoever says so may have more than there is
        assert memory_budget(50 * MIB) == (2 << 30) - PROGRAM_BYTES


def test_memory_budget_does_not_depend_on_the_moment(monkeypatch):
    with irbounds.execution(memory="1GiB"):
        before = memory_budget(0)
        monkeypatch.setattr(memory, "resident_memory", lambda: 900 * MIB)
        assert memory_budget(0) == before
        assert remaining_memory() == 124 * MIB


def test_remaining_memory_counts_the_program(monkeypatch):
    with irbounds.execution(memory="1GiB"):
        assert remaining_memory() == 1024 * MIB - PROGRAM_BYTES
        monkeypatch.setattr(memory, "resident_memory", lambda: 2000 * MIB)
        assert remaining_memory() == 0


def test_work_that_does_not_fit_is_refused(monkeypatch):
    """The message names a sufficient limit, its option, and the memory of the machine if lower."""
    words = r"^7 things: at least 150 MiB of memory, and 99 MiB may be taken; take fewer"
    enough = r", or .* --memory \(.* irbounds\.execution\(memory=\.\.\.\)\): 408 MiB"
    for machine, more in ((1024, f"{enough}$"), (400, f"{enough}, .* machine has 400 MiB$")):
        monkeypatch.setattr(memory, "machine_memory", lambda machine=machine: machine * MIB)
        with pytest.raises(ParameterError, match=words + more):
            check_fits("7 things", 150 * MIB, 99 * MIB, "take fewer")
    check_fits("7 things", 100 * MIB, 100 * MIB, "take fewer")


def test_the_suggested_limit_is_enough():
    with irbounds.execution(memory="700MiB"):
        with pytest.raises(ParameterError, match="--memory") as refused:
            check_fits("it", remaining_memory() + 123 * MIB, remaining_memory(), "take fewer")
        needed = remaining_memory() + 123 * MIB
    enough = str(refused.value).rpartition(": ")[2]
    with irbounds.execution(memory=enough):
        check_fits("it", needed, remaining_memory(), "take fewer")


@pytest.mark.parametrize(("each", "n_threads"), [(10, 8), (20, 5), (60, 1), (99, 1)])
def test_threads_are_limited_to_those_that_fit(each, n_threads):
    with (
        irbounds.execution(memory=PROGRAM_BYTES + 110 * MIB, threads=8),
        reserve_memory("it", shared=10 * MIB, each_thread=each * MIB, advice=""),
    ):
        assert current_execution().n_threads == n_threads
        assert current_execution().memory == PROGRAM_BYTES + 110 * MIB  # the rest stays as it was


def test_one_thread_that_does_not_fit_is_refused():
    with (
        irbounds.execution(memory=PROGRAM_BYTES + 110 * MIB),
        pytest.raises(ParameterError, match="it: at least 111 MiB of memory, and 110 MiB may"),
        reserve_memory("it", shared=10 * MIB, each_thread=101 * MIB, advice="lower it"),
    ):
        raise AssertionError


def test_remote_workers_have_their_own_memory():
    class Elsewhere:
        def submit(self):
            """Never called."""

    needs = {"shared": 10 * MIB, "each_thread": 1000 * MIB, "advice": ""}
    memory = PROGRAM_BYTES + 110 * MIB
    with irbounds.execution(memory=memory, executor=Elsewhere()), reserve_memory("it", **needs):
        pass
    with (
        irbounds.execution(memory=memory, threads=1),
        pytest.raises(ParameterError, match="it: at least 1,010 MiB of memory"),
        reserve_memory("it", **needs),
    ):
        raise AssertionError


@pytest.mark.parametrize(("each", "n_threads"), [(10, 8), (20, 5), (60, 1)])
def test_a_thread_pool_receives_only_blocks_that_fit(each, n_threads):
    """Its threads use the memory of this process; the caller decides how many there are."""
    with (
        ThreadPoolExecutor(8) as pool,
        irbounds.execution(memory=PROGRAM_BYTES + 110 * MIB, executor=pool, n_blocks=40),
    ):
        with reserve_memory("it", shared=10 * MIB, each_thread=each * MIB, advice=""):
            assert current_execution().n_threads == n_threads
            gauge = sample_work.Gauge()
            work = bind(sample_work.gauge, "sample", gauge=gauge, seconds=0.001)
            assert len(list(run_work(work, 40, cost=1))) == 40
            assert gauge.most <= n_threads
        with (
            pytest.raises(ParameterError, match="it: at least 111 MiB of memory, and 110 MiB may"),
            reserve_memory("it", shared=10 * MIB, each_thread=101 * MIB, advice=""),
        ):
            raise AssertionError


def ask_for_much(_unit):
    """Reserve what a unit would reserve outside of work."""
    with reserve_memory("it", shared=1 << 50, each_thread=1 << 50, advice=""):
        check_fits_now("it", 1 << 50, "")
    return ()


@pytest.mark.parametrize("threads", [1, 2])
def test_nothing_is_refused_within_a_unit(threads):
    with irbounds.execution(memory="1GiB", threads=threads, n_blocks=4):
        with pytest.raises(ParameterError, match=r"^it: at least .* may be taken"):
            ask_for_much(0)
        work = bind(ask_for_much, "sample")
        assert len(list(run_work(work, 4, cost=1))) == 4


def test_negligible_amounts_are_not_checked(monkeypatch):
    monkeypatch.setattr(memory, "resident_memory", lambda: 1 << 40)
    with (
        irbounds.execution(threads=2, memory="1GiB"),
        reserve_memory("it", shared=MIB, each_thread=MIB, advice=""),
    ):
        assert current_execution().n_threads == 2


def test_limit_threads_leaves_one():
    with irbounds.execution(threads=4), limit_threads(-5, 1e9):
        assert current_execution().n_threads == 1


def test_memory_estimate_of_means():
    """Two rows of a million resamples: means, squares, errors, sorted means and ratios, 8 bytes."""
    methods = [["bca", "studentised", "percentile"], ["student-t", "bca", "studentised"]]
    with irbounds.execution(memory=PROGRAM_BYTES + 80_000_000):
        check_estimates_fit(methods, 1_000_000)
        with pytest.raises(ParameterError, match=r"^1,000,001 resamples for 2 systems and mea.*76"):
            check_estimates_fit(methods, 1_000_001)
        check_estimates_fit([["student-t"]], 10**12)
        check_estimates_fit([["percentile"]] * 2, 2_500_000)
        with pytest.raises(ParameterError, match=r"or method 'student-t', or .*--memory"):
            check_estimates_fit([["percentile"]] * 2, 2_500_001)


@pytest.mark.parametrize(("n", "rows"), [(100, 64), ((1 << 17) + 1, 32)])
def test_memory_estimate_of_a_bootstrap(monkeypatch, n, rows):
    """One byte per query and resample at once, 32 for those of a stream, and two sums."""
    asked = {}
    monkeypatch.setattr(
        query_bootstrap, "reserve_memory", lambda _, **needs: asked.update(needs) or nullcontext()
    )
    monkeypatch.setattr(query_bootstrap, "run_work", lambda *_, **__: ())
    query_bootstrap.bootstrap_queries(np.zeros((2, n)), 10, 1)
    assert asked["each_thread"] == n * rows + n * 32 + 2 * 2 * 8 * rows


REFUSED = {
    "mean_interval": lambda scores: irbounds.mean_interval(
        scores, method="percentile", n_resamples=10**7
    ),
    # the means fit once, and not twice
    "mean_interval, kept": lambda scores: irbounds.mean_interval(
        scores, method="percentile", n_resamples=6 * 10**6
    ),
    "sign flips": lambda scores: irbounds.difference_interval(
        scores, test="sign-flip", n_resamples=10**7
    ),
    "difference_interval": lambda scores: irbounds.difference_interval(
        scores, method="percentile", n_resamples=10**7
    ),
    "chance": lambda _: chance(
        {"q": {f"d{k}": k % 2 for k in range(50)}},
        {"mine": {"q": {"d1": 1.0}}},
        population="judged",
        method="monte-carlo",
        n_draws=10**7,
    ),
}


@pytest.mark.parametrize("call", REFUSED.values(), ids=REFUSED)
def test_work_is_refused_before_anything_is_drawn(call, monkeypatch):
    """With the limit it is refused; without one, the call reaches the drawing."""
    import pandas as pd

    def drawing(*_, **__):
        raise RuntimeError("drawing")

    for place in (
        "resampling.query_bootstrap",
        "comparisons.sign_flip",
        "random_rankings.monte_carlo",
        "comparisons.sign_flip",
    ):
        monkeypatch.setattr(f"irbounds.{place}.run_work", drawing)
    scores = {"AP": pd.DataFrame(np.random.default_rng(1).random((40, 2)), columns=["a", "b"])}
    with (
        irbounds.execution(memory="400MiB"),
        pytest.raises(ParameterError, match=r"MiB.*; take (fewer|at most)"),
    ):
        call(scores)
    with irbounds.execution(memory="100GiB"), pytest.raises(RuntimeError, match="drawing"):
        call(scores)


# ---- sizes as text ----


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
def test_parse_bytes(given, expected):
    assert parse_bytes(given) == expected


@pytest.mark.parametrize("given", ["", "GiB", "2 XB", "-2GiB", "2,5GiB", 0, -1, 2.5, True, "0", []])
def test_invalid_sizes_are_refused(given):
    with pytest.raises(ParameterError, match=r"^memory must be a size such as 2GiB or 500MB; got "):
        parse_bytes(given)


@pytest.mark.parametrize("given", ["1MiB", "250MiB", PROGRAM_BYTES])
def test_a_limit_below_the_program_is_refused(given):
    with pytest.raises(
        ParameterError, match=r"^memory must be more than the 250 MiB that the program .*; got "
    ):
        parse_bytes(given)
    assert parse_bytes(PROGRAM_BYTES + 1) == PROGRAM_BYTES + 1


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
def test_format_bytes(n_bytes, shown):
    assert format_bytes(n_bytes) == shown


# ---- memory of the process and the machine ----


@pytest.fixture(autouse=True)
def uncached_machine_memory():
    """Measure the machine again in each test."""
    machine_memory.cache_clear()
    yield
    machine_memory.cache_clear()


def test_memory_of_this_process_and_machine():
    physical = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    assert 0 < machine_memory() <= physical
    before = resident_memory()
    ballast = np.ones(64 * MIB // 8)
    assert resident_memory() - before > 0.9 * ballast.nbytes


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
    monkeypatch.setattr(memory, "CGROUPS", tmp_path / "groups")
    monkeypatch.setattr(memory, "CGROUP_OF_PROCESS", tmp_path / "mine")
    monkeypatch.setattr(memory.os, "sysconf", lambda name: 1 << (31 if "PAGES" in name else 12))
    assert machine_memory() == (expected or 1 << 43)


def test_a_system_without_limits(tmp_path, monkeypatch):
    for name in ("CGROUPS", "CGROUP_OF_PROCESS", "PAGES_OF_PROCESS"):
        monkeypatch.setattr(memory, name, tmp_path / "nowhere")
    monkeypatch.delattr(memory.os, "sysconf")
    assert (resident_memory(), machine_memory()) == (0, NO_LIMIT)


@pytest.mark.skipif(os.name == "nt", reason="limits as POSIX has them")
def test_the_limit_of_a_process(monkeypatch):
    before = machine_memory()
    for limit, expected in ((1 << 30, 1 << 30), (-1, before)):
        monkeypatch.setattr("resource.getrlimit", lambda _, limit=limit: (limit, limit))
        machine_memory.cache_clear()
        assert machine_memory() == expected
