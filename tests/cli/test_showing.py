"""Options that every command has."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from irbounds.cli.app import app
from irbounds.cli.showing import Showing, asked, shown
from irbounds.errors import ParameterError


def command(number: int = 1, paths: list[Path] | None = None) -> None:
    seen.append(asked())


seen: list[Showing] = []


@pytest.fixture(autouse=True)
def _forget():
    seen.clear()


def test_a_command_finds_what_was_asked_for():
    given = {"number": 2, "paths": [Path("a"), Path("b")], "quiet": True, "verbose": False}
    shown(command, "report")(**given, report=None)
    assert seen == [
        Showing(command="command", quiet=True, options={"number": 2, "paths": ["a", "b"]})
    ]


def test_what_was_asked_for_is_forgotten_when_the_command_ends():
    shown(command)(number=1, paths=None, quiet=True, verbose=False)
    assert asked() == Showing()


def test_only_the_files_that_a_command_has_are_options():
    both = typer.Typer()
    both.command("one")(shown(command, "figure", "report"))
    both.command("two")(shown(command))
    one, two = (CliRunner().invoke(both, [name, "--help"]).output for name in ("one", "two"))
    assert "--figure" in one
    assert "--report" in one
    assert "--figures" not in one
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
        shown(command, "figure", "report")(number=1, paths=None, **given)
    assert not seen


def test_a_folder_is_no_file_and_a_file_no_folder(tmp_path):
    (tmp_path / "page.html").mkdir()
    (tmp_path / "file").write_text("")
    quiet = {"quiet": False, "verbose": False}
    with pytest.raises(ParameterError, match="this is a folder; name a file"):
        shown(command, "report")(number=1, paths=None, report=tmp_path / "page.html", **quiet)
    with pytest.raises(ParameterError, match="this is a file; name a folder"):
        shown(command, "figures")(number=1, paths=None, figures=tmp_path / "file", **quiet)


def test_every_command_with_a_result_has_a_report():
    without = {"report", "simulate", "data list", "data fetch", "data path"}
    for name, found in _commands():
        assert ("--report" in found) == (name not in without), name


def _commands() -> list[tuple[str, str]]:
    root = typer.main.get_command(app)
    pairs = []
    for name, one in root.commands.items():
        for part, inner in getattr(one, "commands", {"": one}).items():
            options = {text for parameter in inner.params for text in parameter.opts}
            pairs.append((f"{name} {part}".strip(), options))
    return pairs
