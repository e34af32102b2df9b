"""Normal interval of recall after two relevant and two irrelevant documents more in each sample.

The addition that makes the Wald interval of a proportion nearly as good as Wilson's. For recall it
is too large, and here to be compared with.

When not to use: Where relevant documents are rare among the unretrieved ones, agresti-coull
understates recall: four documents that nobody drew can outweigh the sample. It is good for one
proportion only.

Reference: Webber (2013), section 3.3; Agresti and Coull (1998) for a proportion.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .counts import Counts
from .propagation import NormalLimits, check_sampled, recall_variance, segment_yields


@dataclass(frozen=True, eq=False)
class AgrestiCoull(NormalLimits):
    """Limits centre + z(p) s of the counts with two added to each."""

    method: ClassVar[str] = "agresti-coull"


def agresti_coull(counts: Counts) -> AgrestiCoull:
    """Fit to counts; every stratum with documents needs a sample."""
    check_sampled(counts, AgrestiCoull.method)
    yields = segment_yields(counts, added=2)
    return AgrestiCoull(yields.recall, np.sqrt(recall_variance(yields)))
