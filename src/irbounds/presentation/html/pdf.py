"""A page as PDF: the same HTML, printed by a Chromium, Chrome or Edge on this machine.

The browser has an empty profile of its own and no network traffic besides the page. The page is
printed from a directory next to the PDF, because a browser in a sandbox of its own, such as a snap,
cannot read the directory of temporary files.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from ...errors import ExecutionError, ParameterError, quote
from ..page_content import Page
from .page import render_page

EXTENSION = ".pdf"
VARIABLE = "IRBOUNDS_CHROMIUM"
PROGRAMS = (
    *("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"),
    *("msedge", "microsoft-edge", "microsoft-edge-stable"),
)
#: where browsers are that are not on the path; variables are those of Windows
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    *(
        f"{root}/{program}"
        for root in ("${PROGRAMFILES}", "${PROGRAMFILES(X86)}", "${LOCALAPPDATA}")
        for program in (
            "Google/Chrome/Application/chrome.exe",
            "Chromium/Application/chrome.exe",
            "Microsoft/Edge/Application/msedge.exe",
        )
    ),
)
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    "--no-pdf-header-footer",
    # until then the scripts of the page have unpacked the rows of long tables
    "--virtual-time-budget=20000",
)
SECONDS = 180  # after which the browser is stopped
INSTEAD = "write .html and print it in a browser"
PDF_BEGINS, PDF_ENDS = b"%PDF-", b"%%EOF"


def find_browser() -> str | None:
    """Return the program of a browser that prints pages; None if there is none."""
    named = os.environ.get(VARIABLE)
    if named:
        return shutil.which(named)
    places = map(os.path.expandvars, PLACES)
    return next(filter(None, map(shutil.which, (*PROGRAMS, *places))), None)


def check_browser(where: str) -> None:
    """Raise ``ParameterError`` without a browser; ``where`` is the option and its value."""
    if find_browser() is not None:
        return
    if named := os.environ.get(VARIABLE):
        raise ParameterError(f"{where}: {VARIABLE} is no program: {quote(named)}; {INSTEAD}")
    raise ParameterError(
        f"{where}: a PDF needs Chromium, Chrome or Edge, and none was found; install one, name its "
        f"program in {VARIABLE}, or {INSTEAD}"
    )


def render_file(page: Page, path: Path) -> bytes:
    """Return the content of a page's file: HTML, or PDF by the extension."""
    content = render_page(page).encode(errors="xmlcharrefreplace")
    return print_pdf(content, path) if path.suffix.lower() == EXTENSION else content


def print_pdf(page: bytes, path: Path) -> bytes:
    """Return the PDF of an HTML page; ``path`` is where it will be written."""
    browser = find_browser()
    if browser is None:
        check_browser(str(path))
    assert browser
    with (
        tempfile.TemporaryDirectory(prefix="irbounds-", dir=path.resolve().parent) as directory,
        tempfile.TemporaryDirectory(prefix="irbounds-", ignore_cleanup_errors=True) as profile,
    ):
        source, target, log = (Path(directory, f"page.{kind}") for kind in ("html", "pdf", "log"))
        source.write_bytes(page)
        arguments = (f"--user-data-dir={profile}", f"--print-to-pdf={target}", source.as_uri())
        with log.open("wb") as messages:
            _run([browser, *FLAGS, *arguments], messages.fileno(), path)
        content = target.read_bytes() if target.is_file() else b""
        if not content.startswith(PDF_BEGINS) or PDF_ENDS not in content[-32:]:
            lines = log.read_text(errors="replace").strip().splitlines() or ["no message"]
            raise ExecutionError(f"{path}: {browser} wrote no PDF ({quote(lines[-1])}); {INSTEAD}")
    return content


def _run(command: list[str], messages: int, path: Path) -> None:
    try:
        subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=messages,
            stderr=messages,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise ExecutionError(
            f"{path}: {command[0]} did not print the page within {SECONDS} seconds; {INSTEAD}"
        ) from None
    except OSError as error:
        raise ExecutionError(f"{path}: {command[0]}: {error.strerror}; {INSTEAD}") from None
