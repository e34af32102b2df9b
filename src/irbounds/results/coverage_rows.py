"""Nominal and actual coverage of intervals: of means by calibration, of recall by simulation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from ..presentation.column_roles import Column, Key
from ..presentation.registry import Presentation, View, present
from ..presentation.rounding import (
    ERROR_DECIMALS,
    FRACTION_DECIMALS,
    PERCENT_DECIMALS,
    decimals_of_column,
    error_level,
    percent,
    percentage,
    significant,
    within_noise,
)
from ..presentation.table import BarEnds
from ..validation import Alternative
from .recall_estimates import prior_topics
from .result import Result

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class CalibrationRow(Result):
    """Error rate and width of one method on samples of n queries, averaged over systems."""

    measure: Key
    #: queries in a sample
    n: Annotated[int, Column("key", note="queries in a sample")]
    method: Key
    confidence_level: float
    #: fraction of samples whose interval missed, on average over systems, and its simulation noise
    error: Annotated[float, Column(note="over all systems, worst: of one")]
    error_noise: Annotated[float, Column("spread", "noise", note="of the simulation")]
    #: of these, where the mean lies below the interval, and where above
    below: Annotated[float, Column(note="the mean lies below the interval")]
    above: float
    #: fraction of samples that gave no interval
    without: Annotated[float, Column(heading="none", note="samples without one")]
    #: mean width, and its simulation noise
    width: float
    width_noise: float
    #: mean of width + 2 / alpha times the distance to a missed mean; low for short honest intervals
    interval_score: float
    #: standard deviation of the error over systems
    error_spread: float
    worst_error: Annotated[float, Column(heading="worst")]
    worst_system: str
    #: ``"honest"``: the error is no more than the tolerance above the nominal one; ``"short"``: it
    #: is more; ``"unclear"``: too few samples to decide
    verdict: Annotated[str, Column(text=lambda row, _: "use" if row.recommended else row.verdict)]
    #: True for the method to use: the honest method with the lowest interval score
    recommended: bool
    #: the ``rng`` that reproduces the samples
    seed: int | None = field(default=None, repr=False)

    @property
    def honest(self) -> bool:
        """True if the error is at most the tolerance above the nominal one."""
        return self.verdict == "honest"


def _title(rows: Sequence[CalibrationRow], view: View) -> str:
    first = rows[0]
    nominal = significant(error_level(first.confidence_level), 3)
    return (
        f"{first.measure}: fraction of {percent(first.confidence_level)} intervals that miss the "
        f"true mean, nominally {nominal}"
    )


def _bar(row: CalibrationRow) -> BarEnds:
    """Return the error minus and plus its simulation noise."""
    low, high = within_noise(row.error, row.error_noise)
    return low, row.error, high


def _table_of(row: CalibrationRow) -> tuple[str, float]:
    return row.measure, row.confidence_level


def _sentences(rows: Sequence[CalibrationRow], view: View) -> list[str]:
    """Return one sentence per measure, level and n: which method to use."""
    order = list(dict.fromkeys(map(_table_of, rows)))
    ordered = sorted(rows, key=lambda row: order.index(_table_of(row)))
    parts = groupby(ordered, key=lambda row: (*_table_of(row), row.n))
    return [_sentence(list(part)) for _, part in parts]


def _sentence(rows: Sequence[CalibrationRow]) -> str:
    first = rows[0]
    where = f"{first.measure}, {first.n} queries, {percent(first.confidence_level)}"
    best = next((row for row in rows if row.recommended), None)
    if best is not None:
        return (
            f"{where}: use {best.method}, which misses {percentage(best.error, PERCENT_DECIMALS)}"
        )
    least = min(rows, key=lambda row: row.error)
    if least.honest:
        return (
            f"{where}: only {least.method} is honest, and some of its intervals have no end; more "
            "queries are needed"
        )
    if any(row.verdict == "unclear" for row in rows):
        return f"{where}: too few samples to decide which method is honest; draw more"
    return (
        f"{where}: none of these methods is honest; {least.method} is closest, missing "
        f"{percentage(least.error, PERCENT_DECIMALS)}"
    )


present(
    CalibrationRow,
    Presentation(
        "Nominal and actual error rates",
        columns=(
            *("n", "method", "error", "error_noise", "below", "above", "without"),
            *("width", "worst_error", "verdict"),
        ),
        title=_title,
        group=_table_of,
        places=lambda rows: ERROR_DECIMALS,
        bar=_bar,
        spare=("none", "noise", "worst", "below", "above"),
        sentences=_sentences,
        figures=("planning_plots:draw_calibration",),
        topics=lambda rows: ["calibration", *(row.method for row in rows)],
    ),
)


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
