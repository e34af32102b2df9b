"""Options: each is declared once, and Python has those of the command line."""

from __future__ import annotations

import inspect
import re
from collections import defaultdict
from pathlib import Path

import pytest

import irbounds
from irbounds.cli.app import FAMILIES, VERBS, ExecutionOptions, load_verb, options_of_command
from irbounds.cli.output import Output, PageOutput
from irbounds.requests.request import options_of

ADR = Path(__file__).parents[2] / "docs" / "adr" / "0027-one-verb-one-name-one-request.md"
NAMES = [name for name in VERBS if name.partition(" ")[0] not in FAMILIES]
COMMANDS_ONLY = ("demo", "docs", "help")


def declarations() -> dict[str, set[str]]:
    """Return the help texts of every option, by its name."""
    found = defaultdict(set)
    for name in VERBS:
        for one in options_of_command(load_verb(name)):
            found[one.name].add(one.option.help)
    return found


def test_every_option_is_declared_once():
    several = {name: texts for name, texts in declarations().items() if len(texts) > 1}
    assert several == {}


def test_the_decision_lists_every_option_with_its_one_meaning():
    rows = dict(re.findall(r"^\| `(\w+)` \| (.+?) \|$", ADR.read_text(), re.MULTILINE))
    assert rows == {name: text for name, (text,) in declarations().items()}


@pytest.mark.parametrize("name", [name for name in NAMES if name not in COMMANDS_ONLY])
def test_python_has_the_options_of_the_command_with_the_same_defaults(name):
    function = getattr(irbounds, name.replace("-", "_"))
    known = {one.name: one for one in options_of_command(load_verb(name))}
    shown = {
        one.name for kind in (Output, PageOutput, ExecutionOptions) for one in options_of(kind)
    }
    own = {one.name: one.default for one in options_of(load_verb(name).request)}
    assert set(known) - shown <= set(own)
    for parameter, value in inspect.signature(function).parameters.items():
        if value.default is not inspect.Parameter.empty:
            assert value.default == own[parameter]


def test_help_texts_are_sentences_in_one_line():
    for texts in declarations().values():
        for text in texts:
            assert text.endswith(".")
            assert len(text) <= 72
            assert "\n" not in text
