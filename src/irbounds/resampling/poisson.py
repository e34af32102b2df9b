"""The Poisson bootstrap of a stream of queries: exact integer sums, with weights by query id.

The weight of a query in a resample is a Poisson number with mean 1, determined by the hash of the
query's id. Given the total weight of a resample, such weights have the distribution of draws with
replacement, and the mean is divided by that total. docs/reference/streaming.md shows how large the
difference is.

Sums of doubles depend on their order, sums of integers do not. A score is therefore rounded to a
multiple of a power of two that is at most 2**-38 of the range of the scores, which changes it by at
most 2**-39 of the range. Fractions such as 3/8 are such multiples already and do not change. From
then on nothing is rounded, so that neither the order of the queries nor their division into files
and chunks changes a bit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..parallel import Arrays, bind, run_work
from ..parallel.memory import NUMBER_BYTES
from ..reading.score_stream import ScoreStream, read_stretch
from ..reading.stream_survey import Survey, reading_cost
from ._kernels import BITS, DIGIT, DIGITS, LANES, add_powers, add_resamples
from .seeds import Purpose
from .seeds import stream as random_stream

Floats = NDArray[np.float64]
Integers = NDArray[np.uint64]
Objects = NDArray[np.object_]

AT_ONCE = 1 << 14  # queries whose columns are in memory at a time
DRAWING = 2  # operations to draw a weight; a multiplication by it is one
HALF = 32


@dataclass(frozen=True)
class Grid:
    """The grid of a system's scores: ``(start + k) * 2**exponent``, with k from 0 to 2**39."""

    least: float
    greatest: float

    @cached_property
    def exponent(self) -> int:
        """Exponent of the step, such that fewer than 2**39 steps lie between the ends."""
        width = self.greatest - self.least or math.ulp(self.greatest)
        return math.frexp(width)[1] - BITS

    @cached_property
    def start(self) -> int:
        """Steps from 0 to the lowest score, an integer of any size, so that k is exact."""
        return int(self._steps(self.least))

    def numbers(self, scores: Floats, path: str) -> Integers:
        """Return k for each score."""
        if scores.size and not (self.least <= scores.min() and scores.max() <= self.greatest):
            raise InputError(f"{path}: the file changed while it was read")
        # integers that are less than 2**53 apart: a double holds their difference exactly
        return (self._steps(scores) - float(self.start)).astype(np.uint64)

    def _steps(self, scores: Floats | float) -> Floats:
        return np.asarray(np.rint(np.ldexp(scores, -self.exponent)))


