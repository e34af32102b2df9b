"""Webber (2013), Figures 10 to 14: how often nine intervals of recall hold the truth.

The paper does not say where its axes end; ours show coverage from 0.7 and gaps to 0.2. As there,
what has corpora beyond is marked at the margin, with < or >.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...results import RecallCoverage, ShareBox
from ..noise import NOISE, within_noise
from ..rounding import SHARE_DECIMALS, fixed, percent
from . import vega
from .style import CONTRAST, EMPHASIS, QUIET, WIDTH, Figure, finished, tooltips, values
from .webber2013 import nominal_line

__all__ = ["closest_shares", "coverage_boxes", "gap_boxes"]

#: the paper's numbers of the scenarios
FIGURES = {"neutral": 10, "legal": 11, "small": 12}
COVERAGE_RANGE, GAP_RANGE = (0.7, 1.0), (0.0, 0.2)
ROW = 24
BOX = 12  # pixels of a box's height


def coverage_boxes(coverage: RecallCoverage, boxes: Sequence[ShareBox]) -> Figure:
    """One of Figures 10 to 12: coverage over the corpora of a scenario, a box a method."""
    number = FIGURES[coverage.scenario]
    said = "; ".join(f"{box.label} {fixed(box.mean, 3)}" for box in boxes)
    chart = _boxes(boxes, "coverage", COVERAGE_RANGE)
    scale = dict(domain=list(COVERAGE_RANGE), nice=False)
    rule = nominal_line(coverage.confidence_level, "x", scale=scale)
    return finished(
        vega.layer(rule, *chart).properties(width=WIDTH, height=vega.step(ROW)),
        name=f"webber2013-figure-{number}",
        title=f"Figure {number}: coverage in the {coverage.scenario} scenario ({_sizes(coverage)})",
        description=f"Mean coverage of {percent(coverage.confidence_level)} intervals in the "
        f"{coverage.scenario} scenario, {_sizes(coverage)}: {said}.",
    )


def gap_boxes(
    coverage: RecallCoverage, below: Sequence[ShareBox], above: Sequence[ShareBox]
) -> Figure:
    """Figure 13: how often the truth lies below an interval, and how often above it."""
    titles = ("true recall below the interval", "true recall above the interval")
    panels = [
        vega.layer(*_boxes(boxes, f"share of samples with the {title}", GAP_RANGE)).properties(
            width=WIDTH, height=vega.step(ROW)
        )
        for boxes, title in zip((below, above), titles, strict=True)
    ]
    said = "; ".join(
        f"{one.label} {fixed(one.mean, 3)} and {fixed(other.mean, 3)}"
        for one, other in zip(below, above, strict=True)
    )
    return finished(
        vega.vconcat(*panels, spacing=16),
        name="webber2013-figure-13",
        title=f"Figure 13: lower and upper gaps in the {coverage.scenario} scenario "
        f"({_sizes(coverage)})",
        description=f"Mean share of samples with the true recall below the interval, and above "
        f"it, in the {coverage.scenario} scenario: {said}.",
    )


def closest_shares(coverages: Sequence[RecallCoverage]) -> Figure:
    """Figure 14: in how many corpora a method comes nearest to the level, a panel a scenario."""
    panels = [_closest(one, is_first=one is coverages[0]) for one in coverages]
    said = ". ".join(
        f"{one.scenario}: " + "; ".join(f"{row.method} {fixed(row.closest, 2)}" for row in one.rows)
        for one in coverages
    )
    return finished(
        vega.hconcat(*panels, spacing=16),
        name="webber2013-figure-14",
        title="Figure 14: share of corpora in which a method's coverage is nearest the level",
        description=f"Share of corpora in which a method's coverage is nearest the level, with "
        f"{NOISE} standard errors to either side. {said}.",
    )


def _boxes(boxes: Sequence[ShareBox], title: str, shown: tuple[float, float]) -> list[Any]:
    """Whiskers, boxes, medians, means as crosses and what lies beyond the whiskers."""
    names = [box.label for box in boxes]
    y = vega.Y("method:N", title=None, sort=names)
    scale = dict(domain=list(shown), nice=False)
    base = vega.Chart(values(_row(box, shown) for box in boxes)).encode(y=y, tooltip=_tooltips())
    axis = dict(tickCount=6)
    x = {
        end: vega.X(f"{end}:Q", title=title, scale=scale, axis=axis)
        for end in ("low", "first", "median")
    }
    beyond = vega.Chart(values(_beyond(boxes, shown))).encode(y=y)
    return [
        base.mark_rule(color=QUIET, clip=True).encode(x=x["low"], x2="high:Q"),
        base.mark_bar(color=EMPHASIS, opacity=0.45, height=BOX, clip=True).encode(
            x=x["first"], x2="third:Q"
        ),
        base.mark_tick(color=EMPHASIS, thickness=3, size=BOX + 2, opacity=1, clip=True).encode(
            x=x["median"]
        ),
        beyond.mark_point(color=QUIET, size=14, strokeWidth=1, opacity=0.6).encode(
            x=vega.X("share:Q", title=title, scale=scale),
            tooltip=[
                *tooltips(["method"], {"share": "share of samples"}, SHARE_DECIMALS),
                *tooltips((), ["corpora"], ",d"),
            ],
        ),
        base.mark_point(
            color=CONTRAST, shape="cross", filled=True, size=60, opacity=1, clip=True
        ).encode(x=vega.X("mean:Q", title=title, scale=scale)),
        *_margins(base, shown),
    ]


def _margins(base: Any, shown: tuple[float, float]) -> list[Any]:
    """Signs of corpora that are not in the figure."""
    look: dict[str, Any] = {"fontSize": 14, "fontWeight": "bold", "color": CONTRAST}
    left = base.transform_filter("datum.fewer").transform_calculate(sign="'<'")
    right = base.transform_filter("datum.more").transform_calculate(sign="'>'")
    return [
        left.mark_text(x=4, align="left", **look).encode(text="sign:N"),
        right.mark_text(x=WIDTH - 4, align="right", **look).encode(text="sign:N"),
    ]


def _row(box: ShareBox, shown: tuple[float, float]) -> dict[str, Any]:
    shares = [box.low, box.high, *(share for share, _ in box.outliers)]
    return {
        "method": box.label,
        "low": box.low,
        "first": box.first_quartile,
        "median": box.median,
        "third": box.third_quartile,
        "high": box.high,
        "mean": box.mean,
        "lowest": min(shares),
        "highest": max(shares),
        "fewer": min(shares) < shown[0],
        "more": max(shares) > shown[1],
    }


def _beyond(boxes: Sequence[ShareBox], shown: tuple[float, float]) -> list[dict[str, Any]]:
    return [
        {"method": box.label, "share": share, "corpora": corpora}
        for box in boxes
        for share, corpora in box.outliers
        if shown[0] <= share <= shown[1]
    ]


def _tooltips() -> list[dict[str, Any]]:
    titles = {
        "mean": "mean",
        "median": "median",
        "first": "first quartile",
        "third": "third quartile",
        "lowest": "lowest",
        "highest": "highest",
    }
    return tooltips(["method"], titles, SHARE_DECIMALS)


def _closest(coverage: RecallCoverage, *, is_first: bool) -> vega.Chart:
    n = len(coverage.realisations)
    rows: list[dict[str, Any]] = []
    for row in coverage.rows:
        error = (row.closest * (1 - row.closest) / n) ** 0.5
        low, high = within_noise(row.closest, error)
        rows.append({"method": row.method, "share": row.closest, "low": low, "high": high})
    axis = dict() if is_first else dict(labels=False, ticks=False)
    base = vega.Chart(values(rows)).encode(
        y=vega.Y("method:N", title=None, sort=[row["method"] for row in rows], axis=axis),
        tooltip=tooltips(["method"], {"share": "share of corpora"}, SHARE_DECIMALS),
    )
    bars = base.mark_bar(color=EMPHASIS, opacity=0.6).encode(
        x=vega.X("share:Q", title=f"share of corpora, {coverage.scenario}", axis=dict(tickCount=4))
    )
    noise = base.mark_rule(color=CONTRAST, strokeWidth=2).encode(x="low:Q", x2="high:Q")
    return vega.layer(bars, noise).properties(width=WIDTH // 3, height=vega.step(ROW))


def _sizes(coverage: RecallCoverage) -> str:
    return f"{len(coverage.realisations):,} corpora, {coverage.n_samples:,} samples of each"
