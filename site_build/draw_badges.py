"""Draw the README's badges from pyproject.toml, as SVG without an address."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
IMAGES = ROOT / "docs" / "images"
CHARACTER, PADDING = 6.3, 7  # pixels
BADGE = """\
<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="20" role="img" aria-label="{label}: {value}">
<title>{label}: {value}</title>
<rect width="{width}" height="20" rx="3" fill="#0b5c8f"/>
<path d="M3 0H{left}V20H3A3 3 0 0 1 0 17V3A3 3 0 0 1 3 0Z" fill="#444"/>
<g fill="#fff" font-family="Verdana, DejaVu Sans, sans-serif" font-size="11" text-anchor="middle">
<text x="{label_middle}" y="14" textLength="{label_width}">{label}</text>
<text x="{value_middle}" y="14" textLength="{value_width}">{value}</text>
</g>
</svg>
"""


def read_facts(pyproject: dict[str, Any]) -> dict[str, str]:
    """Return the values of the badges by label."""
    project = pyproject["project"]
    classifiers = " ".join(project["classifiers"])
    minor = sorted(map(int, re.findall(r"Python :: 3\.(\d+)", classifiers)))
    if minor != list(range(minor[0], minor[-1] + 1)):
        raise SystemExit("pyproject.toml: versions of Python are left out in the classifiers")
    facts = {"python": f"3.{minor[0]} to 3.{minor[-1]}", "licence": project["license"]}
    if pyproject["tool"]["mypy"]["strict"]:
        facts["types"] = "mypy strict"
    return facts


def draw_badge(label: str, value: str) -> str:
    """Return a badge as SVG."""
    label_width, value_width = (round(CHARACTER * len(text)) for text in (label, value))
    left = label_width + 2 * PADDING
    return BADGE.format(
        label=label,
        value=value,
        left=left,
        width=left + value_width + 2 * PADDING,
        label_width=label_width,
        value_width=value_width,
        label_middle=left / 2,
        value_middle=left + PADDING + value_width / 2,
    )


def draw_badges() -> dict[str, str]:
    """Return the badges by the name of their files."""
    facts = read_facts(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8")))
    return {f"badge-{label}.svg": draw_badge(label, value) for label, value in facts.items()}


if __name__ == "__main__":
    for name, text in draw_badges().items():
        (IMAGES / name).write_text(text, encoding="utf-8")
