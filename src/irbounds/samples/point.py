"""Point estimates of a retrieved set: recall, precision, F, yield, prevalence and elusion.

All come from estimated yields, a stratum's size times the share of relevant documents in its
sample. A document that nobody could assess counts as not relevant in a yield, since the yield is
an absolute number, but is no part of precision: that is relevant over assessable documents, as the
Legal Track did it. Elusion and prevalence are yields over all documents.

What is 0 over 0 has no estimate and is NaN: recall where no sample holds anything relevant,
precision of nothing retrieved, elusion of a corpus retrieved whole. F is 0 where there is
something to be found or retrieved and nothing is both. A stratum with documents but no sample
makes NaN of every estimate that it is part of.

Reference: Webber (2013), section 2.1, Equation 2, and section 2.2.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .counts import Counts
from .propagation import share, stratum_yields, unsampled

Floats = NDArray[np.float64]


def recall_estimate(counts: Counts) -> Floats:
    """Retrieved yield over all yield (Equation 2)."""
    return share(yield_estimate(counts.segment(True)), yield_estimate(counts))


def precision_estimate(counts: Counts) -> Floats:
    """Retrieved yield over the retrieved documents that could be assessed."""
    retrieved = counts.segment(True)
    return share(yield_estimate(retrieved), _assessable(retrieved))


def f_estimate(counts: Counts, beta: float = 1.0) -> Floats:
    """F, which weighs recall ``beta`` times as much as precision.

    (1 + b^2) P R / (b^2 P + R) with the yields put in, so that it is there where P and R are 0.
    """
    retrieved = counts.segment(True)
    weight = beta**2
    whole = weight * yield_estimate(counts) + _assessable(retrieved)
    return share((1 + weight) * yield_estimate(retrieved), whole)


def yield_estimate(counts: Counts) -> Floats:
    """Relevant documents in all strata (Equation 5)."""
    return np.asarray(stratum_yields(counts).sum(axis=-1))


def prevalence_estimate(counts: Counts) -> Floats:
    """The share of relevant documents in the corpus."""
    return share(yield_estimate(counts), counts.population.sum())


def elusion_estimate(counts: Counts) -> Floats:
    """The share of relevant documents among those not retrieved."""
    unretrieved = counts.segment(False)
    return share(yield_estimate(unretrieved), unretrieved.population.sum())


def _assessable(counts: Counts) -> Floats:
    """Documents that could be assessed, from their share in each sample."""
    sampled = np.where(counts.sampled > 0, counts.sampled, 1.0)
    known = np.where(unsampled(counts), np.nan, counts.population)
    return np.asarray((known * (counts.assessable / sampled)).sum(axis=-1))
