"""``mean_interval``: the mean of every system and measure with its interval."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..parameters import (
    Alternative,
    check_alternative,
    check_bounds,
    check_choice,
    check_confidence_level,
    check_count,
)
from ..resample.streams import SeedLike, seed_number
from ..results import Estimate
from ..scores.measures import bounds_of
from ..scores.score_input import as_score_table
from .estimates import IntervalPlan, Labelled, estimate_means
from .methods import METHODS

__all__ = ["mean_interval"]


def mean_interval(
    scores: Any,
    *,
    method: str | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 9999,
    rng: SeedLike = None,
    alternative: Alternative = "two-sided",
    bounds: tuple[float, float] | None = None,
    sigma: float | Mapping[str, float] | None = None,
    progress: Callable[[], None] | None = None,
) -> tuple[Estimate, ...]:
    """The mean over queries of every measure and system, with its interval.

    Where the scores allow no interval, its ends are NaN and a ``DegenerateSampleWarning`` says why.

    Parameters
    ----------
    scores
        A ``ScoreTable`` (from ``score`` or ``read_scores``), anything ``read_scores`` takes, or a
        plain sequence of one system's scores.
    method
        ``"student-t"``, ``"studentised-logit"``, ``"studentised"``, ``"bca"``, ``"percentile"``,
        ``"basic"`` or ``"normal"``. By default ``"student-t"``.
    confidence_level
        A fraction between 0 and 1.
    n_resamples
        How many bootstrap resamples, for the methods that draw them.
    rng
        Seed or generator, as in scipy. The same seed gives the same bits on any number of threads.
    alternative
        ``"two-sided"``, or a one-sided interval: ``"less"`` bounds the mean from above,
        ``"greater"`` from below.
    bounds
        The lowest and highest value that the measure can have, for ``"studentised-logit"``; known
        for the usual measures.
    sigma
        The known standard deviation of scores, for ``"normal"``: a number, or one for each system.
    progress
        Called after each block of resamples.

    Examples
    --------
    >>> estimate, = mean_interval([0.1, 0.5, 0.4, 0.0, 0.2, 0.9], method="student-t")
    >>> round(estimate.value, 3), round(estimate.interval.low, 3), round(estimate.interval.high, 3)
    (0.35, 0.002, 0.698)
    >>> round(estimate.at(0.5).interval.low, 3)
    0.251
    """
    table = as_score_table(scores)
    check_confidence_level(confidence_level)
    plan = IntervalPlan(
        confidence_level,
        check_alternative(alternative),
        check_count("n_resamples", n_resamples),
        seed_number(rng),
        sigma,
        table.inputs,
        progress,
    )
    chosen = "student-t" if method is None else method
    check_choice("method", chosen, METHODS)
    given = check_bounds(bounds)
    rows = [
        Labelled(system, measure, values, chosen, given or bounds_of(measure))
        for measure, by_system in zip(table.measures, table.values, strict=True)
        for system, values in zip(table.systems, by_system, strict=True)
    ]
    return estimate_means(rows, plan)
