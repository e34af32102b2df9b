"""Figures of a page: panels that a grid can wrap, each with a compact SVG that needs no script.

An SVG is drawn by vl_convert and rewritten with known elements and attributes only, coordinates to
a tenth of a pixel, ids that are unique on the page, and no style attributes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from typing import Any
from xml.etree import ElementTree

from markupsafe import Markup

from ..figures import vega
from ..figures.style import CONTRAST, EMPHASIS, WIDTH, Figure, make_figure, make_spec, tooltips
from ..rounding import shortest
from .content_security_policy import pack

MAX_CHARACTER_WIDTH = 12  # pixels of a character of a label
OF_CONCATENATIONS = frozenset(("hconcat", "vconcat", "title", "spacing", "resolve"))
#: channels whose scales belong to one panel
UNSHARED = frozenset(("x", "y", "x2", "y2", "xOffset", "yOffset", "text", "detail", "order"))
ELEMENTS = frozenset(
    (
        *("svg", "g", "path", "line", "rect", "circle", "text", "tspan"),
        *("defs", "clipPath", "linearGradient", "stop"),
    )
)
#: attributes that child elements inherit
INHERITED = (
    *("fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity"),
    *("stroke-linecap", "stroke-linejoin", "stroke-miterlimit"),
    *("font-family", "font-size", "font-style", "font-weight", "text-anchor"),
)
GEOMETRY = frozenset(
    (
        *("d", "transform", "x", "y", "x1", "x2", "y1", "y2", "dx", "dy", "cx", "cy", "r"),
        *("width", "height", "viewBox"),
    )
)
ATTRIBUTES = GEOMETRY.union(
    INHERITED,
    ("opacity", "id", "clip-path", "offset", "stop-color", "gradientUnits", "display"),
)
DEFAULTS = {"opacity": "1", "transform": "translate(0,0)"}
CIRCLE = re.compile(r"M([\d.]+),0A\1,\1,0,1,1,-\1,0A\1,\1,0,1,1,\1,0")
TRANSLATION = re.compile(r"translate\(([-\d.e]+),([-\d.e]+)\)")
DECIMALS = re.compile(r"-?\d*\.\d{2,}(?:e[-+]?\d+)?|-?\d+e[-+]?\d+")
REFERENCE = re.compile(r"url\(#([^)]*)\)")


@dataclass(frozen=True)
class HtmlFigure:
    """A figure of a page, for its template."""

    number: int
    name: str
    title: str
    description: str
    #: the title and the SVG of each panel
    panels: list[tuple[str, Markup]]
    #: the specification of the whole figure
    payload: str


def make_html_figure(figure: Figure, number: int) -> HtmlFigure:
    """Return a figure with its specification as payload and its panels as SVG."""
    spec = _make_page_spec(figure)
    parts = list(_list_panels(spec)) if _is_concatenation(spec) else []
    around = {key: part for key, part in spec.items() if key not in OF_CONCATENATIONS}
    whole = [("", {**spec, "title": None})]
    panels = [(_join_title(part), {**around, **part, "title": None}) for part in parts] or whole
    drawn = [
        (title, Markup(_draw(panel, f"f{number}-{place}-")))
        for place, (title, panel) in enumerate(panels)
    ]
    payload = pack({**spec, "usermeta": {"panels": parts}})
    return HtmlFigure(number, figure.name, figure.title, figure.description, drawn, payload)


def _join_title(part: Mapping[str, Any]) -> str:
    title = part.get("title") or ""
    text = title.get("text", "") if isinstance(title, Mapping) else title
    return text if isinstance(text, str) else " ".join(text)


def make_pair_spec() -> dict[str, Any]:
    """Return the sorted differences of two systems per query, for data that a script adds."""
    rows = vega.Chart([])
    bars = rows.mark_bar().encode(
        x=vega.X(
            "query:N", sort=None, title="query", axis=dict(grid=False, labelAngle=-90, ticks=False)
        ),
        y=vega.Y("difference:Q"),
        color=vega.condition("datum.difference < 0", CONTRAST, EMPHASIS),
        tooltip=tooltips(["query"], ["difference", "score", "baseline"]),
    )
    mean = rows.mark_rule(strokeDash=[4, 3], color="currentColor").encode(
        y=vega.Y("difference:Q", aggregate="mean"),
        tooltip=[vega.channel("difference:Q", aggregate="mean", title="mean", format=".4f")],
    )
    chart = vega.layer(bars, mean).properties(width=WIDTH, height=170)
    return _make_page_spec(make_figure(chart, name="pair", title="", description=""))


def _make_page_spec(figure: Figure) -> dict[str, Any]:
    """Return a specification in the colours of the page, without accessibility attributes."""
    spec = make_spec(figure, "currentColor", "transparent")
    spec["config"]["aria"] = False
    return spec


def _is_concatenation(spec: Mapping[str, Any]) -> bool:
    """Return whether a specification has panels that can be drawn separately."""
    parts = spec.get("hconcat") or spec.get("vconcat")
    scales = spec.get("resolve", {}).get("scale", {})
    return (
        bool(parts)
        and "shared" not in scales.values()
        and not _needs_neighbours(parts, set(scales))
    )


def _list_panels(spec: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the panels of a concatenation, and of those in it."""
    for part in spec.get("hconcat") or spec["vconcat"]:
        if _is_concatenation(part):
            yield from _list_panels(part)
        else:
            yield part


