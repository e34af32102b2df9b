"""Mean scores of systems on images of the corpus: their quartiles, and how far they spread."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ...results import DifferencePrecision, ScorePrecision
from ..families import by_measure
from ..rounding import MEAN_SPREAD_DECIMALS, decimals_of_column, fixed, percent
from ..words import counted, counted_queries, shortened
from . import vega
from .corpus_boxes import box_row, system_boxes
from .differences import MOST_PAIRS
from .spans import axis_of, stacked
from .style import (
    ROW,
    WIDTH,
    Figure,
    colour_scale,
    finished,
    highlight,
    reference_line,
    tooltips,
    values,
)

__all__ = ["difference_boxes", "score_boxes", "score_deviations"]


def score_boxes(rows: Sequence[ScorePrecision], systems: Sequence[str] = ()) -> Figure:
    """Every system's mean score on images (Zobel and Rashidi 2020, Figure 3).

    Best first by each measure, or in the order of ``systems`` by all of them.
    """
    parts = [_ordered(part, systems) for part in by_measure(rows)]
    share = _share_words(rows[0])
    panels = [(part[0].measure, _score_panel(part, share)) for part in parts]
    first = rows[0]
    return finished(
        stacked(panels),
        name="corpus-scores",
        title=f"Mean scores over {counted_queries(first.n_queries)} on {first.n_images:,} images "
        "of the corpus",
        description=" ".join(_said_of_scores(part) for part in parts),
    )


def _ordered(rows: Sequence[ScorePrecision], systems: Sequence[str]) -> list[ScorePrecision]:
    if systems:
        return sorted(rows, key=lambda row: systems.index(row.system))
    return sorted(rows, key=lambda row: (-row.root, row.system))


def _share_words(row: ScorePrecision | DifferencePrecision) -> str:
    return f"{percent(row.interval.confidence_level)} of images"


def _score_panel(rows: Sequence[ScorePrecision], share: str) -> vega.Chart:
    drawn = [{"system": row.system, **_box(row)} for row in rows]
    axis = axis_of(f"mean {rows[0].measure}", len(rows))
    return system_boxes(drawn, axis, _places(rows), share)


def _places(rows: Sequence[ScorePrecision] | Sequence[DifferencePrecision]) -> int:
    return decimals_of_column(row.interval.half_width for row in rows)


def _box(row: ScorePrecision | DifferencePrecision) -> dict[str, float]:
    return box_row(row.images, row.root, row.interval.low, row.interval.high)


def _said_of_scores(rows: Sequence[ScorePrecision]) -> str:
    best, worst = max(rows, key=lambda row: row.root), min(rows, key=lambda row: row.root)
    places = _places(rows)
    ends = " and ".join(
        f"{row.system} at {fixed(row.root, places)} (from {fixed(row.interval.low, places)} to "
        f"{fixed(row.interval.high, places)} on {_share_words(row)})"
        for row in dict.fromkeys((best, worst))
    )
    return f"Box plots of {counted(len(rows), 'system')} by mean {best.measure}: {ends}."


def score_deviations(rows: Sequence[ScorePrecision], systems: Sequence[str] = ()) -> Figure:
    """The standard deviation of every system's mean score over images (Figure 4).

    Systems are in the order of ``systems``, or best first by the first measure.
    """
    parts = by_measure(rows)
    order = [row.system for row in _ordered(parts[0], systems)]
    measures = [part[0].measure for part in parts]
    drawn = [
        {"system": row.system, "measure": row.measure, "deviation": row.images.standard_deviation}
        for row in rows
    ]
    first = rows[0]
    return finished(
        _deviation_chart(drawn, order, measures),
        name="corpus-deviations",
        title=f"Standard deviation of a mean score over {first.n_images:,} images",
        description=" ".join(_said_of_deviations(part) for part in parts),
    )


def _deviation_chart(
    rows: Sequence[dict[str, Any]], order: Sequence[str], measures: Sequence[str]
) -> vega.Chart:
    """Dots from 0, where a system has no uncertainty; a measure has a colour and a shape."""
    # one legend for colour and shape: both have the same domain
    legend = dict(orient="top", columns=4, title=None)
    shapes = dict(domain=list(measures))
    base = vega.Chart(values(rows)).encode(
        y=vega.Y("system:N", sort=list(order), title=None),
        x=vega.X(
            "deviation:Q",
            title="standard deviation of the mean score over images",
            axis=dict(tickCount=6),
        ),
        opacity=highlight(),
        tooltip=tooltips(
            ["system", "measure"], {"deviation": "standard deviation"}, MEAN_SPREAD_DECIMALS
        ),
    )
    dots = base.mark_point(filled=True, size=45, opacity=1).encode(
        color=vega.channel("measure:N", scale=colour_scale(measures), legend=legend),
        shape=vega.channel("measure:N", scale=shapes, legend=legend),
    )
    return vega.layer(dots).properties(width=WIDTH, height=vega.step(ROW))


def _said_of_deviations(rows: Sequence[ScorePrecision]) -> str:
    spreads = [row.images.standard_deviation for row in rows]
    ends = " to ".join(fixed(end, MEAN_SPREAD_DECIMALS) for end in (min(spreads), max(spreads)))
    whose = counted(len(rows), "system")
    return f"{rows[0].measure}: standard deviation of the mean of {whose}, {ends}."


def difference_boxes(rows: Sequence[DifferencePrecision]) -> Figure:
    """Differences of two systems' means on images, largest first.

    Of many pairs, those whose order is the least certain are shown.
    """
    parts = [_least_certain(part) for part in by_measure(rows)]
    baselines = {row.baseline for row in rows}
    against = f" from {shortened(rows[0].baseline)}" if len(baselines) == 1 else ""
    n_rows = len(by_measure(rows)[0])
    fewer = f": the {MOST_PAIRS} least certain of {n_rows:,}" if n_rows > MOST_PAIRS else ""
    panels = [(part[0].measure, _difference_panel(part, not against)) for part in parts]
    return finished(
        stacked(panels),
        name="corpus-differences",
        title=f"Differences of means{against} on {rows[0].n_images:,} images of the corpus{fewer}",
        description=" ".join(_said_of_differences(part) for part in parts),
    )


def _least_certain(rows: Sequence[DifferencePrecision]) -> list[DifferencePrecision]:
    """By the share of images that agree on the order; where all do, by how far they are apart."""

    def certainty(row: DifferencePrecision) -> tuple[float, float]:
        spread = row.images.standard_deviation
        return abs(row.higher_probability - 0.5), abs(row.root) / spread if spread else math.inf

    kept = sorted(rows, key=certainty)[:MOST_PAIRS]
    return sorted(kept, key=lambda row: -row.root)


def _difference_panel(rows: Sequence[DifferencePrecision], pairs: bool) -> vega.Chart:
    """Against one baseline its name stands in the title, not in every row."""
    drawn = [
        {
            "system": row.system,
            "baseline": row.baseline,
            "label": f"{row.system} \N{MINUS SIGN} {row.baseline}" if pairs else row.system,
            **_box(row),
        }
        for row in rows
    ]
    axis = axis_of(f"difference of mean {rows[0].measure}", len(rows))
    share = _share_words(rows[0])
    return system_boxes(drawn, axis, _places(rows), share, reference_line(0), label="label")


def _said_of_differences(rows: Sequence[DifferencePrecision]) -> str:
    apart = sum(row.interval.low > 0 or row.interval.high < 0 for row in rows)
    ends = " to ".join(fixed(row.root, _places(rows)) for row in (rows[-1], rows[0]))
    return (
        f"Box plots of {len(rows):,} differences of mean {rows[0].measure}, from {ends}; in "
        f"{apart:,} of them {_share_words(rows[0])} are on one side of 0."
    )
