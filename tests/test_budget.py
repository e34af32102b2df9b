"""Ceilings of the lines of each part and of the options; to raise one, lower another."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from irbounds.cli.app import VERBS, load_verb, options_of_command

ROOT = Path(__file__).parents[1]
TEXT = {*(".py", ".pyi", ".js", ".css", ".html", ".jinja", ".toml", ".json", ".md", ".txt", ".csv")}
#: lines by package of the source, or by directory of the project; other modules are "modules"
CEILINGS = {
    "cli": 1170,
    "comparisons": 2198,
    "corpora": 601,
    "intervals": 1997,
    "kernels": 1032,
    "measurement": 3001,
    "modules": 1642,
    "planning": 488,
    "presentation": 7753,
    "random_rankings": 845,
    "reading": 5238,
    "reports": 665,
    "requests": 1198,
    "resampling": 774,
    "results": 4954,
    "samples": 5116,
    "scores": 1188,
    "verbs": 3288,
    "benchmarks": 3428,
    "calculator": 850,
    "docs": 10494,
    "replications": 1775,
    "tests": 40117,
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
MAX_OPTIONS = 260
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
