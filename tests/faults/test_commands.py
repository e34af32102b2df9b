"""Every command with work to divide: stopped half way, it goes on and writes the same bytes."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from irbounds.cli import main

SYSTEMS = ("InexpC2", "Sel50", "pircRBa1")
SMALL = "--corpus-size 528155 --n-images 70"
COMMANDS = {
    "evaluate": "evaluate {runs} --method bca --n-resamples 300",
    "evaluate with chance": "evaluate {runs} --chance --corpus-size 528155 --method bca",
    "compare": "compare {runs} --n-resamples 400 --test bootstrap",
    "corpus": f"corpus {{runs}} {SMALL} --show scores --show differences",
    "corpus with new queries": f"corpus {{runs}} {SMALL} --resample-queries",
    "chance": "chance {runs} --corpus-size 528155 -m AP -m nDCG@10 --n-draws 200",
}


def run_command(monkeypatch, arguments: str, output: Path, *more: str, quiet: bool = True) -> bytes:
    """Run a command in this process and return what it writes."""
    verbosity = ["--quiet"] * quiet
    line = ["irbounds", *arguments.split(), *verbosity, "--output", str(output), *more]
    monkeypatch.setattr(sys, "argv", line)
    with pytest.raises(SystemExit) as exit_info:
        main()
    assert exit_info.value.code == 0
    return output.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_resumed_command_writes_identical_bytes(name, robust03, monkeypatch, tmp_path, capsys):
    files = ["qrels.txt.gz", *(f"{system}.run.gz" for system in SYSTEMS)]
    arguments = COMMANDS[name].format(runs=" ".join(str(robust03 / file) for file in files))
    directory = tmp_path / "c"
    output = tmp_path / "out.json"
    expected = run_command(monkeypatch, arguments, output, "--threads", "1")
    checkpoint_options = ("--threads", "2", "--checkpoint", str(directory))
    assert run_command(monkeypatch, arguments, output, *checkpoint_options) == expected
    pieces = sorted(directory.iterdir())
    files = sorted(directory.rglob("*.block"))
    assert files
    for piece in pieces[len(pieces) // 2 :]:
        shutil.rmtree(piece)
    if len(pieces) > 1:  # what is left of them begins with a block that is damaged
        files[0].write_bytes(b"")
    capsys.readouterr()
    assert run_command(monkeypatch, arguments, output, *checkpoint_options) == expected
    assert capsys.readouterr().err == ""
    assert sorted(directory.rglob("*.block")) == files
    times = [file.stat().st_mtime_ns for file in files]
    assert (
        run_command(monkeypatch, arguments, output, *checkpoint_options) == expected
    )  # and reads all of it
    assert [file.stat().st_mtime_ns for file in files] == times
    files[-1].write_bytes(b"")
    assert run_command(monkeypatch, arguments, output, *checkpoint_options, quiet=False) == expected
    lines = capsys.readouterr().err.splitlines()
    damage = f"irbounds: {files[-1]} is damaged or of other work; its block is computed again"
    assert [line for line in lines if "damaged" in line or ".py" in line] == [damage]
