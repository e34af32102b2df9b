"""Examples on pages run as printed."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
#: pages, and the minimum number of lines run per page
PAGES = {
    "chance-levels.md": 25,
    "chance-level-distribution.md": 10,
    "ties.md": 4,
    "planning.md": 12,
    "classifiers.md": 10,
    "integrations.md": 20,
    "comparing.md": 12,
}


@pytest.mark.parametrize(("page", "at_least"), PAGES.items())
def test_examples_on_the_page(page: str, at_least: int):
    result = doctest.testfile(str(DOCS / page), module_relative=False, encoding="utf-8")
    assert result.attempted >= at_least
    assert result.failed == 0
