"""The site of the documentation in a browser: from a file and below a path of a server."""

from __future__ import annotations

import http.server
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PHONE, LAPTOP = ({"width": width, "height": 800} for width in (390, 1280))
#: pages with all that pages can hold: home, tables, code, pictures, signatures
PAGES = ("index", "start", "questions", "how-to/recall", "gallery", "reference/cli")
PAGES += ("reference/api/mean_interval", "reference/api/results", "validation/calibration")


def build_site(target: Path, *, config: Path = ROOT / "mkdocs.yml") -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "-f", str(config), "-d", str(target)],
        env={**os.environ, "IRBOUNDS_SITE_WITHOUT_RUNS": "1", "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """Build the site in a directory below the root of a server."""
    if not os.environ.get("IRBOUNDS_CI"):
        pytest.importorskip("mkdocs", reason="needs mkdocs: pip install '.[docs]'")
    target = tmp_path_factory.mktemp("server") / "some" / "path"
    done = build_site(target)
    assert done.returncode == 0, done.stderr
    return target


@pytest.fixture(scope="module")
def address(site) -> Iterator[str]:
    handler = partial(_QuietHandler, directory=str(site.parents[1]))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/some/path"
        server.shutdown()


class _QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


@pytest.fixture
def open_site(chromium, site, address):
    """Return a function that opens a page; errors and requests to other hosts fail the test."""
    contexts, faults = [], []

    def call(page: str, *, is_file: bool = True, **options):
        base = site.as_uri() if is_file else address
        context = chromium.new_context(**{"viewport": LAPTOP, **options})
        contexts.append(context)
        opened = context.new_page()
        opened.on("pageerror", lambda error: faults.append(f"{page}: {error}"))
        opened.on(
            "console",
            lambda message: (
                faults.append(f"{page}: {message.text}") if message.type == "error" else None
            ),
        )
        opened.on(
            "request",
            lambda request: (
                None
                if request.url.startswith((base, "data:", "blob:", "about:"))
                else faults.append(f"{page}: request {request.url}")
            ),
        )
        opened.goto(f"{base}/{page}.html")
        opened.wait_for_load_state("load")
        return opened

    yield call
    for context in contexts:
        context.close()
    assert not faults


@pytest.mark.parametrize("is_file", [True, False])
@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("difference_interval", "reference/api/difference_interval.html"),
        ("--ties expected", "concepts/ties.html"),
        ("certify 75% recall", "tutorials/certify-recall.html"),
    ],
)
def test_search_finds_pages(open_site, is_file, words, found):
    page = open_site("index", is_file=is_file)
    page.get_by_placeholder("Search").click()
    page.get_by_placeholder("Search").press_sequentially(words)
    expect(page.locator(".md-search-result__link").first).to_have_attribute(
        "href", re.compile(re.escape(found)), timeout=15_000
    )


@pytest.mark.parametrize("is_file", [True, False])
def test_links_of_the_navigation_open(open_site, is_file):
    page = open_site("index", is_file=is_file)
    page.locator(".md-tabs__link", has_text="Reference").click()
    expect(page.locator("h1")).to_contain_text("Command line")


def test_colours_can_be_switched(open_site):
    page = open_site("index", color_scheme="light")
    assert page.locator("body").get_attribute("data-md-color-scheme") == "default"
    page.locator("label.md-header__button[title='Dark mode']").click()
    assert page.locator("body").get_attribute("data-md-color-scheme") == "slate"


def test_code_is_copied_without_prompts_and_output(open_site):
    page = open_site("start", is_file=False, permissions=["clipboard-read", "clipboard-write"])
    block = page.locator(".highlight", has_text="irbounds evaluate").first
    block.hover()
    block.get_by_role("button").first.click()
    page.wait_for_function("async () => (await navigator.clipboard.readText()) !== ''")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == "irbounds evaluate collection/qrels.txt collection/ -m AP"


@pytest.mark.parametrize("name", ["index", "how-to/means", "reference/api/mean_interval"])
def test_logo_leads_home(open_site, name):
    page = open_site(name)
    page.locator("a.md-logo").first.click()
    expect(page.locator("h1")).to_have_text(re.compile("irbounds"))
    assert page.url.endswith("/index.html")


def test_bars_in_tables_of_the_reference_are_not_escaped(open_site):
    text = open_site("reference/cli").inner_text("article")
    assert "--queries all|common" in text
    assert "\\|" not in text


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_pages_are_accessible(open_site, name, scheme):
    page = open_site(name, is_file=False, color_scheme=scheme)  # axe reads style sheets again
    violations = Axe().run(page).response["violations"]
    serious = [found for found in violations if found["impact"] in ("serious", "critical")]
    assert not [
        (found["id"], node["html"][:200]) for found in serious for node in found["nodes"][:3]
    ]


@pytest.mark.parametrize("name", PAGES)
def test_pages_fit_a_phone(open_site, name):
    page = open_site(name, viewport=PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[nowhere](nowhere.md)", "nowhere.md"),
        ("[nowhere](index.md#nowhere)", "nowhere"),
    ],
)
def test_broken_links_fail(tmp_path, text, message):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text(f"# Page\n\n{text}\n")
    assert message in build_small_site(tmp_path).stderr


def test_pages_without_a_place_fail(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# Page\n")
    assert build_small_site(tmp_path).returncode == 0
    (tmp_path / "docs" / "lost.md").write_text("# Lost\n")
    done = build_small_site(tmp_path)
    assert done.returncode == 1
    assert "lost.md" in done.stderr


def build_small_site(directory: Path) -> subprocess.CompletedProcess:
    """Build a site with the validation of ours and without its hooks."""
    text = (ROOT / "mkdocs.yml").read_text()
    validation = text[text.index("validation:") : text.index("nav:\n  - ")]
    config = directory / "mkdocs.yml"
    config.write_text(f"site_name: x\nstrict: true\n{validation}\nnav: [index.md]\n")
    return build_site(directory / "site", config=config)
