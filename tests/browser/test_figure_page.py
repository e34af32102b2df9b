"""A figure alone on a page, and reports, with names that Vega and browsers take for more.

Every test here also fails on anything that the page writes to the console, on any error, dialogue
or request (see ``conftest.open_page``).
"""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from irbounds import mean_interval
from irbounds.presentation.escaping import PROPERTIES, make_drawable
from irbounds.presentation.figures.mean_plots import draw_means
from irbounds.presentation.figures.style import FADED
from irbounds.presentation.html.page import render_page
from sample_page import HOSTILE, sample_page, scores

CONTROLS = ("a\x1b[31mb", "\x01", "c\u202ed", "e\u2028f", "g\ufffeh")
NAMES = ("</script><script>alert(2)</script>", *HOSTILE, *sorted(PROPERTIES), *CONTROLS, "bm25")


@pytest.fixture(scope="module")
def figure():
    table = scores(NAMES)
    return draw_means([e for e in mean_interval(table, method="student-t") if e.measure == "AP"])


def test_figure_page_does_not_execute_names(open_page, figure, tmp_path):
    path = tmp_path / "figure.html"
    figure.save(path)
    page = open_page(path).page
    dots = page.locator(".mark-symbol path")
    names = dots.evaluate_all("dots => dots.map((dot) => dot.__data__.datum.system)")
    assert set(names) == set(map(make_drawable, NAMES))
    assert page.locator("img").count() == 0
    assert page.title() == figure.title
    dots.first.hover()
    tooltip = page.locator("#vg-tooltip-element")
    tooltip.wait_for(state="visible")
    assert any(name in tooltip.inner_text() for name in map(make_drawable, NAMES))


def test_figure_page_policy_blocks_injected_script(open_page, figure, tmp_path):
    path = tmp_path / "figure.html"
    figure.save(path)
    path.write_text(path.read_text().replace("<main", "<script>alert(3)</script><main"))
    opened_page = open_page(path)
    assert len(opened_page.faults) == 1
    assert "Content Security Policy" in opened_page.faults.pop()


@pytest.mark.parametrize("name", ["toString", "a\x1b[31mb"])
def test_report_draws_and_highlights_systems_with_special_names(open_page, tmp_path, name):
    names = (name, "bm25", "dense")
    path = tmp_path / "report.html"
    path.write_text(render_page(sample_page(names)), encoding="utf-8")
    page = open_page(path).page
    assert page.locator("figure").first.locator(".mark-symbol path").count() == 2 * len(names)
    faint = page.locator(f'.mark-symbol path[opacity="{FADED}"]')
    page.locator("#system").select_option(make_drawable(name))  # in the list
    expect(faint).to_have_count(4 * (len(names) - 1))
    expect(page.locator("tr.chosen")).to_have_count(4)
    page.keyboard.press("Escape")
    expect(faint).to_have_count(0)
    page.locator("tr[data-system]").filter(has_text="dense").first.click()  # in a table
    expect(page.locator("tr.chosen")).to_have_count(4)
    dots = page.locator("figure").first.locator(".mark-symbol path")
    own = dots.evaluate_all("dots => dots.map((dot) => dot.__data__.datum.system)")
    dots.nth(own.index(make_drawable(name))).click()  # in a figure
    rows = page.locator("tr.chosen").evaluate_all("rows => rows.map((row) => row.dataset.system)")
    assert rows == [make_drawable(name)] * 4
