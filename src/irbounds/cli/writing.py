"""Where a command's result goes: the terminal, a pipe or a file."""

from __future__ import annotations

import io
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import __version__
from ..errors import ParameterError
from ..presentation.loudness import is_quiet, note
from ..presentation.printable import printable
from .options import Form
from .showing import Showing, asked, check_place

if TYPE_CHECKING:
    from ..presentation.figures.style import Figure
    from ..presentation.pages import Page, Section
    from ..presentation.tables import Table
    from ..reports.provenance import Provenance
    from ..scores.score_table import ScoreTable

ENDINGS = {
    "": Form.table,
    ".txt": Form.table,
    ".csv": Form.csv,
    ".json": Form.json,
    ".jsonl": Form.jsonl,
    ".md": Form.markdown,
    ".tex": Form.latex,
}
PAPER_ENDINGS = (".png", ".svg", ".pdf")  # what a folder of figures holds of each
MEGABYTE = 10**6


def chosen_form(form: Form | None, output: Path | None) -> Form:
    """The format asked for, else the one that the file's ending means.

    Called before any work is done, so that what cannot be written is said at once.
    """
    if str(output) == "-":
        raise ParameterError("--output -: standard output is the default; leave --output out")
    if output is not None:
        check_place("--output", output)
    if form is not None:
        return form
    ending = output.suffix.lower() if output else ""
    if ending not in ENDINGS:
        known = ", ".join(filter(None, ENDINGS))
        raise ParameterError(f"--output {output}: give --format, or one of the endings {known}")
    return ENDINGS[ending]


def lines_about(table: ScoreTable) -> list[str]:
    """The inputs in a few lines, where judgments and runs were read."""
    from ..results.diagnosis import summary_lines

    return summary_lines(table.diagnosis) if table.diagnosis else []


def record_about(table: ScoreTable, warnings: Sequence[str], **more: Any) -> dict[str, Any]:
    """What JSON says besides the results: version, warnings, inputs and what was found in them."""
    return {
        "irbounds": __version__,
        "warnings": list(warnings),
        "diagnosis": asdict(table.diagnosis) if table.diagnosis else None,
        "inputs": [asdict(one) for one in table.inputs],
        **more,
    }


