"""A page as one HTML file that needs nothing else: no network, no server, no installation.

Words, tables and the specifications of figures are written by a template that escapes every string
it is given; Vega, which draws the figures in the reader's browser, stands in the same file. The
page forbids itself all else: its content security policy allows no address at all, and of scripts
and styles only those whose fingerprint is named, so that a name of a system which got past the
template would still not run. ADR 18 says why.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib.resources import files
from itertools import count
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from ..errors import InputError
from .explanations import EXPLANATIONS, Explanation, references_of
from .html_tables import SHOWN_ROWS, HtmlTable, html_table
from .packing import packed
from .pages import Page, Section
from .provenance import Provenance

if TYPE_CHECKING:
    from .figures.style import Figure

__all__ = ["page_text", "provenance_block"]

BLOCK_OPENS = '<script type="application/json" id="provenance">'
BLOCK_CLOSES = "</script>"
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
    vega = _vega() if any(section.figures for section in sections) else ""
    scripts = [_script(script) for script in (vega, _file("page.js")) if script]
    style = Markup(_file("page.css"))
    template = _environment().get_template("page.html.jinja")
    return template.render(
        page=page,
        made=_made(page.provenance),
        sections=sections,
        systems=_systems(page.sections),
        shown_rows=SHOWN_ROWS,
        **_methods(page.sections),
        provenance=_provenance_rows(page.provenance),
        provenance_block=_block(page.provenance),
        scripts=scripts,
        style=style,
        policy=_policy(scripts, style),
    )


def provenance_block(text: str) -> str:
    """The JSON of a page's provenance block, as ``page_text`` wrote it."""
    _, opened, rest = text.partition(BLOCK_OPENS)
    block, closed, _ = rest.partition(BLOCK_CLOSES)
    if not opened or not closed:
        raise InputError("this file has no provenance block: a report of irbounds ends with one")
    return block


def _block(provenance: Provenance) -> Markup:
    return Markup(BLOCK_OPENS) + _json_for_script(provenance.as_json()) + Markup(BLOCK_CLOSES)


def _html_section(section: Section, tables: Iterator[int], figures: Iterator[int]) -> _HtmlSection:
    """A section with its tables and figures, which take their numbers as they come."""
    return _HtmlSection(
        heading=section.heading,
        sentences=section.sentences,
        tables=[html_table(table, _rows, next(tables)) for table in section.tables],
        figures=[_html_figure(figure, next(figures)) for figure in section.figures],
        explanations=[EXPLANATIONS[topic] for topic in _known_topics([section])],
    )


def _html_figure(figure: Figure, number: int) -> _HtmlFigure:
    from .figures.style import themed

    spec = themed(figure, "currentColor", "transparent")
    return _HtmlFigure(
        number=number,
        name=spec.get("name", "figure"),
        title=_title(spec),
        description=spec.get("description", ""),
        packed=packed(spec),
    )


def _title(spec: Mapping[str, Any]) -> str:
    """A figure's title, which Vega-Lite also takes as lines, or with a look of its own."""
    title = spec.get("title", "")
    text = title.get("text", "") if isinstance(title, Mapping) else title
    return text if isinstance(text, str) else " ".join(text)


def _methods(sections: Iterable[Section]) -> dict[str, Any]:
    """How the sections' results were made, and the papers that say so."""
    topics = _known_topics(sections)
    methods = [EXPLANATIONS[topic] for topic in topics if EXPLANATIONS[topic].method]
    references = references_of(topics)
    return {
        "methods": methods,
        "references": references,
        "has_methods": bool(methods or references),
    }


def _known_topics(sections: Iterable[Section]) -> list[str]:
    """Each topic once, in the order of the page; one without a word said of it has no place."""
    topics = dict.fromkeys(topic for section in sections for topic in section.topics)
    return [topic for topic in topics if topic in EXPLANATIONS]


def _systems(sections: Iterable[Section]) -> list[str]:
    """Systems that a reader can pick, in the order in which the tables name them."""
    records = (r for section in sections for table in section.tables for r in table.records)
    named = (record.get(key) for record in records for key in ("system", "baseline"))
    return [name for name in dict.fromkeys(named) if isinstance(name, str)]


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


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("irbounds.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _rows(table: Any) -> Markup:
    """A table's rows by the template's own macro, so that there is one way to write a row."""
    module = _environment().get_template("rows.html.jinja").module
    return Markup(module.rows(table))  # type: ignore[attr-defined]


def _file(name: str) -> str:
    return files("irbounds.report").joinpath("templates", name).read_text(encoding="utf-8")


@cache
def _vega() -> str:
    """All that draws figures, as one script that gives the page ``vegaEmbed`` and no other name."""
    import vl_convert

    return f"{{{vl_convert.javascript_bundle('window.vegaEmbed = vegaEmbed;')}}}"


def _script(code: str) -> Markup:
    """Code that no parser of HTML can take for its own end."""
    return Markup(re.sub(r"<(?=/script|script|!--)", r"\\x3c", code, flags=re.IGNORECASE))


def _json_for_script(text: str) -> Markup:
    """JSON that holds no markup; of names that no Unicode text can hold, the halves as escapes."""
    return Markup(
        re.sub("[<>&\ud800-\udfff\u2028\u2029]", lambda found: f"\\u{ord(found[0]):04x}", text)
    )


def _policy(scripts: Iterable[str], style: str) -> str:
    allowed = " ".join(_fingerprint(script) for script in scripts)
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {allowed}",
            f"style-src {_fingerprint(style)}",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _fingerprint(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"
