"""The Poisson bootstrap of a stream: exact sums, the same for any order, files and chunks."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import numpy as np
import polars as pl
import pytest

import irbounds
import naive
from irbounds.errors import InputError
from irbounds.intervals.streamed_means import SummedSample
from irbounds.reading import score_stream
from irbounds.reading.score_stream import open_stream
from irbounds.reading.stream_survey import survey
from irbounds.resampling.poisson import Grid, square_in_parts, sum_stream
from irbounds.resampling.seeds import Purpose
from irbounds.resampling.seeds import stream as random_stream


def frame_of(n: int, seed: int = 0) -> pl.DataFrame:
    generator = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "query_id": [f"query {k}" for k in range(n)],
            "skewed": generator.beta(0.3, 2, n),
            "signed": generator.normal(-3, 1, n),
            "binary": generator.integers(0, 2, n),
        }
    )


def sums_of(directory, n_resamples=100, seed=5, **options):
    stream = open_stream(directory)
    return sum_stream(stream, survey(stream), n_resamples, seed, squares=True, **options)


def bits(sums) -> list:
    """Return all sums as integers."""
    return [
        (row.n, row.grid, row.powers, list(row.weights), list(row.first), list(row.second))
        for row in sums
    ]


@pytest.fixture
def directory(tmp_path):
    """A stream of 300 queries in one file."""
    (tmp_path / "s").mkdir()
    frame_of(300).write_parquet(tmp_path / "s" / "a.parquet")
    return tmp_path / "s"


def test_poisson_bootstrap_matches_naive(directory):
    """On scores that the grid holds exactly, all is exact: multiples of 1/64."""
    n = 23
    k = np.random.default_rng(3).integers(0, 64, n)
    queries = [f"q{i}" for i in range(n)]
    frame = pl.DataFrame({"query_id": queries, "one": k / 64})
    frame.write_parquet(directory / "a.parquet")
    (sums,) = sums_of(directory)
    key = random_stream(5, Purpose.poisson_weights).bit_generator.random_raw()
    slow = naive.streamed_means(dict(zip(queries, (k / 64).tolist(), strict=True)), key, 100)
    sample = SummedSample(sums)
    assert list(sums.weights) == [size for size, _, _ in slow]
    assert sample.bootstrap_means.tolist() == [float(mean) for _, mean, _ in slow]
    errors = [float(error) ** 0.5 for _, _, error in slow]
    np.testing.assert_allclose(sample.bootstrap_errors, errors, rtol=1e-15)


def test_stream_totals_are_exact(directory):
    frame = frame_of(300)
    for row, name in zip(sums_of(directory), ("skewed", "signed", "binary"), strict=True):
        scores = frame[name].cast(pl.Float64).to_numpy()
        sample = SummedSample(row)
        plain = irbounds.intervals.sample.Sample(scores)
        step = 2.0**row.grid.exponent
        assert abs(float(sample.mean) - float(plain.mean)) < step
        np.testing.assert_allclose(sample.standard_error, plain.standard_error, rtol=1e-9)
        np.testing.assert_allclose(sample.skewness, plain.skewness, rtol=1e-8)


BELOW_1 = 1 - 2.0**-53
ENDS = [
    *((0.0, 1.0), (0.0, BELOW_1), (-7.0, 0.3), (0.1, 0.1), (0.1, 0.1 + 2.0**-56)),
    *((2.0**-39 / 2, BELOW_1), (-(2.0**-41), BELOW_1), (2.0**-40, 1 - 2.0**-40)),
    *((1e300, 1.5e300), (-1.7e308, -1e300), (1e15, 1e15 + 0.125), (0.0, 5e-324), (0.0, 0.0)),
]


def test_grid_resolution():
    """At most 2**-39 of the range to the nearest step, so half a step is 2**-39 or less."""
    for least, greatest in ENDS:
        grid = Grid(least, greatest)
        scores = np.clip(np.linspace(least, greatest, 1001), least, greatest)
        k = grid.numbers(scores, "")
        assert (int(k.min()), int(k.max()) <= 2**39) == (0, True)
        for score, row in zip(scores.tolist(), k.tolist(), strict=True):
            away = abs(Fraction(score) - (grid.start + row) * Fraction(2) ** grid.exponent)
            assert away <= (Fraction(greatest) - Fraction(least)) * Fraction(1, 2**39)


def test_square_in_parts():
    k = np.random.default_rng(0).integers(0, 2**39, 1000, dtype=np.uint64, endpoint=True)
    k[:4] = 0, 1, 2**39, 2**20 - 1
    upper, lower = square_in_parts(k)
    assert int(upper.max()) <= 2**39
    assert int(lower.max()) < 2**39
    assert [(int(u) << 39) + int(v) for u, v in zip(upper, lower, strict=True)] == [
        int(row) ** 2 for row in k
    ]


def test_order_files_and_chunks_do_not_change_stream_sums(directory, monkeypatch):
    expected = bits(sums_of(directory))
    shuffled = frame_of(300).sample(fraction=1, shuffle=True, seed=1)
    (directory / "a.parquet").unlink()
    for name, part in (("z", shuffled[:7]), ("y", shuffled[7:200]), ("x", shuffled[200:])):
        part.write_parquet(directory / f"{name}.parquet", row_group_size=50)
    assert bits(sums_of(directory)) == expected
    for rows in (1, 64, 150):
        monkeypatch.setattr(score_stream, "ROWS", rows)
        assert bits(sums_of(directory)) == expected


def test_stream_sums_have_the_same_bits_on_any_execution(directory, tmp_path, monkeypatch):
    monkeypatch.setattr(score_stream, "ROWS", 16)
    expected = bits(sums_of(directory))
    for how in ({"threads": 1}, {"threads": 2}, {"threads": 3, "n_blocks": 5}):
        with irbounds.execution(**how):
            assert bits(sums_of(directory)) == expected
    with ThreadPoolExecutor(2) as pool, irbounds.execution(executor=pool, n_blocks=4):
        assert bits(sums_of(directory)) == expected
    stored = tmp_path / "kept"
    for _ in range(2):
        with irbounds.execution(checkpoint=stored, n_blocks=6):
            assert bits(sums_of(directory)) == expected
    blocks = sorted(stored.rglob("*.block"))
    assert len(blocks) == 12
    for block in blocks[::2]:
        block.unlink()
    with irbounds.execution(checkpoint=stored):
        assert bits(sums_of(directory)) == expected


def test_stream_checkpoint_of_other_scores_is_refused(directory, tmp_path):
    with irbounds.execution(checkpoint=tmp_path / "kept"):
        sums_of(directory)
    frame_of(300, seed=1).write_parquet(directory / "a.parquet")
    with (
        pytest.raises(irbounds.errors.CheckpointError, match="files"),
        irbounds.execution(checkpoint=tmp_path / "kept"),
    ):
        sums_of(directory)


def test_stream_checkpoint_accepts_renamed_files(directory, tmp_path, monkeypatch):
    stored = tmp_path / "kept"
    with irbounds.execution(checkpoint=stored):
        expected = bits(sums_of(directory))
    monkeypatch.chdir(tmp_path)
    for name in ("s", "./s/../s/*.parquet", ["s/a.parquet"]):
        with irbounds.execution(checkpoint=stored):
            assert bits(sums_of(name)) == expected
    (directory / "a.parquet").rename(tmp_path / "b.parquet")
    with irbounds.execution(checkpoint=stored):
        assert bits(sums_of("b.parquet")) == expected
    assert len(list(stored.rglob("*.block"))) == len(list(stored.rglob("work.json")))  # begun once


def test_more_stream_resamples_begin_with_the_same_ones(directory):
    few, many, other = (
        sums_of(directory, 10),
        sums_of(directory, 100),
        sums_of(directory, 10, seed=6),
    )
    for a, b, c in zip(few, many, other, strict=True):
        assert list(a.first) == list(b.first)[:10]
        assert list(a.first) != list(c.first)


def test_poisson_weights_do_not_depend_on_other_queries(directory):
    """Of the resamples of 300 queries, those of 299 lack one query's part, and nothing else."""
    whole = sums_of(directory)
    frame_of(300)[:-1].write_parquet(directory / "a.parquet")
    less = sums_of(directory)
    gone = np.array([int(row) for row in whole[0].weights - less[0].weights])
    key = random_stream(5, Purpose.poisson_weights).bit_generator.random_raw()
    number = naive.query_number("query 299")
    assert gone.tolist() == [naive.poisson_weight(number, key, r) for r in range(100)]


