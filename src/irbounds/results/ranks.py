"""Ranks of systems with their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated

from ..presentation.column_roles import Column, Count, Key
from ..presentation.phrases import describe_draws, group_by_measure, join_caption, pluralise_queries
from ..presentation.registry import Presentation, View, present
from ..presentation.rounding import CHANCE_DECIMALS, decimals, fixed, percent
from .intervals import Interval
from .result import Result

LETTERS = (
    "Ranks, their intervals and letters hold for all pairs of systems together. This is stricter "
    "than comparing each system with one other: systems that share a letter are not significantly "
    "different by this joint test, and irbounds compare may find that some of them are."
)


@dataclass(frozen=True)
class RankInterval(Interval):
    """An interval of ranks; its ends are integers."""

    low: Annotated[int, Column("count", "from", "rank_low")]
    high: Annotated[int, Column("count", "to", "rank_high")]


@dataclass(frozen=True)
class RankEstimate(Result):
    """The rank of a system among others, with its interval."""

    measure: Key
    system: Key
    #: systems that share a letter are not significantly different, those that share none are
    letters: Key
    #: of its scores
    mean: float
    #: its rank: 1 for the highest mean; systems of equal mean share the better rank
    value: Annotated[int, Column("count", name="rank")]
    #: for all systems together at the level
    interval: RankInterval
    #: fraction of bootstrap resamples in which it has the highest mean
    best_probability: Annotated[float, Column("fraction", "fraction first", places=CHANCE_DECIMALS)]
    #: how far apart two means must lie to differ significantly, for all pairs together
    critical_difference: float
    n: Count
    n_resamples: Count
    seed: int


def _title(rows: Sequence[RankEstimate], view: View) -> str:
    return f"{rows[0].measure}: ranks by the mean over {pluralise_queries(rows[0].n, view.queries)}"


def _caption(rows: Sequence[RankEstimate]) -> str:
    first = rows[0]
    least = fixed(first.critical_difference, decimals(first.critical_difference))
    return join_caption(
        f"from, to and letters hold together at {percent(first.interval.confidence_level)} (means "
        f"over {least} apart, by the max-statistic)",
        "fraction first: of resamples in which it leads",
        describe_draws(first.n_resamples, "resamples", first.seed),
    )


def _sentences(ranks: Sequence[RankEstimate], view: View) -> list[str]:
    """Return one sentence per measure on how much of the order is certain, and on the letters."""
    return [*(_sentence(part) for part in group_by_measure(ranks)), LETTERS]


def _sentence(ranks: Sequence[RankEstimate]) -> str:
    apart = sum(lower.interval.low > upper.value for upper, lower in pairwise(ranks))
    leaders = sum(rank.interval.low == 1 for rank in ranks)
    told = f"{apart:,} of {len(ranks) - 1:,} neighbours in the order differ significantly"
    if len(ranks) == 2:
        told = f"the two {'differ' if apart else 'do not differ'} significantly"
    return f"{ranks[0].measure}: {leaders:,} of {len(ranks):,} systems may be the best; {told}."


present(
    RankEstimate,
    Presentation(
        "Ranks",
        columns=("system", "letters", "mean", "rank", "rank_low", "rank_high", "best_probability"),
        title=_title,
        caption=_caption,
        places=lambda rows: decimals(rows[0].critical_difference),
        sentences=_sentences,
        figures=("ranks:rank_intervals",),
        topics=lambda rows: ["rank", "max-statistic"],
    ),
)
