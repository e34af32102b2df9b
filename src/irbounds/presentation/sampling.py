"""Samples before they are drawn: what sizes promise, and how intervals and estimates would fare."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from ..results import PlannedSample, RecallCoverageRow, records
from .noise import within_noise
from .rounding import (
    PERCENT_DECIMALS,
    SHARE_DECIMALS,
    decimals,
    decimals_of_column,
    fixed,
    percent,
    short_percentage,
)
from .tables import BarEnds, Table

__all__ = ["estimator_tables", "planned_sample_tables", "recall_coverage_tables"]


def planned_sample_tables(samples: Sequence[PlannedSample]) -> list[Table]:
    """What samples of these sizes promise."""
    places = decimals_of_column(one.expected_width / 10 for one in samples)
    return [
        Table(
            title="intervals of recall to be expected, means over the samples that may come",
            headings=("assessed", "split", "retrieved", "others", "width", "low", "high"),
            cells=tuple(
                (
                    *(f"{one.budget:,}", short_percentage(one.split, PERCENT_DECIMALS)),
                    *(f"{n:,}" for n in (one.retrieved_sample, one.unretrieved_sample)),
                    *(fixed(x, places) for x in _expected(one)),
                )
                for one in samples
            ),
            records=tuple(records(samples)),
            first_number=0,
            caption="split: share of the assessments that goes to the retrieved documents",
        )
    ]


def _expected(one: PlannedSample) -> tuple[float, float, float]:
    return one.expected_width, one.expected_low, one.expected_high


def recall_coverage_tables(rows: Sequence[RecallCoverageRow]) -> list[Table]:
    """One table a scenario and level: what every method promises, and what it does."""
    parts = groupby(rows, key=lambda row: (row.scenario, row.confidence_level))
    return [_coverage_table(list(part)) for _, part in parts]


def _coverage_table(rows: Sequence[RecallCoverageRow]) -> Table:
    first, noisy = rows[0], [row.coverage_noise for row in rows]
    places = max(SHARE_DECIMALS, decimals_of_column(noisy) - 1)
    return Table(
        title=f"scenario {first.scenario}: share of {percent(first.confidence_level)} intervals "
        "that hold the true recall",
        headings=("method", "coverage", "noise", "rmse", "below", "above", "none", "width"),
        cells=tuple(
            (row.method, *(fixed(x, places) for x in _coverage_numbers(row))) for row in rows
        ),
        records=tuple(records(rows)),
        caption="below, above: true recall lies there; rmse: of a corpus' coverage from the level",
        bars=tuple(_coverage_bar(row) for row in rows),
    )


def _coverage_numbers(row: RecallCoverageRow) -> tuple[float, ...]:
    shares = (row.below, row.above, row.without)
    return row.coverage, row.coverage_noise, row.rmse, *shares, row.width


def _coverage_bar(row: RecallCoverageRow) -> BarEnds:
    low, high = within_noise(row.coverage, row.coverage_noise)
    return low, row.coverage, high


def estimator_tables(scatters: Sequence[Any]) -> list[Table]:
    """How estimated recall scatters around the truth."""
    names = ("recall", "mean", "bias", "standard_deviation", "undefined")
    places = max(SHARE_DECIMALS, decimals(min(one.standard_deviation for one in scatters)))
    return [
        Table(
            title="estimated recall over all samples that may come",
            headings=("true recall", "mean", "bias", "sd", "no estimate"),
            cells=tuple(
                tuple(fixed(getattr(one, name), places) for name in names) for one in scatters
            ),
            records=tuple({name: float(getattr(one, name)) for name in names} for one in scatters),
            first_number=0,
            caption="no estimate: the probability that neither sample holds anything relevant",
        )
    ]
