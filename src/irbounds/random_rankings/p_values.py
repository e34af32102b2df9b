"""P-values from the distribution of chance scores, and the options that control them.

A score is a sum of fractions, and adding them in another order changes its last digits. Scores are
therefore treated as equal within ``TOLERANCE`` of their size, and an observed score that a random
ranking can reach counts as reached.
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
ROUNDING = 2.0**-52  # possible rounding error of a probability near 1
MAX_DRAWS = 1 << 26  # their means take 512 MiB of memory


class ScoreDistribution(Result, ABC):
    """A distribution of chance scores that computes the probabilities of both tails."""

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
        """Return the probability of this score or a lower one."""

    @abstractmethod
    def at_least(self, score: float) -> float:
        """Return the probability of this score or a higher one."""

    @abstractmethod
    def lowest_reaching(self, probability: float) -> float:
        """Return the lowest score with at least this probability at or below it."""

    def cdf(self, score: float) -> float:
        """Return the probability of this score or a lower one."""
        return self.at_most(check_number("score", score))

    def quantile(self, probability: float) -> float:
        """Return the lowest score with at least this probability at or below it."""
        value = check_number("probability", probability)
        if not 0 <= value <= 1:
            raise ParameterError(f"probability must lie between 0 and 1; got {quote(probability)}")
        return self.lowest_reaching(value)

    def p_value(self, observed: float, alternative: Alternative = "greater") -> float:
        """Return the probability that a random ranking scores ``observed`` or higher.

        ``"less"`` is the probability of this score or a lower one. ``"two-sided"`` is twice the
        smaller of the two, at most 1.
        """
        score, side = check_score("observed", observed), check_alternative(alternative)
        if side == "greater":
            return self.at_least(score)
        if side == "less":
            return self.at_most(score)
        return min(1.0, 2 * min(self.at_least(score), self.at_most(score)))


def max_upper_tail(probability: float) -> float:
    """Return the maximum probability of all higher scores at the quantile of a probability.

    Probabilities close to 1 are compared by their complements, which lose no digits.
    """
    return (1 - probability) * (1 + TOLERANCE) + ROUNDING


@dataclass(frozen=True)
class Significance:
    """The options of p-values: the method, the side, the number of draws and the seed."""

    method: ChanceMethod | None
    alternative: Alternative
    n_draws: int
    seed: int
    progress: Progress | None

    def part(self, number: int, n_parts: int) -> Significance:
        """Return the options of one of several parts, with its progress as a part of the total."""
        if self.progress is None:
            return self
        report = self.progress
        return replace(
            self, progress=lambda done, total: report(number * total + done, n_parts * total)
        )


def check_significance(
    method: Any,
    alternative: Any,
    n_draws: Any,
    seed: int,
    progress: Progress | None,
) -> Significance:
    """Return the options of p-values; raise ``ParameterError`` for invalid ones."""
    check_method(method)
    return Significance(
        method=method,
        alternative=check_alternative(alternative),
        n_draws=check_draws(n_draws),
        seed=seed,
        progress=progress,
    )


def check_method(method: Any) -> None:
    """Raise ``ParameterError`` unless this is a method, or None for the default."""
    if method is not None:
        check_choice("method", method, get_args(ChanceMethod))


def check_draws(n_draws: Any) -> int:
    """Return the number of rankings to draw; raise ``ParameterError`` where it is invalid."""
    draws = check_count("n_draws", n_draws)
    if draws > MAX_DRAWS:
        raise ParameterError(f"n_draws must be at most {MAX_DRAWS:,}; got {draws:,}")
    return draws


def check_score(name: str, value: Any) -> float:
    """Return a score; raise ``ParameterError`` unless it is a number between 0 and 1."""
    score = check_number(name, value)
    if not 0 <= score <= 1:
        hint = f", did you mean {score / 100:g}?" if 1 < score <= 100 else ""
        raise ParameterError(f"{name} must lie between 0 and 1; got {quote(value)}{hint}")
    return score


def check_number(name: str, value: Any) -> float:
    """Return a number; raise ``ParameterError`` unless it is finite."""
    number = as_float(value)
    if number is None or not math.isfinite(number):
        raise ParameterError(f"{name} must be a number; got {quote(value)}")
    return number
