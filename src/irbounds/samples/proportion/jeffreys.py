"""Jeffreys interval of a proportion: quantiles of the posterior with prior Beta(1/2, 1/2).

The lower end is 0 when nothing in the sample is relevant, the upper end 1 when everything is; the
quantiles alone would never reach them. Good coverage on average, on both sides and on each. It is
for populations much larger than the sample: for a finite one the posterior is beta-binomial, and
that is a method of its own. Without a sample it is 0 to 1.

When not to use: Jeffreys' interval has no correction for a finite population: where much of the
population was assessed, use beta-binomial. For single fractions near 0 and 1 its coverage can be
lower.

Reference: Webber (2013), section 2.7; mean coverage 95.1 % at n = 20 for 95 %.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ...errors import ParameterError
from ...results.interval import Side

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Jeffreys:
    """Quantiles of Beta(r + 1/2, n - r + 1/2), with the ends put to 0 and 1."""

    method: ClassVar[str] = "jeffreys"

    population: Floats
    sampled: Floats
    relevant: Floats

    def limit(self, probability: float) -> Floats:
        """The confidence limit of a probability: a lower one up to 0.5, an upper one above."""
        return self.limit_at(probability, "low" if probability <= 0.5 else "high")

    def limit_at(self, probability: float, side: Side) -> Floats:
        """The same as one end of an interval."""
        irrelevant = self.sampled - self.relevant
        limit = special.betaincinv(self.relevant + 0.5, irrelevant + 0.5, probability)
        if side == "low":
            limit = np.where(self.relevant > 0, limit, 0.0)
        else:
            limit = np.where(irrelevant > 0, limit, 1.0)
        return np.where(self.population > 0, limit, np.nan)


def jeffreys(
    population: Floats, sampled: Floats, relevant: Floats, *, finite: bool = False
) -> Jeffreys:
    """Fit to counts."""
    if finite:
        raise ParameterError(
            "method 'jeffreys' knows no finite population; its equal there is 'beta-binomial'"
        )
    population, sampled, relevant = np.broadcast_arrays(population, sampled, relevant)
    return Jeffreys(population, sampled, relevant)
