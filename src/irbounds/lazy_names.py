"""Public names that a package loads when they are first used.

The stub ``__init__.pyi`` of the package is the only list of its public names. Type checkers and
editors read the stub; ``attach`` reads the same file to find the module of each name.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any


def attach(
    package_name: str, stub_path: str | Path
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return ``__getattr__``, ``__dir__`` and ``__all__`` for a package with a stub.

    Parameters
    ----------
    package_name
        ``__name__`` of the package.
    stub_path
        Its stub, or ``__file__``, the file that the stub has next to it. Public are the names of
        its relative imports (``from .means import mean_interval as mean_interval``, and
        ``from . import samples as samples`` for a subpackage) and its annotated names, which the
        package itself must define (``__version__: str``).

    Returns
    -------
    tuple
        The two functions and the sorted list of names.

    Examples
    --------
    >>> import irbounds.samples
    >>> load, _, names = attach("irbounds.samples", irbounds.samples.__file__)
    >>> names[0], load("Stratum")
    ('RecallEstimate', <class 'irbounds.results.samples.Stratum'>)
    """
    modules: dict[str, str] = {}
    own_names: list[str] = []
    for node in ast.parse(Path(stub_path).with_suffix(".pyi").read_bytes()).body:
        if isinstance(node, ast.ImportFrom) and node.level:
            module = "." * node.level + (node.module or "")
            modules |= {alias.name: module for alias in node.names}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            own_names.append(node.target.id)
    public = sorted([*modules, *own_names])

    def load_name(name: str) -> Any:
        if name not in modules:
            import difflib

            near = difflib.get_close_matches(name, public, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise AttributeError(f"module {package_name!r} has no attribute {name!r}{hint}")
        if modules[name] == ".":
            return import_module(f".{name}", package_name)
        value = getattr(import_module(modules[name], package_name), name)
        setattr(sys.modules[package_name], name, value)
        return value

    return load_name, public.copy, public
