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
from irbounds.cli.app import SPLIT_NAMES, VERBS, ExecutionOptions, Job, parse
from irbounds.requests.request import options_of

DOCS = Path(__file__).parents[1] / "docs"
EXECUTION = [option.name for option in options_of(ExecutionOptions)]
PAGES = sorted(path.stem for path in DOCS.glob("*.md") if path.stem != "cli")
#: minimum numbers of scripts and commands on all pages
MIN_SCRIPTS, MIN_COMMANDS = 25, 90
#: options of every command, and of other programs on these pages
OTHER_OPTIONS = {
    *("--help", "--help-all", "--debug", "--version", "--install-completion"),
    *("--nthreads", "--memory-limit", "--full", "--weights", "--gate", "--pairs"),
}


def read_page(page: str) -> str:
    return (DOCS / f"{page}.md").read_text()


def list_options_by_command() -> dict[str, set[str]]:
    """Return the options of each command in the command-line reference."""
    sections = re.split(r"^## irbounds ", read_page("cli"), flags=re.MULTILINE)[1:]
    return {section.partition("\n")[0]: set(_list_options(section)) for section in sections}


def _list_options(text: str) -> list[str]:
    return re.findall(r"(?<![\w-])--?[a-z][\w-]*", text)


def list_headings(page: str) -> set[str]:
    """Return the anchors of headings: lower case, words joined by hyphens."""
    heads = re.findall(r"^#+ (.+)", read_page(page), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head).lower().replace(" ", "-") for head in heads}


def test_examples_of_reproducibility_run():
    results = doctest.testfile(str(DOCS / "reproducibility.md"), module_relative=False)
    assert results.attempted > 5
    assert results.failed == 0


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
    """Return the command lines in blocks of code."""
    text = read_page(page).replace("\\\n", " ")
    blocks = re.findall(r"^```\w*\n(.*?)^```|((?:^    .*\n)+)", text, re.MULTILINE | re.DOTALL)
    lines = [
        line.strip().removeprefix("$ ") for block in blocks for line in "".join(block).split("\n")
    ]
    return [line for line in lines if line.startswith("irbounds ")]


def check_command(line: str) -> None:
    """Parse a command line and make its request, which reads no file."""
    words = shlex.split(line, comments=True)[1:]
    job = parse([word for word in words if word != "&"])
    assert isinstance(job, Job | int | None)
    if isinstance(job, Job) and "repeat" not in job.values:
        job.request(job.verb.request)


@pytest.mark.parametrize("page", PAGES)
def test_commands_are_parsed(page):
    for line in list_commands(page):
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
    families = {name.partition(" ")[0] for name in VERBS} | set(SPLIT_NAMES)
    for code in re.findall(r"`([^`\n]+)`", sentences):
        assert set(re.findall(r"(?<![\w-])--[a-z][\w-]*", code)) <= known, code
        named = re.match(r"irbounds ([a-z][\w-]*)", code)
        assert not named or named[1] in {*families, "result"}, code  # the format of a card


def test_command_options_are_listed():
    known = list_options_by_command()
    assert "--checkpoint" in known["study park2011"]
    assert "--checkpoint" not in known["study bestgen2015"]
    assert _list_options("calibrate -m AP --n-samples 10") == ["-m", "--n-samples"]


def test_index_lists_every_page():
    index = read_page("README")
    links = re.findall(r"\]\(([\w-]+)\.md\)", index)
    assert sorted(links) == sorted({*PAGES, "cli"} - {"README"})
    assert all(line.count("](") == 1 for line in index.splitlines() if line.startswith("| ["))


def test_option_table_is_complete():
    options = re.findall(r"^\| (?:`--(\w+) \w+`)? ?\| `(\w+)=", read_page("scale"), re.MULTILINE)
    assert {option for option, _ in options} == {*EXECUTION, ""}
    assert {name for _, name in options} == set(inspect.signature(irbounds.execution).parameters)


def test_list_of_commands_with_execution_options_is_complete():
    listed = re.search(r"These commands have them: (.*?)\.\n", read_page("scale"), re.DOTALL)
    expected = {
        name
        for name, options in list_options_by_command().items()
        if {f"--{option}" for option in EXECUTION} <= options
    }
    assert set(re.findall(r"`(.+?)`", listed[1])) == expected


@pytest.mark.parametrize("page", PAGES)
def test_links_match_headings(page):
    for other, heading in re.findall(r"\]\(([\w-]*)(?:\.md)?#([\w-]+)\)", read_page(page)):
        assert heading in list_headings(other or page), (other, heading)
