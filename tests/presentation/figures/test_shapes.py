"""Parts that figures share."""

from __future__ import annotations

import pytest

from irbounds.presentation.figures.shapes import (
    DASHES,
    SHAPES,
    distinguish_series,
)


@pytest.mark.parametrize(("by", "looks"), [("shape", SHAPES), ("strokeDash", DASHES)])
def test_series_have_one_legend_and_are_all_different(by, looks):
    names = [f"n{k}" for k in range(42)]
    found = distinguish_series("field", names, by, title="T")
    assert found["color"]["legend"] == found[by]["legend"]
    assert found["color"]["scale"]["domain"] == found[by]["scale"]["domain"] == names
    pairs = zip(found["color"]["scale"]["range"], found[by]["scale"]["range"], strict=True)
    assert len({(colour, str(look)) for colour, look in pairs}) == len(names)
    assert found[by]["scale"]["range"][0] == looks[0]
