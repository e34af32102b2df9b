"""The check of wheel and sdist in ``.ci``, on small archives."""

from __future__ import annotations

import importlib.util
import io
import subprocess
import tarfile
from pathlib import Path
from zipfile import ZipFile

import pytest

SCRIPT = Path(__file__).parent.parent / ".ci" / "check_distributions.py"
SOURCE = {
    "src/irbounds/__init__.py": "",
    "src/irbounds/page.js": "let x;",
    "src/irbounds/__pycache__/x.pyc": "",
    "docs/index.md": "# Pages",
    "docs/citing.md": "# One",
    "docs/picture.svg": "<svg/>",
}
WHEEL = {
    "irbounds/__init__.py": "",
    "irbounds/page.js": "let x;",
    "irbounds/docs/index.md": "# Pages",
    "irbounds/docs/citing.md": "# One",
    "irbounds-0.2.0.dist-info/METADATA": "Name: irbounds",
}


@pytest.fixture
def script(tmp_path, monkeypatch):
    spec = importlib.util.spec_from_file_location("check_distributions", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "ROOT", tmp_path / "tree")
    for name, text in SOURCE.items():
        path = tmp_path / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return module


def write_archives(directory, wheel=WHEEL, second=WHEEL, sdist=SOURCE):
    """Write two wheels and an sdist and return their paths."""
    paths = [directory / name for name in ("a.whl", "b.whl", "c.tar.gz")]
    for path, contents in zip(paths, (wheel, second), strict=False):
        with ZipFile(path, "w") as archive:
            for name, text in contents.items():
                archive.writestr(name, text)
    with tarfile.open(paths[2], "w:gz") as archive:
        for name, text in sdist.items():
            member = tarfile.TarInfo(f"irbounds-0.2.0/{name}")
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text.encode()))
    return paths


def without(contents, name):
    return {key: text for key, text in contents.items() if key != name}


def test_sizes_are_printed(script, tmp_path, capsys):
    paths = write_archives(tmp_path)
    assert script.check(*paths) == 0
    output = capsys.readouterr()
    assert f"a.whl: 5 files, {paths[0].stat().st_size:,} bytes\n" in output.out
    assert "c.tar.gz: 6 files, " in output.out
    assert output.err == ""


HOST = "https://" + "py" + "pi.org/simple"


@pytest.mark.parametrize(
    ("archives", "fault"),
    [
        ({"wheel": without(WHEEL, "irbounds/page.js")}, "wheel: irbounds/page.js is missing"),
        (
            {"wheel": without(WHEEL, "irbounds/docs/citing.md")},
            "wheel: irbounds/docs/citing.md is missing",
        ),
        (
            {"wheel": WHEEL | {"tests/test_x.py": ""}},
            "wheel: tests/test_x.py is neither source nor documentation",
        ),
        (
            {"second": without(WHEEL, "irbounds/page.js")},
            "wheel: irbounds/page.js differs in the wheel that is built from the sdist",
        ),
        (
            {"second": WHEEL | {"irbounds/more.py": ""}},
            "wheel: irbounds/more.py differs in the wheel that is built from the sdist",
        ),
        (
            {"sdist": SOURCE | {"Makefile": f"pip install -i {HOST} x"}},
            f"sdist: Makefile names {HOST[8:16]}, the host of a package registry",
        ),
    ],
)
def test_faults(script, tmp_path, capsys, archives, fault):
    assert script.check(*write_archives(tmp_path, **archives)) == 1
    assert fault in capsys.readouterr().err.splitlines()


def test_large_files_are_a_fault(script, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(script, "MAX_BYTES", 100)
    assert script.check(*write_archives(tmp_path)) == 1
    assert "bytes, more than 100" in capsys.readouterr().err


def test_existing_directory_is_refused_before_anything_is_built(tmp_path):
    """Files of an earlier build would be published too."""
    program = SCRIPT.with_name("package")
    result = subprocess.run([program, tmp_path], capture_output=True, text=True)
    assert result.returncode == 2
    assert result.stderr.startswith(f"{tmp_path}: exists; name a new directory")
