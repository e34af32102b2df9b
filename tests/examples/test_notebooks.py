"""The notebooks run from top to bottom, and every result is displayed once."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

DIRECTORY = Path(__file__).parents[2] / "examples"


@pytest.mark.slow
# of pyzmq and the event loop, which tests have no hand in
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::RuntimeWarning")
def test_notebook_runs_and_displays_tables_and_figures(tmp_path):
    book = nbformat.read(DIRECTORY / "researcher.ipynb", as_version=4)
    assert not [cell for cell in book.cells if cell.get("outputs") or cell.get("execution_count")]
    NotebookClient(
        book, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    outputs = [output for cell in book.cells for output in cell.get("outputs", [])]
    assert not [output for output in outputs if output.get("name") == "stderr"]
    displayed = [output.data for output in outputs if output.output_type == "execute_result"]
    n_tables = sum("<table" in data.get("text/html", "") for data in displayed)
    n_figures = sum("image/svg+xml" in data for data in displayed)
    assert (n_tables, n_figures) == (4, 2)


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
