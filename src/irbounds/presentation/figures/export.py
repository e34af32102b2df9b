"""Figures as files, drawn without a browser: PNG, SVG, PDF, a page, or the specification.

vl-convert holds the whole of Vega, so nothing is fetched: not now, and not when the page is opened,
which is sealed as a report is.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import vl_convert
from markupsafe import Markup

from ...errors import IrboundsError, ParameterError
from ...whole_files import whole_file
from ..html.policy import (
    content_security_policy,
    json_for_script,
    read_template_file,
    script_markup,
    templates,
    vega_script,
)
from . import FIGURE_ENDINGS
from .style import Figure, spec_title, themed

__all__ = ["figure_bytes", "write_figure"]

INK, PAPER = "#1a1a1a", "white"
PIXELS_PER_INCH = 192.0  # twice a screen's, which a printed column needs


def write_figure(figure: Figure, path: Path) -> None:
    """Write a figure in the format that the file's ending names."""
    drawn = figure_bytes(figure, path.suffix.lower())
    with whole_file(path) as file:
        file.write(drawn)


def figure_bytes(figure: Figure, ending: str) -> bytes:
    """A figure as the content of a file with this ending."""
    if ending not in FIGURE_ENDINGS:
        known = ", ".join(FIGURE_ENDINGS)
        raise ParameterError(f"a figure's file must end in one of {known}; got {ending!r}")
    spec = themed(figure, INK, PAPER)
    try:
        return DRAWN[ending](spec)
    except ValueError as error:  # vl-convert's, with all that JavaScript has to say of it
        said = " ".join(str(error).split("\n    at ")[0].split())
        raise IrboundsError(f"figure {spec.get('name', '')}: it cannot be drawn: {said}") from error


def _png(spec: dict[str, Any]) -> bytes:
    return bytes(vl_convert.vegalite_to_png(spec, scale=1, ppi=PIXELS_PER_INCH))


def _svg(spec: dict[str, Any]) -> bytes:
    return vl_convert.vegalite_to_svg(spec).encode()


def _pdf(spec: dict[str, Any]) -> bytes:
    return bytes(vl_convert.vegalite_to_pdf(spec))


def _html(spec: dict[str, Any]) -> bytes:
    """A page that runs no script but its own, whatever names the figure holds."""
    scripts = [script_markup(script) for script in (vega_script(), read_template_file("figure.js"))]
    style = Markup(read_template_file("figure.css"))
    page = templates().get_template("figure.html.jinja")
    return page.render(
        title=spec_title(spec),
        description=spec.get("description", ""),
        specification=json_for_script(json.dumps(spec)),
        scripts=scripts,
        style=style,
        policy=content_security_policy(scripts, style),
    ).encode()


def _json(spec: dict[str, Any]) -> bytes:
    return (json.dumps(spec, indent=2) + "\n").encode()


DRAWN: dict[str, Callable[[dict[str, Any]], bytes]] = {
    ".png": _png,
    ".svg": _svg,
    ".pdf": _pdf,
    ".html": _html,
    ".json": _json,
}
