"""How many random draws a comparison may hold in memory at once.

A bootstrap interval keeps its sorted bootstrap means, so that another level needs no new draws; all
pairs of a hundred systems are five thousand such rows. The sign-flip test keeps one row a system.
Up to 512 MiB are allowed, or what ``execution`` says; above, the error says which numbers to lower.

Numbers do not depend on what is allowed: the same call gives the same ones, or none. Only whether
bootstrap means are kept in the order drawn as well does.
"""

from __future__ import annotations

from ..errors import ParameterError
from ..interval.methods import METHODS
from ..scale.memory import check_fits_now, room
from ..scale.sizes import NUMBER, shown_bytes
from .pairs import Pairs
from .plan import Plan
from .sign_flip import EXACT

__all__ = ["check_memory", "check_ranks_fit", "keeps_distributions", "most_signs"]

MOST = 1 << 26  # numbers, 512 MiB, where nobody says otherwise
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


def check_ranks_fit(n_systems: int, n_resamples: int) -> None:
    """Raise unless the means on all resamples fit, with the shares of being best made from them."""
    check_fits_now(
        f"{n_resamples:,} resamples for {n_systems:,} systems",
        3 * NUMBER * n_systems * n_resamples,
        "take fewer resamples or systems",
    )


def most_signs(families: list[Pairs]) -> int:
    """How many random signs may be drawn."""
    return MOST // len(families[0].systems)


def keeps_distributions(families: list[Pairs], plan: Plan) -> bool:
    """Whether bootstrap means are kept in the order drawn as well."""
    n = sum(map(len, families)) * plan.n_resamples
    return n <= min(MOST_TWICE, _most_numbers() - n)


def _check(
    what: str, n_rows: int, rows: str, plan: Plan, instead: str, draws: int | None = None
) -> None:
    most = _most_numbers()
    wanted = draws or plan.n_resamples
    if n_rows * wanted <= most:
        return
    raise ParameterError(
        f"{what} would hold more than {shown_bytes(NUMBER * most)}: n_resamples must be at most "
        f"{most // n_rows:,} for {n_rows:,} {rows}; got {wanted:,} (or compare fewer systems or "
        f"measures, or with a baseline, or by {instead})"
    )


def _most_numbers() -> int:
    """What may be kept."""
    return room(NUMBER * MOST) // NUMBER
