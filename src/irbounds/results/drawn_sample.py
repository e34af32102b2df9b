"""A random sample of documents to assess, and the sheet on which it is assessed.

The first lines of the sheet record the draw. They contain no comma, semicolon or quote, so that a
spreadsheet saves them as they are, apart from separators at their ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from ..errors import InputError
from ..presentation.column_roles import HIDDEN, Warnings
from ..presentation.escaping import make_printable
from ..presentation.phrases import join_names, pluralise
from ..presentation.registry import Presentation, View, present
from ..presentation.table import Table
from .result import InputFile, Result, shorten_fingerprint

TITLE = "irbounds draw"
SEGMENT_WORDS = {None: "", True: "retrieved ", False: "unretrieved "}
INPUTS = ("population", "retrieved")
#: what a spreadsheet adds at the ends of a line
PADDING = " \t,;"
FACT = re.compile(r"#\s*([a-z0-9 ]+):\s*(.*)")
DRAWN = re.compile(r"([0-9]{1,18}) of ([0-9]{1,18}) (retrieved |unretrieved )?documents")
LISTED = re.compile(r"[0-9]+ documents in (.+)")
MAX_SHOWN = 5  # documents that are printed


@dataclass(frozen=True)
class DrawnSegment:
    """A part of the population, and the number of documents that were drawn from it."""

    #: None where the whole population is one part
    retrieved: bool | None
    population: int
    sampled: int

    def __str__(self) -> str:
        words = SEGMENT_WORDS[self.retrieved]
        return f"{self.sampled:,} of {self.population:,} {words}documents"


@dataclass(frozen=True)
class Draw:
    """The facts from which a sample can be drawn again."""

    seed: int
    segments: Annotated[tuple[DrawnSegment, ...], HIDDEN]
    #: the list of the population and, where it is known, that of the retrieved documents
    inputs: Annotated[tuple[InputFile, ...], HIDDEN]

    @property
    def counts(self) -> str:
        """How many documents were drawn from how many, in words."""
        return join_names(str(part) for part in self.segments if part.sampled)

    def describe(self) -> str:
        """Return the draw in one line: counts, seed and fingerprints."""
        files = ", ".join(
            f"{file.name} ({shorten_fingerprint(file.fingerprint)})" for file in self.inputs
        )
        return make_printable(f"{self.counts} drawn with seed {self.seed}: {files}")


@dataclass(frozen=True)
class DrawnSample(Draw, Result):
    """A random sample of documents to assess."""

    #: in the order of the draw, those of both segments mixed
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
        rows = (f"{_quote_cell(doc_id)},\n" for doc_id in self.doc_ids)
        facts = (f"# {line}\n" for line in self._facts())
        return "".join((*facts, "doc_id,relevance\n", *rows))

    def _facts(self) -> Iterable[str]:
        from .. import __version__

        yield f"{TITLE} {__version__}: a random sample to assess"
        yield f"seed: {self.seed}"
        yield f"order: SHA-256 of {self.seed}:doc_id"
        for name, file, n in zip(INPUTS, self.inputs, self._listed, strict=False):
            yield f"{name}: {n} documents in {_plain(file.name)}"
            yield f"{name} sha256: {file.fingerprint.removeprefix('sha256:')}"
        for part in self.segments:
            yield f"drawn: {part}".replace(",", "")
        yield "relevance: 1 relevant or 0 not relevant or -1 could not be judged"
        yield f"then: {self.next_command}"

    @property
    def _listed(self) -> tuple[int, int]:
        """The number of documents in the population, and of those retrieved."""
        n = sum(part.population for part in self.segments)
        return n, sum(part.population for part in self.segments if part.retrieved)

    @property
    def next_command(self) -> str:
        """The command that estimates recall from the sheet that was filled in."""
        names = dict(zip(INPUTS, (file.name for file in self.inputs), strict=False))
        corpus, retrieved = (_argument(names.get(key, ""), key.upper()) for key in INPUTS)
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
    """Return the draw that the first lines of a sheet record; None if they record none."""
    lines: list[str] = []
    for line in text.splitlines():
        line = line.strip(PADDING)
        if line and not line.startswith("#"):
            break
        lines.append(line)
    if not any(TITLE in line for line in lines):
        return None
    facts = [(match[1], match[2]) for line in lines if (match := FACT.fullmatch(line))]
    values = dict(facts)
    segments = [_segment(value) for key, value in facts if key == "drawn"]
    files = [_input(values, key) for key in INPUTS if key in values]
    seed = values.get("seed", "")
    is_complete = bool(segments and files) and re.fullmatch(r"[0-9]{1,19}", seed)
    if not is_complete or None in segments or None in files:
        raise InputError(
            f"{name}: the lines above the table, which {TITLE} wrote, are incomplete or changed; "
            "restore them, or delete them all and give up the verification of the draw"
        )
    return Draw(int(seed), tuple(filter(None, segments)), tuple(filter(None, files)))


def _segment(text: str) -> DrawnSegment | None:
    if not (match := DRAWN.fullmatch(text)):
        return None
    kinds = {words: kind for kind, words in SEGMENT_WORDS.items()}
    return DrawnSegment(kinds[match[3] or ""], int(match[2]), int(match[1]))


def _input(facts: dict[str, str], key: str) -> InputFile | None:
    name, digest = LISTED.fullmatch(facts[key]), facts.get(f"{key} sha256", "")
    if name is None or not re.fullmatch("[0-9a-f]{64}", digest):
        return None
    return InputFile(name[1], f"sha256:{digest}")


def _quote_cell(text: str) -> str:
    """Return an id as a cell of a CSV file; one that begins like a comment is quoted too."""
    is_plain = not text.startswith("#") and not set(text) & set(',"')
    return text if is_plain else '"' + text.replace('"', '""') + '"'


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
        sentences=lambda samples, view: [f"{sample.describe()}." for sample in samples],
        conclusion=_conclude,
    ),
)
