"""Help of commands, list of commands, documentation pages and shell completion."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from irbounds.cli.app import VERBS, load_verb, options_of_command
from irbounds.cli.docs import doc_pages
from irbounds.cli.help import PANELS, command_lines, help_lines

SCREEN = 24  # lines of a terminal


def read_help_lines(*arguments: str, **options: bool) -> list[str]:
    return [line.plain for line in help_lines(load_verb(" ".join(arguments)), **options)]


@pytest.mark.parametrize("name", VERBS)
def test_help_has_examples_before_options_and_fits_80_columns(name):
    lines = read_help_lines(name)
    assert lines[0].startswith(f"Usage: irbounds {name}")
    assert max(map(len, lines)) <= 80
    first = lines.index("Examples")
    assert all(lines.index(panel) > first for panel in PANELS if panel in lines)
    examples = load_verb(name).examples
    assert all(f"irbounds {name.partition(' ')[0]}" in "".join(examples) for _ in examples)


@pytest.mark.parametrize("name", VERBS)
def test_help_all_has_every_option(name):
    text = "\n".join(read_help_lines(name, is_all=True))
    for option in options_of_command(load_verb(name)):
        typed = option.metavar if option.option.is_argument else option.flag.removeprefix("--")
        assert typed in text


def test_help_of_evaluate_fits_two_screens():
    assert len(read_help_lines("evaluate")) <= 2 * SCREEN


def test_execution_options_are_only_in_help_all():
    assert not [line for line in read_help_lines("evaluate") if "--threads" in line]
    assert [line for line in read_help_lines("evaluate", is_all=True) if "--threads" in line]


def test_command_list_has_every_command_and_summary():
    lines = [line.plain for line in command_lines()]
    assert max(map(len, lines)) <= 80
    for name in VERBS:
        (row,) = [line for line in lines if line.split()[:1] == [name]]
        assert row.endswith(load_verb(name).summary)


def test_help_command_and_help_option_agree(irbounds):
    assert irbounds("help", "rank").stdout == irbounds("rank", "--help").stdout
    assert irbounds("help").stdout == irbounds("--help").stdout == irbounds().stdout
    assert irbounds("standardize", "--help").stdout == irbounds("standardise", "-h").stdout
    unknown = irbounds("help", "rnak")
    assert unknown.returncode == 2
    assert b"did you mean rank?" in unknown.stderr


@pytest.mark.parametrize(
    ("words", "suggestion"),
    [
        (("evalute", "a", "b"), "evaluate"),
        (("plan-quereis",), "plan-queries"),
        (("plan", "queries"), "plan-queries"),
        (("compare", "a", "b", "--test", "ttest"), "t?"),
        (("compare", "a", "b", "--format", "md"), "markdown"),
        (("compare", "a", "b", "--adjust", "holm"), "--adjustment"),
        (("docs", "intervall"), "intervals"),
    ],
)
def test_unknown_name_suggests_the_nearest(irbounds, words, suggestion):
    result = irbounds(*words)
    assert (result.returncode, result.stdout, result.stderr.count(b"\n")) == (2, b"", 1)
    assert suggestion in result.stderr.decode()


def test_docs_command_shows_pages(irbounds):
    listed = irbounds("docs").stdout.decode().splitlines()
    assert [line.split()[0] for line in listed if line.startswith("  ")] == list(doc_pages())
    assert "How-to" in listed
    page = irbounds("docs", "intervals").stdout.decode()
    assert page == doc_pages()["intervals"].read_text(encoding="utf-8")
    for name in VERBS:
        assert load_verb(name).docs in ("", *doc_pages())


def complete_words(*words: str) -> list[str]:
    """Return the completions that bash offers for the last word."""
    result = subprocess.run(
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
    return result.stdout.decode().split()


@pytest.mark.slow
def test_bash_completes_commands_options_and_choices():
    assert complete_words("ev") == ["evaluate"]
    assert complete_words("compare", "--adj") == ["--adjustment"]
    assert "wilcoxon" in complete_words("compare", "--test", "")


def test_command_list_loads_no_heavy_modules():
    program = (
        "import sys\n"
        "from irbounds.cli.runner import run_command\n"
        "run_command(['--help'])\n"
        "heavy = {'numpy', 'scipy', 'numba', 'polars', 'pandas', 'ir_measures', 'vl_convert'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert result.stdout.decode().splitlines()[-1] == "[]"
