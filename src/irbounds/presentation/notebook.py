"""Results in a notebook: sentences and tables as HTML."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Any

from .html.tables import table_html
from .registry import View, by_presentation, warnings_of
from .terminal_tables import detail_line


def html_of(results: Iterable[Any]) -> str:
    """Return sentences, tables and conclusions as HTML; empty results say that they are."""
    parts = []
    for found, part in by_presentation(results):
        lines = [*found.sentences(part, View()), *warnings_of(part)]
        parts += [f"<p>{escape(line)}</p>" for line in lines]
        tables = found.make_tables(part, View())
        parts += [table_html(table) for table in tables if not table.is_detail]
        below = [*found.conclusion(part, View()), detail_line(tables)]
        parts += [f"<p>{escape(line)}</p>" for line in below if line]
    if not parts:
        return "<p>no results</p>"
    return f'<div style="overflow-x:auto">{"".join(parts)}</div>'
