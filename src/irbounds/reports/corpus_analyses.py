"""Analyses of corpus images, and the section that shows several of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, get_args

from ..presentation.page_content import Section
from ..presentation.registry import View, make_section

if TYPE_CHECKING:
    from ..corpora.bootstrap import CorpusBootstrap
    from ..results import Results

Analysis = Literal[
    "scores",
    "ranks",
    "measures",
    "differences",
    "queries",
]
ANALYSES: tuple[Analysis, ...] = get_args(Analysis)


def default_analyses(systems: Sequence[str]) -> tuple[Analysis, ...]:
    """Return the analyses that are shown by default; one system has no ranks."""
    return ("scores", "ranks", "measures") if len(systems) > 1 else ("scores", "measures")


def analyse_images(
    images: CorpusBootstrap,
    analysis: Analysis,
    confidence_level: float,
    *,
    system: str | None = None,
    baseline: str | None = None,
) -> Results[Any]:
    """Return the rows of one analysis; ``queries`` needs a system."""
    from ..progress import show_progress

    analyses: dict[Analysis, Callable[[], Results[Any]]] = {
        "scores": lambda: images.score_precision(confidence_level),
        "ranks": lambda: images.rank_precision(confidence_level),
        "measures": images.measure_precision,
        "differences": lambda: images.difference_precision(baseline, confidence_level),
        "queries": lambda: images.query_precision(system or "", confidence_level),
    }
    with show_progress("comparing systems"):
        return analyses[analysis]()


def precision_sentences(images: CorpusBootstrap, confidence_level: float) -> list[str]:
    """Return one sentence per measure: how precise its means are, and how certain the order is."""
    from ..results.corpus_systems import score_precision_sentences

    ranks = images.rank_precision(confidence_level) if len(images.systems) > 1 else ()
    return score_precision_sentences(images.score_precision(confidence_level), ranks)


def corpus_section(
    analyses: Sequence[Results[Any]], view: View, sentences: Sequence[str] = ()
) -> Section:
    """Return analyses of images as one section, which begins with what an image is."""
    from ..results.corpus_systems import IMAGE

    parts = [make_section(rows, view) for rows in analyses]
    return Section(
        "Corpus images",
        [IMAGE, *sentences, *(sentence for part in parts for sentence in part.sentences)],
        [table for part in parts for table in part.tables],
        lambda: [figure for part in parts for figure in part.drawn],
        list(dict.fromkeys(topic for part in parts for topic in part.topics)),
    )
