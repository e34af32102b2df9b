"""What random rankings of a test collection are made of: three populations to choose from.

``"corpus"`` puts all documents of the corpus in a random order. ``"judged"`` takes the judged ones
of each query alone, which is right where everything was judged, or where only judged documents were
ranked. ``"retrieved"`` takes a run's own documents: what is left of its score if its order is lost.

With a run, chance is cut where the run's list of the query ends, so that like is compared with
like; a query that the run lacks has no ranks at all, and chance scores 0 there, as the run does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..measurement.judged_runs import Ints, JudgedRun, Pool, judge_run
from ..measurement.populations import Population
from ..parameters import PopulationName
from ..reading.corpus_list import UNLISTED, CorpusList, find_corpus_size, number_documents
from ..reading.records import Qrels, Run
from ..results import InputFile
from ..scores.diagnosis import odd_judgments
from ..scores.score_table import ScoreTable

Floats = NDArray[np.float64]
NAMED = 5  # systems named one by one


@dataclass(frozen=True, eq=False)
class Collection:
    """The queries of a collection, what is ranked at random for each, and what systems score."""

    kind: PopulationName
    query_ids: tuple[str, ...]
    #: None alone: chance by itself
    systems: tuple[str | None, ...]
    #: one a system; systems whose lists are equally long share one
    populations: tuple[Population, ...]
    #: measure x system x query; None without systems
    observed: Floats | None
    inputs: tuple[InputFile, ...]
    warnings: tuple[str, ...]


def collection_of(
    qrels: Qrels,
    runs: Sequence[Run],
    table: ScoreTable | None,
    kind: PopulationName,
    corpus: int | CorpusList | None,
) -> Collection:
    """Judgments alone, or with runs and their scores; ``corpus`` is its size or list."""
    pool = Pool(qrels, None if table is None else table.queries)
    size, n_unlisted = _size_of(corpus, qrels, runs)
    judged = [judge_run(run, pool) for run in runs]
    names = tuple(run.name for run in runs)
    cautions = list(odd_judgments(qrels, pool) if table is None else table.warnings)
    if n_unlisted:
        cautions.append(f"{UNLISTED}: {n_unlisted:,}")
    if kind == "judged":
        cautions += _unjudged(names, judged)
    inputs = [InputFile(one.name, one.fingerprint) for one in (qrels, *runs)]
    if isinstance(corpus, CorpusList):
        inputs.append(InputFile(corpus.name, corpus.fingerprint))
    return Collection(
        kind=kind,
        query_ids=pool.query_ids,
        systems=names or (None,),
        populations=_shared([population_in(kind, pool, run, size) for run in judged or (None,)]),
        observed=None if table is None else table.values,
        inputs=tuple(inputs),
        warnings=tuple(cautions),
    )


def population_in(
    kind: PopulationName, pool: Pool, run: JudgedRun | None, corpus_size: int | None
) -> Population:
    """One number a query: documents that are ranked, ranks that count, documents of each grade."""
    grades = [int(grade) for grade in np.unique(pool.relevance[pool.relevance > 0])] or [1]
    judged = _counts(pool, pool.query, pool.relevance, grades)
    ranked = judged
    if kind == "corpus":
        documents = np.full(len(pool), corpus_size)
    elif kind == "judged":
        documents = np.diff(pool.bounds)
    else:
        assert run is not None  # nothing is retrieved without one
        documents = run.n_retrieved
        ranked = _counts(pool, run.query, run.grades, grades)
    depth = documents if run is None else np.minimum(documents, run.n_retrieved)
    return Population(
        # no document at all is one that no rank is there for: formulas divide by this
        n_documents=np.maximum(documents, 1).astype(np.float64),
        depth=depth.astype(np.float64),
        grades=tuple(grades),
        counts=ranked,
        judged=judged,
        max_grade=pool.max_grade,
    )


def _counts(
    pool: Pool, query: Ints, relevance: NDArray[np.integer], grades: Sequence[int]
) -> tuple[Floats, ...]:
    """How many documents of each grade there are, by query."""
    return tuple(pool.per_query(query[relevance == grade]) for grade in grades)


def _size_of(
    corpus: int | CorpusList | None, qrels: Qrels, runs: Sequence[Run]
) -> tuple[int | None, int]:
    """The size of the corpus, and how many documents its list lacks."""
    if corpus is None:
        return None, 0
    if isinstance(corpus, int):
        documents, _ = number_documents(None, qrels, runs)
        return find_corpus_size(corpus, len(documents), qrels), 0
    documents, _ = number_documents(corpus.documents, qrels, runs)
    size = find_corpus_size(corpus.documents, len(documents), qrels)
    return size, size - len(corpus.documents)


def _shared(populations: Sequence[Population]) -> tuple[Population, ...]:
    """The same, with one object for all that are equal: what is drawn for it is drawn once."""
    first: dict[bytes, Population] = {}
    return tuple(first.setdefault(_content(one), one) for one in populations)


def _content(population: Population) -> bytes:
    parts = (population.n_documents, population.depth, *population.counts)
    return b"".join(np.asarray(part).tobytes() for part in parts)


def _unjudged(names: Sequence[str], judged: Sequence[JudgedRun]) -> Iterator[str]:
    """Documents that a run ranks and chance does not."""
    counts = [int(run.n_retrieved.sum()) - len(run.query) for run in judged]
    named = [f"{name} ({n:,})" for name, n in zip(names, counts, strict=True) if n]
    if named:
        yield (
            "retrieved documents without a judgment, which are not relevant to a score and not "
            f"there for chance: {listed(named)}"
        )


def listed(names: Sequence[str]) -> str:
    """The first few names, and how many more there are."""
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more
