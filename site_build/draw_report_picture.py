"""Draw the README's second picture: the report that ``irbounds demo`` ends with, in a browser.

The command is run for real and its page is opened in headless Chromium; nothing is drawn by hand.
``IRBOUNDS_CHROMIUM`` names the browser where it is not called chromium.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

TARGET = Path(__file__).parents[1] / "docs" / "images" / "report.png"
WIDTH, HEIGHT, SCALE = 1366, 900, 0.9
LIMIT = 300_000  # bytes


def write_report(directory: Path) -> Path:
    """Write the report of the demo and return its path."""
    subprocess.run(
        [sys.executable, "-m", "irbounds", "demo"],
        cwd=directory,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return directory / "irbounds-demo.html"


def take_screenshot(page: Page) -> bytes:
    """Return the first screen, once its figure is drawn."""
    page.wait_for_selector("html[data-drawn]", state="attached")
    page.wait_for_timeout(500)  # fonts and widths have settled
    return page.screenshot()


def draw() -> None:
    """Write the picture."""
    browser = os.environ.get("IRBOUNDS_CHROMIUM") or shutil.which("chromium")
    with tempfile.TemporaryDirectory() as directory, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        page = chromium.new_page(
            viewport={"width": WIDTH, "height": HEIGHT}, device_scale_factor=SCALE
        )
        page.goto(write_report(Path(directory)).as_uri())
        picture = take_screenshot(page)
        chromium.close()
    if len(picture) > LIMIT:
        raise SystemExit(f"{TARGET}: {len(picture):,} bytes, more than {LIMIT:,}")
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_bytes(picture)


if __name__ == "__main__":
    draw()
