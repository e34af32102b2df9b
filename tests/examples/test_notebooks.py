"""The notebooks run from top to bottom, and every result is displayed once."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

DIRECTORY = Path(__file__).parents[2] / "examples"
EXPECTED_OUTPUTS = {  # tables and figures to be seen
    "auditor": (3, 3),
    "ml": (1, 1),
    "researcher": (5, 2),
}
MAX_CELLS = 13


def test_notebooks_exist():
    assert {path.stem for path in DIRECTORY.glob("*.ipynb")} == set(EXPECTED_OUTPUTS)


@pytest.mark.parametrize("name", EXPECTED_OUTPUTS)
def test_notebook_has_no_outputs_or_long_cells(name):
    book = nbformat.read(DIRECTORY / f"{name}.ipynb", as_version=4)
    nbformat.validate(book)
    assert (book.nbformat, book.nbformat_minor) == (4, 5)
    assert len(book.cells) <= MAX_CELLS
    assert len({cell.id for cell in book.cells}) == len(book.cells)
    assert book.cells[0].cell_type == "markdown"
    assert not [cell for cell in book.cells if cell.get("outputs") or cell.get("execution_count")]


@pytest.mark.slow
@pytest.mark.parametrize("name", EXPECTED_OUTPUTS)
# of pyzmq and the event loop, which tests have no hand in
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::RuntimeWarning")
def test_notebook_runs_and_displays_expected_outputs(name, tmp_path):
    book = nbformat.read(DIRECTORY / f"{name}.ipynb", as_version=4)
    NotebookClient(
        book, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    outputs = [output for cell in book.cells for output in cell.get("outputs", [])]
    assert not [cell_output for cell_output in outputs if cell_output.get("name") == "stderr"]
    displayed = [
        cell_output.data for cell_output in outputs if cell_output.output_type == "execute_result"
    ]
    n_tables = sum("<table" in data.get("text/html", "") for data in displayed)
    n_figures = sum(map(_is_figure, displayed))
    assert (n_tables, n_figures) == EXPECTED_OUTPUTS[name]


VEGA_LITE = "application/vnd.vegalite.v5+json"
CELLS = {  # the outputs of each cell: their types, and the types of displayed content
    "import irbounds; result = irbounds.mean_interval([0.1, 0.5, 0.4, 0.0])": [],
    "from irbounds.presentation.terminal import make_console": [],
    "result": [("execute_result", ["text/html", "text/plain"])],
    "print(result)": [("stream", ["stdout"])],
    "result.plot()": [("execute_result", [VEGA_LITE, "image/svg+xml", "text/plain"])],
    "text = str(result), repr(result)": [],
    "print(text[0] == text[1], len(text[0].splitlines()) > 2)": [("stream", ["stdout"])],
    "make_console().print('x')": [("stream", ["stdout"])],
}


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::RuntimeWarning")
def test_cells_display_each_result_once(tmp_path):
    book = nbformat.v4.new_notebook(cells=[*map(nbformat.v4.new_code_cell, CELLS)])
    NotebookClient(
        book, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    assert {cell.source: [*map(_describe, cell.outputs)] for cell in book.cells} == CELLS
    plain, printed = book.cells[2].outputs[0].data["text/plain"], book.cells[3].outputs[0].text
    assert plain == printed.rstrip("\n")
    assert "system" in plain
    assert book.cells[6].outputs[0].text == "True True\n"


def _describe(output) -> tuple[str, list[str]]:
    kinds = sorted(output.data) if "data" in output else [output.name]
    return output.output_type, kinds


def _is_figure(data) -> bool:
    """Return whether the output is a figure embedded in the notebook, without external scripts."""
    return "image/svg+xml" in data
