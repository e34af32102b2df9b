"""Where a distribution function reaches a probability: bracketing that never loses its bracket.

Chandrupatla's method (1997): inverse quadratic interpolation where three points allow it, bisection
where they do not. Steps of a discrete distribution make it slower, never wrong.
"""

from __future__ import annotations

from collections.abc import Callable

MOST_STEPS = 200


def reached_at(
    height: Callable[[float], float],
    low: float,
    high: float,
    *,
    at_low: float,
    at_high: float,
    tolerance: float,
) -> float:
    """The least point at which a nondecreasing function is at least 0, from above.

    It is below 0 at ``low`` and not at ``high``; the answer is at most ``tolerance`` too high.
    """
    near, near_height, far, far_height = high, at_high, low, at_low
    share = 0.5
    for _ in range(MOST_STEPS):
        middle = near + share * (far - near)
        if abs(far - near) <= tolerance or middle in (near, far):
            break
        found = height(middle)
        same_side = (found >= 0) == (near_height >= 0)
        old, old_height = (near, near_height) if same_side else (far, far_height)
        if not same_side:
            far, far_height = near, near_height
        near, near_height = middle, found
        share = _next_share(near, near_height, far, far_height, old, old_height)
        least = 0.5 * tolerance / abs(far - near)
        share = min(max(share, least), 1 - least) if least < 0.5 else 0.5
    return near if near_height >= 0 else far


def _next_share(
    near: float, near_height: float, far: float, far_height: float, old: float, old_height: float
) -> float:
    """How far to go from the newest point towards the other end of the bracket."""
    xi = (near - far) / (old - far) if old != far else 2.0
    phi = (near_height - far_height) / (old_height - far_height) if old_height != far_height else 2
    if not (phi * phi < xi and (1 - phi) ** 2 < 1 - xi):
        return 0.5
    one = near_height / (far_height - near_height) * old_height / (far_height - old_height)
    other = near_height / (old_height - near_height) * far_height / (old_height - far_height)
    return one + (old - near) / (far - near) * other
