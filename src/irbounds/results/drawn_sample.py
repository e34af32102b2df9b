"""A random sample of documents to assess, and the sheet on which it is assessed.

The first lines of the sheet record the draw. They contain no comma, semicolon or quote, so that a
spreadsheet saves them as they are, apart from separators at their ends.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from ..errors import InputError
from ..presentation.column_roles import HIDDEN, Warnings
from ..presentation.escaping import make_printable
from ..presentation.phrases import pluralise
from ..presentation.registry import Presentation, View, present
from ..presentation.table import Table
from .result import InputFile, Result

TITLE = "irbounds draw"
SEGMENTS = {None: "corpus", True: "retrieved", False: "unretrieved"}
KINDS = {name: kind for kind, name in SEGMENTS.items()}
COUNTS = re.compile(rf" ({'|'.join(KINDS)})=([0-9]{{1,18}})/([0-9]{{1,18}})")
LINE = re.compile(rf"{TITLE} seed=([0-9]{{1,19}})((?:{COUNTS.pattern})+) lists=([0-9a-f]{{64}})\b")
#: the first characters of what a spreadsheet takes for a formula, and the one that prevents it
FORMULA = ("=", "+", "-", "@", "\t", "\r", "'")
MAX_SHOWN = 5  # documents that are printed


@dataclass(frozen=True)
class DrawnSegment:
    """A part of the population, and the number of documents that were drawn from it."""

    #: None where the whole population is one part
    retrieved: bool | None
    population: int
    sampled: int

    @property
    def name(self) -> str:
        """The word for the segment."""
        return SEGMENTS[self.retrieved]


@dataclass(frozen=True)
class Draw:
    """The facts from which a sample can be drawn again."""

    seed: int
    segments: Annotated[tuple[DrawnSegment, ...], HIDDEN]
    #: the SHA-256 of the sorted ids of both lists
    lists: str

    @property
    def line(self) -> str:
        """The line to deposit before the review: with the lists it determines the sample."""
        counts = (f"{part.name}={part.sampled}/{part.population}" for part in self.segments)
        return f"{TITLE} seed={self.seed} {' '.join(counts)} lists={self.lists}"


@dataclass(frozen=True)
class DrawnSample(Draw, Result):
    """A random sample of documents to assess."""

    #: the list of the population and, where it is known, that of the retrieved documents
    inputs: Annotated[tuple[InputFile, ...], HIDDEN]
    #: in the order of the sheet, those of both segments mixed
    doc_ids: Annotated[tuple[str, ...], HIDDEN]
    warnings: Warnings = ()

    def __len__(self) -> int:
        return len(self.doc_ids)

    def _records(self) -> list[dict[str, Any]]:
        """Return one record per document, with the relevance to fill in."""
        return [{"doc_id": doc_id, "relevance": None} for doc_id in self.doc_ids]

    def to_sheet(self) -> str:
        """Return the text of the CSV file to fill in: facts of the draw, and one row per document.

        ``irbounds.recall(assessed=...)`` reads it.
        """
        from .. import __version__

        facts = (
            self.line,
            f"order of {TITLE} {__version__}: SHA-256 of seed:lists:doc_id",
            "relevance: 1 relevant or 0 not relevant or -1 could not be judged",
            f"then: {self.next_command}",
        )
        rows = (f"{_write_cell(doc_id)},\n" for doc_id in self.doc_ids)
        return "".join((*(f"# {fact}\n" for fact in facts), "doc_id,relevance\n", *rows))

    @property
    def next_command(self) -> str:
        """The command that estimates recall from the sheet that was filled in."""
        names = [*(file.name for file in self.inputs), ""]
        corpus, retrieved = map(_argument, names, ("POPULATION", "RETRIEVED"))
        # retrieved documents that were not drawn are those of a review, which has read them all
        read = "".join(
            f"--retrieved {part.population} all RELEVANT "
            for part in self.segments
            if part.retrieved and not part.sampled
        )
        return (
            f"irbounds recall {read}--assessed SHEET --retrieved-ids {retrieved} --corpus {corpus}"
        )


def parse_draw(name: str, text: str) -> Draw | None:
    """Return the draw that the lines above a sheet record; None if they record none."""
    if TITLE not in text:
        return None
    lines = LINE.findall(text)
    if len(lines) != 1:
        raise InputError(
            f"{name}: the lines above the table, which {TITLE} wrote, are incomplete or changed; "
            "restore them, or delete them all and give up the verification of the draw"
        )
    seed, counts, *_, lists = lines[0]
    segments = [
        DrawnSegment(KINDS[kind], int(population), int(sampled))
        for kind, sampled, population in COUNTS.findall(counts)
    ]
    return Draw(int(seed), tuple(segments), lists)


def _write_cell(text: str) -> str:
    """Return an id as a cell of a CSV file; an apostrophe precedes what would be a formula."""
    safe = f"'{text}" if text.startswith(FORMULA) else text
    return '"' + safe.replace('"', '""') + '"' if set(safe) & set(',;"') else safe


def read_cell(text: str) -> str:
    """Return the id in a cell of a sheet."""
    return text[1:] if text.startswith("'") else text


def _argument(name: str, placeholder: str) -> str:
    """Return a file's name; the placeholder for a Python object, or a name that needs quotes."""
    return placeholder if not name or " " in name else _plain(name)


def _plain(name: str) -> str:
    """Return the name of a file without characters for which a spreadsheet adds quotes."""
    return re.sub('[,;"]', "_", make_printable(name))


def _make_tables(samples: Sequence[DrawnSample], view: View) -> list[Table]:
    return [_make_table(sample, view) for sample in samples]


def _make_table(sample: DrawnSample, view: View) -> Table:
    n = len(sample)
    is_cut = n > MAX_SHOWN and not view.verbose
    return Table(
        title="documents to assess, in random order",
        headings=("doc_id", "relevance"),
        cells=tuple((doc_id, "") for doc_id in sample.doc_ids),
        records=tuple(sample._records()),
        first_number=1,
        shown_rows=tuple(range(MAX_SHOWN)) if is_cut else (),
        shown_note=f"the first {MAX_SHOWN} of {n:,}; to_sheet() has all" if is_cut else "",
    )


def _conclude(samples: Sequence[DrawnSample], view: View) -> list[str]:
    return [
        f"Assess {pluralise(len(sample), 'document')}, then `{sample.next_command}` estimates "
        "recall and verifies the draw."
        for sample in samples
    ]


present(
    DrawnSample,
    Presentation(
        "Sample to assess",
        tables=_make_tables,
        sentences=lambda samples, view: [
            f"To deposit before the review: {sample.line}" for sample in samples
        ],
        conclusion=_conclude,
    ),
)
