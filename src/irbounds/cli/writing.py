"""Where a command's result goes: the terminal, a pipe or a file."""

from __future__ import annotations

import io
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import __version__
from ..errors import ParameterError
from ..report.loudness import note
from .options import Form
from .showing import asked

if TYPE_CHECKING:
    from rich.console import Console

    from ..report.figures.style import Figure
    from ..report.pages import Page, Section
    from ..report.provenance import Provenance
    from ..report.tables import Table
    from ..scores.score_table import ScoreTable

__all__ = [
    "chosen_form",
    "collected_warnings",
    "lines_about",
    "provenance_here",
    "record_about",
    "write_page",
    "write_result",
]

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
    if output is not None and not output.parent.is_dir():
        raise ParameterError(f"--output {output}: there is no folder {output.parent}")
    if output is not None and output.is_dir():
        raise ParameterError(f"--output {output}: this is a folder; name a file")
    if form is not None:
        return form
    ending = output.suffix.lower() if output else ""
    if ending not in ENDINGS:
        known = ", ".join(filter(None, ENDINGS))
        raise ParameterError(f"--output {output}: give --format, or one of the endings {known}")
    return ENDINGS[ending]


def lines_about(table: ScoreTable) -> list[str]:
    """The inputs in a few lines, where judgments and runs were read."""
    from ..report.diagnosis import summary_lines

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
    said += [str(one.message) for one in caught]


def write_result(
    tables: Sequence[Table],
    *,
    form: Form,
    output: Path | None,
    above: Sequence[str] = (),
    found: Sequence[str] = (),
    warnings: Sequence[str] = (),
    about: Mapping[str, Any] | None = None,
    figures: Callable[[], Sequence[Figure]] | None = None,
    topics: Sequence[str] = (),
    signatures: Sequence[str] = (),
    details: Callable[[], Sequence[Section]] | None = None,
) -> None:
    """Show tables with the diagnosis above them, or write them to a file.

    The diagnosis goes to standard error wherever standard output holds data or nothing. ``above``
    is about the inputs, ``found`` about the result; ``figures`` draws them if a figure or a report
    is asked for, the first for ``--figure``; ``topics``, ``signatures`` and ``details``, sections
    that nothing else has, are a report's.
    """
    for one in (about or {}).get("inputs", ()):
        note(f"read {one['name']} ({one['fingerprint']})")
    said = () if asked().quiet else (*above, *found)
    warned = () if asked().quiet else warnings
    _write_tables(tables, form, output, said, warned, about or {})
    section = _Section(tables, found, figures or tuple, topics, details or tuple)
    _show_more(section, above, warnings, about or {}, signatures)


def _write_tables(
    tables: Sequence[Table],
    form: Form,
    output: Path | None,
    above: Sequence[str],
    warnings: Sequence[str],
    about: Mapping[str, Any],
) -> None:
    from ..report.tables import render
    from ..report.terminal import console_for
    from ..whole_files import whole_file

    if output is None and form is Form.table:
        _show(console_for(), tables, above, warnings)
        return
    _show(console_for(error=True), (), above, warnings)
    if form is Form.table:
        text = _as_text(tables, above, warnings)
    else:
        text = render(tables, form.value, about)
    if output is None:
        print(text, end="")
        return
    with whole_file(output) as file:
        file.write(text.encode(errors="backslashreplace"))


@dataclass(frozen=True)
class _Section:
    """What a report has one section of, its figures not drawn yet."""

    tables: Sequence[Table]
    found: Sequence[str]
    figures: Callable[[], Sequence[Figure]]
    topics: Sequence[str]
    details: Callable[[], Sequence[Section]]


def _show_more(
    section: _Section,
    above: Sequence[str],
    warnings: Sequence[str],
    about: Mapping[str, Any],
    signatures: Sequence[str],
) -> None:
    """The figure and the report, where they are asked for."""
    wish = asked()
    if wish.figure is None and wish.figures is None and wish.report is None:
        return
    figures = section.figures()
    if wish.figure is not None or wish.figures is not None:
        _write_figures(figures, wish.figure, wish.figures)
    if wish.report is not None:
        from ..report.pages import Page, Section

        result = Section("Results", section.found, section.tables, figures, section.topics)
        sections = [result, *section.details()]
        tables = [table for one in sections for table in one.tables]
        provenance = provenance_here(about.get("inputs", ()), tables)
        title = f"irbounds {wish.command}"
        write_page(Page(title, provenance, sections, above, warnings, signatures), wish.report)


def _write_figures(figures: Sequence[Figure], file: Path | None, folder: Path | None) -> None:
    from ..report.figures.export import write_figure

    if not figures:
        raise ParameterError("what these options ask for has no figure")
    if file is not None:
        write_figure(figures[0], file)
        _say_written("figure", file, _size(file))
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        for figure in figures:
            for ending in PAPER_ENDINGS:
                write_figure(figure, folder / f"{figure.name}{ending}")
        _say_written("figures", folder, f"{len(figures) * len(PAPER_ENDINGS):,} files")


def provenance_here(inputs: Iterable[Mapping[str, str]], tables: Sequence[Table]) -> Provenance:
    """Where the numbers of the command that is running come from."""
    from ..report.provenance import provenance_of
    from ..results import InputFile

    files = [InputFile(**one) for one in inputs]
    return provenance_of(asked().arguments, asked().options, files, tables)


def write_page(page: Page, path: Path) -> None:
    """A report as a file, whole or not at all."""
    from ..report.html import page_text
    from ..whole_files import whole_file

    text = page_text(page)
    with whole_file(path) as file:
        file.write(text.encode(errors="xmlcharrefreplace"))
    _say_written("report", path, _size(path))


def _say_written(what: str, path: Path, size: str) -> None:
    """One line on standard error: a person should not have to look for what was written."""
    if not asked().quiet:
        print(f"{what}: {path} ({size})", file=sys.stderr, flush=True)


def _size(path: Path) -> str:
    """``340 kB``, or ``2.1 MB``."""
    size = path.stat().st_size
    return f"{size / 1e6:.1f} MB" if size >= MEGABYTE else f"{max(1, round(size / 1e3))} kB"


def _show(
    console: Console, tables: Sequence[Table], above: Sequence[str], warnings: Sequence[str]
) -> None:
    from ..report.terminal import print_lines, print_table, print_warnings

    print_lines(console, above)
    print_warnings(console, warnings)
    for place, table in enumerate(tables):
        if place or above or warnings:
            console.print()
        print_table(console, table)


def _as_text(tables: Sequence[Table], above: Sequence[str], warnings: Sequence[str]) -> str:
    from rich.console import Console

    from ..report.terminal import UNWRAPPED

    text = io.StringIO()
    console = Console(file=text, width=UNWRAPPED, color_system=None, highlight=False)
    _show(console, tables, above, warnings)
    return text.getvalue()
