"""Options that every command has, and what becomes of them."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import pytest

from irbounds.cli import runner as running
from irbounds.cli.app import VERBS, Job, load_verb, options_of_command
from irbounds.cli.help import help_lines
from irbounds.cli.output import Invocation, Output, PageOutput
from irbounds.errors import ParameterError
from irbounds.presentation.verbosity import is_quiet, is_verbose
from irbounds.requests.request import Option, Request, plain_options
from irbounds.requests.verb import verb, verb_of
from irbounds.results.result import Answer

DATA = "IRBOUNDS_DIRECTORY_OF_A_TEST"


@dataclass(frozen=True, kw_only=True)
class CountRequest(Request):
    """The options of a command that only exists here."""

    number: Annotated[int, Option("A number.")] = 1
    paths: Annotated[Any, Option("Files.", file="read", is_repeated=True)] = None
    data: Annotated[str | None, Option("A directory.", variable=DATA)] = None
    objects: Annotated[Any, Option("Objects.", is_python_only=True)] = None


@verb(CountRequest, group="Help", shows=("figure", "report"), examples=())
def count(request: CountRequest) -> Answer[None]:
    """Remember how loud it is."""
    heard.append((is_quiet(), is_verbose()))
    return Answer(None, text="")


@verb(CountRequest, group="Help", shows=(), examples=())
def mumble(request: CountRequest) -> Answer[None]:
    """Show nothing."""
    return Answer(None, text="")


heard: list[tuple[bool, bool]] = []


@pytest.fixture
def ran(monkeypatch):
    """Run ``count`` with typed values, and return what was to be shown."""
    heard.clear()

    def run(*words: str, **typed: Any) -> Invocation:
        shown = []
        monkeypatch.setattr(running, "show_answer", lambda *given: shown.append(given[2]))
        running.run_job(Job(verb_of(count), typed), ["count", *words])
        (found,) = shown
        return found

    return run


def test_a_page_states_every_option_and_the_command_line(ran):
    found = ran("--number", "2", number="2", paths=["a", "b"], quiet=True)
    assert found == Invocation(
        "count", ("count", "--number", "2"), {"number": 2, "paths": ["a", "b"], "data": None}
    )


@pytest.mark.parametrize(("quiet", "verbose"), [(False, False), (True, False), (False, True)])
def test_a_command_is_as_loud_as_was_asked_and_only_while_it_runs(ran, quiet, verbose):
    ran(quiet=quiet, verbose=verbose)
    assert heard == [(quiet, verbose)]
    assert (is_quiet(), is_verbose()) == (False, False)


def test_debug_is_no_part_of_the_command(ran):
    assert ran("--debug", "--number", "1").arguments == ("count", "--number", "1")


def test_a_directory_that_the_environment_gave_is_part_of_the_command(ran, monkeypatch):
    monkeypatch.setenv(DATA, "there")
    assert ran().arguments == ("count", "--data=there")
    assert ran().options["data"] == "there"
    assert ran("--data", "here", data="here").arguments == ("count", "--data", "here")


def test_what_only_python_has_is_no_option_of_the_command():
    names = [one.name for one in options_of_command(verb_of(count))]
    assert "objects" not in names
    assert "paths" in names
    assert "objects" not in plain_options(CountRequest(objects=[object()]))
    assert "objects" in (count.__doc__ or "")


def test_only_the_files_that_a_command_has_are_options():
    one, two = (
        "\n".join(line.plain for line in help_lines(verb_of(command), is_all=True))
        for command in (count, mumble)
    )
    for option in ("--figure", "--report", "--width", "--title"):
        assert option in one
        assert option not in two
    assert "--top" not in one
    assert "--figures" not in one
    assert "--quiet" in two


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"quiet": True, "verbose": True}, "quiet and verbose: give one or the other"),
        ({"report": "page.pdf"}, "report page.pdf: use an extension of .html, .htm"),
        ({"report": "no/page.html"}, "report no/page.html: there is no directory no"),
        ({"figure": "f.bmp"}, "figure f.bmp: use an extension of .png, .svg"),
        ({"figure": "figure"}, "figure figure: use an extension"),
        ({"width": "300"}, "width needs --figure FILE"),
        ({"open": True}, "open needs --report FILE"),
    ],
)
def test_what_cannot_be_written_is_said_before_any_work(ran, options, said):
    with pytest.raises(ParameterError, match=said):
        ran(**options)
    assert not heard


def test_an_extension_that_no_format_has():
    with pytest.raises(ParameterError, match=r"output x\.xml: .*format.* \.txt, \.csv"):
        _ = Output(output="x.xml").form
    assert Output(output="x.xml", format="csv").form == "csv"
    assert Output(output="x.TEX").form == "latex"


def test_a_directory_is_not_a_file_and_a_file_not_a_directory(ran, tmp_path):
    (tmp_path / "page.html").mkdir()
    (tmp_path / "file").write_text("")
    with pytest.raises(ParameterError, match="this is a directory; give a file"):
        ran(report=str(tmp_path / "page.html"))
    with pytest.raises(ParameterError, match="this is a file; give a directory"):
        Output(figures=str(tmp_path / "file"))


def test_files_that_are_one_file_are_refused(ran, tmp_path):
    page = tmp_path / "page.html"
    with pytest.raises(ParameterError, match="must be different files"):
        ran(figure=str(page), report=str(tmp_path / "." / "page.html"))
    assert not heard


def test_a_page_and_the_page_to_repeat_are_two_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ParameterError, match="this is the page to repeat"):
        PageOutput(output="page.html", repeat=str(tmp_path / "page.html"))
    assert PageOutput(repeat="irbounds-report.html").output is None
    assert PageOutput().page == Path("irbounds-report.html")


def test_every_command_with_a_result_has_a_report():
    without = {
        *("report", "simulate", "data list", "data fetch", "data path", "measures", "docs", "help"),
    }
    for name, options in _commands():
        assert ("report" in options) == (name not in without), name


def test_commands_that_draw_systems_have_top():
    queries = {"evaluate", "compare", "rank", "standardise"}
    others = {"corpus", "recall", "chance"}
    assert {name for name, options in _commands() if "top" in options} == queries | others


def _commands() -> list[tuple[str, list[str]]]:
    return [(name, [one.name for one in options_of_command(load_verb(name))]) for name in VERBS]


@pytest.mark.parametrize("option", ["--output", "--figure", "--report"])
def test_a_link_to_itself_is_an_error_of_one_line(irbounds, tmp_path, option):
    (tmp_path / "s.csv").write_text("query_id,a,b\nq1,0.1,0.2\nq2,0.3,0.1\n")
    loop = tmp_path / ("loop.csv" if option == "--output" else "loop.html")
    loop.symlink_to(loop.name)
    done = irbounds("evaluate", "--scores", "AP=s.csv", option, loop.name)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(f"irbounds: error: {option} {loop.name}: ".encode())
    assert done.stderr.count(b"\n") == 1
    assert loop.is_symlink()


def test_a_page_is_written_though_nobody_reads_the_tables(files):
    arguments = ["evaluate", "qrels.txt", "one.run", "--report", "page.html"]
    done = subprocess.run(
        f"{sys.executable} -m irbounds {' '.join(arguments)} | true",
        shell=True, cwd=files, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "report: page.html" in done.stderr
    assert (files / "page.html").stat().st_size > 100_000
