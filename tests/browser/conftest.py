"""A real browser, and the sample report opened in it from a file.

Where there is no Chromium these tests are skipped, except in continuous integration, where
``IRBOUNDS_CI`` is set and its absence is a failure.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from irbounds.presentation.html.page import render_page
from sample_page import sample_page

LAPTOP = {"width": 1280, "height": 800}


@dataclass
class Opened:
    """A page that is open, and what it did that it should not have done."""

    page: Any
    faults: list[str] = field(default_factory=list)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    program = os.environ.get("IRBOUNDS_CHROMIUM") or shutil.which("chromium")
    if not program:
        missing = "needs Chromium: install it, or name its program in IRBOUNDS_CHROMIUM"
        if os.environ.get("IRBOUNDS_CI"):
            pytest.fail(missing)
        pytest.skip(missing)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(render_page(sample_page()), encoding="utf-8")
    return path


@pytest.fixture
def opened(chromium: Any, report: Path) -> Iterator[Any]:
    """Opens a page and waits for its figures; all faults are looked at when the test ends."""
    contexts, pages = [], []

    def open_page(path: Path = report, *, script: bool = True, **looks: Any) -> Opened:
        context = chromium.new_context(
            **{"viewport": LAPTOP, "java_script_enabled": script, **looks}
        )
        contexts.append(context)
        context.set_default_timeout(10_000)
        one = Opened(context.new_page())
        pages.append(one)
        _listen(one, path)
        one.page.goto(path.as_uri())
        if script:
            one.page.wait_for_selector("html[data-drawn]")
        return one

    yield open_page
    for context in contexts:
        context.close()
    assert [fault for one in pages for fault in one.faults] == []


def _listen(one: Opened, path: Path) -> None:
    """Anything written to the console, any error, dialogue or request is a fault."""
    note = one.faults.append
    one.page.on("console", lambda said: note(f"console: {said.text}"))
    one.page.on("pageerror", lambda error: note(f"error: {error}"))
    one.page.on("dialog", lambda dialog: (note(f"dialogue: {dialog.message}"), dialog.dismiss()))
    one.page.on(
        "request",
        lambda asked: (
            None
            if asked.url in (path.as_uri(),) or asked.url.startswith("blob:")
            else note(f"request: {asked.url}")
        ),
    )
