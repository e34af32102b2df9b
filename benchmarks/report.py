"""Time a report of a TREC-sized collection: the numbers, then the page."""

from __future__ import annotations

import tempfile
import time
import warnings
from pathlib import Path

import irbounds
from irbounds.reports.assembly import report_of
from irbounds.verbs.report import ReportRequest

SYSTEMS, QUERIES, IMAGES = 129, 50, 1_000
MEASURES = ["AP", "nDCG@10"]
ASKED, ASKED_SIZE = 15.0, 5e6  # seconds from the numbers to the page, bytes of the page


def report() -> str:
    """Time the numbers, then the page with its figures."""
    collection = irbounds.simulation.simulate_collection(
        n_systems=SYSTEMS, n_queries=QUERIES, rng=0
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        table = irbounds.score(collection.qrels, collection.runs, MEASURES)
        request = ReportRequest(
            *(collection.qrels, collection.runs),
            measures=MEASURES,
            corpus_size=collection.corpus_size,
            n_images=IMAGES,
        )
        began = time.perf_counter()
        document = report_of(table, request, collection.qrels, collection.runs)
        numbers = time.perf_counter() - began
    page = document.page
    began = time.perf_counter()
    figures = [figure for section in page.sections for figure in section.drawn]
    drawing = time.perf_counter() - began
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "report.html"
        document.save(path)
        after = time.perf_counter() - began
        size = path.stat().st_size
    late = "" if after <= ASKED else " **missed**"
    large = "" if size <= ASKED_SIZE else " **missed**"
    tables = [table for section in page.sections for table in section.tables]
    return (
        f"Report\n\n{SYSTEMS} systems, {QUERIES} queries, {' and '.join(MEASURES)}, {IMAGES:,} "
        f"images: {len(page.sections)} sections, {len(tables)} tables, {len(figures)} figures\n"
        f"the numbers: {numbers:.1f} s; the page after that: {after:.1f} s (target: "
        f"{ASKED:.0f}){late}, of which figures take {drawing:.1f} s; size {size / 1e6:.2f} MB "
        f"(target: {ASKED_SIZE / 1e6:.0f}){large}"
    )
