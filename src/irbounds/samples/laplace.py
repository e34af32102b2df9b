"""Normal interval of recall after one relevant and one irrelevant document more in each sample.

The added documents keep a sample without anything relevant from claiming that there is nothing,
and move the centre (not the point estimate) away from the ends, which makes the interval lopsided
in the right direction. Mostly better than ``normal``; but the addition overstates the yield of a
large unretrieved segment in which relevant documents are rare. It is made to every stratum, so a
fully assessed stratum is not exact.

When not to use: Where relevant documents are rare among many unretrieved ones, the documents that
laplace adds understate recall, the more so with many strata. Its limits can exceed 1.

Reference: Webber (2013), section 3.3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .counts import Counts
from .propagation import NormalLimits, check_sampled, recall_variance, segment_yields


@dataclass(frozen=True, eq=False)
class Laplace(NormalLimits):
    """Limits centre + z(p) s of the counts with one added to each."""

    method: ClassVar[str] = "laplace"


def laplace(counts: Counts) -> Laplace:
    """Fit to counts; every stratum with documents needs a sample."""
    check_sampled(counts, Laplace.method)
    yields = segment_yields(counts, added=1)
    return Laplace(yields.recall, np.sqrt(recall_variance(yields)))
