"""Tipping points: recall if assessors made mistakes in the unretrieved sample."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from ..presentation.column_roles import Column
from ..presentation.phrases import ENDS, SIDES, half_width
from ..presentation.registry import Presentation, View, present
from ..presentation.rounding import decimals_of_column, fixed, format_setting, percent
from ..presentation.table import Table, make_bar
from .interval import Interval
from .recall_estimates import SHOWN, format_ends
from .result import Result, records

HEADING = "Tipping points: were the assessors right?"
LARGEST_WEIGHT_FIRST = (
    "wrong judgments are first in the stratum whose sampled documents represent most documents each"
)


@dataclass(frozen=True, eq=False)
class TippingPoint(Result):
    """Recall if so many judgments of the unretrieved sample are wrong."""

    #: the judgment that is wrong: ``"relevant"`` or ``"not relevant"``; empty if none is
    judgment: Annotated[str, Column("key")]
    #: documents with this judgment that are wrong, and all documents with it
    n_wrong: Annotated[int, Column("count")]
    n_judged: Annotated[int, Column("count")]
    value: Annotated[float, Column(heading="estimate", name="estimate")]
    interval: Interval
    #: the claim: recall is at least this; None for no claim
    at_least: float | None = None
    #: whether the claim is shown: the lower end is at least the claimed recall; None without one
    is_shown: bool | None = None
    prior: str | None = None


def _tables(points: Sequence[TippingPoint], view: View) -> list[Table]:
    first = points[0]
    places = view.digits
    if places is None:
        places = decimals_of_column(half_width(point.value, point.interval) for point in points)
    claim = (f"recall >= {format_setting(first.at_least)}",) if first.at_least else ()
    prior = f", prior {first.prior}" if first.prior else ""
    side = first.interval.alternative
    table = Table(
        title="recall if judgments of the unretrieved sample are wrong: "
        f"{percent(first.interval.confidence_level)} {SIDES[side]} "
        f"({first.interval.method}{prior})",
        headings=("wrong judgments", "estimate", *ENDS[side], *claim),
        cells=tuple(
            (
                f"{point.n_wrong:,} of {point.n_judged:,} judged {point.judgment}"
                if point.judgment
                else "none",
                fixed(point.value, places),
                *format_ends(point.interval, places),
                *(SHOWN[point.is_shown] for _ in claim),
            )
            for point in points
        ),
        records=tuple({"table": "tipping points", **record} for record in records(points)),
        caption=LARGEST_WEIGHT_FIRST,
        bars=tuple(make_bar(point.value, point.interval) for point in points),
    )
    return [table]


def _sentences(points: Sequence[TippingPoint], view: View) -> list[str]:
    """Return the verdict on a claim, and the fewest wrong judgments that change it."""
    first = points[0]
    if first.at_least is None:
        return []
    changes: dict[str, TippingPoint] = {}
    for point in points:
        if point.is_shown is not first.is_shown:
            changes.setdefault(point.judgment, point)
    conditions = [
        f"It is {SHOWN[point.is_shown]} if {point.n_wrong:,} or more of the {point.n_judged:,} "
        f"documents judged {judgment} in the unretrieved sample are judged wrongly."
        for judgment, point in changes.items()
    ]
    claim = f"A recall of at least {format_setting(first.at_least)}"
    otherwise = ["Wrong judgments in the unretrieved sample do not change that."]
    return [f"{claim} is {SHOWN[first.is_shown]} by the counts.", *(conditions or otherwise)]


present(
    TippingPoint,
    Presentation(
        HEADING, tables=_tables, sentences=_sentences, topics=lambda points: ["tipping-points"]
    ),
)
