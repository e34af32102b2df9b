"""What all distributions of chance scores share: two tails, p-values, and when scores are equal.

A score is a sum of fractions, and adding them in another order moves its last digits. Scores are
therefore taken as equal within ``TOLERANCE`` of their size, and an observed score that chance can
reach counts as reached.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Any, ClassVar

from ..errors import ParameterError, quote
from ..parameters import Alternative, as_float, check_alternative
from ..results import Result
from ..results.chance_levels import null_record

TOLERANCE = 1e-12
ROUNDING = 2.0**-52  # by which a probability near 1 may be off


class Tails(Result, ABC):
    """A distribution of scores that knows the probabilities of both its tails."""

    method: ClassVar[str]
    mean: float
    standard_deviation: float

    def __repr__(self) -> str:
        return (
            f"<{self.method} distribution of chance scores: mean {self.mean:.4g}, "
            f"standard deviation {self.standard_deviation:.4g}>"
        )

    def _records(self) -> list[dict[str, Any]]:
        return [null_record(self)]

    @abstractmethod
    def at_most(self, score: float) -> float:
        """The probability of this score or a lower one."""

    @abstractmethod
    def at_least(self, score: float) -> float:
        """The probability of this score or a higher one."""

    @abstractmethod
    def lowest_reaching(self, probability: float) -> float:
        """The lowest score that chance stays at or below with at least this probability."""

    def cdf(self, score: float) -> float:
        """The probability of this score or a lower one."""
        return self.at_most(checked_number("score", score))

    def quantile(self, probability: float) -> float:
        """The lowest score that chance stays at or below with this probability."""
        value = checked_number("probability", probability)
        if not 0 <= value <= 1:
            raise ParameterError(f"probability must lie between 0 and 1; got {quote(probability)}")
        return self.lowest_reaching(value)

    def p_value(self, observed: float, alternative: Alternative = "greater") -> float:
        """The probability that chance scores as high (``"less"``: as low) as what was observed.

        ``"two-sided"`` is twice the smaller one of the two, 1 at most.
        """
        score, side = checked_score("observed", observed), check_alternative(alternative)
        if side == "greater":
            return self.at_least(score)
        if side == "less":
            return self.at_most(score)
        return min(1.0, 2 * min(self.at_least(score), self.at_most(score)))


def rest_allowed(probability: float) -> float:
    """How probable higher scores may be at a quantile.

    Probabilities close to 1 are compared by what they leave, of which no digit is lost.
    """
    return (1 - probability) * (1 + TOLERANCE) + ROUNDING


def checked_score(name: str, value: Any) -> float:
    """A number from 0 to 1, as all measures here give."""
    score = checked_number(name, value)
    if not 0 <= score <= 1:
        hint = f", did you mean {score / 100:g}?" if 1 < score <= 100 else ""
        raise ParameterError(f"{name} must lie between 0 and 1; got {quote(value)}{hint}")
    return score


def checked_number(name: str, value: Any) -> float:
    """A finite number."""
    number = as_float(value)
    if number is None or not math.isfinite(number):
        raise ParameterError(f"{name} must be a number; got {quote(value)}")
    return number
