"""What counts as equal on an image.

Two systems that find as many relevant documents have the same precision, and yet their means over
queries can differ in the sixteenth digit, by the order in which rounding came. Scores of the
measures here lie between 0 and 1, so means are taken to twelve decimals wherever equal ones matter.

Single scores are kept in 32 bits. 0.3 - 0.2 and 0.2 - 0.1, both stored so, differ by 1e-8: each
score is off by up to 2**-25, a difference by 2**-24, and two differences that ought to be equal by
2**-23. Differences no further apart than twice that are taken to be equal.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

DECIMALS = 12  # of means and their differences
CLOSE = 2.0**-22  # differences of single scores


def without_rounding(means: Floats) -> Floats:
    """Means, or differences of means, to the decimals that count."""
    return np.asarray(np.round(means, DECIMALS) + 0.0)  # and no -0
