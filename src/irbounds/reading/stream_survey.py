"""A first look at a stream of scores: how many queries, between which scores, and each but once.

Whether a query stands twice is found exactly, in bounded memory: the numbers that stand for queries
are gathered and sorted, as many at a time as memory allows, and the ids are read again for the next
part of them. Two queries may share a number by chance, so the ids of those that do are compared.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, quote
from ..parallel.execution import current_execution, use_execution
from ..parallel.memory import limit_threads, memory_budget, remaining_memory
from ..parallel.work import Arrays, bind, run_work
from .score_stream import ScoreStream, read_stretch

Floats = NDArray[np.float64]
Step = Callable[[], None]

AT_ONCE = 512 << 20  # bytes for the numbers of queries, where nobody says how many
EACH = 16  # bytes a query takes while numbers are gathered
SHOWN = 1000  # numbers that stand twice and whose ids are looked up
READING = 40  # operations to read a value, where to add one is one


@dataclass(frozen=True, eq=False)
class Survey:
    """What is known of a stream once it was read."""

    n: int
    #: by system
    least: Floats
    greatest: Floats
    #: the sum of the queries' numbers, modulo 2**64: other queries have another
    fingerprint: int


def reading_cost(stream: ScoreStream) -> int:
    """Operations to read a stretch."""
    return READING * stream.rows_each * (len(stream.systems) + 1)


def names_cost(stream: ScoreStream) -> int:
    """Operations to read the ids of a stretch."""
    return READING * stream.rows_each


def survey(stream: ScoreStream, step: Step | None = None) -> Survey:
    """Read a stream and check every value; ``step`` is called after each stretch."""
    n, fingerprint = 0, 0
    least = np.full(len(stream.systems), np.inf)
    greatest = -least
    work = bind(
        survey_unit,
        "first look at a stream",
        inputs={"stream": "the files of scores"},
        stream=stream,
    )
    layout = [((2,), np.uint64), *[(least.shape, np.float64)] * 2]
    for totals, low, high in run_work(
        work,
        stream.n_stretches,
        cost=reading_cost(stream),
        layout=lambda unit: layout,
        progress=step,
    ):
        n += int(totals[0])
        fingerprint = (fingerprint + int(totals[1])) % 2**64
        least, greatest = np.minimum(least, low), np.maximum(greatest, high)
    if not n:
        raise InputError(f"{stream.files[0].path}: only summary rows; scores per query are needed")
    return Survey(n, least, greatest, fingerprint)


def survey_unit(unit: int, *, stream: ScoreStream) -> Arrays:
    """How many queries a stretch has, the sum of their numbers, and systems' least and greatest."""
    stretch = read_stretch(stream, unit)
    totals = np.array([len(stretch.names), stretch.names.sum(dtype=np.uint64)], np.uint64)
    low = [column.min(initial=np.inf) for column in stretch.scores]
    high = [column.max(initial=-np.inf) for column in stretch.scores]
    return totals, np.array(low), np.array(high)


def n_parts(stream: ScoreStream) -> int:
    """How many times ids are read to find those that stand twice."""
    return max(-(-EACH * stream.n_rows // max(memory_budget(4 * AT_ONCE) // 4, 1 << 20)), 1)


def bytes_of_names(stream: ScoreStream) -> int:
    """What the numbers of queries take, a part at a time."""
    return -(-EACH * stream.n_rows // n_parts(stream))


def check_distinct(stream: ScoreStream, step: Step | None = None) -> None:
    """Raise ``InputError`` where a query stands twice; ``step`` is called after each stretch.

    Always here and never kept: all the numbers of queries would have to be sent and written.
    """
    cost = names_cost(stream)
    twice: list[NDArray[np.uint64]] = []
    with (
        use_execution(replace(current_execution(), executor=None, checkpoint=None)),
        limit_threads(remaining_memory() - bytes_of_names(stream), stream.bytes_each),
    ):
        for part in range(n_parts(stream)):
            work = bind(
                names_unit, "queries of a stream", stream=stream, part=part, n_parts=n_parts(stream)
            )
            found = run_work(work, stream.n_stretches, cost=cost, progress=step)
            names = np.concatenate([one for (one,) in found])
            names.sort()
            twice.append(names[1:][names[1:] == names[:-1]])
    suspects = np.concatenate(twice)
    if suspects.size:
        _raise_if_equal(stream, suspects)


def names_unit(unit: int, *, stream: ScoreStream, part: int, n_parts: int) -> Arrays:
    """The numbers of the queries of a stretch that belong to one of several parts."""
    names = read_stretch(stream, unit, scores=False).names
    upper = names >> np.uint64(32)
    return (names[upper * np.uint64(n_parts) >> np.uint64(32) == part],)


def _raise_if_equal(stream: ScoreStream, suspects: NDArray[np.uint64]) -> None:
    """Look at the ids of queries that share a number."""
    sought = np.unique(suspects[:SHOWN])
    seen: dict[str, tuple[str, int]] = {}
    for number in range(stream.n_stretches):
        stretch = read_stretch(stream, number, scores=False)
        for place in np.flatnonzero(np.isin(stretch.names, sought)).tolist():
            text, here = stretch.ids[place], (stretch.path, int(stretch.rows[place]))
            path, row = seen.setdefault(text, here)
            if (path, row) != here:
                more = f"; and {suspects.size - 1:,} more" if suspects.size > 1 else ""
                raise InputError(
                    f"{here[0]}: row {here[1]}: query {quote(text)} stands in {path}, row {row} "
                    f"already{more}"
                )
