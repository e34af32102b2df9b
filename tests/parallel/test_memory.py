"""Limits, and work that is refused or given fewer threads before it starts."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from types import SimpleNamespace

import numpy as np
import pytest

import irbounds
import sample_work
from irbounds.corpora.shallow_pools import reserve_pool_memory
from irbounds.errors import ParameterError
from irbounds.intervals.means import check_estimates_fit
from irbounds.parallel import memory
from irbounds.parallel.execution import current_execution
from irbounds.parallel.memory import (
    PROGRAM_BYTES,
    check_fits,
    check_fits_now,
    limit_threads,
    memory_budget,
    remaining_memory,
    reserve_memory,
)
from irbounds.parallel.work import bind, run_work
from irbounds.planning.calibration import calibrate
from irbounds.planning.interval_coverage import CoveragePlan, reserve_coverage_memory
from irbounds.resampling import queries
from irbounds.verbs.chance import chance

MIB = 1 << 20


@pytest.fixture(autouse=True)
def light_process(monkeypatch):
    """As if nothing were loaded: what the tests' own process occupies says nothing here."""
    monkeypatch.setattr(memory, "resident_memory", lambda: 0)


def test_room_is_what_the_limit_leaves_and_never_more_than_the_machine_has(monkeypatch):
    monkeypatch.setattr(memory, "machine_memory", lambda: PROGRAM_BYTES + 100 * MIB)
    assert memory_budget(50 * MIB) == 50 * MIB
    assert memory_budget(200 * MIB) == 100 * MIB
    with irbounds.execution(memory=PROGRAM_BYTES + 10 * MIB):
        assert memory_budget(50 * MIB) == 10 * MIB
    with irbounds.execution(memory="2GiB"):  # whoever says so may have more than there is
        assert memory_budget(50 * MIB) == (2 << 30) - PROGRAM_BYTES


def test_results_cannot_depend_on_the_moment(monkeypatch):
    with irbounds.execution(memory="1GiB"):
        before = memory_budget(0)
        monkeypatch.setattr(memory, "resident_memory", lambda: 900 * MIB)
        assert memory_budget(0) == before
        assert remaining_memory() == 124 * MIB


def test_what_is_left_counts_the_program_before_it_is_there(monkeypatch):
    with irbounds.execution(memory="1GiB"):
        assert remaining_memory() == 1024 * MIB - PROGRAM_BYTES
        monkeypatch.setattr(memory, "resident_memory", lambda: 2000 * MIB)
        assert remaining_memory() == 0


def test_work_that_fits_nowhere_is_refused(monkeypatch):
    """And the limit that would do is named, with its option, and what the machine has if less."""
    words = r"^7 things: at least 150 MiB of memory, and 99 MiB may be taken; take fewer"
    enough = r", or .* --memory \(.* irbounds\.execution\(memory=\.\.\.\)\): 408 MiB"
    for machine, more in ((1024, f"{enough}$"), (400, f"{enough}, .* machine has 400 MiB$")):
        monkeypatch.setattr(memory, "machine_memory", lambda machine=machine: machine * MIB)
        with pytest.raises(ParameterError, match=words + more):
            check_fits("7 things", 150 * MIB, 99 * MIB, "take fewer")
    check_fits("7 things", 100 * MIB, 100 * MIB, "take fewer")


def test_the_limit_that_is_named_is_enough():
    with irbounds.execution(memory="700MiB"):
        with pytest.raises(ParameterError, match="--memory") as refused:
            check_fits("it", remaining_memory() + 123 * MIB, remaining_memory(), "take fewer")
        needed = remaining_memory() + 123 * MIB
    enough = str(refused.value).rpartition(": ")[2]
    with irbounds.execution(memory=enough):
        check_fits("it", needed, remaining_memory(), "take fewer")


@pytest.mark.parametrize(("each", "n_threads"), [(10, 8), (20, 5), (60, 1), (99, 1)])
def test_no_more_threads_than_fit(each, n_threads):
    with (
        irbounds.execution(memory=PROGRAM_BYTES + 110 * MIB, threads=8),
        reserve_memory("it", kept=10 * MIB, each_thread=each * MIB, advice=""),
    ):
        assert current_execution().n_threads == n_threads
        assert current_execution().memory == PROGRAM_BYTES + 110 * MIB  # the rest stays as it was


def test_one_thread_that_does_not_fit_is_refused():
    with (
        irbounds.execution(memory=PROGRAM_BYTES + 110 * MIB),
        pytest.raises(ParameterError, match="it: at least 111 MiB of memory, and 110 MiB may"),
        reserve_memory("it", kept=10 * MIB, each_thread=101 * MIB, advice="lower it"),
    ):
        raise AssertionError


