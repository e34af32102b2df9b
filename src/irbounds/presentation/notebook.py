"""How results look in a notebook: sentences and tables as HTML, or their main figure.

Results of several kinds are shown kind by kind; ``kinds`` says how each one looks.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING, Any

from ..errors import ParameterError
from .html.tables import table_html
from .kinds import KINDS, Look
from .tables import Table

if TYPE_CHECKING:
    from .figures.style import Figure

__all__ = ["figure_of", "html_of", "tables_of"]


def html_of(results: Iterable[Any]) -> str:
    """Sentences and tables as HTML; empty results say that they are."""
    shown = list(results)
    if not shown:
        return "<p>no results</p>"
    parts = []
    for look, part in _by_kind(shown):
        parts += [f"<p>{escape(sentence)}</p>" for sentence in look.sentences(part)]
        parts += [table_html(table) for table in look.tables(part)]
    return f'<div style="overflow-x:auto">{"".join(parts)}</div>'


def tables_of(results: Iterable[Any]) -> list[Table]:
    """The tables that the results' commands show, kind by kind."""
    return [table for look, part in _by_kind(results) for table in look.tables(part)]


def figure_of(results: Iterable[Any], **options: Any) -> Figure:
    """The main figure of the first kind among the results, with the colours of paper."""
    shown = list(results)
    if not shown:
        raise ParameterError("no results, so no figure")
    look, part = _by_kind(shown)[0]
    if not look.is_single:
        return look.draw()(part, **options)
    if len(part) > 1:
        name = type(part[0]).__name__
        raise ParameterError(f"a figure is of one {name}; got {len(part)}: plot each")
    return look.draw()(part[0], **options)


def _by_kind(results: Iterable[Any]) -> list[tuple[Look, list[Any]]]:
    parts: dict[type, list[Any]] = {}
    for result in results:
        parts.setdefault(_kind_of(result), []).append(result)
    return [(KINDS[kind], part) for kind, part in parts.items()]


def _kind_of(result: Any) -> type:
    for kind in KINDS:
        if isinstance(result, kind):
            return kind
    names = ", ".join(kind.__name__ for kind in KINDS)
    raise ParameterError(f"what can be shown is {names}; got {type(result).__name__}")
