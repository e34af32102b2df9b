"""Webber (2013), the boxes of Figures 10 to 13: shares of samples over the corpora of a scenario.

A box holds the middle half of the corpora and the thick line their median; whiskers end at the
outermost corpus within 1.5 times the box's length of it, and what lies beyond stands alone.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..results import RecallCoverage, ShareBox

Floats = NDArray[np.float64]

WHISKER = 1.5  # times the distance of the quartiles
DIGITS = 9  # shares of some thousand samples that are equal but for rounding


def coverage_boxes(found: RecallCoverage) -> tuple[ShareBox, ...]:
    """A box a method: the share of samples whose interval holds the truth (Figures 10 to 12)."""
    return _boxes(found.methods, found.coverages)


def gap_boxes(found: RecallCoverage) -> tuple[tuple[ShareBox, ...], tuple[ShareBox, ...]]:
    """The same of the truth lying below an interval, and above it (Figure 13)."""
    return _boxes(found.methods, found.below), _boxes(found.methods, found.above)


def _boxes(labels: Sequence[str], shares: Floats) -> tuple[ShareBox, ...]:
    return tuple(_box(label, shares[:, m]) for m, label in enumerate(labels))


def _box(label: str, shares: Floats) -> ShareBox:
    shares = np.round(shares, DIGITS)
    first, median, third = np.quantile(shares, (0.25, 0.5, 0.75))
    reach = WHISKER * (third - first)
    inside = (shares >= first - reach) & (shares <= third + reach)
    outside, times = np.unique(shares[~inside], return_counts=True)
    return ShareBox(
        label=label,
        low=float(shares[inside].min()),
        first_quartile=float(first),
        median=float(median),
        third_quartile=float(third),
        high=float(shares[inside].max()),
        mean=float(shares.mean()),
        outliers=tuple(zip(outside.tolist(), times.tolist(), strict=True)),
    )
