"""A small interval bar as a picture among text, for pages and notebooks.

Its colour is that of the text around it, unless a style sheet says otherwise. Readers of a screen
have the same numbers in the row's cells, so the picture is hidden from them.
"""

from __future__ import annotations

from .bars import BarParts

__all__ = ["WIDTH", "bar_svg"]

WIDTH, HEIGHT = 110, 12  # pixels
MARGIN = 5  # keeps a dot at the edge whole
MIDDLE = HEIGHT // 2
ARROW = 4  # how far the two strokes of an arrowhead reach
INK = 'stroke="currentColor" fill="none"'


def bar_svg(parts: BarParts) -> str:
    """One bar; nothing where there is nothing to draw."""
    drawn = f"{_zero(parts)}{_line(parts)}{_value(parts)}"
    if not drawn:
        return ""
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
    return f'<svg {size} aria-hidden="true" focusable="false">{drawn}</svg>'


def _zero(parts: BarParts) -> str:
    if parts.zero is None:
        return ""
    across = f'd="M{_place(parts.zero)} 0V{HEIGHT}"'
    return f'<path class="zero" {across} {INK} stroke-dasharray="2 2"/>'


def _line(parts: BarParts) -> str:
    """From end to end, with an arrowhead where there is none."""
    if parts.line is None:
        return ""
    low, high = map(_place, parts.line)
    path = f"M{low} {MIDDLE}H{high}"
    if parts.is_open_low:
        path += _arrow(low, ARROW)
    if parts.is_open_high:
        path += _arrow(high, -ARROW)
    return f'<path d="{path}" {INK} stroke-width="2"/>'


def _arrow(tip: float, back: int) -> str:
    return f"M{tip + back} {MIDDLE - ARROW}L{tip} {MIDDLE}L{tip + back} {MIDDLE + ARROW}"


def _value(parts: BarParts) -> str:
    if parts.value is None:
        return ""
    return f'<circle cx="{_place(parts.value)}" cy="{MIDDLE}" r="3" fill="currentColor"/>'


def _place(share: float) -> float:
    return round(MARGIN + (WIDTH - 2 * MARGIN) * share, 1)
