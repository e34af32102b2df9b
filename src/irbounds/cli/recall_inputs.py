"""What ``irbounds recall`` is given: counts, a sheet, or documents; one of them, and the whole."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from ..errors import ParameterError
from ..parameters import grouping_hint
from .options import check_standard_input

if TYPE_CHECKING:
    from ..results import Sample

WHOLE = re.compile(r"[+-]?\d+", re.ASCII)


@dataclass(frozen=True)
class Segments:
    """The counts of the two segments, as options gave them."""

    retrieved: tuple[int, ...] | None = None
    unretrieved: tuple[int, ...] | None = None
    assessable: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Documents:
    """Where the documents are, as options gave it."""

    assessed: str | None = None
    retrieved_ids: str | None = None
    run: str | None = None
    query: str | None = None
    cut_rank: int | None = None
    cut_score: float | None = None
    corpus_size: int | None = None
    corpus: str | None = None
    strata: str | None = None


def whole_numbers(option: str, texts: Sequence[str], meanings: str) -> tuple[int, ...]:
    """The numbers of an option; where one was forgotten, the next option stands among them."""
    for text in texts:
        if text.startswith("-") and not WHOLE.fullmatch(text):
            number = {2: "two", 3: "three"}[len(texts)]
            raise ParameterError(
                f"{option} needs {number} numbers: {meanings}; got {text!r} among them"
            )
        if not WHOLE.fullmatch(text):
            raise ParameterError(f"{option}: {text!r} is not a whole number{grouping_hint(text)}")
    return tuple(map(int, texts))


def samples_of(sheet: str | None, segments: Segments, documents: Documents) -> tuple[Sample, ...]:
    """One sample, or those of every retrieved set in a sheet of many."""
    from ..samples import read_samples

    given = [["a SHEET"] if sheet is not None else [], _options(segments), _options(documents)]
    if sum(map(bool, given)) != 1:
        *others, last = [name for names in given for name in names] or ["none of these"]
        got = f"{', '.join(others)} and {last}" if others else last
        raise ParameterError(
            "needs --retrieved and --unretrieved with their counts, or a SHEET, or --assessed with "
            f"the documents; one of these; got {got}"
        )
    if sheet is not None:
        return read_samples(sheet)
    if segments != Segments():
        return (_counted(segments),)
    return (_sampled(documents),)


def _options(given: Segments | Documents) -> list[str]:
    """What was given, as it is written on the command line."""
    values = asdict(given).items()
    return [f"--{name.replace('_', '-')}" for name, value in values if value is not None]


def _counted(segments: Segments) -> Sample:
    from ..samples import Sample, Stratum

    if segments.retrieved is None or segments.unretrieved is None:
        missing = "--retrieved" if segments.retrieved is None else "--unretrieved"
        raise ParameterError(f"needs {missing} too: recall takes a sample of both segments")
    sides = (("retrieved", True), ("unretrieved", False))
    counts = (segments.retrieved, segments.unretrieved)
    judged: tuple[int | None, ...] = segments.assessable or (None, None)
    return Sample(
        tuple(
            Stratum(name, side, population, sampled, relevant, n_judged)
            for (name, side), (population, sampled, relevant), n_judged in zip(
                sides, counts, judged, strict=True
            )
        )
    )


def _sampled(documents: Documents) -> Sample:
    from ..samples import sampled_strata

    _check_documents(documents)
    return sampled_strata(
        documents.assessed,
        retrieved=documents.retrieved_ids,
        run=documents.run,
        query=documents.query,
        cut_rank=documents.cut_rank,
        cut_score=documents.cut_score,
        corpus=documents.corpus,
        corpus_size=documents.corpus_size,
        strata=documents.strata,
    )


def _check_documents(documents: Documents) -> None:
    """Options that need each other, in the words of the command line; before anything is read."""
    if documents.assessed is None:
        raise ParameterError("needs --assessed FILE, the documents that were drawn and assessed")
    if (documents.retrieved_ids is None) == (documents.run is None):
        raise ParameterError("needs --retrieved-ids FILE or --run FILE; one of them")
    if documents.run is None and (documents.cut_rank or documents.cut_score is not None):
        raise ParameterError("--cut-rank and --cut-score are for --run")
    if documents.corpus_size is not None and documents.corpus is not None:
        raise ParameterError(
            f"--corpus takes the place of --corpus-size; got {documents.corpus!r} and "
            f"{documents.corpus_size}"
        )
    if documents.corpus_size is None and documents.corpus is None and documents.strata is None:
        raise ParameterError(
            "needs --corpus-size D, how many documents the corpus holds, or --corpus FILE, the "
            "list of their ids"
        )
    files = (
        documents.assessed,
        documents.retrieved_ids,
        documents.run,
        documents.corpus,
        documents.strata,
    )
    check_standard_input(name for name in files if name is not None)