def _needs_neighbours(part: Any, independent: set[str]) -> bool:
    """Return whether a panel takes an axis or a domain of colours or shapes from another."""
    if isinstance(part, list):
        return any(_needs_neighbours(item, independent) for item in part)
    if "hconcat" in part:
        return False
    for name, channel in part.get("encoding", {}).items():
        if not isinstance(channel, Mapping):
            continue
        if name == "y" and channel.get("axis", {}) is None:
            return True
        has_domain = "domain" in (channel.get("scale") or {})
        if "field" in channel and not has_domain and name not in UNSHARED | independent:
            return True
    inner = (part[key] for key in ("layer", "vconcat") if key in part)
    return any(_needs_neighbours(item, independent) for item in inner)


def _draw(spec: dict[str, Any], prefix: str) -> str:
    """Return the SVG of a specification; an empty text if it cannot be drawn."""
    import vl_convert

    longest = _find_longest_text(spec.get("datasets", {})) * MAX_CHARACTER_WIDTH
    try:
        text = vl_convert.vegalite_to_svg(json.dumps(_remove_limits(spec, longest)))
    except ValueError:
        return ""
    drawing = _rewrite(ElementTree.fromstring(text), prefix)
    return drawing.text().replace("<svg ", '<svg class="static" ', 1) if drawing else ""


def _find_longest_text(part: Any) -> int:
    if isinstance(part, str):
        return len(part)
    inner = part.values() if isinstance(part, Mapping) else part if isinstance(part, list) else ()
    return max(map(_find_longest_text, inner), default=0)


def _remove_limits(part: Any, longest: float) -> Any:
    """Remove label limits that no label reaches, since measuring one label takes 2 ms."""
    if isinstance(part, list):
        return [_remove_limits(item, longest) for item in part]
    if not isinstance(part, dict):
        return part
    inner = {key: item for key, item in part.items() if key not in ("datasets", "labelLimit")}
    made = {**part, **{key: _remove_limits(item, longest) for key, item in inner.items()}}
    if part.get("labelLimit", 0) >= longest:
        made["labelLimit"] = 0
    return made


@dataclass
class _Element:
    tag: str
    attributes: dict[str, str]
    #: text, or elements that know the text after them
    content: list[_Element | str]

    def text(self) -> str:
        inside = "".join(c if isinstance(c, str) else c.text() for c in self.content)
        if self.tag == "g" and not self.attributes:
            return inside
        words = "".join(f' {key}="{escape(value)}"' for key, value in self.attributes.items())
        return f"<{self.tag}{words}>{inside}</{self.tag}>" if inside else f"<{self.tag}{words}/>"


def _rewrite(element: ElementTree.Element, prefix: str) -> _Element | None:
    """Return a rewritten element; None if it shows nothing or is not known."""
    tag = element.tag.rpartition("}")[2]
    attributes = {
        key: _rewrite_value(key, value, prefix)
        for key, value in element.attrib.items()
        if key in ATTRIBUTES and DEFAULTS.get(key) != value
    }
    is_frame = element.get("class") in ("background", "foreground")
    if tag not in ELEMENTS or attributes.get("display") == "none":
        return None
    if is_frame and not {"fill", "stroke"} & attributes.keys():
        return None
    if tag == "path":
        tag, attributes = _replace_circle(attributes)
    parts = [(_rewrite(child, prefix), child.tail) for child in element]
    children = [part for part, _ in parts if part]
    if tag == "g" and not children:
        return None
    if tag == "g":
        _hoist(attributes, children)
    content: list[_Element | str] = [escape(element.text)] if element.text else []
    for part, tail in parts:
        content += [item for item in (part, escape(tail or "")) if item]
    return _Element(tag, attributes, content)


def _replace_circle(attributes: dict[str, str]) -> tuple[str, dict[str, str]]:
    """Return a path, or the circle that it draws."""
    round_path = CIRCLE.fullmatch(attributes.get("d", ""))
    centre = TRANSLATION.fullmatch(attributes.get("transform", "translate(0,0)"))
    if not round_path or not centre:
        return "path", attributes
    others = {k: v for k, v in attributes.items() if k not in ("d", "transform")}
    return "circle", {"cx": centre[1], "cy": centre[2], "r": round_path[1], **others}


def _hoist(attributes: dict[str, str], children: list[_Element]) -> None:
    """Move inherited attributes that all children have to their parent."""
    for key in INHERITED:
        values = {child.attributes.get(key, "") for child in children}
        if len(values) == 1 and "" not in values:
            attributes[key] = values.pop()
            for child in children:
                del child.attributes[key]


def _rewrite_value(key: str, value: str, prefix: str) -> str:
    if key == "id":
        return f"{prefix}{value}"
    places = 1 if key in GEOMETRY else 3
    rounded = DECIMALS.sub(lambda match: shortest(float(match[0]), places), value)
    return REFERENCE.sub(rf"url(#{prefix}\1)", rounded)
