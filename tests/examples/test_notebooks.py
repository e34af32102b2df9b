"""The notebooks run from top to bottom, and show tables and figures."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[2] / "examples"
SHOWN = {  # tables and figures to be seen
    "auditor": (3, 3),
    "methodologist": (2, 4),
    "ml": (1, 1),
    "researcher": (5, 2),
}
MOST_CELLS = 13


def test_the_four_notebooks_are_there():
    assert {path.stem for path in FOLDER.glob("*.ipynb")} == set(SHOWN)


@pytest.mark.parametrize("name", SHOWN)
def test_a_notebook_is_clean(name):
    book = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    nbformat.validate(book)
    assert (book.nbformat, book.nbformat_minor) == (4, 5)
    assert len(book.cells) <= MOST_CELLS
    assert len({cell.id for cell in book.cells}) == len(book.cells)
    assert book.cells[0].cell_type == "markdown"
    assert not [cell for cell in book.cells if cell.get("outputs") or cell.get("execution_count")]


@pytest.mark.slow
@pytest.mark.parametrize("name", SHOWN)
# of pyzmq and the event loop, which tests have no hand in
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::RuntimeWarning")
def test_a_notebook_runs_and_shows_what_it_says(name, tmp_path):
    book = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    NotebookClient(
        book, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    outputs = [output for cell in book.cells for output in cell.get("outputs", [])]
    assert not [one for one in outputs if one.get("name") == "stderr"]
    shown = [one.data for one in outputs if one.output_type == "execute_result"]
    n_tables = sum("<table" in data.get("text/html", "") for data in shown)
    n_figures = sum(map(_is_figure, shown))
    assert (n_tables, n_figures) == SHOWN[name]


def _is_figure(data) -> bool:
    """A drawing in the notebook itself: nothing that a script would have to be fetched for."""
    return "image/svg+xml" in data
