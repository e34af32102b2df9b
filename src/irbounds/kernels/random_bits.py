"""Random bits that depend on a key, an identifier and a position: SplitMix64.

Steele, Lea and Flood (2014). Every identifier has its own part of the sequence, so that its bits do
not depend on which other identifiers are there, nor on their order.
"""

from __future__ import annotations

import numpy as np

from .jit import jit

#: the increment and multipliers of SplitMix64 (Steele, Lea and Flood 2014)
STEP = np.uint64(0x9E3779B97F4A7C15)
FIRST = np.uint64(0xBF58476D1CE4E5B9)
SECOND = np.uint64(0x94D049BB133111EB)


@jit
def mix(z: np.uint64) -> np.uint64:
    """Return the output of SplitMix64: every bit depends on every bit of ``z``."""
    z = (z ^ (z >> np.uint64(30))) * FIRST
    z = (z ^ (z >> np.uint64(27))) * SECOND
    return z ^ (z >> np.uint64(31))


@jit
def more_bits(name: np.uint64, key: np.uint64, image: int) -> float:
    """Return a fraction of 53 further bits, independent of those of ``draw_bits``."""
    more = mix(mix(mix(name ^ key) ^ FIRST) + np.uint64(image + 1) * STEP)
    return (more >> np.uint64(11)) * 2.0**-53
