"""Figures and reports of irbounds recall."""

from __future__ import annotations

import json

import pytest

SMALL_COUNTS = ("--retrieved", "200", "100", "50", "--unretrieved", "1000", "100", "3")


def read_specification(path):
    return json.loads(path.read_text())


def test_recall_figure_shows_the_estimates(irbounds, tmp_path):
    result = irbounds("recall", *SMALL_COUNTS, "--figure", "r.json")
    assert result.returncode == 0, result.stderr
    assert read_specification(tmp_path / "r.json")["name"] == "recall"


def test_recall_page_has_counts_statement_tipping_points_and_lines_to_sign(irbounds, tmp_path):
    result = irbounds("recall", *SMALL_COUNTS, "--report", "audit.html")
    assert result.returncode == 0, result.stderr
    page = (tmp_path / "audit.html").read_text()
    assert "<h1>Recall audit</h1>" in page
    parts = (
        "counts by stratum",
        "To quote: Of 200 retrieved",
        "Tipping points: were",
        '"signatures"',
    )
    places = [page.rindex(part) for part in (*parts, "<span>Matter</span>", "<span>Signature<")]
    assert places == sorted(places)
    assert "To quote" not in result.stdout.decode()


@pytest.mark.slow
def test_recall_without_figure_does_not_import_vl_convert(loaded_by):
    assert "vl_convert" not in loaded_by("recall", *SMALL_COUNTS)


def test_recall_figure_imports_vl_convert(loaded_by, tmp_path):
    figure = str(tmp_path / "r.json")
    assert "vl_convert" in loaded_by("recall", *SMALL_COUNTS, "--figure", figure)
