"""Figures as files: PNG, SVG, PDF, an HTML page, or the specification.

vl-convert contains all of Vega, so no browser and no network is needed, neither to write a file nor
to open the page.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Callable
from dataclasses import replace
from math import ceil
from typing import Any

import vl_convert
from markupsafe import Markup

from ...errors import IrboundsError, ParameterError
from ...validation import check_count
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
CHARACTER = 7.6  # pixels of a title's character, on average
VIEW = 300  # pixels of a view whose width is not given
MIN_FACTOR = 0.2  # of the usual width of plots: --width reduces them no further
MAX_STEPS = 6  # of the search for a width


def figure_bytes(
    figure: Figure, ending: str, *, width: int | None = None, title: str | None = None
) -> bytes:
    """Return the content of a file with this extension."""
    if ending not in FIGURE_EXTENSIONS:
        known = ", ".join(FIGURE_EXTENSIONS)
        raise ParameterError(f"a figure's file must end in one of {known}; got {ending!r}")
    spec = (figure if title is None else replace(figure, title=title)).to_dict()
    try:
        if width is not None:
            spec = _fit_width(spec, check_count("width", width))
        return WRITERS[ending](spec)
    except ParameterError:
        raise
    except ValueError as error:  # of vl-convert, with a JavaScript stack trace
        reason = " ".join(str(error).split("\n    at ")[0].split())
        raise IrboundsError(f"figure {figure.name}: cannot be drawn: {reason}") from error


def _fit_width(spec: dict[str, Any], width: int) -> dict[str, Any]:
    """Return the specification with plots scaled so that the whole figure has this width.

    Labels keep their size, so the total is nearly linear in the width of the plots.
    """
    lines = textwrap.wrap(join_title(spec), max(10, int(width / CHARACTER)))
    if len(lines) > 1:
        spec = {**spec, "title": lines}
    smallest = _measure_width(_scale_plots(spec, MIN_FACTOR))
    if width < smallest:
        raise ParameterError(
            f"width must be at least {ceil(smallest)} for this figure; got {width}"
        )
    factor, last, total = 1.0, MIN_FACTOR, smallest
    for _ in range(MAX_STEPS):
        scaled = _scale_plots(spec, factor)
        now = _measure_width(scaled)
        if abs(now - width) < 1 or now == total:
            break
        slope = (now - total) / (factor - last)
        last, total = factor, now
        factor = max(MIN_FACTOR, factor + (width - now) / slope)
    return scaled


def _measure_width(spec: dict[str, Any]) -> float:
    """Return the width of the whole figure in pixels."""
    match = re.search(r'<svg[^>]* width="([0-9.]+)"', vl_convert.vegalite_to_svg(spec))
    return float(match[1]) if match else 0.0


def _scale_plots(spec: dict[str, Any], factor: float) -> dict[str, Any]:
    """Return the specification with the width of every plot multiplied."""
    scaled = dict(spec)
    for key in ("hconcat", "vconcat"):
        if key in spec:
            return {**scaled, key: [_scale_plots(part, factor) for part in spec[key]]}
    width = spec.get("width", VIEW)
    if isinstance(width, dict):
        scaled["width"] = {**width, "step": width["step"] * factor}
    else:
        scaled["width"] = width * factor
    return scaled


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
