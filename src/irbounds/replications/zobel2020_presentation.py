"""Zobel and Rashidi (2020): sentences on the paper's findings, made from the numbers, and figures.

The paper calls RBP the most consistent measure: its standard deviations on queries differ least. A
measure on a smaller scale has smaller standard deviations, which also differ less. So a sentence
gives the ratio of their spread to their mean too, which may favour another measure.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..presentation.figures.corpus_measure_plots import (
    draw_pool_differences,
    draw_pool_p_values,
    draw_query_distributions,
    draw_query_spreads,
)
from ..presentation.figures.corpus_system_plots import (
    draw_rank_boxes,
    draw_score_boxes,
    draw_score_deviations,
)
from ..presentation.figures.style import Figure
from ..presentation.rounding import (
    CHANCE_DECIMALS,
    PERCENT_DECIMALS,
    SPREAD_DECIMALS,
    fixed,
    format_setting,
)

if TYPE_CHECKING:
    from ..results import ValidityRow
    from .paper_tables import CollectionTable
    from .zobel2020 import Zobel2020Figures

USUAL = (92.0, 96.5)  # percent in a 95 % interval; the paper has few images
RULES = {"quantile": "by quantiles", "normal": "by the normal rule"}
DEFINED_OTHERWISE = "INSQ@5"
NOTES = (
    "judgments are taken as binary, as in the paper: a grade of 1 or more is relevant",
    "INSQ@5 is INSQ(T=5) as C/W/L defines it, which gives less than the paper's: 0.066 against "
    "0.078 in Table 3 on TREC-8, so the paper's parameter seems to be another",
    "Table 2: each image is left out in turn; a difference at an end of its interval is inside, so "
    "quantiles hold more of P@10 and RR, which come in steps",
)

#: the numbers of one measure in one collection, in the order of the table's parts
Parts = tuple[float, ...]


def finding_sentences(
    tables: Sequence[CollectionTable], papers_way: Sequence[ValidityRow]
) -> list[str]:
    """Return the findings of Tables 2 to 4, and how many of the paper's collections agree."""
    validity, differences, scores = tables
    return [
        *_describe_validity(validity, papers_way),
        _describe_least_precise(differences),
        _describe_most_even(differences, "Table 3"),
        _describe_relatively_even(differences),
        _describe_most_even(scores, "Table 4"),
        _describe_distance(differences),
    ]


def _describe_validity(table: CollectionTable, papers_way: Sequence[ValidityRow]) -> list[str]:
    """Return how many of the differences that were left out the intervals contain."""
    inside = {row: [parts[1] for parts in cells] for row, cells in _by_row(table)}
    ours = {row: percents[0] for row, percents in inside.items() if not math.isnan(percents[1])}
    others = [percents[0] for row, percents in inside.items() if row not in ours]
    theirs = [percent for row in ours for percent in inside[row][1:]]
    single = [
        f"{_format_range([100 * row.inside for row in papers_way if row.rule == rule])} {words}"
        for rule, words in RULES.items()
    ]
    return [
        f"95 % intervals from all other images hold {_format_range([*ours.values()])} of the "
        f"differences in an image left out by quantiles{_list_unusual(ours)}, "
        f"{_format_range(others)} by the normal rule (the paper's: {_format_range(theirs)})",
        f"the paper's way, only the last of {papers_way[0].n_images:,} images: {', '.join(single)}",
    ]


def _list_unusual(inside: Mapping[str, float]) -> str:
    low, high = USUAL
    rows = [row for row, percent in inside.items() if not low <= percent <= high]
    return (
        f" (not within {format_setting(low)} to {format_setting(high)} %: {', '.join(rows)})"
        if rows
        else ""
    )


def _format_range(values: Sequence[float]) -> str:
    return " to ".join(fixed(end, PERCENT_DECIMALS) for end in (min(values), max(values))) + " %"


def _describe_least_precise(table: CollectionTable) -> str:
    """Return the two measures with the largest standard deviations."""
    first, *theirs = (
        tuple(_sort_rows(table, c, lambda parts: -parts[0])[:2])
        for c in range(len(table.collections))
    )
    return (
        f"least precise in Table 3: {first[0]}, then {first[1]}; {_count_equal(first, theirs)} of "
        f"the paper's {len(theirs)} collections say the same"
    )


def _describe_most_even(table: CollectionTable, where: str) -> str:
    """Return the measure whose standard deviations differ least."""
    every = [_sort_rows(table, c, lambda parts: parts[1])[0] for c in range(len(table.collections))]
    spread = table.numbers[table.rows.index(every[0])][0][1]
    return (
        f"most even in {where}: {every[0]}, whose standard deviations differ least "
        f"(sd {fixed(spread, SPREAD_DECIMALS)}); {_count_equal(every[0], every[1:])} of the "
        f"paper's {len(every) - 1} say the same"
    )


def _describe_relatively_even(table: CollectionTable) -> str:
    """Return the measure whose standard deviations differ least relative to their mean."""
    parts = []
    for c, collection in enumerate(table.collections):
        best = _sort_rows(table, c, _ratio)[0]
        ratio = _ratio(table.numbers[table.rows.index(best)][c])
        parts.append(f"{collection} {best} {fixed(ratio, CHANCE_DECIMALS)}")
    return f"most even for its mean (sd / mean, Table 3): {', '.join(parts)}"


def _ratio(parts: Parts) -> float:
    mean, deviation = parts
    return deviation / mean if mean else math.inf  # where no image differs


def _describe_distance(table: CollectionTable) -> str:
    """Return how far a mean of ours is outside the range of the paper's collections."""
    outside = {}
    for row, (ours, *theirs) in _by_row(table):
        means = [numbers[0] for numbers in theirs]
        outside[row] = max(min(means) - ours[0], ours[0] - max(means), 0.0)
    worst = max(outside, key=lambda row: outside[row])
    rest = max(distance for row, distance in outside.items() if row != DEFINED_OTHERWISE)
    return (
        "largest distance of a mean in Table 3 from the range of the paper's collections: "
        f"{fixed(outside[worst], SPREAD_DECIMALS)} ({worst}); without {DEFINED_OTHERWISE} "
        f"{fixed(rest, SPREAD_DECIMALS)}"
    )


def _sort_rows(table: CollectionTable, collection: int, key: Callable[[Parts], float]) -> list[str]:
    """Return the rows of a table, sorted by a function of a collection's cells."""
    places = sorted(range(len(table.rows)), key=lambda r: key(table.numbers[r][collection]))
    return [table.rows[r] for r in places]


def _by_row(table: CollectionTable) -> Iterator[tuple[str, tuple[Parts, ...]]]:
    return zip(table.rows, table.numbers, strict=True)


def _count_equal(first: object, others: Sequence[object]) -> int:
    return sum(other == first for other in others)


# ---- the figures ----


def draw_zobel2020(rows: Zobel2020Figures, label: str = "") -> list[Figure]:
    """Draw Figures 1 to 7; a label of the collection is added to their titles."""
    figures = (
        draw_query_spreads(rows.query_spreads),
        draw_query_distributions(rows.query_precision),
        draw_score_boxes(rows.score_precision, rows.systems),
        draw_score_deviations(rows.score_precision, rows.systems),
        draw_rank_boxes(rows.rank_precision, rows.systems),
        draw_pool_p_values(rows.pools),
        draw_pool_differences(rows.pools),
    )
    after = f" ({label})" if label else ""
    return [
        replace(figure, name=f"zobel2020-figure-{k}", title=f"Figure {k}: {figure.title}{after}")
        for k, figure in enumerate(figures, 1)
    ]
