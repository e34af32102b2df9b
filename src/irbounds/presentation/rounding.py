"""Rounding: the uncertainty of a number decides its digits. No other module formats numbers.

A mean is shown to the place of the second significant digit of its interval's half width: 0.2811 +-
0.043 is shown as 0.281. A column of a table has one number of decimals, that of its median row.

Numbers without an interval, such as p-values, fractions of draws and confidence levels, have digits
by their kind.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from statistics import median

UNKNOWN = 4  # decimals without an interval
MAX_DECIMALS = 8
P_DECIMALS = 3  # of a p-value that is not from draws
FRACTION_DECIMALS = 3  # of a fraction of draws, if there are enough
GIVEN_DIGITS = 10  # of a number that a user chose: all, without rounding noise

# numbers without an interval, by what they are
EFFECT_DECIMALS = 2  # of a difference in standard deviations
CHANCE_DECIMALS = 2  # of a probability to be the best
PERCENT_DECIMALS = 1  # of a percentage, as their Table 2 has
STEPS = (1.0, 2.0, 5.0, 10.0)  # of a scale, multiplied by a power of ten
MIN_STEPS = 4  # of a scale
SIGNIFICANT = 9  # digits that are compared: processors round the last ones differently
BEYOND = 1e-9  # of a step: a number so close to a tick is on it


def decimals(half_width: float) -> int:
    """Return the decimals that show two significant digits of ``half_width``."""
    if not math.isfinite(half_width) or half_width <= 0:
        return UNKNOWN
    return min(max(1 - math.floor(math.log10(half_width)), 0), MAX_DECIMALS)


def decimals_of_column(half_widths: Iterable[float]) -> int:
    """Return one number of decimals for a whole column."""
    known = [width for width in half_widths if math.isfinite(width) and width > 0]
    return decimals(median(known)) if known else UNKNOWN


def decimals_of_fraction(n_draws: int, max_decimals: int = FRACTION_DECIMALS) -> int:
    """Return the decimals of a fraction of so many draws: no more than they support."""
    return min(math.ceil(math.log10(n_draws)), max_decimals)


def small_p(p: float) -> str:
    """Return a p-value to three decimals, or ``<0.001``."""
    smallest = 10.0**-P_DECIMALS
    return f"<{smallest:g}" if p < smallest else fixed(p, P_DECIMALS)


def describe_p(p: float) -> str:
    """Return ``p = 0.012`` or ``p < 0.001``, for a sentence."""
    text = small_p(p)
    return f"p < {text[1:]}" if text.startswith("<") else f"p = {text}"


def fixed(value: float, places: int) -> str:
    """Return a number with that many decimals; a dash for NaN."""
    return "-" if math.isnan(value) else f"{value:.{places}f}"


def with_sign(value: float, places: int) -> str:
    """Return a number with that many decimals and its sign, also a plus."""
    return "-" if math.isnan(value) else f"{value:+.{places}f}"


def format_count(value: float) -> str:
    """Return an estimated count without decimals, with separators between thousands."""
    return "-" if math.isnan(value) else f"{value:,.0f}"


def significant(value: float, digits: int) -> str:
    """Return so many significant digits, without trailing zeros."""
    return "-" if math.isnan(value) else f"{value:.{digits}g}"


def round_digits(value: float, digits: int) -> float:
    """Return the number rounded to so many significant digits, to keep files small."""
    return float(f"{value:.{digits}g}")


def shortest(value: float, places: int) -> str:
    """Return a number with at most so many decimals, without trailing zeros: ``0.5``."""
    return f"{round(value, places) + 0.0:g}"


def format_setting(value: float) -> str:
    """Return a number that a user chose, in full, with separators between thousands."""
    return f"{value:,.{GIVEN_DIGITS}g}"


def percent(fraction: float) -> str:
    """Return ``95 %`` or ``99.9 %``: a fraction that a user chose, such as a confidence level."""
    return f"{format_setting(fraction * 100)} %"


def percentage(fraction: float, places: int = 0) -> str:
    """Return ``4.3 %``: a fraction that was computed."""
    return "-" if math.isnan(fraction) else f"{fixed(fraction * 100, places)} %"


def short_percentage(fraction: float, places: int) -> str:
    """Return ``12.5 %`` or ``50 %``: a fraction that was computed, without trailing zeros."""
    return f"{round(fraction * 100, places):g} %"


def error_level(confidence_level: float) -> float:
    """Return one minus the level, as 0.1 and not 0.09999999999999998."""
    return round(1 - confidence_level, 12)


def scale(low: float, high: float) -> tuple[float, float, int]:
    """Return round ends around two numbers, and their decimals: 0.218, 0.555 give 0.2, 0.6, 1."""
    if not low < high:
        low, high = low - (abs(low) or 1.0) / 2, high + (abs(high) or 1.0) / 2
    power = 10.0 ** math.floor(math.log10((high - low) / MIN_STEPS))
    # the coarsest step of which ``MIN_STEPS`` fit between the ends
    step = max(base * power for base in STEPS if base * power * MIN_STEPS <= (high - low) * 1.01)
    first = math.floor(low / step + BEYOND) * step
    last = math.ceil(high / step - BEYOND) * step
    return first, last, max(_decimals_needed(first, step), _decimals_needed(last, step))


def tick(value: float, places: int) -> str:
    """Return the end of a scale, without a minus before 0."""
    return fixed(value if round(value, places) else 0.0, places)


def _decimals_needed(value: float, step: float) -> int:
    """Return the fewest decimals that show a tick exactly."""
    return next(p for p in range(400) if abs(round(value, p) - value) <= BEYOND * step)
