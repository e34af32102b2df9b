"""``simulate_collection``: judgments and runs with known true values.

The model (``model``) defines the scores of documents. Here its rankings are pooled and judged as at
TREC, and converted to ``Qrels`` and ``Run``. The first documents of every run are judged. A
relevant document that no run has among them is unjudged in ``qrels``, and is in ``complete``.

Every query, every team and every ranking has its own stream of random numbers. So a further system
or query does not change a bit of any other ranking. The pooled judgments may grow with a further
system, as in reality.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import ParameterError, quote
from ..reading.columns import fingerprint_of
from ..reading.ids import Identifiers, IdentifierTable
from ..reading.records import Qrels, Run
from ..resampling.seeds import SeedLike, seed_sequence
from ..validation import as_float, as_integer, check_count
from .model import MAX_GRADE, N_TEAMS, Query, draw_query, draw_strengths, rank_query

#: the depth of TREC's pools; shallow runs are pooled to half their depth, so that they have
#: unjudged documents, too
POOL_DEPTH = 100
#: far beyond a perfect system, and scores are still finite
MAX_STRENGTH = 100


@dataclass(frozen=True)
class SimulationPlan:
    """The parameters of a simulation."""

    n_systems: int
    n_queries: int
    corpus_size: int
    depth: int
    pool_depth: int
    max_grade: int
    tie_rate: float
    unjudged_rate: float


@dataclass(frozen=True, eq=False)
class SimulatedCollection:
    """A simulated collection, with its true values.

    Systems and queries are numbered in the order of ``runs`` and of their ``query_ids``.
    """

    #: the judgments of pooled documents, 0 for a non-relevant one
    qrels: Qrels
    #: all relevant documents; any other document of the corpus is not relevant
    complete: Qrels
    runs: tuple[Run, ...]
    #: the order of the strengths is exactly the order of the expected scores, ties included
    strengths: NDArray[np.float64]
    #: how much higher than on average each query's relevant documents are ranked
    easiness: NDArray[np.float64]
    #: queries by systems: how much better a system is on a query than by its strength
    interactions: NDArray[np.float64]
    plan: SimulationPlan
    #: ``SeedSequence(entropy, spawn_key=spawn_key)`` as ``rng`` makes this collection again
    entropy: int | tuple[int, ...]
    spawn_key: tuple[int, ...]

    @property
    def seed(self) -> int | np.random.SeedSequence:
        """The value of ``rng`` that makes this collection again."""
        if isinstance(self.entropy, int) and not self.spawn_key:
            return self.entropy
        return np.random.SeedSequence(self.entropy, spawn_key=self.spawn_key)

    @property
    def corpus_size(self) -> int:
        """The number of documents in the corpus, named in a file or not."""
        return self.plan.corpus_size

    @property
    def system_names(self) -> tuple[str, ...]:
        """The systems, in the order of ``strengths``; their names do not depend on it."""
        return tuple(run.name for run in self.runs)

    @property
    def true_order(self) -> tuple[str, ...]:
        """The systems, strongest first."""
        order = np.argsort(-self.strengths, kind="stable")
        return tuple(self.runs[s].name for s in order.tolist())

    @property
    def teams(self) -> NDArray[np.int64]:
        """The team of each system; runs of one team resemble each other."""
        return np.arange(len(self.runs)) % N_TEAMS

    @property
    def n_relevant(self) -> NDArray[np.int64]:
        """The number of relevant documents of each query, judged or not."""
        return self.complete.depths

    def __repr__(self) -> str:
        return (
            f"<SimulatedCollection: {self.plan.n_systems:,} systems, "
            f"{self.plan.n_queries:,} queries, {self.plan.corpus_size:,} documents, "
            f"depth {self.plan.depth:,}>"
        )


def simulate_collection(
    n_systems: int = 8,
    n_queries: int = 50,
    corpus_size: int = 20_000,
    depth: int = 100,
    *,
    pool_depth: int | None = None,
    max_grade: int = 1,
    tie_rate: float = 0.0,
    unjudged_rate: float = 0.0,
    strengths: Sequence[float] | NDArray[np.float64] | None = None,
    rng: SeedLike = 0,
    progress: Callable[[], None] | None = None,
) -> SimulatedCollection:
    """Simulate judgments and runs like TREC's, with known true values.

    Parameters
    ----------
    n_systems, n_queries, corpus_size
        The numbers of systems, of queries, and of documents in the corpus.
    depth
        The number of documents that each run ranks per query.
    pool_depth
        The number of first documents of every run that are judged; by default half the depth and at
        most 100.
    max_grade
        The highest relevance grade. Each grade is a third as frequent as the one below it.
    tie_rate
        The probability that a document has the score of the one above it.
    unjudged_rate
        The probability that a pooled document has no judgment.
    strengths
        A number from -100 to 100 per system, to set differences; by default drawn at random. One
        unit more means 2.7 times fewer non-relevant documents above each relevant one. Drawn
        strengths have mean 0 and standard deviation 0.55.
    rng
        Seed or generator. The same seed gives the same bits, with one version of numpy. None draws
        a new seed, which the result names.
    progress
        Called after each query.

    Returns
    -------
    SimulatedCollection
        ``qrels``, ``runs`` and the true values.

    Examples
    --------
    >>> collection = simulate_collection(4, 3, corpus_size=1000, depth=20, rng=1)
    >>> collection
    <SimulatedCollection: 4 systems, 3 queries, 1,000 documents, depth 20>
    >>> collection.runs[0]
    <Run system-001: 60 entries for 3 queries>
    >>> len(collection.true_order)
    4
    """
    plan = _check_plan(
        n_systems=n_systems,
        n_queries=n_queries,
        corpus_size=corpus_size,
        depth=depth,
        pool_depth=pool_depth,
        max_grade=max_grade,
        tie_rate=tie_rate,
        unjudged_rate=unjudged_rate,
    )
    given_strengths = _check_strengths(strengths, plan.n_systems)
    seed = seed_sequence(rng)
    if given_strengths is None:
        given_strengths = draw_strengths(seed, plan.n_systems)
    return _simulate(plan, given_strengths, seed, progress or (lambda: None))


def _simulate(
    plan: SimulationPlan,
    strengths: NDArray[np.float64],
    seed: np.random.SeedSequence,
    progress: Callable[[], None],
) -> SimulatedCollection:
    """Rank and judge query by query, then give ids to the documents of runs and judgments."""
    shape = (plan.n_systems, plan.n_queries, plan.depth)
    docs, scores = np.empty(shape, dtype=np.int32), np.empty(shape)
    interactions = np.empty((plan.n_queries, plan.n_systems))
    easiness = np.empty(plan.n_queries)
    queries = []
    for q in range(plan.n_queries):
        query = draw_query(seed, q, plan.corpus_size, plan.depth, plan.max_grade)
        ranked = rank_query(seed, q, query, strengths, depth=plan.depth, tie_rate=plan.tie_rate)
        named, docs[:, q] = name_documents(query, ranked.docs, plan.pool_depth, plan.unjudged_rate)
        scores[:, q], interactions[q] = ranked.scores, ranked.interactions
        easiness[q] = query.easiness
        queries.append(named)
        progress()
    catalogue = Catalogue(queries, plan.corpus_size)
    return SimulatedCollection(
        qrels=catalogue.pooled_qrels("qrels"),
        complete=catalogue.complete_qrels("complete-qrels"),
        runs=catalogue.runs(docs, scores),
        strengths=strengths,
        easiness=easiness,
        interactions=interactions,
        plan=plan,
        entropy=_find_entropy(seed),
        spawn_key=tuple(seed.spawn_key),
    )


def _check_plan(
    n_systems: Any,
    n_queries: Any,
    corpus_size: Any,
    depth: Any,
    *,
    pool_depth: Any,
    max_grade: Any,
    tie_rate: Any,
    unjudged_rate: Any,
) -> SimulationPlan:
    corpus_size = _check_integer("corpus_size", corpus_size)
    depth = _check_integer("depth", depth, corpus_size, "corpus_size, ")
    if pool_depth is None:
        pool_depth = min(-(-depth // 2), POOL_DEPTH)
    return SimulationPlan(
        n_systems=_check_integer("n_systems", n_systems),
        n_queries=_check_integer("n_queries", n_queries),
        corpus_size=corpus_size,
        depth=depth,
        pool_depth=_check_integer("pool_depth", pool_depth, depth, "the depth, "),
        max_grade=_check_integer("max_grade", max_grade, MAX_GRADE),
        tie_rate=_check_rate("tie_rate", tie_rate),
        unjudged_rate=_check_rate("unjudged_rate", unjudged_rate),
    )


def _check_integer(name: str, value: Any, maximum: int | None = None, what: str = "") -> int:
    """Return an integer from 1 to ``maximum``, which is ``what``; raise ``ParameterError`` else."""
    if maximum is None:
        return check_count(name, value)
    number = as_integer(value)
    if number is None or not 1 <= number <= maximum:
        rule = f"from 1 to {what}{maximum}"
        raise ParameterError(f"{name} must be an integer {rule}; got {quote(value)}")
    return number


def _check_rate(name: str, value: Any) -> float:
    """Return a number from 0 to 1; raise ``ParameterError`` otherwise."""
    rate = as_float(value)
    if rate is None or not 0 <= rate <= 1:
        raise ParameterError(f"{name} must be a number from 0 to 1; got {quote(value)}")
    return rate


def _check_strengths(values: Any, n_systems: int) -> NDArray[np.float64] | None:
    if values is None:
        return None
    try:
        strengths = np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ParameterError(f"strengths must be numbers; got {quote(values)}") from None
    if strengths.shape != (n_systems,):
        raise ParameterError(
            f"strengths must be one number for each of {n_systems} systems; "
            f"got an array of shape {strengths.shape}"
        )
    wrong = strengths[~(np.abs(strengths) <= MAX_STRENGTH)]
    if len(wrong):
        raise ParameterError(
            f"strengths must be from -{MAX_STRENGTH} to {MAX_STRENGTH}; got {wrong[0]}"
        )
    return strengths


def _find_entropy(seed: np.random.SeedSequence) -> int | tuple[int, ...]:
    """Return the entropy of a seed as Python integers."""
    if isinstance(seed.entropy, Sequence | np.ndarray):
        return tuple(int(word) for word in seed.entropy)
    return int(seed.entropy or 0)


# Document ids. The model numbers the candidates of each query separately. Here the documents of
# runs and judgments get their ids, once for the whole collection.

#: digits of a document's number, more if the corpus needs them; all ids have the same length, so
#: that they sort as numbers do
ID_DIGITS = 7


@dataclass(frozen=True, eq=False)
class NamedDocuments:
    """The documents of one query that are in a run or a judgment, relevant ones first."""

    #: places in the corpus
    numbers: NDArray[np.int64]
    #: 0 for a non-relevant document
    grades: NDArray[np.int32]
    judged: NDArray[np.bool_]


def name_documents(
    query: Query, ranked: NDArray[np.int32], pool_depth: int, unjudged_rate: float
) -> tuple[NamedDocuments, NDArray[np.int32]]:
    """Pool and judge one query; return its named documents, and the rankings in their places."""
    judged = _draw_judged(query, ranked[:, :pool_depth], unjudged_rate)
    named = query.grades > 0
    named[ranked] = True
    place = (np.cumsum(named) - 1).astype(np.int32)
    documents = NamedDocuments(query.numbers[named], query.grades[named], judged[named])
    return documents, place[ranked]


def _draw_judged(
    query: Query, pooled: NDArray[np.int32], unjudged_rate: float
) -> NDArray[np.bool_]:
    """Return which candidates are judged: the pooled ones, except for a random part.

    At least one is judged at any rate, since a file cannot hold a query without judgments.
    """
    pool = np.zeros(len(query.numbers), dtype=np.bool_)
    pool[pooled] = True
    judged: NDArray[np.bool_] = pool & (query.luck >= unjudged_rate)
    if not judged.any():
        judged[np.argmax(np.where(pool, query.luck, -1.0))] = True
    return judged


class Catalogue:
    """The documents of all queries under one numbering, in the order of their ids."""

    def __init__(self, queries: Sequence[NamedDocuments], n_documents: int) -> None:
        numbers = np.unique(np.concatenate([query.numbers for query in queries]))
        digits = max(ID_DIGITS, len(str(n_documents - 1)))
        self._queries = queries
        self._numbers = numbers
        self._documents = _make_identifiers(numbers, digits)
        self._codes = [_find_places(query.numbers, numbers) for query in queries]
        self._query_ids = tuple(f"q{q:03d}" for q in range(1, len(queries) + 1))
        self._query_text = np.frombuffer(" ".join(self._query_ids).encode(), dtype=np.uint8)

    def pooled_qrels(self, name: str) -> Qrels:
        """Return the judgments of pooled documents."""
        return self._make_qrels(name, [query.judged for query in self._queries])

    def complete_qrels(self, name: str) -> Qrels:
        """Return all relevant documents."""
        return self._make_qrels(name, [query.grades > 0 for query in self._queries])

    def runs(self, docs: NDArray[np.int32], scores: NDArray[np.float64]) -> tuple[Run, ...]:
        """Return runs from systems x queries x depth; ``docs`` is renumbered in place."""
        _, n_queries, depth = docs.shape
        for q, codes in enumerate(self._codes):
            docs[:, q] = codes[docs[:, q]]
        bounds = np.arange(n_queries + 1) * depth
        return tuple(
            self._make_run(f"system-{s:03d}", bounds, docs[s - 1].ravel(), scores[s - 1].ravel())
            for s in range(1, len(docs) + 1)
        )

    def _make_qrels(self, name: str, selected: Sequence[NDArray[np.bool_]]) -> Qrels:
        docs, grades = [], []
        for query, codes, keep in zip(self._queries, self._codes, selected, strict=True):
            order = np.argsort(codes[keep])  # by document id, as in TREC's files
            docs.append(codes[keep][order])
            grades.append(query.grades[keep][order])
        bounds = np.concatenate([[0], np.cumsum([len(part) for part in docs])])
        all_docs, relevance = np.concatenate(docs), np.concatenate(grades)
        return Qrels(
            name=name,
            query_ids=self._query_ids,
            bounds=bounds,
            docs=all_docs,
            documents=self._documents,
            fingerprint=self._compute_fingerprint(bounds, all_docs, relevance),
            relevance=relevance,
        )

    def _make_run(
        self,
        name: str,
        bounds: NDArray[np.int64],
        docs: NDArray[np.int32],
        scores: NDArray[np.float64],
    ) -> Run:
        return Run(
            name=name,
            query_ids=self._query_ids,
            bounds=bounds,
            docs=docs,
            documents=self._documents,
            fingerprint=self._compute_fingerprint(bounds, docs, scores),
            scores=scores,
        )

    def _compute_fingerprint(
        self, bounds: NDArray[np.int64], docs: NDArray[np.int32], values: NDArray[np.generic]
    ) -> str:
        """Return a fingerprint by numbers of the corpus, which do not depend on other systems."""
        return fingerprint_of(self._query_text, bounds, self._numbers[docs], values)


def _find_places(numbers: NDArray[np.int64], distinct: NDArray[np.int64]) -> NDArray[np.int32]:
    return np.searchsorted(distinct, numbers).astype(np.int32)


def _make_identifiers(numbers: NDArray[np.int64], digits: int) -> Identifiers:
    """Ids such as D0000123, written digit by digit for all numbers at once."""
    letters = np.full((len(numbers), digits + 1), ord("D"), dtype=np.uint8)
    for column in range(digits):
        letters[:, digits - column] = ord("0") + numbers // 10**column % 10
    starts = np.arange(len(numbers), dtype=np.int64) * (digits + 1)
    table = IdentifierTable()
    table.intern(letters.ravel(), starts, starts + digits + 1)
    return table.finish()
