"""Results in a notebook: sentences and tables as HTML."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Any

from .html.tables import table_html
from .registry import View, by_presentation, warnings_of


def html_of(results: Iterable[Any]) -> str:
    """Return sentences, tables and conclusions as HTML; empty results say that they are."""
    parts = []
    for found, part in by_presentation(results):
        lines = [*found.sentences(part, View()), *warnings_of(part)]
        parts += [f"<p>{escape(line)}</p>" for line in lines]
        parts += [table_html(table) for table in found.make_tables(part, View())]
        parts += [f"<p>{escape(line)}</p>" for line in found.conclusion(part, View())]
    if not parts:
        return "<p>no results</p>"
    return f'<div style="overflow-x:auto">{"".join(parts)}</div>'
