"""Options that every command has: verbosity, output files and the command line on the page."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from typing import Annotated, Any

import pytest

from irbounds.cli import runner as running
from irbounds.cli.app import VERBS, Job, load_verb, options_of_command
from irbounds.cli.help import help_lines
from irbounds.cli.output import Invocation
from irbounds.cli.output_options import AuditOutput, Output
from irbounds.errors import ParameterError
from irbounds.presentation.verbosity import is_quiet, is_verbose
from irbounds.requests.request import Option, Request, plain_options
from irbounds.requests.verb import verb, verb_of
from irbounds.results.result import Answer


@dataclass(frozen=True, kw_only=True)
class CountRequest(Request):
    """Options of a command defined for these tests."""

    number: Annotated[int, Option("A number.")] = 1
    paths: Annotated[Any, Option("Files.", file="read", is_repeated=True)] = None
    objects: Annotated[Any, Option("Objects.", is_python_only=True)] = None


@verb(CountRequest, group="Help", shows=("figure", "report"), examples=())
def count(request: CountRequest) -> Answer[None]:
    """Record the verbosity."""
    verbosities.append((is_quiet(), is_verbose()))
    return Answer(None, text="")


@verb(CountRequest, group="Help", shows=(), examples=())
def show_nothing(request: CountRequest) -> Answer[None]:
    """Show nothing."""
    return Answer(None, text="")


verbosities: list[tuple[bool, bool]] = []


@pytest.fixture
def run_count(monkeypatch):
    """Run ``count`` with option values and return its invocation."""
    verbosities.clear()

    def run(*words: str, **values: Any) -> Invocation:
        invocations = []
        monkeypatch.setattr(
            running, "show_answer", lambda *arguments: invocations.append(arguments[2])
        )
        running.run_job(Job(verb_of(count), values), ["count", *words])
        (invocation,) = invocations
        return invocation

    return run


def test_invocation_has_every_option_and_the_command_line(run_count):
    invocation = run_count("--number", "2", number="2", paths=["a", "b"], quiet=True)
    assert invocation == Invocation(
        "count", ("count", "--number", "2"), {"number": 2, "paths": ["a", "b"]}
    )


@pytest.mark.parametrize(("quiet", "verbose"), [(False, False), (True, False), (False, True)])
def test_verbosity_is_set_only_while_the_command_runs(run_count, quiet, verbose):
    run_count(quiet=quiet, verbose=verbose)
    assert verbosities == [(quiet, verbose)]
    assert (is_quiet(), is_verbose()) == (False, False)


def test_debug_is_not_in_the_command_line(run_count):
    assert run_count("--debug", "--number", "1").arguments == ("count", "--number", "1")


def test_python_only_parameters_are_not_options():
    names = [option.name for option in options_of_command(verb_of(count))]
    assert "objects" not in names
    assert "paths" in names
    assert "objects" not in plain_options(CountRequest(objects=[object()]))
    assert "objects" in (count.__doc__ or "")


def test_output_options_depend_on_the_command():
    help_with_files, help_without_files = (
        "\n".join(line.plain for line in help_lines(verb_of(command), is_all=True))
        for command in (count, show_nothing)
    )
    for option in ("--figure", "--report", "--width", "--title"):
        assert option in help_with_files
        assert option not in help_without_files
    assert "--top" not in help_with_files
    assert "--quiet" in help_without_files


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"quiet": True, "verbose": True}, "quiet and verbose: give one or the other"),
        ({"report": "page.doc"}, "report page.doc: use an extension of .html, .htm"),
        ({"report": "no/page.html"}, "report no/page.html: there is no directory no"),
        ({"figure": "f.bmp"}, "figure f.bmp: use an extension of .png, .svg"),
        ({"figure": "figure"}, "figure figure: use an extension"),
        ({"width": "300"}, "width needs --figure FILE"),
        ({"open": True}, "open needs --report FILE"),
    ],
)
def test_invalid_output_options_are_errors_before_the_run(run_count, options, message):
    with pytest.raises(ParameterError, match=message):
        run_count(**options)
    assert not verbosities


def test_entries_of_the_cover_are_single_lines_that_fit():
    output = AuditOutput(matter=" Doe v.\n Roe ", date="1 May 2026")
    assert output.entries == {"Matter": "Doe v. Roe", "Date": "1 May 2026"}
    with pytest.raises(ParameterError, match="prepared_by must be at most 160 characters; got 161"):
        AuditOutput(prepared_by="x" * 161)
    with pytest.raises(ParameterError, match="date must be at most 40 characters"):
        AuditOutput(date="x" * 41)


def test_entries_of_the_cover_need_a_report(irbounds):
    counts = ("--retrieved", "9", "9", "5", "--unretrieved", "99", "9", "1")
    result = irbounds("recall", *counts, "--prepared-by", "A. Smith")
    assert result.returncode == 2
    assert result.stderr == b"irbounds: error: --prepared-by needs --report FILE\n"


def test_unknown_file_extension_is_an_error():
    with pytest.raises(ParameterError, match=r"output x\.xml: .*format.* \.txt, \.csv"):
        _ = Output(output="x.xml").form
    assert Output(output="x.xml", format="csv").form == "csv"
    assert Output(output="x.TEX").form == "latex"


def test_directory_in_place_of_a_file_is_an_error(run_count, tmp_path):
    (tmp_path / "page.html").mkdir()
    with pytest.raises(ParameterError, match="this is a directory; give a file"):
        run_count(report=str(tmp_path / "page.html"))


def test_two_outputs_to_the_same_file_are_an_error(run_count, tmp_path):
    page = tmp_path / "page.html"
    with pytest.raises(ParameterError, match="must be different files"):
        run_count(figure=str(page), report=str(tmp_path / "." / "page.html"))
    assert not verbosities


def test_commands_with_results_have_a_report_option():
    without = {
        *("report", "simulate", "draw", "data list", "data fetch", "data path", "measures", "docs"),
        "help",
    }
    for name, options in _list_commands_with_options():
        assert ("report" in options) == (name not in without), name


def test_commands_with_system_figures_have_top_option():
    queries = {"evaluate", "compare", "rank", "standardise"}
    others = {"corpus", "recall", "chance", "ap"}
    assert {
        name for name, options in _list_commands_with_options() if "top" in options
    } == queries | others


def _list_commands_with_options() -> list[tuple[str, list[str]]]:
    return [
        (name, [option.name for option in options_of_command(load_verb(name))]) for name in VERBS
    ]


@pytest.mark.parametrize("option", ["--output", "--figure", "--report"])
def test_symbolic_link_to_itself_is_a_one_line_error(irbounds, tmp_path, option):
    (tmp_path / "s.csv").write_text("query_id,a,b\nq1,0.1,0.2\nq2,0.3,0.1\n")
    loop = tmp_path / ("loop.csv" if option == "--output" else "loop.html")
    loop.symlink_to(loop.name)
    result = irbounds("evaluate", "--scores", "AP=s.csv", option, loop.name)
    assert (result.returncode, result.stdout) == (2, b"")
    assert result.stderr.startswith(f"irbounds: error: {option} {loop.name}: ".encode())
    assert result.stderr.count(b"\n") == 1
    assert loop.is_symlink()


def test_page_is_written_when_stdout_is_closed(files):
    arguments = ["evaluate", "qrels.txt", "one.run", "--report", "page.html"]
    result = subprocess.run(
        f"{sys.executable} -m irbounds {' '.join(arguments)} | true",
        shell=True, cwd=files, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "report: page.html" in result.stderr
    assert (files / "page.html").stat().st_size > 100_000
