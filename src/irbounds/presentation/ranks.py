"""Ranks as tables: where each system stands and might stand."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ..results import RankEstimate, records
from .captions import caption_of, drawn
from .families import by_measure
from .rounding import CHANCE_DECIMALS, decimals, fixed, percent
from .tables import Table
from .words import counted_queries

__all__ = ["rank_sentences", "rank_tables"]

LETTERS = (
    "Systems that share a letter cannot be told apart here, where one least difference serves all "
    "pairs; irbounds compare judges each pair by its own spread and may tell more apart."
)


def rank_tables(ranks: Sequence[RankEstimate], rule: str, digits: int | None = None) -> list[Table]:
    """One table a measure, best system first; ``rule`` says what queries they are over."""
    return [_table(part, rule, digits) for part in by_measure(ranks)]


def rank_sentences(ranks: Sequence[RankEstimate]) -> list[str]:
    """One sentence a measure: how much of the order is certain; then what letters mean."""
    return [*(_sentence(part) for part in by_measure(ranks)), LETTERS]


def _table(ranks: Sequence[RankEstimate], rule: str, digits: int | None) -> Table:
    first = ranks[0]
    places = decimals(first.critical_difference) if digits is None else digits
    return Table(
        title=f"{first.measure}: ranks by the mean over {counted_queries(first.n, rule)}",
        headings=("system", "letters", "mean", "rank", "from", "to", "share first"),
        cells=tuple(
            (
                rank.system,
                rank.letters,
                fixed(rank.value, places),
                *map(str, (rank.rank, rank.low, rank.high)),
                fixed(rank.best_probability, CHANCE_DECIMALS),
            )
            for rank in ranks
        ),
        records=tuple(records(ranks)),
        first_number=2,
        caption=caption_of(
            f"from, to and letters hold together at {percent(first.confidence_level)} (means over "
            f"{fixed(first.critical_difference, places)} apart, by the max-statistic)",
            "share first: resamples in which it leads",
            drawn(first.n_resamples, "resamples", first.seed),
        ),
        bars=tuple((rank.low, rank.rank, rank.high) for rank in ranks),
    )


def _sentence(ranks: Sequence[RankEstimate]) -> str:
    apart = sum(lower.low > upper.rank for upper, lower in pairwise(ranks))
    leaders = sum(rank.low == 1 for rank in ranks)
    told = f"{apart:,} of {len(ranks) - 1:,} neighbours in the order can be told apart"
    if len(ranks) == 2:
        told = f"the two {'can' if apart else 'cannot'} be told apart"
    return f"{ranks[0].measure}: {leaders:,} of {len(ranks):,} systems may be the best; {told}."
