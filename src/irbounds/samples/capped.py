"""An upper end of 1 where the unretrieved sample holds nothing relevant.

The posterior of recall may not reach 1 there, since the unretrieved segment may hold a relevant
document that the sample missed; with a very small sample the upper end can fall well short of 1,
though nothing speaks against it. The paper mentions this remedy and does not use it (sections
3.5 and 3.6), so it is off by default.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..results.interval import Limits, Side


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
        return self.limit_at(probability, "high" if probability > 0.5 else "low")

    def limit_at(self, probability: float, side: Side) -> NDArray[np.float64]:
        """The same as one end of an interval: 1 as the high one."""
        return np.asarray(1.0) if side == "high" else self.limits.limit(probability)
