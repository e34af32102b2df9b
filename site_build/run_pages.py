"""Run the code on the pages of the documentation, and compare what it prints with the page.

``python -m site_build.run_pages`` runs all pages, or those that are named; ``--write`` puts what
the commands print into the pages. Rules, which ``tests/test_pages.py`` checks too:

- ``console`` blocks are run: lines that begin with ``$``, and what they print on a terminal of 80
  columns. Where a page has no output below a command, only its exit status is looked at. A line
  that ends with ``# status 1`` must end with that status. ``...`` in a line stands for any text.
- ``python`` blocks are run: as doctests if they have prompts, else as scripts. All of a page share
  their names.
- Other blocks are output, or files: ``title="NAME"`` writes the block to that file first, and does
  not run it.
- ``<!-- not run: REASON -->`` on the line before a block excludes it.

A page runs in an empty directory if it is for people who begin (``EMPTY``), else in one with the
files that commands on pages name (``make_files``). A link or image ``STEM/NAME`` on the page STEM
names a file that its commands have written.
"""

from __future__ import annotations

import argparse
import contextlib
import doctest
import io
import os
import pty
import re
import select
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from .page_files import make_files

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
#: pages that run in an empty directory, by the beginning of their path
EMPTY = ("index", "start", "gallery", "tutorials/")
BLOCK = re.compile(
    r"(?:^<!-- not run: (?P<reason>.+?) -->\n)?^```(?P<language>[\w-]*)(?P<rest>[^\n]*)\n"
    r"(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
TITLE = re.compile(r'title="([^"]+)"')
STATUS = re.compile(r"\s+# status (\d+)$")
CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
#: lines that do not stay on a terminal
TRANSIENT = ("\u2501", "irbounds: compiling")
#: beginnings of names in the environment that are not passed on
SETTINGS = ("IRBOUNDS_", "PYTEST_", "GITHUB_", "CI", "BUILD_NUMBER")
SECONDS = 300  # that a command may take


@dataclass(frozen=True)
class Block:
    """A fenced block of a page; ``reason`` is why it is not run."""

    language: str
    text: str
    title: str
    reason: str
    start: int  # of its text on the page


@dataclass(frozen=True)
class Command:
    """A command of a console block with the output below it."""

    words: str
    status: int
    expected: tuple[str, ...]
    lines: tuple[str, ...]  # of the block that hold the command


class PageError(Exception):
    """Code on a page fails, or prints something else than the page shows."""


def list_pages() -> list[str]:
    """Return the pages that may hold code, by their paths without the ending."""
    paths = sorted(DOCS.rglob("*.md"))
    names = [path.relative_to(DOCS).with_suffix("").as_posix() for path in paths]
    return [name for name in names if not name.startswith("design/")]


def blocks_of(text: str) -> list[Block]:
    """Return the fenced blocks of a page."""
    return [
        Block(
            match["language"],
            match["text"],
            title[1] if (title := TITLE.search(match["rest"])) else "",
            match["reason"] or "",
            match.start("text"),
        )
        for match in BLOCK.finditer(text)
    ]


def commands_of(text: str) -> Iterator[Command]:
    """Yield the commands of a console block."""
    lines = text.splitlines()
    while lines:
        if not lines[0].startswith("$ "):
            raise PageError(f"a console block begins with a command: {lines[0]!r}")
        end = 1
        while lines[end - 1].endswith("\\"):
            end += 1
        command, lines = lines[:end], lines[end:]
        count = next((k for k, line in enumerate(lines) if line.startswith("$ ")), len(lines))
        expected, lines = lines[:count], lines[count:]
        words = "\n".join(command).removeprefix("$ ")
        status = STATUS.search(words)
        yield Command(
            STATUS.sub("", words),
            int(status[1]) if status else 0,
            tuple(expected),
            tuple(command),
        )


def run_page(name: str, directory: Path, files: Path | None = None) -> str:
    """Run a page in a directory, and return the page with the output of its commands.

    ``files`` is the directory of ``make_files``, for pages that do not run in an empty one.
    """
    text = (DOCS / f"{name}.md").read_text(encoding="utf-8")
    if files is not None and not name.startswith(EMPTY):
        subprocess.run(["cp", "-r", f"{files}/.", str(directory)], check=True)
    python = PythonSession(directory)
    pieces, done = [], 0
    for block in blocks_of(text):
        if block.reason:
            continue
        try:
            if block.language == "console":
                end = block.start + len(block.text)
                shown = run_console(block.text, directory, is_filled=name.startswith(EMPTY))
                pieces += [text[done : block.start], shown]
                done = end
            elif block.language == "python" and not block.title:
                python.run(block.text)
            elif block.title:
                (directory / block.title).parent.mkdir(parents=True, exist_ok=True)
                (directory / block.title).write_text(block.text, encoding="utf-8")
        except PageError as error:
            line = text.count("\n", 0, block.start)
            raise PageError(f"docs/{name}.md:{line}: {error}") from None
    return "".join([*pieces, text[done:]])


def run_console(text: str, directory: Path, is_filled: bool) -> str:
    """Return a console block with the output of its commands.

    ``is_filled`` fills in output where the block has none; else only that below the command.
    """
    shown: list[str] = []
    for command in commands_of(text):
        status, output = run_on_terminal(command.words, directory)
        if status not in (command.status, *_verdicts(command)):
            raise PageError(f"status {status} of: {command.words}\n" + "\n".join(output))
        shown += command.lines
        if command.expected or is_filled:
            shown += keep_open_lines(output, command.expected)
    return "\n".join(shown) + "\n"


def _verdicts(command: Command) -> tuple[int, ...]:
    """Return the other statuses of a command that decides something, where a page has no output."""
    decides = command.words.startswith(("irbounds gate", "irbounds check"))
    return (1, 3) if decides and not command.expected else ()


def keep_open_lines(output: Sequence[str], expected: Sequence[str]) -> list[str]:
    """Return the output with the page's own lines where these leave text open with ``...``."""
    if len(output) != len(expected):
        return list(output)
    return [
        line if "..." in line and fnmatchcase(new, _as_pattern(line)) else new
        for new, line in zip(output, expected, strict=True)
    ]


def _as_pattern(line: str) -> str:
    return re.sub(r"([\[?*])", r"[\1]", line).replace("...", "*")


def run_on_terminal(words: str, directory: Path) -> tuple[int, list[str]]:
    """Return status and output of a command line on a terminal of 80 columns."""
    parent_end, child_end = pty.openpty()
    with (
        _commands_on_path() as path,
        subprocess.Popen(
            ["bash", "-c", words],
            cwd=directory,
            stdin=subprocess.DEVNULL,
            stdout=child_end,
            stderr=child_end,
            start_new_session=True,  # so that programs in a pipe end with it
            env=_environment(path),
        ) as process,
    ):
        os.close(child_end)
        output, end = b"", time.monotonic() + SECONDS
        with contextlib.suppress(OSError):  # Linux: the other end is closed
            while select.select([parent_end], [], [], max(0, end - time.monotonic()))[0]:
                chunk = os.read(parent_end, 65536)
                if not chunk:
                    break
                output += chunk
        os.close(parent_end)
        if time.monotonic() > end:
            os.killpg(process.pid, signal.SIGKILL)
            raise PageError(f"not done after {SECONDS} s: {words}")
        status = process.wait()
    return status, final_lines(output.decode())


def final_lines(output: str) -> list[str]:
    """Return the lines that stay on the terminal, without blank ones at the end."""
    lines = CODES.sub("", output.replace("\r\n", "\n")).split("\n")
    kept = [line.strip("\r").rstrip() for line in lines if not any(t in line for t in TRANSIENT)]
    while kept and not kept[-1]:
        kept.pop()
    return kept


@contextlib.contextmanager
def _commands_on_path() -> Iterator[str]:
    """Provide a directory with ``irbounds`` and ``python`` of this environment."""
    with tempfile.TemporaryDirectory() as directory:
        for name, words in (("irbounds", "-m irbounds "), ("python", ""), ("python3", "")):
            file = Path(directory) / name
            file.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {words}"$@"\n')
            file.chmod(0o755)
        yield directory


def _environment(path: str) -> dict[str, str]:
    source = str(ROOT / "src")
    return {
        **os.environ,
        "PATH": f"{path}:{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONPATH": source,
        "COLUMNS": "80",
        "TERM": "xterm",
        "NO_COLOR": "1",
        "LC_ALL": "C.UTF-8",
    }


class PythonSession:
    """The Python blocks of a page, run in one process that keeps their names."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.names: dict[str, Any] = {"__name__": "__main__"}

    def run(self, code: str) -> None:
        """Run a block: a doctest if it has prompts, else a script."""
        examples = doctest.DocTestParser().get_examples(code)
        report = io.StringIO()
        with contextlib.chdir(self.directory), _columns(80):
            if examples:
                test = doctest.DocTest(examples, self.names, "page", None, None, None)
                runner = doctest.DocTestRunner(
                    optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
                )
                runner.run(test, out=report.write, clear_globs=False)
                self.names.update(test.globs)
                if runner.failures:
                    raise PageError(report.getvalue())
                return
            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    exec(compile(code, "page", "exec"), self.names)
            except Exception as error:
                raise PageError(f"{type(error).__name__}: {error}\n{code}") from error


@contextlib.contextmanager
def _columns(width: int) -> Iterator[None]:
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = str(width)
    try:
        yield
    finally:
        if before is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = before


def check_page(name: str, directory: Path, files: Path | None, is_written: bool = False) -> str:
    """Run a page, and return what is wrong with it, nothing where all is as it shows."""
    path = DOCS / f"{name}.md"
    try:
        text = run_page(name, directory, files)
    except PageError as error:
        return str(error)
    before = path.read_text(encoding="utf-8")
    if text == before:
        return ""
    if is_written:
        path.write_text(text, encoding="utf-8")
        return ""
    return f"docs/{name}.md: {first_change(before, text)}"


def first_change(before: str, after: str) -> str:
    """Return the first line that differs."""
    old, new = before.splitlines(), after.splitlines()
    for number, (line, other) in enumerate(zip(old, new, strict=False), 1):
        if line != other:
            return f"line {number} is {line!r}, but the command prints {other!r}"
    return f"{len(old)} lines, but with the output of its commands {len(new)}"


def main() -> int:
    """Run pages and print what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("pages", nargs="*", metavar="PAGE", help="paths below docs, without .md")
    parser.add_argument("--write", action="store_true", help="put the output into the pages")
    parser.add_argument("--files", type=Path, help="run one page in this process, with these files")
    parser.add_argument("--directory", type=Path, help="the directory of that page, to be kept")
    options = parser.parse_args()
    pages = [page.removeprefix("docs/").removesuffix(".md") for page in options.pages]
    if options.files:
        forget_settings()
        with tempfile.TemporaryDirectory() as temporary:
            directory = options.directory or Path(temporary)
            message = check_page(pages[0], directory, options.files, options.write)
        print(message, end="\n" if message else "")
        return int(bool(message))
    return run_in_processes(pages or list_pages(), options.write)


def forget_settings() -> None:
    """Remove settings from the environment that a reader does not have: the output depends on them.

    These are the data directory and others of irbounds, and those of CI, where pytest prints longer
    lines.
    """
    for name in [*os.environ]:
        if name.startswith(SETTINGS):
            del os.environ[name]


def run_in_processes(
    pages: Sequence[str], is_written: bool = False, runs: Path | None = None
) -> int:
    """Run pages, each in a process of its own, since Python blocks change the working directory.

    ``runs`` keeps the directory of each page.
    """
    if not pages:
        return 0
    with tempfile.TemporaryDirectory() as temporary:
        make_files(Path(temporary))
        words = [sys.executable, "-m", "site_build.run_pages", "--files", temporary]
        words += ["--write"] if is_written else []

        def run(page: str) -> int:
            kept = ["--directory", str(runs / page)] if runs else []
            if runs:
                (runs / page).mkdir(parents=True)
            return subprocess.run([*words, *kept, page], cwd=ROOT, check=False).returncode

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            return int(any(list(pool.map(run, pages))))


if __name__ == "__main__":
    sys.exit(main())
