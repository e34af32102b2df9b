"""The words for queries and systems: tasks and models, where the input calls them so.

All sentences, titles, captions and figures are written for queries and systems. Where a table of
scores says otherwise, the words are replaced in finished text, in one place: ``Words.reword``.
Names of systems, queries and measures, options such as ``--queries`` and commands are not changed,
and neither are the columns of CSV and JSON.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .explanations import Explanation
    from .figures.style import Figure
    from .page_content import Page, Section
    from .table import Table

#: options, arguments in Python and commands, whose names do not change
FIXED = r"--[\w-]+|\b\w+=|\birbounds(?: [a-z][\w-]*)?"
REPLACED = r"\b(?:[Qq]uer(?:y|ies)|[Ss]ystems?)(?![\w])"


@dataclass(frozen=True)
class Words:
    """What queries and systems are called; each word also has a plural."""

    query: str = "query"
    queries: str = "queries"
    system: str = "system"
    systems: str = "systems"
    #: names in the text that are not changed
    names: tuple[str, ...] = ()

    def protect(self, names: Iterable[str]) -> Words:
        """Return the words with names that are not changed."""
        kept = [name for name in names if re.search(REPLACED, name)]
        return replace(self, names=tuple(dict.fromkeys((*self.names, *kept)))) if kept else self

    @property
    def is_usual(self) -> bool:
        """Whether queries and systems are called so."""
        return (self.query, self.system) == ("query", "system")

    def apply(self, text: str) -> str:
        """Return a text with these words in place of queries and systems."""
        return text if self.is_usual else self._pattern.sub(self._choose, text)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        longest_first = sorted(self.names, key=len, reverse=True)
        kept = "|".join((*map(re.escape, longest_first), FIXED))
        return re.compile(f"({kept})|{REPLACED}")

    def _choose(self, match: re.Match[str]) -> str:
        word = match[0]
        if match[1] is not None:
            return word
        chosen: str = getattr(self, word.lower())
        return chosen.capitalize() if word[0].isupper() else chosen

    def reword(self, section: Section) -> Section:
        """Return a section with these words in its sentences, tables and figures."""
        if self.is_usual:
            return section
        draw = section.figures
        return replace(
            section,
            heading=self.apply(section.heading),
            sentences=[*map(self.apply, section.sentences)],
            tables=[*map(self._reword_table, section.tables)],
            figures=lambda: [*map(self.reword_figure, draw())],
            conclusion=[*map(self.apply, section.conclusion)],
        )

    def _reword_table(self, table: Table) -> Table:
        return replace(
            table,
            title=self.apply(table.title),
            headings=tuple(map(self.apply, table.headings)),
            caption=self.apply(table.caption),
            spare=tuple(map(self.apply, table.spare)),
            shown_note=self.apply(table.shown_note),
        )

    def reword_figure(self, figure: Figure) -> Figure:
        """Return a figure with these words in its titles, axes and tooltips."""
        if self.is_usual:
            return figure
        return replace(
            figure,
            title=self.apply(figure.title),
            description=self.apply(figure.description),
            chart=figure.chart.map_titles(self._reword_title),
        )

    def _reword_title(self, title: Any) -> Any:
        if isinstance(title, str):
            return self.apply(title)
        if isinstance(title, list):
            return [*map(self._reword_title, title)]
        return title if not isinstance(title, Mapping) else self._reword_mapping(title)

    def _reword_mapping(self, title: Mapping[str, Any]) -> dict[str, Any]:
        return {
            key: self._reword_title(value) if key in ("text", "subtitle") else value
            for key, value in title.items()
        }

    def reword_spec(self, spec: dict[str, Any]) -> dict[str, Any]:
        """Return the specification of a figure with these words in its titles."""
        from .figures.vega import map_titles

        return spec if self.is_usual else map_titles(spec, self._reword_title)

    def reword_explanation(self, explanation: Explanation) -> Explanation:
        """Return an explanation with these words."""
        if self.is_usual:
            return explanation
        return replace(
            explanation,
            name=self.apply(explanation.name),
            means=tuple(map(self.apply, explanation.means)),
            does_not_mean=tuple(map(self.apply, explanation.does_not_mean)),
            method=self.apply(explanation.method),
        )

    def reword_page(self, page: Page) -> Page:
        """Return a page with these words in all that it says."""
        if self.is_usual:
            return page
        draw = page.lead

        def lead() -> Figure | None:
            figure = draw()
            return None if figure is None else self.reword_figure(figure)

        return replace(
            page,
            sections=[*map(self.reword, page.sections)],
            inputs=[*map(self.apply, page.inputs)],
            warnings=[*map(self.apply, page.warnings)],
            verdicts=[*map(self.apply, page.verdicts)],
            lead=lead,
            words=self,
        )


QUERIES = Words()
TASKS = Words("task", "tasks", "model", "models")
