"""Kernels import nothing of irbounds except other kernels."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import irbounds

ROOT = Path(irbounds.__file__).parent
KERNELS = [*ROOT.glob("kernels/*.py"), *ROOT.rglob("_kernels.py")]


def list_irbounds_imports(source: str, package: str) -> set[str]:
    """Return the modules of irbounds that a source file of a package imports."""
    modules = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: len(package.split(".")) - node.level + 1]
            prefix = ".".join(parents) if node.level else ""
            modules.add(".".join(filter(None, (prefix, node.module))))
        elif isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
    return {module for module in modules if module.partition(".")[0] == "irbounds"}


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: str(path.relative_to(ROOT)))
def test_kernels_import_only_kernels(path):
    package = ".".join(("irbounds", *path.parent.relative_to(ROOT).parts))
    modules = list_irbounds_imports(path.read_text(), package)
    assert all(module.startswith("irbounds.kernels") for module in modules), modules


def test_import_check_detects_other_imports():
    source = "from ..errors import quote\nfrom .sources import Source\nimport irbounds.validation"
    expected = {"irbounds.errors", "irbounds.reading.sources", "irbounds.validation"}
    assert list_irbounds_imports(source, "irbounds.reading") == expected
    assert len(KERNELS) > 10
