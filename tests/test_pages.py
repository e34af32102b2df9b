"""Commands and options on the documentation pages exist; the build of the site runs them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from irbounds.cli.app import VERBS, Job, load_verb, options_of_command, parse

DOCS = Path(__file__).parents[1] / "docs"
PAGES = sorted(path for path in DOCS.rglob("*.md") if path.name != "cli.md")
#: words of the shell that end a command
SHELL_OPERATORS = {"|", "&", "&&", "2>&1", ">"}
#: options of every command, and of other programs on these pages
OTHER_OPTIONS = {
    *("--help", "--debug", "--version", "--install-completion"),
    *("--data", "--scale", "--full", "--gate", "--pairs", "--junit-xml"),
}


def list_commands(text: str) -> list[str]:
    """Return the command lines in blocks of code: those with a prompt, where there are prompts."""
    text = text.replace("\\\n", " ")
    blocks = re.findall(r"^```\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in _list_block_commands(block)]


def _list_block_commands(block: str) -> list[str]:
    lines = [line.strip() for line in block.split("\n")]
    typed = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
    return [line.partition(" | ")[0] for line in typed or lines if line.startswith("irbounds ")]


def check_command(line: str) -> None:
    """Parse a command line and make its request, which reads no file."""
    words = shlex.split(line, comments=True)[1:]
    end = next((k for k, word in enumerate(words) if word in SHELL_OPERATORS), len(words))
    job = parse(words[:end])
    if isinstance(job, Job):
        job.request(job.verb.request)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_commands_are_parsed_and_options_in_the_text_exist(path):
    text = path.read_text(encoding="utf-8")
    cells = re.findall(r"^\| .*`(irbounds [^`]+ -[^`]+)` \|$", text, re.M)
    for line in (*list_commands(text), *cells):
        if not line.endswith(" ..."):
            check_command(line)
    declared = [option for name in VERBS for option in options_of_command(load_verb(name))]
    known = OTHER_OPTIONS | {option.flag for option in declared}
    sentences = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    for code in re.findall(r"`([^`\n]+)`", sentences):
        assert set(re.findall(r"(?<![\w-])--[a-z][\w-]*", code)) <= known, code
        named = re.match(r"irbounds ([a-z][\w-]*)", code)
        assert not named or named[1] in VERBS, code


@pytest.mark.parametrize(
    "line",
    [
        "irbounds compare qrels.txt runs/ --adjust holm",
        "irbounds plan-quereis qrels.txt runs/",
        "irbounds evaluate qrels.txt runs/ --queries judged",
    ],
)
def test_command_check_can_fail(line):
    with pytest.raises(Exception, match=r"adjust|plan|judged"):
        check_command(line)
