"""How precise the systems' mean scores are, and how many decimals that justifies.

The paper's section 6 concludes that two decimals are the most that fifty queries justify. The rule
here is the physicists' one: the last decimal worth printing is the place of the first digit of the
standard deviation, rounded; what comes after differs from image to image.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ..results import Results, ScorePrecision
from ..validation import check_confidence_level
from .summaries import summarise_rows

if TYPE_CHECKING:
    from .bootstrap import CorpusBootstrap

MOST = 8  # decimals of a number that no image changes


def score_precision(images: CorpusBootstrap, confidence_level: float) -> Results[ScorePrecision]:
    """Every system's mean score by every measure."""
    confidence_level = check_confidence_level(confidence_level)
    rows = []
    roots = images.root.means()
    for m, measure in enumerate(images.measures):
        summed_up = summarise_rows(images.means[m], confidence_level)
        for s, (summary, interval) in enumerate(summed_up):
            rows.append(
                ScorePrecision(
                    measure=measure,
                    system=images.systems[s],
                    value=float(roots[m, s]),
                    images=summary,
                    interval=interval,
                    decimals=justified_decimals(summary.standard_deviation),
                    n_queries=len(images.queries),
                    n_images=images.n_images,
                )
            )
    return Results(rows)


def justified_decimals(standard_deviation: float) -> int:
    """The place of the standard deviation's first digit: 2 for 0.013 and 0.094, 3 for 0.0041."""
    if standard_deviation <= 10.0**-MOST:
        return MOST
    first_digit = float(f"{standard_deviation:.0e}")  # 0.0096 is 0.01 when rounded to a digit
    return max(-math.floor(math.log10(first_digit) + 1e-9), 0)