def test_threads_elsewhere_have_memory_of_their_own():
    class Elsewhere:
        def submit(self):
            """Never called."""

    needs = {"kept": 10 * MIB, "each_thread": 1000 * MIB, "advice": ""}
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
def test_a_pool_of_threads_is_given_no_more_blocks_than_fit(each, n_threads):
    """Its threads have the memory of this process; how many there are is the caller's affair."""
    with (
        ThreadPoolExecutor(8) as pool,
        irbounds.execution(memory=PROGRAM_BYTES + 110 * MIB, executor=pool, n_blocks=40),
    ):
        with reserve_memory("it", kept=10 * MIB, each_thread=each * MIB, advice=""):
            assert current_execution().n_threads == n_threads
            gauge = sample_work.Gauge()
            work = bind(sample_work.gauge, "sample", gauge=gauge, seconds=0.001)
            assert len(list(run_work(work, 40, cost=1))) == 40
            assert gauge.most <= n_threads
        with (
            pytest.raises(ParameterError, match="it: at least 111 MiB of memory, and 110 MiB may"),
            reserve_memory("it", kept=10 * MIB, each_thread=101 * MIB, advice=""),
        ):
            raise AssertionError


def ask_for_much(_unit):
    """What a unit would ask for if it came by itself."""
    with reserve_memory("it", kept=1 << 50, each_thread=1 << 50, advice=""):
        check_fits_now("it", 1 << 50, "")
    return ()


@pytest.mark.parametrize("threads", [1, 2])
def test_nothing_is_refused_in_the_middle_of_work(threads):
    """A calibration bootstraps in its units, and has said before what that takes."""
    with irbounds.execution(memory="1GiB", threads=threads, n_blocks=4):
        with pytest.raises(ParameterError, match=r"^it: at least .* may be taken"):
            ask_for_much(0)
        work = bind(ask_for_much, "sample")
        assert len(list(run_work(work, 4, cost=1))) == 4


def test_trifles_are_not_asked_for(monkeypatch):
    monkeypatch.setattr(memory, "resident_memory", lambda: 1 << 40)
    with (
        irbounds.execution(threads=2, memory="1GiB"),
        reserve_memory("it", kept=MIB, each_thread=MIB, advice=""),
    ):
        assert current_execution().n_threads == 2


def test_threads_within_leaves_one():
    with irbounds.execution(threads=4), limit_threads(-5, 1e9):
        assert current_execution().n_threads == 1


def test_estimates_by_hand():
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


@pytest.mark.parametrize(
    ("method", "width"), [("percentile", 3), ("studentised-logit", 5), ("studentised", 7)]
)
def test_calibration_by_hand(method, width):
    """A hundred samples of n = 10 of 50: arrays of 100 x 100,000, four of 100 x 50, the counts."""
    plan = CoveragePlan(["student-t", method], [0.95], 500, 100_000, 1)
    needed = 8 * 100 * (width * 100_000 + 4 * 50) + 2 * 10 * 100_000
    with (
        irbounds.execution(memory=PROGRAM_BYTES + 2 * needed, threads=4),
        reserve_coverage_memory(10, 50, plan),
    ):
        assert current_execution().n_threads == 2
    with (
        irbounds.execution(memory=PROGRAM_BYTES + needed - 1),
        pytest.raises(ParameterError, match=r"^100,000 resamples of each of 100 samples at a time"),
        reserve_coverage_memory(10, 50, plan),
    ):
        raise AssertionError


@pytest.mark.parametrize(("n", "rows"), [(100, 64), ((1 << 17) + 1, 32)])
def test_a_bootstrap_by_hand(monkeypatch, n, rows):
    """A byte for each query and resample at once, and 32 where a stream's are drawn; two sums."""
    asked = {}
    monkeypatch.setattr(
        queries, "reserve_memory", lambda _, **needs: asked.update(needs) or nullcontext()
    )
    monkeypatch.setattr(queries, "run_work", lambda *_, **__: ())
    queries.bootstrap_queries(np.zeros((2, n)), 10, 1)
    assert asked["each_thread"] == n * rows + n * 32 + 2 * 2 * 8 * rows


def test_pools_by_hand():
    """2 measures x 3 depths x 100 queries, 10,000 images, 50,000 rows of counts."""
    packed = SimpleNamespace(n_rows=50_000)
    kept = 16 * 6 * 10_000 + 4 * 600 * 1024
    each = 64 * (50_000 + 32 * 600 + 4 * 300)
    with (
        irbounds.execution(memory=PROGRAM_BYTES + kept + 8 * each, threads=20),
        reserve_pool_memory(packed, (2, 3, 100), 10_000),
    ):
        assert current_execution().n_threads == 8


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
    "calibrate": lambda scores: calibrate(scores, 20, n_resamples=10**7),
    "chance": lambda _: chance(
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
        "resampling.queries",
        "comparisons.sign_flip",
        "resampling.label_shuffles",
        "planning.interval_coverage",
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
