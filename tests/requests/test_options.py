"""Options: each is declared once, and Python has the options of the command line."""

from __future__ import annotations

import inspect
from collections import defaultdict

import pytest

import irbounds
from irbounds.cli.app import VERBS, ExecutionOptions, load_verb, options_of_command
from irbounds.cli.output_options import Output, PageOutput
from irbounds.requests.request import options_of

NAMES = list(VERBS)
COMMANDS_ONLY = ("demo", "docs", "help")


def list_help_texts() -> dict[str, set[str]]:
    """Return the help texts of every option, by its name."""
    help_texts = defaultdict(set)
    for name in VERBS:
        for option in options_of_command(load_verb(name)):
            help_texts[option.name].add(option.option.help)
    return help_texts


def test_every_option_is_declared_once():
    several = {name: texts for name, texts in list_help_texts().items() if len(texts) > 1}
    assert several == {}


@pytest.mark.parametrize("name", [name for name in NAMES if name not in COMMANDS_ONLY])
def test_python_has_the_options_of_the_command_with_the_same_defaults(name):
    function = getattr(irbounds, name.replace("-", "_"))
    command_options = {option.name: option for option in options_of_command(load_verb(name))}
    output_options = {
        option.name
        for kind in (Output, PageOutput, ExecutionOptions)
        for option in options_of(kind)
    }
    defaults = {option.name: option.default for option in options_of(load_verb(name).request)}
    assert set(command_options) - output_options <= set(defaults)
    for parameter, value in inspect.signature(function).parameters.items():
        if value.default is not inspect.Parameter.empty:
            assert value.default == defaults[parameter]


def test_help_texts_are_one_line_sentences():
    for texts in list_help_texts().values():
        for text in texts:
            assert text.endswith(".")
            assert len(text) <= 72
            assert "\n" not in text
