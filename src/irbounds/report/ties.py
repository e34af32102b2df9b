"""Ties in words and as a table: what each rule for them gives, and which one a table went by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..results import TIE_WORDS, TieEffect
from .families import by_measure
from .rounding import UNKNOWN, fixed
from .tables import Table

__all__ = ["effect_tables", "with_tie_rule"]

FEWEST_SHOWN = 10.0**-UNKNOWN / 2


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


def effect_tables(effects: Sequence[TieEffect]) -> list[Table]:
    """One table a measure: the runs with ties, and their means by every rule."""
    tied = [effect for effect in effects if effect.n_tied]
    return [_effect_table(part) for part in by_measure(tied)]


def _effect_table(effects: Sequence[TieEffect]) -> Table:
    return Table(
        title=f"ties: mean {effects[0].measure} by each rule",
        headings=("run", "tied", "queries", "trec", "expected", "worst", "best", "span"),
        cells=tuple(
            (
                effect.system,
                f"{effect.n_tied:,}",
                f"{effect.n_affected:,}",
                *(
                    fixed(mean, UNKNOWN)
                    for mean in (effect.trec, effect.expected, effect.worst, effect.best)
                ),
                _span(effect.best - effect.worst),
            )
            for effect in effects
        ),
        records=(),  # JSON has them apart from those of the runs
        caption="tied: entries; queries: where best and worst differ",
    )


def _span(span: float) -> str:
    """To the decimals of the means; what these cannot show is as good as nothing, or below."""
    if 0 < span < FEWEST_SHOWN:
        return f"<{fixed(10.0**-UNKNOWN, UNKNOWN)}"
    return fixed(span, UNKNOWN)
