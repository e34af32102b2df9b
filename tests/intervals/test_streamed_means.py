"""Mean intervals of streams, against those of tables."""

from __future__ import annotations

import math
import re
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from multiprocessing import get_context

import numpy as np
import polars as pl
import pytest
from irbounds.parallel.execution import current_execution
from irbounds.parallel.work import run_work

import irbounds
from irbounds import mean_interval
from irbounds.errors import DataError, DegenerateSampleWarning, ParameterError
from irbounds.intervals.methods import METHODS
from irbounds.reading.parquet import read_layout

#: what moves with the random numbers
DRAWN = [name for name, method in METHODS.items() if method.needs_bootstrap]
#: methods for any scores
METHODS_OF_SCORES = [name for name, method in METHODS.items() if not method.needs_binary]
ALL = {"method": METHODS_OF_SCORES, "bounds": (0, 1), "sigma": 0.3}


def frame_of(n: int, seed: int = 0) -> pl.DataFrame:
    generator = np.random.default_rng(seed)
    skewed = generator.beta(0.4, 1.5, n)
    even = (skewed + generator.random(n)) / 2
    ids = [f"q{k}" for k in range(n)]
    return pl.DataFrame({"query_id": ids, "skewed": skewed, "even": even})


def stream_at(directory, frame: pl.DataFrame, cuts=()) -> str:
    directory.mkdir(exist_ok=True)
    ends = [0, *cuts, len(frame)]
    for k, (begin, end) in enumerate(pairwise(ends)):
        frame[begin:end].write_parquet(directory / f"{k}.parquet")
    return str(directory / "*.parquet")


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """Estimates by every method, of a stream and of the same table."""
    frame = frame_of(400)
    pattern = stream_at(tmp_path_factory.mktemp("both"), frame, [100])
    return mean_interval(pattern, **ALL, rng=1), mean_interval(frame, **ALL, rng=1)


def test_stream_rows_have_the_order_of_a_table(both):
    streamed, plain = (
        [(e.measure, e.interval.method, e.system) for e in estimate] for estimate in both
    )
    assert streamed == plain


def test_stream_means_match_a_table_where_nothing_is_drawn(both):
    for streamed, plain in zip(*both, strict=True):
        assert streamed.n == plain.n
        assert streamed.value == pytest.approx(plain.value, abs=2e-12)
        assert streamed.standard_error == pytest.approx(plain.standard_error, rel=1e-9)
        if streamed.interval.method not in DRAWN:
            assert streamed.interval.low == pytest.approx(plain.interval.low, abs=1e-11)
            assert (streamed.weights, streamed.distribution, plain.weights) == (None, None, None)


def measure_distance(a, b) -> float:
    """Return the largest difference of the ends of intervals, in standard errors."""
    ends = [(a.interval.low, b.interval.low), (a.interval.high, b.interval.high)]
    return max(abs(x - y) for x, y in ends) / a.standard_error


def test_stream_bootstrap_intervals_match_a_table_within_noise(both):
    """An end at 2.5 % moves by 0.027 standard errors from one 9,999 resamples to the next, so two
    differ by 0.038; of 20 ends one is 4.5 times that apart in one of 7,000 seeds."""
    pairs = [pair for pair in zip(*both, strict=True) if pair[0].interval.method in DRAWN]
    assert len(pairs) == 10
    for streamed, plain in pairs:
        assert (streamed.weights, plain.weights) == ("poisson", "multinomial")
        assert len(streamed.distribution) == 9999
        assert measure_distance(streamed, plain) < 4.5 * 0.038


def test_negative_control_another_level_is_detected(both):
    """The negative control: 90 % in place of 95."""
    for streamed, plain in zip(*both, strict=True):
        assert measure_distance(streamed.at(0.9), plain) > 4.5 * 0.038


def test_stream_systems_have_the_same_resamples(both):
    """Their bootstrap means vary together as their scores do; 4.5 sigma of 9,999."""
    a, b = (e.distribution for e in both[0] if e.interval.method == "percentile")
    frame = frame_of(400)
    expected = np.corrcoef(frame["skewed"], frame["even"])[0, 1]
    assert abs(np.corrcoef(a, b)[0, 1] - expected) < 4.5 / 100
    assert expected > 0.5
    assert abs(np.corrcoef(a, b[::-1])[0, 1]) < 4.5 / 100  # the control: not in this order