def test_stream_sums_without_resamples(directory):
    (row, *_) = sums_of(directory, 0)
    assert row.weights.size == 0
    assert SummedSample(row).bootstrap_means is None


def test_file_that_changes_while_it_is_read_is_an_error(directory):
    stream = open_stream(directory)
    known = survey(stream)
    frame_of(300).with_columns(skewed=pl.col("skewed") + 1).write_parquet(directory / "a.parquet")
    with pytest.raises(InputError, match="the file changed while it was read"):
        sum_stream(stream, known, 10, 0)


def test_scores_too_far_apart_are_an_error(directory):
    frame = pl.DataFrame({"query_id": ["a", "b"], "one": [-1.7e308, 1.7e308]})
    frame.write_parquet(directory / "a.parquet")
    with pytest.raises(InputError, match=r"from -1.7e\+308 to 1.7e\+308 are too far apart"):
        sums_of(directory)


@pytest.fixture(scope="module")
def ten(tmp_path_factory):
    """Bootstrap means and sizes of ten queries, 40,000 resamples."""
    directory = tmp_path_factory.mktemp("ten")
    frame = frame_of(10, seed=4).select("query_id", "skewed")
    frame.write_parquet(directory / "a.parquet")
    (sums,) = sums_of(directory, 40_000)
    return frame["skewed"].to_numpy(), SummedSample(sums)


def factor(n: int) -> float:
    """E(n / W | W > 0) for a Poisson number W with mean n: docs/reference/streaming.md."""
    w = np.arange(1, 20 * n)
    chances = np.exp(-n + w * np.log(n) - np.cumsum(np.log(w)))
    return float((n / w * chances).sum() / chances.sum())


def test_poisson_bootstrap_variance_of_ten_queries(ten):
    """5 sigma of a variance of 40,000 means, whose kurtosis is below 6: 0.056."""
    scores, sample = ten
    ratio = sample.bootstrap_means.var() / (scores.var() / 10)
    assert abs(ratio - factor(10)) < 0.056
    assert abs(ratio - 1) > 0.07  # the control: not that of drawing exactly ten


def test_empty_poisson_resamples_are_counted(ten):
    """One in exp(10) is empty: 1.8 of 40,000 are expected, over 10 in one of 100,000 seeds."""
    _, sample = ten
    sizes = np.array([int(row) for row in sample.sums.weights])
    assert sample.n_empty == np.count_nonzero(sizes == 0) <= 10
    assert len(sample.bootstrap_means) == 40_000 - sample.n_empty
