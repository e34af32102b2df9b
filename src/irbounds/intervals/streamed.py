"""Means with intervals of scores that are read as a stream."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from ..errors import DataError, ParameterError, show_name
from ..measurement.base import bounds_of
from ..measurement.names import UNNAMED, names_of_source, note_readings
from ..reading.score_stream import ScoreStream, open_stream
from ..reading.stream_survey import (
    Survey,
    check_distinct,
    count_parts,
    ids_cost,
    reading_cost,
    survey,
)
from ..resampling.streamed import sum_cost, sum_stream
from ..results import Estimate, InputFile, Results
from ..scores.score_table import check_magnitude
from .estimates import Asked, Bounds, IntervalPlan, check_bounded, estimate_of, sigma_of
from .memory import check_estimates_fit, drawn_for, stream_fitting
from .methods import METHODS
from .summed import SummedSample

Step = Callable[[], None]


def estimate_stream(
    scores: Any,
    plan: IntervalPlan,
    methods_for: Callable[[Bounds | None], Sequence[str]],
    bounds: Bounds | None,
) -> Results[Estimate]:
    """An estimate for each measure, method and system of a stream; all share their resamples.

    ``methods_for`` says which methods to use for a measure with these bounds.
    """
    by_measure = scores if isinstance(scores, Mapping) else {None: scores}
    if not by_measure:
        raise ParameterError("no scores given")
    given = {str(name or UNNAMED): one for name, one in by_measure.items()}
    ours = names_of_source(given, "the scores")
    streams = {ours[name]: open_stream(one) for name, one in given.items()}
    note_readings(ours.items())
    inputs = [InputFile(f.path, f.fingerprint) for s in streams.values() for f in s.files]
    plan = replace(plan, inputs=tuple(dict.fromkeys(inputs)))
    asked = {
        measure: _asked(measure, stream.systems, methods_for, bounds or bounds_of(measure))
        for measure, stream in streams.items()
    }
    with _all_fitting(streams, asked, plan):
        passes = _Passes(streams, asked, plan)
        known = {measure: _surveyed(stream, passes) for measure, stream in streams.items()}
        _check_same_queries(streams, known)
        return Results(
            estimate_of(row, sample, plan)
            for measure, stream in streams.items()
            for row, sample in _samples(asked[measure], stream, known[measure], plan, passes)
        )


class _Passes:
    """Progress in queries, over passes of very unlike cost: as if each query were done at once."""

    def __init__(
        self,
        streams: Mapping[str, ScoreStream],
        asked: Mapping[str, list[list[Asked]]],
        plan: IntervalPlan,
    ) -> None:
        self._progress = plan.progress
        self._n_queries = sum(stream.n_rows for stream in streams.values())
        self._done = 0
        self._total = 0
        for measure, stream in streams.items():
            n_drawn, squares = drawn_for(
                [rows[0].method for rows in asked[measure]], plan.n_resamples
            )
            each = reading_cost(stream) + count_parts(stream) * ids_cost(stream)
            each += sum_cost(stream, n_drawn, squares=squares)
            self._total += each * stream.n_stretches

    def step(self, cost: int) -> Step | None:
        """What to call after each stretch of a pass in which one costs so much."""
        progress = self._progress
        if progress is None:
            return None

        def tell() -> None:
            self._done += cost
            progress(self._n_queries * self._done // self._total, self._n_queries)

        return tell


def _asked(
    measure: str,
    systems: Sequence[str],
    methods_for: Callable[[Bounds | None], Sequence[str]],
    bounds: Bounds | None,
) -> list[list[Asked]]:
    """For each method, a row for each system."""
    return [
        [Asked(system, measure, method, bounds) for system in systems]
        for method in methods_for(bounds)
    ]


@contextmanager
def _all_fitting(
    streams: Mapping[str, ScoreStream], asked: Mapping[str, list[list[Asked]]], plan: IntervalPlan
) -> Iterator[None]:
    """Work on as many threads as fit, whichever stream is being read; nothing is read before."""
    with ExitStack() as held:
        for measure, stream in streams.items():
            methods = [rows[0].method for rows in asked[measure]]
            held.enter_context(stream_fitting(stream, methods, plan.n_resamples))
        by_system = [rows for of_one in asked.values() for rows in zip(*of_one, strict=True)]
        methods_by_row = [[row.method for row in rows] for rows in by_system]
        check_estimates_fit(methods_by_row, plan.n_resamples)
        yield


def _surveyed(stream: ScoreStream, passes: _Passes) -> Survey:
    """Read once, every value checked, and no query there twice."""
    known = survey(stream, passes.step(reading_cost(stream)))
    for system, low, high in zip(stream.systems, known.minima, known.maxima, strict=True):
        check_magnitude(f"{stream.files[0].path}: {show_name(system)}", max(high, -low))
    check_distinct(stream, passes.step(ids_cost(stream)))
    return known


def _check_same_queries(streams: Mapping[str, ScoreStream], known: Mapping[str, Survey]) -> None:
    """Measures are of the same queries: as many, with the same sum of what stands for them."""
    (first, there), *others = known.items()
    for measure, here in others:
        if (here.n, here.fingerprint) != (there.n, there.fingerprint):
            raise DataError(
                f"{streams[measure].files[0].path}: {measure} is of {here.n:,} queries and "
                f"{first} of {there.n:,}; the same queries are needed"
                if here.n != there.n
                else f"{streams[measure].files[0].path}: {measure} is of other queries than {first}"
            )


def _samples(
    asked: Sequence[Sequence[Asked]],
    stream: ScoreStream,
    known: Survey,
    plan: IntervalPlan,
    passes: _Passes,
) -> Iterator[tuple[Asked, SummedSample]]:
    """For each method of ``asked`` and each system, a row with its sample."""
    for rows in asked:
        for row, *ends in zip(rows, known.minima, known.maxima, strict=True):
            check_bounded(row, np.array(ends))
    methods = [rows[0].method for rows in asked]
    needs_sigma = any(METHODS[method].needs_sigma for method in methods)
    sigmas = [sigma_of(one, plan.sigma) if needs_sigma else None for one in stream.systems]
    n_drawn, squares = drawn_for(methods, plan.n_resamples)
    step = passes.step(sum_cost(stream, n_drawn, squares=squares))
    sums = sum_stream(stream, known, n_drawn, plan.seed, squares=squares, progress=step)
    bounds = asked[0][0].bounds
    samples = [SummedSample(*one, bounds) for one in zip(sums, sigmas, strict=True)]
    for rows in asked:
        yield from zip(rows, samples, strict=True)
