"""Fixtures: headless Chromium, and the sample report opened in it from a file.

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
class OpenedPage:
    """An open page and its faults: console output, errors, dialogues and requests."""

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
def open_page(chromium: Any, report: Path) -> Iterator[Any]:
    """Return a function that opens a page and waits for its figures; faults fail the test."""
    contexts, pages = [], []

    def open_file(
        path: Path = report, *, script: bool = True, **context_options: Any
    ) -> OpenedPage:
        context = chromium.new_context(
            **{"viewport": LAPTOP, "java_script_enabled": script, **context_options}
        )
        contexts.append(context)
        context.set_default_timeout(10_000)
        opened_page = OpenedPage(context.new_page())
        pages.append(opened_page)
        _listen(opened_page, path)
        opened_page.page.goto(path.as_uri())
        if script:
            opened_page.page.wait_for_selector("html[data-drawn]")
        return opened_page

    yield open_file
    for context in contexts:
        context.close()
    assert [fault for opened_page in pages for fault in opened_page.faults] == []


def _listen(opened_page: OpenedPage, path: Path) -> None:
    """Record console output, errors, dialogues and requests of a page as faults."""
    note = opened_page.faults.append
    opened_page.page.on("console", lambda message: note(f"console: {message.text}"))
    opened_page.page.on("pageerror", lambda error: note(f"error: {error}"))
    opened_page.page.on(
        "dialog", lambda dialog: (note(f"dialogue: {dialog.message}"), dialog.dismiss())
    )
    opened_page.page.on(
        "request",
        lambda request: (
            None
            if request.url in (path.as_uri(),) or request.url.startswith("blob:")
            else note(f"request: {request.url}")
        ),
    )
