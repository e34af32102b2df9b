"""``irbounds demo``: an evaluation of a simulated collection, and its report."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..requests.request import Request
from ..requests.verb import verb
from ..results.result import Answer
from .output import Invocation, show_answer, write_page
from .output_options import Output

if TYPE_CHECKING:
    from ..reports.assembly import Report

SEED = 2026
MEASURES = ["AP", "nDCG@10"]
PAGE = Path("irbounds-demo.html")
TRUTH = (
    "The collection is simulated, so the truth is known: the strongest systems really are {1}, in "
    "this order. Three decimals of a mean suggest an order that {0} queries do not settle."
)
NEXT = """
Next:
  irbounds evaluate YOUR_QRELS YOUR_RUNS/ -m AP,nDCG@10
  irbounds compare YOUR_QRELS YOUR_RUNS/ -m AP
  irbounds rank YOUR_QRELS YOUR_RUNS/ -m AP
  irbounds check YOUR_QRELS YOUR_RUNS/
  irbounds report YOUR_QRELS YOUR_RUNS/ -o report.html
  irbounds simulate demo-collection --seed 2026   # this collection as files"""


@dataclass(frozen=True, kw_only=True)
class DemoRequest(Request):
    """The options of ``demo``: those of its output."""


@verb(
    DemoRequest,
    group="Data",
    docs="reports",
    shows=("report",),
    is_parallel=False,
    examples=("irbounds demo", "irbounds demo --report page.html"),
)
def demo(request: DemoRequest) -> Answer[Report]:
    """Evaluate a small simulated collection and write its report.

    Simulates eight systems on 50 queries, evaluates them, explains the result, and writes the
    report to irbounds-demo.html, or to the file of --report.

    Returns
    -------
    Report
        The report of the collection.
    """
    from ..reports.assembly import report_of
    from ..simulation import simulate_collection
    from ..verbs.report import ReportRequest

    collection = simulate_collection(rng=SEED)
    requested = ReportRequest(collection.qrels, collection.runs, measures=MEASURES)
    table, judgments, runs = requested.read_scored()
    report = report_of(table, requested, judgments, runs)
    page = report.page
    means = replace(page.sections[0], sentences=page.verdicts)
    return Answer(
        report,
        lines=page.inputs,
        warnings=table.warnings,
        make_sections=lambda view: [means],
        text=TRUTH.format(len(table.queries), ", ".join(collection.true_order[:3])),
    )


def show_demo(answer: Answer[Report], output: Output, ran: Invocation) -> None:
    """Print the table, the truth and the next commands, and write the page."""
    from ..presentation.terminal import make_console, print_lines

    show_answer(replace(answer, text=None), replace(output, report=None), ran)
    print()
    print_lines(make_console(), [answer.text or ""])
    print(NEXT)
    page = answer.result.page
    tables = [table for section in page.sections for table in section.tables]
    titled = replace(page, provenance=ran.provenance(answer.inputs, tables))
    write_page(titled, output.report or PAGE)
