"""Ranks with their intervals, and groups of systems that are not significantly different."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...results import RankEstimate
from ...results.comparisons import choose_rank_places
from ...validation import check_count
from ..phrases import group_by_measure, pluralise, pluralise_queries
from ..rounding import percent
from . import MAX_SYSTEMS, vega
from .shapes import (
    MANY_ROWS,
    describe_cut,
    draw_forest,
    draw_measure_panels,
    make_note_sentence,
    make_row_axis,
)
from .style import CONTRAST, ROW, WIDTH, Figure, highlight, tooltips, values

RANKS_WIDTH = 400  # pixels; the groups are to the right
GROUPS_WIDTH = WIDTH - RANKS_WIDTH
MAX_TICKS = 12  # ranks that are all named on the axis
MAX_GROUP_WIDTH, MIN_GROUP_WIDTH = 14, 3  # pixels of a group's column


def draw_ranks(ranks: Sequence[RankEstimate], top: int = MAX_SYSTEMS) -> Figure:
    """Draw each system's rank on its interval, best first, and a bar per tied group.

    Systems with a common bar are not significantly different, those without one are. Of more
    systems than ``top`` the first are drawn.
    """
    check_count("top", top)
    families = group_by_measure(ranks)
    first = ranks[0]
    level = percent(first.interval.confidence_level)
    is_single = len(families) == 1
    return draw_measure_panels(
        families,
        lambda family: _panel(family, top, is_single),
        lambda family: _description(family, top),
        name=f"ranks-{first.measure}" if is_single else "ranks",
        title=f"Ranks with simultaneous {level} intervals, {pluralise_queries(first.n)}",
    )


def _panel(family: Sequence[RankEstimate], top: int, is_single: bool) -> vega.Chart:
    visible = family[:top]
    criterion = "Borda points in" if family[0].by == "borda" else "mean"
    title = (
        f"rank by {criterion} {family[0].measure}, 1 is best" if is_single else "rank, 1 is best"
    )
    ranks = _ranks(visible, describe_cut(len(visible), len(family)), title)
    if not family[0].letters:
        return ranks
    return vega.hconcat(ranks, _groups(visible), spacing=12)


def _ranks(family: Sequence[RankEstimate], note: str, title: str) -> vega.Chart:
    is_borda = family[0].by == "borda"
    places = choose_rank_places(family)
    base = vega.Chart(values(map(_row, family))).encode(
        y=make_row_axis([rank.system for rank in family], note),
        opacity=highlight(),
        tooltip=[
            *tooltips(["system"], ["mean"], places),
            *(tooltips((), ["points"], 1) if is_borda else ()),
            *tooltips((), {"rank": "rank", "low": "from", "high": "to"}, "d"),
            *tooltips(["letters"]),
        ],
    )
    last = max(2, *(rank.interval.high for rank in family))
    look: dict[str, Any] = {
        "title": title,
        "scale": dict(domain=[1, last], nice=False, padding=8),
        "axis": dict(format="d", orient=_orient(family), **choose_rank_ticks(last)),
    }
    layers = draw_forest(base, "rank", "two-sided", look)
    return vega.layer(*layers).properties(width=RANKS_WIDTH, height=vega.step(ROW))


def choose_rank_ticks(n: int) -> dict[str, Any]:
    """Return a tick per rank if there are few, else ticks at integers only."""
    return {"values": list(range(1, n + 1))} if n <= MAX_TICKS else {"tickMinStep": 1}


def _groups(family: Sequence[RankEstimate]) -> vega.Chart:
    letters = sorted(set("".join(rank.letters for rank in family)))
    rows = [
        {"system": rank.system, "group": letter, "letters": rank.letters}
        for rank in family
        for letter in rank.letters
    ]
    width = max(MIN_GROUP_WIDTH, min(MAX_GROUP_WIDTH, GROUPS_WIDTH // len(letters)))
    bars: vega.Chart = (
        vega.Chart(values(rows), height=vega.step(ROW), width=vega.step(width))
        .mark_rect(color=CONTRAST, width=width * 0.6, height=ROW + 0.6)  # no seams
        .encode(
            x=vega.X(
                "group:O",
                title=["systems sharing a bar are", "not significantly different"],
                axis=dict(
                    labels=False, ticks=False, domain=False, grid=False, orient=_orient(family)
                ),
            ),
            y=make_row_axis([rank.system for rank in family], axis=None),
            opacity=highlight(),
            tooltip=tooltips(["system", "letters"]),
        )
    )
    return bars


def _orient(family: Sequence[RankEstimate]) -> Any:
    return "top" if len(family) > MANY_ROWS else "bottom"


def _row(rank: RankEstimate) -> dict[str, Any]:
    return {
        "system": rank.system,
        "mean": rank.mean,
        **({} if rank.points is None else {"points": rank.points}),
        "rank": rank.value,
        "low": rank.interval.low,
        "high": rank.interval.high,
        "letters": rank.letters,
    }


def _description(family: Sequence[RankEstimate], top: int) -> str:
    first = family[0]
    leaders = sum(rank.interval.low == 1 for rank in family)
    n_groups = len(set("".join(rank.letters for rank in family)))
    bars = f"; {pluralise(n_groups, 'bar')} of systems that are not significantly different"
    note = make_note_sentence(describe_cut(min(top, len(family)), len(family)))
    return (
        f"{pluralise(len(family), 'system')} by rank in {first.measure}, each with the ranks that "
        f"it might have at {percent(first.interval.confidence_level)}: {first.system} comes first, "
        f"{leaders:,} may be the best{bars if n_groups else ''}.{note}"
    )
