"""Time a report of a TREC-sized collection: the numbers, then the page."""

from __future__ import annotations

import tempfile
import time
import warnings
from pathlib import Path

import irbounds
from irbounds.simulation import simulate_collection

SYSTEMS, QUERIES = 129, 50
MEASURES = ["AP", "nDCG@10"]
MAX_SECONDS, MAX_BYTES = 15.0, 5e6  # from the numbers to the page, and of the page


def report() -> str:
    """Time the numbers, then the page with its figures."""
    collection = simulate_collection(n_systems=SYSTEMS, n_queries=QUERIES, rng=0)
    with warnings.catch_warnings(), tempfile.TemporaryDirectory() as directory:
        warnings.simplefilter("ignore")
        began = time.perf_counter()
        document = irbounds.report(collection.qrels, collection.runs, measures=MEASURES)
        numbers = time.perf_counter() - began
        path = Path(directory) / "report.html"
        began = time.perf_counter()
        document.save(path)
        page = time.perf_counter() - began
        size = path.stat().st_size
    late = "" if page <= MAX_SECONDS else " **missed**"
    large = "" if size <= MAX_BYTES else " **missed**"
    return (
        f"Report\n\n{SYSTEMS} systems, {QUERIES} queries, {' and '.join(MEASURES)}\n"
        f"the numbers: {numbers:.1f} s; the page after that: {page:.1f} s (target: "
        f"{MAX_SECONDS:.0f}){late}; size {size / 1e6:.2f} MB (target: {MAX_BYTES / 1e6:.0f}){large}"
    )
