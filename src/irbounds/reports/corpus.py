"""Images of the corpus as one section: the analyses that were asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

from ..presentation.pages import Section
from ..presentation.registry import View, section_of

if TYPE_CHECKING:
    from ..corpora.bootstrap import CorpusBootstrap

Analysis = Literal[
    "scores",
    "ranks",
    "measures",
    "systems",
    "differences",
    "queries",
    "query-spreads",
    "validity",
]
ANALYSES: tuple[Analysis, ...] = get_args(Analysis)


@dataclass(frozen=True)
class CorpusRequest:
    """Which analyses of the images are asked for, and how they are shown."""

    confidence_level: float = 0.95
    view: View = field(default_factory=View)
    #: empty for the default ones
    shown: tuple[Analysis, ...] = ()
    system: str | None = None
    baseline: str | None = None
    #: a system and what it is compared with
    pools: tuple[str, str] | None = None
    depths: Sequence[int] = ()
    #: whether queries are drawn too
    queries: bool = False


def default_analyses(systems: Sequence[str]) -> tuple[Analysis, ...]:
    """Return the analyses that are shown by default; one system has no ranks."""
    return ("scores", "ranks", "measures") if len(systems) > 1 else ("scores", "measures")


def corpus_section(images: CorpusBootstrap, request: CorpusRequest) -> Section:
    """Return what was asked for as one section.

    With pools or queries, and no other analysis asked for, it has only these.
    """
    from ..presentation.terminal import progress_of
    from ..results.corpus import IMAGE, score_precision_sentences

    parts: list[Section] = []
    if request.shown or not (request.pools or request.queries):
        level = request.confidence_level
        ranks = images.rank_precision(level) if len(images.systems) > 1 else ()
        said = score_precision_sentences(images.score_precision(level), ranks)
        parts.append(Section("", said))
        shown = request.shown or default_analyses(images.systems)
        parts += [section_of(_analyse(images, one, request), request.view) for one in shown]
    if request.pools is not None:
        with progress_of("judging shallow pools") as progress:
            rows = images.shallow_pools(*request.pools, request.depths, progress=progress)
        parts.append(section_of(rows, request.view))
    if request.queries:
        split = images.variance_split(request.baseline, request.confidence_level)
        parts.append(section_of(split, request.view))
    return Section(
        "Corpus images",
        [IMAGE, *(sentence for part in parts for sentence in part.sentences)],
        [table for part in parts for table in part.tables],
        lambda: [figure for part in parts for figure in part.drawn],
        list(dict.fromkeys(topic for part in parts for topic in part.topics)),
    )


def _analyse(images: CorpusBootstrap, kind: Analysis, request: CorpusRequest) -> Sequence[Any]:
    from ..presentation.terminal import progress_of

    level = request.confidence_level
    analyses: dict[Analysis, Callable[[], Sequence[Any]]] = {
        "scores": lambda: images.score_precision(level),
        "ranks": lambda: images.rank_precision(level),
        "measures": images.measure_precision,
        "systems": images.system_precision,
        "differences": lambda: images.difference_precision(request.baseline, level),
        "queries": lambda: images.query_precision(request.system or "", level),
        "query-spreads": images.query_spreads,
    }
    if kind == "validity":
        with progress_of("leaving images out") as progress:
            return images.validity(level, progress=progress)
    with progress_of("comparing systems"):
        return analyses[kind]()
