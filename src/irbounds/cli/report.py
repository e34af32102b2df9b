"""``irbounds report``: the page of an answer, written to a file."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..presentation.verbosity import is_quiet, note
from .output import Invocation, PageOutput, write_page

if TYPE_CHECKING:
    from ..reports.report import Report
    from ..results.result import Answer


def show_report(answer: Answer[Report], output: PageOutput, ran: Invocation) -> None:
    """Print the verdicts, and write the page, which states the command that made it."""
    from ..presentation.terminal import make_console, print_lines

    for one in answer.inputs:
        note(f"read {one.name} ({one.fingerprint})")
    page = answer.result.page
    made_by = replace(page.provenance, arguments=ran.arguments, options=ran.options)
    page = replace(page, provenance=made_by, warnings=answer.warnings)
    if not is_quiet():
        print_lines(make_console(), page.verdicts)
    write_page(page, output.page, is_opened=output.open)
