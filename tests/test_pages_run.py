"""The program that runs the code on pages, and the blocks of the pages; ``make docs`` runs them."""

from __future__ import annotations

import os

import pytest
from site_build import run_pages

#: blocks that are output, or files with a title
OUTPUT = {*("text", "csv", "json", "latex", "yaml", "bibtex", "html", "xml", "toml", "bash")}


@pytest.mark.parametrize("page", run_pages.list_pages())
def test_blocks_are_run_or_marked(page):
    text = (run_pages.DOCS / f"{page}.md").read_text(encoding="utf-8")
    for block in run_pages.blocks_of(text):
        assert block.language in {"console", "python", *OUTPUT}, block.text
        assert block.language != "bash" or block.reason, f"why is this not run? {block.text}"
        if block.language == "console":
            assert list(run_pages.commands_of(block.text))
    without = run_pages.BLOCK.sub("", text)
    assert "```" not in without
    assert "\n\n    " not in without, "a block by indentation is neither run nor marked as output"


@pytest.fixture
def write_page(monkeypatch, tmp_path):
    """Return a function that writes a page and runs it."""
    monkeypatch.setattr(run_pages, "DOCS", tmp_path)
    (tmp_path / "work").mkdir()

    def call(text: str, name: str = "start") -> str:
        (tmp_path / f"{name}.md").write_text(text, encoding="utf-8")
        return run_pages.check_page(name, tmp_path / "work", None)

    return call


def test_output_of_commands_is_compared(write_page):
    assert not write_page("```console\n$ echo one\none\n```\n")
    assert "prints 'two'" in write_page("```console\n$ echo two\none\n```\n")
    assert not write_page("```console\n$ echo 12.3 s\n... s\n```\n")
    assert not write_page("```console\n$ exit 3 # status 3\n```\n")
    assert "status 3" in write_page("```console\n$ exit 3\n```\n")


def test_settings_of_the_environment_do_not_matter(monkeypatch):
    monkeypatch.setattr(os, "environ", {"IRBOUNDS_DATA": "x", "PATH": "z", "CI": "1"})
    run_pages.forget_settings()
    assert os.environ == {"PATH": "z"}


def test_commands_that_do_not_end_are_ended(write_page, monkeypatch):
    monkeypatch.setattr(run_pages, "SECONDS", 0.5)
    assert "not done after 0.5 s: sleep 60 | cat" in write_page(
        "```console\n$ sleep 60 | cat\n```\n"
    )


def test_output_is_needed_only_where_a_page_has_it(write_page):
    assert not write_page("```console\n$ echo one\n```\n", "how-to")
    assert "2 lines" not in write_page("```console\n$ echo one\n```\n", "how-to")
    assert write_page("```console\n$ echo one\n```\n", "start")


def test_scripts_and_doctests_share_names(write_page):
    page = "```python\nx = 2\n```\n\n```python\n>>> x + 1\n{}\n```\n"
    assert not write_page(page.format(3))
    assert "Got" in write_page(page.format(4))


def test_titled_blocks_are_files(write_page):
    page = '```csv title="a/b.csv"\nx,y\n```\n\n```console\n$ cat a/b.csv\nx,y\n```\n'
    assert not write_page(page)


def test_titled_python_blocks_are_files_that_are_not_run(write_page):
    page = '```python title="a.py"\n1 / 0\n```\n\n```console\n$ cat a.py\n1 / 0\n```\n'
    assert not write_page(page)


def test_blocks_with_a_reason_are_left_out(write_page):
    assert not write_page("<!-- not run: needs a cluster -->\n```console\n$ exit 1\n```\n")
