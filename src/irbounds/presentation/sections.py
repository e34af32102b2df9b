"""The content of a page: sections of sentences, tables and figures, and provenance.

``html.page.page_text`` writes a page as one file. ``topics`` are keys of
``explanations.EXPLANATIONS``. A command shows the sections on the terminal first, without figures,
so a section draws its figures when they are first used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from .table import Table

if TYPE_CHECKING:
    from ..reports.provenance import Provenance
    from .figures.style import Figure


@dataclass(frozen=True)
class Section:
    """Something found out: first in sentences, then as tables and figures."""

    heading: str
    #: what was found, in plain sentences
    sentences: Sequence[str] = ()
    tables: Sequence[Table] = ()
    #: draws them
    figures: Callable[[], Sequence[Figure]] = field(default=tuple, repr=False)
    #: keys of EXPLANATIONS
    topics: Sequence[str] = ()
    #: what the tables show and do not show, below them
    conclusion: Sequence[str] = ()
    #: whether a page shows only its heading and first sentence until a reader opens it
    is_folded: bool = False

    @cached_property
    def drawn(self) -> Sequence[Figure]:
        """The figures."""
        return self.figures()


@dataclass(frozen=True)
class PageScores:
    """Scores that a page holds: measure x system x query."""

    measures: Sequence[str]
    systems: Sequence[str]
    queries: Sequence[str]
    values: Sequence[Sequence[Sequence[float]]]


@dataclass(frozen=True)
class Page:
    """A report: the inputs first, then what was found, then how, then how to repeat it."""

    title: str
    provenance: Provenance
    sections: Sequence[Section]
    #: the inputs in a few lines, and all that is odd about them
    inputs: Sequence[str] = ()
    warnings: Sequence[str] = ()
    #: where a person signs, as in an audit: labels of empty lines
    signatures: Sequence[str] = ()
    #: what was found, in one sentence per measure: the first thing that a reader sees
    verdicts: Sequence[str] = ()
    #: draws the one figure that answers first; None where there is none
    lead: Callable[[], Figure | None] = field(default=lambda: None, repr=False)
    #: scores per query, from which a reader can compare any two systems; None without them
    scores: PageScores | None = None
