"""Blocks on a real Dask cluster of two worker processes, over TCP on this machine."""

from __future__ import annotations

import gc
import logging
import os
import signal
import socketserver
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, suppress

import numpy as np
import pytest

import every_work
import irbounds
import sample_work
from irbounds.errors import DataError, ExecutionError, ParameterError
from irbounds.parallel import dask
from irbounds.parallel.dask import dask_client
from irbounds.parallel.work import bind, count_progress, run_work

distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def client():
    with dask_client("local", 2) as made:
        yield made


def on(client, work, n_units, n_blocks=6, progress=None):
    with irbounds.execution(executor=client, n_blocks=n_blocks):
        return [one for (one,) in run_work(work, n_units, cost=1.0, progress=progress)]


def plain_cluster(n_workers: int):
    """Return a cluster in this process without a key."""
    return distributed.LocalCluster(
        n_workers=n_workers,
        processes=False,
        protocol="tcp://",
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
    )


def blocks_of(client) -> list[str]:
    """Return the finished blocks on the cluster."""
    return [key for key in map(str, client.who_has()) if key.startswith("run_block_if_same")]


def running_blocks(client) -> list[str]:
    """Return the blocks that the cluster has to run."""
    of_workers = client.processing().values()
    return [
        key for keys in of_workers for key in map(str, keys) if key.startswith("run_block_if_same")
    ]


QUICK = ("resampled queries", "stream", "images")


@pytest.mark.parametrize(
    "name", [pytest.param(k, marks=[] if k in QUICK else pytest.mark.slow) for k in every_work.WORK]
)
def test_all_work_has_the_bits_of_one_thread(client, name):
    with irbounds.execution(executor=client, n_blocks=5):
        assert every_work.bits(name) == every_work.bits_on_one_thread(name)


def test_the_executor_of_a_client_gives_the_same_bits(client):
    with irbounds.execution(executor=client.get_executor(), n_blocks=3):
        assert every_work.bits(QUICK[0]) == every_work.bits_on_one_thread(QUICK[0])


def test_work_runs_on_the_workers(client, tmp_path):
    """Negative control of the tests above: nothing runs in this process."""
    seen = on(client, bind(sample_work.who, "sample"), 6)
    assert {int(one[0]) for one in seen} <= set(client.run(sample_work.process).values())


def test_shared_arguments_are_sent_once_and_tasks_are_small(client, monkeypatch):
    large = np.arange(400_000.0)  # 3 MB
    scattered, tasks = [], []
    scatter, submit = client.scatter, client.submit

    def scatter_noted(data, **options):
        scattered.append(data)
        return scatter(data, **options)

    def submit_noted(function, *given, **options):
        tasks.append(len(distributed.protocol.pickle.dumps(given)))
        return submit(function, *given, **options)

    monkeypatch.setattr(client, "scatter", scatter_noted)
    monkeypatch.setattr(client, "submit", submit_noted)
    found = on(client, bind(sample_work.part, "sample", large=large), 40, n_blocks=20)
    assert np.array_equal(np.concatenate(found), large[:40])
    assert len(scattered) == 1
    assert len(tasks) >= 20
    assert max(tasks) < 10_000


def test_few_blocks_are_submitted_ahead(client, monkeypatch):
    """Two per worker thread, so that results do not accumulate while the caller is busy."""
    submitted = []
    submit = client.submit

    def submit_noted(function, *given, **options):
        submitted.extend(given[:1])  # a task that is waited with has no arguments
        return submit(function, *given, **options)

    monkeypatch.setattr(client, "submit", submit_noted)
    work = bind(sample_work.draw, "sample", seed=1, n=2)
    with irbounds.execution(executor=client, n_blocks=40):
        blocks = run_work(work, 40, cost=1.0)
        for taken in range(3):
            next(blocks)
            assert len(submitted) == taken + 2 * dask.AHEAD
        blocks.close()


def test_progress_is_reported_to_the_end(client):
    told = []
    step = count_progress(lambda done, total: told.append((done, total)), 12)
    on(client, bind(sample_work.pause, "sample", seconds=0.0), 12, progress=step)
    assert told == [(k, 12) for k in range(1, 13)]


