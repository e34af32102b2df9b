"""Random samples of documents that anyone can draw again, and the verification of a draw.

Documents are ordered by the SHA-256 of ``seed:id``, the seed in decimal digits and the id in UTF-8.
A sample of n documents is the first n. So a draw depends on the seed and on the set of ids only:
not on the order of a list, on a random number generator or on a version of irbounds. More documents
with the same seed contain the smaller sample, and the first k documents of a sample are a sample of
k. Ten lines of Python, or a shell, repeat a draw::

    while read -r id; do
      echo "$(printf '%s' "7:$id" | sha256sum | cut -c1-64) $id"
    done < ids.txt | LC_ALL=C sort | head -n 1500

Each segment has its own first documents. A sheet lists those of both segments together, at random,
so that an assessor cannot tell which were retrieved. Within a segment they keep their order. So the
first rows of a sheet are a random sample of each segment, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..errors import DataError, quote, quote_several
from ..parallel.progress import show_progress
from ..presentation.phrases import pluralise
from ..results import InputFile
from ..results.drawn_sample import INPUTS, SEGMENT_WORDS, Draw, DrawnSample, DrawnSegment
from ..results.result import shorten_fingerprint

if TYPE_CHECKING:
    from ..reading.corpus_list import CorpusList
    from ..reading.ids import Identifiers

PIECE = 1 << 16  # documents that are hashed between two reports of progress


@dataclass(frozen=True)
class DrawCheck:
    """The comparison of assessed documents with the draw that their sheet records."""

    notes: tuple[str, ...]
    warnings: tuple[str, ...]
    #: how the assessed documents differ from those of the draw; empty if they do not
    error: str = ""


class DrawOrder:
    """The order in which documents are drawn."""

    def __init__(self, documents: Identifiers, seed: int) -> None:
        self._documents = documents
        self._seed = seed
        #: the first eight bytes of each hash
        self._keys = np.empty(len(documents), dtype=np.uint64)
        with show_progress("ordering documents") as progress:
            for begin in range(0, len(documents), PIECE):
                end = min(begin + PIECE, len(documents))
                hashes = b"".join([full[:8] for full in self._hash(begin, end)])
                self._keys[begin:end] = np.frombuffer(hashes, dtype=">u8")
                progress(end, len(documents))

    def _hash(self, begin: int, end: int) -> Iterator[bytes]:
        """Yield the hashes of documents whose numbers follow each other."""
        bounds = self._documents.offsets[begin : end + 1]
        text = self._documents.text[bounds[0] : bounds[-1]].tobytes()
        start = b"%d:" % self._seed
        for a, b in pairwise((bounds - bounds[0]).tolist()):
            yield sha256(start + text[a:b]).digest()

    def _hash_one(self, number: int) -> bytes:
        return next(self._hash(number, number + 1))

    def first(self, n: int, members: NDArray[np.int64]) -> list[int]:
        """Return the first ``n`` of some documents in the order of the draw."""
        if n < len(members):
            keys = self._keys[members]
            members = members[keys <= np.partition(keys, n)[n]]
        return sorted(members.tolist(), key=self._hash_one)[:n]

    def mix(self, segments: Sequence[Sequence[int]]) -> list[int]:
        """Return the documents of all segments at random, those of a segment in their order.

        The segment of each row is random: the order is that of the hashes read backwards.
        """
        places = {number: place for place, part in enumerate(segments) for number in part}
        mixed = sorted(places, key=lambda number: self._hash_one(number)[::-1])
        rest = [iter(part) for part in segments]
        return [next(rest[places[number]]) for number in mixed]


def draw_sample(
    population: Any, n: int, seed: int, retrieved_ids: Any = None, retrieved_sample: int | None = 0
) -> DrawnSample:
    """Return ``n`` documents of the population, or of the part of it that was not retrieved.

    A retrieved sample of None is all retrieved documents.
    """
    from ..reading.corpus_list import read_corpus

    listed = read_corpus(population, what="the population")
    inputs = [InputFile(listed.name, listed.fingerprint)]
    sizes: dict[bool | None, int] = {None: n}
    numbers = np.empty(0, dtype=np.int32)
    warnings: tuple[str, ...] = ()
    if retrieved_ids is not None:
        retrieved = read_corpus(retrieved_ids, what="the retrieved documents")
        inputs.append(InputFile(retrieved.name, retrieved.fingerprint))
        numbers, warnings = _find_retrieved(listed, retrieved)
        sizes = {False: n, True: len(numbers) if retrieved_sample is None else retrieved_sample}
    parts = {kind: _members(kind, len(listed.documents), numbers) for kind in sizes}
    for kind, members in parts.items():
        if sizes[kind] > len(members):
            option = "retrieved_sample" if kind else "n"
            raise DataError(
                f"{option} is {sizes[kind]:,}, but there are only "
                f"{pluralise(len(members), f'{SEGMENT_WORDS[kind]}document')} to draw from"
            )
    order = DrawOrder(listed.documents, seed)
    drawn = order.mix([order.first(sizes[kind], part) for kind, part in parts.items()])
    return DrawnSample(
        seed,
        tuple(DrawnSegment(kind, len(part), sizes[kind]) for kind, part in parts.items()),
        tuple(inputs),
        tuple(listed.documents[number] for number in drawn),
        warnings,
    )


def _find_retrieved(
    listed: CorpusList, retrieved: CorpusList
) -> tuple[NDArray[np.int32], tuple[str, ...]]:
    """Return the numbers of the retrieved documents in the population, and warnings."""
    numbers = retrieved.documents.numbers_in(listed.documents)
    n_unlisted, n_retrieved = int(np.count_nonzero(numbers < 0)), len(numbers)
    if n_unlisted == n_retrieved:
        raise DataError(
            f"{listed.name} lists none of the retrieved documents: "
            f"{quote(retrieved.documents[0])} is not there, {quote(listed.documents[0])} is"
        )
    lacks = f"{listed.name} lacks {n_unlisted:,} of {n_retrieved:,} retrieved documents, left out"
    return numbers[numbers >= 0], (lacks,) if n_unlisted else ()


def _members(
    kind: bool | None, n_documents: int, retrieved: NDArray[np.int32]
) -> NDArray[np.int64]:
    """Return the numbers of the documents of a segment."""
    if kind is None:
        return np.arange(n_documents)
    is_retrieved = np.zeros(n_documents, dtype=np.bool_)
    is_retrieved[retrieved] = True
    return np.flatnonzero(is_retrieved == kind)


def verify_draw(
    name: str,
    draw: Draw,
    assessed: Identifiers,
    listed: CorpusList,
    retrieved: NDArray[np.int32],
    inputs: Sequence[InputFile],
) -> DrawCheck:
    """Return whether the assessed documents are those of the draw.

    Parameters
    ----------
    name
        The sheet.
    draw
        What the sheet records.
    assessed
        The documents on it.
    listed
        The documents of the corpus.
    retrieved
        The numbers of those that were retrieved.
    inputs
        The list of the corpus and, where there is one, that of the retrieved documents.
    """
    order = DrawOrder(listed.documents, draw.seed)
    numbers = assessed.numbers_in(listed.documents).astype(np.int64)
    notes: list[str] = []
    warnings: list[str] = []
    differences: list[str] = []
    for segment in draw.segments:
        members = _members(segment.retrieved, len(listed.documents), retrieved)
        own = np.intersect1d(numbers, members).tolist()
        warnings += _compare_population(name, segment, len(members))
        n = min(segment.sampled, len(members))
        first = order.first(max(len(own), n), members)
        if set(own) != set(first[: len(own)]):
            names = [[listed.documents[k] for k in part] for part in _differences(first[:n], own)]
            differences += _describe_differences(name, draw.seed, *names)
        elif n and not own:
            notes.append(f"{name}: none of the {_describe(segment, n)} that were drawn is assessed")
        elif len(own) not in (n, len(members)):
            notes.append(
                f"{name}: {_describe(segment, len(own))} are assessed and {n:,} were drawn: they "
                "are the first of the draw, random too unless the assessments decided their number"
            )
    if not warnings and not differences:
        verified = "the assessed documents are those that irbounds draw selects"
        notes.insert(0, f"{name}: verified: {verified} from {listed.name} with seed {draw.seed}")
        warnings += _compare_lists(name, draw, inputs)
    return DrawCheck(
        (_state(name, draw), *notes), (*differences, *warnings), next(iter(differences), "")
    )


def compare_counts(
    name: str, draw: Draw, is_retrieved: NDArray[np.bool_], sizes: Mapping[bool, int | None]
) -> DrawCheck:
    """Return whether as many documents are assessed as were drawn; there is no list of all.

    ``is_retrieved`` says which assessed documents were retrieved, ``sizes`` are those of the
    segments, where they are known.
    """
    warnings: list[str] = []
    differences: list[str] = []
    for segment in draw.segments:
        kinds = [kind for kind in sizes if segment.retrieved in (None, kind)]
        known = [size for kind in kinds if (size := sizes[kind]) is not None]
        population = sum(known) if len(known) == len(kinds) else None
        if population is not None:
            warnings += _compare_population(name, segment, population)
        n = sum(int(np.count_nonzero(is_retrieved == kind)) for kind in kinds)
        if n not in (segment.sampled, population):
            differences.append(
                f"{name}: {_describe(segment, n)} are assessed, {segment.sampled:,} were drawn: "
                "documents that are left out or added make a sample that is not random"
            )
    unverified = f"{name}: the draw was not verified; this needs the list of all ids (corpus)"
    return DrawCheck(
        (_state(name, draw), unverified), (*differences, *warnings), next(iter(differences), "")
    )


def _compare_lists(name: str, draw: Draw, inputs: Sequence[InputFile]) -> list[str]:
    """Return a warning per list that has not the digest that it had at the draw."""
    warnings = []
    for kind, drawn, file in zip(INPUTS, draw.inputs, inputs, strict=False):
        if file.fingerprint == drawn.fingerprint:
            continue
        now, then = map(shorten_fingerprint, (file.fingerprint, drawn.fingerprint))
        if now == then:
            now, then = file.fingerprint, drawn.fingerprint
        warnings.append(
            f"{name}: the {kind} list had {then} at the draw, but {file.name} has {now}: it was "
            "changed after the draw, or is another file, such as the same ids in another order; "
            "the draw from it is the same"
        )
    return warnings


def _compare_population(name: str, segment: DrawnSegment, n: int) -> list[str]:
    """Return a warning if a segment has not the size that it had at the draw."""
    if n == segment.population:
        return []
    return [
        f"{name}: drawn from {_describe(segment, segment.population)}, but there are {n:,}: the "
        "corpus or the retrieved set is not that of the draw"
    ]


def _state(name: str, draw: Draw) -> str:
    return f"{name}: {draw.describe()}"


def _describe(segment: DrawnSegment, n: int) -> str:
    return pluralise(n, f"{SEGMENT_WORDS[segment.retrieved]}document")


def _differences(first: Sequence[int], own: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the drawn documents that are not assessed, and the assessed ones not drawn."""
    drawn, assessed = set(first), set(own)
    return [k for k in first if k not in assessed], [k for k in own if k not in drawn]


def _describe_differences(
    name: str, seed: int, missing: Sequence[str], added: Sequence[str]
) -> list[str]:
    kinds = (
        (missing, f"drawn by seed {seed} but not assessed"),
        (added, f"assessed but not drawn by seed {seed}"),
    )
    return [
        f"{name}: {pluralise(len(ids), 'document')} {words}, so that the sample is not random: "
        f"{quote_several(ids)}"
        for ids, words in kinds
        if ids
    ]
