"""Options of a command's output: what is printed, which files are written, and how they look."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from ..errors import ParameterError
from ..presentation.figures import FIGURE_EXTENSIONS, MAX_SYSTEMS
from ..requests.options import check_place, writable
from ..requests.request import DeclaredOption, Option, Request, options_of

if TYPE_CHECKING:
    from ..presentation.registry import View

TableForm = Literal["table", "csv", "json", "jsonl", "markdown", "latex"]
Form = Literal["table", "csv", "json", "jsonl", "markdown", "latex"]
EXTENSIONS: dict[str, Form] = {
    "": "table",
    ".txt": "table",
    ".csv": "csv",
    ".json": "json",
    ".jsonl": "jsonl",
    ".md": "markdown",
    ".tex": "latex",
}
SHEET_EXTENSIONS = (".csv",)
PAGE_EXTENSIONS = (".html", ".htm")
PAGE = Path("irbounds-report.html")
RECORD_FORMS = ("csv", "json", "jsonl")


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
    quiet: Annotated[
        bool,
        Option("Show results only: no diagnosis or warnings.", panel="Output", short="-q"),
    ] = False

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

    def view(self, view: View) -> View:
        """Return the view of an answer with these options."""
        return replace(
            view,
            top=MAX_SYSTEMS,
            has_records=self.form in RECORD_FORMS or self.report is not None,
        )


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

    def check(self) -> None:
        """Raise ``ParameterError`` where there is a file, which may hold assessments."""
        super().check()
        if self.output and self.output.exists():
            raise ParameterError(
                f"output {self.output}: exists and may hold assessments; give another file"
            )


@dataclass(frozen=True, kw_only=True)
class PageOutput(Output):
    """What ``report`` writes: one page."""

    output: Annotated[
        Path | None,
        Option(
            "Write the result to FILE (atomically).",
            "The page is one HTML file.",
            metavar="FILE",
            panel="Output",
            short="-o",
            file="write",
            default=str(PAGE),
            check=writable(PAGE_EXTENSIONS),
        ),
    ] = None

    def check(self) -> None:
        """Raise ``ParameterError`` where the page cannot be written."""
        super().check()
        check_place("output", self.page)

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
    "table": ("format", "output"),
    "figure": ("figure",),
    "report": ("report",),
    "page": ("output",),
    "sheet": ("output",),
}
KINDS: dict[str, type[Output]] = {
    "page": PageOutput,
    "sheet": SheetOutput,
}


def output_kind(shows: frozenset[Any]) -> type[Output]:
    """Return the class of the output options of a verb."""
    return next((kind for part, kind in KINDS.items() if part in shows), Output)


def output_options(shows: frozenset[Any]) -> list[DeclaredOption]:
    """Return the output options of a verb."""
    names = {name for part in shows for name in PARTS.get(part, ())} | {"quiet"}
    return [declared for declared in options_of(output_kind(shows)) if declared.name in names]
