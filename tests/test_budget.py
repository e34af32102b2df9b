"""Ceilings of the lines of each part and of the options; to raise one, lower another."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from irbounds.cli.app import VERBS, load_verb, options_of_command

ROOT = Path(__file__).parents[1]
TEXT = {*(".py", ".pyi", ".js", ".css", ".html", ".jinja", ".toml", ".json", ".md", ".txt", ".csv")}
#: lines by package of the source, or by directory of the project; other modules are "modules"
CEILINGS = {
    "cli": 1164,
    "comparisons": 2026,
    "corpora": 475,
    "intervals": 1992,
    "kernels": 1032,
    "measurement": 2919,
    "modules": 1371,
    "planning": 483,
    "presentation": 7571,
    "random_rankings": 802,
    "reading": 4915,
    "reports": 635,
    "requests": 1180,
    "resampling": 767,
    "results": 4225,
    "samples": 4492,
    "scores": 1127,
    "verbs": 2998,
    "benchmarks": 3416,
    "calculator": 850,
    "docs": 10208,
    "replications": 1775,
    "tests": 39242,
}


def list_parts() -> Counter[str]:
    """Return the number of lines of each package, of the other modules and of each directory."""
    lines: Counter[str] = Counter()
    for top in ("src", "replications", "calculator", "benchmarks", "tests", "docs"):
        for path in (ROOT / top).rglob("*"):
            if path.suffix in TEXT and path.is_file():
                below = path.relative_to(ROOT / top).parts
                package = below[1] if len(below) > 2 else "modules"
                lines[package if top == "src" else top] += path.read_text("utf-8").count("\n")
    return lines


def test_no_part_is_larger_than_its_ceiling():
    lines = list_parts()
    assert {part: n for part, n in lines.items() if n > CEILINGS.get(part, 0)} == {}
    assert {*CEILINGS} == {*lines}


#: options of all commands together, arguments and ``--help`` not counted
MAX_OPTIONS = 255
#: options of one command besides those of input and output
MAX_OWN_OPTIONS = 12


def test_commands_have_few_options():
    options = {
        name: [declared.option for declared in options_of_command(load_verb(name))]
        for name in VERBS
    }
    named = [option for own in options.values() for option in own if not option.is_argument]
    assert len(named) <= MAX_OPTIONS
    for name, own in options.items():
        assert sum(option.panel == "Method" for option in own) <= MAX_OWN_OPTIONS, name
