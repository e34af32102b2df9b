"""Numbers of a simulation, and how far they may be from what endless samples would give."""

from __future__ import annotations

__all__ = ["NOISE", "within_noise"]

NOISE = 2  # standard errors to either side, in tables, figures and words alike


def within_noise(
    value: float, noise: float, low: float = 0.0, high: float = 1.0
) -> tuple[float, float]:
    """The ends of a share give or take its noise, none of them where no share can be.

    Other numbers than shares have other bounds, or infinite ones; NaN where the noise is not known.
    """
    reach = NOISE * noise
    return max(value - reach, low), min(value + reach, high)  # NaN first: both keep it
