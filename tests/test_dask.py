"""A cluster of two processes through its executor: the same bits, also if a worker is killed."""

from __future__ import annotations

import os
import signal
import threading

import pytest

import irbounds
from irbounds import parallel
from irbounds.corpora.bootstrap import corpus_bootstrap
from irbounds.simulation import simulate_collection

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore"),  # distributed's own, of closing and of large tasks
]
distributed = pytest.importorskip("distributed")


@pytest.fixture
def client():
    with (
        distributed.LocalCluster(2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.fixture
def draw_images(monkeypatch):
    """Return a function that scores images of a corpus, one unit per block."""
    monkeypatch.setattr(parallel, "EXECUTOR_BLOCK_COST", 1)
    made = simulate_collection(3, 10, 5_000, 100, rng=4)

    def draw(**options):
        images = corpus_bootstrap(
            made.qrels, made.runs, ["AP"], corpus_size=5_000, n_images=3_000, **options
        )
        return images.means.tobytes(), images.scores.tobytes()

    return draw


def test_a_cluster_gives_the_same_bits(client, draw_images):
    expected = draw_images()
    with irbounds.execution(executor=client.get_executor()):
        assert draw_images() == expected


def test_a_killed_worker_changes_no_bit(client, draw_images):
    expected = draw_images()
    first_worker = min(client.run(os.getpid).values())
    progress = []

    def kill(done, total):
        if not progress:
            threading.Timer(0, os.kill, (first_worker, signal.SIGKILL)).start()
        progress.append(done)

    with irbounds.execution(executor=client.get_executor()):
        assert draw_images(progress=kill) == expected
    assert len(progress) == -(-3_000 // 64)
    assert first_worker not in client.run(os.getpid).values()
