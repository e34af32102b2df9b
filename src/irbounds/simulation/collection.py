"""``simulate_collection``: judgments and runs whose truth is known exactly.

The model (``model``) says how documents get their scores; here its rankings are pooled and judged
as at TREC, and given the form that reading files gives. Judgments come from the first documents of
every run. A relevant document that no run put there stays unjudged in ``qrels`` and stands in
``complete``.

Every query, every team and every ranking has its own stream of random numbers. So a further system
or query leaves all other rankings as they were, bit for bit. The pooled judgments may grow with a
further system, as they would in life.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import ParameterError, quote
from ..parallel.memory import check_fits_now
from ..reading.records import Qrels, Run
from ..resampling.seeds import SeedLike, seed_sequence
from ..validation import as_float, as_integer, check_count
from .catalogue import Catalogue, name_documents
from .model import MAX_GRADE, N_TEAMS, draw_query, draw_strengths, rank_query

#: as deep as TREC's pools; shallow runs are pooled to half their depth, so that they too end in
#: documents that nobody judged
POOL_DEPTH = 100
BYTES_EACH = 12  # of an entry of a ranking, its document and its score
#: far beyond a perfect system, well within what a score can hold
MOST_STRENGTH = 100


@dataclass(frozen=True)
class SimulationPlan:
    """What was asked for."""

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

    #: what the assessors saw: pooled documents, 0 for a non-relevant one
    qrels: Qrels
    #: every relevant document there is; any other document of the corpus is not relevant
    complete: Qrels
    runs: tuple[Run, ...]
    #: a greater strength is a greater expected score, equal ones are equal; exactly
    strengths: NDArray[np.float64]
    #: how much higher than usual each query's relevant documents stand
    easiness: NDArray[np.float64]
    #: queries by systems: how much better a system does on a query than its strength says
    interactions: NDArray[np.float64]
    plan: SimulationPlan
    #: ``SeedSequence(entropy, spawn_key=spawn_key)`` as ``rng`` makes this collection again
    entropy: int | tuple[int, ...]
    spawn_key: tuple[int, ...]

    @property
    def seed(self) -> int | np.random.SeedSequence:
        """The value that, given as ``rng``, makes this collection again."""
        if isinstance(self.entropy, int) and not self.spawn_key:
            return self.entropy
        return np.random.SeedSequence(self.entropy, spawn_key=self.spawn_key)

    @property
    def corpus_size(self) -> int:
        """How many documents the corpus holds, named in a file or not."""
        return self.plan.corpus_size

    @property
    def system_names(self) -> tuple[str, ...]:
        """The systems, in the order of ``strengths``; their names say nothing of it."""
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
        """How many relevant documents each query has, judged or not."""
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
    plan = _checked_plan(
        n_systems=n_systems,
        n_queries=n_queries,
        corpus_size=corpus_size,
        depth=depth,
        pool_depth=pool_depth,
        max_grade=max_grade,
        tie_rate=tie_rate,
        unjudged_rate=unjudged_rate,
    )
    planted = _checked_strengths(strengths, plan.n_systems)
    n_entries = plan.n_systems * plan.n_queries * plan.depth
    check_fits_now(
        f"rankings of {n_entries:,} documents in all",
        BYTES_EACH * n_entries,
        "take fewer systems or queries, or a smaller depth",
    )
    seed = seed_sequence(rng)
    drawn = draw_strengths(seed, plan.n_systems) if planted is None else planted
    return _simulate(plan, drawn, seed, progress or (lambda: None))


def _simulate(
    plan: SimulationPlan,
    strengths: NDArray[np.float64],
    seed: np.random.SeedSequence,
    progress: Callable[[], None],
) -> SimulatedCollection:
    """Rank and judge query by query, then give ids to the documents that were named."""
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
        qrels=catalogue.pooled("qrels"),
        complete=catalogue.complete("complete-qrels"),
        runs=catalogue.runs(docs, scores),
        strengths=strengths,
        easiness=easiness,
        interactions=interactions,
        plan=plan,
        entropy=_entropy(seed),
        spawn_key=tuple(seed.spawn_key),
    )


def _checked_plan(
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
    corpus_size = _count("corpus_size", corpus_size)
    depth = _count("depth", depth, corpus_size, "corpus_size, ")
    if pool_depth is None:
        pool_depth = min(-(-depth // 2), POOL_DEPTH)
    return SimulationPlan(
        n_systems=_count("n_systems", n_systems),
        n_queries=_count("n_queries", n_queries),
        corpus_size=corpus_size,
        depth=depth,
        pool_depth=_count("pool_depth", pool_depth, depth, "the depth, "),
        max_grade=_count("max_grade", max_grade, MAX_GRADE),
        tie_rate=_rate("tie_rate", tie_rate),
        unjudged_rate=_rate("unjudged_rate", unjudged_rate),
    )


def _count(name: str, value: Any, most: int | None = None, what: str = "") -> int:
    """Return an integer from 1 to ``most``, which is ``what``."""
    if most is None:
        return check_count(name, value)
    number = as_integer(value)
    if number is None or not 1 <= number <= most:
        rule = f"from 1 to {what}{most}"
        raise ParameterError(f"{name} must be an integer {rule}; got {quote(value)}")
    return number


def _rate(name: str, value: Any) -> float:
    rate = as_float(value)
    if rate is None or not 0 <= rate <= 1:
        raise ParameterError(f"{name} must be a number from 0 to 1; got {quote(value)}")
    return rate


def _checked_strengths(values: Any, n_systems: int) -> NDArray[np.float64] | None:
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
    wrong = strengths[~(np.abs(strengths) <= MOST_STRENGTH)]
    if len(wrong):
        raise ParameterError(
            f"strengths must be from -{MOST_STRENGTH} to {MOST_STRENGTH}; got {wrong[0]}"
        )
    return strengths


def _entropy(seed: np.random.SeedSequence) -> int | tuple[int, ...]:
    """As plain whole numbers, whichever kind numpy keeps."""
    if isinstance(seed.entropy, Sequence | np.ndarray):
        return tuple(int(word) for word in seed.entropy)
    return int(seed.entropy or 0)
