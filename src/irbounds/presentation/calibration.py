"""Calibration as tables and sentences: what intervals promise, and what they do."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from ..results import CalibrationRow, records
from .noise import within_noise
from .rounding import (
    ERROR_DECIMALS,
    PERCENT_DECIMALS,
    error_level,
    fixed,
    percent,
    percentage,
    significant,
)
from .tables import BarEnds, Table

__all__ = ["calibration_sentences", "calibration_tables"]

HEADINGS = ("n", "method", "error", "noise", "below", "above", "none", "width", "worst", "verdict")
#: the first to go where the terminal is narrow
SPARE = ("none", "noise", "worst", "below", "above")


def calibration_tables(rows: Sequence[CalibrationRow], digits: int | None = None) -> list[Table]:
    """One table a measure and level: n by n, method by method."""
    return [_table(list(part), digits) for _, part in groupby(_in_tables(rows), key=_table_of)]


def calibration_sentences(rows: Sequence[CalibrationRow]) -> list[str]:
    """One sentence a measure, level and n: which method to use."""
    parts = groupby(_in_tables(rows), key=lambda row: (*_table_of(row), row.n))
    return [_sentence(list(part)) for _, part in parts]


def _table_of(row: CalibrationRow) -> tuple[str, float]:
    return row.measure, row.confidence_level


def _in_tables(rows: Sequence[CalibrationRow]) -> list[CalibrationRow]:
    """Level by level, in the order in which they came."""
    order = list(dict.fromkeys(map(_table_of, rows)))
    return sorted(rows, key=lambda row: order.index(_table_of(row)))


def _table(rows: Sequence[CalibrationRow], digits: int | None) -> Table:
    first = rows[0]
    nominal = significant(error_level(first.confidence_level), 3)
    return Table(
        title=f"{first.measure}: share of {percent(first.confidence_level)} intervals that miss "
        f"the true mean, nominally {nominal}",
        headings=HEADINGS,
        cells=tuple(_cells(row, ERROR_DECIMALS if digits is None else digits) for row in rows),
        records=tuple(records(rows)),
        first_number=2,
        caption="n: queries in a sample; error: over all systems, worst: of one; noise: of the "
        "simulation; below: the mean lies below the interval; none: samples without one",
        bars=tuple(map(_bar, rows)),
        spare=SPARE,
    )


def _bar(row: CalibrationRow) -> BarEnds:
    """The error give or take its simulation noise."""
    low, high = within_noise(row.error, row.error_noise)
    return low, row.error, high


def _cells(row: CalibrationRow, places: int) -> tuple[str, ...]:
    shares = (row.error, row.error_noise, row.below, row.above, row.without)
    return (
        str(row.n),
        row.method,
        *(fixed(share, places if k != 1 else places + 1) for k, share in enumerate(shares)),
        fixed(row.width, places),
        fixed(row.worst_error, places),
        "use" if row.recommended else row.verdict,
    )


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
        return f"{where}: too few samples to tell which method is honest; draw more"
    return (
        f"{where}: none of these methods is honest; {least.method} comes nearest, missing "
        f"{percentage(least.error, PERCENT_DECIMALS)}"
    )
