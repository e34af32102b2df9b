"""The gallery shows every figure, with its Python code and a thumbnail."""

from __future__ import annotations

import ast
import re
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest

from irbounds import results
from irbounds.presentation import figures
from irbounds.presentation.registry import REGISTRY

DOCS = Path(__file__).parents[1] / "docs"
TEXT = (DOCS / "gallery.md").read_text(encoding="utf-8")
PICTURE = re.compile(r"!\[[^\]]+\]\(gallery/([\w/-]+)\.svg\)")
#: functions that only choose among those that draw, which have pictures of their own
CHOICES = {
    *("draw_paper_table", "draw_scores", "draw_chance_levels", "draw_plans"),
    *("draw_recall", "draw_recall_figures"),
}
#: building blocks, which other functions call with rows or charts of any kind
PARTS = {"draw_dots", "draw_measure_panels"}
DRAWN = ("Figure", "list[Figure]")


def list_drawing_functions() -> set[str]:
    """Return the public functions of the figures that return a figure or several."""
    nodes = [
        node
        for path in Path(figures.__path__[0]).glob("*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.returns is not None
    ]
    return {
        node.name
        for node in nodes
        if node.name.startswith("draw_") and ast.unparse(node.returns) in DRAWN
    }


def list_registered_functions() -> set[str]:
    """Return the functions of the registry, by which results draw themselves."""
    own = [f"irbounds.results.{module.name}" for module in iter_modules(results.__path__)]
    for name in own:
        import_module(name)
    return {
        name.split(":")[1]
        for presentation in REGISTRY.values()
        for name in (*presentation.figures, presentation.main)
        if name
    }


def name_picture(function: str) -> str:
    """Return the name of a function's picture; a variant of it follows an underscore."""
    return function.removeprefix("draw_").replace("_", "-")


def has_picture(function: str, text: str) -> bool:
    name = name_picture(function)
    return any(picture.partition("_")[0] == name for picture in PICTURE.findall(text))


#: the parts of the page that show figures, by their headings
SECTIONS = {
    section.partition("\n")[0]: section
    for section in re.split(r"^##+ ", TEXT, flags=re.MULTILINE)[1:]
    if PICTURE.search(section)
}
THUMBNAILS = TEXT.partition('<div class="gallery" markdown>')[2].partition("</div>")[0]


@pytest.mark.parametrize(
    "function",
    sorted((list_drawing_functions() | list_registered_functions()) - CHOICES - PARTS),
)
def test_every_figure_has_a_picture(function):
    assert has_picture(function, "\n".join(SECTIONS.values())), f"docs/gallery.md has no {function}"


def test_choices_and_parts_exist():
    known = list_drawing_functions() | list_registered_functions()
    assert known >= CHOICES | PARTS


def test_a_figure_without_a_picture_is_missed():
    assert not has_picture("draw_means", TEXT.replace("gallery/means", "gallery/other"))
    assert not has_picture("draw_score", TEXT)  # not score-boxes


@pytest.mark.parametrize("heading", SECTIONS)
def test_every_figure_has_code_and_a_thumbnail(heading):
    section = SECTIONS[heading]
    pictures = PICTURE.findall(section)
    assert "```python" in section
    assert section.splitlines()[2].endswith((".", ")")), "one sentence says how to read it"
    assert f"<br>{heading}](#" in THUMBNAILS
    assert {*PICTURE.findall(THUMBNAILS)} & {*pictures}


def test_every_command_with_a_figure_is_shown():
    blocks = re.findall(r"^```console\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    lines = "".join(blocks).replace("\\\n", "").splitlines()
    verbs = {line.split()[2] for line in lines if "--figure " in line}
    reference = (DOCS / "reference" / "cli.md").read_text(encoding="utf-8")
    commands = re.split(r"^## irbounds ", reference, flags=re.MULTILINE)[1:]
    assert verbs == {part.split()[0] for part in commands if "| `--figure FILE`" in part}
