"""``execution``: its options, invalid values, and nested blocks."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import pytest

import irbounds
from irbounds.errors import ParameterError
from irbounds.parallel.execution import Execution, count_cores, current_execution
from irbounds.parallel.work import bind, run_work

POOL = ThreadPoolExecutor(1)


def test_by_default_all_cores_and_no_limits(monkeypatch):
    monkeypatch.delenv("IRBOUNDS_THREADS", raising=False)
    assert current_execution() == Execution()
    assert current_execution().n_threads == count_cores()
    assert 1 <= count_cores() <= (os.cpu_count() or 1)
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    assert count_cores() == (os.cpu_count() or 1)


def test_options_apply_within_the_block(tmp_path):
    with irbounds.execution(threads=3, checkpoint=tmp_path, memory="2GiB", n_blocks=7):
        now = current_execution()
        assert (now.n_threads, now.memory, now.n_blocks) == (3, 2 << 30, 7)
        assert now.checkpoint.directory == tmp_path
    assert current_execution() == Execution()


def test_options_are_restored_after_an_error():
    with pytest.raises(ZeroDivisionError), irbounds.execution(threads=3):
        1 / 0  # noqa: B018
    assert current_execution() == Execution()


def test_a_nested_block_replaces_only_its_options(tmp_path):
    with irbounds.execution(threads=3, checkpoint=tmp_path, memory="2GiB"):
        outer = current_execution()
        with irbounds.execution(threads=2):
            assert (current_execution().threads, current_execution().memory) == (2, 2 << 30)
            assert (
                current_execution().checkpoint is outer.checkpoint
            )  # it goes on, and does not begin again
            with irbounds.execution(memory="1GiB", n_blocks=5):
                assert (
                    current_execution().threads,
                    current_execution().memory,
                    current_execution().n_blocks,
                ) == (2, 1 << 30, 5)
        assert current_execution() == outer


def test_threads_and_executor_replace_each_other():
    with irbounds.execution(executor=POOL, memory="2GiB"):
        with irbounds.execution(threads=2):
            assert (current_execution().executor, current_execution().threads) == (None, 2)
            with irbounds.execution(executor=POOL):
                assert (current_execution().executor, current_execution().threads) == (POOL, None)
                assert current_execution().memory == 2 << 30
        assert (current_execution().executor, current_execution().threads) == (POOL, None)
        with irbounds.execution(memory="1GiB"):
            assert current_execution().executor is POOL


def test_options_do_not_apply_to_other_threads():
    seen = []
    with irbounds.execution(threads=3):
        thread = threading.Thread(target=lambda: seen.append(current_execution()))
        thread.start()
        thread.join()
    assert seen == [Execution()]


def test_execution_as_a_decorator():
    @irbounds.execution(threads=3)
    def threads():
        return current_execution().threads

    assert [threads(), threads()] == [3, 3]


@pytest.mark.parametrize(
    "how", [{"threads": 3}, {"executor": POOL}, {"threads": 1}], ids=lambda how: next(iter(how))
)
def test_units_do_not_see_the_execution_of_the_caller(how, tmp_path):
    """A unit has the same execution on a remote worker."""
    seen = []
    with irbounds.execution(**how, memory="2GiB", checkpoint=tmp_path / "kept", n_blocks=2):
        list(run_work(bind(note_how, "sample", seen=seen), 4, cost=1))
        assert not current_execution().within_unit
    assert len(seen) == 4
    for now in seen:
        assert (now.n_threads, now.within_unit) == (1, True)
        assert now.executor is now.checkpoint is now.memory is now.n_blocks is None


def note_how(_unit, *, seen):
    seen.append(current_execution())
    return ()


def test_threads_of_a_pool_are_threads_of_this_process():
    with ThreadPoolExecutor(5) as pool, irbounds.execution(executor=pool):
        assert (current_execution().n_threads, current_execution().is_remote) == (5, False)
    with ProcessPoolExecutor(5) as pool, irbounds.execution(executor=pool):
        assert current_execution().is_remote
    assert not current_execution().is_remote


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"threads": 0}, "threads must be an integer of at least 1; got 0"),
        ({"threads": -1}, "threads must be an integer of at least 1; got -1"),
        ({"threads": 1.5}, r"threads must be an integer of at least 1; got 1\.5"),
        ({"threads": "2"}, "threads must be an integer of at least 1; got '2'"),
        ({"threads": True}, "threads must be an integer of at least 1; got True"),
        ({"n_blocks": 0}, "n_blocks must be an integer of at least 1; got 0"),
        ({"memory": "much"}, "memory must be a size such as 2GiB or 500MB; got 'much'"),
        ({"memory": 0}, "memory must be a size such as 2GiB or 500MB; got 0"),
        ({"executor": 3}, "executor must have a method submit, as .* has; got 3"),
        ({"executor": "local"}, "executor must have a method submit, as .* has; got 'local'"),
        (
            {"executor": ThreadPoolExecutor},
            "executor must have a method submit, as .* has; got <class '.*ThreadPoolExecutor'>",
        ),
        (
            {"executor": "tcp://x:1"},
            r"executor must be a Dask client and not its address; give "
            r"dask.distributed.Client\('tcp://x:1'\)",
        ),
        ({"checkpoint": 3}, "checkpoint must be the path of a directory; got 3"),
        ({"checkpoint": b"c"}, "checkpoint must be the path of a directory; got b'c'"),
        ({"memory": "9" * 400}, "memory must be a size such as 2GiB or 500MB; got '9+'"),
        ({"memory": 10**400}, "memory must be a size such as 2GiB or 500MB; got 10+"),
        ({"executor": POOL, "threads": 2}, "threads and executor: give one or the other"),
    ],
)
def test_bad_values(options, said):
    with pytest.raises(ParameterError, match=f"^{said}$"), irbounds.execution(**options):
        pass
    assert current_execution() == Execution()


def test_positional_arguments_are_refused():
    with pytest.raises(TypeError, match="positional"):
        irbounds.execution(2)


@pytest.mark.parametrize(("text", "threads"), [("1", 1), (" 3 ", 3), ("64", 64)])
def test_the_environment_variable_sets_the_threads(monkeypatch, text, threads):
    monkeypatch.setenv("IRBOUNDS_THREADS", text)
    assert current_execution().n_threads == threads
    with irbounds.execution(threads=2):  # what is given goes before it
        assert current_execution().n_threads == 2
    with irbounds.execution(memory="2GiB"):
        assert current_execution().n_threads == threads


@pytest.mark.parametrize("text", ["", "  "])
def test_an_empty_environment_variable_is_ignored(monkeypatch, text):
    monkeypatch.setenv("IRBOUNDS_THREADS", text)
    assert current_execution().n_threads == count_cores()


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "two", "²", "1_0", "+2"])
def test_an_invalid_environment_variable_is_an_error(monkeypatch, text):
    monkeypatch.setenv("IRBOUNDS_THREADS", text)
    said = "^IRBOUNDS_THREADS must be an integer of at least 1; got "
    with pytest.raises(ParameterError, match=said):
        list(run_work(bind(pytest.fail, "sample"), 3, cost=1e9))
    with irbounds.execution(threads=1):
        assert list(run_work(bind(lambda _: (), "sample"), 3, cost=1e9)) == [()] * 3
