"""Figures: results in, a ``Figure`` out, one function per figure.

A figure carries its ``name`` (of its file), ``title`` (its caption) and ``description`` (its
alternative text). Colours of background and text belong to where it is shown: white paper in a
file, the reader's light or dark scheme in a page. ``vega`` builds specifications, ``style`` has the
palette and what all figures share, ``export`` writes files.
"""

from __future__ import annotations

__all__ = ["FIGURE_ENDINGS", "MAX_SYSTEMS"]

#: of files that a figure can be written to
FIGURE_ENDINGS = (".png", ".svg", ".pdf", ".html", ".json")
MAX_SYSTEMS = 40  # rows of a panel, unless ``top`` says otherwise
