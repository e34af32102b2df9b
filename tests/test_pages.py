"""What the pages show can be done as shown, and every page is in the index."""

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
from irbounds.cli.app import VERBS, ExecutionOptions, Job, parse
from irbounds.requests.request import options_of

DOCS = Path(__file__).parents[1] / "docs"
EXECUTION = [one.name for one in options_of(ExecutionOptions)]
PAGES = sorted(path.stem for path in DOCS.glob("*.md") if path.stem != "cli")
#: pages without a script or a command may become more, but not most of them
MIN_SCRIPTS, MIN_COMMANDS = 25, 90
#: options of every command, and of other programs on these pages
OTHER_OPTIONS = {
    *("--help", "--help-all", "--debug", "--version", "--install-completion"),
    *("--nthreads", "--memory-limit", "--full", "--weights"),
}


def text_of(page: str) -> str:
    return (DOCS / f"{page}.md").read_text()


def options_by_command() -> dict[str, set[str]]:
    """What the reference of the command line says, which is what commands say of themselves."""
    sections = re.split(r"^## irbounds ", text_of("cli"), flags=re.MULTILINE)[1:]
    return {section.partition("\n")[0]: set(_options(section)) for section in sections}


def _options(text: str) -> list[str]:
    return re.findall(r"(?<![\w-])--?[a-z][\w-]*", text)


def headings_of(page: str) -> set[str]:
    """As they are linked to: in lower case, words joined by hyphens."""
    heads = re.findall(r"^#+ (.+)", text_of(page), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head).lower().replace(" ", "-") for head in heads}


def test_examples_of_reproducibility_run():
    found = doctest.testfile(str(DOCS / "reproducibility.md"), module_relative=False)
    assert found.attempted > 5
    assert found.failed == 0


def scripts_of(page: str) -> list[str]:
    """Return the Python code of a page, that of doctests without prompts and output."""
    found = []
    for code in re.findall(r"```python\n(.*?)```", text_of(page), re.DOTALL):
        examples = doctest.DocTestParser().get_examples(code)
        found.append("".join(one.source for one in examples) if examples else code)
    return found


def calls_of(script: str) -> Iterator[tuple[str, set[str]]]:
    """Return what a script names below ``irbounds``, with the keywords of calls."""
    keywords = {}
    for node in ast.walk(ast.parse(script)):
        if isinstance(node, ast.Call):
            keywords[node.func] = {one.arg for one in node.keywords if one.arg}
        if isinstance(node, ast.Attribute):
            name = ast.unparse(node)
            if re.fullmatch(r"irbounds(\.\w+)+", name):
                yield name, keywords.get(node, set())


def check_script(script: str) -> None:
    for name, keywords in calls_of(script):
        value = irbounds
        for word in name.split(".")[1:]:
            assert word in getattr(value, "__all__", dir(value)), name
            value = getattr(value, word)
        if keywords:
            parameters = inspect.signature(value).parameters
            assert keywords <= set(parameters) or "options" in parameters, (name, keywords)


@pytest.mark.parametrize("page", PAGES)
def test_scripts_use_what_there_is(page):
    """Clusters cannot be started here; names of irbounds and keywords can be checked."""
    for script in scripts_of(page):
        check_script(script)


@pytest.mark.parametrize(
    "script",
    ["irbounds.api.paper_table(table)", "irbounds.random_baseline(10, 4)", "irbounds.rank(n=3)"],
)
def test_the_check_of_scripts_can_fail(script):
    with pytest.raises(AssertionError):
        check_script(script)


def commands_of(page: str) -> list[str]:
    """Return the command lines in blocks of code."""
    text = text_of(page).replace("\\\n", " ")
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
def test_commands_are_understood(page):
    for line in commands_of(page):
        check_command(line)


@pytest.mark.parametrize(
    "line",
    [
        "irbounds compare qrels.txt runs/ --adjust holm",
        "irbounds plan queries qrels.txt runs/",
        "irbounds evaluate qrels.txt runs/ --queries judged",
    ],
)
def test_the_check_of_commands_can_fail(line):
    with pytest.raises(Exception, match=r"adjust|plan|judged"):
        check_command(line)


def test_pages_have_scripts_and_commands():
    assert sum(len(scripts_of(page)) for page in PAGES) >= MIN_SCRIPTS
    assert sum(len(commands_of(page)) for page in PAGES) >= MIN_COMMANDS


@pytest.mark.parametrize("page", PAGES)
def test_options_and_commands_in_sentences_exist(page):
    known = set().union(*options_by_command().values(), OTHER_OPTIONS)
    known |= {f"--no-{name}" for name in re.findall(r"--\[no-\]([\w-]+)", text_of("cli"))}
    sentences = re.sub(r"^```.*?^```", "", text_of(page), flags=re.MULTILINE | re.DOTALL)
    families = {name.partition(" ")[0] for name in VERBS}
    for code in re.findall(r"`([^`\n]+)`", sentences):
        assert set(re.findall(r"(?<![\w-])--[a-z][\w-]*", code)) <= known, code
        named = re.match(r"irbounds ([a-z][\w-]*)", code)
        assert not named or named[1] in {*families, "result"}, code  # the format of a card


def test_the_options_of_commands_are_found():
    known = options_by_command()
    assert "--checkpoint" in known["study park2011"]
    assert "--checkpoint" not in known["study bestgen2015"]
    assert _options("calibrate -m AP --n-samples 10") == ["-m", "--n-samples"]


def test_every_page_is_in_the_index():
    index = text_of("README")
    links = re.findall(r"\]\(([\w-]+)\.md\)", index)
    assert sorted(links) == sorted({*PAGES, "cli"} - {"README"})
    assert all(line.count("](") == 1 for line in index.splitlines() if line.startswith("| ["))


def test_the_table_of_options_is_complete():
    options = re.findall(r"^\| (?:`--(\w+) \w+`)? ?\| `(\w+)=", text_of("scale"), re.MULTILINE)
    assert {option for option, _ in options} == {*EXECUTION, ""}
    assert {name for _, name in options} == set(inspect.signature(irbounds.execution).parameters)


def test_the_list_of_commands_with_the_options_is_complete():
    listed = re.search(r"These commands have them: (.*?)\.\n", text_of("scale"), re.DOTALL)
    having = {
        name
        for name, options in options_by_command().items()
        if {f"--{option}" for option in EXECUTION} <= options
    }
    assert set(re.findall(r"`(.+?)`", listed[1])) == having


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_to_headings(page):
    for other, heading in re.findall(r"\]\(([\w-]*)(?:\.md)?#([\w-]+)\)", text_of(page)):
        assert heading in headings_of(other or page), (other, heading)
