"""The latent model: which documents a query has, and where a system ranks them.

Everything stands on one scale, the logarithm of (corpus size / rank). Were there only non-relevant
documents and no noise, the document at rank r would score log(N / r). This is the exponential half
of the normal-exponential model of score distributions (Manmatha, Rath and Feng, SIGIR 2001), and it
has a property that real rankings show too: systems overlap alike at every depth. When each system
adds normal noise of standard deviation sigma to the shared scores, two of them share
2 Phi(-sigma / sqrt 2) of their first k documents, whatever k is (a little less below ten).

A relevant document is the normal half. To the score it adds

    strength of the system + easiness of the query + their interaction,

so one unit of strength means: e = 2.7 times fewer non-relevant documents above a relevant one.
Systems differ in their strength and in nothing else, and to raise relevant documents never lowers
a score; so the order of the strengths is exactly the order of the expected scores.

Most constants were measured directly, as variance components of the logarithm of the number of
non-relevant documents above each relevant one in the 12 full runs of TREC 2003 Robust. Then all
were moved together until simulated scores had the moments of the 249 x 110 AP table of TREC 2004
Robust. docs/simulation.md shows how near they come.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

#: documents in the TREC 2003 and 2004 Robust corpus, to which the constants belong
REFERENCE_CORPUS = 528_155
#: median and log-sd of the relevant documents a query has. Pools of TREC's size find half of them,
#: with a median of 47 (TREC 2003 Robust: 38); that pools miss many is Zobel's finding (SIGIR 1998)
RELEVANT_MEDIAN = 63.0
RELEVANT_LOG_SD = 1.2
#: smaller corpora hold fewer; a fourth root leaves a corpus of 20,000 a median of 28
CORPUS_EXPONENT = 0.25
#: at most this share of a corpus is relevant, so that tiny corpora keep something to tell apart
RELEVANT_SHARE = 0.1
#: where the relevant documents of an average query stand, in log(1 / rank); measured -5.1
LOCATION = -5.0
#: queries with many relevant documents have them deeper; measured -1.4. About this slope leaves AP
#: unrelated to their number
LOCATION_SLOPE = -1.5
#: easiness between queries; measured 1.53
EASINESS_SD = 1.55
#: strength between systems; measured 0.44 among 12 good runs, the 110 of 2004 need more
STRENGTH_SD = 0.55
#: how much better or worse than its strength a system does on a query; measured 0.88
INTERACTION_SD = 0.85
#: runs of one team are near-copies: this share of the interaction's variance is the team's. It
#: makes the most similar pairs as similar as real ones. The teams take turns, so that the systems
#: of a small collection all come from different ones
TEAM_SHARE = 0.7
N_TEAMS = 14
#: spread of one query's relevant documents; measured 2.06 on judged ones, which lack the deepest
DOCUMENT_SD = 2.35
#: a system's own opinion of a document; measured 1.16 on relevant ones, and 2 Phi(-1.1 / sqrt 2)
#: is an overlap of 0.44 on the others
NOISE_SD = 1.1
#: non-relevant documents within reach, as a multiple of the depth; those left out would have made
#: up some 9 % of the last ranks and less above
REACH = 8
#: each grade is a third as frequent as the one below it, and half of its variance is how easily the
#: document is found: highly relevant documents are ranked higher (Voorhees, SIGIR 2001)
GRADE_RATIO = 1 / 3
GRADE_SHARE = 0.5
#: the grade above this one would come once in 59,049 relevant documents
MAX_GRADE = 10
#: decimals of a score, here and in the files, so that both give the same order
SCORE_DECIMALS = 6

# Streams are told apart by purpose. TAG keeps them apart from children that the caller spawns.
TAG = 0x73696D
SYSTEM, QUERY, TEAM, RANKING = range(4)


@dataclass(frozen=True, eq=False)
class Query:
    """One query's candidates: its relevant documents first, then the non-relevant in reach."""

    easiness: float
    n_relevant: int
    #: the place in the corpus of each candidate
    numbers: NDArray[np.int64]
    #: the part of each candidate's score that all systems share
    shared: NDArray[np.float64]
    #: 0 for a non-relevant document
    grades: NDArray[np.int32]
    #: uniform on [0, 1): a candidate is passed over by the assessors when it falls below the rate
    luck: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Rankings:
    """One query as all systems rank it: a row a system, best first."""

    #: places among the query's candidates
    docs: NDArray[np.int32]
    scores: NDArray[np.float64]
    #: what each system does better or worse here than its strength says
    interactions: NDArray[np.float64]


def stream(seed: np.random.SeedSequence, *key: int) -> np.random.Generator:
    """The generator of one purpose and place; no other draw can shift it."""
    return np.random.default_rng(
        np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, TAG, *key))
    )


def draw_strengths(seed: np.random.SeedSequence, n_systems: int) -> NDArray[np.float64]:
    """Strengths with mean 0 and a longer tail downwards: log of an exponential variable.

    Of 110 systems of TREC 2004 Robust the best is 0.085 above the median AP, the worst 0.198 below.
    """
    draws = [stream(seed, SYSTEM, s).standard_exponential() for s in range(n_systems)]
    centred = np.log(draws) + np.euler_gamma
    return np.asarray(STRENGTH_SD * centred * math.sqrt(6) / math.pi)


