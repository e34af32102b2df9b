"""The help of commands, the list of them, pages of the documentation, and completion."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from irbounds.cli.app import FAMILIES, VERBS, load_verb, options_of_command
from irbounds.cli.docs import doc_pages
from irbounds.cli.help import PANELS, command_lines, help_lines

SCREEN = 24  # lines of a terminal


def shown(*arguments: str, **options: bool) -> list[str]:
    return [line.plain for line in help_lines(load_verb(" ".join(arguments)), **options)]


@pytest.mark.parametrize("name", VERBS)
def test_help_has_examples_before_options_and_fits_80_columns(name):
    lines = shown(name)
    assert lines[0].startswith(f"Usage: irbounds {name}")
    assert max(map(len, lines)) <= 80
    first = lines.index("Examples")
    assert all(lines.index(panel) > first for panel in PANELS if panel in lines)
    examples = load_verb(name).examples
    assert all(f"irbounds {name.partition(' ')[0]}" in "".join(examples) for _ in examples)


@pytest.mark.parametrize("name", VERBS)
def test_help_all_has_every_option(name):
    text = "\n".join(shown(name, is_all=True))
    for one in options_of_command(load_verb(name)):
        typed = one.metavar if one.option.is_argument else one.flag.removeprefix("--")
        assert typed in text


def test_the_help_of_evaluate_fits_two_screens():
    assert len(shown("evaluate")) <= 2 * SCREEN


def test_options_of_execution_are_in_help_all_only():
    assert not [line for line in shown("evaluate") if "--threads" in line]
    assert [line for line in shown("evaluate", is_all=True) if "--threads" in line]


def test_the_list_has_every_command_with_its_whole_summary():
    lines = [line.plain for line in command_lines()]
    assert max(map(len, lines)) <= 80
    for name in VERBS:
        family = name.partition(" ")[0]
        if family not in FAMILIES:
            (row,) = [line for line in lines if line.split()[:1] == [name]]
            assert row.endswith(load_verb(name).summary)
    for family in FAMILIES:
        below = [line.plain for line in command_lines(family)]
        names = [name.partition(" ")[2] for name in VERBS if name.startswith(f"{family} ")]
        assert all(any(line.split()[:1] == [name] for line in below) for name in names)


def test_help_of_a_command_in_two_ways(irbounds):
    assert irbounds("help", "rank").stdout == irbounds("rank", "--help").stdout
    assert irbounds("help").stdout == irbounds("--help").stdout == irbounds().stdout
    assert irbounds("standardize", "--help").stdout == irbounds("standardise", "-h").stdout
    nothing = irbounds("help", "rnak")
    assert nothing.returncode == 2
    assert b"did you mean rank?" in nothing.stderr


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("evalute", "a", "b"), "evaluate"),
        (("plan", "queries"), "plan-queries"),
        (("data", "lst"), "data list"),
        (("compare", "a", "b", "--test", "ttest"), "t?"),
        (("compare", "a", "b", "--format", "md"), "markdown"),
        (("compare", "a", "b", "--adjust", "holm"), "--adjustment"),
        (("docs", "intervall"), "intervals"),
    ],
)
def test_the_nearest_is_suggested(irbounds, words, meant):
    done = irbounds(*words)
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)
    assert meant in done.stderr.decode()


def test_pages_of_the_documentation(irbounds):
    listed = irbounds("docs").stdout.decode().splitlines()
    assert [line.split()[0] for line in listed] == list(doc_pages())
    page = irbounds("docs", "intervals").stdout.decode()
    assert page == doc_pages()["intervals"].read_text(encoding="utf-8")
    for name in VERBS:
        assert load_verb(name).docs in ("", *doc_pages())


def completed(*words: str) -> list[str]:
    """Return what bash offers for the last word."""
    done = subprocess.run(
        [sys.executable, "-m", "irbounds"],
        env={
            **os.environ,
            "_IRBOUNDS_COMPLETE": "complete_bash",
            "COMP_WORDS": " ".join(("irbounds", *words)),
            "COMP_CWORD": str(len(words)),
        },
        capture_output=True,
        check=False,
    )
    return done.stdout.decode().split()


def test_bash_completes_commands_options_and_choices():
    assert completed("ev") == ["evaluate"]
    assert completed("compare", "--adj") == ["--adjustment"]
    assert "wilcoxon" in completed("compare", "--test", "")


def test_the_list_of_commands_loads_nothing_heavy():
    program = (
        "import sys\n"
        "from irbounds.cli.runner import run_command\n"
        "run_command(['--help'])\n"
        "heavy = {'numpy', 'scipy', 'numba', 'polars', 'pandas', 'ir_measures', 'vl_convert'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout.decode().splitlines()[-1] == "[]"
