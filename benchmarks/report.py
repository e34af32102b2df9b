"""A report of a TREC-sized collection: the numbers, and the page after the numbers are there."""

from __future__ import annotations

import time
import warnings

import irbounds
from irbounds.cli.report_material import Material, ReportWishes
from irbounds.cli.report_sections import report_page
from irbounds.presentation.html.page import page_text

SYSTEMS, QUERIES, IMAGES = 129, 50, 1_000
MEASURES = ["AP", "nDCG@10"]
ASKED, ASKED_SIZE = 15.0, 5e6  # seconds from the numbers to the page, bytes of the page


def material() -> Material:
    collection = irbounds.simulate_collection(n_systems=SYSTEMS, n_queries=QUERIES, rng=0)
    table = irbounds.score(collection.qrels, collection.runs, MEASURES)
    wishes = ReportWishes(corpus_size=collection.corpus_size, n_images=IMAGES)
    return Material(table, wishes, collection.qrels, collection.runs)


def report() -> str:
    """The numbers first; figures are drawn for the page alone, so they count with it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        given = material()
        began = time.perf_counter()
        page = report_page(given)
        numbers = time.perf_counter() - began
    began = time.perf_counter()
    figures = [figure for section in page.sections for figure in section.drawn]
    drawing = time.perf_counter() - began
    text = page_text(page)
    after = time.perf_counter() - began
    size = len(text.encode(errors="xmlcharrefreplace"))
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
