"""The paper's own way to the posterior: draws from it (section 2.9).

Pairs of yields are drawn from the beta-binomial posteriors of the two segments, and the quantity
computed for each pair. It is here for comparison. The computed posterior is what these draws tend
to; ten thousand of them, as in the paper, move a limit by about a hundredth of the interval's
width from one seed to the next.

When not to use: Where the distribution can be computed exactly, random draws are not needed.
Another seed changes quantiles and p-values a little, and a p-value from draws is never below
1 / (1 + draws).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..resampling.seeds import Purpose, stream
from .counts import Counts
from .priors import Prior

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class MonteCarlo:
    """Limits that are quantiles of drawn values."""

    method: ClassVar[str] = "monte-carlo"

    draws: Floats

    def limit(self, probability: float) -> Floats:
        """The confidence limit of a probability; NaN where no draw has a value."""
        if not len(self.draws):
            return np.asarray(np.nan)
        return np.asarray(np.quantile(self.draws, probability))


def monte_carlo(
    counts: Counts,
    prior: Prior,
    formula: Callable[[Floats, Floats], Floats],
    n_draws: int,
    seed: int,
) -> MonteCarlo:
    """Draw a quantity that is a formula of both yields; draws without a value are left out."""
    retrieved, unretrieved = drawn_yields(counts, prior, n_draws, seed)
    values = formula(retrieved, unretrieved)
    return MonteCarlo(values[~np.isnan(values)])


def drawn_yields(counts: Counts, prior: Prior, n_draws: int, seed: int) -> tuple[Floats, Floats]:
    """Yields of the retrieved and of the unretrieved segment, drawn from their posteriors."""
    totals = {True: np.zeros(n_draws), False: np.zeros(n_draws)}
    for place, retrieved in enumerate(counts.retrieved.tolist()):
        population, sampled = float(counts.population[place]), float(counts.sampled[place])
        relevant = float(counts.relevant[place])
        if not population:
            continue
        generator = stream(seed, Purpose.yield_draws, place)
        alpha, beta = prior.of(population, sampled)
        shares = generator.beta(alpha + relevant, beta + sampled - relevant, n_draws)
        totals[retrieved] += relevant + generator.binomial(int(population - sampled), shares)
    return totals[True], totals[False]
