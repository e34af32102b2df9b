"""``irbounds.testing``: assertions in a test suite."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import irbounds
from irbounds.errors import DataError, ParameterError

OLD = np.random.default_rng(5).beta(2, 3, 40)


def scores_of(shift, spread=0.02):
    new = OLD + np.random.default_rng(6).normal(shift, spread, 40)
    return {"AP": {"old": OLD.tolist(), "new": new.tolist()}}


def test_a_pass_returns_the_verdict():
    gate = irbounds.testing.assert_not_worse(scores=scores_of(0.02), margin=0.01)
    assert gate.verdict == "pass"


@pytest.mark.parametrize(("shift", "verdict"), [(-0.1, "FAIL"), (-0.01, "UNDECIDED")])
def test_the_message_has_the_lines_of_the_command(shift, verdict):
    scores = scores_of(shift)
    with pytest.raises(AssertionError) as raised:
        irbounds.testing.assert_not_worse(scores=scores, margin=0.01)
    lines = str(raised.value).splitlines()
    assert lines[0].startswith(f"{verdict}: new")
    assert len(lines) == 3
    printed = str(irbounds.gate(scores=scores, margin=0.01, undecided="fail"))
    assert " ".join(printed.split()) == " ".join(str(raised.value).split())


def test_undecided_may_pass():
    gate = irbounds.testing.assert_not_worse(scores=scores_of(-0.01), margin=0.01, undecided="pass")
    assert gate.verdict == "undecided"


def test_what_never_ran_is_an_error_and_no_pass():
    with pytest.raises(DataError, match="same score on every query"):
        irbounds.testing.assert_not_worse(scores=scores_of(0, spread=0), margin=0.01)
    with pytest.raises(ParameterError, match="needs margin"):
        irbounds.testing.assert_not_worse(scores=scores_of(0.02))


def run_pytest(directory, scores):
    """Return the output of a failing test of a search engine."""
    (directory / "test_search.py").write_text(
        "import irbounds\n"
        "def test_new_ranking():\n"
        f"    scores = {scores!r}\n"
        "    irbounds.testing.assert_not_worse(scores=scores, margin=0.01)\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_search.py"]
    result = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
    assert result.returncode == 1
    return result.stdout


def test_works_in_pytest(tmp_path):
    output = run_pytest(tmp_path, scores_of(-0.1))
    assert "FAIL: new is worse than old by more than the margin in AP (40 queries)" in output
    assert "def gate(" not in output


def test_a_refusal_in_pytest_does_not_show_the_source_of_the_package(tmp_path):
    output = run_pytest(tmp_path, scores_of(0, spread=0))
    assert "have the same score on every query" in output
    assert "Examples" not in output
    assert "describe_identity" not in output
