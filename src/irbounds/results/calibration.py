"""Nominal and actual error rates of interval methods."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Annotated

from ..presentation.column_roles import Column, Key
from ..presentation.registry import Presentation, View, present
from ..presentation.rounding import (
    ERROR_DECIMALS,
    PERCENT_DECIMALS,
    error_level,
    percent,
    percentage,
    significant,
    within_noise,
)
from ..presentation.table import BarEnds
from .result import Result


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
