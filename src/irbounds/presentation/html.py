"""A page as one HTML file that needs nothing else: no network, no server, no installation.

Words, tables and the specifications of figures are written by a template that escapes every string
it is given; Vega, which draws the figures in the reader's browser, stands in the same file. The
page forbids itself all else: its content security policy allows no address at all, and of scripts
and styles only those whose fingerprint is named, so that a name of a system which got past the
template would still not run. ADR 18 says why.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from ..errors import InputError
from ..reports.provenance import Provenance
from .explanations import EXPLANATIONS, Explanation, references_of
from .html_tables import SHOWN_ROWS, HtmlTable, html_table
from .packing import packed
from .pages import Page, Section
from .printable import drawable
from .sealing import json_for_script, policy, script_markup, template_file, templates, vega

if TYPE_CHECKING:
    from .figures.style import Figure

__all__ = ["page_text", "provenance_block"]

BLOCK_OPENS = '<script type="application/json" id="provenance">'
BLOCK_CLOSES = "</script>"
FOLDED_LINES = 8  # of one kind of provenance: more stand behind a summary
#: what of the provenance block is for people, in words; the marks of single rows are not
PROVENANCE_WORDS = {
    "date": "Made",
    "irbounds": "irbounds",
    "python": "Python",
    "machine": "Machine",
    "libraries": "Libraries",
    "arguments": "Command",
    "options": "Options",
    "inputs": "Inputs",
    "results": "Fingerprint of the results",
}


@dataclass(frozen=True)
class _HtmlFigure:
    """A figure as a page shows it: its caption, its alternative text, its specification."""

    number: int
    name: str
    title: str
    description: str
    #: the specification's JSON, packed
    packed: str


@dataclass(frozen=True)
class _HtmlSection:
    heading: str
    sentences: Sequence[str]
    tables: Sequence[HtmlTable]
    figures: Sequence[_HtmlFigure]
    explanations: Sequence[Explanation]


def page_text(page: Page) -> str:
    """The whole file's text."""
    tables, figures = count(1), count(1)
    sections = [_html_section(section, tables, figures) for section in page.sections]
    drawing = vega() if any(section.figures for section in sections) else ""
    scripts = [script_markup(script) for script in (drawing, template_file("page.js")) if script]
    style = Markup(template_file("page.css"))
    template = templates().get_template("page.html.jinja")
    return template.render(
        page=page,
        summary=" ".join(_sentence(one) for one in page.verdicts),
        inputs=_input_lines(page),
        warnings=[_sentence(warning) for warning in page.warnings],
        made=_made(page.provenance),
        sections=sections,
        systems=_systems(page.sections),
        shown_rows=SHOWN_ROWS,
        folded_lines=FOLDED_LINES,
        **_methods(page.sections),
        provenance=_provenance_rows(page.provenance),
        provenance_block=_block(page.provenance),
        scripts=scripts,
        style=style,
        policy=policy(scripts, style),
    )


def provenance_block(text: str) -> str:
    """The JSON of a page's provenance block, as ``page_text`` wrote it."""
    _, opened, rest = text.partition(BLOCK_OPENS)
    block, closed, _ = rest.partition(BLOCK_CLOSES)
    if not opened or not closed:
        raise InputError("this file has no provenance block: a report of irbounds ends with one")
    return block


def _block(provenance: Provenance) -> Markup:
    return Markup(BLOCK_OPENS) + json_for_script(provenance.as_json()) + Markup(BLOCK_CLOSES)


def _html_section(section: Section, tables: Iterator[int], figures: Iterator[int]) -> _HtmlSection:
    """A section with its tables and figures, which take their numbers as they come."""
    return _HtmlSection(
        heading=section.heading,
        sentences=[_sentence(one) for one in section.sentences],
        tables=[html_table(table, next(tables)) for table in section.tables],
        figures=[_html_figure(figure, next(figures)) for figure in section.drawn],
        explanations=[EXPLANATIONS[topic] for topic in _topics([section])],
    )


def _sentence(text: str) -> str:
    """With a full stop, which a line on a terminal goes without; other marks stay as they are."""
    return f"{text}." if text and (text[-1].isalnum() or text[-1] in "%)") else text


def _input_lines(page: Page) -> list[str]:
    """What the page says of its inputs, else their names."""
    if page.inputs:
        return [_sentence(line) for line in page.inputs]
    names = dict.fromkeys(one.name for one in page.provenance.inputs)
    return [f"Read: {', '.join(names)}" if names else "No files were read."]


def _html_figure(figure: Figure, number: int) -> _HtmlFigure:
    from .figures.style import spec_title, themed

    spec = themed(figure, "currentColor", "transparent")
    return _HtmlFigure(
        number=number,
        name=spec.get("name", "figure"),
        title=spec_title(spec),
        description=spec.get("description", ""),
        packed=packed(spec),
    )


def _methods(sections: Iterable[Section]) -> dict[str, Any]:
    """How the sections' results were made, and the papers that say so."""
    topics = _topics(sections)
    methods = [EXPLANATIONS[topic] for topic in topics if EXPLANATIONS[topic].method]
    references = references_of(topics)
    return {
        "methods": methods,
        "references": references,
        "has_methods": bool(methods or references),
    }


def _topics(sections: Iterable[Section]) -> list[str]:
    """Each topic once, in the order of the page."""
    return list(dict.fromkeys(topic for section in sections for topic in section.topics))


def _systems(sections: Iterable[Section]) -> list[str]:
    """Systems that a reader can pick, in the order in which the tables name them."""
    records = (r for section in sections for table in section.tables for r in table.records)
    named = (record.get(key) for record in records for key in ("system", "baseline"))
    return [drawable(name) for name in dict.fromkeys(named) if isinstance(name, str)]


def _made(provenance: Provenance) -> str:
    """``3 March 2026, 14:05 UTC``."""
    made = datetime.fromisoformat(provenance.date)
    zone = f" {made.tzname()}" if made.tzinfo else ""
    return f"{made.day} {made:%B %Y, %H:%M}{zone}"


def _provenance_rows(provenance: Provenance) -> list[tuple[str, list[str]]]:
    """What the block says, for people: names in words, each with its lines."""
    said = json.loads(provenance.as_json())
    said["arguments"] = shlex.join(["irbounds", *said["arguments"]])
    said["date"] = _made(provenance)
    return [(words, _lines(said[key])) for key, words in PROVENANCE_WORDS.items()]


def _lines(value: Any) -> list[str]:
    if isinstance(value, Mapping):
        return [f"{key}: {_plain(one)}" for key, one in value.items()]
    if isinstance(value, list):
        return [_plain(one) for one in value] or ["none"]
    return [_plain(value)]


def _plain(value: Any) -> str:
    """A value of an option or an input as a reader would write it."""
    if isinstance(value, Mapping):
        return ", ".join(_plain(one) for one in value.values())
    if isinstance(value, list):
        return " ".join(_plain(one) for one in value)
    if value is None:
        return "not given"
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
