"""The ``Figure`` class, and colours, sizes, legends and tooltips of all figures.

The colours are those of Okabe and Ito, which people of every colour vision can distinguish, without
the yellow, which is too light for a line on white. Colour is never the only difference: marks also
differ in shape, position or label.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any, Literal

from ...atomic_write import write_atomically
from ...errors import ParameterError
from ..escaping import make_drawable
from . import vega


@dataclass(frozen=True)
class Figure:
    """A figure with its name, title and description, which notebooks display.

    Examples
    --------
    >>> from irbounds import mean_interval
    >>> figure = mean_interval([0.1, 0.5, 0.4, 0.0], method="student-t").plot()
    >>> figure.name, figure.to_dict()["description"] == figure.description
    ('means-score', True)
    """

    name: str
    title: str
    description: str
    chart: vega.Chart = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Return the complete Vega-Lite specification, dark on white."""
        return make_spec(self, INK, PAPER)

    def save(self, path: str | PathLike[str]) -> None:
        """Write a file; its extension (.png, .svg, .pdf, .html, .json) decides the format."""
        from .export import figure_bytes

        file = Path(path)
        content = figure_bytes(self, file.suffix.lower())
        with write_atomically(file) as written:
            written.write(content)

    def svg(self) -> str:
        """Return the figure as SVG."""
        from .export import figure_bytes

        return figure_bytes(self, ".svg").decode()

    def to_altair(self) -> Any:
        """Return an Altair chart, which can be changed further."""
        try:
            import altair
        except ImportError:
            raise ParameterError("to_altair() needs altair, which is not installed") from None
        return altair.Chart.from_dict(self.to_dict())

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        """Return the forms for notebooks: JupyterLab draws the specification, others the SVG."""
        return {
            NOTEBOOK_TYPE: {**self.to_dict(), "$schema": NOTEBOOK_SCHEMA},
            "image/svg+xml": self.svg(),
            "text/plain": self.description,
        }


INK, PAPER = "#1a1a1a", "white"  # of files and notebooks
#: of the Vega-Lite that JupyterLab 4 contains
NOTEBOOK_TYPE = "application/vnd.vegalite.v5+json"
NOTEBOOK_SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"

#: in the order in which series use them; the first four and the grey have a contrast of 3:1 or
#: more on white and on near-black, the sky blue and the orange only 2.3:1 on white
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#7F7F7F")
#: of the subject of a figure, of what it is compared with, and of guides
EMPHASIS, CONTRAST, QUIET = COLOURS[0], COLOURS[1], COLOURS[-1]

WIDTH = 560  # pixels of a plot's inside
ROW = 16  # pixels of a system's row
CHOSEN = "chosen"  # the parameter with the system that a reader has selected; empty for none
FADED = 0.25  # opacity of all other systems
THIN_LINE = "M-1,-0.1H1V0.1H-1Z"  # symbols of a legend are filled, so a line is a thin area
LINE = "M-1,-0.25H1V0.25H-1Z"
DASHED_LINE = "M-1,-0.1H-0.25V0.1H-1ZM0.25,-0.1H1V0.1H0.25Z"
TICK = "M-0.2,-1H0.2V1H-0.2Z"
DASH = [4, 3]  # pixels of a line that shows no data

_FONT = {"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal"}
_CONFIG: dict[str, dict[str, Any]] = {
    "axis": {**_FONT, "gridOpacity": 0.15, "labelFlush": False, "labelLimit": 220},
    "axisQuantitative": {"tickCount": 4},  # of which Vega makes three to six
    "legend": {**_FONT, "labelLimit": 260},
    "header": {"labelFontSize": 12, "titleFontSize": 12},
    "title": {"fontSize": 14, "fontWeight": "bold", "anchor": "start", "offset": 12},
    "view": {"stroke": None},
    "range": {"category": list(COLOURS)},
}


