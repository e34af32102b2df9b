"""``mean_interval``: the mean of every system and measure with its interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import ParameterError
from ..measurement.parser import bounds_of
from ..reading.score_stream import is_stream
from ..resampling.streams import SeedLike, seed_number
from ..results import Estimate, Results
from ..scores.score_input import as_score_table
from ..validation import (
    Alternative,
    Progress,
    check_alternative,
    check_bounds,
    check_confidence_level,
    check_count,
)
from .estimates import Bounds, IntervalPlan, Labelled, estimate_means
from .methods import checked_methods
from .streamed import estimate_stream


def mean_interval(
    scores: Any,
    *,
    method: str | Sequence[str] | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 9999,
    rng: SeedLike = 0,
    alternative: Alternative = "two-sided",
    bounds: tuple[float, float] | None = None,
    sigma: float | Mapping[str, float] | None = None,
    progress: Progress | None = None,
) -> Results[Estimate]:
    """Return the mean over queries of every measure and system, with its interval.

    Where the scores allow no interval, its ends are NaN and a ``DegenerateSampleWarning`` says why.

    Parameters
    ----------
    scores
        A ``ScoreTable`` (from ``score`` or ``read_scores``), anything ``read_scores`` takes, or a
        plain sequence of one system's scores. A pattern such as ``"scores/*.parquet"``, a directory
        or one Parquet file of over a million rows is read as a stream, and need not fit in memory:
        queries are then weighted by Poisson numbers that depend on their ids (docs/streams.md). A
        mapping names the measures: ``{"AP": "ap/*.parquet"}``.
    method
        ``"student-t"``, ``"studentised-logit"``, ``"studentised"``, ``"bca"``, ``"percentile"``,
        ``"basic"`` or ``"normal"``. By default ``"studentised-logit"`` where the bounds of the
        measure are known or given, since its coverage is closest to nominal with few queries, else
        ``"student-t"``. A list gives an estimate per method, all from the same resamples.
    confidence_level
        A fraction between 0 and 1.
    n_resamples
        The number of bootstrap resamples, for the methods that draw them.
    rng
        Seed or generator, as in scipy. The same seed gives the same bits on any number of threads.
        None draws a new seed, which the result names.
    alternative
        ``"two-sided"``, or a one-sided interval: ``"less"`` bounds the mean from above,
        ``"greater"`` from below.
    bounds
        The minimum and maximum of the measure, for ``"studentised-logit"``; known for the usual
        measures.
    sigma
        The known standard deviation of scores, for ``"normal"``: a number, or one per system.
    progress
        Called with the number of resamples, or rows of a stream, that are done and of all.

    Returns
    -------
    Results of Estimate
        One per measure, method and system: ``value`` is the mean, ``interval`` its interval,
        ``seed`` the seed of its resamples.

    Examples
    --------
    >>> estimate, = mean_interval([0.1, 0.5, 0.4, 0.0, 0.2, 0.9], method="student-t")
    >>> round(estimate.value, 3), round(estimate.interval.low, 3), round(estimate.interval.high, 3)
    (0.35, 0.007, 0.693)
    >>> round(estimate.at(0.5).interval.low, 3)
    0.253
    """
    table = None if is_stream(scores) else as_score_table(scores)
    confidence_level = check_confidence_level(confidence_level)
    plan = IntervalPlan(
        confidence_level,
        check_alternative(alternative),
        check_count("n_resamples", n_resamples),
        seed_number(rng),
        sigma,
        table.inputs if table else (),
        progress,
    )
    methods = checked_methods(method)
    if sigma is not None and "normal" not in methods:
        raise ParameterError("sigma is for method 'normal' alone; any other estimates it")
    given = check_bounds(bounds)

    def methods_for(within: Bounds | None) -> list[str]:
        return methods or [default_method(within)]

    if table is None:
        return estimate_stream(scores, plan, methods_for, given)
    rows = []
    for measure, by_system in zip(table.measures, table.values, strict=True):
        within = given or bounds_of(measure)
        for chosen in methods_for(within):
            for system, values in zip(table.systems, by_system, strict=True):
                rows.append(Labelled(system, measure, chosen, within, scores=values))
    return estimate_means(rows, plan)


def default_method(bounds: Bounds | None) -> str:
    """The method that calibration on the scores of real systems speaks for."""
    return "student-t" if bounds is None else "studentised-logit"
