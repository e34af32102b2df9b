"""Simulated collections: judgments and runs like TREC's, with known true values.

All scores are on one scale, the logarithm of (corpus size / rank): non-relevant documents have an
exponential tail and relevant ones are normal (Manmatha, Rath and Feng, SIGIR 2001), which gives two
systems the same overlap at every depth. A relevant document adds

    strength of the system + easiness of the query + their interaction,

so one unit of strength means e = 2.7 times fewer non-relevant documents above a relevant one.
Systems differ only in their strength, and raising relevant documents never lowers a score. So the
order of the strengths is exactly the order of the expected scores.

Every query, every team and every ranking has its own stream of random numbers, so that a further
system or query does not change a bit of any other ranking. docs/how-to/simulation.md has the model
and the source of its constants.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import __version__
from .atomic_write import write_atomically
from .errors import ParameterError
from .progress import count_steps
from .reading.columns import fingerprint_of
from .reading.ids import Identifiers, IdentifierTable
from .reading.records import Qrels, Run

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

REFERENCE_CORPUS = 528_155  # documents of TREC 2003 Robust, to which the constants belong
RELEVANT_MEDIAN = 63.0  # relevant documents of a query, of which pools find about half
RELEVANT_LOG_SD = 1.2
CORPUS_EXPONENT = 0.25  # smaller corpora have fewer relevant documents
MAX_RELEVANT = 0.1  # of a corpus, so that tiny corpora have non-relevant documents
LOCATION = -5.0  # relevant documents of an average query, in log(1 / rank)
LOCATION_SLOPE = -1.5  # with this slope, AP does not depend on the number of relevant documents
EASINESS_SD = 1.55
STRENGTH_SD = 0.55
INTERACTION_SD = 0.85
TEAM_FRACTION = 0.7  # of the interaction's variance, which the runs of a team have in common
N_TEAMS = 14  # systems are assigned to teams in turn
DOCUMENT_SD = 2.35
NOISE_SD = 1.1  # of a system per document
REACH = 8  # non-relevant candidates, as a multiple of the depth
GRADE_RATIO = 1 / 3  # frequency of a grade, relative to the grade below it
GRADE_FRACTION = 0.5  # of a grade's variance, which the document's score determines
MAX_GRADE = 10  # of one in 19,683 relevant documents
SCORE_DECIMALS = 6  # here and in the files, so that both give the same order
POOL_DEPTH = 100  # of TREC; shallow runs are pooled to half their depth
ID_DIGITS = 7  # or more; all ids have the same length, so that they sort as numbers do
MAX_NAMES = 3  # files in an error message

# Each purpose has its own stream of random numbers.
TAG = 0x73696D
SYSTEM, QUERY, TEAM, RANKING = range(4)


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
    strengths: Floats
    #: how much higher than on average each query's relevant documents are ranked
    easiness: Floats
    #: queries by systems: how much better a system is on a query than by its strength
    interactions: Floats
    #: the parameters of the simulation
    plan: dict[str, Any]
    seed: int

    @property
    def true_order(self) -> tuple[str, ...]:
        """The systems, strongest first; their names do not depend on their strength."""
        order = np.argsort(-self.strengths, kind="stable")
        return tuple(self.runs[s].name for s in order.tolist())

    def __repr__(self) -> str:
        plan = self.plan
        return (
            f"<SimulatedCollection: {plan['n_systems']:,} systems, {plan['n_queries']:,} queries, "
            f"{plan['corpus_size']:,} documents, depth {plan['depth']:,}>"
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
    rng: int = 0,
) -> SimulatedCollection:
    """Simulate judgments and runs; the verb ``simulate`` explains and checks the options."""
    if pool_depth is None:
        pool_depth = min(-(-depth // 2), POOL_DEPTH)
    plan = {
        "n_systems": n_systems,
        "n_queries": n_queries,
        "corpus_size": corpus_size,
        "depth": depth,
        "pool_depth": pool_depth,
        "max_grade": max_grade,
        "tie_rate": tie_rate,
        "unjudged_rate": unjudged_rate,
    }
    strengths = draw_strengths(rng, n_systems)
    queries = []
    with count_steps("simulating queries", n_queries) as step:
        for q in range(n_queries):
            queries.append(_simulate_query(rng, q, strengths, plan))
            step()

    # ids of documents, once for the whole collection
    numbers = np.unique(np.concatenate([query.numbers for query in queries]))
    documents = _make_identifiers(numbers, corpus_size)
    codes = [np.searchsorted(numbers, query.numbers).astype(np.int32) for query in queries]
    query_ids = tuple(f"q{q:03d}" for q in range(1, n_queries + 1))
    text = np.frombuffer(" ".join(query_ids).encode(), dtype=np.uint8)

    def describe(name: str, docs: list[NDArray[np.int32]], values: NDArray[Any]) -> dict[str, Any]:
        bounds = np.concatenate([[0], np.cumsum([len(part) for part in docs])])
        joined = np.concatenate(docs)
        # by numbers of the corpus, so that the fingerprint does not depend on other systems
        fingerprint = fingerprint_of(text, bounds, numbers[joined], values)
        fields = {"name": name, "bounds": bounds, "docs": joined, "fingerprint": fingerprint}
        return {**fields, "query_ids": query_ids, "documents": documents}

    def make_qrels(name: str, selected: list[NDArray[np.bool_]]) -> Qrels:
        # by document id, as in TREC's files
        places = [
            np.flatnonzero(keep)[np.argsort(code[keep])]
            for code, keep in zip(codes, selected, strict=True)
        ]
        docs = [code[place] for code, place in zip(codes, places, strict=True)]
        grades = [query.grades[place] for query, place in zip(queries, places, strict=True)]
        relevance = np.concatenate(grades)
        return Qrels(**describe(name, docs, relevance), relevance=relevance)

    def make_run(s: int) -> Run:
        docs = [code[query.docs[s]] for code, query in zip(codes, queries, strict=True)]
        scores = np.concatenate([query.scores[s] for query in queries])
        return Run(**describe(f"system-{s + 1:03d}", docs, scores), scores=scores)

    return SimulatedCollection(
        qrels=make_qrels("qrels", [query.is_judged for query in queries]),
        complete=make_qrels("complete-qrels", [query.grades > 0 for query in queries]),
        runs=tuple(map(make_run, range(n_systems))),
        strengths=strengths,
        easiness=np.array([query.easiness for query in queries]),
        interactions=np.array([query.interactions for query in queries]),
        plan=plan,
        seed=rng,
    )


def _stream(seed: int, *key: int) -> np.random.Generator:
    """Return the generator of one purpose and place, independent of all other draws."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(TAG, *key)))


