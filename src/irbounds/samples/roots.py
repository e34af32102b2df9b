"""A root finder for distribution functions: bracketing that never loses its bracket.

This is Chandrupatla's method (1997): inverse quadratic interpolation where three points allow it,
bisection where they do not. The steps of a discrete distribution make it slower, but not wrong.
"""

from __future__ import annotations

from collections.abc import Callable

MAX_STEPS = 200


def find_crossing(
    height: Callable[[float], float],
    low: float,
    high: float,
    *,
    at_low: float,
    at_high: float,
    tolerance: float,
) -> float:
    """Return the smallest point at which a nondecreasing function is at least 0.

    The function is below 0 at ``low`` and not at ``high``. The result is too high by at most
    ``tolerance``, and never too low.
    """
    near, near_height, far, far_height = high, at_high, low, at_low
    fraction = 0.5
    for _ in range(MAX_STEPS):
        middle = near + fraction * (far - near)
        if abs(far - near) <= tolerance or middle in (near, far):
            break
        middle_height = height(middle)
        same_side = (middle_height >= 0) == (near_height >= 0)
        old, old_height = (near, near_height) if same_side else (far, far_height)
        if not same_side:
            far, far_height = near, near_height
        near, near_height = middle, middle_height
        fraction = _next_fraction(near, near_height, far, far_height, old, old_height)
        smallest = 0.5 * tolerance / abs(far - near)
        fraction = min(max(fraction, smallest), 1 - smallest) if smallest < 0.5 else 0.5
    return near if near_height >= 0 else far


def _next_fraction(
    near: float, near_height: float, far: float, far_height: float, old: float, old_height: float
) -> float:
    """Return how far to go from the newest point towards the other end of the bracket."""
    xi = (near - far) / (old - far) if old != far else 2.0
    phi = (near_height - far_height) / (old_height - far_height) if old_height != far_height else 2
    if not (phi * phi < xi and (1 - phi) ** 2 < 1 - xi):
        return 0.5
    first = near_height / (far_height - near_height) * old_height / (far_height - old_height)
    second = near_height / (old_height - near_height) * far_height / (old_height - far_height)
    return first + (old - near) / (far - near) * second
