"""The bootstrap over a stream of queries: sums in whole numbers, with weights by query.

Which queries a resample draws is decided query by query, by the number that stands for its id: a
Poisson number with mean 1. Given how many are drawn in all, such weights are what drawing with
replacement gives, and the mean is divided by that number. docs/streams.md says how large the
difference is.

Scores are laid on a grid that is fine enough for any use, 2**-39 of their range or finer, and from
then on all is whole numbers: nothing is rounded, so neither the order of the queries nor how they
are cut into files and stretches changes a bit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..kernels.streaming import BITS, LANES, add_powers, add_resamples
from ..read.score_stream import ScoreStream, read_stretch
from ..read.stream_survey import Survey
from ..scale.blocks import finished
from ..scale.memory import fitting
from ..scale.work import Arrays, bind
from .streams import Purpose
from .streams import stream as random_stream

__all__ = ["Grid", "SystemSums", "sum_stream"]

Floats = NDArray[np.float64]
Objects = NDArray[np.object_]

AT_ONCE = 1 << 14  # queries whose columns are laid out at a time
DRAWING = 2  # operations to draw a weight, where to multiply by it is one
HALF = 32


@dataclass(frozen=True)
class Grid:
    """Where a system's scores lie: at ``origin + k * 2**exponent``, for a whole number k."""

    origin: float
    exponent: int
    greatest: float

    def numbers(self, scores: Floats, path: str) -> NDArray[np.uint64]:
        """The k of each score."""
        if scores.size and not (self.origin <= scores.min() and scores.max() <= self.greatest):
            raise InputError(f"{path}: this changed while it was read")
        return np.rint(np.ldexp(scores - self.origin, -self.exponent)).astype(np.uint64)


@dataclass(frozen=True, eq=False)
class SystemSums:
    """All that is known of one system: sums of k, as Python's whole numbers."""

    n: int
    grid: Grid
    #: of the first, second and third powers
    powers: tuple[int, int, int]
    #: by resample: how many queries, and the sums of k and of its squares if asked for
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
    """Sums of every system; ``progress`` is called after each stretch.

    The same seed gives the same resamples of the same queries, whatever files they stand in, and
    more resamples only add to fewer.
    """
    grids = [_grid(*ends, stream) for ends in zip(known.least, known.greatest, strict=True)]
    n_systems = len(grids)
    n_columns = 1 + n_systems * (3 if squares else 1)
    drawn = -(-n_resamples // LANES) * LANES
    work = bind(
        sum_stretch,
        stream=stream,
        grids=tuple(grids),
        key=random_stream(seed, Purpose.poisson_weights).bit_generator.random_raw(),
        n_resamples=drawn,
        squares=squares,
    )
    resampled = _Exact((n_columns, drawn))
    powers = _Exact((n_systems, 9, 2))
    with fitting(
        f"{n_resamples:,} resamples of {n_systems:,} systems",
        kept=n_columns * drawn * 64,
        each_thread=_bytes_each(stream, n_columns, drawn),
        advice="ask for fewer resamples",
    ):
        cost = stream.rows_each * max(drawn, 1) * (n_columns + DRAWING)
        for sums, totals in finished(work, stream.n_stretches, cost=cost, progress=progress):
            resampled.add(sums)
            powers.add(totals)
    return list(_by_system(known.n, grids, resampled, powers, n_resamples))


def sum_stretch(
    number: int,
    *,
    stream: ScoreStream,
    grids: Sequence[Grid],
    key: int,
    n_resamples: int,
    squares: bool,
) -> Arrays:
    """Sums over the queries of a stretch: column x resample, and powers of each system's k.

    Columns are a 1, each system's k, and of its square the upper and the lower part.
    """
    stretch = read_stretch(stream, number)
    k = [g.numbers(s, stretch.path) for g, s in zip(grids, stretch.scores, strict=True)]
    totals = np.zeros((len(grids), 9, 2), np.uint64)
    for numbers, place in zip(k, totals, strict=True):
        add_powers(numbers, place)
    sums = np.zeros((1 + len(grids) * (3 if squares else 1), n_resamples), np.int64)
    for begin in range(0, len(stretch.names) if n_resamples else 0, AT_ONCE):
        here = slice(begin, begin + AT_ONCE)
        columns = _columns([numbers[here] for numbers in k], squares=squares)
        add_resamples(stretch.names[here], columns, np.uint64(key), sums)
    return sums, totals.astype(np.int64)


def _columns(k: Sequence[NDArray[np.uint64]], *, squares: bool) -> Floats:
    n_systems = len(k)
    columns = np.ones((len(k[0]), 1 + n_systems * (3 if squares else 1)))
    for place, numbers in enumerate(k, start=1):
        columns[:, place] = numbers
        if squares:
            columns[:, place + n_systems], columns[:, place + 2 * n_systems] = _square(numbers)
    return columns


def _square(k: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """K * k, of up to 78 bits, as an upper and a lower part of 39."""
    a, b = k >> np.uint64(20), k & np.uint64(2**20 - 1)
    # (a * 2**20 + b)**2 = (2 a * a + c) * 2**39 + d, where c and d are of 2 a b * 2**20 + b * b
    rest = (a * b << np.uint64(21)) + b * b
    return 2 * a * a + (rest >> np.uint64(BITS)), rest & np.uint64(2**BITS - 1)


def _grid(least: float, greatest: float, stream: ScoreStream) -> Grid:
    if not math.isfinite(float(greatest) - float(least)):
        raise InputError(
            f"{stream.files[0].path}: scores from {least:g} to {greatest:g} are too far apart"
        )
    return Grid(float(least), int(np.frexp(greatest - least)[1]) - BITS, float(greatest))


def _bytes_each(stream: ScoreStream, n_columns: int, n_resamples: int) -> float:
    """What a thread works in: a stretch, read and on the grid, its columns, and sums in flight."""
    read = stream.rows_each * (100 + 24 * len(stream.systems))
    return read + AT_ONCE * n_columns * 8 + 4 * n_columns * n_resamples * 8


class _Exact:
    """Sums of whole numbers of 64 bits, which may need more: halves are added up apart."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.upper = np.zeros(shape, np.int64)
        self.lower = np.zeros(shape, np.int64)

    def add(self, numbers: NDArray[np.int64]) -> None:
        self.upper += numbers >> HALF
        self.lower += numbers & ((1 << HALF) - 1)

    def __getitem__(self, place: slice | int | tuple[slice | int, ...]) -> Objects:
        upper, lower = (half[place].astype(object) for half in (self.upper, self.lower))
        exact: Objects = upper * (1 << HALF) + lower
        return exact


def _by_system(
    n: int, grids: Sequence[Grid], resampled: _Exact, powers: _Exact, n_resamples: int
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
        yield SystemSums(n, grid, _powers(powers[place]), weights, first, second)


def _powers(halves: Objects) -> tuple[int, int, int]:
    """Sums of k, its square and its cube, from those of the parts of k = a * 2**20 + b."""
    a, b, aa, ab, bb, aaa, aab, abb, bbb = (
        int(upper << HALF) + int(lower) for upper, lower in halves
    )
    d = 1 << 20
    return (
        a * d + b,
        aa * d**2 + 2 * ab * d + bb,
        aaa * d**3 + 3 * aab * d**2 + 3 * abb * d + bbb,
    )