def test_an_error_of_the_work_is_raised_unchanged(client):
    with pytest.raises(DataError, match="unit 7 cannot be"):
        on(client, bind(sample_work.fail, "sample", at=7), 12)
    found = on(client, bind(sample_work.fail, "sample", at=-1), 12)  # the cluster goes on
    assert len(found) == 12


def test_an_oserror_of_the_work_is_not_a_lost_worker(client, tmp_path):
    """An ``OSError`` of the work is not taken for one of the connection."""
    with pytest.raises(FileNotFoundError):
        on(client, bind(sample_work.note, "sample", directory=str(tmp_path / "none"), n=1), 4)


def test_long_blocks_are_waited_for(client, monkeypatch, tmp_path):
    """They are waited for while a worker runs them; a TimeoutError of the work is raised."""
    asked = []
    nthreads = client.nthreads

    def nthreads_noted():
        asked.append(1)
        if len(asked) == 4:  # patience has ended three times, and there was a worker each time
            (tmp_path / "go").touch()
        return nthreads()

    monkeypatch.setattr(client, "nthreads", nthreads_noted)
    monkeypatch.setattr(dask, "_await_worker", lambda client: None)  # which has patience, too
    monkeypatch.setattr(dask, "WORKER_TIMEOUT", 0.02)
    work = bind(sample_work.wait_for, "sample", path=str(tmp_path / "go"))
    assert len(on(client, work, 2, n_blocks=1)) == 2
    assert len(asked) >= 4
    with pytest.raises(TimeoutError, match="the work's own"):
        on(client, bind(sample_work.time_out, "sample"), 2)


def test_an_interruption_ends_the_work_but_not_the_cluster(client, monkeypatch, tmp_path):
    """No block is done by then, and none would be; waiting blocks are cancelled."""
    submit = client.submit

    def submit_noted(*given, **options):
        future = submit(*given, **options)
        if len(given) > 1 and not interrupting.is_alive():
            interrupting.start()
        return future

    interrupting = threading.Timer(0.1, os.kill, [os.getpid(), signal.SIGINT])
    work = bind(sample_work.wait_for, "sample", path=str(tmp_path / "go"))
    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(client, "submit", submit_noted)
        on(client, work, 8, n_blocks=8)
    patience = time.monotonic() + 10
    while running_blocks(client) and time.monotonic() < patience:
        time.sleep(0.02)
    assert not running_blocks(client)  # though two of them still wait
    (tmp_path / "go").touch()
    assert len(on(client, bind(sample_work.pause, "sample", seconds=0.0), 12)) == 12
    patience = time.monotonic() + 30  # Dask forgets results in its own time
    while blocks_of(client) and time.monotonic() < patience:
        gc.collect()  # what was interrupted may hold one in a circle
        time.sleep(0.02)
    assert not blocks_of(client)


def test_a_worker_with_other_versions_is_refused(client, monkeypatch):
    theirs = irbounds.__version__
    monkeypatch.setattr(irbounds, "__version__", "9.9")
    reason = f"the Dask worker tls://.* has other versions: irbounds is {theirs} there and 9.9 here"
    with pytest.raises(ExecutionError, match=reason):
        on(client, bind(sample_work.pause, "sample", seconds=0.0), 2)


WITHOUT_IRBOUNDS = """
import asyncio, sys
sys.modules["irbounds"] = None  # so that to import it fails
from distributed import Worker

async def work():
    async with Worker(sys.argv[1], nthreads=1) as worker:
        await worker.finished()

asyncio.run(work())
"""


def test_a_worker_without_irbounds_is_refused(caplog, tmp_path):
    """The worker is a real process without irbounds."""
    caplog.set_level(logging.CRITICAL, logger="distributed")
    cluster = plain_cluster(n_workers=0)
    with (
        cluster,
        distributed.Client(cluster, set_as_default=False) as client,
        subprocess.Popen(
            [sys.executable, "-c", WITHOUT_IRBOUNDS, client.scheduler.address],
            stderr=subprocess.DEVNULL,
            cwd=tmp_path,
        ) as worker,
    ):
        client.wait_for_workers(1, timeout=60)
        (address,) = client.nthreads()
        message = f"^the Dask worker {address} lacks this irbounds; .*No module named 'irbounds"
        with pytest.raises(ExecutionError, match=message):
            on(client, bind(sample_work.pause, "sample", seconds=0.0), 2)
        worker.kill()


