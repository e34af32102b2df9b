"""A random sample of documents to assess: the line to deposit and the sheet to fill in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ..presentation.column_roles import HIDDEN, Key
from ..presentation.escaping import FORMULA
from ..presentation.registry import Presentation, present
from .result import InputFile, Result

TITLE = "irbounds draw"


@dataclass(frozen=True)
class DrawnSample(Result):
    """A random sample of documents to assess."""

    #: the line to deposit before the review: with the lists it determines the sample
    line: Key
    #: in the order of the sheet, those of both segments mixed
    doc_ids: Annotated[tuple[str, ...], HIDDEN]
    #: the list of the population and, where it is known, that of the retrieved documents
    inputs: Annotated[tuple[InputFile, ...], HIDDEN] = ()

    def to_sheet(self) -> str:
        """Return the text of the CSV file to fill in, which ``recall(assessed=...)`` reads.

        The lines above the header have no character for which a spreadsheet adds quotes.
        """
        relevance = "relevance: 1 relevant or 0 not relevant or -1 could not be judged"
        rows = "".join(f"{_write_cell(doc_id)},\n" for doc_id in self.doc_ids)
        return f"# {self.line}\n# {relevance}\ndoc_id,relevance\n{rows}"


def _write_cell(text: str) -> str:
    """Return an id as a cell of a CSV file; an apostrophe precedes what would be a formula."""
    safe = f"'{text}" if text.startswith((*FORMULA, "'")) else text
    return '"' + safe.replace('"', '""') + '"' if set(safe) & set(',;"') else safe


def read_cell(text: str) -> str:
    """Return the id in a cell of a drawn sheet."""
    return text[1:] if text.startswith("'") else text


present(
    DrawnSample,
    Presentation(
        "Sample to assess",
        columns=("line",),
        title=lambda samples, view: "line to deposit before the review",
        places=lambda samples: 0,
        bar=lambda sample: None,
    ),
)
