"""Nominal and actual coverage of intervals: of means by calibration, of recall by simulation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from ..presentation.column_roles import Column, Key
from ..presentation.registry import Presentation, View, present
from ..presentation.rounding import (
    FRACTION_DECIMALS,
    decimals_of_column,
    percent,
    within_noise,
)
from ..presentation.table import BarEnds
from ..validation import Alternative
from .recall_estimates import prior_topics
from .result import Result

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class RecallRealisation:
    """A corpus with a retrieved set of known recall, and the sizes of the samples to draw."""

    #: documents retrieved, and not
    retrieved: int
    unretrieved: int
    #: relevant documents of either
    relevant_retrieved: int
    relevant_unretrieved: int
    #: documents to be drawn from either
    retrieved_sample: int
    unretrieved_sample: int

    @property
    def recall(self) -> float:
        """The true recall."""
        return self.relevant_retrieved / (self.relevant_retrieved + self.relevant_unretrieved)


@dataclass(frozen=True)
class RecallCoverageRow(Result):
    """Coverage and width of one method, averaged over realisations."""

    scenario: Key
    method: Key
    confidence_level: float
    #: fraction of samples whose interval contains the true recall, and its simulation noise
    coverage: float
    coverage_noise: Annotated[float, Column(heading="noise")]
    #: root of the mean squared difference of a realisation's coverage from the level
    rmse: float
    rmse_noise: float
    #: fraction of samples with the true recall below the interval, above it, or without an interval
    below: float
    above: float
    without: Annotated[float, Column(heading="none")]
    #: mean width of the intervals that exist
    width: float
    width_noise: float
    #: fraction of realisations in which the coverage is closest to the level; ties are divided
    closest: float


def _recall_bar(row: RecallCoverageRow) -> BarEnds:
    low, high = within_noise(row.coverage, row.coverage_noise)
    return low, row.coverage, high


def _recall_title(rows: Sequence[RecallCoverageRow], view: View) -> str:
    first = rows[0]
    level = percent(first.confidence_level)
    return f"scenario {first.scenario}: fraction of {level} intervals that contain the true recall"


def _recall_topics(rows: Sequence[RecallCoverageRow]) -> list[str]:
    """Return the methods and their priors, which are one word each in ``beta-binomial 0.5``."""
    words = [row.method.split() for row in rows]
    return [*(parts[0] for parts in words), *prior_topics(parts[-1] for parts in words)]


def _recall_places(rows: Sequence[RecallCoverageRow]) -> int:
    return max(FRACTION_DECIMALS, decimals_of_column(row.coverage_noise for row in rows) - 1)


present(
    RecallCoverageRow,
    Presentation(
        "Nominal and actual coverage",
        columns=(
            *("method", "coverage", "coverage_noise", "rmse", "below", "above", "without"),
            "width",
        ),
        title=_recall_title,
        caption=lambda rows: (
            "below, above: where true recall is; rmse: of a corpus' coverage from the level"
        ),
        group=lambda row: (row.scenario, row.confidence_level),
        places=_recall_places,
        bar=_recall_bar,
        figures=("planning_plots:draw_coverage",),
        topics=_recall_topics,
    ),
)


@dataclass(frozen=True, eq=False)
class RecallCoverage(Result):
    """The coverage of several methods on the same samples, in total and by realisation."""

    scenario: str
    methods: tuple[str, ...]
    confidence_level: float
    alternative: Alternative
    n_samples: int
    #: the ``rng`` that reproduces the samples
    seed: int
    rows: tuple[RecallCoverageRow, ...]
    realisations: tuple[RecallRealisation, ...] = field(repr=False)
    #: realisation x method: fractions of samples, and mean widths
    below: Floats = field(repr=False)
    above: Floats = field(repr=False)
    without: Floats = field(repr=False)
    widths: Floats = field(repr=False)

    def _rows(self) -> tuple[RecallCoverageRow, ...]:
        """Return one row per method, without the numbers per realisation."""
        return self.rows

    @property
    def coverages(self) -> Floats:
        """The fraction of samples whose interval contains the truth."""
        return np.asarray(1 - self.below - self.above - self.without)
