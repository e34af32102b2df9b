"""What docs/scale.md and docs/reproducibility.md show can be done as shown."""

from __future__ import annotations

import ast
import doctest
import re
from pathlib import Path

import irbounds
from irbounds.cli.executing import EXECUTION

PAGES = Path(__file__).parents[2] / "docs"


def test_examples_of_reproducibility_run():
    found = doctest.testfile(str(PAGES / "reproducibility.md"), module_relative=False)
    assert found.attempted > 5
    assert found.failed == 0


def test_scripts_of_scale_use_what_there_is():
    """Clusters cannot be started here; names of irbounds and arguments of execution can be held."""
    scripts = re.findall(r"```python\n(.*?)```", (PAGES / "scale.md").read_text(), re.DOTALL)
    assert len(scripts) >= 6
    named = [node for script in scripts for node in ast.walk(ast.parse(script))]
    for node in named:
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "irbounds":
            assert hasattr(irbounds, node.attr), node.attr
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "execution":
            given = {keyword.arg for keyword in node.keywords}
            assert given <= {"threads", "executor", "checkpoint", "memory"}


def test_the_table_of_options_is_complete():
    page = (PAGES / "scale.md").read_text()
    assert set(re.findall(r"^\| `--(\w+) ", page, re.MULTILINE)) == set(EXECUTION)
