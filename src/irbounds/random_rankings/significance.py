"""How p-values are to be found: what a person chooses, checked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, get_args

from ..errors import ParameterError
from ..parameters import (
    Alternative,
    ChanceMethod,
    Progress,
    check_alternative,
    check_choice,
    check_count,
)
from .random_rankings import MOST_DRAWS


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
    if draws > MOST_DRAWS:
        raise ParameterError(f"n_draws must be at most {MOST_DRAWS:,}; got {draws:,}")
    return draws
