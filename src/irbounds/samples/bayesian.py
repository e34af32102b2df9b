"""Posteriors of both segments from the counts of a sample, for each family of them.

``beta-binomial`` (section 3.6) knows that documents are drawn without replacement from so many;
``beta-jeffreys`` (section 3.5) takes a beta posterior for the prevalence of what was not sampled.
Strata have posteriors of their own, which are convolved within a segment.

When not to use beta-binomial: Where a segment was hardly sampled, the beta-binomial posterior shows
the prior instead of the data. With many strata whose samples contain nothing relevant, the prior
outweighs the samples: merge strata or sample more from each.

When not to use beta-jeffreys: Where much of a segment was assessed, beta-jeffreys is too short: it
ignores that the unsampled part is a finite number of documents.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ..results import Posterior
from .counts import Counts, judged_part
from .posterior import JointPosterior
from .priors import Prior
from .yield_distribution import YieldDistribution
from .yield_sums import total_yield
from .yields import COARSE_CELLS, MOST_COUNTS, beta_binomial_yield, beta_yield

ALL_CELLS = 1 << 22  # of all strata together, so that thousands of them fit in memory
LEAST_CELLS = 1 << 11  # of each, however many there are

#: the distribution of a stratum's yield, from its population, sample and relevant documents
YieldOf = Callable[[float, float, float], YieldDistribution]


@dataclass(frozen=True, eq=False)
class PosteriorLimits:
    """Limits that are quantiles of a posterior."""

    method: str
    posterior: Posterior

    def limit(self, probability: float) -> NDArray[np.float64]:
        """The confidence limit of a probability."""
        return np.asarray(self.posterior.quantile(probability))


def beta_binomial(counts: Counts, prior: Prior) -> JointPosterior:
    """Beta-binomial posteriors of both yields (Equation 17)."""
    most_cells = min(MOST_COUNTS, max(LEAST_CELLS, ALL_CELLS // len(counts.population)))

    def yield_of(population: float, sampled: float, relevant: float) -> YieldDistribution:
        alpha, beta = prior.of(population, sampled)
        return beta_binomial_yield(population, sampled, relevant, alpha, beta, most_cells)

    return _joint(counts, yield_of)


def beta_jeffreys(counts: Counts) -> JointPosterior:
    """Beta posteriors with Jeffreys' prior, for the unsampled part of each stratum."""
    n_cells = max(LEAST_CELLS, COARSE_CELLS // len(counts.population))
    return _joint(counts, partial(beta_yield, n_cells=n_cells))


def _joint(counts: Counts, yield_of: YieldOf) -> JointPosterior:
    inside, outside = counts.segment(True), counts.segment(False)
    judged = judged_part(inside)
    retrieved = _segment_yield(inside, yield_of)
    return JointPosterior(
        retrieved=retrieved,
        unretrieved=_segment_yield(outside, yield_of),
        retrieved_size=float(inside.population.sum()),
        unretrieved_size=float(outside.population.sum()),
        judgeable=float(judged.population.sum()),
        judged=retrieved if judged is inside else _segment_yield(judged, yield_of),
    )


def _segment_yield(segment: Counts, yield_of: YieldOf) -> YieldDistribution:
    strata = zip(segment.population, segment.sampled, segment.relevant, strict=True)
    return total_yield(
        [yield_of(*map(float, one)) for one in strata if one[0] > 0]  # nothing holds nothing
    )
