"""How much memory a tally of misses takes: each thread bootstraps a hundred samples at once.

Their bootstrap means, the standard errors of those, and what the methods make of them stand side by
side; the counts of all resamples stand beside them. Nothing is kept of a unit but its sums.
"""

from __future__ import annotations

from contextlib import AbstractContextManager

from ..intervals.methods import METHODS
from ..parallel.memory import fitting
from ..parallel.sizes import NUMBER
from .coverage import UNIT, CoveragePlan

#: arrays of sample x resample at the most, as measured: sums twice and sorted; logits and what they
#: are made from; squares, standard errors and ratios
SORTED, LOGITS, ERRORS = 3, 5, 7
SAMPLING = 4  # arrays of sample x query: scores, the same by query, places, keys to choose them by


def coverage_fitting(n: int, population: int, plan: CoveragePlan) -> AbstractContextManager[None]:
    """Tally on as many threads as fit, for samples of n of a population."""
    width = max(map(_width, plan.methods))
    size = min(UNIT, plan.n_samples)
    n_resamples = plan.n_resamples if width else 0
    return fitting(
        f"{plan.n_resamples:,} resamples for each of {size} samples at once",
        kept=0,
        each_thread=NUMBER * size * (width * n_resamples + SAMPLING * max(n, population))
        + 2 * n * n_resamples,
        advice="take fewer resamples, samples or queries a sample",
    )


def _width(method: str) -> int:
    needs = METHODS[method]
    if needs.needs_bootstrap_errors:
        return ERRORS
    return needs.needs_bootstrap * (LOGITS if needs.needs_bounds else SORTED)