def same_bits(a, b) -> bool:
    return all(
        x.interval == y.interval
        and x.value == y.value
        and np.array_equal(x.distribution, y.distribution)
        for x, y in zip(a, b, strict=True)
    )


def test_stream_means_have_the_same_bits_in_any_order(tmp_path):
    frame = frame_of(500)
    options = {"method": DRAWN, "bounds": (0, 1), "n_resamples": 200, "rng": 3}
    expected = mean_interval(stream_at(tmp_path / "a", frame), **options)
    other = frame.sample(fraction=1, shuffle=True, seed=2)
    pattern = stream_at(tmp_path / "b", other, [1, 99, 400])
    assert same_bits(mean_interval(pattern, **options), expected)
    with irbounds.execution(threads=1):
        assert same_bits(mean_interval(tmp_path / "b", **options), expected)
    assert not same_bits(mean_interval(pattern, **{**options, "rng": 4}), expected)


def test_stream_measures_by_name(tmp_path):
    frame = frame_of(50)
    by_measure = {
        "AP": stream_at(tmp_path / "ap", frame),
        "nDCG@10": stream_at(tmp_path / "ndcg", frame.reverse(), [20]),
    }
    estimates = mean_interval(by_measure, method="studentised-logit", n_resamples=99, rng=0)
    assert [(e.measure, e.system) for e in estimates] == [
        *(("AP", "skewed"), ("AP", "even")),
        *(("nDCG@10", "skewed"), ("nDCG@10", "even")),
    ]
    by_default = mean_interval(by_measure)
    assert {e.interval.method for e in by_default} == {"moderated-wilson"}
    assert same_bits(estimates[:2], estimates[2:])  # the same scores by another name
    assert len(estimates[0].inputs) == 3


def test_stream_measures_of_other_queries_are_errors(tmp_path):
    first = stream_at(tmp_path / "ap", frame_of(50))
    two = stream_at(tmp_path / "p", frame_of(51)[1:])
    with pytest.raises(DataError, match=r"0\.parquet: P@5 has other queries than AP"):
        mean_interval({"AP": first, "P@5": two})
    three = stream_at(tmp_path / "r", frame_of(51))
    with pytest.raises(DataError, match=r"RR has 51 queries and AP has 50; the same .* needed"):
        mean_interval({"AP": first, "RR": three})


@pytest.mark.parametrize("method", ["percentile", "student-t"])
def test_stream_progress_in_queries(tmp_path, method):
    """Reading is next to nothing where resamples are drawn, and all there is where none are."""
    calls = []
    pattern = stream_at(tmp_path / "s", frame_of(50), [10, 20])
    mean_interval(
        pattern, method=method, n_resamples=9999, rng=0, progress=lambda *now: calls.append(now)
    )
    done, totals = zip(*calls, strict=True)
    assert set(totals) == {50}
    assert done == tuple(sorted(done))
    assert len(done) == 9  # three stretches, three passes
    assert done[-1] == 50
    read = done[5]  # both passes before the last
    assert read <= 1 if method == "percentile" else 20 <= read <= 40


# scores that say little


@pytest.mark.parametrize("method", METHODS_OF_SCORES)
def test_stream_of_equal_scores(tmp_path, method):
    frame = pl.DataFrame({"qid": ["a", "b", "c"], "flat": [0.25] * 3})
    pattern = stream_at(tmp_path / "s", frame)
    options = {"bounds": (0, 1), "sigma": 0.1} if method == "normal" else {"bounds": (0, 1)}
    if method == "normal":
        (estimate,) = mean_interval(pattern, method=method, **options)
        assert np.isfinite(estimate.interval.low)
        return
    if METHODS[method].needs_prior:
        with pytest.warns(DegenerateSampleWarning, match=r"flat, score: all 3 .* 0\.25: the inter"):
            (estimate,) = mean_interval(pattern, method=method, **options)
        with pytest.warns(DegenerateSampleWarning):
            (plain,) = mean_interval([0.25] * 3, method=method, **options)
        assert estimate.interval.low == pytest.approx(plain.interval.low, rel=1e-12)
        return
    with pytest.warns(DegenerateSampleWarning, match=r"flat, score: no interval, all 3 .* 0\.25"):
        (estimate,) = mean_interval(pattern, method=method, n_resamples=99, rng=0, **options)
    assert estimate.value == 0.25
    assert np.isnan(estimate.interval.low)


