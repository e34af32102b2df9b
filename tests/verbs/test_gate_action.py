"""The GitHub Action of docs/gate: its script run by bash, and its description."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
ACTION = DOCS / "gate"
PAGE = DOCS / "how-to" / "gate.md"
pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")


def make_run(shift):
    return "".join(
        f"q{k} Q0 d{(j + shift * (k % 3)) % 12} 1 {20 - j} t\n"
        for k in range(12)
        for j in range(12)
    )


@pytest.fixture
def run_action(tmp_path):
    """Run the script with inputs, as the action does, and return its result."""
    program = tmp_path / "bin" / "irbounds"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m irbounds "$@"\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    qrels = [f"q{k} 0 d{j} {int(j < 4)}\n" for k in range(12) for j in range(12)]
    (tmp_path / "qrels.txt").write_text("".join(qrels))
    for name, shift in (("old", 1), ("new", 0), ("bad", 5)):
        (tmp_path / f"{name}.run").write_text(make_run(shift))

    def call(**inputs):
        environment = {
            **os.environ,
            "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
            "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
            "GITHUB_OUTPUT": str(tmp_path / "output"),
            **{"QRELS": "qrels.txt", "OLD": "old.run", "NEW": "new.run", "MEASURES": "AP"},
            **{"MARGIN": "0.05"},
            **inputs,
        }
        script = ["bash", str(ACTION / "gate.sh")]
        return subprocess.run(
            script, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )

    return call


def test_a_passing_gate(run_action, tmp_path):
    result = run_action(UNDECIDED="", REQUIRE="not-worse", IDENTICAL="refuse")
    assert result.returncode == 0, result.stdout + result.stderr
    assert "PASS: new is not worse than old" in result.stdout
    assert (tmp_path / "summary.md").read_text().startswith("**PASS: new is not worse than old")
    assert (tmp_path / "output").read_text() == "status=0\n"


@pytest.mark.parametrize(
    ("inputs", "status", "words"),
    [
        ({"NEW": "bad.run"}, 1, "**FAIL: bad is worse"),
        ({"MARGIN": "", "REQUIRE": "better", "OLD": "new.run", "NEW": "old.run"}, 1, "**FAIL"),
        ({"NEW": "old.run"}, 2, "byte-identical"),
        ({"NEW": "none.run"}, 2, "none.run"),
        ({"MARGIN": "x"}, 2, "--margin must be a number"),
    ],
)
def test_the_status_is_that_of_the_gate(run_action, tmp_path, inputs, status, words):
    result = run_action(**inputs)
    assert result.returncode == status
    assert words in (tmp_path / "summary.md").read_text()
    assert (tmp_path / "output").read_text() == f"status={status}\n"


def test_warnings_are_in_the_summary(run_action, tmp_path):
    lines = (tmp_path / "new.run").read_text().splitlines(keepends=True)
    (tmp_path / "part.run").write_text("".join(lines[24:]))
    run_action(NEW="part.run", MARGIN="0.9")
    summary = (tmp_path / "summary.md").read_text()
    assert summary.count("\n> warning: judged queries missing") == 1


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("QRELS", "$(touch made)"),
        ("NEW", "--help"),
        ("MEASURES", "`touch made`"),
        ("MARGIN", "' ; touch made #"),
        ("UNDECIDED", "pass; touch made"),
    ],
)
def test_no_input_is_run_as_a_command(run_action, tmp_path, name, text):
    result = run_action(**{name: text})
    assert result.returncode == 2
    assert not (tmp_path / "made").exists()
    assert "irbounds: error: " in result.stdout


def test_names_in_the_log_are_not_commands_of_the_workflow(run_action):
    lines = run_action(NEW="bad.run").stdout.splitlines()
    token = lines[0].removeprefix("::stop-commands::")
    assert re.fullmatch("[0-9a-f]{32}", token)
    assert lines[-1] == f"::{token}::"


def test_the_action_passes_every_input_by_the_environment():
    yaml = pytest.importorskip("yaml")
    action = yaml.safe_load((ACTION / "action.yml").read_text())
    steps = action["runs"]["steps"]
    assert all("${{" not in step["run"] for step in steps)
    passed = {value for step in steps for value in step["env"].values()}
    assert passed == {f"${{{{ inputs.{name} }}}}" for name in action["inputs"]}
    script = (ACTION / "gate.sh").read_text()
    options = re.search(r"for option in ([a-z ]+);", script)[1].split()
    assert {*options, "qrels", "old", "new"} == {*action["inputs"]} - {"package"}
    assert all(f"${{{name}:-}}" in script for name in ("QRELS", "OLD", "NEW"))


def test_the_snippets_of_the_page_are_yaml():
    yaml = pytest.importorskip("yaml")
    snippets = re.findall(r"```yaml\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert len(snippets) == 2
    for snippet in snippets:
        assert yaml.safe_load(snippet)
