"""Normal interval of recall, by propagation of error.

Rec -+ z(1 - alpha/2) s, with the variance of Equation 25. Simple, and right for large samples that
hold many relevant documents on both sides. With few of them it is too narrow and wrongly
symmetric: it may end beyond 1, and when the unretrieved sample holds nothing relevant it claims a
recall of 1 without any doubt. The ends are left as they come, as in the paper's Table XII. Where
no sample holds anything relevant there is no estimate, and the ends are NaN.

When not to use: With a standard error from a small sample, a normal interval is too short, and it
claims certainty where the sample happens not to vary. Its limits can be outside the possible
values.

Reference: Webber (2013), section 3.2, Equations 25 and 28.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .counts import Counts
from .propagation import NormalLimits, check_sampled, recall_variance, segment_yields


@dataclass(frozen=True, eq=False)
class Normal(NormalLimits):
    """Limits Rec + z(p) s."""

    method: ClassVar[str] = "normal"


def normal(counts: Counts) -> Normal:
    """Fit to counts; every stratum with documents needs a sample."""
    check_sampled(counts, Normal.method)
    yields = segment_yields(counts)
    return Normal(yields.recall, np.sqrt(recall_variance(yields)))
