"""An upper end of 1 where the unretrieved sample holds nothing relevant.

The posterior of recall never reaches 1 there, since the unretrieved segment may always hold a
relevant document that the sample missed; with a very small sample the upper end can fall well short
of 1, though nothing speaks against it. The paper mentions this remedy and does not use it (sections
3.5 and 3.6), so it is off by default.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..results import Limits

__all__ = ["Capped"]


@dataclass(frozen=True, eq=False)
class Capped:
    """Another method's limits, with upper ones of 1."""

    limits: Limits

    @property
    def method(self) -> str:
        """The other method's name."""
        return self.limits.method

    def limit(self, probability: float) -> NDArray[np.float64]:
        """The confidence limit of a probability."""
        return np.asarray(1.0) if probability > 0.5 else self.limits.limit(probability)
