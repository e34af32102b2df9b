"""Intervals, and means with theirs."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ..parameters import Alternative, check_alternative, check_confidence_level
from .inputs import InputFile
from .shown import Shown

__all__ = ["Estimate", "Interval", "Limits", "Side", "SidedLimits", "interval_at"]

Side = Literal["low", "high"]


@dataclass(frozen=True)
class Interval:
    """Two ends with what they promise; both are NaN where a sample allows no interval.

    A one-sided interval has one infinite end, or the end of what is possible: ``"less"`` bounds
    from above, ``"greater"`` from below.
    """

    low: float
    high: float
    confidence_level: float
    method: str
    alternative: Alternative = "two-sided"

    @property
    def half_width(self) -> float:
        """Half the distance between the ends."""
        return (self.high - self.low) / 2


class Limits(Protocol):
    """What a method makes of a sample: its confidence limit for any probability."""

    @property
    def method(self) -> str:
        """The method's name."""
        ...

    def limit(self, probability: float) -> NDArray[np.float64]:
        """The value below which the parameter lies with this confidence."""
        ...


@runtime_checkable
class SidedLimits(Limits, Protocol):
    """Limits that are not the same from below and from above, as those of exact tests are."""

    def limit_at(self, probability: float, side: Side) -> NDArray[np.float64]:
        """The limit of a probability, as the low or as the high end of an interval."""
        ...


def interval_at(
    limits: Limits,
    confidence_level: float,
    alternative: Alternative,
    bounds: tuple[float, float] = (-math.inf, math.inf),
) -> Interval:
    """The interval that a method's limits give at a level; ``bounds`` end a one-sided one."""
    outside = 1 - confidence_level
    low, high = bounds
    if alternative == "two-sided":
        low = _end(limits, outside / 2, "low")
        high = _end(limits, 1 - outside / 2, "high")
    elif alternative == "greater":
        low = _end(limits, outside, "low")
    else:
        high = _end(limits, confidence_level, "high")
    if math.isnan(low) or math.isnan(high) or (math.isinf(low) and low == high):
        low = high = math.nan
    elif low > high:
        low, high = _ordered(low, high, alternative)
    return Interval(low, high, confidence_level, limits.method, alternative)


def _ordered(low: float, high: float, alternative: Alternative) -> tuple[float, float]:
    """Return ends in order that are not: a one-sided limit beyond the bounds takes them along.

    Both ends of a level near 0 may be the same but for rounding.
    """
    if alternative == "two-sided":
        return high, low
    return (low, low) if alternative == "greater" else (high, high)


def _end(limits: Limits, probability: float, side: Side) -> float:
    limit_at = getattr(limits, "limit_at", None)  # isinstance with a protocol takes 0.1 ms
    if limit_at is not None:
        return float(limit_at(probability, side))
    return float(limits.limit(probability))


@dataclass(frozen=True, eq=False)
class Estimate(Shown):
    """A mean over queries with its interval."""

    system: str
    measure: str
    #: the mean
    value: float
    interval: Interval
    standard_error: float
    #: how many queries it is a mean of
    n: int
    limits: Limits = field(repr=False)
    #: bootstrap means, for a method that has them; systems share their resamples, in this order
    distribution: NDArray[np.float64] | None = field(default=None, repr=False)
    #: what ``rng`` to give to have the same again
    seed: int | None = None
    #: bootstrap means that the method had to leave out
    n_dropped: int = 0
    #: how queries were drawn again: as many as there are, each by a Poisson number of its own, or
    #: not at all
    weights: Literal["multinomial", "poisson"] | None = None
    #: names and fingerprints of what was read
    inputs: tuple[InputFile, ...] = field(default=(), repr=False)

    def at(self, confidence_level: float, alternative: Alternative | None = None) -> Estimate:
        """The same at another level or side, from what is kept: nothing is drawn again."""
        confidence_level = check_confidence_level(confidence_level)
        side = check_alternative(self.interval.alternative if alternative is None else alternative)
        return replace(self, interval=interval_at(self.limits, confidence_level, side))
