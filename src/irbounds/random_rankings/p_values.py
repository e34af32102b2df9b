"""What all distributions of chance scores share: two tails, p-values, and when scores are equal.

A score is a sum of fractions, and adding them in another order moves its last digits. Scores are
therefore taken as equal within ``TOLERANCE`` of their size, and an observed score that chance can
reach counts as reached.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any, ClassVar, get_args

from ..errors import ParameterError, quote
from ..results import Result
from ..results.chance_levels import null_record
from ..validation import (
    Alternative,
    ChanceMethod,
    Progress,
    as_float,
    check_alternative,
    check_choice,
    check_count,
)

TOLERANCE = 1e-12
MAX_DRAWS = 1 << 26  # means in memory, 512 MiB
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


# How p-values are to be found: what a person chooses, checked.
@dataclass(frozen=True)
class Significance:
    """How p-values are to be found."""

    method: ChanceMethod | None
    alternative: Alternative
    n_draws: int
    seed: int
    progress: Progress | None

    def part(self, number: int, n_parts: int) -> Significance:
        """The same for one of several parts of the work, whose progress follows on the others'."""
        if self.progress is None:
            return self
        whole = self.progress
        return replace(
            self, progress=lambda done, total: whole(number * total + done, n_parts * total)
        )


def checked_significance(
    method: Any,
    alternative: Any,
    n_draws: Any,
    seed: int,
    progress: Progress | None,
) -> Significance:
    """What a person chose, checked."""
    check_method(method)
    return Significance(
        method=method,
        alternative=check_alternative(alternative),
        n_draws=check_draws(n_draws),
        seed=seed,
        progress=progress,
    )


def check_method(method: Any) -> None:
    """One of the methods, or None for whichever fits."""
    if method is not None:
        check_choice("method", method, get_args(ChanceMethod))


def check_draws(n_draws: Any) -> int:
    """How many rankings to draw."""
    draws = check_count("n_draws", n_draws)
    if draws > MAX_DRAWS:
        raise ParameterError(f"n_draws must be at most {MAX_DRAWS:,}; got {draws:,}")
    return draws
