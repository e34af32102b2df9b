"""Figures of results that are small or part of others: ties, coverage, samples and the like."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import altair as alt

from ...parameters import Alternative
from ...results import (
    Card,
    CardComparison,
    CollectionTable,
    Diagnosis,
    Interval,
    QueryBaseline,
    RecallCoverageRow,
    Sample,
    StudyTable,
    TieEffect,
    ValidityRow,
)
from ..evaluation import SIDES, end_values, half_width
from ..rounding import decimals, decimals_of_column, fixed
from .dots import Dot, dots
from .spans import axis_of, end_fields, end_tooltips, spans, stacked, zero_line
from .style import ROW, WIDTH, Figure, finished, highlight, values

__all__ = [
    "card_difference",
    "card_means",
    "chance_of_queries",
    "collection_numbers",
    "coverage_by_method",
    "diagnosis_ties",
    "left_out_images",
    "relevant_shares",
    "study_numbers",
    "tie_spans",
]

NOISE = 2  # standard errors of a simulated share to either side


def card_means(cards: Sequence[Card]) -> Figure:
    """Published means with their intervals, best first."""
    best_first = sorted(cards, key=lambda card: (-card.mean, card.system))
    measures = ", ".join(dict.fromkeys(card.measure for card in best_first))
    said = "; ".join(f"{_card_name(card)} {_card_words(card)}" for card in best_first)
    return finished(
        stacked(_card_panels(best_first)),
        name="cards",
        title=f"Published means ({measures}) with their intervals",
        description=f"Means and intervals of {len(best_first)} cards: {said}.",
    )


def card_difference(found: CardComparison) -> Figure:
    """Two cards with their intervals, and below them the difference with its own."""
    level, side = f"{found.interval.confidence_level * 100:g} %", found.interval.alternative
    words = f"its {level} Welch {SIDES[side]}"
    places = decimals(half_width(found.difference, found.interval))
    row = {"system": "difference", "mean": found.difference, **end_fields(found.interval)}
    marks = _marks([row], side, f"difference of mean {found.first.measure}", places)
    below = alt.layer(zero_line(), *marks).properties(width=WIDTH, height=alt.Step(ROW))
    two = [found.first, found.second]
    said = " and ".join(f"{_card_name(card)} {_card_words(card)}" for card in two)
    apart = f"{fixed(found.difference, places)}{_ends_words(found.interval, places)}"
    return finished(
        stacked([*_card_panels(two), (f"Difference with {words}", below)]),
        name="card-comparison",
        title=f"Two published means ({found.first.measure}) and their difference",
        description=f"{said}; difference {apart}.",
    )


def _card_panels(cards: Sequence[Card]) -> list[tuple[str, Figure]]:
    """A panel a measure and side of interval, which share nothing that could be compared."""
    parts: dict[Any, list[Card]] = {}
    for card in cards:
        parts.setdefault((card.measure, card.interval.alternative), []).append(card)
    panels: list[tuple[str, Figure]] = []
    for (measure, side), part in parts.items():
        rows = [
            {"system": card.system, "card": _card_name(card), "mean": card.mean}
            | end_fields(card.interval)
            for card in part
        ]
        places = decimals_of_column(half_width(card.mean, card.interval) for card in part)
        marks = _marks(rows, side, f"mean {measure}", places)
        chart = alt.layer(*marks).properties(width=WIDTH, height=alt.Step(ROW))
        panels.append((f"Mean {measure} of each card", chart))
    return panels


def _marks(
    rows: Sequence[dict[str, Any]], side: Alternative, axis: str, places: int
) -> list[alt.Chart]:
    label = "card" if "card" in rows[0] else "system"
    base = alt.Chart(values(rows)).encode(
        y=alt.Y(f"{label}:N", sort=[row[label] for row in rows], title=None),
        opacity=highlight(),
        tooltip=[
            alt.Tooltip(f"{label}:N", title=label),
            alt.Tooltip("mean:Q", format=f".{places}f", title="value"),
            *end_tooltips(rows, side, places),
        ],
    )
    return spans(base, "mean", side, axis_of(axis, len(rows)))


def _card_name(card: Card) -> str:
    return f"{card.system} ({card.collection})"


def _card_words(card: Card) -> str:
    places = decimals(half_width(card.mean, card.interval))
    return f"{fixed(card.mean, places)}{_ends_words(card.interval, places)}"


def _ends_words(interval: Interval, places: int) -> str:
    """`` (0.21 to 0.38)``, one end alone, or nothing where there is no interval."""
    ends = [fixed(end, places) for end in end_values(interval) if math.isfinite(end)]
    one_sided = {"less": "at most ", "greater": "at least "}.get(interval.alternative, "")
    return f" ({one_sided}{' to '.join(ends)})" if ends else ""


def tie_spans(effects: Sequence[TieEffect]) -> Figure:
    """How far the order within ties can move each run's mean."""
    several = len({one.measure for one in effects}) > 1
    found = [
        Dot(
            f"{one.system}, {one.measure}" if several else one.system,
            *(one.trec, one.worst, one.best),
            system=one.system,
        )
        for one in effects
    ]
    return dots(
        found,
        axis="mean score" if several else f"mean {effects[0].measure}",
        name="ties",
        title="Mean scores, and how far the order within ties can move them",
        reach="from the worst order within ties to the best",
    )


