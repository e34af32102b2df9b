"""The rows of a table as HTML, for pages and notebooks alike: escaped, and fit to be read aloud.

Every heading says what it is a heading of, the first cell of a row is the row's, and numbers are
told from words. How these look is the caller's: a page has classes and a style sheet, a notebook
has neither and sets it beside each cell.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from .bar_svg import bar_svg
from .bars import BarScale, bar_scale
from .tables import Table

__all__ = ["HtmlLook", "HtmlRows"]

LONG = 32  # letters: a cell of more may be broken
DIGEST = re.compile("(sha256:)?[0-9a-f]{32,}")


@dataclass(frozen=True)
class HtmlLook:
    """Attributes of cells, as markup with a blank before it."""

    word: str = ""
    #: of a cell that may take several lines
    long_word: str = ""
    number: str = ""
    #: of a file's fingerprint
    digest: str = ""
    bar: str = ""
    #: of the scale above the bars, and of the word between its ends
    ends: str = ""
    between: str = ""
    #: whether bars stand after all cells, or before the first number
    has_bars_last: bool = False


class HtmlRows:
    """A table's rows, one at a time; all bars on one scale."""

    def __init__(self, table: Table, look: HtmlLook) -> None:
        self.table, self.look = table, look
        self.scale: BarScale | None = bar_scale(table.bars)

    def head(self) -> str:
        """The row of headings, with the ends of the scale above the bars."""
        cells = [
            f'<th scope="col"{self._side(place)}>{escape(heading)}</th>'
            for place, heading in enumerate(self.table.headings)
        ]
        bar = f'<th scope="col"{self.look.bar}>{self._ends(self.scale)}</th>' if self.scale else ""
        return f"<tr>{self._joined(cells, bar)}</tr>"

    def row(self, number: int, attributes: str = "") -> str:
        """One row; ``attributes`` are its own, as markup with a blank before it."""
        first, *others = (
            f"{self._side(place, cell)}>{escape(cell)}"
            for place, cell in enumerate(self.table.cells[number])
        )
        cells = [f'<th scope="row"{first}</th>', *(f"<td{other}</td>" for other in others)]
        bar = f"<td{self.look.bar}>{self._bar(number, self.scale)}</td>" if self.scale else ""
        return f"<tr{attributes}>{self._joined(cells, bar)}</tr>"

    def _joined(self, cells: Sequence[str], bar: str) -> str:
        place = len(cells) if self.look.has_bars_last else self.table.first_number
        return "".join((*cells[:place], bar, *cells[place:]))

    def _side(self, place: int, cell: str = "") -> str:
        if DIGEST.fullmatch(cell):
            return self.look.digest or self.look.long_word
        if place >= self.table.first_number:
            return self.look.number
        return self.look.long_word if len(cell) > LONG else self.look.word

    def _ends(self, scale: BarScale) -> str:
        low, high = scale.texts
        between = f"<span{self.look.between}> to </span>"
        return f"<span{self.look.ends}><span>{low}</span>{between}<span>{high}</span></span>"

    def _bar(self, number: int, scale: BarScale) -> str:
        return bar_svg(scale.parts(self.table.bars[number]))