def test_checkpoints_are_written_and_read_by_the_client(client, tmp_path):
    notes = tmp_path / "notes"
    notes.mkdir()
    work = bind(sample_work.note, "sample", directory=str(notes), n=3)
    results = []
    for executor in (client, None):
        with irbounds.execution(executor=executor, checkpoint=tmp_path / "c", n_blocks=4):
            results.append([one for (one,) in run_work(work, 12, cost=1.0)])
    assert np.array_equal(*results)
    assert {len(path.read_text()) for path in notes.iterdir()} == {1}


def test_finished_work_needs_no_cluster(client, tmp_path):
    work = bind(sample_work.draw, "sample", seed=1, n=2)
    for executor in (None, _Nobody()):
        with irbounds.execution(executor=executor, checkpoint=tmp_path / "c", n_blocks=4):
            assert len(list(run_work(work, 12, cost=1.0))) == 12


class _Nobody:
    def submit(self, *given):
        raise AssertionError("nothing is to be done")


def test_an_address_without_a_scheduler_is_an_error(monkeypatch, caplog):
    caplog.set_level(logging.INFO, logger="irbounds")
    monkeypatch.setattr(dask, "CONNECT_TIMEOUT", 0.5)
    monkeypatch.setattr(dask, "NOTICE_DELAY", 0.1)
    message = r"^no Dask scheduler at tcp://127.0.0.1:1: (.* refused|no answer .*); .* 8786 .*8787 "
    with pytest.raises(ExecutionError, match=message), dask_client("tcp://127.0.0.1:1"):
        pytest.fail("there is none")
    assert caplog.messages == ["connecting to tcp://127.0.0.1:1 ..."]


def answer_slowly(connection):
    for number in range(60):
        connection.sendall(bytes([number % 7]))
        time.sleep(0.1)


OTHERS = {
    "nothing": lambda connection: connection.recv(1 << 20) and time.sleep(6.0),
    "HTTP": lambda connection: connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n"),
    "zeros": lambda connection: connection.sendall(bytes(1000)),
    "rubbish, slowly": answer_slowly,
    "a closed connection": lambda connection: connection.close(),
}


@pytest.fixture
def serve():
    """Start a server on this machine that does one thing with every connection."""
    with ExitStack() as stack:

        def start(act, scheme="tcp"):
            class Handler(socketserver.BaseRequestHandler):
                def handle(self):
                    with suppress(OSError):
                        act(self.request)

            server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
            server.daemon_threads, server.block_on_close = True, False
            stack.enter_context(server)
            thread = threading.Thread(target=server.serve_forever, args=[0.02], daemon=True)
            thread.start()
            stack.callback(thread.join)
            stack.callback(server.shutdown)
            return f"{scheme}://127.0.0.1:{server.server_address[1]}"

        yield start


#: over ws:// Dask leaves sockets to the garbage collector, which takes seconds here
ADDRESSES = [
    *((what, "tcp") for what in OTHERS),
    *(pytest.param(what, "ws", marks=pytest.mark.slow) for what in OTHERS),
]


@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
@pytest.mark.parametrize(("what", "scheme"), ADDRESSES)
def test_a_port_of_another_program_is_an_error_in_time(serve, monkeypatch, what, scheme):
    monkeypatch.setattr(dask, "CONNECT_TIMEOUT", 1.0)
    address = serve(OTHERS[what], scheme)
    began = time.monotonic()
    message = f"^no Dask scheduler at {address}: .* 8786 .*8787 "
    with pytest.raises(ExecutionError, match=message) as raised, dask_client(address):
        pytest.fail("there is none")
    assert "\n" not in str(raised.value)
    assert time.monotonic() - began < 5.0
    if scheme == "ws":
        del raised
        gc.collect()


def test_a_worker_is_not_a_scheduler():
    """The address of a worker is given by mistake."""
    with plain_cluster(n_workers=1) as cluster:
        address = cluster.workers[0].address
        message = f"^no Dask scheduler at {address}: a Dask Worker answers; "
        with pytest.raises(ExecutionError, match=message), dask_client(address):
            pytest.fail("there is none")