@pytest.mark.parametrize("method", ["wilson", "clopper-pearson"])
def test_stream_of_binary_scores(tmp_path, method):
    frame = frame_of(400)
    binary = frame.select("query_id", pl.col("skewed").round(), zero=pl.lit(0.0))
    streamed = mean_interval(stream_at(tmp_path / "s", binary, [100]), method=method)
    for estimate, plain in zip(streamed, mean_interval(binary, method=method), strict=True):
        ends = (plain.interval.low, plain.interval.high)
        assert (estimate.interval.low, estimate.interval.high) == pytest.approx(ends, rel=1e-12)
    binary[7, "skewed"] = 0.5  # one of 400, between a minimum of 0 and a maximum of 1
    pattern = stream_at(tmp_path / "s", binary, [100])
    message = "is for scores that are all 0 or 1; skewed, score has scores between them"
    with pytest.raises(ParameterError, match=message):
        mean_interval(pattern, method=method)


@pytest.mark.parametrize("method", [*DRAWN, "student-t"])
@pytest.mark.parametrize("n_resamples", [1, 99])
def test_stream_of_one_query(tmp_path, method, n_resamples):
    pattern = stream_at(tmp_path / "s", pl.DataFrame({"qid": [7], "one": [0.5]}))
    with pytest.warns(DegenerateSampleWarning, match="a single query has no spread"):
        (estimate,) = mean_interval(
            pattern, method=method, n_resamples=n_resamples, rng=1, bounds=(0, 1)
        )
    assert (estimate.value, estimate.n) == (0.5, 1)
    assert np.isnan(estimate.interval.low)


def test_stream_of_two_queries_drops_empty_resamples(tmp_path):
    """One in exp(2) is empty: 135 of 1,000, within 4.5 sigma."""
    pattern = stream_at(tmp_path / "s", pl.DataFrame({"qid": ["a", "b"], "one": [0.2, 0.6]}))
    (estimate,) = mean_interval(pattern, method="percentile", n_resamples=1000, rng=1)
    assert abs(estimate.n_dropped - 135) < 4.5 * np.sqrt(135 * 0.865)
    assert len(estimate.distribution) == 1000 - estimate.n_dropped


def test_stream_of_scores_of_any_magnitude(tmp_path):
    """Powers of two move everything by as much, to the bit."""
    options = {"method": ["student-t", "bca", "studentised"], "n_resamples": 99, "rng": 0}
    plain = mean_interval(stream_at(tmp_path / "a", frame_of(60)), **options)
    for power in (-1000, 800):
        frame = frame_of(60).with_columns(pl.col("skewed", "even") * 2.0**power)
        estimates = mean_interval(stream_at(tmp_path / f"b{power}", frame), **options)
        for a, b in zip(plain, estimates, strict=True):
            assert b.value == a.value * 2.0**power
            assert b.interval.high == pytest.approx(a.interval.high * 2.0**power, rel=1e-12)


EXACT = {
    "eighths": np.array([0.125, 0.375, 1.0, 0.0, 0.5, 0.625, 0.25]),
    "far from 0": np.array([1000.5, 1000.25, 1000.75, 1001.0, 1000.0]),
    "neither end whole": np.array([-0.375, 0.3125, 0.25]),
    "above and below 0": np.array([-3, 5, 0, 2.0**-30, 7.5]),
}


@pytest.mark.parametrize("case", EXACT)
def test_stream_means_of_fractions_are_exact(tmp_path, case):
    scores = EXACT[case]
    frame = pl.DataFrame({"qid": np.arange(len(scores)), "one": scores})
    (estimate,) = mean_interval(stream_at(tmp_path / "s", frame), method="student-t")
    assert estimate.value == math.fsum(scores) / len(scores)


ROUGH = {
    "tenths": [0.1, 0.2],
    "nearly all 1": [1.0] * 999 + [0.3],
    "equal": [0.1] * 7,
    "one rounding apart": [0.1, 0.1 + 2.0**-56, 0.1 + 2.0**-55],
    "large": [1e15 + 0.125, 1e15 + 7.5, 1e15 - 3],
    "largest": [1e250, 0.9e250, 1e240],
    "least": [-1e250, -0.9e250],
    "tiny": [5e-324, 1e-323, 0.0],
}