def draw_query(
    seed: np.random.SeedSequence, q: int, n_documents: int, depth: int, max_grade: int
) -> Query:
    """The query's candidates, the same whichever systems will rank them."""
    rng = stream(seed, QUERY, q)
    n_relevant = _n_relevant(rng.standard_normal(), n_documents)
    easiness = EASINESS_SD * rng.standard_normal()
    n_others = min(REACH * depth, n_documents - n_relevant)
    n_candidates = n_relevant + n_others
    found = rng.standard_normal(n_relevant)
    many = math.log(n_relevant / RELEVANT_MEDIAN)
    relevant = LOCATION + LOCATION_SLOPE * many + easiness + DOCUMENT_SD * found
    # the points of a Poisson process with density exp(-x), from the highest down
    others = -np.log(np.cumsum(rng.standard_exponential(n_others)))
    grades = np.zeros(n_candidates, dtype=np.int32)
    luck = rng.random(n_candidates)
    numbers = rng.choice(n_documents, n_candidates, replace=False)
    grades[:n_relevant] = _grades(found, rng.standard_normal(n_relevant), max_grade)
    return Query(
        easiness=easiness,
        n_relevant=n_relevant,
        numbers=numbers,
        shared=np.concatenate([relevant, others]) + math.log(n_documents),
        grades=grades,
        luck=luck,
    )


def rank_query(
    seed: np.random.SeedSequence,
    q: int,
    query: Query,
    strengths: NDArray[np.float64],
    *,
    depth: int,
    tie_rate: float,
) -> Rankings:
    """Every system's ranking of the candidates; each has its own stream."""
    n_systems = len(strengths)
    docs = np.empty((n_systems, depth), dtype=np.int32)
    scores = np.empty((n_systems, depth))
    interactions = _team_parts(seed, q, n_systems)
    for s in range(n_systems):
        rng = stream(seed, RANKING, q, s)
        interactions[s] += INTERACTION_SD * math.sqrt(1 - TEAM_SHARE) * rng.standard_normal()
        advantage = strengths[s] + interactions[s]
        docs[s], scores[s] = _rank(query, rng, advantage, depth, tie_rate)
    return Rankings(docs, scores, interactions)


def _team_parts(seed: np.random.SeedSequence, q: int, n_systems: int) -> NDArray[np.float64]:
    """What the runs of one team have in common on this query, for each system."""
    parts = stream(seed, TEAM, q).standard_normal(N_TEAMS)
    return INTERACTION_SD * math.sqrt(TEAM_SHARE) * parts[np.arange(n_systems) % N_TEAMS]


def _rank(
    query: Query, rng: np.random.Generator, advantage: float, depth: int, tie_rate: float
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The candidates that one system puts first, and their scores, best first."""
    scores = query.shared + NOISE_SD * rng.standard_normal(len(query.shared))
    scores[: query.n_relevant] += advantage
    top = np.argpartition(scores, len(scores) - depth)[-depth:]
    top = top[np.argsort(scores[top])[::-1]]
    steps = _distinct(np.rint(scores[top] * 10**SCORE_DECIMALS).astype(np.int64))
    if tie_rate:
        group = _tied_groups(rng.random(depth) < tie_rate)
        steps = steps[np.searchsorted(group, group)]
        top = top[np.lexsort((-query.numbers[top], group))]
    # one division of two whole numbers rounds as reading the decimals from a file does
    return top, steps / 10**SCORE_DECIMALS


def _n_relevant(deviate: float, n_documents: int) -> int:
    scale: float = min(n_documents / REFERENCE_CORPUS, 1.0) ** CORPUS_EXPONENT
    wanted = round(scale * RELEVANT_MEDIAN * math.exp(RELEVANT_LOG_SD * deviate))
    return max(1, min(wanted, int(RELEVANT_SHARE * n_documents)))


def _grades(
    found: NDArray[np.float64], own: NDArray[np.float64], max_grade: int
) -> NDArray[np.int64]:
    """Grades 1 to ``max_grade`` of relevant documents that stand at ``found`` among their like."""
    merit = math.sqrt(GRADE_SHARE) * found + math.sqrt(1 - GRADE_SHARE) * own
    steps = [NormalDist().inv_cdf(1 - GRADE_RATIO**grade) for grade in range(1, max_grade)]
    return 1 + np.searchsorted(np.array(steps), merit)


def _distinct(descending: NDArray[np.int64]) -> NDArray[np.int64]:
    """Whole numbers lowered as little as needed for each to be under the one before.

    Two scores that rounding made equal would be ties that nobody asked for.
    """
    place = np.arange(len(descending))
    return np.minimum.accumulate(descending + place) - place


def _tied_groups(tied: NDArray[np.bool_]) -> NDArray[np.int64]:
    """A number for each rank, the same for ranks that tie with the one above them."""
    tied[0] = False
    return np.cumsum(~tied)
