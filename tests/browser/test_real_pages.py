"""Pages that commands write, opened: every figure is drawn, and a pick reaches all of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from irbounds.simulation import simulate_collection, write_collection

GRAVE = ("serious", "critical")
MARKS = "svg .mark-symbol path, svg .mark-rule line, svg .mark-rect path, svg .mark-line path"
COUNTS = ("--retrieved", "2000", "100", "50", "--unretrieved", "100000", "100", "3")


@pytest.fixture(scope="module")
def collection_directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a collection of four systems, one of them with a hostile name."""
    collection_directory = tmp_path_factory.mktemp("collection")
    write_collection(
        simulate_collection(4, 12, 2000, 50, tie_rate=0.05, rng=3), collection_directory
    )
    (collection_directory / "system-004.run").rename(collection_directory / "<b>4<script>.run")
    return collection_directory


@pytest.fixture(scope="module")
def write_page(collection_directory: Path):
    """Return a function that writes a page with a command."""

    def write(*arguments: str) -> Path:
        command = [sys.executable, "-m", "irbounds", *arguments, "--quiet"]
        subprocess.run(command, cwd=collection_directory, check=True, capture_output=True)
        return collection_directory / "page.html"

    return write


def check(page, least_figures: int) -> None:
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    figures = page.locator("figure")
    assert figures.count() >= least_figures
    expect(page.locator(".panel.drawn")).to_have_count(page.locator(".panel").count())
    for k in range(figures.count()):
        assert figures.nth(k).locator(MARKS).count() > 0, figures.nth(k).inner_text()
    n_static = page.locator("main .panel:not(.pair .panel)").count()
    assert page.locator(".static").count() == n_static
    violations = Axe().run(page).response["violations"]
    assert [(v["id"], v["nodes"][0]["html"]) for v in violations if v["impact"] in GRAVE] == []


@pytest.mark.slow
def test_report_draws_figures(write_page, collection_directory, open_page):
    runs = sorted(path.name for path in collection_directory.glob("*.run"))
    page = open_page(write_page("report", "qrels.txt", *runs, "-m", "AP", "-o", "page.html")).page
    check(page, 5)
    assert "<b>4<script>" in page.locator("table").first.inner_text()
    page.locator("#system").select_option("system-002")
    faint = page.locator("figure").evaluate_all(
        "all => all.filter(one => [...one.querySelectorAll('svg [opacity]')]"
        ".some(mark => +mark.getAttribute('opacity') < 0.5)).length"
    )
    assert faint >= 4  # figures in which the other systems step back
    assert page.locator("tr[data-system='system-002']").count() >= 4


@pytest.mark.slow
def test_recall_audit_page_draws_figures(write_page, open_page):
    page = open_page(write_page("recall", *COUNTS, "--report", "page.html")).page
    check(page, 1)
    assert "To quote: Of 2,000 retrieved documents 100 were drawn" in page.inner_text("main")
    assert "Signature" in page.inner_text("main")
