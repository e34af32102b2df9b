"""The notebooks run from top to bottom, and show tables and figures."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

DIRECTORY = Path(__file__).parents[2] / "examples"
EXPECTED_OUTPUTS = {  # tables and figures to be seen
    "auditor": (3, 3),
    "methodologist": (2, 4),
    "ml": (1, 1),
    "researcher": (5, 2),
}
MAX_CELLS = 13


def test_four_notebooks_exist():
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


def _is_figure(data) -> bool:
    """Return whether the output is a figure embedded in the notebook, without external scripts."""
    return "image/svg+xml" in data