@pytest.mark.filterwarnings("ignore::irbounds.errors.DegenerateSampleWarning")
@pytest.mark.parametrize("case", ROUGH)
def test_stream_means_are_within_the_scores(tmp_path, case):
    scores = ROUGH[case]
    frame = pl.DataFrame({"qid": np.arange(len(scores)), "one": scores})
    (estimate,) = mean_interval(
        stream_at(tmp_path / "s", frame), method="percentile", n_resamples=200, rng=0
    )
    least, greatest = min(scores), max(scores)
    assert least <= estimate.distribution.min()
    assert estimate.distribution.max() <= greatest
    exact = sum(map(Fraction, scores)) / len(scores)
    away = abs(Fraction(estimate.value) - exact)
    rounding = Fraction(math.ulp(estimate.value)) / 2
    assert away <= (Fraction(greatest) - Fraction(least)) / 2**39 + rounding


def test_warning_of_a_stream_whose_standard_error_underflows(tmp_path):
    frame = pl.DataFrame({"qid": np.arange(8), "one": [5e-324, *[0.0] * 7]})
    with pytest.warns(DegenerateSampleWarning, match="differ by less than the resolution"):
        (estimate,) = mean_interval(stream_at(tmp_path / "s", frame), method="student-t")
    assert math.isnan(estimate.interval.low)


def test_stream_warnings_have_the_caller_s_line(tmp_path):
    frame = pl.DataFrame({"qid": ["a", "b"], "flat": [0.25] * 2})
    pattern = stream_at(tmp_path / "s", frame)
    for scores in (pattern, frame):
        with pytest.warns(DegenerateSampleWarning) as caught:
            mean_interval(scores, method="student-t")
        assert [warning.filename for warning in caught] == [__file__]


# invalid requests


@pytest.mark.parametrize("largest", [1.1e250, -1.7e308])
def test_stream_of_too_large_scores_is_an_error(tmp_path, largest):
    frame = pl.DataFrame({"qid": ["a", "b"], "one": [0.5, largest]})
    size = re.escape(f"{abs(largest):g}")
    with pytest.raises(ParameterError, match=rf"one: scores must lie between .* size {size}$"):
        mean_interval(stream_at(tmp_path / "s", frame), method="student-t")


def test_stream_scores_outside_the_bounds_are_an_error(tmp_path):
    pattern = stream_at(tmp_path / "s", frame_of(20))
    with pytest.raises(
        ParameterError, match=r"bounds 0 to 0.5 must include every score; skewed, sco"
    ):
        mean_interval(pattern, method="studentised-logit", bounds=(0, 0.5))
    with pytest.raises(ParameterError, match="'studentised-logit' needs bounds"):
        mean_interval(pattern, method="studentised-logit")


def test_stream_sigma(tmp_path):
    pattern = stream_at(tmp_path / "s", frame_of(20))
    with pytest.raises(ParameterError, match="method 'normal' needs sigma"):
        mean_interval(pattern, method="normal")
    with pytest.raises(ParameterError, match="sigma has no value for system 'even'"):
        mean_interval(pattern, method="normal", sigma={"skewed": 0.2})


def test_stream_beyond_memory_is_refused_first(tmp_path):
    pattern = stream_at(tmp_path / "s", frame_of(20))
    with (
        pytest.raises(ParameterError, match=r"100,000,000 resamples of 2 systems: at least "),
        irbounds.execution(memory="1GiB"),
    ):
        mean_interval(pattern, method="percentile", n_resamples=10**8)


def layout_of_a_large_group(file):
    return replace(read_layout(file), at_once=1 << 30)


def test_large_row_group_is_refused_before_it_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr("irbounds.reading.parquet.read_layout", layout_of_a_large_group)
    monkeypatch.setattr("irbounds.parallel.memory.resident_memory", lambda: 0)
    pattern = stream_at(tmp_path / "s", frame_of(20))
    calls = []
    with (
        pytest.raises(ParameterError, match=r"0.parquet: a row group of 1.0 GiB .* smaller"),
        irbounds.execution(memory="1GiB"),
    ):
        mean_interval(pattern, rng=0, progress=lambda *now: calls.append(now))
    assert not calls
    with irbounds.execution(memory="2GiB"):
        mean_interval(pattern, rng=0)


