"""Figures: results in, a ``Figure`` out, one function per figure.

A figure carries its ``name`` (of its file), ``title`` (its caption) and ``description`` (its
alternative text). The colours of background and text depend on where it is shown: white in a file,
the reader's light or dark scheme in a page.

``vega`` builds specifications, ``style`` has the palette and the ``Figure``, ``export`` writes
files. ``shapes``, ``boxes`` and ``dots`` are shapes that figures have in common.
"""

from __future__ import annotations

#: extensions of files that a figure can be written to
FIGURE_EXTENSIONS = (".png", ".svg", ".pdf", ".html", ".json")
MAX_SYSTEMS = 40  # rows of a panel, by default