def values(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return rows as data of a chart; NaN and infinity become null, which is not drawn."""
    return [{k: _convert(v) for k, v in row.items()} for row in rows]


def _convert(value: Any) -> Any:
    if hasattr(value, "item"):  # a numpy scalar
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value


def highlight(*fields: str) -> Any:
    """Return the opacity of marks of systems: full for all, or only for the selected system.

    ``fields`` contain the systems that a mark belongs to, by default ``system``.
    """
    own = (f"datum[{field!r}] === {CHOSEN}" for field in fields or ("system",))
    picked = " || ".join((f"{CHOSEN} === ''", *own))
    return vega.condition(picked, 1, FADED)


def colour_scale(names: Iterable[str]) -> dict[str, Any]:
    """Return a scale with one colour per name, by the order of the names."""
    domain = list(names)
    return dict(domain=domain, range=[COLOURS[k % len(COLOURS)] for k in range(len(domain))])


def make_legend(entries: Iterable[tuple[str, str, str]]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the colour and shape channels that make one legend from the field ``entry``.

    Each entry has a text, a colour and a symbol. Every layer takes the colour. One layer of points
    must take the shape, because a legend shows symbols of points only.
    """
    words, colours, shapes = (list(part) for part in zip(*entries, strict=True))
    legend = dict(orient="top", title=None, labelLimit=0, symbolOpacity=1)
    return (
        vega.channel("entry:N", scale=dict(domain=words, range=colours), legend=legend),
        vega.channel("entry:N", scale=dict(domain=words, range=shapes), legend=legend),
    )


def tooltips(
    names: Mapping[str, str] | Iterable[str] = (),
    numbers: Mapping[str, str] | Iterable[str] = (),
    form: int | str = 4,
) -> list[dict[str, Any]]:
    """Return tooltips: fields with their titles, which are by default the names.

    ``form`` is the number of decimals, or a d3 format.
    """
    shape = f".{form}f" if isinstance(form, int) else form
    return [
        *(vega.channel(f"{name}:N", title=title) for name, title in _pair_titles(names)),
        *(
            vega.channel(f"{name}:Q", title=title, format=shape)
            for name, title in _pair_titles(numbers)
        ),
    ]


def _pair_titles(fields: Mapping[str, str] | Iterable[str]) -> list[tuple[str, str]]:
    if isinstance(fields, Mapping):
        return list(fields.items())
    return [(name, name) for name in fields]


def draw_reference_line(
    place: float,
    along: Literal["x", "y"] = "x",
    *,
    called: str = "",
    colour: str | None = QUIET,
    **axis: Any,
) -> vega.Chart:
    """Return a dashed line across the plot, at a value that data are compared with.

    ``called`` is its name in a tooltip. ``colour`` is None if a legend sets it. ``axis`` has the
    properties of the axis that other layers have too.
    """
    look: dict[str, Any] = {} if colour is None else {"color": colour}
    line = vega.Chart(values([{"place": place}])).mark_rule(
        strokeDash=DASH, strokeWidth=1.5, **look
    )
    channel = (vega.X if along == "x" else vega.Y)("place:Q", **axis)
    tooltip = {"tooltip": tooltips((), {"place": called}, ".4~g")} if called else {}
    return line.encode(**{along: channel}, **tooltip)


def make_figure(chart: vega.Chart, *, name: str, title: str, description: str) -> Figure:
    """Return a chart as a figure; called last, on the outermost chart.

    ``description`` is for readers who cannot see the figure: what is drawn and what it shows.
    """
    # nDCG@10 is no valid file name or id
    plain = re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")
    chosen = chart.add_params({"name": CHOSEN, "value": ""})
    return Figure(plain, title, description, chosen)


def make_spec(figure: Figure, ink: str | None = None, paper: str | None = None) -> dict[str, Any]:
    """Return a figure's specification with its style, in these colours of text and background.

    A page sets ``ink`` to ``currentColor``, so that its style sheet decides. Files are dark on
    white.
    """
    words = {"name": figure.name, "description": figure.description}
    if figure.title:
        words["title"] = figure.title
    spec: dict[str, Any] = _make_drawable_spec({**figure.chart.to_dict(), **words})
    _keep_one_grid(spec)
    config = {part: dict(shape) for part, shape in _CONFIG.items()}
    if ink:
        config["axis"] |= dict.fromkeys(("domainColor", "tickColor", "gridColor"), ink)
        for part in ("axis", "legend", "header"):
            config[part] |= {"labelColor": ink, "titleColor": ink}
        config["title"] |= {"color": ink}
    spec["config"] = {**config, "background": paper, "font": "sans-serif"}
    return spec


def _keep_one_grid(spec: dict[str, Any]) -> None:
    """Keep only the grid lines of y if both axes of a view are quantitative."""
    for part in (*spec.get("hconcat", ()), *spec.get("vconcat", ())):
        _keep_one_grid(part)
    channels = [view.get("encoding", {}) for view in spec.get("layer", (spec,))]
    if any(channel.get("y", {}).get("type") == "quantitative" for channel in channels):
        for channel in channels:
            x = channel.get("x", {})
            if x.get("type") == "quantitative" and x.get("axis", {}) is not None:
                x["axis"] = {"grid": False, **x.get("axis", {})}


def join_title(spec: Mapping[str, Any]) -> str:
    """Return the title of a specification, which may be missing or have several lines."""
    title = spec.get("title", "")
    return title if isinstance(title, str) else " ".join(title)


def _make_drawable_spec(part: Any) -> Any:
    """Return a specification in which every name can be drawn, wherever it occurs."""
    if isinstance(part, str):
        return make_drawable(part)
    if isinstance(part, list):
        return [_make_drawable_spec(item) for item in part]
    return {k: _make_drawable_spec(v) for k, v in part.items()} if isinstance(part, dict) else part
