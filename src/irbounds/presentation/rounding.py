"""How many digits a number is shown with: the uncertainty decides, here and nowhere else.

Two significant digits of the interval's half width, and the mean to the same place: 0.2811 -+ 0.043
is shown as 0.281. A column of a table shares one number of decimals, its median row's.

Some numbers have no interval: a p-value, a share of draws, a level that somebody chose. How these
are written is decided here too, so that no other module of the report formats a number.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from statistics import median

UNKNOWN = 4  # decimals where there is no interval to go by
MAX_DECIMALS = 8
P_DECIMALS = 3  # of a p-value that no draws limit
FRACTION_DECIMALS = 3  # of a share of draws, if these are many enough
GIVEN_DIGITS = 10  # of a number that somebody chose: all of them, less the noise of its last bits

# numbers without an interval, by what they are
EFFECT_DECIMALS = 2  # of a difference in standard deviations
CHANCE_DECIMALS = 2  # of a chance to be the best
ERROR_DECIMALS = 3  # of a share of intervals that miss
SPREAD_DECIMALS = 3  # of a standard deviation on a query, as Zobel and Rashidi's Table 3 has
MEAN_SPREAD_DECIMALS = 4  # of a standard deviation of a mean over queries, which is smaller
PERCENT_DECIMALS = 1  # of a percentage, as their Table 2 has
COUNT_DECIMALS = 1  # of a mean number of documents
SECONDS_DECIMALS = 1
RATE_DECIMALS = 1
MANY = 9.95  # a second, a minute or an hour: from here on a rate is a whole number
PERIODS = {"s": 1, "min": 60, "h": 3600}  # in seconds
STEPS = (1.0, 2.0, 5.0, 10.0)  # of a scale, times a power of ten
MIN_STEPS = 4  # that a scale is to have
SIGNIFICANT = 9  # digits of a number that are compared: another processor may round the last ones
NOISE = 2  # standard errors of a simulation to either side
BEYOND = 1e-9  # of a step: what is so little beyond a tick is on it


def decimals(half_width: float) -> int:
    """Decimals that show two significant digits of ``half_width``."""
    if not math.isfinite(half_width) or half_width <= 0:
        return UNKNOWN
    return min(max(1 - math.floor(math.log10(half_width)), 0), MAX_DECIMALS)


def decimals_of_column(half_widths: Iterable[float]) -> int:
    """One number of decimals for a whole column."""
    known = [width for width in half_widths if math.isfinite(width) and width > 0]
    return decimals(median(known)) if known else UNKNOWN


def decimals_of_fraction(n_draws: int, most: int = FRACTION_DECIMALS) -> int:
    """Decimals of a share of so many draws: no more than these give."""
    return min(math.ceil(math.log10(n_draws)), most)


def small_p(p: float) -> str:
    """A p-value to three decimals, or as below the least that these can show."""
    least = 10.0**-P_DECIMALS
    return f"<{least:g}" if p < least else fixed(p, P_DECIMALS)


def describe_p(p: float) -> str:
    """``p = 0.012``, ``p < 0.001``: the same in a sentence."""
    said = small_p(p)
    return f"p < {said[1:]}" if said.startswith("<") else f"p = {said}"


def fixed(value: float, places: int) -> str:
    """A number with that many decimals; a dash for NaN."""
    return "-" if math.isnan(value) else f"{value:.{places}f}"


def with_sign(value: float, places: int) -> str:
    """The same with its sign, also where that is a plus."""
    return "-" if math.isnan(value) else f"{value:+.{places}f}"


def format_count(value: float) -> str:
    """A number of things that was estimated: no decimals, thousands set apart."""
    return "-" if math.isnan(value) else f"{value:,.0f}"


def significant(value: float, digits: int) -> str:
    """So many digits from the first that is not 0, and no zeros after the last."""
    return "-" if math.isnan(value) else f"{value:.{digits}g}"


def round_digits(value: float, digits: int) -> float:
    """The number itself with so many significant digits, for files that must stay small."""
    return float(f"{value:.{digits}g}")


def shortest(value: float, places: int) -> str:
    """Return a number with at most so many decimals and no zeros after the last: ``0.5``."""
    return f"{round(value, places) + 0.0:g}"


def seconds(value: float) -> str:
    """``0.8 s``: how long something took."""
    return f"{fixed(value, SECONDS_DECIMALS)} s"


def duration(value: float) -> str:
    """``40 s``, ``45 min``, ``3.5 h``: how long something will take, as far as that is known."""
    if value < 100:
        return f"{format_count(value)} s"
    if value < 100 * PERIODS["min"]:
        return f"{format_count(value / PERIODS['min'])} min"
    return f"{fixed(value / PERIODS['h'], SECONDS_DECIMALS)} h"


def rate(value: float) -> str:
    """``24/s``, ``3.5/min``: how fast something goes, by the first period that sees one done."""
    period = next((one for one, length in PERIODS.items() if value * length >= 1), "h")
    number = value * PERIODS[period]
    return f"{format_count(number) if number >= MANY else fixed(number, RATE_DECIMALS)}/{period}"


def power_of_ten(value: float) -> str:
    """``2.6e-07``, for what decimals would need many zeros for."""
    return f"{value:.1e}"


def format_setting(value: float) -> str:
    """A number that was chosen, as whoever chose it would write it, with its thousands apart."""
    return f"{value:,.{GIVEN_DIGITS}g}"


def percent(share: float) -> str:
    """``95 %``, ``99.9 %``: a share that was chosen, as a level is."""
    return f"{format_setting(share * 100)} %"


def percentage(share: float, places: int = 0) -> str:
    """``4.3 %``: a share that was found."""
    return "-" if math.isnan(share) else f"{fixed(share * 100, places)} %"


def short_percentage(share: float, places: int) -> str:
    """``12.5 %``, ``50 %``: a share that was found, without zeros after its last digit."""
    return f"{round(share * 100, places):g} %"


def error_level(confidence_level: float) -> float:
    """One minus the level, as 0.1 and not 0.09999999999999998."""
    return round(1 - confidence_level, 12)


def scale(low: float, high: float) -> tuple[float, float, int]:
    """Round ends around two numbers, and the decimals that these take: 0.218, 0.555 to 0.2, 0.6."""
    if not low < high:
        low, high = low - (abs(low) or 1.0) / 2, high + (abs(high) or 1.0) / 2
    power = 10.0 ** math.floor(math.log10((high - low) / MIN_STEPS))
    # the coarsest step of which some still fit between the ends
    step = max(one * power for one in STEPS if one * power * MIN_STEPS <= (high - low) * 1.01)
    first = math.floor(low / step + BEYOND) * step
    last = math.ceil(high / step - BEYOND) * step
    return first, last, max(_decimals_needed(first, step), _decimals_needed(last, step))


def tick(value: float, places: int) -> str:
    """The end of a scale: never a minus before a 0."""
    return fixed(value if round(value, places) else 0.0, places)


def _decimals_needed(value: float, step: float) -> int:
    """The fewest that leave nothing of a tick out."""
    return next(p for p in range(400) if abs(round(value, p) - value) <= BEYOND * step)


def within_noise(
    value: float, noise: float, low: float = 0.0, high: float = 1.0
) -> tuple[float, float]:
    """Return a fraction less and plus its simulation noise, within the bounds of a fraction.

    Other numbers have other bounds, or infinite ones; NaN where the noise is not known.
    """
    reach = NOISE * noise
    return max(value - reach, low), min(value + reach, high)  # NaN first: both keep it
