"""The words of a trade: tasks and models for queries and systems, or those of e-discovery.

All sentences, titles, captions and figures are written in one set of words. Where an input or an
option asks for others, the words are replaced in finished text, in one place: ``Words.reword``.
Names of systems, queries, measures and strata, options such as ``--queries`` and commands are not
changed, and neither are the columns of CSV and JSON.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from .phrases import capitalise

if TYPE_CHECKING:
    from .explanations import Explanation
    from .figures.style import Figure
    from .page_content import Page, Section
    from .table import Table

#: options, arguments in Python and commands, whose names do not change
FIXED = r"--[\w-]+|\b\w+=|\birbounds(?: [a-z][\w-]*)?"


@dataclass(frozen=True)
class Words:
    """Words and phrases in lower case, each with what is written in its place."""

    replaced: tuple[tuple[str, str], ...] = ()
    #: the same for a text of its own, such as a cell of a table or a label in a figure
    labels: tuple[tuple[str, str], ...] = ()
    #: names in the text that are not changed
    names: tuple[str, ...] = ()

    def protect(self, names: Iterable[str]) -> Words:
        """Return the words with names that are not changed."""
        if self.is_usual:
            return self
        kept = [name for name in names if re.search(self._replaceable, name)]
        return replace(self, names=tuple(dict.fromkeys((*self.names, *kept)))) if kept else self

    @property
    def is_usual(self) -> bool:
        """Whether no word is replaced."""
        return not self.replaced

    def call(self, word: str) -> str:
        """Return what a word is called, whatever names there are."""
        return dict(self.replaced).get(word, word)

    def apply(self, text: str) -> str:
        """Return a text with these words."""
        return text if self.is_usual else self._pattern.sub(self._choose, text)

    def label(self, text: str) -> str:
        """Return a text of its own, such as a cell of a table, with these words."""
        chosen = None if text in self.names else dict(self.labels).get(text)
        return self.apply(text) if chosen is None else chosen

    @property
    def _replaceable(self) -> str:
        longest_first = sorted(dict(self.replaced), key=len, reverse=True)
        words = (f"[{word[0].upper()}{word[0]}]{re.escape(word[1:])}" for word in longest_first)
        return rf"\b(?:{'|'.join(words)})(?!\w)"

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        longest_first = sorted(self.names, key=len, reverse=True)
        kept = "|".join((*map(re.escape, longest_first), FIXED))
        return re.compile(f"({kept})|{self._replaceable}")

    def _choose(self, match: re.Match[str]) -> str:
        word = match[0]
        if match[1] is not None:
            return word
        chosen = self.call(word[0].lower() + word[1:])
        return capitalise(chosen) if word[0].isupper() else chosen

    def reword(self, section: Section) -> Section:
        """Return a section with these words in its sentences, tables and figures."""
        if self.is_usual:
            return section
        draw = section.figures
        return replace(
            section,
            heading=self.apply(section.heading),
            sentences=[*map(self.apply, section.sentences)],
            tables=[*map(self.reword_table, section.tables)],
            figures=lambda: [*map(self.reword_figure, draw())],
            conclusion=[*map(self.apply, section.conclusion)],
        )

    def reword_table(self, table: Table) -> Table:
        """Return a table with these words in its title and headings, and its labels if any."""
        return replace(
            table,
            title=self.apply(table.title),
            headings=tuple(map(self.label, table.headings)),
            cells=tuple(map(self._reword_row, table.cells)) if self.labels else table.cells,
            caption=self.apply(table.caption),
            spare=tuple(map(self.label, table.spare)),
            shown_note=self.apply(table.shown_note),
        )

    def _reword_row(self, row: Sequence[str]) -> tuple[str, ...]:
        return tuple(map(self.label, row))

    def reword_figure(self, figure: Figure) -> Figure:
        """Return a figure with these words in its titles, axes, tooltips and labels."""
        if self.is_usual:
            return figure
        chart = figure.chart.map_titles(self._reword_title)
        return replace(
            figure,
            title=self.apply(figure.title),
            description=self.apply(figure.description),
            chart=chart.map_labels(self.label) if self.labels else chart,
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
TASKS = Words((("query", "task"), ("queries", "tasks"), ("system", "model"), ("systems", "models")))
#: what is in the null set, by the noun that follows
IN_NULL_SET = ("document", "documents", "sample", "samples", "stratum", "strata")
EDISCOVERY = Words(
    (
        ("relevant", "responsive"),
        ("relevance", "responsiveness"),
        ("irrelevant", "non-responsive"),
        ("an irrelevant", "a non-responsive"),
        ("retrieved", "produced"),
        ("retrieved set", "production"),
        ("retrieved sets", "productions"),
        ("retrieved segment", "production"),
        ("unretrieved", "not produced"),
        ("unretrieved segment", "null set"),
        ("everything unretrieved", "everything in the null set"),
        *((f"unretrieved {noun}", f"null-set {noun}") for noun in IN_NULL_SET),
        *((f"an unretrieved {noun}", f"a null-set {noun}") for noun in IN_NULL_SET),
        ("prevalence", "richness"),
        (
            "the random sample of the unretrieved documents",
            "the elusion test, the random sample of the null-set documents",
        ),
        ("assessor", "reviewer"),
        ("an assessor", "a reviewer"),
        ("assessors", "reviewers"),
    ),
    labels=(("unretrieved", "null set"), ("elusion", "elusion rate")),
)
