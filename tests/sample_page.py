"""A small report with hostile names, for tests of the page in Python and in a browser.

The numbers are made so that every test can tell them apart: system ``k`` has a mean of about
0.1 + 0.05 k, so that its place in a sorted table is known.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from irbounds import ScoreTable, mean_interval
from irbounds.presentation.figures.mean_plots import draw_means
from irbounds.presentation.page_content import Page, PageScores, Section
from irbounds.presentation.registry import View, make_tables
from irbounds.presentation.table import Table
from irbounds.reports.provenance import provenance_of
from irbounds.results import InputFile

HOSTILE = (
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(1)>",
    "{{7*7}}",
    '" onload="alert(1)" x="',
    "'];alert(1);['",
    "a.b[0]\\c",
    "<!--",
    "&lt;b&gt;",
)
TITLE = "A report of <b>bold</b> names"
NAMES = (*HOSTILE, "bm25")
MEASURES = ("AP", "nDCG@10")
MARKS_TABLE = Table(
    title="Cells that are not plain numbers",
    headings=("kind", "p"),
    cells=tuple(
        zip("abcdefg", ("0.02", "0.001", "<0.001", "-", "1,204", "-0.5", "9"), strict=True)
    ),
    records=tuple({"kind": kind, "p": 1.0} for kind in "abcdefg"),
)
LONG = 450  # rows, more than a page shows at first


def scores(names: tuple[str, ...] = NAMES, n_queries: int = 8) -> ScoreTable:
    """Return scores: system k has about 0.1 + 0.05 k, slightly more on each further query."""
    queries = tuple(f"q{k}" for k in range(n_queries))
    base = 0.1 + 0.05 * np.arange(len(names)) / max(1, len(names) / 9)
    values = base[:, None] + 0.01 * np.arange(n_queries)
    return ScoreTable(MEASURES, names, queries, np.stack([values, values + 0.05]))


def long_table() -> Table:
    """Return a table of unsorted rows of systems s0 to s9."""
    values = [(37 * k) % LONG for k in range(LONG)]
    return Table(
        title="A long table",
        headings=("row", "system", "value"),
        cells=tuple((f"row {k}", f"s{k % 10}", str(value)) for k, value in enumerate(values)),
        records=tuple({"system": f"s{k % 10}", "value": v / 7} for k, v in enumerate(values)),
        first_number=2,
    )


def sample_page(
    names: tuple[str, ...] = NAMES, title: str = "A report of <b>bold</b> names"
) -> Page:
    """Return a page with verdicts, a first figure, and sections of every type."""
    estimates = mean_interval(scores(names), method="student-t")
    tables = [_with_bars(table) for table in make_tables(estimates, View(queries="judged queries"))]
    figures = [draw_means([e for e in estimates if e.measure == measure]) for measure in MEASURES]
    odd = [MARKS_TABLE, long_table()]
    arguments = ("evaluate", "qrels.txt", *(f"{name}.run" for name in names))
    files = [InputFile(f"{name}.run", "sha256:" + "0a" * 32) for name in names]
    provenance = provenance_of(arguments, {"seed": 0, "runs": list(names)}, files, tables)
    table = scores(names)
    return Page(
        title=title,
        provenance=provenance,
        sections=[
            Section("Mean scores & more", [f"{names[0]} is last"], tables, lambda: figures, TOPICS),
            Section("Odd tables", ["nothing was found"], odd),
            Section(
                "Folded results",
                ["the first", "the second"],
                tables,
                lambda: figures[:1],
                ("difference",),
                is_folded=True,
            ),
            Section("Nothing found", ["no ties"], is_folded=True),
        ],
        inputs=[f"{len(names)} systems, first {names[0]}"],
        warnings=[f"{names[0]}: every score is low"],
        signatures=("Name", "Date & place"),
        verdicts=[f"By {measure}, {names[-1]} is best" for measure in MEASURES],
        lead=lambda: draw_means(estimates),
        scores=PageScores(table.measures, table.systems, table.queries, table.values.tolist()),
    )


TOPICS = ("mean-interval", "student-t")


def _with_bars(table: Table) -> Table:
    bars = tuple((record["low"], record["mean"], record["high"]) for record in table.records)
    return replace(table, bars=bars, caption="units & method")
