"""Output of a command's answer: to the terminal, a pipe, a file, a figure or a page."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from .. import __version__
from ..errors import ParameterError, show_name
from ..presentation.escaping import make_printable
from ..presentation.figures import FIGURE_EXTENSIONS, MAX_SYSTEMS
from ..presentation.verbosity import Verbosity, is_quiet, note
from ..requests.options import MAX_NAME, Digits, Title, check_place, writable
from ..requests.request import DeclaredOption, Option, Request, options_of

if TYPE_CHECKING:
    from ..presentation.figures.style import Figure
    from ..presentation.page_content import Page, Section
    from ..presentation.registry import View
    from ..presentation.table import Table
    from ..reports.assembly import Report
    from ..reports.provenance import Provenance
    from ..results import InputFile
    from ..results.result import Answer

TableForm = Literal["table", "csv", "json", "jsonl", "markdown", "latex"]
Form = Literal["table", "csv", "json", "jsonl", "markdown", "latex", "junit"]
EXTENSIONS: dict[str, Form] = {
    "": "table",
    ".txt": "table",
    ".csv": "csv",
    ".json": "json",
    ".jsonl": "jsonl",
    ".md": "markdown",
    ".tex": "latex",
}
XML = ".xml"
SHEET_EXTENSIONS = (".csv",)
PAGE_EXTENSIONS = (".html", ".htm")
PAGE = Path("irbounds-report.html")
PAPER_EXTENSIONS = (".png", ".svg", ".pdf")  # of each figure in a directory
RECORD_FORMS = ("csv", "json", "jsonl")
MEGABYTE = 10**6


def _directory(name: str, value: Any) -> Path:
    path = Path(value)
    if os.path.lexists(path) and not path.is_dir():
        raise ParameterError(
            f"{name} {show_name(str(path), MAX_NAME)}: this is a file; give a directory"
        )
    return path


@dataclass(frozen=True, kw_only=True)
class Output(Request):
    """What a command prints and writes, and its verbosity."""

    format: Annotated[
        TableForm | None,
        Option("Format.", "By default the extension of the output decides.", panel="Output"),
    ] = None
    output: Annotated[
        Path | None,
        Option(
            "Write the result to FILE (atomically).",
            "The extension gives the format: .txt, .csv, .json, .jsonl, .md or .tex.",
            metavar="FILE",
            panel="Output",
            short="-o",
            file="write",
            check=writable(),
        ),
    ] = None
    digits: Digits = None
    figure: Annotated[
        Path | None,
        Option(
            "Also draw the result.",
            f"The extension gives the format: {', '.join(FIGURE_EXTENSIONS)}.",
            metavar="FILE",
            panel="Output",
            file="write",
            check=writable(FIGURE_EXTENSIONS),
        ),
    ] = None
    figures: Annotated[
        Path | None,
        Option(
            "Also draw the paper's figures as PNG, SVG and PDF.",
            metavar="DIRECTORY",
            panel="Output",
            file="write",
            check=_directory,
        ),
    ] = None
    report: Annotated[
        Path | None,
        Option(
            "Also write an HTML page with figures.",
            metavar="FILE",
            panel="Output",
            file="write",
            check=writable(PAGE_EXTENSIONS),
        ),
    ] = None
    open: Annotated[bool, Option("Open the HTML page in a browser.", panel="Advanced")] = False
    width: Annotated[
        int | None,
        Option("Width of the figure in pixels.", metavar="PIXELS", panel="Advanced", minimum=1),
    ] = None
    title: Title = None
    top: Annotated[
        int | None,
        Option(
            "Number of systems in figures.",
            panel="Advanced",
            minimum=1,
            default=str(MAX_SYSTEMS),
        ),
    ] = None
    quiet: Annotated[
        bool,
        Option("Show results only: no diagnosis or warnings.", panel="Output", short="-q"),
    ] = False
    verbose: Annotated[
        bool, Option("Show all rows and numbers, and what is done.", panel="Output")
    ] = False

    def check(self) -> None:
        """Raise ``ParameterError`` where options contradict each other."""
        if self.quiet and self.verbose:
            raise ParameterError("quiet and verbose: give one or the other")

    def check_appearance(self, names: Sequence[str], has_page: bool) -> None:
        """Raise ``ParameterError`` for an option about a file that is not written."""
        files_of = {"width": ["figure"], "title": ["figure", "report"], "top": ["figure", "report"]}
        for option, files in {**files_of, "open": ["report"]}.items():
            available = [name for name in files if name in names]
            if self.list_changed(option) and not has_page and not self.list_changed(*available):
                needed = " or ".join(f"--{name} FILE" for name in available)
                raise ParameterError(f"{option} needs {needed}")

    def refuse_figures(self, reason: str) -> None:
        """Raise ``ParameterError`` if figures are requested and cannot be drawn."""
        if reason and (self.figure or self.figures):
            option, path = ("figure", self.figure) if self.figure else ("figures", self.figures)
            raise ParameterError(f"{option} {path}: {reason}")

    @property
    def form(self) -> Form:
        """The requested format, else the one of the file extension."""
        if self.format is not None:
            return self.format
        extension = self.output.suffix.lower() if self.output else ""
        if extension not in EXTENSIONS:
            known = ", ".join(filter(None, EXTENSIONS))
            raise ParameterError(f"output {self.output}: needs format or an extension of {known}")
        return EXTENSIONS[extension]

    @property
    def verbosity(self) -> Verbosity:
        """How much is printed besides results."""
        return "quiet" if self.quiet else "verbose" if self.verbose else "normal"

    def view(self, view: View) -> View:
        """Return the view of an answer with these options."""
        return replace(
            view,
            digits=self.digits,
            top=self.top or MAX_SYSTEMS,
            verbose=self.verbose,
            has_records=self.form in RECORD_FORMS or self.report is not None,
        )


@dataclass(frozen=True, kw_only=True)
class GateOutput(Output):
    """What ``gate`` writes: also JUnit XML."""

    format: Annotated[
        Form | None,
        Option(
            "Format.",
            "By default the extension of the output decides; .xml is junit.",
            panel="Output",
        ),
    ] = None  # type: ignore[assignment]
    junit: Annotated[
        Path | None,
        Option(
            "Also write the verdicts as JUnit XML.",
            metavar="FILE",
            panel="Output",
            file="write",
            check=writable((XML,)),
        ),
    ] = None

    @property
    def form(self) -> Form:
        """The requested format, else the one of the file extension."""
        is_xml = self.output is not None and self.output.suffix.lower() == XML
        return "junit" if self.format is None and is_xml else super().form


@dataclass(frozen=True, kw_only=True)
class SheetOutput(Output):
    """What ``draw`` writes: a sheet to fill in."""

    output: Annotated[
        Path | None,
        Option(
            "Write the result to FILE (atomically).",
            "A CSV file to fill in.",
            metavar="FILE",
            panel="Output",
            short="-o",
            file="write",
            check=writable(SHEET_EXTENSIONS),
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class PageOutput(Output):
    """What ``report`` writes: one page, which may repeat another."""

    output: Annotated[
        Path | None,
        Option(
            "Write the result to FILE (atomically).",
            "The page is HTML. With --repeat the page is written only where FILE is given.",
            metavar="FILE",
            panel="Output",
            short="-o",
            file="write",
            default=str(PAGE),
            check=writable(PAGE_EXTENSIONS),
        ),
    ] = None
    repeat: Annotated[
        Path | None,
        Option(
            "Make this report again and compare the two.",
            "Takes a page of any command, with the options that it states. Exit status: 0 the same "
            "page, 1 another one, 3 the same numbers on a page that states other versions or "
            "inputs and has other words.",
            metavar="FILE",
            panel="Output",
            file="read",
        ),
    ] = None

    def check(self) -> None:
        """Raise ``ParameterError`` where the page cannot be written."""
        super().check()
        if self.repeat is None:
            check_place("output", self.page)
            return
        if self.output is None and self.open:
            raise ParameterError("open needs --output FILE where a page is repeated")
        if self.output and os.path.realpath(self.output) == os.path.realpath(self.repeat):
            raise ParameterError(f"output {self.output}: this is the page to repeat; give another")

    @property
    def form(self) -> Form:
        """The format of what is written besides the page, which is nothing."""
        return "table"

    @property
    def page(self) -> Path:
        """The file of the page."""
        return self.output or PAGE


#: options of ``Output`` for each kind of output that a verb has
PARTS = {
    "table": ("format", "output", "digits"),
    "figure": ("figure", "width", "title"),
    "published": ("format", "output", "figures", "title"),  # decimals are those of the paper
    "report": ("report", "open", "title"),
    "top": ("top",),
    "page": ("output", "open", "repeat"),
    "junit": ("junit",),
    "sheet": ("output",),
}


def output_kind(shows: frozenset[Any]) -> type[Output]:
    """Return the class of the output options of a verb."""
    kinds = {"page": PageOutput, "junit": GateOutput, "sheet": SheetOutput}
    return next((kind for part, kind in kinds.items() if part in shows), Output)


def output_options(shows: frozenset[Any]) -> list[DeclaredOption]:
    """Return the output options of a verb."""
    names = {name for part in shows for name in PARTS[part]} | {"quiet", "verbose"}
    return [declared for declared in options_of(output_kind(shows)) if declared.name in names]


@dataclass(frozen=True)
class Invocation:
    """A running command, as a page records it for its repetition."""

    command: str
    #: the command line, without the program's name
    arguments: tuple[str, ...] = ()
    #: every option by name, as plain values
    options: Mapping[str, Any] = field(default_factory=dict)

    def provenance(self, inputs: Sequence[InputFile], tables: Sequence[Table]) -> Provenance:
        """Return the provenance of the numbers of this command."""
        from ..reports.provenance import provenance_of

        return provenance_of(self.arguments, self.options, inputs, tables)


def show_answer(answer: Answer[Any], output: Output, ran: Invocation) -> None:
    """Show an answer, with the diagnosis above it, or write it to files.

    The diagnosis goes to standard error wherever standard output holds data or nothing.
    """
    from ..parallel.progress import show_progress

    for file in answer.inputs:
        note(f"read {file.name} ({file.fingerprint})")
    view = output.view(answer.view)
    with show_progress("preparing tables"):
        sections = answer.sections(view)
    figures: list[Figure] = []
    if output.figure or output.figures:
        figures = [figure for section in sections for figure in section.drawn]
        if not figures:
            output.refuse_figures("the other options leave no figure to draw")
    tables = [table for section in sections for table in section.tables]
    sentences = [sentence for section in sections for sentence in section.sentences]
    # files first: the reader of a pipe may stop in the middle of the tables
    _write_figures(figures, output)
    if output.report is not None:
        more = answer.make_page_sections(view) if answer.make_page_sections else ()
        _write_report(answer, [*sections, *more], output, ran)
    if isinstance(output, GateOutput) and output.junit is not None:
        write_text(answer.result.to_junit(), output.junit, "verdicts")
    is_silent = is_quiet()
    above = () if is_silent else (*answer.lines, *sentences)
    warnings = () if is_silent else tuple(answer.warnings)
    below = (
        [] if is_silent else [sentence for section in sections for sentence in section.conclusion]
    )
    if answer.text is not None:
        _print_diagnosis(answer.lines if not is_silent else (), warnings)
        write_text(answer.text, output.output)
    elif output.form == "junit":
        _print_diagnosis(above, warnings)
        write_text(answer.result.to_junit(), output.output, "verdicts")
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
    from ..parallel.progress import show_progress
    from ..presentation.table import render
    from ..presentation.terminal import make_console, show

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
    from rich.console import Console

    from ..presentation.terminal import UNWRAPPED, show

    text = io.StringIO()
    console = Console(file=text, width=UNWRAPPED, color_system=None, highlight=False)
    show(console, tables, above, warnings, below)
    return text.getvalue()


def _write_figures(figures: Sequence[Figure], output: Output) -> None:
    if output.figure is not None:
        figures[0].save(output.figure, width=output.width, title=output.title)
        report_written("figure", output.figure, _size(output.figure))
    if output.figures is not None:
        output.figures.mkdir(parents=True, exist_ok=True)
        for figure in figures:
            for extension in PAPER_EXTENSIONS:
                figure.save(output.figures / f"{figure.name}{extension}")
        n = len(figures) * len(PAPER_EXTENSIONS)
        report_written("figures", output.figures, f"{n:,} files")


def _write_report(
    answer: Answer[Any], sections: Sequence[Section], output: Output, ran: Invocation
) -> None:
    from ..presentation.page_content import Page

    assert output.report
    tables = [table for section in sections for table in section.tables]
    page = Page(
        output.title or f"irbounds {ran.command}",
        ran.provenance(answer.inputs, tables),
        sections,
        answer.lines,
        answer.warnings,
        answer.signatures,
        words=answer.view.words,
    )
    write_page(page, output.report, is_opened=output.open)


def write_page(page: Page, path: Path, *, is_opened: bool = False) -> None:
    """Write a page to one HTML file, and open it if requested."""
    from ..atomic_write import write_atomically
    from ..parallel.progress import show_progress
    from ..presentation.html.page import render_page

    with show_progress("drawing the page"):
        text = render_page(page)
    with write_atomically(path) as file:
        file.write(text.encode(errors="xmlcharrefreplace"))
    report_written("report", path, _size(path))
    if is_opened:
        import webbrowser

        webbrowser.open(path.resolve().as_uri())


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

    for file in answer.inputs:
        note(f"read {file.name} ({file.fingerprint})")
    page = answer.result.page
    made_by = replace(page.provenance, arguments=ran.arguments, options=ran.options)
    page = replace(page, provenance=made_by, warnings=answer.warnings)
    if not is_quiet():
        print_lines(make_console(), page.verdicts)
    write_page(page, output.page, is_opened=output.open)