@contextmanager
def collected_warnings(said: list[str]) -> Iterator[None]:
    """Add what is warned of meanwhile to ``said``, to be shown above the result."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    if caught:
        from .error_words import warning_words

        said += [warning_words(str(one.message), asked().arguments) for one in caught]


def write_result(
    sections: Sequence[Section],
    *,
    form: Form,
    output: Path | None,
    inputs: Sequence[str] = (),
    warnings: Sequence[str] = (),
    about: Mapping[str, Any] | None = None,
    only_on_page: Sequence[Section] = (),
    signatures: Sequence[str] = (),
) -> None:
    """Show what was found, with the diagnosis above it, or write it to a file.

    The diagnosis goes to standard error wherever standard output holds data or nothing. ``inputs``
    are lines about these; ``about`` is what JSON says besides the records. A figure and a page are
    made of the same sections where they are asked for; ``signatures`` are the page's alone.
    """
    about = about or {}
    for one in about.get("inputs", ()):
        note(f"read {one['name']} ({one['fingerprint']})")
    _check_figures(sections)
    tables = [table for section in sections for table in section.tables]
    found = [sentence for section in sections for sentence in section.sentences]
    said = () if is_quiet() else (*inputs, *found)
    # files first: a reader of the tables may go away in the middle of them
    write_figure_and_page([*sections, *only_on_page], inputs, warnings, about, signatures)
    below = [sentence for section in sections for sentence in section.conclusion]
    if is_quiet():
        warnings, below = (), []
    _write_tables(tables, form, output, said, warnings, about, below)


def _check_figures(sections: Sequence[Section]) -> None:
    """Whether there is what was asked for; drawn, and said, before anything is shown."""
    wish = asked()
    option = "--figure" if wish.figure is not None else "--figures"
    wanted = wish.figures if wish.figure is None else wish.figure
    if wanted is not None and not any(section.drawn for section in sections):
        raise ParameterError(f"{option} {wanted}: what the other options ask for has no figure")


def _write_tables(
    tables: Sequence[Table],
    form: Form,
    output: Path | None,
    above: Sequence[str],
    warnings: Sequence[str],
    about: Mapping[str, Any],
    below: Sequence[str] = (),
) -> None:
    from ..presentation.tables import render
    from ..presentation.terminal import console_for, progress_of, show
    from ..whole_files import whole_file

    if output is None and form is Form.table:
        show(console_for(), tables, above, warnings, below)
        return
    show(console_for(error=True), (), above, warnings)
    with progress_of("preparing output"):
        if form is Form.table:
            text = _as_text(tables, above, warnings, below)
        else:
            text = render(tables, form.value, about)
    if output is None:
        print(text, end="")
        return
    with whole_file(output) as file:
        file.write(text.encode(errors="backslashreplace"))


def write_figure_and_page(
    sections: Sequence[Section],
    inputs: Sequence[str],
    warnings: Sequence[str],
    about: Mapping[str, Any],
    signatures: Sequence[str] = (),
) -> None:
    """What was asked for besides tables: the first figure, all figures, a page."""
    from ..presentation.pages import Page

    wish = asked()
    if wish.figure is not None or wish.figures is not None:
        figures = [figure for section in sections for figure in section.drawn]
        _write_figures(figures, wish)
    if wish.report is not None:
        tables = [table for section in sections for table in section.tables]
        provenance = provenance_here(about.get("inputs", ()), tables)
        title = wish.title or f"irbounds {wish.command}"
        write_page(Page(title, provenance, sections, inputs, warnings, signatures), wish.report)


def _write_figures(figures: Sequence[Figure], wish: Showing) -> None:
    if wish.figure is not None:
        figures[0].save(wish.figure, width=wish.width, title=wish.title)
        _say_written("figure", wish.figure, _size(wish.figure))
    if wish.figures is not None:
        wish.figures.mkdir(parents=True, exist_ok=True)
        for figure in figures:
            for ending in PAPER_ENDINGS:
                figure.save(wish.figures / f"{figure.name}{ending}")
        _say_written("figures", wish.figures, f"{len(figures) * len(PAPER_ENDINGS):,} files")


def provenance_here(inputs: Iterable[Mapping[str, str]], tables: Sequence[Table]) -> Provenance:
    """Where the numbers of the command that is running come from."""
    from ..reports.provenance import provenance_of
    from ..results import InputFile

    files = [InputFile(**one) for one in inputs]
    return provenance_of(asked().arguments, asked().options, files, tables)


def write_page(page: Page, path: Path) -> None:
    """A report as a file, whole or not at all."""
    from ..presentation.html.page import page_text
    from ..presentation.terminal import progress_of
    from ..whole_files import whole_file

    with progress_of("drawing the page"):
        text = page_text(page)
    with whole_file(path) as file:
        file.write(text.encode(errors="xmlcharrefreplace"))
    _say_written("report", path, _size(path))


def _say_written(what: str, path: Path, size: str) -> None:
    """One line on standard error: a person should not have to look for what was written."""
    if not is_quiet():
        print(printable(f"{what}: {path} ({size})"), file=sys.stderr, flush=True)


def _size(path: Path) -> str:
    """``340 kB``, or ``2.1 MB``."""
    size = path.stat().st_size
    return f"{size / 1e6:.1f} MB" if size >= MEGABYTE else f"{max(1, round(size / 1e3))} kB"


def _as_text(
    tables: Sequence[Table], above: Sequence[str], warnings: Sequence[str], below: Sequence[str]
) -> str:
    from rich.console import Console

    from ..presentation.terminal import UNWRAPPED, show

    text = io.StringIO()
    console = Console(file=text, width=UNWRAPPED, color_system=None, highlight=False)
    show(console, tables, above, warnings, below)
    return text.getvalue()
