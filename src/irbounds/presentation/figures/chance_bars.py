"""The distribution of chance scores as bars: from its distribution function, and nothing else.

A distribution may be a list of scores, draws, or a formula; all of them know the probability of a
score or a lower one, and quantiles. Where chance has a few scores alone, each is drawn by itself
with its probability; elsewhere the scores are cut into bars of one width, between the quantiles
that leave a thousandth on either side. A score that was observed is an edge of bars, so that what
lies beyond it has a colour of its own and adds up to the p-value.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

from ...parameters import Alternative
from ...results import NullDistribution

__all__ = ["Bar", "bars_of", "tail_side"]

MOST_SINGLE = 24  # scores that are drawn one by one
N_BARS = 40
TAIL = 0.001  # left out on either side
LEAST_STEP = 1e-9  # of probability: rarer scores are not seen in a figure
EQUAL = 1e-9  # relative: an observed score and its last digits


@dataclass(frozen=True)
class Bar:
    """Scores from low to high, which are the same for a single one, and their probability."""

    low: float
    high: float
    share: float
    #: whether these scores are as far out as the observed one
    beyond: bool = False


def bars_of(distribution: NullDistribution, observed: float | None, side: Alternative) -> list[Bar]:
    """Single scores where they are few, else bars of one width."""
    bars = _of_one_width(distribution, observed, side)
    empty = sum(bar.share == 0 for bar in bars)
    if 2 * empty < len(bars):  # a few scores would leave most bars empty
        return bars
    return _single_scores(distribution, observed, side) or bars


def _single_scores(
    distribution: NullDistribution, observed: float | None, side: Alternative
) -> list[Bar]:
    """Every score that chance gives; none where these are many."""
    bars: list[Bar] = []
    reached, score = 0.0, distribution.quantile(0.0)
    while len(bars) < MOST_SINGLE:
        upto = distribution.cdf(score)
        bars.append(Bar(score, score, upto - reached, _is_beyond(score, score, observed, side)))
        if upto >= 1 - LEAST_STEP:
            return bars
        reached, score = upto, distribution.quantile(upto + LEAST_STEP)
    return []


def tail_side(
    distribution: NullDistribution, observed: float | None, alternative: Alternative
) -> Alternative:
    """The side on which scores are as far out as the observed one; of two, the rarer."""
    if observed is None or alternative != "two-sided":
        return alternative
    sides: tuple[Alternative, Alternative] = ("greater", "less")
    return min(sides, key=lambda side: distribution.p_value(observed, side))


def _of_one_width(
    distribution: NullDistribution, observed: float | None, side: Alternative
) -> list[Bar]:
    low, high = distribution.quantile(TAIL), distribution.quantile(1 - TAIL)
    if not low < high:
        return [Bar(low, low, 1.0, _is_beyond(low, low, observed, side))]
    width = (high - low) / N_BARS
    first = low - width / 2  # the lowest score lies within a bar, not at its edge
    if observed is not None and low < observed < high:
        edge = observed * (1 - EQUAL) if side == "greater" else observed * (1 + EQUAL)
        first = edge - math.ceil((edge - low) / width) * width
    edges = [first + k * width for k in range(N_BARS + 2)]
    shares = [distribution.cdf(edge) for edge in edges]
    return [
        Bar(a, b, upto - before, _is_beyond(a, b, observed, side))
        for (a, b), (before, upto) in zip(pairwise(edges), pairwise(shares), strict=True)
    ]


def _is_beyond(low: float, high: float, observed: float | None, side: Alternative) -> bool:
    if observed is None:
        return False
    if side == "greater":
        return low >= observed * (1 - 2 * EQUAL)
    return high <= observed * (1 + 2 * EQUAL)
