"""How much memory intervals keep, said before anything is drawn.

An estimate keeps its bootstrap means, and most methods keep them sorted beside that, so that
another level needs no new draws.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..scale.memory import check_fits_now
from .methods import METHODS

__all__ = ["check_estimates_fit"]

NUMBER = 8  # bytes
#: methods that keep the bootstrap means in order, which they share
SORTING = ("percentile", "basic", "bca")


def check_estimates_fit(methods_by_row: Sequence[Sequence[str]], n_resamples: int) -> None:
    """Raise ``ParameterError`` where the estimates of all rows (a system, a measure) do not fit."""
    needs_errors = any(
        METHODS[method].needs_bootstrap_errors for methods in methods_by_row for method in methods
    )
    n_numbers = sum(_kept(methods, needs_errors) for methods in methods_by_row) * n_resamples
    check_fits_now(
        f"{n_resamples:,} resamples for {len(methods_by_row):,} systems and measures",
        NUMBER * n_numbers,
        "take fewer resamples, systems or measures, or method 'student-t'",
    )


def _kept(methods: Sequence[str], needs_errors: bool) -> int:
    """Numbers kept for each resample: means, their squares and errors, sorted means, ratios."""
    if not any(METHODS[method].needs_bootstrap for method in methods):
        return 0
    in_order = any(method in SORTING for method in methods)
    return 1 + 2 * needs_errors + in_order + ("studentised" in methods)
