"""What ``irbounds recall`` is given: counts, a sheet, or documents; one of them, and the whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import ParameterError
from .options import check_standard_input

if TYPE_CHECKING:
    from ..results import Sample

__all__ = ["Documents", "Segments", "samples_of"]


@dataclass(frozen=True)
class Segments:
    """The counts of the two segments, as options gave them."""

    retrieved: tuple[int, int, int] | None = None
    unretrieved: tuple[int, int, int] | None = None
    assessable: tuple[int, int] | None = None


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


def samples_of(sheet: str | None, segments: Segments, documents: Documents) -> tuple[Sample, ...]:
    """One sample, or those of every retrieved set in a sheet of many."""
    from .. import read_samples

    given = [sheet is not None, segments != Segments(), documents != Documents()]
    if sum(given) != 1:
        raise ParameterError(
            "needs --retrieved and --unretrieved with their counts, or a SHEET, or --assessed with "
            f"the documents; got {'several of these' if sum(given) else 'none of these'}"
        )
    if sheet is not None:
        return read_samples(sheet)
    if segments != Segments():
        return (_counted(segments),)
    return (_sampled(documents),)


def _counted(segments: Segments) -> Sample:
    from .. import Sample, Stratum

    if segments.retrieved is None or segments.unretrieved is None:
        missing = "--retrieved" if segments.retrieved is None else "--unretrieved"
        raise ParameterError(f"needs {missing} too: recall takes a sample of both segments")
    n_judged: tuple[int | None, int | None] = segments.assessable or (None, None)
    return Sample(
        (
            Stratum("retrieved", True, *segments.retrieved, n_judged[0]),
            Stratum("unretrieved", False, *segments.unretrieved, n_judged[1]),
        )
    )


def _sampled(documents: Documents) -> Sample:
    from .. import sampled_strata

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
