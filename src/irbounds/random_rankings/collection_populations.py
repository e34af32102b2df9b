"""The documents that random rankings of a test collection consist of, by population.

``"corpus"`` ranks all documents of the corpus at random. ``"judged"`` ranks only the judged
documents of each query, which is right where every document was judged, or where only judged
documents were ranked. ``"retrieved"`` ranks a run's own documents: its chance level is the expected
score of the run after its order is randomised.

With a run, random rankings are as deep as the run's list of the query, so that both are scored on
the same number of ranks. A query that the run lacks has no ranks, and the chance level there is 0,
as is the run's score.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..measurement.judged_runs import Ints, JudgedRun, Pool, judge_run
from ..measurement.populations import Population
from ..reading.corpus_list import UNLISTED, CorpusList, find_corpus_size, number_documents
from ..reading.records import Qrels, Run
from ..results import InputFile
from ..scores.diagnosis import warn_of_judgments
from ..scores.score_table import ScoreTable
from ..validation import PopulationName

Floats = NDArray[np.float64]
MAX_NAMED = 5  # systems named in a message


@dataclass(frozen=True, eq=False)
class Collection:
    """The queries of a collection, the documents ranked at random, and the systems' scores."""

    population_name: PopulationName
    query_ids: tuple[str, ...]
    #: a single None for chance levels without systems
    systems: tuple[str | None, ...]
    #: one per system; systems with equally long lists share one
    populations: tuple[Population, ...]
    #: measure x system x query; None without systems
    observed: Floats | None
    inputs: tuple[InputFile, ...]
    warnings: tuple[str, ...]


def build_collection(
    qrels: Qrels,
    runs: Sequence[Run],
    table: ScoreTable | None,
    population_name: PopulationName,
    corpus: int | CorpusList | None,
) -> Collection:
    """Return the collection of judgments, or of judgments, runs and their scores.

    ``corpus`` is the size of the corpus or its list of documents.
    """
    pool = Pool(qrels, None if table is None else table.queries)
    size, n_unlisted = _corpus_size(corpus, qrels, runs)
    judged = [judge_run(run, pool) for run in runs]
    names = tuple(run.name for run in runs)
    warnings = list(warn_of_judgments(qrels, pool) if table is None else table.warnings)
    if n_unlisted:
        warnings.append(f"{UNLISTED}: {n_unlisted:,}")
    if population_name == "judged":
        warnings += _warn_of_unjudged(names, judged)
    inputs = [InputFile(file.name, file.fingerprint) for file in (qrels, *runs)]
    if isinstance(corpus, CorpusList):
        inputs.append(InputFile(corpus.name, corpus.fingerprint))
    populations = [build_population(population_name, pool, run, size) for run in judged or (None,)]
    return Collection(
        population_name=population_name,
        query_ids=pool.query_ids,
        systems=names or (None,),
        populations=_share_equal(populations),
        observed=None if table is None else table.values,
        inputs=tuple(inputs),
        warnings=tuple(warnings),
    )


def build_population(
    name: PopulationName, pool: Pool, run: JudgedRun | None, corpus_size: int | None
) -> Population:
    """Return the number of ranked documents, of ranks and of documents per grade, per query."""
    grades = [int(grade) for grade in np.unique(pool.relevance[pool.relevance > 0])] or [1]
    judged = _count_grades(pool, pool.query, pool.relevance, grades)
    ranked = judged
    if name == "corpus":
        documents = np.full(len(pool), corpus_size)
    elif name == "judged":
        documents = np.diff(pool.bounds)
    else:
        assert run is not None  # only runs retrieve documents
        documents = run.n_retrieved
        ranked = _count_grades(pool, run.query, run.grades, grades)
    depth = documents if run is None else np.minimum(documents, run.n_retrieved)
    return Population(
        # formulas divide by this number: no documents are one document without a rank
        n_documents=np.maximum(documents, 1).astype(np.float64),
        depth=depth.astype(np.float64),
        grades=tuple(grades),
        counts=ranked,
        judged=judged,
        max_grade=pool.max_grade,
    )


def _count_grades(
    pool: Pool, query: Ints, relevance: NDArray[np.integer], grades: Sequence[int]
) -> tuple[Floats, ...]:
    """Return the number of documents of each grade, by query."""
    return tuple(pool.per_query(query[relevance == grade]) for grade in grades)


def _corpus_size(
    corpus: int | CorpusList | None, qrels: Qrels, runs: Sequence[Run]
) -> tuple[int | None, int]:
    """Return the size of the corpus, and the number of documents missing from its list."""
    if corpus is None:
        return None, 0
    if isinstance(corpus, int):
        documents, _ = number_documents(None, qrels, runs)
        return find_corpus_size(corpus, len(documents), qrels), 0
    documents, _ = number_documents(corpus.documents, qrels, runs)
    size = find_corpus_size(corpus.documents, len(documents), qrels)
    return size, size - len(corpus.documents)


def _share_equal(populations: Sequence[Population]) -> tuple[Population, ...]:
    """Return one object for all equal populations, so that rankings are drawn once for them."""
    first: dict[bytes, Population] = {}
    return tuple(first.setdefault(_content(population), population) for population in populations)


def _content(population: Population) -> bytes:
    parts = (population.n_documents, population.depth, *population.counts)
    return b"".join(np.asarray(part).tobytes() for part in parts)


def _warn_of_unjudged(names: Sequence[str], judged: Sequence[JudgedRun]) -> Iterator[str]:
    """Yield a warning about retrieved documents that random rankings do not contain."""
    counts = [int(run.n_retrieved.sum()) - len(run.query) for run in judged]
    systems = [f"{name} ({n:,})" for name, n in zip(names, counts, strict=True) if n]
    if systems:
        yield (
            "retrieved documents without a judgment, which count as not relevant and are not in "
            f"the random rankings: {join_names(systems)}"
        )


def join_names(names: Sequence[str]) -> str:
    """Return the first few names, and the number of the others."""
    more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
    return ", ".join(names[:MAX_NAMED]) + more
