"""The content of a page: sections of sentences, tables and figures, and provenance.

``html.page.render_page`` writes a page as one file. ``topics`` are keys of
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
    """A finding: first in sentences, then as tables and figures."""

    heading: str
    #: the finding, in plain sentences
    sentences: Sequence[str] = ()
    tables: Sequence[Table] = ()
    #: draws the figures
    figures: Callable[[], Sequence[Figure]] = field(default=tuple, repr=False)
    #: keys of EXPLANATIONS
    topics: Sequence[str] = ()
    #: sentences below the tables on what they show and do not show
    conclusion: Sequence[str] = ()
    #: whether a page shows only its heading and first sentence until a reader opens it
    is_folded: bool = False

    @cached_property
    def drawn(self) -> Sequence[Figure]:
        """The figures."""
        return self.figures()


@dataclass(frozen=True)
class PageScores:
    """Scores in a page: measure x system x query."""

    measures: Sequence[str]
    systems: Sequence[str]
    queries: Sequence[str]
    values: Sequence[Sequence[Sequence[float]]]


@dataclass(frozen=True)
class Page:
    """A report: inputs, findings, methods and provenance."""

    title: str
    provenance: Provenance
    sections: Sequence[Section]
    #: the inputs in a few lines, and warnings about them
    inputs: Sequence[str] = ()
    warnings: Sequence[str] = ()
    #: labels of the lines on which a person signs, as in an audit
    signatures: Sequence[str] = ()
    #: the findings at the top of the page, one sentence per measure
    verdicts: Sequence[str] = ()
    #: draws the first figure of the page; None for no figure
    lead: Callable[[], Figure | None] = field(default=lambda: None, repr=False)
    #: scores per query, with which a reader can compare any two systems; None without them
    scores: PageScores | None = None
