"""What ``irbounds corpus`` was asked for: analyses called, and tables made of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..corpus.bootstrap import CorpusBootstrap
    from ..report.tables import Table
    from ..results import RankPrecision, ScorePrecision, ValidityRow

__all__ = ["TableKind", "Wishes", "analysed"]


class TableKind(StrEnum):
    """What can be shown of the images."""

    scores = "scores"
    ranks = "ranks"
    measures = "measures"
    systems = "systems"
    differences = "differences"
    queries = "queries"
    query_spreads = "query-spreads"
    validity = "validity"


@dataclass(frozen=True)
class Wishes:
    """Which analyses were asked for, and how they are to be shown."""

    #: empty for the default ones
    shown: tuple[TableKind, ...]
    system: str | None
    baseline: str | None
    #: a system and what it is compared with
    pools: tuple[str, str] | None
    depths: Sequence[int]
    queries: bool
    confidence_level: float
    digits: int | None
    #: what a mean is over, in words
    rule: str


def analysed(images: CorpusBootstrap, wishes: Wishes) -> tuple[list[Table], list[str]]:
    """The tables, and what they say in sentences.

    Whoever asks for pools or the variance split and for no other table gets just that.
    """
    from ..report.corpus import score_precision_sentences

    parts = [_pools(images, wishes), _variance(images, wishes)]
    if not wishes.shown and (wishes.pools or wishes.queries):
        return [table for tables, _ in parts for table in tables], [
            sentence for _, said in parts for sentence in said
        ]
    kinds = wishes.shown or _default(len(images.systems) > 1)
    scores = images.score_precision(wishes.confidence_level)
    ranks = images.rank_precision(wishes.confidence_level) if len(images.systems) > 1 else ()
    makers = _makers(images, wishes, scores, ranks)
    tables = [table for kind in kinds for table in makers[kind]()]
    found = score_precision_sentences(scores, ranks)
    for more, said in parts:
        tables += more
        found += said
    return tables, found


def _default(several: bool) -> tuple[TableKind, ...]:
    ranks = (TableKind.ranks,) if several else ()
    return (TableKind.scores, *ranks, TableKind.measures)


def _makers(
    images: CorpusBootstrap,
    wishes: Wishes,
    scores: Sequence[ScorePrecision],
    ranks: Sequence[RankPrecision],
) -> dict[TableKind, Callable[[], list[Table]]]:
    """What makes the tables of each kind; nothing is computed before it is called."""
    from ..report import corpus as by_system
    from ..report import corpus_measures as by_score

    level, digits = wishes.confidence_level, wishes.digits
    return {
        TableKind.scores: lambda: by_system.score_precision_tables(scores, wishes.rule, digits),
        TableKind.ranks: lambda: by_system.rank_precision_tables(
            ranks or images.rank_precision(level), scores, digits
        ),
        TableKind.differences: lambda: by_system.difference_precision_tables(
            images.difference_precision(wishes.baseline, level), digits
        ),
        TableKind.measures: lambda: by_score.measure_precision_tables(
            images.measure_precision(), digits
        ),
        TableKind.systems: lambda: by_score.system_precision_tables(
            images.system_precision(), digits
        ),
        TableKind.queries: lambda: by_score.query_precision_tables(
            images.query_precision(wishes.system or "", level), digits
        ),
        TableKind.query_spreads: lambda: by_score.query_spread_tables(
            images.query_spreads(), digits
        ),
        TableKind.validity: lambda: by_score.validity_tables(_validity(images, level), digits),
    }


def _validity(images: CorpusBootstrap, confidence_level: float) -> Sequence[ValidityRow]:
    from ..report.terminal import progress_of

    with progress_of("leaving images out") as progress:
        return images.validity(confidence_level, progress=progress)


def _pools(images: CorpusBootstrap, wishes: Wishes) -> tuple[list[Table], list[str]]:
    from ..report.corpus_pools import pool_sentences, pool_tables
    from ..report.terminal import progress_of

    if wishes.pools is None:
        return [], []
    with progress_of("judging shallow pools") as progress:
        rows = images.shallow_pools(*wishes.pools, wishes.depths, progress=progress)
    return pool_tables(rows, wishes.digits), pool_sentences(rows)


def _variance(images: CorpusBootstrap, wishes: Wishes) -> tuple[list[Table], list[str]]:
    from ..report.corpus_variance import variance_sentences, variance_tables

    if not wishes.queries:
        return [], []
    rows = images.variance_split(wishes.baseline, wishes.confidence_level)
    return variance_tables(rows, wishes.rule, wishes.digits), variance_sentences(rows)
