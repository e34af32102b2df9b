"""Means with intervals of scores that are read as a stream."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..errors import DataError, ParameterError
from ..read.score_stream import ScoreStream, open_stream
from ..read.stream_survey import Survey, check_distinct, n_parts, survey
from ..resample.streamed import SystemSums, sum_stream
from ..results import Estimate, InputFile, Results
from ..scale.blocks import counted
from ..scores.measures import bounds_of
from .estimates import Bounds, IntervalPlan, Labelled, check_bounded, estimate_of, sigma_of
from .methods import METHODS
from .summed import SummedSample

__all__ = ["UNNAMED", "estimate_stream"]

UNNAMED = "score"  # what the scores are by if nobody says
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
    streams = {str(name or UNNAMED): open_stream(one) for name, one in by_measure.items()}
    inputs = [InputFile(f.path, f.fingerprint) for s in streams.values() for f in s.files]
    plan = replace(plan, inputs=tuple(dict.fromkeys(inputs)))
    step = counted(plan.progress, sum(s.n_stretches * (2 + n_parts(s)) for s in streams.values()))
    known = {measure: _surveyed(stream, step) for measure, stream in streams.items()}
    _check_same_queries(streams, known)
    estimates: list[Estimate] = []
    for measure, stream in streams.items():
        within = bounds or bounds_of(measure)
        asked = [
            [
                Labelled(system, measure, np.array(ends), method, within)
                for system, *ends in zip(
                    stream.systems, known[measure].least, known[measure].greatest, strict=True
                )
            ]
            for method in methods_for(within)
        ]
        estimates += _estimates(asked, stream, known[measure], plan, step)
    return Results(estimates)


def _surveyed(stream: ScoreStream, step: Step | None) -> Survey:
    """Read once, every value checked, and no query there twice."""
    known = survey(stream, step)
    check_distinct(stream, step)
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


def _estimates(
    asked: Sequence[Sequence[Labelled]],
    stream: ScoreStream,
    known: Survey,
    plan: IntervalPlan,
    step: Step | None,
) -> list[Estimate]:
    """For each method of ``asked``, an estimate for each system."""
    methods = {rows[0].method: METHODS[rows[0].method] for rows in asked}
    for rows in asked:
        for row in rows:
            check_bounded(row)
            if methods[row.method].needs_sigma:
                sigma_of(row.system, plan.sigma)
    sums = sum_stream(
        stream,
        known,
        plan.n_resamples if any(one.needs_bootstrap for one in methods.values()) else 0,
        plan.seed,
        squares=any(one.needs_bootstrap_errors for one in methods.values()),
        progress=step,
    )
    samples = [
        _sample(row, one, plan, needs_sigma=any(m.needs_sigma for m in methods.values()))
        for row, one in zip(asked[0], sums, strict=True)
    ]
    return [
        _estimate(row, sample, plan)
        for rows in asked
        for row, sample in zip(rows, samples, strict=True)
    ]


def _sample(
    row: Labelled, sums: SystemSums, plan: IntervalPlan, *, needs_sigma: bool
) -> SummedSample:
    sigma = sigma_of(row.system, plan.sigma) if needs_sigma else None
    return SummedSample(sums, sigma, row.bounds)


def _estimate(row: Labelled, sample: SummedSample, plan: IntervalPlan) -> Estimate:
    estimate = estimate_of(row, sample, plan)
    if estimate.distribution is None:
        return estimate
    n_dropped = estimate.n_dropped + sample.n_empty
    return replace(estimate, weights="poisson", n_dropped=n_dropped)
