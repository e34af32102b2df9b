"""Intervals, and the confidence limits that methods compute them from."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from ..validation import Alternative, check_alternative, check_confidence_level

Side = Literal["low", "high"]


@dataclass(frozen=True)
class Interval:
    """Two ends, with level and method; both are NaN if a sample allows no interval.

    A one-sided interval has one infinite end, or the end of the possible values: ``"less"`` has an
    upper limit, ``"greater"`` a lower limit.
    """

    low: float
    high: float
    confidence_level: float
    method: str
    alternative: Alternative = "two-sided"

    column_prefix: ClassVar[str] = ""  # records have ``low``, not ``interval_low``

    def __iter__(self) -> Iterator[float]:
        """Yield both ends: ``low, high = estimate.interval``."""
        return iter((self.low, self.high))

    @property
    def half_width(self) -> float:
        """Half the distance between the ends."""
        return (self.high - self.low) / 2


class Limits(Protocol):
    """The confidence limits of a method for any probability."""

    @property
    def method(self) -> str:
        """The method's name."""
        ...

    def limit(self, probability: float) -> NDArray[np.float64]:
        """Return the value below which the parameter lies with this confidence."""
        ...


def compute_interval(
    limits: Limits,
    confidence_level: float,
    alternative: Alternative,
    bounds: tuple[float, float] = (-math.inf, math.inf),
) -> Interval:
    """Return the interval of a method's limits at a level; a one-sided one ends at ``bounds``."""
    outside = 1 - confidence_level
    limits = choose_limits(limits, alternative)
    low, high = bounds
    if alternative == "two-sided":
        low = _compute_end(limits, outside / 2, "low")
        high = _compute_end(limits, 1 - outside / 2, "high")
    elif alternative == "greater":
        low = _compute_end(limits, outside, "low")
    else:
        high = _compute_end(limits, confidence_level, "high")
    if math.isnan(low) or math.isnan(high) or (math.isinf(low) and low == high):
        low = high = math.nan
    elif low > high:
        low, high = _order(low, high, alternative)
    return Interval(low, high, confidence_level, limits.method, alternative)


def choose_limits(limits: Limits, alternative: Alternative) -> Limits:
    """Return the limits of an interval or of one side, where these are counted differently."""
    choose = getattr(limits, "choose", None)
    return limits if choose is None else choose(alternative)


def _order(low: float, high: float, alternative: Alternative) -> tuple[float, float]:
    """Return two ends in order; a one-sided limit beyond the bounds replaces both.

    With a level near 0 both ends may be equal except for rounding.
    """
    if alternative == "two-sided":
        return high, low
    return (low, low) if alternative == "greater" else (high, high)


def _compute_end(limits: Limits, probability: float, side: Side) -> float:
    limit_at = getattr(limits, "limit_at", None)  # isinstance with a protocol takes 0.1 ms
    if limit_at is not None:
        return float(limit_at(probability, side))
    return float(limits.limit(probability))


class Adjustable:
    """A result that stores its limits, so that its interval can be computed at another level."""

    __slots__ = ()

    interval: Interval
    limits: Limits
    bounds: tuple[float, float] = (-math.inf, math.inf)

    def at(self, confidence_level: float, alternative: Alternative | None = None) -> Self:
        """Return the result with its interval at another level or side.

        Nothing is drawn again, and no test changes.

        Parameters
        ----------
        confidence_level
            A fraction between 0 and 1.
        alternative
            ``"two-sided"``, ``"less"`` or ``"greater"``; by default as it is.

        Returns
        -------
        the type of the result
            A copy with another interval.
        """
        confidence_level = check_confidence_level(confidence_level)
        side = check_alternative(self.interval.alternative if alternative is None else alternative)
        interval = compute_interval(self.limits, confidence_level, side, self.bounds)
        return replace(self, interval=interval)  # type: ignore[type-var]
