"""How many random draws a comparison may hold in memory at once.

A bootstrap interval keeps its sorted bootstrap means, so that another level needs no new draws; all
pairs of a hundred systems are five thousand such rows. The sign-flip test keeps one row a system.
Up to 512 MiB are allowed; above, the error says which numbers to lower.
"""

from __future__ import annotations

from ..errors import ParameterError
from ..interval.methods import METHODS
from .pairs import Pairs
from .plan import Plan
from .sign_flip import EXACT

__all__ = ["check_memory", "keeps_distributions", "most_signs"]

MOST = 1 << 26  # numbers, 512 MiB
MOST_TWICE = 1 << 24  # numbers that may be kept a second time, in the order drawn: 128 MiB


def check_memory(families: list[Pairs], plan: Plan) -> None:
    """Raise unless everything that has to be kept fits."""
    n_systems = len(families[0].systems)
    if METHODS[plan.method].needs_bootstrap:
        n_rows = sum(map(len, families))
        _check(f"method {plan.method!r}", n_rows, "comparisons", plan, "method='student-t'")
    if plan.test == "sign-flip" and families[0].n > EXACT:
        _check("test 'sign-flip'", n_systems, "systems", plan, "test='t'", plan.n_signs)
    if plan.test == "bootstrap":
        _check("test 'bootstrap'", 2, "rows", plan, "test='t'")
    if plan.adjustment == "max-statistic":
        _check("adjustment 'max-statistic'", 1, "row", plan, "adjustment='holm'")


def most_signs(families: list[Pairs]) -> int:
    """How many random signs may be drawn."""
    return MOST // len(families[0].systems)


def keeps_distributions(families: list[Pairs], plan: Plan) -> bool:
    """Whether bootstrap means are kept in the order drawn as well."""
    return sum(map(len, families)) * plan.n_resamples <= MOST_TWICE


def _check(
    what: str, n_rows: int, rows: str, plan: Plan, instead: str, draws: int | None = None
) -> None:
    if n_rows * (draws or plan.n_resamples) <= MOST:
        return
    raise ParameterError(
        f"{what} would hold more than 512 MiB: n_resamples must be at most {MOST // n_rows:,} for "
        f"{n_rows:,} {rows}; got {draws or plan.n_resamples:,} (or compare fewer systems or "
        f"measures, or with a baseline, or by {instead})"
    )