def draw_strengths(seed: int, n_systems: int) -> Floats:
    """Draw strengths with mean 0 and a longer lower tail, the log of an exponential variable."""
    draws = [_stream(seed, SYSTEM, s).standard_exponential() for s in range(n_systems)]
    centred = np.log(draws) + np.euler_gamma
    return np.asarray(STRENGTH_SD * centred * math.sqrt(6) / math.pi)


class _Query(NamedTuple):
    """A simulated query. Its documents are those that are relevant or that a run has."""

    easiness: float
    interactions: Floats
    #: the place in the corpus of each document, and its grade, 0 if it is not relevant
    numbers: Integers
    grades: NDArray[np.int32]
    is_judged: NDArray[np.bool_]
    #: system x rank: the index in ``numbers``, and the score
    docs: NDArray[np.int32]
    scores: Floats


def _simulate_query(seed: int, q: int, strengths: Floats, plan: dict[str, Any]) -> _Query:
    """Draw candidates, relevant ones first, then the ranking of each system, then judgments."""
    n_systems, corpus_size, depth = plan["n_systems"], plan["corpus_size"], plan["depth"]
    rng = _stream(seed, QUERY, q)
    scale: float = min(corpus_size / REFERENCE_CORPUS, 1.0) ** CORPUS_EXPONENT
    count = round(scale * RELEVANT_MEDIAN * math.exp(RELEVANT_LOG_SD * rng.standard_normal()))
    n_relevant = max(1, min(count, int(MAX_RELEVANT * corpus_size)))
    easiness = EASINESS_SD * rng.standard_normal()
    n_others = min(REACH * depth, corpus_size - n_relevant)
    n_candidates = n_relevant + n_others
    deviates = rng.standard_normal(n_relevant)
    many = math.log(n_relevant / RELEVANT_MEDIAN)
    relevant = LOCATION + LOCATION_SLOPE * many + easiness + DOCUMENT_SD * deviates
    # the points of a Poisson process with density exp(-x), in descending order
    others = -np.log(np.cumsum(rng.standard_exponential(n_others)))
    shared = np.concatenate([relevant, others]) + math.log(corpus_size)
    luck = rng.random(n_candidates)
    numbers = rng.choice(corpus_size, n_candidates, replace=False)
    own = rng.standard_normal(n_relevant)
    merit = math.sqrt(GRADE_FRACTION) * deviates + math.sqrt(1 - GRADE_FRACTION) * own
    quantiles = [GRADE_RATIO**grade for grade in range(1, plan["max_grade"])]
    steps = np.array([NormalDist().inv_cdf(1 - quantile) for quantile in quantiles])
    grades = np.zeros(n_candidates, dtype=np.int32)
    grades[:n_relevant] = 1 + np.searchsorted(steps, merit)

    of_teams = _stream(seed, TEAM, q).standard_normal(N_TEAMS)[np.arange(n_systems) % N_TEAMS]
    interactions = INTERACTION_SD * math.sqrt(TEAM_FRACTION) * of_teams
    docs = np.empty((n_systems, depth), dtype=np.int32)
    scores = np.empty((n_systems, depth))
    places = np.arange(depth)
    for s in range(n_systems):
        rng = _stream(seed, RANKING, q, s)
        interactions[s] += INTERACTION_SD * math.sqrt(1 - TEAM_FRACTION) * rng.standard_normal()
        own = shared + NOISE_SD * rng.standard_normal(n_candidates)
        own[:n_relevant] += strengths[s] + interactions[s]
        top = np.argpartition(own, n_candidates - depth)[-depth:]
        top = top[np.argsort(own[top])[::-1]]
        units = np.rint(own[top] * 10**SCORE_DECIMALS).astype(np.int64)
        # lowered as little as needed, so that rounding makes no ties
        units = np.minimum.accumulate(units + places) - places
        if plan["tie_rate"]:
            is_tied = rng.random(depth) < plan["tie_rate"]  # with the document above
            is_tied[0] = False
            group = np.cumsum(~is_tied)
            units = units[np.searchsorted(group, group)]
            top = top[np.lexsort((-numbers[top], group))]
        # the division of two integers gives the same double as reading the decimals from a file
        docs[s], scores[s] = top, units / 10**SCORE_DECIMALS

    in_pool = np.zeros(n_candidates, dtype=np.bool_)
    in_pool[docs[:, : plan["pool_depth"]]] = True
    is_judged = in_pool & (luck >= plan["unjudged_rate"])
    if not is_judged.any():  # a file cannot have a query without judgments
        is_judged[np.argmax(np.where(in_pool, luck, -1.0))] = True
    is_named = grades > 0
    is_named[docs] = True
    docs = (np.cumsum(is_named, dtype=np.int32) - 1)[docs]
    named = numbers[is_named], grades[is_named], is_judged[is_named]
    return _Query(easiness, interactions, *named, docs, scores)


