"""Ranks with their intervals, and groups of systems that are not significantly different."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from string import ascii_lowercase
from typing import Any

from ...results import RankEstimate
from ...validation import check_count
from ..phrases import group_by_measure, pluralise, pluralise_queries
from ..rounding import CHANCE_DECIMALS, decimals, percent
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

RANKS_WIDTH = 400  # pixels; the groups stand beside
GROUPS_WIDTH = WIDTH - RANKS_WIDTH
MAX_TICKS = 12  # ranks that are all named on the axis
WIDEST, NARROWEST = 14, 3  # pixels of a group's column


def draw_ranks(ranks: Sequence[RankEstimate], top: int = MAX_SYSTEMS) -> Figure:
    """Draw each system's rank on its interval, best first, and a bar per tied group.

    Systems that share a bar are not significantly different, those that share none are. Of more
    systems than ``top`` the first are drawn.
    """
    check_count("top", top)
    families = group_by_measure(ranks)
    first = ranks[0]
    level = percent(first.interval.confidence_level)
    alone = len(families) == 1
    return draw_measure_panels(
        families,
        lambda family: _panel(family, top, alone),
        lambda family: _description(family, top),
        name=f"ranks-{first.measure}" if alone else "ranks",
        title=f"Ranks with simultaneous {level} intervals, {pluralise_queries(first.n)}",
    )


def parse_groups(letters: Sequence[str]) -> list[list[int]]:
    """The numbers of the groups that each system is in, from 0, as its letters name them.

    Up to 26 groups are named by a letter each, as in ``abc``; beyond, by one or more, and the first
    and the last of a system's are given, as in ``x-ac``.
    """
    many = any("-" in text or text == "aa" for text in letters)  # the 27th group is always there
    return [list(_in_many(text) if many else map(_number, text)) for text in letters]


def _in_many(text: str) -> Iterator[int]:
    first, _, last = text.partition("-")
    yield from range(_number(first), _number(last or first) + 1)


def _number(name: str) -> int:
    """0 for a, 25 for z, 26 for aa."""
    number = 0
    for letter in name:
        number = number * len(ascii_lowercase) + ascii_lowercase.index(letter) + 1
    return number - 1


def _panel(family: Sequence[RankEstimate], top: int, alone: bool) -> vega.Chart:
    groups = parse_groups([one.letters for one in family])[:top]
    shown = family[:top]
    title = f"rank by mean {family[0].measure}, 1 is best" if alone else "rank, 1 is best"
    ranks = _ranks(shown, describe_cut(len(shown), len(family)), title)
    return vega.hconcat(ranks, _groups(shown, groups), spacing=12)


def _ranks(family: Sequence[RankEstimate], note: str, title: str) -> vega.Chart:
    places = decimals(family[0].critical_difference)
    base = vega.Chart(values(map(_row, family))).encode(
        y=make_row_axis([one.system for one in family], note),
        opacity=highlight(),
        tooltip=[
            *tooltips(["system"], ["mean"], places),
            *tooltips((), {"rank": "rank", "low": "from", "high": "to"}, "d"),
            *tooltips((), {"best": "fraction of resamples in which it is first"}, CHANCE_DECIMALS),
            *tooltips(["letters"]),
        ],
    )
    last = max(2, *(one.interval.high for one in family))
    look: dict[str, Any] = {
        "title": title,
        "scale": dict(domain=[1, last], nice=False, padding=8),
        "axis": dict(format="d", orient=_orient(family), **choose_rank_ticks(last)),
    }
    layers = draw_forest(base, "rank", "two-sided", look)
    return vega.layer(*layers).properties(width=RANKS_WIDTH, height=vega.step(ROW))


def choose_rank_ticks(n: int) -> dict[str, Any]:
    """Every rank where there are few; between these would be ticks that are no ranks."""
    return {"values": list(range(1, n + 1))} if n <= MAX_TICKS else {"tickMinStep": 1}


def _groups(family: Sequence[RankEstimate], members: Sequence[Sequence[int]]) -> vega.Chart:
    n_groups = 1 + max(map(max, members))
    rows = [
        {"system": one.system, "group": group, "letters": one.letters}
        for one, groups in zip(family, members, strict=True)
        for group in groups
    ]
    width = max(NARROWEST, min(WIDEST, GROUPS_WIDTH // n_groups))
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
            y=make_row_axis([one.system for one in family], axis=None),
            opacity=highlight(),
            tooltip=tooltips(["system", "letters"]),
        )
    )
    return bars


def _orient(family: Sequence[RankEstimate]) -> Any:
    return "top" if len(family) > MANY_ROWS else "bottom"


def _row(one: RankEstimate) -> dict[str, Any]:
    return {
        "system": one.system,
        "mean": one.mean,
        "rank": one.value,
        "low": one.interval.low,
        "high": one.interval.high,
        "best": one.best_probability,
        "letters": one.letters,
    }


def _description(family: Sequence[RankEstimate], top: int) -> str:
    first = family[0]
    leaders = sum(one.interval.low == 1 for one in family)
    n_groups = 1 + max(map(max, parse_groups([one.letters for one in family])))
    note = make_note_sentence(describe_cut(min(top, len(family)), len(family)))
    return (
        f"{pluralise(len(family), 'system')} by rank in {first.measure}, each with the ranks that "
        f"it might have at {percent(first.interval.confidence_level)}: {first.system} comes first, "
        f"{leaders:,} may be the best; {pluralise(n_groups, 'bar')} of systems that are not "
        f"significantly different.{note}"
    )
