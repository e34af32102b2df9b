"""Figures as files: PNG, SVG, PDF, an HTML page, or the specification.

vl-convert contains all of Vega, so no browser and no network is needed, neither to write a file nor
to open the page.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import vl_convert
from markupsafe import Markup

from ...errors import IrboundsError, ParameterError
from ..html.content_security_policy import (
    content_security_policy,
    json_for_script,
    read_template_file,
    script_markup,
    templates,
    vega_script,
)
from . import FIGURE_EXTENSIONS
from .style import Figure, join_title

PIXELS_PER_INCH = 192.0  # twice a screen's, which a printed column needs


def figure_bytes(figure: Figure, ending: str) -> bytes:
    """Return the content of a file with this extension."""
    if ending not in FIGURE_EXTENSIONS:
        known = ", ".join(FIGURE_EXTENSIONS)
        raise ParameterError(f"a figure's file must end in one of {known}; got {ending!r}")
    try:
        return WRITERS[ending](figure.to_dict())
    except ValueError as error:  # of vl-convert, with a JavaScript stack trace
        reason = " ".join(str(error).split("\n    at ")[0].split())
        raise IrboundsError(f"figure {figure.name}: cannot be drawn: {reason}") from error


def _write_png(spec: dict[str, Any]) -> bytes:
    return bytes(vl_convert.vegalite_to_png(spec, scale=1, ppi=PIXELS_PER_INCH))


def _write_svg(spec: dict[str, Any]) -> bytes:
    return vl_convert.vegalite_to_svg(spec).encode()


def _write_pdf(spec: dict[str, Any]) -> bytes:
    return bytes(vl_convert.vegalite_to_pdf(spec))


def _write_html(spec: dict[str, Any]) -> bytes:
    """Return a page that runs only its own scripts, whatever names the figure contains."""
    scripts = [script_markup(script) for script in (vega_script(), read_template_file("figure.js"))]
    style = Markup(read_template_file("figure.css") + read_template_file("tooltip.css"))
    page = templates().get_template("figure.html.jinja")
    return page.render(
        title=join_title(spec),
        description=spec.get("description", ""),
        specification=json_for_script(json.dumps(spec)),
        scripts=scripts,
        style=style,
        policy=content_security_policy(scripts, style),
    ).encode()


def _write_json(spec: dict[str, Any]) -> bytes:
    return (json.dumps(spec, indent=2) + "\n").encode()


WRITERS: dict[str, Callable[[dict[str, Any]], bytes]] = {
    ".png": _write_png,
    ".svg": _write_svg,
    ".pdf": _write_pdf,
    ".html": _write_html,
    ".json": _write_json,
}