def diagnosis_ties(diagnosis: Diagnosis) -> Figure:
    """What ties leave open of each run's mean AP."""
    found = [
        Dot(run.name, (run.tie_low + run.tie_high) / 2, run.tie_low, run.tie_high)
        for run in diagnosis.runs
    ]
    return dots(
        found,
        axis="mean AP",
        name="diagnosis",
        title="Mean AP of each run, and how far the order within ties can move it",
        reach="from the worst order within ties to the best, with a dot halfway",
    )


def coverage_by_method(rows: Sequence[RecallCoverageRow]) -> Figure:
    """The share of intervals that hold the true recall, by method, beside what is promised."""
    several = len({row.scenario for row in rows}) > 1
    found = [
        Dot(
            row.method,
            row.coverage,
            max(row.coverage - NOISE * row.coverage_noise, 0.0),
            min(row.coverage + NOISE * row.coverage_noise, 1.0),
            series=row.scenario if several else "",
        )
        for row in rows
    ]
    level = rows[0].confidence_level
    return dots(
        found,
        axis="share of intervals that hold the true recall",
        name="recall-coverage",
        title=f"Coverage of {level * 100:g} % intervals of recall",
        reference=level,
        reach="simulation noise, two standard errors to either side",
    )


def relevant_shares(samples: Sequence[Sample]) -> Figure:
    """The share of relevant documents in the sample of every stratum."""
    found = [
        Dot(
            _stratum_label(sample, one.name, len(samples) > 1),
            one.relevant / judged if judged else math.nan,
            series="retrieved" if one.retrieved else "not retrieved",
            system=sample.system,
        )
        for sample in samples
        for one in sample.strata
        for judged in [one.sampled if one.assessable is None else one.assessable]
    ]
    return dots(
        found,
        axis="share of relevant documents among those assessed",
        name="samples",
        title="What the samples held, stratum by stratum",
    )


def _stratum_label(sample: Sample, stratum: str, several: bool) -> str:
    names = (sample.system, sample.topic) if several else ()
    return ", ".join((*filter(None, names), stratum))


def chance_of_queries(rows: Sequence[QueryBaseline]) -> Figure:
    """What chance scores on each query, and the system's score where there is one."""
    found = [
        Dot(
            row.query_id,
            row.expected,
            max(row.expected - row.standard_deviation, 0.0),
            row.expected + row.standard_deviation,
            series="chance",
        )
        for row in rows
    ]
    found += [
        Dot(row.query_id, row.observed, series="system") for row in rows if row.observed is not None
    ]
    return dots(
        found,
        axis="score",
        name="chance-by-query",
        title="What chance scores on each query",
        reach="one standard deviation of chance to either side",
    )


def study_numbers(tables: Sequence[StudyTable]) -> Figure:
    """A paper's numbers and ours, row by row and column by column."""
    found = []
    for label, ours, theirs, noise in _study_rows(tables):
        reach = NOISE * noise
        found.append(Dot(label, ours, ours - reach, ours + reach, series="ours"))
        found.append(Dot(label, theirs, series="paper"))
    return dots(
        [dot for dot in found if math.isfinite(dot.value)],
        axis="value",
        name=f"{tables[0].study}-numbers",
        title=f"{tables[0].name or f'Table {tables[0].number}'}: {tables[0].title}",
        reach="simulation noise of ours, two standard errors to either side",
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


def left_out_images(rows: Sequence[ValidityRow]) -> Figure:
    """Where left-out images fall: shares below and above the intervals, beside what is promised."""
    found = [
        Dot(f"{row.measure}, {row.rule}", share, series=side)
        for row in rows
        for side, share in (("below", row.below), ("above", row.above))
    ]
    level = rows[0].confidence_level
    return dots(
        found,
        axis="share of left-out differences outside the interval",
        name="validity",
        title=f"Left-out images below and above {level * 100:g} % intervals",
        reference=(1 - level) / 2,
    )
