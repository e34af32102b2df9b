"""Means of systems with their intervals, and the first figure of a report."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ...results import ChanceLevel, Comparison, Estimate
from ...results.evaluation import PaperTable
from ...validation import check_count
from ..phrases import (
    METHOD_WORDS,
    SIDES,
    describe_interval,
    group_by_measure,
    half_width,
    pluralise,
    pluralise_queries,
)
from ..rounding import decimals_of_column, error_level, fixed, format_setting, percent
from . import MAX_SYSTEMS, vega
from .shapes import (
    SHAPES,
    describe_cut,
    draw_forest,
    draw_measure_panels,
    get_ends,
    make_end_tooltips,
    make_note_sentence,
    make_panel,
    make_panel_title,
    make_row_axis,
    make_value_axis,
)
from .style import (
    COLOURS,
    EMPHASIS,
    QUIET,
    ROW,
    TICK,
    WIDTH,
    Figure,
    highlight,
    make_figure,
    make_legend,
    tooltips,
    values,
)

CHANCE = "mean of a random ranking"
DODGED = 9  # pixels of one method's row
PANEL_WIDTHS = (WIDTH, 270, 180)  # pixels, by the number of panels side by side
MAX_NAMED = 3  # systems in a description
#: how a system compares with the best one, and its colour, fill and shape
VERDICTS = {
    "best": (EMPHASIS, EMPHASIS, "diamond"),
    "tied": (EMPHASIS, EMPHASIS, "circle"),
    "different": (QUIET, "transparent", "circle"),
    "untested": (QUIET, "transparent", "cross"),
}


def draw_means(
    estimates: Sequence[Estimate], chance: Iterable[ChanceLevel] = (), top: int = MAX_SYSTEMS
) -> Figure:
    """Draw systems best first, each mean a dot on its interval, one panel per measure.

    Several methods are in one row. ``chance`` adds a tick for what a random ranking scores. Of more
    systems than ``top`` the first are drawn.
    """
    check_count("top", top)
    levels = {(level.measure, level.system): level.expected for level in chance}
    parts = _parts(estimates)
    words = _series_words(list(dict.fromkeys(map(_series, estimates))))
    entries = [*words.values(), *([CHANCE] if levels else [])]
    symbols = [*(SHAPES[k % len(SHAPES)] for k in range(len(words))), TICK]
    key = [
        (entry, COLOURS[k % len(COLOURS)], symbols[k])
        for k, entry in enumerate(entries)
        if len(entries) > 1
    ]
    alone = len(parts) == 1
    return draw_measure_panels(
        parts,
        lambda part: _panel(part, words, key, levels, top, alone),
        lambda part: _description(part, levels, top),
        name=f"means-{estimates[0].measure}" if alone else "means",
        title=_title(estimates),
    )


def draw_paper_table(table: PaperTable, top: int = MAX_SYSTEMS) -> Figure:
    """Draw the means of a paper table, with those that are not significantly different marked."""
    if table.baseline is not None:  # the comparisons are not with the best system
        return draw_means(table.estimates, top=top)
    return draw_overview(table.estimates, table.comparisons, top)


def _parts(estimates: Iterable[Estimate]) -> list[list[Estimate]]:
    """Split estimates into panels: of one measure, and limits on one side."""
    parts: dict[Any, list[Estimate]] = {}
    for estimate in estimates:
        key = estimate.measure, estimate.interval.alternative
        parts.setdefault(key, []).append(estimate)
    return list(parts.values())


def _series(estimate: Estimate) -> tuple[str, float]:
    return estimate.interval.method, estimate.interval.confidence_level


def _best_first(estimates: Iterable[Estimate]) -> list[str]:
    best = {e.system: e.value for e in sorted(estimates, key=lambda e: e.value)}
    return sorted(best, key=lambda system: (-best[system], system))


def _panel(
    part: Sequence[Estimate],
    words: Mapping[tuple[str, float], str],
    key: Sequence[tuple[str, str, str]],
    levels: Mapping[tuple[str, str | None], float],
    top: int,
    alone: bool,
) -> vega.Chart:
    order, measure = _best_first(part), part[0].measure
    visible = order[:top]
    drawn = [e for system in visible for e in part if e.system == system]
    side, places = part[0].interval.alternative, _places(drawn)
    rows = [
        {"system": e.system, "mean": e.value, **get_ends(e.interval), "entry": words[_series(e)]}
        for e in drawn
    ]
    colour, shape = make_legend(key) if key else (None, None)
    look = {
        "y": make_row_axis(visible, describe_cut(len(visible), len(order))),
        "opacity": highlight(),
        **({"color": colour} if key else {}),
    }
    base = vega.Chart(values(rows)).encode(
        **look,
        tooltip=[
            *tooltips(["system"], ["mean"], places),
            *make_end_tooltips(rows, side, places),
            *tooltips({"entry": "method"} if len(words) > 1 else {}),
        ],
    )
    height, entries = vega.step(ROW), list(dict.fromkeys(row["entry"] for row in rows))
    if len(entries) > 1:
        base = base.encode(yOffset=vega.channel("entry:N", sort=entries))
        height = {**vega.step(len(entries) * DODGED + 6), "for": "position"}
    axis = make_value_axis(f"mean {measure}" if alone else "mean", len(rows))
    layers = draw_forest(base, "mean", side, axis, shape)
    if levels:
        ticks = [
            {"system": system, "chance": levels[measure, system], "entry": CHANCE}
            for system in visible
            if (measure, system) in levels
        ]
        tick = vega.Chart(values(ticks)).mark_tick(thickness=3, size=ROW - 4)
        tooltip = tooltips(["system"], {"chance": CHANCE}, ".2g")
        layers.append(tick.encode(**look, x=vega.X("chance:Q", **axis), tooltip=tooltip))
    return make_panel(*layers, height=height)


def _places(estimates: Iterable[Estimate]) -> int:
    return decimals_of_column(half_width(e.value, e.interval) for e in estimates)


def _series_words(series: Sequence[tuple[str, float]]) -> dict[tuple[str, float], str]:
    """Return the words of a legend, with the level where it differs."""
    if len(series) == 1:
        return {series[0]: "mean of the system"}
    several = len({level for _, level in series}) > 1
    return {
        (method, level): (f"{percent(level)} " if several else "") + METHOD_WORDS[method]
        for method, level in series
    }


def _title(estimates: Sequence[Estimate]) -> str:
    """Return the title; what differs between intervals is left to the legend."""
    first = estimates[0]
    words = {describe_interval(e.interval) for e in estimates}
    levels = {e.interval.confidence_level for e in estimates}
    if len(words) == 1:
        intervals = f"{words.pop()}s"
    elif len(levels) == 1:
        intervals = f"{percent(levels.pop())} {SIDES[first.interval.alternative]}s"
    else:
        intervals = "intervals"
    return f"Means with {intervals}, {pluralise_queries(first.n)}"


def _description(
    part: Sequence[Estimate], levels: Mapping[tuple[str, str | None], float], top: int
) -> str:
    order, places = _best_first(part), _places(part)
    means = {e.system: e.value for e in part}
    ends = [f"{system} at {fixed(means[system], places)}" for system in (order[0], order[-1])]
    reach = ends[0] if len(order) == 1 else f"from {ends[0]} to {ends[1]}"
    words = " and ".join(dict.fromkeys(describe_interval(e.interval) for e in part))
    note = make_note_sentence(describe_cut(min(top, len(order)), len(order)))
    tick = f" A tick marks the {CHANCE}." if levels else ""
    return (
        f"{pluralise(len(order), 'system')} by mean {part[0].measure}, each with its {words}: "
        f"{reach}.{note}{tick}"
    )


def draw_overview(
    estimates: Sequence[Estimate], comparisons: Iterable[Comparison] = (), top: int = MAX_SYSTEMS
) -> Figure:
    """Draw all systems by every measure side by side, and which of them differ from the best.

    Parameters
    ----------
    estimates
        Of several methods, the first of each measure is drawn.
    comparisons
        Those with the best system of each measure are used: a system whose adjusted p-value is
        above one minus the confidence level is not significantly different from the best.
    top
        Of more systems the first are drawn.
    """
    check_count("top", top)
    families = [
        [e for e in family if _series(e) == _series(family[0])]
        for family in group_by_measure(estimates)
    ]
    pairs = {(c.measure, frozenset((c.system, c.baseline))): c for c in comparisons}
    tables = [_compare_with_best(family, pairs) for family in families]
    words = _verdict_words(pairs.values())
    verdicts = {row["verdict"] for rows in tables for row in rows}
    key = [(words[name], *VERDICTS[name]) for name in VERDICTS if name in verdicts]
    panels = [
        _overview_panel(family, rows, key if pairs else [], words, top, len(families))
        for family, rows in zip(families, tables, strict=True)
    ]
    if len(panels) > 1:
        names = [family[0].measure for family in families]
        panels = [
            panel.properties(title=make_panel_title(name))
            for name, panel in zip(names, panels, strict=True)
        ]
    columns = len(PANEL_WIDTHS)
    lines = [
        vega.hconcat(*panels[k : k + columns], spacing=16) for k in range(0, len(panels), columns)
    ]
    whole = panels[0] if len(panels) == 1 else lines[0] if len(lines) == 1 else vega.vconcat(*lines)
    return make_figure(
        whole,
        name="overview",
        title=_title([e for family in families for e in family]),
        description=" ".join(_overview_words(f, r) for f, r in zip(families, tables, strict=True)),
    )


def _compare_with_best(
    family: Sequence[Estimate], pairs: Mapping[Any, Comparison]
) -> list[dict[str, Any]]:
    """Return the rows of one measure, best first, each with its verdict."""
    by_system = {e.system: e for e in family}
    order = _best_first(family)
    rows = []
    for system in order:
        e = by_system[system]
        pair = pairs.get((e.measure, frozenset((order[0], system))))
        p = math.nan if pair is None else pair.adjusted_p_value
        if system == order[0]:
            verdict = "best"
        elif pair is None or math.isnan(p):
            verdict = "untested"
        else:
            level = error_level(pair.interval.confidence_level)
            verdict = "different" if p <= level else "tied"
        rows.append(
            {
                "system": system,
                "mean": e.value,
                **get_ends(e.interval),
                "verdict": verdict,
                "p": p,
            }
        )
    return rows


def _verdict_words(comparisons: Iterable[Comparison]) -> dict[str, str]:
    levels = {format_setting(error_level(c.interval.confidence_level)) for c in comparisons}
    rule = f" (adjusted p above {levels.pop()})" if len(levels) == 1 else ""
    return {
        "best": "highest mean",
        "tied": f"not significantly different from it{rule}",
        "different": "significantly different",
        "untested": "not compared with it",
    }


def _overview_panel(
    family: Sequence[Estimate],
    rows: Sequence[dict[str, Any]],
    key: Sequence[tuple[str, str, str, str]],
    words: Mapping[str, str],
    top: int,
    n_panels: int,
) -> vega.Chart:
    side, places = family[0].interval.alternative, _places(family)
    visible = [{**row, "entry": words[row["verdict"]]} for row in rows[:top]]
    base = vega.Chart(values(visible)).encode(
        y=make_row_axis([row["system"] for row in visible], describe_cut(len(visible), len(rows))),
        opacity=highlight(),
        tooltip=[
            *tooltips(["system"], ["mean"], places),
            *make_end_tooltips(visible, side, places),
            *tooltips((), {"p": "adjusted p, compared with the best"} if key else {}, ".2g"),
        ],
    )
    dots: dict[str, Any] = {}
    if key:
        entries, strokes, fills, shapes = (list(part) for part in zip(*key, strict=True))
        look = {"strokes": strokes, "fills": fills, "shapes": shapes}
        legend = dict(orient="top", title=None, labelLimit=0, symbolOpacity=1, columns=1)
        channels = {
            name: vega.channel("entry:N", scale=dict(domain=entries, range=items), legend=legend)
            for name, items in look.items()
        }
        base = base.encode(stroke=channels["strokes"])
        dots = {"fill": channels["fills"], "shape": channels["shapes"]}
    measure = family[0].measure
    axis = make_value_axis("mean" if n_panels > 1 else f"mean {measure}", len(visible))
    layers = draw_forest(base, "mean", side, axis, **dots)
    if n_panels > 1:
        axis["axis"]["tickCount"] = 3
    width = PANEL_WIDTHS[min(n_panels, len(PANEL_WIDTHS)) - 1]
    return make_panel(*layers, width=width)


def _overview_words(family: Sequence[Estimate], rows: Sequence[dict[str, Any]]) -> str:
    measure, places = family[0].measure, _places(family)
    tied = [row["system"] for row in rows if row["verdict"] == "tied"]
    best = (
        f"By {measure}, {rows[0]['system']} has the highest mean ({fixed(rows[0]['mean'], places)})"
    )
    if len(rows) == 1:
        return f"{best}."
    names = ", ".join(tied[:MAX_NAMED])
    if len(tied) > MAX_NAMED:
        names += f" and {len(tied) - MAX_NAMED:,} more"
    return (
        f"{best} of {pluralise(len(rows), 'system')}; {len(tied)} not significantly different from "
        f"it{f': {names}' if tied else ''}."
    )
