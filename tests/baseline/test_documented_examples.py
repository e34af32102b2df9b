"""The examples on the page about chance levels run as they stand there."""

from __future__ import annotations

import doctest
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "random-baseline.md"


def test_examples_on_the_page():
    found = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert found.attempted >= 10
    assert found.failed == 0
