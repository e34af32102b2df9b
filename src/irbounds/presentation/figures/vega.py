"""Vega-Lite specifications built from plain dictionaries.

The names follow Altair, whose charts validate and copy themselves, data included, at every step:
for a report with ten figures that took 2 s (docs/design/decisions.md). Here a step copies one small
dictionary and data are shared, so a figure takes milliseconds. The tests validate every figure
against Vega-Lite's schema.

>>> rows = [{"system": "a", "mean": 0.3}]
>>> chart = Chart(rows).mark_point().encode(x=X("mean:Q", title="mean"), y="system:N")
>>> chart.to_dict()["encoding"]["y"]
{'field': 'system', 'type': 'nominal'}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
TYPES = {"Q": "quantitative", "N": "nominal", "O": "ordinal", "T": "temporal"}
SECONDARY = ("x2", "y2")  # channels whose type is that of the first
CHILDREN = ("layer", "hconcat", "vconcat")


class Chart:
    """A view of a figure, or several views combined; every method returns a new chart."""

    __slots__ = ("_parts", "_spec")

    def __init__(self, rows: Sequence[Mapping[str, Any]] | None = None, **spec: Any) -> None:
        self._spec: dict[str, Any] = spec if rows is None else {"data": {"values": rows}, **spec}
        self._parts: Sequence[Chart] = ()

    def __getattr__(self, name: str) -> Callable[..., Chart]:
        """Return a method for any mark of Vega-Lite, such as ``mark_point(size=60)``."""
        kind = name.removeprefix("mark_")
        if kind == name:
            raise AttributeError(name)
        return lambda **look: self.properties(mark={"type": kind, **look})

    def properties(self, **parts: Any) -> Chart:
        """Return the chart with these parts of its specification replaced."""
        made = Chart(**{**self._spec, **parts})
        made._parts = self._parts
        return made

    def encode(self, **channels: Any) -> Chart:
        """Return the chart with these channels; ``"mean:Q"`` is a field and its type."""
        read = {
            name: channel(value, secondary=name in SECONDARY) if isinstance(value, str) else value
            for name, value in channels.items()
        }
        return self.properties(encoding={**self._spec.get("encoding", {}), **read})

    def transform_filter(self, test: str) -> Chart:
        """Return the chart of the rows for which an expression is true."""
        return self._add_transform({"filter": test})

    def transform_calculate(self, **expressions: str) -> Chart:
        """Return the chart with fields computed by expressions."""
        made = self
        for name, expression in expressions.items():
            made = made._add_transform({"calculate": expression, "as": name})
        return made

    def resolve_scale(self, **scales: str) -> Chart:
        """Return the chart with scales ``"shared"`` or ``"independent"``."""
        return self.properties(resolve={"scale": scales})

    def add_params(self, *params: Mapping[str, Any]) -> Chart:
        """Return the chart with parameters, which a page can set."""
        return self.properties(params=[*self._spec.get("params", ()), *params])

    def to_dict(self) -> dict[str, Any]:
        """Return the whole specification, in which data used several times occur once."""
        datasets: dict[int, tuple[str, Any]] = {}
        spec = self._with_named_data(datasets)
        return {"$schema": SCHEMA, **spec, "datasets": dict(datasets.values())}

    def _with_named_data(self, datasets: dict[int, tuple[str, Any]]) -> dict[str, Any]:
        spec = dict(self._spec)
        if "data" in spec and "values" in spec["data"]:
            rows = spec["data"]["values"]
            name, _ = datasets.setdefault(id(rows), (f"data-{len(datasets)}", rows))
            spec["data"] = {"name": name}
        for key in CHILDREN:
            if key in spec:
                spec[key] = [part._with_named_data(datasets) for part in self._parts]
        return spec

    def _add_transform(self, step: Mapping[str, str]) -> Chart:
        return self.properties(transform=[*self._spec.get("transform", ()), step])


def _combine(kind: str, charts: Sequence[Chart], **parts: Any) -> Chart:
    made = Chart(**{kind: (), **parts})
    made._parts = charts
    return made


def layer(*charts: Chart) -> Chart:
    """Draw charts over each other, the first one lowest."""
    return _combine("layer", charts)


def hconcat(*charts: Chart, **parts: Any) -> Chart:
    """Put charts side by side."""
    return _combine("hconcat", charts, **parts)


def vconcat(*charts: Chart, **parts: Any) -> Chart:
    """Put charts below each other."""
    return _combine("vconcat", charts, **parts)


def channel(shorthand: str, *, secondary: bool = False, **look: Any) -> dict[str, Any]:
    """Return a channel of an encoding; ``"mean:Q"`` is the quantitative field ``mean``."""
    field, _, code = shorthand.rpartition(":")
    if secondary:
        return {"field": field or code, **look}
    return {"field": field, "type": TYPES[code], **look}


X = Y = channel


def value(constant: Any) -> dict[str, Any]:
    """Return a channel that is the same for every row."""
    return {"value": constant}


def condition(test: str, then: Any, otherwise: Any) -> dict[str, Any]:
    """Return a channel of two constants; ``test`` is an expression."""
    return {"condition": {"test": test, "value": then}, "value": otherwise}


def step(pixels: float) -> dict[str, Any]:
    """Return a size by the number of rows or columns."""
    return {"step": pixels}
