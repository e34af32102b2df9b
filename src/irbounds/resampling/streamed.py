"""The bootstrap over a stream of queries: sums in whole numbers, with weights by query.

Which queries a resample draws is decided query by query, by the number that stands for its id: a
Poisson number with mean 1. Given how many are drawn in all, such weights are what drawing with
replacement gives, and the mean is divided by that number. docs/streams.md says how large the
difference is.

Scores become whole numbers, which moves them by 2**-39 of their range at most, and from then on
nothing is rounded: so neither the order of the queries nor how they are cut into files and
stretches changes a bit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..kernels.streaming import BITS, LANES, add_powers, add_resamples
from ..parallel.blocks import finished
from ..parallel.sizes import NUMBER
from ..parallel.work import Arrays, bind
from ..reading.score_stream import ScoreStream, read_stretch
from ..reading.stream_survey import Survey, reading_cost
from .streams import Purpose
from .streams import stream as random_stream
from .whole_numbers import Exact, Grid, powers_of_parts, square_in_parts

Floats = NDArray[np.float64]
Objects = NDArray[np.object_]

AT_ONCE = 1 << 14  # queries whose columns are laid out at a time
DRAWING = 2  # operations to draw a weight, where to multiply by it is one


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
    grids = [_grid(*ends, stream) for ends in zip(known.minima, known.maxima, strict=True)]
    n_systems = len(grids)
    n_columns = _n_columns(n_systems, squares=squares)
    drawn = -(-n_resamples // LANES) * LANES
    work = bind(
        sum_unit,
        "resampled queries of a stream",
        asked={"n_resamples": n_resamples, "standard_errors": squares, "seed": seed},
        read={"stream": "the files of scores", "grids": "the files of scores"},
        stream=stream,
        grids=tuple(grids),
        key=random_stream(seed, Purpose.poisson_weights).bit_generator.random_raw(),
        n_resamples=drawn,
        squares=squares,
    )
    resampled = Exact((n_columns, drawn))
    powers = Exact((n_systems, 9, 2))
    cost = sum_cost(stream, n_resamples, squares=squares)
    layout = [((n_columns, drawn), np.int64), ((n_systems, 9, 2), np.int64)]
    for sums, totals in finished(
        work, stream.n_stretches, cost=cost, layout=lambda unit: layout, progress=progress
    ):
        resampled.add(sums)
        powers.add(totals)
    return list(_by_system(known.n, grids, resampled, powers, n_resamples))


def sum_unit(
    unit: int,
    *,
    stream: ScoreStream,
    grids: Sequence[Grid],
    key: int,
    n_resamples: int,
    squares: bool,
) -> Arrays:
    """Sums over a unit, the queries of a stretch: column x resample, and powers of each system's k.

    Columns are a 1, each system's k, and of its square the upper and the lower part.
    """
    stretch = read_stretch(stream, unit)
    k = [g.numbers(s, stretch.path) for g, s in zip(grids, stretch.scores, strict=True)]
    totals = np.zeros((len(grids), 9, 2), np.uint64)
    for numbers, place in zip(k, totals, strict=True):
        add_powers(numbers, place)
    sums = np.zeros((_n_columns(len(grids), squares=squares), n_resamples), np.int64)
    for begin in range(0, len(stretch.hashes) if n_resamples else 0, AT_ONCE):
        here = slice(begin, begin + AT_ONCE)
        columns = _columns([numbers[here] for numbers in k], squares=squares)
        add_resamples(stretch.hashes[here], columns, np.uint64(key), sums)
    return sums, totals.astype(np.int64)


def sum_cost(stream: ScoreStream, n_resamples: int, *, squares: bool) -> int:
    """Operations to read and sum a stretch."""
    n_columns = _n_columns(len(stream.systems), squares=squares)
    return reading_cost(stream) + stream.rows_each * n_resamples * (n_columns + DRAWING)


def _n_columns(n_systems: int, *, squares: bool) -> int:
    return 1 + n_systems * (3 if squares else 1)


def _columns(k: Sequence[NDArray[np.uint64]], *, squares: bool) -> Floats:
    n_systems = len(k)
    columns = np.ones((len(k[0]), _n_columns(n_systems, squares=squares)))
    for place, numbers in enumerate(k, start=1):
        columns[:, place] = numbers
        if squares:
            columns[:, place + n_systems], columns[:, place + 2 * n_systems] = square_in_parts(
                numbers
            )
    return columns


def _grid(least: float, greatest: float, stream: ScoreStream) -> Grid:
    if not math.isfinite(float(greatest) - float(least)):
        raise InputError(
            f"{stream.files[0].path}: scores from {least:g} to {greatest:g} are too far apart"
        )
    return Grid(float(least), float(greatest))


def bytes_of_sums(n_systems: int, n_resamples: int, *, squares: bool) -> tuple[int, int]:
    """What all threads keep together, and what each works in besides what it reads."""
    n_columns = 1 + n_systems * (3 if squares else 1)
    n_sums = n_columns * -(-n_resamples // LANES) * LANES
    return n_sums * 64, AT_ONCE * n_columns * NUMBER + 4 * n_sums * NUMBER


def _by_system(
    n: int, grids: Sequence[Grid], resampled: Exact, powers: Exact, n_resamples: int
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
        yield SystemSums(n, grid, powers_of_parts(powers[place]), weights, first, second)
