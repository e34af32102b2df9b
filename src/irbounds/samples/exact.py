"""Guaranteed limits of recall and related quantities, for finite populations, without a seed.

A stratum of N documents contains an unknown number R of relevant ones, and a simple random sample
of n of them a hypergeometric number. A limit at level 1 - alpha is guaranteed if it holds in at
least this fraction of samples, whatever the yields R of all strata are. It is the smallest (or
largest) value of the quantity over all yields that a test at level alpha does not reject. The test
depends on the number of strata whose yield is uncertain. Strata that were read in full have a known
yield. A stratum without a sample may have any yield.

* One stratum: the hypergeometric tail, as in Clopper and Pearson's limits. This is the case of a
  retrieved set that was read in full and one sample of the rest.
* Two strata: Buehler's limits (``buehler.py``).
* More strata: Fisher's combination of p-values with weights (``weighted_fisher.py``).

Reference: Buehler (1957), Journal of the American Statistical Association 52.

When not to use exact-limits: Exact limits hold in at least the nominal fraction of samples, so in
most designs they hold in more. To describe a result, the beta-binomial interval is shorter, and on
average over corpora it contains the true value in the nominal fraction of samples.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..results.interval import Side
from .buehler import solve_two_strata
from .counts import Counts
from .uncertain_strata import Problem, Ratio, make_problem
from .weighted_fisher import solve_many_strata


@dataclass(frozen=True, eq=False)
class ExactLimits:
    """Guaranteed limits of a ratio of yields."""

    method: ClassVar[str] = "exact"

    counts: Counts
    ratio: Ratio

    def limit(self, probability: float) -> NDArray[np.float64]:
        """Return the confidence limit of a probability."""
        return self.limit_at(probability, "high" if probability > 0.5 else "low")

    def limit_at(self, probability: float, side: Side) -> NDArray[np.float64]:
        """Return the limit as the low or the high end of an interval."""
        is_low = side == "low"
        alpha, sign = (probability, 1) if is_low else (1 - probability, -1)
        counts = self.counts.judge_all(*(sign * each for each in self.ratio.signs))
        problem = make_problem(counts, self.ratio, sign)
        if not problem.parts:
            value = problem.value()
        elif len(problem.parts) == 1:
            value = _solve_one_stratum(problem, alpha)
        else:
            solve = solve_two_strata if len(problem.parts) == 2 else solve_many_strata
            value = solve(problem, alpha)
        if math.isfinite(value):
            return np.asarray(problem.sign * value)
        return np.asarray(_limit_of_nothing(counts, is_low))


def _limit_of_nothing(counts: Counts, is_low: bool) -> float:
    """Return a limit where only yields without a relevant document are left.

    The ratio is not defined for them. It is 0 if only unretrieved documents are relevant and 1 if
    only retrieved ones are, so that these are the limits where it may be defined. The result is NaN
    where it cannot be.
    """
    is_possible = (counts.relevant > 0) | (counts.sampled < counts.population)
    inside, outside = ((is_possible & (counts.retrieved == side)).any() for side in (True, False))
    if not inside and not outside:
        return math.nan
    return (0.0 if outside else 1.0) if is_low else (1.0 if inside else 0.0)


def _solve_one_stratum(problem: Problem, alpha: float) -> float:
    (part,) = problem.parts
    q = part.least(alpha)
    value = problem.value(q)
    # recall without a relevant document is not defined: the next yield has the smallest value
    return problem.value(q + 1) if math.isinf(value) and q < part.highest else value
