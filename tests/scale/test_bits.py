"""The whole result has the same bits on any threads, in any blocks and in other processes.

Of every public function that draws, at the smallest size that has several units. Results are
compared field by field, with what they keep for other levels; floats and arrays by their bytes.
"""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import fields, is_dataclass
from types import MappingProxyType

import numpy as np
import pytest

import irbounds
from irbounds import execution
from irbounds.baseline import random_rankings
from irbounds.scale import blocks, on_executor
from irbounds.studies.park2010 import park2010
from irbounds.studies.park2011 import park2011


def score_table(n_systems, seed):
    values = np.random.default_rng(seed).beta(0.5, 2, size=(1, n_systems, 60))
    systems, queries = (
        tuple(f"{letter}{k}" for k in range(n)) for letter, n in (("s", n_systems), ("q", 60))
    )
    return irbounds.ScoreTable(("AP",), systems, queries, values)


SCORES = score_table(4, 4)
MADE = irbounds.simulate_collection(3, 8, 400, 30, rng=1)
JUDGED = {"q1": {"a": 1, "b": 0, "c": 2}, "q2": {"a": 2, "d": 1}}
RUNS = {"x": {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}, "q2": {"d": 2.0, "a": 0.5}}}


def images():
    return irbounds.corpus_bootstrap(
        MADE.qrels, MADE.runs, ["AP", "nDCG"], corpus_size=400, n_images=300, rng=1
    )


def shallow_pools():
    first, second = [run.name for run in MADE.runs][:2]
    return images().shallow_pools(first, second, depths=(5, 10))


def compared(**options):
    return lambda: irbounds.difference_interval(SCORES, rng=3, n_resamples=300, **options)


DRAWN = {
    "mean_interval": lambda: irbounds.mean_interval(
        SCORES, method=["percentile", "studentised"], n_resamples=300, rng=1
    ),
    "sign-flip": compared(test="sign-flip", method="percentile"),
    "bootstrap": compared(test="bootstrap", method="bca"),
    "max-statistic": compared(adjustment="max-statistic"),
    "rank_interval": lambda: irbounds.rank_interval(SCORES, n_resamples=300, rng=1),
    "make_card": lambda: irbounds.make_card(
        SCORES, system="s1", collection="c", method="percentile", n_resamples=300, rng=1
    ),
    "corpus_bootstrap": images,
    "two_way_means": lambda: images().two_way_means(),
    "validity": lambda: images().validity(),
    "variance_split": lambda: images().variance_split(),
    "shallow_pools": shallow_pools,
    "calibrate": lambda: irbounds.calibrate(
        SCORES, [5, 9], methods=["student-t", "bca"], n_samples=300, n_resamples=40, rng=1
    ),
    "recall_coverage": lambda: irbounds.recall_coverage(
        "small", methods=["normal", "koopman"], n_realisations=5, n_samples=300, rng=1
    ),
    "random_baseline": lambda: irbounds.random_baseline(
        JUDGED, RUNS, ["AP", "nDCG"], corpus_size=500, n_draws=3000, rng=1, method="monte-carlo"
    ),
    "null_distribution": lambda: irbounds.null_distribution(
        500, 20, n_draws=9000, rng=1, method="monte-carlo"
    ),
    "p_value": lambda: irbounds.p_value(0.1, 500, 20, n_draws=9000, rng=1, method="monte-carlo"),
    "park2010": lambda: park2010(score_table(7, 5), score_table(8, 6), n_samples=20, rng=3),
    "park2011": lambda: park2011(score_table(7, 5), n_samples=110, n_resamples=40, rng=1),
}
WAYS = {f"{k} blocks": {"n_blocks": k} for k in (1, 2, 7, 64)} | {
    f"{k} threads": {"threads": k, "n_blocks": 64} for k in (2, 3)
}


def bits(value):
    """All that a result is made of, to the last bit."""
    if isinstance(value, np.ndarray):
        return (str(value.dtype), value.shape, value.tobytes())
    if isinstance(value, float):
        return value.hex()
    if is_dataclass(value):
        return [(one.name, bits(getattr(value, one.name))) for one in fields(value)]
    if isinstance(value, Mapping | MappingProxyType):
        return [(bits(key), bits(one)) for key, one in value.items()]
    if isinstance(value, list | tuple):
        return [bits(one) for one in value]
    if isinstance(value, irbounds.Run | irbounds.Qrels):
        return value.fingerprint
    return repr(value)


@pytest.fixture(scope="module")
def processes():
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield pool


@pytest.fixture(autouse=True)
def units_worked_on(monkeypatch):
    """Of each piece of work, into how many blocks it was cut."""
    seen = []

    def cut(*given):
        found = original(*given)
        seen.append(len(found))
        return found

    original = blocks.cut
    monkeypatch.setattr(blocks, "cut", cut)
    monkeypatch.setattr(random_rankings, "BLOCK", 1 << 10)  # or one block would hold all draws
    return seen


@pytest.mark.parametrize("name", DRAWN)
def test_the_same_bits(name, processes, units_worked_on):
    draw = DRAWN[name]
    with execution(threads=1):
        expected = bits(draw())
    for way, options in WAYS.items():
        units_worked_on.clear()
        with execution(**options):
            assert bits(draw()) == expected, way
        assert max(units_worked_on) == 1 or options["n_blocks"] > 1
    assert max(units_worked_on) > 1  # the last way has something to divide
    with execution(executor=processes, n_blocks=3):
        assert bits(draw()) == expected


@pytest.mark.parametrize("name", DRAWN)
def test_another_seed_has_other_bits(name):
    """The control: what is compared does depend on what was drawn."""
    expected = bits(DRAWN[name]())
    original = irbounds.resample.streams.seed_number
    with pytest.MonkeyPatch.context() as patched:
        for module in modules_that_seed():
            patched.setattr(module, "seed_number", lambda rng: original(rng) + 1)
        assert bits(DRAWN[name]()) != expected


def modules_that_seed():
    return [
        module
        for name, module in sys.modules.items()
        if name.startswith("irbounds.") and hasattr(module, "seed_number")
    ]


def test_the_executor_is_where_it_is_done(processes, monkeypatch):
    handed = []
    original = on_executor._handed_over

    def hand_over(*given):
        handed.append(given)
        return original(*given)

    monkeypatch.setattr(on_executor, "_handed_over", hand_over)
    with execution(executor=processes, n_blocks=3):
        images()
    assert len(handed) == 3
