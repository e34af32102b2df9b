"""Memory estimates of comparisons, checked before anything is drawn.

Every comparison is a result with its interval; all pairs of three thousand systems are four and a
half million. A bootstrap interval keeps its sorted bootstrap means in addition, so that another
level needs no new draws. The sign-flip test keeps one row per system.

Numbers do not depend on the limit: the same call gives the same ones, or none. Only whether
bootstrap means are kept in the order drawn as well does.
"""

from __future__ import annotations

from ..intervals.memory import check_comparisons_fit
from ..intervals.methods import METHODS
from ..parallel.memory import (
    NUMBER_BYTES,
    check_fits_now,
    machine_memory,
    memory_budget,
    remaining_memory,
)
from ..scores.score_table import ScoreTable
from .pairs import Pairs
from .plan import Plan
from .sign_flip import EXACT

COMPARISON = 2_500  # bytes of a comparison while all are made, as measured
MOST_SIGNS = 1 << 26  # random signs of all systems, 512 MiB, where nobody says how many
MOST_TWICE = 1 << 24  # numbers that may be kept a second time, in the order drawn: 128 MiB


def check_pairs_fit(table: ScoreTable, baseline: str | None) -> None:
    """Raise unless the results of all comparisons fit."""
    check_comparisons_fit(len(table.systems), len(table.measures), baseline, COMPARISON)


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
        3 * NUMBER_BYTES * n_systems * n_resamples,
        "take fewer resamples or systems",
    )


def most_signs(families: list[Pairs]) -> int:
    """How many random signs may be drawn."""
    return MOST_SIGNS // len(families[0].systems)


def keeps_distributions(families: list[Pairs], plan: Plan) -> bool:
    """Whether bootstrap means are kept in the order drawn as well."""
    n = sum(map(len, families)) * plan.n_resamples
    return n <= min(MOST_TWICE, memory_budget(machine_memory()) // NUMBER_BYTES - n)


def _check(
    what: str, n_rows: int, rows: str, plan: Plan, instead: str, draws: int | None = None
) -> None:
    n_draws = draws or plan.n_resamples
    fit = remaining_memory() // (NUMBER_BYTES * n_rows)
    check_fits_now(
        f"{what}: {n_draws:,} resamples for {n_rows:,} {rows}",
        NUMBER_BYTES * n_rows * n_draws,
        f"take at most {fit:,} resamples, fewer systems or measures, or a baseline, or {instead}",
    )
