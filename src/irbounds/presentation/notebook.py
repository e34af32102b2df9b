"""Results in a notebook: sentences and tables as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from .html.tables import table_html
from .pages import Section


def html_of(
    sections: Sequence[Section], lines: Sequence[str] = (), warnings: Sequence[str] = ()
) -> str:
    """Return sentences, tables and conclusions as HTML; empty results say that they are."""
    parts = [f"<p>{escape(line)}</p>" for line in lines]
    for place, section in enumerate(sections):
        said = [*section.sentences, *(() if place else warnings)]
        parts += [f"<p>{escape(line)}</p>" for line in said]
        parts += [table_html(table) for table in section.tables]
        parts += [f"<p>{escape(line)}</p>" for line in section.conclusion]
    if not parts:
        return "<p>no results</p>"
    return f'<div style="overflow-x:auto">{"".join(parts)}</div>'
