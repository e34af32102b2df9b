"""How many digits a number is shown with: the uncertainty decides, here and nowhere else.

Two significant digits of the interval's half width, and the mean to the same place: 0.2811 -+ 0.043
is shown as 0.281. A column of a table shares one number of decimals, its median row's.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from statistics import median

__all__ = ["decimals", "decimals_of_column", "fixed", "small_p"]

UNKNOWN = 4  # decimals where there is no interval to go by
MOST = 8
P_DECIMALS = 3  # of a p-value that no draws limit


def decimals(half_width: float) -> int:
    """Decimals that show two significant digits of ``half_width``."""
    if not math.isfinite(half_width) or half_width <= 0:
        return UNKNOWN
    return min(max(1 - math.floor(math.log10(half_width)), 0), MOST)


def decimals_of_column(half_widths: Iterable[float]) -> int:
    """One number of decimals for a whole column."""
    known = [width for width in half_widths if math.isfinite(width) and width > 0]
    return decimals(median(known)) if known else UNKNOWN


def small_p(p: float) -> str:
    """A p-value to three decimals, or as below the least that these can show."""
    least = 10.0**-P_DECIMALS
    return f"<{least:g}" if p < least else fixed(p, P_DECIMALS)


def fixed(value: float, places: int) -> str:
    """A number with that many decimals; a dash for NaN."""
    return "-" if math.isnan(value) else f"{value:.{places}f}"
