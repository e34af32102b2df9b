"""Figures: results in, an Altair chart out, one function a figure.

A chart carries its own ``name`` (what its file is called), ``title`` (its caption) and
``description`` (its alternative text), and no colours of background or text: those belong to where
it is shown, white paper in a file, the reader's own light or dark in a page. ``style`` has the
palette and what all figures share, ``export`` writes files. The modules here load altair, so only
what draws imports them.
"""

from __future__ import annotations

__all__ = ["FIGURE_ENDINGS"]

#: of files that a figure can be written to
FIGURE_ENDINGS = (".png", ".svg", ".pdf", ".html", ".json")
