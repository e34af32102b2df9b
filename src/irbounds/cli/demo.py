"""``irbounds demo``: the main job on a collection that comes with the package."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .showing import PAGE_ENDINGS, asked, check_file, make_view

if TYPE_CHECKING:
    from ..presentation.pages import Page

EXAMPLES = "\b\nExamples:\n  irbounds demo\n  irbounds demo --report page.html"
SEED = 2026
MEASURES = ["AP", "nDCG@10"]
PAGE = Path("irbounds-demo.html")
TRUTH = (
    "The collection is simulated, so the truth is known: the strongest systems really are {1}, in "
    "this order. Three decimals of a mean suggest an order that {0} queries do not settle."
)
NEXT = """
Next:
  irbounds evaluate YOUR_QRELS YOUR_RUN ANOTHER_RUN -m AP -m nDCG@10
  irbounds compare YOUR_QRELS YOUR_RUN ANOTHER_RUN -m AP
  irbounds rank YOUR_QRELS YOUR_RUNS... -m AP
  irbounds check YOUR_QRELS YOUR_RUN
  irbounds report YOUR_QRELS YOUR_RUNS... -o report.html
  irbounds simulate demo-collection --seed 2026   # this collection as files"""

PageFile = Annotated[
    Path | None,
    typer.Option(
        "--report", metavar="FILE", help=f"The report to end with, an HTML page. Default: {PAGE}."
    ),
]


def demo(report: PageFile = None) -> None:
    """Simulate a small collection, evaluate it, say what the result means, and write a report."""
    from ..api import score, simulate_collection
    from ..presentation.terminal import console_for, print_lines
    from ..reports.report import ReportRequest, report_of
    from .options import Form
    from .writing import write_result

    check_file("--report", report, PAGE_ENDINGS)
    collection = simulate_collection(rng=SEED)
    table = score(collection.qrels, collection.runs, MEASURES)
    request = ReportRequest(
        rng=SEED,
        corpus_size=collection.corpus_size,
        view=make_view(queries="judged queries"),
        arguments=asked().arguments,
        options=asked().options,
    )
    page = report_of(table, request, collection.qrels, collection.runs).page
    means = replace(page.sections[0], sentences=page.verdicts)
    write_result([means], form=Form.table, output=None, inputs=page.inputs, warnings=table.warnings)
    console = console_for()
    console.print()
    strongest = ", ".join(collection.true_order[:3])
    print_lines(console, [TRUTH.format(len(table.queries), strongest)])
    typer.echo(NEXT)
    _write(page, report)


def _write(page: Page, path: Path | None) -> None:
    """Where no file was asked for, a folder that cannot be written to is no failure."""
    from .writing import write_page

    try:
        write_page(page, path or PAGE)
    except OSError as error:
        if path is not None:
            raise
        typer.echo(f"no report: {PAGE}: {error.strerror}", err=True)
