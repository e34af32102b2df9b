"""A paper's numbers beside ours, where a study has no figure of its own."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ...results import CollectionTable, StudyTable
from ..noise import NOISE, within_noise
from .dots import Dot, dots
from .style import Figure

__all__ = ["collection_numbers", "study_numbers"]


def study_numbers(tables: Sequence[StudyTable]) -> Figure:
    """A paper's numbers and ours, row by row and column by column."""
    found = []
    for label, ours, theirs, noise in _study_rows(tables):
        ends = within_noise(ours, noise, -math.inf, math.inf)  # not all are shares
        found.append(Dot(label, ours, *ends, series="ours"))
        found.append(Dot(label, theirs, series="paper"))
    return dots(
        [dot for dot in found if math.isfinite(dot.value)],
        axis="value",
        name=f"{tables[0].study}-numbers",
        title=f"{tables[0].name or f'Table {tables[0].number}'}: {tables[0].title}",
        reach=f"simulation noise of ours, {NOISE} standard errors to either side",
    )


def _study_rows(tables: Sequence[StudyTable]) -> list[tuple[str, float, float, float]]:
    return [
        (
            ", ".join(filter(None, (row, column))),
            table.ours[r][c],
            table.theirs[r][c],
            table.noise[r][c] if table.noise else math.nan,
        )
        for table in tables
        for r, row in enumerate(table.rows)
        for c, column in enumerate(table.columns)
    ]


def collection_numbers(tables: Sequence[CollectionTable]) -> Figure:
    """The first number of every cell, our collection beside the paper's."""
    found = [
        Dot(f"{row}, {collection}", table.numbers[r][c][0], series="paper" if c else "ours")
        for table in tables
        for r, row in enumerate(table.rows)
        for c, collection in enumerate(table.collections)
    ]
    first = tables[0]
    return dots(
        [dot for dot in found if math.isfinite(dot.value)],
        axis=first.parts[0],
        name=f"{first.study}-collections",
        title=f"Table {first.number}: {first.title}",
    )