def test_connecting_can_be_interrupted(serve):
    address = serve(OTHERS["nothing"])
    began = time.monotonic()
    interrupting = threading.Timer(0.5, os.kill, [os.getpid(), signal.SIGINT])
    interrupting.start()
    with pytest.raises(KeyboardInterrupt), dask_client(address):
        pytest.fail("there is none")
    assert time.monotonic() - began < 5.0


@pytest.mark.parametrize(
    "address",
    [
        *("localhost", "Local", "", "ftp://x:1", "tcp://x", "tcp://x:y", "tcp://:8786"),
        *("tcp://x:0", "tcp://x:-1", "tcp://x:65536", "tcp://tcp://x:1"),
    ],
)
def test_an_invalid_address_is_an_error(address):
    said = f"^--dask takes an address such as tcp://host:8786, or local; got '{address}'$"
    with pytest.raises(ParameterError, match=said), dask_client(address):
        pytest.fail("there is none")


@pytest.mark.parametrize("address", ["inproc://x:1", "tcp://..:1"])
def test_an_address_that_dask_cannot_use_is_an_error(address):
    with pytest.raises(ExecutionError, match=f"^no Dask scheduler at {address}: "):
        dask_client(address).__enter__()


def test_an_address_that_needs_certificates_is_an_error():
    """The error is immediate: a client would try for half a minute."""
    said = "^no Dask scheduler at tls://127.0.0.1:1: tls needs certificates, which Dask's own"
    with pytest.raises(ExecutionError, match=said), dask_client("tls://127.0.0.1:1"):
        pytest.fail("there are none")


def test_processes_that_cannot_start_are_an_error(monkeypatch, tmp_path):
    def fail(*_given):
        raise RuntimeError("Nanny failed to start.")

    monkeypatch.setattr(dask, "_local_cluster", fail)
    monkeypatch.setattr(dask.tempfile, "tempdir", str(tmp_path))
    said = r"^Dask cannot start its processes here: Nanny failed to start\.$"
    with pytest.raises(ExecutionError, match=said), dask_client("local", 1):
        pytest.fail("there are none")
    assert list(tmp_path.iterdir()) == []


def test_a_local_cluster_accepts_only_holders_of_its_key(client, monkeypatch):
    """Neither the scheduler nor a worker accepts a client without its key."""
    monkeypatch.setattr(dask, "CONNECT_TIMEOUT", 1.0)
    places = [
        address.partition("://")[2] for address in (client.scheduler.address, *workers(client))
    ]
    assert len(places) == 3
    for place in places:
        for other in (f"tcp://{place}", f"tls://{place}"):
            with pytest.raises(ExecutionError, match=f"^no Dask scheduler at {other}: "):
                dask_client(other).__enter__()
        arguments = distributed.Security.temporary().get_connection_args("client")
        with pytest.raises(OSError, match=r"certificate|CERTIFICATE"):
            client.sync(distributed.comm.connect, f"tls://{place}", timeout=1.0, **arguments)


def workers(client) -> list[str]:
    return list(client.nthreads())


def test_dask_does_not_time_garbage_collection(client):
    """Its callback would suppress Ctrl-C."""
    assert [one for one in gc.callbacks if "distributed" in repr(one)] == []


@pytest.mark.slow
def test_a_cluster_without_workers_is_an_error_after_the_timeout(monkeypatch, caplog, tmp_path):
    caplog.set_level(logging.INFO, logger="irbounds")
    monkeypatch.setattr(dask, "WORKER_TIMEOUT", 0.3)
    cluster = plain_cluster(n_workers=0)
    work = bind(sample_work.pause, "sample", seconds=0.0)
    said = r"has had no worker for 0\.3 seconds; "
    with cluster, distributed.Client(cluster, set_as_default=False) as client:
        with pytest.raises(ExecutionError, match=f"{said}with a checkpoint, the same command"):
            on(client, work, 2)
        with (
            irbounds.execution(checkpoint=tmp_path / "c"),
            pytest.raises(ExecutionError, match=f"{said}run it again to continue from finished"),
        ):
            on(client, work, 2)
        address = client.scheduler.address
    ours = [record.getMessage() for record in caplog.records if record.name == "irbounds"]
    assert ours == [f"waiting for a worker of the Dask cluster at {address} ..."] * 2