def _make_identifiers(numbers: Integers, corpus_size: int) -> Identifiers:
    """Return ids such as D0000123."""
    digits = max(ID_DIGITS, len(str(corpus_size - 1)))
    text = "".join(f"D{number:0{digits}d}" for number in numbers.tolist())
    starts = np.arange(len(numbers), dtype=np.int64) * (digits + 1)
    table = IdentifierTable()
    table.intern(np.frombuffer(text.encode(), dtype=np.uint8), starts, starts + digits + 1)
    return table.finish()


def write_collection(collection: SimulatedCollection, directory: Path) -> list[Path]:
    """Write judgments, runs and true values to a directory, which is made if it does not exist.

    Each file is written atomically, and ``truth.json`` last: a directory with it has all of them.
    """
    records: dict[str, Qrels | Run] = {
        "qrels.txt": collection.qrels,
        "complete-qrels.txt": collection.complete,
        **{f"{run.name}.run": run for run in collection.runs},
    }
    paths = [directory / name for name in (*records, "truth.json")]
    if directory.exists() and not directory.is_dir():
        raise ParameterError(f"directory must not be a file; got {str(directory)!r}")
    if existing := [path.name for path in paths if path.exists()]:
        first = ", ".join(existing[:MAX_NAMES]) + (", ..." if existing[MAX_NAMES:] else "")
        raise ParameterError(
            f"directory {str(directory)!r} already has {len(existing)} of the files to be written "
            f"({first}); delete them or give another directory"
        )
    directory.mkdir(parents=True, exist_ok=True)
    names = np.array(collection.qrels.documents.strings())
    with count_steps("writing files", len(paths)) as step:
        for path, record in zip(paths, records.values(), strict=False):
            with write_atomically(path) as file:
                file.writelines(_write_lines(record, names))
            step()
        with write_atomically(paths[-1]) as file:
            file.write((json.dumps(_describe_truth(collection), indent=1) + "\n").encode())
    return paths


def _write_lines(record: Qrels | Run, names: NDArray[np.str_]) -> Iterator[bytes]:
    """Yield the lines of each query."""
    for query, a, b in zip(record.query_ids, record.bounds, record.bounds[1:], strict=False):
        docs = names[record.docs[a:b]].tolist()
        if isinstance(record, Qrels):
            grades = record.relevance[a:b].tolist()
            lines = [f"{query} 0 {doc} {grade}\n" for doc, grade in zip(docs, grades, strict=True)]
        else:
            ranked = enumerate(zip(docs, record.scores[a:b].tolist(), strict=True), start=1)
            lines = [
                f"{query} Q0 {doc} {rank} {score:.{SCORE_DECIMALS}f} {record.name}\n"
                for rank, (doc, score) in ranked
            ]
        yield "".join(lines).encode()


def _describe_truth(collection: SimulatedCollection) -> dict[str, Any]:
    """Return all true values except the complete judgments, which have their own file."""
    systems = zip(collection.runs, collection.strengths.tolist(), strict=True)
    complete = collection.complete
    columns = complete.query_ids, collection.easiness.tolist(), complete.depths.tolist()
    return {
        "made_by": f"irbounds {__version__}, numpy {np.__version__}",
        # as text, since other readers of JSON do not keep all 128 bits of a number
        "entropy": str(collection.seed),
        "spawn_key": [],
        "plan": collection.plan,
        "systems": [
            {"name": run.name, "strength": strength, "team": s % N_TEAMS}
            for s, (run, strength) in enumerate(systems)
        ],
        "queries": [
            {"query_id": query, "easiness": easiness, "n_relevant": n_relevant}
            for query, easiness, n_relevant in zip(*columns, strict=True)
        ],
        "interactions": collection.interactions.tolist(),
    }
