"""Simulated collections: judgments and runs like TREC's, with known true values.

All scores are on one scale, the logarithm of (corpus size / rank): non-relevant documents have an
exponential tail and relevant ones are normal (Manmatha, Rath and Feng, SIGIR 2001), which gives two
systems the same overlap at every depth. A relevant document adds

    strength of the system + easiness of the query + their interaction,

so one unit of strength means e = 2.7 times fewer non-relevant documents above a relevant one.
Systems differ only in their strength, and raising relevant documents never lowers a score. So the
order of the strengths is exactly the order of the expected scores.

The first documents of every run are judged, as at TREC. Every query, every team and every ranking
has its own stream of random numbers, so that a further system or query does not change a bit of any
other ranking.

Constants were measured in the 12 full runs of TREC 2003 Robust, and adjusted together to the AP
table of TREC 2004 Robust. docs/how-to/simulation.md has the model and
docs/validation/simulation-moments.md compares the moments.
"""

from __future__ import annotations

import gzip
import json
import math
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import __version__
from .atomic_write import write_atomically
from .errors import ParameterError, quote
from .reading.columns import fingerprint_of
from .reading.ids import Identifiers, IdentifierTable
from .reading.records import Qrels, Run
from .validation import as_float, as_integer, check_count

__all__ = ["SimulatedCollection", "simulate_collection", "write_collection"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

#: documents in the TREC 2003 and 2004 Robust corpus, to which the constants belong
REFERENCE_CORPUS = 528_155
#: median and log-sd of the relevant documents a query has. Pools of TREC's size find half of them,
#: with a median of 47 (TREC 2003 Robust: 38); that pools miss many is Zobel's finding (SIGIR 1998)
RELEVANT_MEDIAN = 63.0
RELEVANT_LOG_SD = 1.2
#: smaller corpora have fewer; with a fourth root, a corpus of 20,000 has a median of 28
CORPUS_EXPONENT = 0.25
#: at most this fraction of a corpus is relevant, so that tiny corpora have non-relevant documents
MAX_RELEVANT = 0.1
#: the location of the relevant documents of an average query, in log(1 / rank); measured -5.1
LOCATION = -5.0
#: queries with many relevant documents have them deeper; measured -1.4. With about this slope, AP
#: does not depend on their number
LOCATION_SLOPE = -1.5
#: easiness between queries; measured 1.53
EASINESS_SD = 1.55
#: strength between systems; measured 0.44 among 12 good runs, the 110 of 2004 need more
STRENGTH_SD = 0.55
#: the difference of a system on a query from its strength; measured 0.88
INTERACTION_SD = 0.85
#: runs of one team are similar: this fraction of the interaction's variance is the team's. Systems
#: are assigned to teams in turn, so the systems of a small collection are all from different teams
TEAM_FRACTION = 0.7
N_TEAMS = 14
#: spread of one query's relevant documents; measured 2.06 on judged ones, which lack the deepest
DOCUMENT_SD = 2.35
#: the noise of a system per document; measured 1.16 on relevant ones, and 2 Phi(-1.1 / sqrt 2)
#: is an overlap of 0.44 on the others
NOISE_SD = 1.1
#: non-relevant candidates, as a multiple of the depth; those left out would have been about 9 % of
#: the last ranks, and less above
REACH = 8
#: each grade is a third as frequent as the one below it. Half of its variance is that of the
#: document's score, so highly relevant documents are ranked higher (Voorhees, SIGIR 2001)
GRADE_RATIO = 1 / 3
GRADE_FRACTION = 0.5
#: the grade above this one would be that of one in 59,049 relevant documents
MAX_GRADE = 10
#: decimals of a score, here and in the files, so that both give the same order
SCORE_DECIMALS = 6
#: the depth of TREC's pools; shallow runs are pooled to half their depth
POOL_DEPTH = 100
#: digits of a document's number, more if the corpus needs them; all ids have the same length, so
#: that they sort as numbers do
ID_DIGITS = 7
GZIP_LEVEL = 6  # as the gzip command; Python's default of 9 is slower and hardly smaller
MAX_NAMES = 3  # names in an error message

# Each purpose has its own stream.
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
    def corpus_size(self) -> int:
        """The number of documents in the corpus, named in a file or not."""
        return int(self.plan["corpus_size"])

    @property
    def true_order(self) -> tuple[str, ...]:
        """The systems, strongest first; their names do not depend on their strength."""
        order = np.argsort(-self.strengths, kind="stable")
        return tuple(self.runs[s].name for s in order.tolist())

    @property
    def n_relevant(self) -> NDArray[np.int64]:
        """The number of relevant documents of each query, judged or not."""
        return self.complete.depths

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
    rng
        The seed. The same seed gives the same bits, with one version of numpy.
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
    n_systems, n_queries = check_count("n_systems", n_systems), check_count("n_queries", n_queries)
    corpus_size = check_count("corpus_size", corpus_size)
    depth = _check_integer("depth", depth, corpus_size, "corpus_size, ")
    if pool_depth is None:
        pool_depth = min(-(-depth // 2), POOL_DEPTH)
    pool_depth = _check_integer("pool_depth", pool_depth, depth, "the depth, ")
    max_grade = _check_integer("max_grade", max_grade, MAX_GRADE)
    tie_rate = _check_rate("tie_rate", tie_rate)
    unjudged_rate = _check_rate("unjudged_rate", unjudged_rate)
    seed = check_count("rng", rng, minimum=0)

    strengths = draw_strengths(seed, n_systems)
    shape = (n_systems, n_queries, depth)
    docs, scores = np.empty(shape, dtype=np.int32), np.empty(shape)
    interactions, easiness = np.empty((n_queries, n_systems)), np.empty(n_queries)
    named = []  # numbers, grades and whether judged of the documents of runs and judgments
    for q in range(n_queries):
        query = _draw_query(seed, q, corpus_size, depth, max_grade)
        ranked, scores[:, q], interactions[q] = _rank_query(
            seed, q, query, strengths, depth, tie_rate
        )
        is_judged = _draw_judged(query, ranked[:, :pool_depth], unjudged_rate)
        is_named = query.grades > 0
        is_named[ranked] = True
        docs[:, q] = (np.cumsum(is_named) - 1)[ranked]
        named.append((query.numbers[is_named], query.grades[is_named], is_judged[is_named]))
        easiness[q] = query.easiness
        if progress:
            progress()

    # ids of documents, once for the whole collection
    numbers = np.unique(np.concatenate([part[0] for part in named]))
    documents = _make_identifiers(numbers, corpus_size)
    codes = [np.searchsorted(numbers, part[0]).astype(np.int32) for part in named]
    for q, code in enumerate(codes):
        docs[:, q] = code[docs[:, q]]
    query_ids = tuple(f"q{q:03d}" for q in range(1, n_queries + 1))
    text = np.frombuffer(" ".join(query_ids).encode(), dtype=np.uint8)

    def describe(
        name: str, bounds: NDArray[np.int64], docs: NDArray[np.int32], values: NDArray[Any]
    ) -> dict[str, Any]:
        # by numbers of the corpus, so that the fingerprint does not depend on other systems
        fingerprint = fingerprint_of(text, bounds, numbers[docs], values)
        fields = {"name": name, "bounds": bounds, "docs": docs, "fingerprint": fingerprint}
        return {**fields, "query_ids": query_ids, "documents": documents}

    def make_qrels(name: str, selected: list[Bools]) -> Qrels:
        parts, grades = [], []
        for code, (_, grade, _), keep in zip(codes, named, selected, strict=True):
            order = np.argsort(code[keep])  # by document id, as in TREC's files
            parts.append(code[keep][order])
            grades.append(grade[keep][order])
        bounds = np.concatenate([[0], np.cumsum([len(part) for part in parts])])
        relevance = np.concatenate(grades)
        described = describe(name, bounds, np.concatenate(parts), relevance)
        return Qrels(**described, relevance=relevance)

    def make_run(s: int) -> Run:
        values = scores[s].ravel()
        bounds = np.arange(n_queries + 1) * depth
        return Run(
            **describe(f"system-{s + 1:03d}", bounds, docs[s].ravel(), values), scores=values
        )

    return SimulatedCollection(
        qrels=make_qrels("qrels", [is_judged for _, _, is_judged in named]),
        complete=make_qrels("complete-qrels", [grades > 0 for _, grades, _ in named]),
        runs=tuple(map(make_run, range(n_systems))),
        strengths=strengths,
        easiness=easiness,
        interactions=interactions,
        plan={
            "n_systems": n_systems,
            "n_queries": n_queries,
            "corpus_size": corpus_size,
            "depth": depth,
            "pool_depth": pool_depth,
            "max_grade": max_grade,
            "tie_rate": tie_rate,
            "unjudged_rate": unjudged_rate,
        },
        seed=seed,
    )


def _check_integer(name: str, value: Any, maximum: int, what: str = "") -> int:
    """Return an integer from 1 to ``maximum``, which is ``what``; raise ``ParameterError`` else."""
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


@dataclass(frozen=True, eq=False)
class _Query:
    """One query's candidates: its relevant documents, then the non-relevant candidates."""

    easiness: float
    n_relevant: int
    #: the place in the corpus of each candidate
    numbers: NDArray[np.int64]
    #: the part of each candidate's score that is common to all systems
    shared: Floats
    #: 0 for a non-relevant document
    grades: NDArray[np.int32]
    #: uniform on [0, 1): a candidate is not judged if this is below the rate
    luck: Floats


def _stream(seed: int, *key: int) -> np.random.Generator:
    """Return the generator of one purpose and place, independent of all other draws."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(TAG, *key)))


def draw_strengths(seed: int, n_systems: int) -> Floats:
    """Draw strengths with mean 0 and a longer lower tail, the log of an exponential variable.

    Of 110 systems of TREC 2004 Robust the best is 0.085 above the median AP, the worst 0.198 below.
    """
    draws = [_stream(seed, SYSTEM, s).standard_exponential() for s in range(n_systems)]
    centred = np.log(draws) + np.euler_gamma
    return np.asarray(STRENGTH_SD * centred * math.sqrt(6) / math.pi)


def _draw_query(seed: int, q: int, n_documents: int, depth: int, max_grade: int) -> _Query:
    """Draw the query's candidates, independently of the systems that will rank them."""
    rng = _stream(seed, QUERY, q)
    scale: float = min(n_documents / REFERENCE_CORPUS, 1.0) ** CORPUS_EXPONENT
    count = round(scale * RELEVANT_MEDIAN * math.exp(RELEVANT_LOG_SD * rng.standard_normal()))
    n_relevant = max(1, min(count, int(MAX_RELEVANT * n_documents)))
    easiness = EASINESS_SD * rng.standard_normal()
    n_others = min(REACH * depth, n_documents - n_relevant)
    n_candidates = n_relevant + n_others
    deviates = rng.standard_normal(n_relevant)
    many = math.log(n_relevant / RELEVANT_MEDIAN)
    relevant = LOCATION + LOCATION_SLOPE * many + easiness + DOCUMENT_SD * deviates
    # the points of a Poisson process with density exp(-x), in descending order
    others = -np.log(np.cumsum(rng.standard_exponential(n_others)))
    luck = rng.random(n_candidates)
    numbers = rng.choice(n_documents, n_candidates, replace=False)
    own = rng.standard_normal(n_relevant)
    merit = math.sqrt(GRADE_FRACTION) * deviates + math.sqrt(1 - GRADE_FRACTION) * own
    steps = [NormalDist().inv_cdf(1 - GRADE_RATIO**grade) for grade in range(1, max_grade)]
    grades = np.zeros(n_candidates, dtype=np.int32)
    grades[:n_relevant] = 1 + np.searchsorted(np.array(steps), merit)
    shared = np.concatenate([relevant, others]) + math.log(n_documents)
    return _Query(easiness, n_relevant, numbers, shared, grades, luck)


def _rank_query(
    seed: int, q: int, query: _Query, strengths: Floats, depth: int, tie_rate: float
) -> tuple[NDArray[np.int32], Floats, Floats]:
    """Return places among the candidates and scores (system x rank), and the interactions."""
    n_systems = len(strengths)
    docs, scores = np.empty((n_systems, depth), dtype=np.int32), np.empty((n_systems, depth))
    of_teams = _stream(seed, TEAM, q).standard_normal(N_TEAMS)[np.arange(n_systems) % N_TEAMS]
    interactions = INTERACTION_SD * math.sqrt(TEAM_FRACTION) * of_teams
    for s in range(n_systems):
        rng = _stream(seed, RANKING, q, s)
        interactions[s] += INTERACTION_SD * math.sqrt(1 - TEAM_FRACTION) * rng.standard_normal()
        own = query.shared + NOISE_SD * rng.standard_normal(len(query.shared))
        own[: query.n_relevant] += strengths[s] + interactions[s]
        top = np.argpartition(own, len(own) - depth)[-depth:]
        top = top[np.argsort(own[top])[::-1]]
        steps = _make_distinct(np.rint(own[top] * 10**SCORE_DECIMALS).astype(np.int64))
        if tie_rate:
            is_tied = rng.random(depth) < tie_rate  # with the document above
            is_tied[0] = False
            group = np.cumsum(~is_tied)
            steps = steps[np.searchsorted(group, group)]
            top = top[np.lexsort((-query.numbers[top], group))]
        # the division of two integers gives the same double as reading the decimals from a file
        docs[s], scores[s] = top, steps / 10**SCORE_DECIMALS
    return docs, scores, interactions


def _make_distinct(descending: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return integers, lowered as little as needed for each to be below the one before.

    Two scores that rounding made equal would be unintended ties.
    """
    place = np.arange(len(descending))
    return np.minimum.accumulate(descending + place) - place


def _draw_judged(query: _Query, pooled: NDArray[np.int32], unjudged_rate: float) -> Bools:
    """Return which candidates are judged: the pooled ones, except for a random part.

    At least one is judged at any rate, since a file cannot hold a query without judgments.
    """
    pool = np.zeros(len(query.numbers), dtype=np.bool_)
    pool[pooled] = True
    judged: Bools = pool & (query.luck >= unjudged_rate)
    if not judged.any():
        judged[np.argmax(np.where(pool, query.luck, -1.0))] = True
    return judged


def _make_identifiers(numbers: NDArray[np.int64], n_documents: int) -> Identifiers:
    """Return ids such as D0000123, written digit by digit for all numbers at once."""
    digits = max(ID_DIGITS, len(str(n_documents - 1)))
    letters = np.full((len(numbers), digits + 1), ord("D"), dtype=np.uint8)
    for column in range(digits):
        letters[:, digits - column] = ord("0") + numbers // 10**column % 10
    starts = np.arange(len(numbers), dtype=np.int64) * (digits + 1)
    table = IdentifierTable()
    table.intern(letters.ravel(), starts, starts + digits + 1)
    return table.finish()


def write_collection(
    collection: SimulatedCollection,
    directory: str | os.PathLike[str],
    *,
    compress: bool = False,
    overwrite: bool = False,
    progress: Callable[[], None] | None = None,
) -> list[Path]:
    """Write the judgments, runs and true values of a simulated collection to a directory.

    These are ``qrels.txt``, ``complete-qrels.txt``, one ``NAME.run`` per system, and ``truth.json``
    with all true values. Files are written atomically, and ``truth.json`` last: a directory with
    this file has all of them.

    Parameters
    ----------
    collection
        A collection, from ``simulate_collection``.
    directory
        The directory, created if it does not exist.
    compress
        Compress judgments and runs with gzip; their names then end in ``.gz``.
    overwrite
        Replace files of these names. Other files of the directory are never changed.
    progress
        Called after each file but the last.

    Returns
    -------
    list of Path
        The files.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as directory:
    ...     paths = write_collection(simulate_collection(2, 3, 100, 5), directory)
    >>> [path.name for path in paths]
    ['qrels.txt', 'complete-qrels.txt', 'system-001.run', 'system-002.run', 'truth.json']
    """
    directory = Path(directory)
    records: dict[str, Qrels | Run] = {
        "qrels.txt": collection.qrels,
        "complete-qrels.txt": collection.complete,
        **{f"{run.name}.run": run for run in collection.runs},
    }
    extension = ".gz" if compress else ""
    truth = directory / "truth.json"
    paths = [*(directory / f"{name}{extension}" for name in records), truth]
    if directory.exists() and not directory.is_dir():
        raise ParameterError(f"directory must not be a file; got {str(directory)!r}")
    existing = [path.name for path in paths if path.exists()]
    if existing and not overwrite:
        first = ", ".join(existing[:MAX_NAMES]) + (", ..." if existing[MAX_NAMES:] else "")
        raise ParameterError(
            f"directory {str(directory)!r} already has {len(existing)} of the files to be written "
            f"({first}); overwrite=True replaces them"
        )
    directory.mkdir(parents=True, exist_ok=True)
    truth.unlink(missing_ok=True)  # the files that it describes are replaced
    names = np.array(collection.qrels.documents.strings())
    for path, record in zip(paths, records.values(), strict=False):
        pieces = _write_lines(record, names)
        with write_atomically(path) as file:
            if compress:
                # without a name and a time, so that the bytes do not depend on them
                with gzip.GzipFile("", "wb", GZIP_LEVEL, fileobj=file, mtime=0) as compressed:
                    compressed.writelines(pieces)
            else:
                file.writelines(pieces)
        if progress:
            progress()
    with write_atomically(truth) as file:
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
    queries = zip(
        collection.complete.query_ids,
        collection.easiness.tolist(),
        collection.n_relevant.tolist(),
        strict=True,
    )
    return {
        "made_by": f"irbounds {__version__}, numpy {np.__version__}",
        # as text, since other readers of JSON do not keep all 128 bits of a number
        "entropy": str(collection.seed),
        "spawn_key": [],
        "plan": collection.plan,
        "systems": [
            {"name": run.name, "strength": strength, "team": s % N_TEAMS}
            for s, (run, strength) in enumerate(
                zip(collection.runs, collection.strengths.tolist(), strict=True)
            )
        ],
        "queries": [{"query_id": q, "easiness": e, "n_relevant": n} for q, e, n in queries],
        "interactions": collection.interactions.tolist(),
    }
