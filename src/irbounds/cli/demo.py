"""``irbounds demo``: the main job on a collection that comes with the package."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .showing import PAGE_ENDINGS, check_file

if TYPE_CHECKING:
    from ..presentation.pages import Page

__all__ = ["EXAMPLES", "demo"]

EXAMPLES = "\b\nExamples:\n  irbounds demo\n  irbounds demo --report page.html"
SEED = 2026
MEASURES = ["AP", "nDCG@10"]
PAGE = Path("irbounds-demo.html")
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
    from ..api import difference_interval, mean_interval, score, simulate_collection
    from ..presentation.demonstration import meaning
    from ..presentation.diagnosis import summary_lines
    from ..presentation.terminal import console_for, print_lines
    from .options import Form
    from .report_material import Material, ReportWishes
    from .report_sections import report_page
    from .sections import means_section
    from .writing import write_result

    check_file("--report", report, PAGE_ENDINGS)
    collection = simulate_collection(rng=SEED)
    table = score(collection.qrels, collection.runs, MEASURES)
    estimates = mean_interval(table, rng=SEED)
    first = table.select(MEASURES[:1])
    best = table.systems[int(first.means()[0].argmax())]
    comparisons = difference_interval(first, baseline=best, rng=SEED)
    write_result(
        [means_section(estimates, "judged queries", None)],
        form=Form.table,
        output=None,
        inputs=summary_lines(table.diagnosis) if table.diagnosis else (),
        warnings=table.warnings,
    )
    sentences = meaning(estimates, comparisons, collection.true_order)
    console = console_for()
    console.print()
    print_lines(console, sentences.splitlines())
    typer.echo(NEXT)
    wishes = ReportWishes(seed=SEED, corpus_size=collection.corpus_size)
    page = report_page(Material(table, wishes, collection.qrels, collection.runs))
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
