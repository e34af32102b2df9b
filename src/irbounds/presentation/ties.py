"""Ties in words and as a table: what each rule for them gives, and which one a table went by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..results import TIE_WORDS, TieEffect, records
from .families import by_measure
from .rounding import UNKNOWN, fixed
from .tables import Table

__all__ = ["effect_tables", "tie_tables", "with_tie_rule"]


def with_tie_rule(tables: Sequence[Table], ties: str) -> list[Table]:
    """Tables that say by which rule ties were scored, in their titles and in every record."""
    if ties not in TIE_WORDS:
        return list(tables)
    return [
        replace(
            table,
            title=f"{table.title}; {TIE_WORDS[ties]}",
            records=tuple({**record, "ties": ties} for record in table.records),
        )
        for table in tables
    ]


def effect_tables(effects: Sequence[TieEffect], digits: int | None = None) -> list[Table]:
    """One table a measure: the runs with ties, and their means by every rule."""
    tied = [effect for effect in effects if effect.n_tied]
    return [_effect_table(part, UNKNOWN if digits is None else digits) for part in by_measure(tied)]


def tie_tables(effects: Sequence[TieEffect]) -> list[Table]:
    """The same of every run, with ties or without, and how far they reach as bars."""
    return [
        replace(
            _effect_table(part, UNKNOWN),
            records=tuple(records(part)),
            bars=tuple((one.worst, one.trec, one.best) for one in part),
        )
        for part in by_measure(effects)
    ]


def _effect_table(effects: Sequence[TieEffect], places: int) -> Table:
    return Table(
        title=f"ties: mean {effects[0].measure} by each rule",
        headings=("run", "tied", "queries", "trec", "expected", "worst", "best", "span"),
        cells=tuple(
            (
                effect.system,
                f"{effect.n_tied:,}",
                f"{effect.n_affected:,}",
                *(
                    fixed(mean, places)
                    for mean in (effect.trec, effect.expected, effect.worst, effect.best)
                ),
                _span(effect, places),
            )
            for effect in effects
        ),
        records=(),  # JSON has them apart from those of the runs
        caption="tied: entries; queries: where best and worst differ",
    )


def _span(effect: TieEffect, places: int) -> str:
    """``0`` where the order changes no query; below what the means' decimals show, less than it."""
    span, least = effect.best - effect.worst, 10.0**-places
    if not effect.n_affected:
        return "0"
    return f"<{fixed(least, places)}" if span < least / 2 else fixed(span, places)
