"""What the pages on scale show can be done as shown."""

from __future__ import annotations

import ast
import doctest
import inspect
import re
from pathlib import Path

import pytest

import irbounds
from irbounds.cli.executing import Execution
from irbounds.requests.request import options_of

DOCS = Path(__file__).parents[2] / "docs"
EXECUTION = [one.name for one in options_of(Execution)]
PAGES = ("scale", "clusters", "memory", "streams", "reproducibility", "reading")


def text_of(page: str) -> str:
    return (DOCS / f"{page}.md").read_text()


def options_by_command() -> dict[str, set[str]]:
    """What the reference of the command line says, which is what commands say of themselves."""
    sections = re.split(r"^## irbounds ", text_of("cli"), flags=re.MULTILINE)[1:]
    return {section.partition("\n")[0]: set(_options(section)) for section in sections}


def _options(text: str) -> list[str]:
    return re.findall(r"(?<![\w-])--?[a-z][\w-]*", text)


def headings_of(page: str) -> set[str]:
    """As they are linked to: in lower case, words joined by hyphens."""
    heads = re.findall(r"^#+ (.+)", text_of(page), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head).lower().replace(" ", "-") for head in heads}


def test_examples_of_reproducibility_run():
    found = doctest.testfile(str(DOCS / "reproducibility.md"), module_relative=False)
    assert found.attempted > 5
    assert found.failed == 0


@pytest.mark.parametrize(("page", "at_least"), [("scale", 2), ("clusters", 4), ("streams", 2)])
def test_scripts_use_what_there_is(page, at_least):
    """Clusters cannot be started here; names of irbounds and arguments of execution can be held."""
    scripts = re.findall(r"```python\n(.*?)```", text_of(page), re.DOTALL)
    assert len(scripts) >= at_least
    known = set(inspect.signature(irbounds.execution).parameters)
    for node in (node for script in scripts for node in ast.walk(ast.parse(script))):
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "irbounds":
            assert hasattr(irbounds, node.attr), node.attr
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "execution":
            assert {keyword.arg for keyword in node.keywords} <= known


@pytest.mark.parametrize("page", PAGES)
def test_commands_have_the_options_that_they_are_shown_with(page):
    known = options_by_command()
    shown = re.findall(r"^ *irbounds ((?:.*\\\n)*.*)", text_of(page), re.MULTILINE)
    for line in shown:
        named = [name for name in known if f"{line} ".startswith(f"{name} ")]
        assert named or line.startswith("error: "), line
        for name in named:
            assert set(_options(line)) <= known[name], line


def test_the_check_above_can_fail():
    known = options_by_command()
    assert "--checkpoint" in known["study park2011"]
    assert "--checkpoint" not in known["study bestgen2015"]
    assert _options("calibrate -m AP --n-samples 10") == ["-m", "--n-samples"]


def test_the_table_of_options_is_complete():
    options = re.findall(r"^\| (?:`--(\w+) \w+`)? ?\| `(\w+)=", text_of("scale"), re.MULTILINE)
    assert {option for option, _ in options} == {*EXECUTION, ""}
    assert {name for _, name in options} == set(inspect.signature(irbounds.execution).parameters)


def test_the_list_of_commands_with_the_options_is_complete():
    listed = re.search(r"These commands have them: (.*?)\.\n", text_of("scale"), re.DOTALL)
    having = {
        name
        for name, options in options_by_command().items()
        if {f"--{option}" for option in EXECUTION} <= options
    }
    assert set(re.findall(r"`(.+?)`", listed[1])) == having


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_to_headings(page):
    for other, heading in re.findall(r"\]\(([\w-]*)(?:\.md)?#([\w-]+)\)", text_of(page)):
        assert heading in headings_of(other or page), (other, heading)
