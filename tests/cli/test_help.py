"""Help of commands, the list of commands and shell completion."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from irbounds.cli.app import VERBS, load_verb, options_of_command
from irbounds.cli.help import command_lines, help_lines

SCREEN = 24  # lines of a terminal


@pytest.mark.parametrize("name", VERBS)
def test_help_has_an_example_and_every_option_in_80_columns(name):
    lines = [line.plain for line in help_lines(load_verb(name))]
    text = "\n".join(lines)
    assert max(map(len, lines)) <= 80
    assert f"  irbounds {name}" in text
    for option in options_of_command(load_verb(name)):
        assert (option.metavar if option.option.is_argument else option.flag[2:]) in text


def test_list_of_commands_fits_one_screen():
    lines = [line.plain for line in command_lines()]
    assert len(lines) < SCREEN
    assert max(map(len, lines)) <= 80
    assert [line.split()[0] for line in lines if line.startswith("  ")] == list(VERBS)


@pytest.mark.parametrize(
    ("words", "suggestion"),
    [
        (("evalute", "a", "b"), "evaluate"),
        (("standardize", "a", "b"), "standardise"),
        (("compare", "a", "b", "--test", "ttest"), "t?"),
        (("compare", "a", "b", "--adjust", "holm"), "--adjustment"),
    ],
)
def test_unknown_name_suggests_the_nearest(irbounds, words, suggestion):
    result = irbounds(*words)
    assert (result.returncode, result.stdout, result.stderr.count(b"\n")) == (2, b"", 1)
    assert f"did you mean {suggestion}".rstrip("?") in result.stderr.decode()


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
