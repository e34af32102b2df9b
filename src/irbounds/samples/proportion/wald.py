"""Wald interval of a proportion: p -+ z sqrt(p (1 - p) / n).

The textbook interval, with poor coverage wherever p is near 0 or 1. With a finite population the
variance is multiplied by 1 - n/N. The ends are left as they come. Without a sample there is no
interval.

Its mean coverage at n = 20 for 95 % is 84.6 %. The paper states 85.1 %, and n as the divisor; with
n - 1, the unbiased variance, it is 85.05 %, so that seems to be what was computed there.

When not to use: With few relevant documents, Wald's interval is far too short. Where none or all
are relevant it is a single point.

Reference: Webber (2013), section 2.6, Equation 11.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..propagation import Floats, NormalLimits, share


@dataclass(frozen=True, eq=False)
class Wald(NormalLimits):
    """Limits p + z s."""

    method: ClassVar[str] = "wald"


def wald(
    population: Floats,
    sampled: Floats,
    relevant: Floats,
    *,
    finite: bool = False,
    unbiased: bool = False,
) -> Wald:
    """Fit to counts; ``unbiased`` divides the variance by n - 1."""
    prevalence = share(relevant, sampled)
    variance = share(prevalence * (1 - prevalence), sampled - 1 if unbiased else sampled)
    if finite:
        variance = variance * (1 - share(sampled, population))
    return Wald(prevalence, np.sqrt(variance))
