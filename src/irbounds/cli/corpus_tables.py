"""What ``irbounds corpus`` was asked for: analyses called, tables made of them, figures at hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..corpus.bootstrap import CorpusBootstrap
    from ..report.figures.style import Figure
    from ..report.tables import Table
    from ..results import RankPrecision, ScorePrecision, ValidityRow

__all__ = ["Analysis", "TableKind", "Wishes", "analysed"]


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


@dataclass(frozen=True)
class Analysis:
    """One kind of result, or all that were asked for."""

    tables: Sequence[Table]
    #: draws them when it is called
    figures: Callable[[], list[Figure]]
    #: keys of explanations
    topics: Sequence[str] = ()
    #: what the tables say in sentences
    found: Sequence[str] = ()


def analysed(images: CorpusBootstrap, wishes: Wishes) -> Analysis:
    """What was asked for, in one.

    Whoever asks for pools or the variance split and for no other table gets just that.
    """
    from ..report.corpus import score_precision_sentences

    more = [*_pools(images, wishes), *_variance(images, wishes)]
    if not wishes.shown and (wishes.pools or wishes.queries):
        return _together(more)
    kinds = wishes.shown or _default(len(images.systems) > 1)
    scores = images.score_precision(wishes.confidence_level)
    ranks = images.rank_precision(wishes.confidence_level) if len(images.systems) > 1 else ()
    makers = _makers(images, wishes, scores, ranks)
    gist = Analysis((), list, found=score_precision_sentences(scores, ranks))
    return _together([gist, *(makers[kind]() for kind in kinds), *more])


def _together(parts: Sequence[Analysis]) -> Analysis:
    return Analysis(
        tables=[table for part in parts for table in part.tables],
        figures=lambda: [figure for part in parts for figure in part.figures()],
        topics=list(dict.fromkeys(topic for part in parts for topic in part.topics)),
        found=[sentence for part in parts for sentence in part.found],
    )


def _default(several: bool) -> tuple[TableKind, ...]:
    ranks = (TableKind.ranks,) if several else ()
    return (TableKind.scores, *ranks, TableKind.measures)


def _makers(
    images: CorpusBootstrap,
    wishes: Wishes,
    scores: Sequence[ScorePrecision],
    ranks: Sequence[RankPrecision],
) -> dict[TableKind, Callable[[], Analysis]]:
    """What makes the tables of each kind; nothing is computed before it is called."""
    return {
        TableKind.scores: lambda: _scores(scores, wishes),
        TableKind.ranks: lambda: _ranks(images, wishes, scores, ranks),
        TableKind.differences: lambda: _differences(images, wishes),
        TableKind.measures: lambda: _measures(images, wishes),
        TableKind.systems: lambda: _systems(images, wishes),
        TableKind.queries: lambda: _queries(images, wishes),
        TableKind.query_spreads: lambda: _query_spreads(images, wishes),
        TableKind.validity: lambda: _validity(images, wishes),
    }


def _scores(rows: Sequence[ScorePrecision], wishes: Wishes) -> Analysis:
    from ..report.corpus import score_precision_tables

    def figures() -> list[Figure]:
        from ..report.figures.corpus_scores import score_boxes, score_deviations

        return [score_boxes(rows), score_deviations(rows)]

    tables = score_precision_tables(rows, wishes.rule, wishes.digits)
    return Analysis(tables, figures, ["corpus-scores"])


def _ranks(
    images: CorpusBootstrap,
    wishes: Wishes,
    scores: Sequence[ScorePrecision],
    ranks: Sequence[RankPrecision],
) -> Analysis:
    from ..report.corpus import rank_precision_tables

    rows = ranks or images.rank_precision(wishes.confidence_level)  # of one system: an error

    def figures() -> list[Figure]:
        from ..report.figures.corpus_ranks import rank_boxes

        return [rank_boxes(rows)]

    return Analysis(rank_precision_tables(rows, scores, wishes.digits), figures, ["corpus-ranks"])


def _differences(images: CorpusBootstrap, wishes: Wishes) -> Analysis:
    from ..report.corpus import difference_precision_tables

    rows = images.difference_precision(wishes.baseline, wishes.confidence_level)

    def figures() -> list[Figure]:
        from ..report.figures.corpus_scores import difference_boxes

        return [difference_boxes(rows)]

    tables = difference_precision_tables(rows, wishes.digits)
    return Analysis(tables, figures, ["corpus-differences"])


def _measures(images: CorpusBootstrap, wishes: Wishes) -> Analysis:
    from ..report.corpus_measures import measure_precision_tables

    rows = images.measure_precision()

    def figures() -> list[Figure]:
        from ..report.figures.corpus_measures import measure_spreads

        return [measure_spreads(rows)]

    return Analysis(measure_precision_tables(rows, wishes.digits), figures, ["corpus-measures"])


def _systems(images: CorpusBootstrap, wishes: Wishes) -> Analysis:
    from ..report.corpus_measures import system_precision_tables

    rows = images.system_precision()

    def figures() -> list[Figure]:
        from ..report.figures.corpus_measures import system_spreads

        return [system_spreads(rows)]

    return Analysis(system_precision_tables(rows, wishes.digits), figures, ["corpus-measures"])


def _queries(images: CorpusBootstrap, wishes: Wishes) -> Analysis:
    from ..report.corpus_measures import query_precision_tables

    rows = images.query_precision(wishes.system or "", wishes.confidence_level)

    def figures() -> list[Figure]:
        from ..report.figures.corpus_queries import query_distributions

        return [query_distributions(rows)]

    return Analysis(query_precision_tables(rows, wishes.digits), figures, ["corpus-queries"])


def _query_spreads(images: CorpusBootstrap, wishes: Wishes) -> Analysis:
    from ..report.corpus_measures import query_spread_tables

    rows = images.query_spreads()

    def figures() -> list[Figure]:
        from ..report.figures.corpus_queries import query_spread_ranges

        return [query_spread_ranges(rows)]

    return Analysis(query_spread_tables(rows, wishes.digits), figures, ["corpus-queries"])


def _validity(images: CorpusBootstrap, wishes: Wishes) -> Analysis:
    from ..report.corpus_measures import validity_tables

    rows = _left_out(images, wishes.confidence_level)
    return Analysis(validity_tables(rows, wishes.digits), list, ["corpus-measures"])


def _left_out(images: CorpusBootstrap, confidence_level: float) -> Sequence[ValidityRow]:
    from ..report.terminal import progress_of

    with progress_of("leaving images out") as progress:
        return images.validity(confidence_level, progress=progress)


def _pools(images: CorpusBootstrap, wishes: Wishes) -> list[Analysis]:
    from ..report.corpus_pools import pool_sentences, pool_tables
    from ..report.terminal import progress_of

    if wishes.pools is None:
        return []
    with progress_of("judging shallow pools") as progress:
        rows = images.shallow_pools(*wishes.pools, wishes.depths, progress=progress)

    def figures() -> list[Figure]:
        from ..report.figures.corpus_pools import pool_query_differences, pools

        return [pools(rows), pool_query_differences(rows)]

    tables = pool_tables(rows, wishes.digits)
    return [Analysis(tables, figures, ["corpus-pools"], pool_sentences(rows))]


def _variance(images: CorpusBootstrap, wishes: Wishes) -> list[Analysis]:
    from ..report.corpus_variance import variance_sentences, variance_tables

    if not wishes.queries:
        return []
    rows = images.variance_split(wishes.baseline, wishes.confidence_level)

    def figures() -> list[Figure]:
        from ..report.figures.corpus_variance import variances

        return [variances(rows)]

    tables = variance_tables(rows, wishes.rule, wishes.digits)
    return [Analysis(tables, figures, ["variance-split"], variance_sentences(rows))]
