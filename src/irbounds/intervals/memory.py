"""How much memory intervals keep, said before anything is drawn.

An estimate keeps its bootstrap means, and most methods keep them sorted beside that, so that
another level needs no new draws.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from ..parallel.memory import check_fits_now, fitting
from ..parallel.sizes import NUMBER, shown_bytes
from ..reading.score_stream import ScoreStream
from ..reading.stream_survey import bytes_of_hashes
from ..resampling.streamed import bytes_of_sums
from .methods import METHODS

#: methods that keep the bootstrap means in order, which they share
SORTING = ("percentile", "basic", "bca")


def check_estimates_fit(methods_by_row: Sequence[Sequence[str]], n_resamples: int) -> None:
    """Raise ``ParameterError`` where the estimates of all rows (a system, a measure) do not fit."""
    needs_errors = any(
        METHODS[method].needs_bootstrap_errors for methods in methods_by_row for method in methods
    )
    n_numbers = sum(_kept(methods, needs_errors) for methods in methods_by_row) * n_resamples
    check_fits_now(
        f"{n_resamples:,} resamples for {len(methods_by_row):,} systems and measures",
        NUMBER * n_numbers,
        "take fewer resamples, systems or measures, or method 'student-t'",
    )


def check_comparisons_fit(
    n_systems: int, n_measures: int, baseline: str | None, bytes_each: int
) -> None:
    """Raise ``ParameterError`` where the results of all comparisons of systems do not fit."""
    n_others = n_systems - 1
    n = n_measures * (n_others if baseline is not None else n_systems * n_others // 2)
    fewer = "compare fewer systems or measures"
    check_fits_now(
        f"{n:,} comparisons of {n_systems:,} systems",
        bytes_each * n,
        fewer if baseline is not None else f"compare all systems with a baseline, or {fewer}",
    )


def _kept(methods: Sequence[str], needs_errors: bool) -> int:
    """Numbers kept for each resample: means, their squares and errors, sorted means, ratios."""
    if not any(METHODS[method].needs_bootstrap for method in methods):
        return 0
    in_order = any(method in SORTING for method in methods)
    return 1 + 2 * needs_errors + in_order + ("studentised" in methods)


@contextmanager
def stream_fitting(stream: ScoreStream, methods: Sequence[str], n_resamples: int) -> Iterator[None]:
    """Read a stream, from first to last, on as many threads as fit into memory.

    Raises ``ParameterError`` where not even one does, before anything is read.
    """
    drawn, squares = drawn_for(methods, n_resamples)
    kept, each_thread = bytes_of_sums(len(stream.systems), drawn, squares=squares)
    what, advice = _said(stream, drawn, kept + each_thread)
    with fitting(
        what,
        kept=max(kept, bytes_of_hashes(stream)),
        each_thread=each_thread + stream.bytes_each,
        advice=advice,
    ):
        yield


def drawn_for(methods: Sequence[str], n_resamples: int) -> tuple[int, bool]:
    """How many resamples methods need, and whether also of squares."""
    wanted = [METHODS[method] for method in methods]
    n_drawn = n_resamples if any(method.needs_bootstrap for method in wanted) else 0
    return n_drawn, any(method.needs_bootstrap_errors for method in wanted)


def _said(stream: ScoreStream, n_drawn: int, drawing: int) -> tuple[str, str]:
    """What takes most of the memory that a stream needs, and what to do about it."""
    group = stream.largest.at_once
    if drawing > stream.bytes_each:
        resamples = f"{n_drawn:,} resamples of {len(stream.systems):,} systems"
        return resamples, "ask for fewer resamples"
    if 2 * group > stream.bytes_each:
        return (
            f"{stream.largest.path}: a group of rows of {shown_bytes(group)} is read at once",
            "write the file in smaller groups, such as polars' row_group_size=250_000",
        )
    return f"{len(stream.systems):,} systems, {stream.rows_each:,} queries at a time", "allow more"
