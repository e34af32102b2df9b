"""How often intervals of recall hold the truth, where it is known."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..parameters import Alternative

__all__ = ["RecallCoverage", "RecallCoverageRow", "RecallRealisation"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class RecallRealisation:
    """A corpus with a retrieved set of known recall, and the sizes of the samples to draw."""

    #: documents retrieved, and not
    retrieved: int
    unretrieved: int
    #: relevant ones of either
    relevant_retrieved: int
    relevant_unretrieved: int
    #: documents to be drawn from either
    retrieved_sample: int
    unretrieved_sample: int

    @property
    def recall(self) -> float:
        """The truth that intervals are to hold."""
        return self.relevant_retrieved / (self.relevant_retrieved + self.relevant_unretrieved)


@dataclass(frozen=True)
class RecallCoverageRow:
    """How one method fares, on average over realisations."""

    scenario: str
    method: str
    confidence_level: float
    #: share of samples whose interval holds the true recall, and its simulation noise
    coverage: float
    coverage_noise: float
    #: root of the mean squared difference of a realisation's coverage from the level
    rmse: float
    rmse_noise: float
    #: share of samples with the true recall below the interval, above it, or without an interval
    below: float
    above: float
    without: float
    #: mean width of the intervals that exist
    width: float
    width_noise: float
    #: share of realisations in which no other method's coverage is nearer the level; ties are split
    closest: float


@dataclass(frozen=True, eq=False)
class RecallCoverage:
    """The coverage of several methods on the same samples, as a whole and by realisation."""

    scenario: str
    methods: tuple[str, ...]
    confidence_level: float
    alternative: Alternative
    n_samples: int
    #: what ``rng`` to give to have the same again
    seed: int
    rows: tuple[RecallCoverageRow, ...]
    realisations: tuple[RecallRealisation, ...] = field(repr=False)
    #: realisation x method: shares of samples, and mean widths
    below: Floats = field(repr=False)
    above: Floats = field(repr=False)
    without: Floats = field(repr=False)
    widths: Floats = field(repr=False)

    @property
    def coverages(self) -> Floats:
        """Share of samples whose interval holds the truth; a sample without one is a miss."""
        return np.asarray(1 - self.below - self.above - self.without)
