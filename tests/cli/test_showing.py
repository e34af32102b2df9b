"""Options that every command has."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from irbounds.cli.app import app
from irbounds.cli.showing import Showing, asked, given_arguments, with_shared_options
from irbounds.errors import ParameterError
from irbounds.presentation.loudness import is_quiet, is_verbose


def command(number: int = 1, paths: list[Path] | None = None) -> None:
    seen.append(asked())
    heard.append((is_quiet(), is_verbose()))


seen: list[Showing] = []
heard: list[tuple[bool, bool]] = []


@pytest.fixture(autouse=True)
def _forget():
    seen.clear()
    heard.clear()


def test_a_command_finds_what_was_asked_for():
    given = {"number": 2, "paths": [Path("a"), Path("b")], "quiet": True, "verbose": False}
    with_shared_options(command, "report")(**given, report=None)
    assert seen == [Showing(command="command", options={"number": 2, "paths": ["a", "b"]})]
    assert heard == [(True, False)]


@pytest.mark.parametrize(("quiet", "verbose"), [(False, False), (True, False), (False, True)])
def test_a_command_is_as_loud_as_was_asked_and_only_while_it_runs(quiet, verbose):
    with_shared_options(command)(number=1, paths=None, quiet=quiet, verbose=verbose)
    assert heard == [(quiet, verbose)]
    assert (is_quiet(), is_verbose()) == (False, False)


def test_the_command_line_is_remembered_for_the_page():
    with given_arguments(["command", "--number", "1"]):
        with_shared_options(command)(number=1, paths=None, quiet=False, verbose=False)
    assert seen[0].arguments == ("command", "--number", "1")
    assert asked().arguments == ()


def test_what_was_asked_for_is_forgotten_when_the_command_ends():
    with_shared_options(command)(number=1, paths=None, quiet=True, verbose=False)
    assert asked() == Showing()


def test_only_the_files_that_a_command_has_are_options():
    both = typer.Typer()
    both.command("one")(with_shared_options(command, "figure", "report"))
    both.command("two")(with_shared_options(command))
    one, two = (CliRunner().invoke(both, [name, "--help"]).output for name in ("one", "two"))
    assert "--figure" in one
    assert "--report" in one
    assert "--figures" not in one
    assert "--width" in one
    assert "--title" in one
    assert "--top" not in one
    assert "--title" not in two
    assert "--figure" not in two
    assert "--report" not in two
    assert "--quiet" in two


@pytest.mark.parametrize(
    ("wishes", "said"),
    [
        ({"quiet": True, "verbose": True}, "--quiet and --verbose: give one or the other"),
        ({"report": Path("page.pdf")}, "--report page.pdf: give one of the endings .html, .htm"),
        ({"report": Path("no/page.html")}, "--report no/page.html: there is no folder no"),
        ({"figure": Path("f.bmp")}, "--figure f.bmp: give one of the endings .png, .svg"),
        ({"figure": Path("figure")}, "--figure figure: give one of the endings"),
    ],
)
def test_what_cannot_be_written_is_said_before_any_work(wishes, said):
    given = {"quiet": False, "verbose": False, "report": None, "figure": None, **wishes}
    with pytest.raises(ParameterError, match=said):
        with_shared_options(command, "figure", "report")(number=1, paths=None, **given)
    assert not seen


def test_a_folder_is_no_file_and_a_file_no_folder(tmp_path):
    (tmp_path / "page.html").mkdir()
    (tmp_path / "file").write_text("")
    given = {"number": 1, "paths": None, "quiet": False, "verbose": False}
    with pytest.raises(ParameterError, match="this is a folder; name a file"):
        with_shared_options(command, "report")(**given, report=tmp_path / "page.html")
    with pytest.raises(ParameterError, match="this is a file; name a folder"):
        with_shared_options(command, "figures")(**given, figures=tmp_path / "file")


def test_every_command_with_a_result_has_a_report():
    without = {"report", "simulate", "data list", "data fetch", "data path"}
    for name, found in _commands():
        assert ("--report" in found) == (name not in without), name


def test_commands_that_draw_systems_have_top():
    queries = {"evaluate", "compare", "rank", "standardise", "report"}
    others = {"corpus", "recall", "baseline"}
    assert {name for name, found in _commands() if "--top" in found} == queries | others


def _commands() -> list[tuple[str, str]]:
    root = typer.main.get_command(app)
    pairs = []
    for name, one in root.commands.items():
        for part, inner in getattr(one, "commands", {"": one}).items():
            options = {text for parameter in inner.params for text in parameter.opts}
            pairs.append((f"{name} {part}".strip(), options))
    return pairs


def test_files_that_are_one_file_are_refused(tmp_path):
    given = {"quiet": False, "verbose": False, "paths": None}
    page = tmp_path / "page.html"
    with pytest.raises(ParameterError, match="must be different files"):
        with_shared_options(command, "figure", "report")(
            number=1, figure=page, report=tmp_path / "." / "page.html", **given
        )
    assert not seen


@pytest.mark.parametrize("option", ["--output", "--figure", "--report", "--write-factors"])
def test_a_link_to_itself_is_an_error_of_one_line(irbounds, tmp_path, option):
    (tmp_path / "s.csv").write_text("query_id,a,b\nq1,0.1,0.2\nq2,0.3,0.1\n")
    loop = tmp_path / ("loop.csv" if option == "--output" else "loop.html")
    loop.symlink_to(loop.name)
    done = irbounds("standardise", "AP=s.csv", option, loop.name)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(f"irbounds: error: {option} {loop.name}: ".encode())
    assert done.stderr.count(b"\n") == 1
    assert loop.is_symlink()


def test_a_folder_that_the_environment_named_is_part_of_the_command():
    def study(data: Path | None = None) -> None:
        seen.append(asked())

    with given_arguments(["study", "x"]):
        with_shared_options(study)(data=Path("there"), quiet=False, verbose=False)
    with given_arguments(["study", "x", "--data", "here"]):
        with_shared_options(study)(data=Path("here"), quiet=False, verbose=False)
    assert seen[0].arguments == ("study", "x", "--data=there")
    assert seen[1].arguments == ("study", "x", "--data", "here")


def test_a_page_is_written_though_nobody_reads_the_tables(files):
    arguments = ["evaluate", "qrels.txt", "one.run", "--report", "page.html"]
    done = subprocess.run(
        f"{sys.executable} -m irbounds {' '.join(arguments)} | true",
        shell=True, cwd=files, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "report: page.html" in done.stderr
    assert (files / "page.html").stat().st_size > 100_000
