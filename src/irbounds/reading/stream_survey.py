"""A first pass over a stream of scores: the number of queries, the range of scores, repeats.

Repeated queries are found exactly, in bounded memory. The hashes of query ids are collected and
sorted, as many at a time as memory allows, and the ids are read again for the next part of them.
Two queries may have the same hash by chance, so the ids of those that do are compared.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, quote
from ..parallel import Arrays, bind, current_execution, run_work, use_execution
from ..parallel.memory import limit_threads, memory_budget, remaining_memory
from .score_stream import ScoreStream, read_stretch

Floats = NDArray[np.float64]
Step = Callable[[], None]

AT_ONCE = 512 << 20  # bytes for the hashes of queries if no limit is set
EACH = 16  # bytes per query while hashes are collected
MAX_LOOKED_UP = 1000  # repeated hashes whose ids are looked up
READING = 40  # operations to read a value, if adding one is one operation


@dataclass(frozen=True, eq=False)
class Survey:
    """The number of queries and the range of scores of a stream."""

    n: int
    #: by system
    minima: Floats
    maxima: Floats
    #: the sum of the queries' hashes, modulo 2**64
    fingerprint: int


def reading_cost(stream: ScoreStream) -> int:
    """Return the number of operations to read a stretch."""
    return READING * stream.rows_each * (len(stream.systems) + 1)


def ids_cost(stream: ScoreStream) -> int:
    """Return the number of operations to read the ids of a stretch."""
    return READING * stream.rows_each


def survey(stream: ScoreStream, step: Step | None = None) -> Survey:
    """Read a stream and check every value; ``step`` is called after each stretch."""
    n, fingerprint = 0, 0
    minima = np.full(len(stream.systems), np.inf)
    maxima = -minima
    work = bind(
        survey_unit,
        "first pass over a stream",
        inputs={"stream": "the files of scores"},
        stream=stream,
    )
    layout = [((2,), np.uint64), *[(minima.shape, np.float64)] * 2]
    for totals, low, high in run_work(
        work,
        stream.n_stretches,
        cost=reading_cost(stream),
        layout=lambda unit: layout,
        progress=step,
    ):
        n += int(totals[0])
        fingerprint = (fingerprint + int(totals[1])) % 2**64
        minima, maxima = np.minimum(minima, low), np.maximum(maxima, high)
    if not n:
        raise InputError(f"{stream.files[0].path}: only summary rows; scores per query are needed")
    return Survey(n, minima, maxima, fingerprint)


def survey_unit(unit: int, *, stream: ScoreStream) -> Arrays:
    """Return the number of queries of a stretch, the sum of their hashes, and systems' extremes."""
    stretch = read_stretch(stream, unit)
    totals = np.array([len(stretch.hashes), stretch.hashes.sum(dtype=np.uint64)], np.uint64)
    low = [column.min(initial=np.inf) for column in stretch.scores]
    high = [column.max(initial=-np.inf) for column in stretch.scores]
    return totals, np.array(low), np.array(high)


def count_parts(stream: ScoreStream) -> int:
    """Return how many times ids are read to find repeated ones."""
    return max(-(-EACH * stream.n_rows // max(memory_budget(4 * AT_ONCE) // 4, 1 << 20)), 1)


def bytes_of_hashes(stream: ScoreStream) -> int:
    """Return the bytes that the hashes of queries take, part by part."""
    return -(-EACH * stream.n_rows // count_parts(stream))


def check_distinct(stream: ScoreStream, step: Step | None = None) -> None:
    """Raise ``InputError`` if a query is there twice; ``step`` is called after each stretch.

    This runs in this process without a checkpoint: otherwise all hashes would have to be sent and
    written.
    """
    cost = ids_cost(stream)
    n_parts = count_parts(stream)
    repeated: list[NDArray[np.uint64]] = []
    with (
        use_execution(replace(current_execution(), executor=None, checkpoint=None)),
        limit_threads(remaining_memory() - bytes_of_hashes(stream), stream.bytes_each),
    ):
        for part in range(n_parts):
            work = bind(
                hashes_unit, "queries of a stream", stream=stream, part=part, n_parts=n_parts
            )
            stretches = run_work(work, stream.n_stretches, cost=cost, progress=step)
            hashes = np.concatenate([of_stretch for (of_stretch,) in stretches])
            hashes.sort()
            repeated.append(hashes[1:][hashes[1:] == hashes[:-1]])
    suspects = np.concatenate(repeated)
    if suspects.size:
        _raise_if_equal(stream, suspects)


def hashes_unit(unit: int, *, stream: ScoreStream, part: int, n_parts: int) -> Arrays:
    """Return the hashes of the queries of a stretch that belong to one of several parts."""
    hashes = read_stretch(stream, unit, scores=False).hashes
    upper = hashes >> np.uint64(32)
    return (hashes[upper * np.uint64(n_parts) >> np.uint64(32) == part],)


def _raise_if_equal(stream: ScoreStream, suspects: NDArray[np.uint64]) -> None:
    """Raise ``InputError`` if queries with the same hash have the same id."""
    sought = np.unique(suspects[:MAX_LOOKED_UP])
    first_places: dict[str, tuple[str, int]] = {}
    for number in range(stream.n_stretches):
        stretch = read_stretch(stream, number, scores=False)
        for place in np.flatnonzero(np.isin(stretch.hashes, sought)).tolist():
            text, here = stretch.ids[place], (stretch.path, int(stretch.rows[place]))
            path, row = first_places.setdefault(text, here)
            if (path, row) != here:
                more = f"; and {suspects.size - 1:,} more" if suspects.size > 1 else ""
                raise InputError(
                    f"{here[0]}: row {here[1]}: query {quote(text)} is already in {path}, row "
                    f"{row}{more}"
                )
