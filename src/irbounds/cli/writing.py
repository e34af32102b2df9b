"""Where a command's result goes: the terminal, a pipe or a file."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import __version__
from ..errors import ParameterError
from .options import Form

if TYPE_CHECKING:
    from rich.console import Console

    from ..report.tables import Table
    from ..scores.score_table import ScoreTable

__all__ = ["chosen_form", "collected_warnings", "lines_about", "record_about", "write_result"]

ENDINGS = {
    "": Form.table,
    ".txt": Form.table,
    ".csv": Form.csv,
    ".json": Form.json,
    ".jsonl": Form.jsonl,
    ".md": Form.markdown,
    ".tex": Form.latex,
}


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
    warnings: Sequence[str] = (),
    about: Mapping[str, Any] | None = None,
) -> None:
    """Show tables with the diagnosis above them, or write them to a file.

    The diagnosis goes to standard error wherever standard output holds data or nothing.
    """
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
        text = render(tables, form.value, about or {})
    if output is None:
        print(text, end="")
        return
    with whole_file(output) as file:
        file.write(text.encode(errors="backslashreplace"))


def _show(
    console: Console, tables: Sequence[Table], above: Sequence[str], warnings: Sequence[str]
) -> None:
    from ..report.terminal import print_table, print_warnings

    for line in above:
        console.print(line, markup=False, soft_wrap=True)
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
