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
from . import FIGURE_ENDINGS
from .style import Figure, join_title

PIXELS_PER_INCH = 192.0  # twice a screen's, which a printed column needs
LETTER = 7.6  # pixels of a title's character, on average
VIEW = 300  # pixels of a view whose width is not given
NARROWEST = 0.2  # of a figure's usual plots: what --width can reduce them to
MAX_STEPS = 6  # of the search for a width


def figure_bytes(
    figure: Figure, ending: str, *, width: int | None = None, title: str | None = None
) -> bytes:
    """Return the content of a file with this extension."""
    if ending not in FIGURE_ENDINGS:
        known = ", ".join(FIGURE_ENDINGS)
        raise ParameterError(f"a figure's file must end in one of {known}; got {ending!r}")
    spec = (figure if title is None else replace(figure, title=title)).to_dict()
    try:
        if width is not None:
            spec = _fitted(spec, check_count("width", width))
        return DRAWN[ending](spec)
    except ParameterError:
        raise
    except ValueError as error:  # vl-convert's, with all that JavaScript has to say of it
        said = " ".join(str(error).split("\n    at ")[0].split())
        raise IrboundsError(f"figure {figure.name}: it cannot be drawn: {said}") from error


def _fitted(spec: dict[str, Any], width: int) -> dict[str, Any]:
    """Return the specification with plots so wide that the whole figure has this width.

    Labels keep their size, so the total is nearly linear in the width of the plots.
    """
    lines = textwrap.wrap(join_title(spec), max(10, int(width / LETTER)))
    if len(lines) > 1:
        spec = {**spec, "title": lines}
    least = _total(_scaled(spec, NARROWEST))
    if width < least:
        raise ParameterError(f"width must be at least {ceil(least)} for this figure; got {width}")
    factor, last, total = 1.0, NARROWEST, least
    for _ in range(MAX_STEPS):
        made = _scaled(spec, factor)
        now = _total(made)
        if abs(now - width) < 1 or now == total:
            break
        slope = (now - total) / (factor - last)
        last, total = factor, now
        factor = max(NARROWEST, factor + (width - now) / slope)
    return made


def _total(spec: dict[str, Any]) -> float:
    """Return the width of the whole figure in pixels."""
    found = re.search(r'<svg[^>]* width="([0-9.]+)"', vl_convert.vegalite_to_svg(spec))
    return float(found[1]) if found else 0.0


def _scaled(spec: dict[str, Any], factor: float) -> dict[str, Any]:
    """Return the specification with the width of every plot multiplied."""
    made = dict(spec)
    for key in ("hconcat", "vconcat"):
        if key in spec:
            return {**made, key: [_scaled(part, factor) for part in spec[key]]}
    width = spec.get("width", VIEW)
    if isinstance(width, dict):
        made["width"] = {**width, "step": width["step"] * factor}
    else:
        made["width"] = width * factor
    return made


def _png(spec: dict[str, Any]) -> bytes:
    return bytes(vl_convert.vegalite_to_png(spec, scale=1, ppi=PIXELS_PER_INCH))


def _svg(spec: dict[str, Any]) -> bytes:
    return vl_convert.vegalite_to_svg(spec).encode()


def _pdf(spec: dict[str, Any]) -> bytes:
    return bytes(vl_convert.vegalite_to_pdf(spec))


def _html(spec: dict[str, Any]) -> bytes:
    """A page that runs no script but its own, whatever names the figure holds."""
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


def _json(spec: dict[str, Any]) -> bytes:
    return (json.dumps(spec, indent=2) + "\n").encode()


DRAWN: dict[str, Callable[[dict[str, Any]], bytes]] = {
    ".png": _png,
    ".svg": _svg,
    ".pdf": _pdf,
    ".html": _html,
    ".json": _json,
}
