"""irbounds calculator, and recall --check of its records."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

import irbounds as package
from calculator_requests import EXAMPLE, make_record, write_page_text

HEAVY = ("numba", "scipy.stats", "polars", "altair", "pandas", "vl_convert")


def test_command_writes_one_small_file(irbounds, tmp_path):
    result = irbounds("calculator", "-o", "recall.html")
    assert (result.returncode, result.stdout) == (0, b"")
    content = (tmp_path / "recall.html").read_bytes()
    assert len(content) < 300_000
    size = round(len(content) / 1000)
    assert result.stderr.decode() == f"calculator: recall.html ({size} kB)\n"
    assert content.decode() == package.calculator().html


def test_command_has_a_default_name_and_can_be_quiet(irbounds, tmp_path):
    result = irbounds("calculator", "--quiet")
    assert (result.returncode, result.stderr) == (0, b"")
    assert [path.name for path in tmp_path.iterdir()] == ["irbounds-calculator.html"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("recall.pdf", "--output recall.pdf: use an extension of .html, .htm"),
        ("missing/recall.html", "--output missing/recall.html: there is no directory missing"),
    ],
)
def test_file_that_cannot_be_written_is_an_error(irbounds, name, message):
    result = irbounds("calculator", "-o", name)
    assert result.returncode == 2
    assert message in result.stderr.decode()


def test_page_states_its_version_and_allows_no_address():
    page = package.calculator().html
    assert f'<meta name="generator" content="irbounds {package.__version__}">' in page
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1]
    assert policy.startswith("default-src &#39;none&#39;; script-src &#39;sha256-")
    assert "unsafe" not in policy
    assert "http" not in policy
    assert set(re.findall(r"https?://[^\s\"'`]+", page)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"\b(?:src|href)=", page.replace('href="#sheet"', ""))


def test_result_is_saved_in_python(tmp_path):
    page = package.calculator()
    page.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page.html
    assert str(page) == f"Recall calculator, irbounds {package.__version__}"


def test_command_is_light(tmp_path):
    code = (
        "import sys; from irbounds.cli.runner import run_command; "
        f"run_command(['calculator', '-o', {str(tmp_path / 'page.html')!r}]); "
        f"print([name for name in {HEAVY} if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert result.stdout == b"[]\n"


@pytest.fixture(scope="module")
def record():
    return make_record(EXAMPLE)


def test_check_confirms_a_record(irbounds, write, record):
    write("recall-record.json", json.dumps(record))
    result = irbounds("recall", "--check", "recall-record.json")
    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout == b"all 34 numbers are confirmed\n"
    assert irbounds("recall", "--check", "recall-record.json", "-q").stdout == b""


def test_check_reads_the_text_of_a_page_from_standard_input(irbounds, record):
    result = irbounds("recall", "--check", "-", stdin=write_page_text(record).encode())
    assert result.returncode == 0
    assert result.stdout.decode().startswith("all 34 numbers and ")


def test_check_names_every_difference(irbounds, write, record):
    forged = {**record, "claim": {**record["claim"], "is_shown": False}, "remark": "x"}
    write("forged.json", json.dumps(forged))
    result = irbounds("recall", "--check", "forged.json")
    assert result.returncode == 1
    assert result.stdout.decode().splitlines() == [
        "claim, is_shown: the record has False, computed True",
        "the record has entries that are not checked: remark",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--check", "missing.json"), "missing.json: "),
        (("--check", "empty.txt"), "empty.txt: no record of the recall calculator in it"),
        (("--check", "page.pdf"), "page.pdf: this is a PDF; check its text"),
        (
            ("--check", "empty.txt", "--at-least", "0.75"),
            "--check takes everything from the record; got --at-least too",
        ),
    ],
)
def test_check_of_something_else_is_an_error(irbounds, write, arguments, message):
    write("empty.txt", "nothing\n")
    write("page.pdf", "%PDF-1.4\n")
    result = irbounds("recall", *arguments)
    assert (result.returncode, result.stdout) == (2, b"")
    assert message in result.stderr.decode()


def test_check_is_light(tmp_path, record):
    path = tmp_path / "record.json"
    path.write_text(json.dumps(record))
    code = (
        "import sys; from irbounds.cli.runner import run_command; "
        f"run_command(['recall', '--check', {str(path)!r}]); "
        f"print([name for name in {HEAVY} if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert result.stdout.splitlines()[-1] == b"[]"
