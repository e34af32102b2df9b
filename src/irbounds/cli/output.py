"""Output of a command's answer: to the terminal, a pipe, a file, a figure or a page."""

from __future__ import annotations

import io
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import __version__
from ..errors import ParameterError
from ..presentation.escaping import make_printable
from ..presentation.verbosity import is_quiet
from .output_options import Output, PageOutput

if TYPE_CHECKING:
    from ..presentation.figures.style import Figure
    from ..presentation.page_content import Page, Section
    from ..presentation.table import Table
    from ..reports.assembly import Report
    from ..reports.provenance import Provenance
    from ..results import InputFile
    from ..results.result import Answer

MEGABYTE = 10**6


@dataclass(frozen=True)
class Invocation:
    """A running command, as a page states it."""

    command: str
    #: the command line, without the program's name
    arguments: tuple[str, ...] = ()
    #: every option of the verb by name, as plain values
    options: Mapping[str, Any] = field(default_factory=dict)

    def provenance(self, inputs: Sequence[InputFile], tables: Sequence[Table]) -> Provenance:
        """Return the provenance of the numbers of this command."""
        from ..reports.provenance import provenance_of

        return provenance_of(self.arguments, self.options, inputs, tables)


def show_answer(answer: Answer[Any], output: Output, ran: Invocation) -> None:
    """Show an answer, with the diagnosis above it, or write it to files.

    The diagnosis goes to standard error wherever standard output holds data or nothing.
    """
    from ..progress import show_progress

    view = output.view(answer.view)
    with show_progress("preparing tables"):
        sections = answer.sections(view)
    figures: list[Figure] = []
    if output.figure:
        figures = [figure for section in sections for figure in section.drawn]
        if not figures:
            raise ParameterError(
                f"figure {output.figure}: the other options leave no figure to draw"
            )
    tables = [table for section in sections for table in section.tables]
    sentences = [sentence for section in sections for sentence in section.sentences]
    # files first: the reader of a pipe may stop in the middle of the tables
    _write_figures(figures, output)
    if output.report is not None:
        _write_report(answer, [*sections, *answer.page_sections(view)], output, ran)
    is_silent = is_quiet()
    above = () if is_silent else (*answer.lines, *sentences)
    warnings = () if is_silent else tuple(answer.warnings)
    below = (
        [] if is_silent else [sentence for section in sections for sentence in section.conclusion]
    )
    if answer.text is not None:
        _print_diagnosis(answer.lines if not is_silent else (), warnings)
        write_text(answer.text, output.output)
    else:
        about = answer.record(__version__, sentences)
        _write_tables(tables, above, warnings, below, about, output)


def _write_tables(
    tables: Sequence[Table],
    above: Sequence[str],
    warnings: Sequence[str],
    below: Sequence[str],
    about: Mapping[str, Any],
    output: Output,
) -> None:
    from ..presentation.table import render
    from ..presentation.terminal import make_console, show
    from ..progress import show_progress

    if output.output is None and output.form == "table":
        show(make_console(), tables, above, warnings, below)
        return
    _print_diagnosis(above, warnings)
    with show_progress("preparing output"):
        if output.form == "table":
            text = _as_text(tables, above, warnings, below)
        else:
            text = render(tables, output.form, about)
    write_text(text, output.output, "results")


def _print_diagnosis(above: Sequence[str], warnings: Sequence[str]) -> None:
    """Print the diagnosis on standard error, because standard output contains data."""
    from ..presentation.terminal import make_console, show

    show(make_console(error=True), (), above, warnings)


def write_text(text: str, path: Path | None, what: str = "results") -> None:
    """Write text to a file, or to standard output."""
    from ..atomic_write import write_atomically

    if path is None:
        print(text, end="")
        return
    with write_atomically(path) as file:
        file.write(text.encode(errors="backslashreplace"))
    report_written(what, path, _size(path))


def _as_text(
    tables: Sequence[Table], above: Sequence[str], warnings: Sequence[str], below: Sequence[str]
) -> str:
    from ..presentation.terminal import UNWRAPPED, FileConsole, show

    text = io.StringIO()
    console = FileConsole(file=text, width=UNWRAPPED, color_system=None)
    show(console, tables, above, warnings, below)
    return text.getvalue()


def _write_figures(figures: Sequence[Figure], output: Output) -> None:
    if output.figure is not None:
        figures[0].save(output.figure)
        report_written("figure", output.figure, _size(output.figure))


def _write_report(
    answer: Answer[Any], sections: Sequence[Section], output: Output, ran: Invocation
) -> None:
    from ..presentation.page_content import Page

    assert output.report
    tables = [table for section in sections for table in section.tables]
    page = Page(
        answer.title or f"irbounds {ran.command}",
        ran.provenance(answer.inputs, tables),
        sections,
        answer.lines,
        answer.warnings,
        answer.signatures,
    )
    write_page(page, output.report)


def write_page(page: Page, path: Path) -> None:
    """Write a page to one file."""
    from ..atomic_write import write_atomically
    from ..presentation.html.page import render_page
    from ..progress import show_progress

    with show_progress("drawing the page"):
        content = render_page(page)
    with write_atomically(path) as file:
        file.write(content.encode(errors="xmlcharrefreplace"))
    report_written("report", path, _size(path))


def report_written(what: str, path: Path, size: str) -> None:
    """Print one line on standard error about a file that was written."""
    if not is_quiet():
        print(make_printable(f"{what}: {path} ({size})"), file=sys.stderr, flush=True)


def _size(path: Path) -> str:
    """Return the size of a file as ``340 kB`` or ``2.1 MB``."""
    size = path.stat().st_size
    return f"{size / 1e6:.1f} MB" if size >= MEGABYTE else f"{max(1, round(size / 1e3))} kB"


def show_report(answer: Answer[Report], output: PageOutput, ran: Invocation) -> None:
    """Print the verdicts, and write the page, which states the command that made it."""
    from ..presentation.terminal import make_console, print_lines

    page = answer.result.page
    made_by = replace(page.provenance, arguments=ran.arguments, options=ran.options)
    page = replace(page, provenance=made_by, warnings=answer.warnings)
    if not is_quiet():
        print_lines(make_console(), page.verdicts)
    write_page(page, output.page)
