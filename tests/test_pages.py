"""Scripts, commands, options and links on the documentation pages are valid."""

from __future__ import annotations

import ast
import doctest
import inspect
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

import irbounds
from irbounds.cli.app import VERBS, Job, parse
from irbounds.cli.docs import doc_pages

DOCS = Path(__file__).parents[1] / "docs"
PAGES = sorted({"index", *doc_pages()} - {"cli"})
#: minimum numbers of scripts and commands on all pages
MIN_SCRIPTS, MIN_COMMANDS = 25, 90
#: words of the shell that end a command
SHELL_OPERATORS = {"|", "&", "&&", "2>&1", ">"}
#: options of every command, and of other programs on these pages
OTHER_OPTIONS = {
    *("--help", "--help-all", "--debug", "--version", "--install-completion"),
    *("--data", "--scale", "--full", "--gate", "--pairs"),
}


def read_page(page: str) -> str:
    path = DOCS / "index.md" if page == "index" else doc_pages()[page]
    return path.read_text(encoding="utf-8")


def list_options_by_command() -> dict[str, set[str]]:
    """Return the options of each command in the command-line reference."""
    sections = re.split(r"^## irbounds ", read_page("cli"), flags=re.MULTILINE)[1:]
    return {section.partition("\n")[0]: set(_list_options(section)) for section in sections}


def _list_options(text: str) -> list[str]:
    return re.findall(r"(?<![\w-])--?[a-z][\w-]*", text)


def list_scripts(page: str) -> list[str]:
    """Return the Python code of a page, that of doctests without prompts and output."""
    scripts = []
    for code in re.findall(r"```python\n(.*?)```", read_page(page), re.DOTALL):
        examples = doctest.DocTestParser().get_examples(code)
        scripts.append("".join(example.source for example in examples) if examples else code)
    return scripts


def list_calls(script: str) -> Iterator[tuple[str, set[str]]]:
    """Return the names below ``irbounds`` that a script uses, with the keywords of calls."""
    keywords = {}
    for node in ast.walk(ast.parse(script)):
        if isinstance(node, ast.Call):
            keywords[node.func] = {keyword.arg for keyword in node.keywords if keyword.arg}
        if isinstance(node, ast.Attribute):
            name = ast.unparse(node)
            if re.fullmatch(r"irbounds(\.\w+)+", name):
                yield name, keywords.get(node, set())


def check_script(script: str) -> None:
    for name, keywords in list_calls(script):
        value = irbounds
        for word in name.split(".")[1:]:
            assert word in getattr(value, "__all__", dir(value)), name
            value = getattr(value, word)
        if keywords:
            parameters = inspect.signature(value).parameters
            assert keywords <= set(parameters) or "options" in parameters, (name, keywords)


@pytest.mark.parametrize("page", PAGES)
def test_scripts_use_existing_names(page):
    """Only names of irbounds and keywords are checked, since clusters cannot be started here."""
    for script in list_scripts(page):
        check_script(script)


@pytest.mark.parametrize(
    "script",
    ["irbounds.api.paper_table(table)", "irbounds.random_baseline(10, 4)", "irbounds.rank(n=3)"],
)
def test_script_check_can_fail(script):
    with pytest.raises(AssertionError):
        check_script(script)


def list_commands(page: str) -> list[str]:
    """Return the command lines in blocks of code: those with a prompt, where there are prompts."""
    text = read_page(page).replace("\\\n", " ")
    blocks = re.findall(r"^```\w*\n(.*?)^```|((?:^    .*\n)+)", text, re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in _list_block_commands("".join(block))]


def _list_block_commands(block: str) -> list[str]:
    lines = [line.strip() for line in block.split("\n")]
    typed = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
    return [line.partition(" | ")[0] for line in typed or lines if line.startswith("irbounds ")]


def test_output_and_pipes_are_no_commands():
    assert _list_block_commands("$ irbounds --version\nirbounds 1.2") == ["irbounds --version"]
    assert _list_block_commands("irbounds demo | head -n 3\nx") == ["irbounds demo"]


def check_command(line: str) -> None:
    """Parse a command line and make its request, which reads no file."""
    words = shlex.split(line, comments=True)[1:]
    end = next((k for k, word in enumerate(words) if word in SHELL_OPERATORS), len(words))
    job = parse(words[:end])
    assert isinstance(job, Job | int | None)
    if isinstance(job, Job):
        job.request(job.verb.request)


@pytest.mark.parametrize("page", PAGES)
def test_commands_are_parsed(page):
    for line in list_commands(page):
        check_command(line)


def test_commands_of_the_questions_are_parsed():
    commands = re.findall(r"`(irbounds .+?)`", read_page("questions"))
    assert len(commands) >= 25
    for line in commands:
        check_command(line)


@pytest.mark.parametrize(
    "line",
    [
        "irbounds compare qrels.txt runs/ --adjust holm",
        "irbounds plan quereis qrels.txt runs/",
        "irbounds evaluate qrels.txt runs/ --queries judged",
    ],
)
def test_command_check_can_fail(line):
    with pytest.raises(Exception, match=r"adjust|plan|judged"):
        check_command(line)


def test_pages_have_scripts_and_commands():
    assert sum(len(list_scripts(page)) for page in PAGES) >= MIN_SCRIPTS
    assert sum(len(list_commands(page)) for page in PAGES) >= MIN_COMMANDS


@pytest.mark.parametrize("page", PAGES)
def test_options_and_commands_in_text_exist(page):
    known = set().union(*list_options_by_command().values(), OTHER_OPTIONS)
    known |= {f"--no-{name}" for name in re.findall(r"--\[no-\]([\w-]+)", read_page("cli"))}
    sentences = re.sub(r"^```.*?^```", "", read_page(page), flags=re.MULTILINE | re.DOTALL)
    families = {name.partition(" ")[0] for name in VERBS}
    for code in re.findall(r"`([^`\n]+)`", sentences):
        assert set(re.findall(r"(?<![\w-])--[a-z][\w-]*", code)) <= known, code
        named = re.match(r"irbounds ([a-z][\w-]*)", code)
        assert not named or named[1] in {*families, "result"}, code  # the format of a card
