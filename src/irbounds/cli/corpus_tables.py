"""What ``irbounds corpus`` was asked for: analyses called, tables made of them, figures at hand."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Any

from .showing import asked

if TYPE_CHECKING:
    from ..corpus.bootstrap import CorpusBootstrap
    from ..presentation.figures.style import Figure
    from ..presentation.pages import Section
    from ..presentation.tables import Table
    from ..results import RankPrecision, ScorePrecision, ValidityRow

__all__ = ["CorpusWishes", "TableKind", "analysed", "default_kinds"]


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


POOLS, VARIANCE = "pools", "variance"  # which have options of their own
#: the functions of figures/corpus.py that draw each kind, loaded only to draw
DRAWING: dict[str, tuple[str, ...]] = {
    TableKind.scores: ("score_boxes", "score_deviations"),
    TableKind.ranks: ("rank_boxes",),
    TableKind.measures: ("measure_spreads",),
    TableKind.systems: ("system_spreads",),
    TableKind.differences: ("difference_boxes",),
    TableKind.queries: ("query_distributions",),
    TableKind.query_spreads: ("query_spread_ranges",),
    TableKind.validity: ("left_out_images",),
    POOLS: ("pools", "pool_query_differences"),
    VARIANCE: ("variances",),
}
#: what a report explains besides the kind: how its intervals are made
INTERVALS: dict[str, tuple[str, ...]] = {
    TableKind.scores: ("quantile",),
    TableKind.ranks: ("quantile",),
    TableKind.differences: ("quantile",),
    TableKind.queries: ("quantile",),
    TableKind.validity: ("quantile", "normal"),
}


@dataclass(frozen=True)
class CorpusWishes:
    """Which analyses were asked for, and how they are to be shown."""

    confidence_level: float
    #: what a mean is over, in words
    rule: str
    #: empty for the default ones
    shown: tuple[TableKind, ...] = ()
    system: str | None = None
    baseline: str | None = None
    #: a system and what it is compared with
    pools: tuple[str, str] | None = None
    depths: Sequence[int] = ()
    #: whether queries are drawn too
    queries: bool = False
    digits: int | None = None


def analysed(images: CorpusBootstrap, wishes: CorpusWishes) -> Section:
    """What was asked for, in one section.

    Whoever asks for pools or the variance split and for no other table gets just that.
    """
    from ..presentation.corpus import score_precision_sentences
    from ..presentation.pages import Section

    more = [*_pools(images, wishes), *_variance(images, wishes)]
    if not wishes.shown and (wishes.pools or wishes.queries):
        return _together(more)
    kinds = wishes.shown or default_kinds(images.systems)
    scores = images.score_precision(wishes.confidence_level)
    ranks = images.rank_precision(wishes.confidence_level) if len(images.systems) > 1 else ()
    makers = _makers(images, wishes, scores, ranks)
    gist = Section("", score_precision_sentences(scores, ranks))
    return _together([gist, *(makers[kind]() for kind in kinds), *more])


def default_kinds(systems: Sequence[str]) -> tuple[TableKind, ...]:
    """What is shown of the images unless something else is asked for; one system has no ranks."""
    ranks = (TableKind.ranks,) if len(systems) > 1 else ()
    return (TableKind.scores, *ranks, TableKind.measures)


def _together(parts: Sequence[Section]) -> Section:
    from ..presentation.corpus import IMAGE
    from ..presentation.pages import Section

    return Section(
        "Corpus images",
        [IMAGE, *(sentence for part in parts for sentence in part.sentences)],
        [table for part in parts for table in part.tables],
        lambda: [figure for part in parts for figure in part.drawn],
        list(dict.fromkeys(topic for part in parts for topic in part.topics)),
    )


def _section(
    kind: str, rows: Sequence[Any], tables: Sequence[Table], sentences: Sequence[str] = ()
) -> Section:
    from ..presentation.pages import Section

    topic = "variance-split" if kind == VARIANCE else f"corpus-{kind}"
    topics = [topic, *INTERVALS.get(kind, ())]
    return Section(kind, sentences, tables, partial(_figures, kind, rows), topics)


def _figures(kind: str, rows: Sequence[Any]) -> list[Figure]:
    from ..presentation.figures import corpus

    made = []
    for name in DRAWING[kind]:
        draw = getattr(corpus, name)
        has_top = "top" in inspect.signature(draw).parameters
        made.append(draw(rows, top=asked().top) if has_top else draw(rows))
    return made


def _makers(
    images: CorpusBootstrap,
    wishes: CorpusWishes,
    scores: Sequence[ScorePrecision],
    ranks: Sequence[RankPrecision],
) -> dict[TableKind, Callable[[], Section]]:
    """What makes the section of each kind; nothing is computed before it is called."""
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


def _scores(rows: Sequence[ScorePrecision], wishes: CorpusWishes) -> Section:
    from ..presentation.corpus import score_precision_tables

    tables = score_precision_tables(rows, wishes.rule, wishes.digits)
    return _section(TableKind.scores, rows, tables)


def _ranks(
    images: CorpusBootstrap,
    wishes: CorpusWishes,
    scores: Sequence[ScorePrecision],
    ranks: Sequence[RankPrecision],
) -> Section:
    from ..presentation.corpus import rank_precision_tables

    rows = ranks or images.rank_precision(wishes.confidence_level)  # of one system: an error
    return _section(TableKind.ranks, rows, rank_precision_tables(rows, scores, wishes.digits))


def _differences(images: CorpusBootstrap, wishes: CorpusWishes) -> Section:
    from ..presentation.corpus import difference_precision_tables
    from ..presentation.terminal import progress_of

    with progress_of("comparing systems"):
        rows = images.difference_precision(wishes.baseline, wishes.confidence_level)
        tables = difference_precision_tables(rows, wishes.digits)
    return _section(TableKind.differences, rows, tables)


def _measures(images: CorpusBootstrap, wishes: CorpusWishes) -> Section:
    from ..presentation.corpus_measures import measure_precision_tables

    rows = images.measure_precision()
    return _section(TableKind.measures, rows, measure_precision_tables(rows, wishes.digits))


def _systems(images: CorpusBootstrap, wishes: CorpusWishes) -> Section:
    from ..presentation.corpus_measures import system_precision_tables

    rows = images.system_precision()
    return _section(TableKind.systems, rows, system_precision_tables(rows, wishes.digits))


def _queries(images: CorpusBootstrap, wishes: CorpusWishes) -> Section:
    from ..presentation.corpus_measures import query_precision_tables

    rows = images.query_precision(wishes.system or "", wishes.confidence_level)
    return _section(TableKind.queries, rows, query_precision_tables(rows, wishes.digits))


def _query_spreads(images: CorpusBootstrap, wishes: CorpusWishes) -> Section:
    from ..presentation.corpus_measures import query_spread_tables

    rows = images.query_spreads()
    return _section(TableKind.query_spreads, rows, query_spread_tables(rows, wishes.digits))


def _validity(images: CorpusBootstrap, wishes: CorpusWishes) -> Section:
    from ..presentation.corpus_measures import validity_tables

    rows = _left_out(images, wishes.confidence_level)
    return _section(TableKind.validity, rows, validity_tables(rows, wishes.digits))


def _left_out(images: CorpusBootstrap, confidence_level: float) -> Sequence[ValidityRow]:
    from ..presentation.terminal import progress_of

    with progress_of("leaving images out") as progress:
        return images.validity(confidence_level, progress=progress)


def _pools(images: CorpusBootstrap, wishes: CorpusWishes) -> list[Section]:
    from ..presentation.corpus_pools import pool_sentences, pool_tables
    from ..presentation.terminal import progress_of

    if wishes.pools is None:
        return []
    with progress_of("judging shallow pools") as progress:
        rows = images.shallow_pools(*wishes.pools, wishes.depths, progress=progress)
    tables = pool_tables(rows, wishes.digits)
    return [_section(POOLS, rows, tables, pool_sentences(rows))]


def _variance(images: CorpusBootstrap, wishes: CorpusWishes) -> list[Section]:
    from ..presentation.corpus_variance import variance_sentences, variance_tables

    if not wishes.queries:
        return []
    rows = images.variance_split(wishes.baseline, wishes.confidence_level)
    tables = variance_tables(rows, wishes.rule, wishes.digits)
    return [_section(VARIANCE, rows, tables, variance_sentences(rows))]
