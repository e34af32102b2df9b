"""The path of ``irbounds evaluate`` through the source files, and its returns to ``cli``.

Method of counting: ``irbounds evaluate qrels.txt a.run`` runs on a small collection in a new
process, under ``sys.setprofile`` and ``threading.setprofile``. Code that runs while a module is
imported, and functions that such code calls (decorators, class bodies), are not counted. Compiled
kernels are: numba reports calls of its functions to the profiler.

- A file is on the path if a function of it calls a function of another file of irbounds. These are
  the files that a reader who follows the flow has to open. Frames of other libraries between the
  two are skipped.
- All other files whose functions are called are ends of the path: kernels, validation, escaping and
  other helpers that call nothing of irbounds outside their own file.
- A return to ``cli`` is a call of a function of ``irbounds.cli`` whose nearest caller within
  irbounds is in another package. What ``cli`` calls by way of typer or ``contextlib`` is still a
  call by ``cli``. The first call of ``main`` is not counted.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow
MAX_FILES_ON_PATH = 41
#: with the ends of the path, among them the words of tables and the recognition of MTEB files
MAX_FILES = 63  # the words of tables and the options of output have files of their own
MAX_RETURNS = 3
PROGRAM = """
import json, os, sys, threading
import irbounds
from irbounds.cli import main

root = os.path.dirname(irbounds.__file__) + os.sep
files, on_path, returns = {}, {}, []

def is_ours(frame):
    return frame.f_code.co_filename.startswith(root)

def name_of(frame):
    return frame.f_code.co_filename[len(root):].replace(os.sep, "/")

def is_import(frame):
    while frame is not None:
        if is_ours(frame) and frame.f_code.co_name == "<module>":
            return True
        frame = frame.f_back
    return False

def record(frame, event, _):
    if event != "call" or not is_ours(frame) or is_import(frame):
        return
    files.setdefault(name_of(frame), frame.f_code.co_name)
    caller = frame.f_back
    while caller is not None and not is_ours(caller):
        caller = caller.f_back
    if caller is not None and name_of(caller) != name_of(frame):
        on_path.setdefault(name_of(caller), name_of(frame))
    if caller is not None and name_of(frame).startswith("cli/"):
        if not name_of(caller).startswith("cli/"):
            returns.append(f"{name_of(caller)} -> {name_of(frame)}:{frame.f_code.co_name}")

sys.argv = ["irbounds", "evaluate", "qrels.txt", "a.run"]
threading.setprofile(record)
sys.setprofile(record)
try:
    main()
except SystemExit as end:
    assert end.code == 0, end.code
finally:
    sys.setprofile(None)
with open("path.json", "w") as file:
    json.dump({"files": files, "on_path": on_path, "returns": returns}, file)
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    directory = tmp_path_factory.mktemp("evaluate")
    pairs = [(query, document) for query in range(6) for document in range(8)]
    judgments = (f"q{q} 0 d{d} {int((q + d) % 3 == 0)}\n" for q, d in pairs)
    (directory / "qrels.txt").write_text("".join(judgments))
    entries = (f"q{q} Q0 d{d} {d + 1} {10 - d} a\n" for q, d in pairs)
    (directory / "a.run").write_text("".join(entries))
    subprocess.run([sys.executable, "-c", PROGRAM], cwd=directory, check=True, capture_output=True)
    return json.loads((directory / "path.json").read_text())


def test_evaluate_path_has_a_maximum_number_of_files(path):
    files = path["files"]
    assert "verbs/evaluate.py" in files
    assert "reading/trec.py" in files  # the counter sees all stages
    assert len(path["on_path"]) <= MAX_FILES_ON_PATH, sorted(path["on_path"])
    assert len(files) <= MAX_FILES, sorted(files)


def test_evaluate_path_has_a_maximum_number_of_returns_to_cli(path):
    assert len(path["returns"]) <= MAX_RETURNS, path["returns"]