def test_stream_threads_fit_in_memory_in_every_pass(tmp_path, monkeypatch):
    """With 1 GiB a thread to read, two fit into 3 GiB, and the program."""
    monkeypatch.setattr("irbounds.reading.parquet.read_layout", layout_of_a_large_group)
    monkeypatch.setattr("irbounds.parallel.memory.resident_memory", lambda: 0)
    calls = []

    def seeing(*args, **options):
        calls.append(current_execution().n_threads)
        return run_work(*args, **options)

    for module in ("reading.stream_survey", "resampling.poisson"):
        monkeypatch.setattr(f"irbounds.{module}.run_work", seeing)
    pattern = stream_at(tmp_path / "s", frame_of(20))
    with irbounds.execution(memory="3GiB", threads=8):
        mean_interval(pattern, method="percentile", n_resamples=64, rng=0)
    assert calls == [2, 2, 2]


def test_small_streams_need_little_memory(tmp_path):
    pattern = stream_at(tmp_path / "s", frame_of(20))
    expected = mean_interval(pattern, method="percentile", n_resamples=64, rng=0)
    with irbounds.execution(memory="251MiB"):
        estimates = mean_interval(pattern, method="percentile", n_resamples=64, rng=0)
    assert estimates.records() == expected.records()


def test_functions_that_need_tables_refuse_streams(tmp_path):
    pattern = stream_at(tmp_path / "s", frame_of(20))
    for source in (pattern, tmp_path / "s", {"AP": [pattern]}):
        with pytest.raises(
            irbounds.errors.InputError, match="read as a stream, which only mean_inter"
        ):
            irbounds.difference_interval(source)


pytestmark = pytest.mark.slow

ROWS = 1_000_000  # of a file
PROGRAM = """
import irbounds, re, sys
with irbounds.execution(threads=2, memory={memory!r}):
    found = irbounds.mean_interval(sys.argv[1:], method="percentile", n_resamples=64, rng=0)
status = open("/proc/self/status").read()
print(found[0].interval.low.hex(), int(re.search(r"VmHWM:\\s+(\\d+)", status)[1]) // 1024)
"""


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    """Six million queries in six files of 30 MB."""
    directory = tmp_path_factory.mktemp("scores")
    generator = np.random.default_rng(0)
    for k in range(6):
        columns = {f"s{j}": generator.random(ROWS, dtype=np.float32) for j in range(4)}
        ids = pl.int_range(k * ROWS, (k + 1) * ROWS, eager=True)
        frame = pl.DataFrame({"query_id": ids, **columns})
        frame.write_parquet(directory / f"{k}.parquet")
    return directory


def peak(directory, pattern: str, memory: str | None = None) -> tuple[str, int]:
    """Return one end of an interval, and the peak memory of the process in MiB."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(memory=memory), str(directory / pattern)],
        capture_output=True,
        text=True,
        check=True,
    )
    low, size = done.stdout.split()
    return low, int(size)


@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc")
def test_stream_memory_does_not_grow_with_the_files(directory):
    """But for the search for queries that occur twice: 16 bytes each, up to a limit."""
    _, two = peak(directory, "[01].parquet")
    low, six = peak(directory, "*.parquet")
    assert six - two < 4 * 16 + 50
    assert six < 600
    limited, least = peak(directory, "*.parquet", "400MiB")
    assert least < 1.2 * 400
    assert limited == low


def test_stream_means_have_the_same_bits_in_other_processes(directory):
    """Started anew: to fork with threads of polars about is not safe."""
    pattern = str(directory / "[0].parquet")
    options = {"method": "studentised", "n_resamples": 64, "rng": 0}
    expected = irbounds.mean_interval(pattern, **options)
    with (
        ProcessPoolExecutor(2, get_context("spawn")) as pool,
        irbounds.execution(executor=pool),
    ):
        estimates = irbounds.mean_interval(pattern, **options)
    assert [estimate.interval for estimate in estimates] == [
        estimate.interval for estimate in expected
    ]
