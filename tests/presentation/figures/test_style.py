"""Colours, legends, tooltips and specifications of all figures."""

from __future__ import annotations

import itertools
import math
import re
import sys

import jsonschema
import numpy as np
import pytest
import vl_convert
from altair.vegalite.v6.schema.core import load_schema

from colour_vision import SEEN_APART, VISIONS, contrast, lab, light
from every_result import DRAWN as RESULTS
from every_result import result_of
from irbounds.errors import ParameterError
from irbounds.presentation.figures import vega
from irbounds.presentation.figures.style import (
    COLOURS,
    QUIET,
    colour_scale,
    draw_reference_line,
    highlight,
    make_figure,
    make_spec,
    tooltips,
    values,
)

PAPER, NIGHT = "#FFFFFF", "#16181D"


@pytest.mark.parametrize("vision", VISIONS)
def test_colours_are_distinguishable_with_every_colour_vision(vision):
    seen = {colour: lab(VISIONS[vision] @ light(colour)) for colour in COLOURS}
    for one, other in itertools.combinations(COLOURS, 2):
        assert np.linalg.norm(seen[one] - seen[other]) > SEEN_APART, (one, other)


def test_brown_and_olive_are_not_distinguishable():
    brown, olive = (lab(VISIONS["deuteranopia"] @ light(c)) for c in ("#B06A00", "#808000"))
    assert np.linalg.norm(brown - olive) < SEEN_APART


@pytest.mark.parametrize("colour", [*COLOURS[:4], QUIET])
def test_the_first_colours_have_contrast_on_light_and_dark_paper(colour):
    assert contrast(colour, PAPER) >= 3
    assert contrast(colour, NIGHT) >= 3


def test_nan_and_infinity_are_null():
    rows = values([{"a": math.nan, "b": math.inf, "c": np.float64(0.5), "d": np.int64(3)}])
    assert rows == [{"a": None, "b": None, "c": 0.5, "d": 3}]


def test_a_name_keeps_its_colour():
    scale = colour_scale(["a", "b"])
    assert scale == {"domain": ["a", "b"], "range": [COLOURS[0], COLOURS[1]]}


def test_tooltips_have_titles_and_formats():
    shown = tooltips({"pair": "for"}, ["mean"], 3)
    assert shown == [
        {"field": "pair", "type": "nominal", "title": "for"},
        {"field": "mean", "type": "quantitative", "title": "mean", "format": ".3f"},
    ]
    assert tooltips((), {"n": "queries"}, ",d")[0]["format"] == ",d"


def test_reference_line_is_dashed_and_named_in_its_tooltip():
    spec = draw_reference_line(0.05, "y", called="promised", scale={"zero": True}).to_dict()
    assert spec["mark"] == {
        "type": "rule",
        "color": QUIET,
        "strokeDash": [4, 3],
        "strokeWidth": 1.5,
    }
    assert spec["encoding"]["y"]["scale"] == {"zero": True}
    assert spec["encoding"]["tooltip"][0]["title"] == "promised"
    plain = draw_reference_line(0, colour=None).to_dict()
    assert list(plain["encoding"]) == ["x"]
    assert "color" not in plain["mark"]


@pytest.fixture
def chart():
    drawn = vega.Chart(values([{"system": "x"}])).mark_point().encode(opacity=highlight())
    return make_figure(drawn, name="a-name", title="A title", description="One point.")


def test_figure_has_name_title_and_description(chart):
    spec = chart.to_dict()
    assert (spec["name"], spec["title"], spec["description"]) == ("a-name", "A title", "One point.")
    assert {"name": "chosen", "value": ""} in spec["params"]


def test_names_are_drawable_everywhere_in_a_specification():
    names = ["toString", "a\x1bb", "c\u2028d"]
    drawn = vega.Chart(values([{"system": name} for name in names])).mark_point()
    drawn = drawn.encode(
        y=vega.Y("system:N", sort=names), color=vega.channel("system:N", scale=colour_scale(names))
    )
    spec = make_spec(make_figure(drawn, name="n", title=names[1], description=f"of {names[1]}"))
    shown = ["toString\u200b", "a\\x1bb", "c\\u2028d"]
    (rows,) = spec["datasets"].values()
    assert [row["system"] for row in rows] == shown
    assert spec["encoding"]["y"]["sort"] == shown
    assert spec["encoding"]["color"]["scale"]["domain"] == shown
    assert (spec["title"], spec["description"]) == (shown[1], f"of {shown[1]}")


def test_one_grid_and_few_ticks():
    both = vega.Chart(values([{"x": 1, "y": 2}])).mark_point().encode(x="x:Q", y="y:Q")
    lines = both.encode(y="y:N")
    spec = make_figure(vega.vconcat(both, lines), name="n", title="t", description="d").to_dict()
    curve, rows = (panel["encoding"]["x"].get("axis", {}) for panel in spec["vconcat"])
    assert (curve.get("grid"), rows.get("grid")) == (False, None)
    assert spec["config"]["axisQuantitative"] == {"tickCount": 4}
    assert "axis" not in both.to_dict()["encoding"]["x"]  # what is shared is not changed


@pytest.fixture(scope="module")
def validate():
    """Check a specification against the schema of Vega-Lite, which is part of Altair."""
    return jsonschema.Draft7Validator(load_schema()).validate


@pytest.mark.parametrize("name", RESULTS)
def test_every_figure_is_valid_vega_lite(name, validate):
    validate(result_of(name).plot().to_dict())


def test_the_schema_rejects_an_invalid_figure(chart, validate):
    broken = {**chart.to_dict(), "config": {"axis": {"labelFontSize": "large"}}}
    with pytest.raises(jsonschema.ValidationError):
        validate(broken)


def test_altair_reads_a_figure(chart):
    assert chart.to_altair().to_dict(validate=True)["description"] == "One point."


def test_missing_altair_is_a_one_line_error(chart, monkeypatch):
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(ParameterError, match=r"^to_altair\(\) needs altair.*not installed$"):
        chart.to_altair()


def test_a_notebook_has_the_figure_without_a_network(chart):
    bundle = chart._repr_mimebundle_()
    assert bundle["application/vnd.vegalite.v5+json"]["$schema"].endswith("/v5.json")
    assert bundle["image/svg+xml"].startswith("<svg")
    assert bundle["text/plain"] == "One point."


@pytest.mark.parametrize("name", ["means", "differences", "ranks", "scores", "recall", "variances"])
def test_notebooks_draw_figures_with_an_older_vega_lite(name):
    bundle = result_of(name).plot()._repr_mimebundle_()
    spec = bundle["application/vnd.vegalite.v5+json"]
    drawn = vl_convert.vegalite_to_svg(spec, vl_version="5.20")
    assert size(drawn) == size(bundle["image/svg+xml"])


def size(svg):
    return re.search(r'<svg[^>]* width="([0-9.]+)" height="([0-9.]+)"', svg).groups()


def test_text_colours_are_set_by_the_page_or_file(chart):
    assert not _inks(make_spec(chart)["config"])
    assert _inks(make_spec(chart, "currentColor")["config"]) == {"currentColor"}
    assert make_spec(chart, "black", "white")["config"]["background"] == "white"


def _inks(config: dict) -> set[str]:
    return {
        value
        for part in config.values()
        if isinstance(part, dict)
        for key, value in part.items()
        if key.lower().endswith("color")
    }
