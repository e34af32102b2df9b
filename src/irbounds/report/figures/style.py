"""What all figures share: colours, sizes, the highlight, and what a finished figure carries.

The colours are those of Okabe and Ito, which people of every colour vision tell apart, less the
yellow, which is too light for a line on white. Meaning is never in colour alone: a figure also
uses shape, place or a label.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

import altair as alt

__all__ = [
    "COLOURS",
    "CONTRAST",
    "EMPHASIS",
    "QUIET",
    "ROW",
    "WIDTH",
    "Figure",
    "colour_scale",
    "finished",
    "highlight",
    "themed",
    "values",
]

Figure: TypeAlias = (
    alt.Chart | alt.LayerChart | alt.FacetChart | alt.HConcatChart | alt.VConcatChart
)

#: in the order in which series take them: the first four and the grey have a contrast of 3:1
#: or more on white and on near-black, the sky blue and the orange on white only 2.3:1
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#7F7F7F")
#: what a figure is about, what it is set against, and what only guides the eye
EMPHASIS, CONTRAST, QUIET = COLOURS[0], COLOURS[1], COLOURS[-1]

WIDTH = 560  # pixels of a plot's inside
ROW = 16  # pixels of a system's row
CHOSEN = "chosen"  # the parameter that holds the system a reader has picked; empty for none
FADED = 0.12  # opacity of all others

_FONT = {"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal"}
_SHAPES: dict[str, dict[str, Any]] = {
    "axis": {**_FONT, "grid": True, "gridOpacity": 0.15, "labelLimit": 220},
    "legend": {**_FONT, "labelLimit": 260},
    "header": {"labelFontSize": 12, "titleFontSize": 12},
    "title": {"fontSize": 14, "fontWeight": "bold", "anchor": "start", "offset": 12},
    "view": {"stroke": None},
    "range": {"category": list(COLOURS)},
}


def values(rows: Iterable[Mapping[str, Any]]) -> alt.InlineData:
    """Rows as a chart's data; what is not known or not bounded is null, which is not drawn."""
    return _Rows(values=[{k: _plain(v) for k, v in row.items()} for row in rows])


class _Rows(alt.InlineData):
    """Rows that all copies of a chart share; altair copies a chart, data and all, at each step."""

    def __deepcopy__(self, memo: object) -> _Rows:
        return self


def _plain(value: Any) -> Any:
    if hasattr(value, "item"):  # a numpy scalar
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value


def highlight(*fields: str) -> Any:
    """Opacity of marks that belong to a system: all full, or one full and the others faint.

    ``fields`` name the systems that a mark belongs to, ``system`` by default.
    """
    own = (f"datum[{field!r}] === {CHOSEN}" for field in fields or ("system",))
    picked = " || ".join((f"{CHOSEN} === ''", *own))
    return alt.condition(picked, alt.value(1), alt.value(FADED))


def colour_scale(names: Iterable[str]) -> alt.Scale:
    """The same colour for the same name in every figure that has these names in this order."""
    domain = list(names)
    return alt.Scale(domain=domain, range=[COLOURS[k % len(COLOURS)] for k in range(len(domain))])


def finished(chart: Figure, *, name: str, title: str, description: str) -> Figure:
    """A chart with what every figure carries; called last, on the outermost chart.

    ``description`` is for who cannot see the figure: what is drawn, and what it shows, in numbers.
    """
    plain = re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")  # nDCG@10 is no name of a file or id
    chart = chart.properties(name=plain, title=title, description=description)
    return chart.add_params(alt.param(name=CHOSEN, value=""))


def themed(chart: Figure, ink: str | None = None, paper: str | None = None) -> dict[str, Any]:
    """A chart's specification with sizes, and with colours of text and background where given.

    A page leaves ``ink`` to its style sheet by ``currentColor``; files have dark ink on white.
    """
    spec: dict[str, Any] = chart.to_dict()
    config = {part: dict(shape) for part, shape in _SHAPES.items()}
    if ink:
        config["axis"] |= dict.fromkeys(("domainColor", "tickColor", "gridColor"), ink)
        for part in ("axis", "legend", "header"):
            config[part] |= {"labelColor": ink, "titleColor": ink}
        config["title"] |= {"color": ink}
    spec["config"] = {**config, "background": paper, "font": "sans-serif"}
    return spec
