"""Means with intervals of scores that are read as a stream.

Only integer sums of the scores are stored. All numbers that a method needs are computed from these
sums, each by one division of integers, so that there is no cancellation. A mean is rounded once; a
standard error and a skewness are rounded once more by their root.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..errors import DataError, ParameterError, show_name
from ..measurement.names import UNNAMED, names_of_source, note_readings
from ..parallel.memory import format_bytes, reserve_memory
from ..reading.score_stream import ScoreStream, open_stream
from ..reading.stream_survey import (
    Survey,
    bytes_of_hashes,
    check_distinct,
    count_parts,
    ids_cost,
    reading_cost,
    survey,
)
from ..resampling.poisson import SystemSums, bytes_of_sums, sum_cost, sum_stream
from ..results import Estimate, InputFile, Results
from ..scores.score_table import check_magnitude
from .means import (
    IntervalPlan,
    MethodChoice,
    Row,
    check_estimates_fit,
    check_row_bounds,
    find_sigma,
    make_estimate,
)
from .methods import METHODS
from .sample import AnySample, scale_to_bounds
from .variance_prior import VariancePrior

Floats = NDArray[np.float64]
Objects = NDArray[np.object_]
#: by measure: for each method, a row per system
RowsByMeasure = Mapping[str, list[list[Row]]]

BINARY_TOLERANCE = 1e-9  # of a variance whose sums are rounded


def estimate_stream(
    scores: Any,
    plan: IntervalPlan,
    choose_methods: Callable[[str], Sequence[MethodChoice]],
) -> Results[Estimate]:
    """Return an estimate for each measure, method and system of a stream, from the same resamples.

    ``choose_methods`` returns the methods for a measure whose scores are not known yet.
    """
    by_measure = scores if isinstance(scores, Mapping) else {None: scores}
    if not by_measure:
        raise ParameterError("no scores given")
    sources = {str(name or UNNAMED): source for name, source in by_measure.items()}
    names = names_of_source(sources, "the scores")
    streams = {names[name]: open_stream(source) for name, source in sources.items()}
    note_readings(names.items())
    inputs = [InputFile(f.path, f.fingerprint) for s in streams.values() for f in s.files]
    plan = replace(plan, inputs=tuple(dict.fromkeys(inputs)))
    rows = {
        measure: [
            [Row(system, measure, *choice) for system in stream.systems]
            for choice in choose_methods(measure)
        ]
        for measure, stream in streams.items()
    }
    with _reserve_memory(streams, rows, plan):
        passes = _Passes(streams, rows, plan)
        known = {measure: _survey(stream, passes) for measure, stream in streams.items()}
        _check_same_queries(streams, known)
        return Results(
            make_estimate(row, sample, plan)
            for measure, stream in streams.items()
            for row, sample in _sum_rows(rows[measure], stream, known[measure], plan, passes)
        )


class _Passes:
    """Progress in queries over passes of different cost, as if all passes were one."""

    def __init__(
        self, streams: Mapping[str, ScoreStream], rows: RowsByMeasure, plan: IntervalPlan
    ) -> None:
        self._progress = plan.progress
        self._n_queries = sum(stream.n_rows for stream in streams.values())
        self._done = 0
        self._total = 0
        for measure, stream in streams.items():
            n_drawn, squares = _count_draws(_list_methods(rows[measure]), plan.n_resamples)
            each = reading_cost(stream) + count_parts(stream) * ids_cost(stream)
            each += sum_cost(stream, n_drawn, squares=squares)
            self._total += each * stream.n_stretches

    def step(self, cost: int) -> Callable[[], None] | None:
        """Return a function to call after each chunk of a pass in which a chunk has this cost."""
        progress = self._progress
        if progress is None:
            return None

        def report() -> None:
            self._done += cost
            progress(self._n_queries * self._done // self._total, self._n_queries)

        return report


def _list_methods(rows: Sequence[Sequence[Row]]) -> list[str]:
    return [of_method[0].method for of_method in rows]


def _count_draws(methods: Sequence[str], n_resamples: int) -> tuple[int, bool]:
    """Return how many resamples the methods need, and whether they need sums of squares."""
    needs = [METHODS[method] for method in methods]
    n_drawn = n_resamples if any(method.needs_bootstrap for method in needs) else 0
    return n_drawn, any(method.needs_bootstrap_errors for method in needs)


@contextmanager
def _reserve_memory(
    streams: Mapping[str, ScoreStream], rows: RowsByMeasure, plan: IntervalPlan
) -> Iterator[None]:
    """Limit the threads to those that fit in memory, whichever stream is being read.

    Raises ``ParameterError`` where not even one fits, before anything is read.
    """
    with ExitStack() as stack:
        for measure, stream in streams.items():
            methods = _list_methods(rows[measure])
            stack.enter_context(reserve_stream_memory(stream, methods, plan.n_resamples))
        by_system = [group for by_method in rows.values() for group in zip(*by_method, strict=True)]
        check_estimates_fit(
            [[row.method for row in group] for group in by_system], plan.n_resamples
        )
        yield


def reserve_stream_memory(
    stream: ScoreStream, methods: Sequence[str], n_resamples: int
) -> AbstractContextManager[None]:
    """Limit the threads that read a stream to those that fit in memory."""
    n_drawn, squares = _count_draws(methods, n_resamples)
    shared, each_thread = bytes_of_sums(len(stream.systems), n_drawn, squares=squares)
    content, advice = _describe_memory(stream, n_drawn, shared + each_thread)
    return reserve_memory(
        content,
        shared=max(shared, bytes_of_hashes(stream)),
        each_thread=each_thread + stream.bytes_each,
        advice=advice,
    )


def _describe_memory(stream: ScoreStream, n_drawn: int, drawing: int) -> tuple[str, str]:
    """Return what needs most of the memory of a stream, and how to reduce it."""
    group = stream.largest.at_once
    if drawing > stream.bytes_each:
        resamples = f"{n_drawn:,} resamples of {len(stream.systems):,} systems"
        return resamples, "take fewer resamples"
    if 2 * group > stream.bytes_each:
        return (
            f"{stream.largest.path}: a row group of {format_bytes(group)} is read at once",
            "write the file in smaller row groups, such as polars' row_group_size=250_000",
        )
    return f"{len(stream.systems):,} systems, {stream.rows_each:,} queries at a time", "allow more"


def _survey(stream: ScoreStream, passes: _Passes) -> Survey:
    """Read a stream once, check every value, and check that no query occurs twice."""
    known = survey(stream, passes.step(reading_cost(stream)))
    for system, low, high in zip(stream.systems, known.minima, known.maxima, strict=True):
        check_magnitude(f"{stream.files[0].path}: {show_name(system)}", max(high, -low))
    check_distinct(stream, passes.step(ids_cost(stream)))
    return known


def _check_same_queries(streams: Mapping[str, ScoreStream], known: Mapping[str, Survey]) -> None:
    """Raise ``DataError`` unless all measures have the same number of queries and sum of hashes."""
    (first, expected), *others = known.items()
    for measure, actual in others:
        path = streams[measure].files[0].path
        if actual.n != expected.n:
            raise DataError(
                f"{path}: {measure} has {actual.n:,} queries and {first} has {expected.n:,}; "
                "the same queries are needed"
            )
        if actual.fingerprint != expected.fingerprint:
            raise DataError(f"{path}: {measure} has other queries than {first}")


def _sum_rows(
    rows: Sequence[Sequence[Row]],
    stream: ScoreStream,
    known: Survey,
    plan: IntervalPlan,
    passes: _Passes,
) -> Iterator[tuple[Row, SummedSample]]:
    """Return each row, by method and system, with its sample."""
    for of_method in rows:
        for row, *ends in zip(of_method, known.minima, known.maxima, strict=True):
            check_row_bounds(row, np.array(ends))
    methods = _list_methods(rows)
    needs_sigma = any(METHODS[method].needs_sigma for method in methods)
    sigmas = [find_sigma(system, plan.sigma) if needs_sigma else None for system in stream.systems]
    n_drawn, squares = _count_draws(methods, plan.n_resamples)
    step = passes.step(sum_cost(stream, n_drawn, squares=squares))
    sums = sum_stream(stream, known, n_drawn, plan.seed, squares=squares, progress=step)
    bounds = rows[0][0].bounds
    prior = next((of_method[0].prior for of_method in rows if of_method[0].prior), None)
    samples = [SummedSample(*pair, bounds, prior) for pair in zip(sums, sigmas, strict=True)]
    for of_method in rows:
        for row, sample in zip(of_method, samples, strict=True):
            _check_binary(row, sample)
            yield row, sample


def _check_binary(row: Row, sample: SummedSample) -> None:
    """Raise ``ParameterError`` where a method for proportions has a score between the bounds.

    Only scores at the bounds have the largest possible variance, m (1 - m), so that no further pass
    is needed.
    """
    if not METHODS[row.method].needs_binary or sample.n < 2:
        return
    mean, variance = scale_to_bounds(sample, row.bounds or (0.0, 1.0))
    largest = mean * (1 - mean) * sample.n / (sample.n - 1)
    if variance < largest - BINARY_TOLERANCE:
        low, high = row.bounds or (0.0, 1.0)
        raise ParameterError(
            f"method {row.method!r} is for scores that are all {low:g} or {high:g}; {row.label} "
            "has scores between them"
        )


@dataclass(frozen=True, eq=False)
class SummedSample(AnySample):
    """The sums of one system's scores, as a sample for interval methods."""

    sums: SystemSums
    sigma: float | None = None
    bounds: tuple[float, float] | None = None
    prior: VariancePrior | None = None

    @property
    def n(self) -> int:
        """Number of queries."""
        return self.sums.n

    @cached_property
    def mean(self) -> Floats:
        """Mean score."""
        first, n = (np.array(number, object) for number in (self.sums.powers[0], self.n))
        return self._divide(first, n)

    @property
    def is_constant(self) -> NDArray[np.bool_]:
        """Whether all scores are equal."""
        return np.asarray(self.sums.grid.least == self.sums.grid.greatest)

    @cached_property
    def standard_error(self) -> Floats:
        """Standard error of the mean; NaN for scores without spread and for a single score."""
        if self.n < 2 or self.is_constant:
            return np.asarray(np.nan)
        first, second, _ = self.sums.powers
        variance = (self.n * second - first**2) / (self.n**2 * (self.n - 1))
        error = math.ldexp(math.sqrt(variance), self.sums.grid.exponent)
        return np.asarray(error or np.nan)  # it may vanish for scores near the smallest double

    @cached_property
    def skewness(self) -> Floats:
        """Skewness of the mean: that of the scores over the root of n; NaN without spread."""
        if self.is_constant:
            return np.asarray(np.nan)
        first, second, third = self.sums.powers
        mean = Fraction(first, self.n)
        squares = second - first * mean
        cubes = third - 3 * mean * second + 2 * self.n * mean**3
        # cubes / squares**1.5, as the root of a ratio of fractions that may exceed a double
        return np.asarray(math.copysign(math.sqrt(cubes**2 / squares**3), cubes))

    @cached_property
    def bootstrap_means(self) -> Floats | None:
        """Means on resampled queries, without the empty resamples."""
        if not self.sums.weights.size:
            return None
        drawn = self._drawn
        means = self._divide(self.sums.first[drawn], self.sums.weights[drawn])
        means = means if drawn.any() else np.full(1, np.nan)
        means.setflags(write=False)  # stored in results, whose limits must not change
        return means

    @cached_property
    def bootstrap_errors(self) -> Floats | None:
        """Standard errors of those means, exactly 0 where all scores of a resample are equal."""
        if self.sums.second is None:
            return None
        drawn = self._drawn
        if not drawn.any():
            return np.full(1, np.nan)
        weights, first = self.sums.weights[drawn], self.sums.first[drawn]
        squares = weights * self.sums.second[drawn] - first**2
        variances = squares / (weights**2 * np.maximum(weights - 1, 1))
        errors = np.ldexp(np.sqrt(variances.astype(np.float64)), self.sums.grid.exponent)
        return np.asarray(errors)

    @property
    def weights(self) -> Literal["poisson"]:
        """Distribution of the weights of queries in a resample."""
        return "poisson"

    @property
    def n_empty(self) -> int:
        """Number of resamples without a query: with n queries, one in exp(n)."""
        return int(np.count_nonzero(~self._drawn))

    @cached_property
    def _drawn(self) -> NDArray[np.bool_]:
        return self.sums.weights.astype(np.int64) > 0

    def _divide(self, total: Objects, n: Objects) -> Floats:
        """Return the mean of n scores whose k have this total, within the range of the scores."""
        grid = self.sums.grid
        steps = np.asarray((total + grid.start * n) / n, np.float64)
        with np.errstate(over="ignore"):  # half a step above the largest double, which is clipped
            return np.asarray(np.clip(np.ldexp(steps, grid.exponent), grid.least, grid.greatest))