class ExactSums:
    """Sums of 64-bit integers that may exceed 64 bits: the halves are added separately."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.upper = np.zeros(shape, np.int64)
        self.lower = np.zeros(shape, np.int64)

    def add(self, numbers: NDArray[np.int64]) -> None:
        """Add a number to each sum."""
        self.upper += numbers >> HALF
        self.lower += numbers & ((1 << HALF) - 1)

    def __getitem__(self, place: slice | int | tuple[slice | int, ...]) -> Objects:
        """Return sums as Python integers."""
        upper, lower = (half[place].astype(object) for half in (self.upper, self.lower))
        exact: Objects = upper * (1 << HALF) + lower
        return exact


@dataclass(frozen=True, eq=False)
class SystemSums:
    """The sums of k of one system, as Python integers."""

    n: int
    grid: Grid
    #: sums of the first, second and third powers
    powers: tuple[int, int, int]
    #: per resample: the total weight, and the weighted sums of k and, if requested, of its squares
    weights: Objects
    first: Objects
    second: Objects | None


def sum_stream(
    stream: ScoreStream,
    known: Survey,
    n_resamples: int,
    seed: int,
    *,
    squares: bool = False,
    progress: Callable[[], None] | None = None,
) -> list[SystemSums]:
    """Return the sums of every system; call ``progress`` after each chunk.

    The same seed gives the same resamples of the same queries, whatever files they are in. More
    resamples begin with the same ones.
    """
    grids = [_make_grid(*ends, stream) for ends in zip(known.minima, known.maxima, strict=True)]
    n_systems = len(grids)
    n_columns = _count_columns(n_systems, squares=squares)
    n_drawn = _round_up(n_resamples)
    work = bind(
        sum_unit,
        "resampled queries of a stream",
        options={"n_resamples": n_resamples, "standard_errors": squares, "seed": seed},
        inputs={"stream": "the files of scores", "grids": "the files of scores"},
        stream=stream,
        grids=tuple(grids),
        key=random_stream(seed, Purpose.poisson_weights).bit_generator.random_raw(),
        n_resamples=n_drawn,
        squares=squares,
    )
    resampled = ExactSums((n_columns, n_drawn))
    powers = ExactSums((n_systems, 9, 2))
    cost = sum_cost(stream, n_resamples, squares=squares)
    layout = [((n_columns, n_drawn), np.int64), ((n_systems, 9, 2), np.int64)]
    for sums, totals in run_work(
        work, stream.n_stretches, cost=cost, layout=lambda unit: layout, progress=progress
    ):
        resampled.add(sums)
        powers.add(totals)
    return list(_split_by_system(known.n, grids, resampled, powers, n_resamples))


def sum_unit(
    unit: int,
    *,
    stream: ScoreStream,
    grids: Sequence[Grid],
    key: int,
    n_resamples: int,
    squares: bool,
) -> Arrays:
    """Return the sums of one chunk: column x resample, and powers of each system's k.

    The columns are ones, each system's k, and the upper and lower part of its square.
    """
    stretch = read_stretch(stream, unit)
    k = [
        grid.numbers(scores, stretch.path)
        for grid, scores in zip(grids, stretch.scores, strict=True)
    ]
    totals = np.zeros((len(grids), 9, 2), np.uint64)
    for numbers, place in zip(k, totals, strict=True):
        add_powers(numbers, place)
    sums = np.zeros((_count_columns(len(grids), squares=squares), n_resamples), np.int64)
    for begin in range(0, len(stretch.hashes) if n_resamples else 0, AT_ONCE):
        part = slice(begin, begin + AT_ONCE)
        columns = _make_columns([numbers[part] for numbers in k], squares=squares)
        add_resamples(stretch.hashes[part], columns, np.uint64(key), sums)
    return sums, totals.astype(np.int64)


def sum_cost(stream: ScoreStream, n_resamples: int, *, squares: bool) -> int:
    """Return the number of operations to read and sum a chunk."""
    n_columns = _count_columns(len(stream.systems), squares=squares)
    return reading_cost(stream) + stream.rows_each * n_resamples * (n_columns + DRAWING)


def bytes_of_sums(n_systems: int, n_resamples: int, *, squares: bool) -> tuple[int, int]:
    """Return the bytes that all threads share, and those per thread besides what it reads."""
    n_columns = _count_columns(n_systems, squares=squares)
    n_sums = n_columns * _round_up(n_resamples)
    return n_sums * 64, AT_ONCE * n_columns * NUMBER_BYTES + 4 * n_sums * NUMBER_BYTES


def _round_up(n_resamples: int) -> int:
    """Return the number of resamples that are drawn: a multiple of 64."""
    return -(-n_resamples // LANES) * LANES


def _count_columns(n_systems: int, *, squares: bool) -> int:
    return 1 + n_systems * (3 if squares else 1)


def _make_columns(k: Sequence[Integers], *, squares: bool) -> Floats:
    n_systems = len(k)
    columns = np.ones((len(k[0]), _count_columns(n_systems, squares=squares)))
    for place, numbers in enumerate(k, start=1):
        columns[:, place] = numbers
        if squares:
            upper, lower = square_in_parts(numbers)
            columns[:, place + n_systems], columns[:, place + 2 * n_systems] = upper, lower
    return columns


def _make_grid(least: float, greatest: float, stream: ScoreStream) -> Grid:
    if not math.isfinite(float(greatest) - float(least)):
        raise InputError(
            f"{stream.files[0].path}: scores from {least:g} to {greatest:g} are too far apart"
        )
    return Grid(float(least), float(greatest))


def _split_by_system(
    n: int, grids: Sequence[Grid], resampled: ExactSums, powers: ExactSums, n_resamples: int
) -> Iterator[SystemSums]:
    n_systems = len(grids)
    squares = len(resampled.upper) > 1 + n_systems
    weights = resampled[0, :n_resamples]
    for place, grid in enumerate(grids):
        second = None
        if squares:
            upper, lower = (
                resampled[1 + place + part * n_systems, :n_resamples] for part in (1, 2)
            )
            second = upper * (1 << BITS) + lower
        first = resampled[1 + place, :n_resamples]
        yield SystemSums(n, grid, combine_powers(powers[place]), weights, first, second)


def square_in_parts(k: Integers) -> tuple[Integers, Integers]:
    """Return k * k, of up to 78 bits, as an upper and a lower part of 39 bits."""
    a, b = k >> DIGIT, k & DIGITS
    # (a * 2**20 + b)**2 = (2 a * a + c) * 2**39 + d, where c and d are of 2 a b * 2**20 + b * b
    rest = (a * b << (DIGIT + np.uint64(1))) + b * b
    return 2 * a * a + (rest >> np.uint64(BITS)), rest & np.uint64(2**BITS - 1)


def combine_powers(halves: Objects) -> tuple[int, int, int]:
    """Return the sums of k, its square and its cube from the sums that ``add_powers`` computes."""
    a, b, aa, ab, bb, aaa, aab, abb, bbb = (
        int(upper << HALF) + int(lower) for upper, lower in halves
    )
    d = 1 << int(DIGIT)
    return (
        a * d + b,
        aa * d**2 + 2 * ab * d + bb,
        aaa * d**3 + 3 * aab * d**2 + 3 * abb * d + bbb,
    )
