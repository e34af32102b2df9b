"""The latent model: the documents of a query, and their ranks by each system.

All scores are on one scale, the logarithm of (corpus size / rank). With non-relevant documents only
and without noise, the document at rank r scores log(N / r). This is the exponential half of the
normal-exponential model of score distributions (Manmatha, Rath and Feng, SIGIR 2001). It has a
property of real rankings: the overlap of systems is the same at every depth. If each system adds
normal noise of standard deviation sigma to the shared scores, two of them have a fraction of
2 Phi(-sigma / sqrt 2) of their first k documents in common, for any k (a little less below ten).

Relevant documents are the normal half. Each adds to the score

    strength of the system + easiness of the query + their interaction,

so one unit of strength means e = 2.7 times fewer non-relevant documents above a relevant one.
Systems differ only in their strength, and raising relevant documents never lowers a score. So the
order of the strengths is exactly the order of the expected scores.

Most constants were measured directly, as variance components of the logarithm of the number of
non-relevant documents above each relevant one in the 12 full runs of TREC 2003 Robust. Then all
were adjusted together until simulated scores had the moments of the 249 x 110 AP table of TREC 2004
Robust. docs/validation/simulation-moments.md compares the moments.
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
#: runs of one team are similar: this fraction of the interaction's variance is the team's. The most
#: similar pairs are then as similar as real ones. Systems are assigned to teams in turn, so the
#: systems of a small collection are all from different teams
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

# Each purpose has its own stream. TAG separates the streams from children that the caller spawns.
TAG = 0x73696D
SYSTEM, QUERY, TEAM, RANKING = range(4)


@dataclass(frozen=True, eq=False)
class Query:
    """One query's candidates: its relevant documents, then the non-relevant candidates."""

    easiness: float
    n_relevant: int
    #: the place in the corpus of each candidate
    numbers: NDArray[np.int64]
    #: the part of each candidate's score that is common to all systems
    shared: NDArray[np.float64]
    #: 0 for a non-relevant document
    grades: NDArray[np.int32]
    #: uniform on [0, 1): a candidate is not judged if this is below the rate
    luck: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Rankings:
    """The rankings of one query by all systems: one row per system, best first."""

    #: places among the query's candidates
    docs: NDArray[np.int32]
    scores: NDArray[np.float64]
    #: the difference of each system on this query from its strength
    interactions: NDArray[np.float64]


def stream(seed: np.random.SeedSequence, *key: int) -> np.random.Generator:
    """Return the generator of one purpose and place, independent of all other draws."""
    return np.random.default_rng(
        np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, TAG, *key))
    )


def draw_strengths(seed: np.random.SeedSequence, n_systems: int) -> NDArray[np.float64]:
    """Draw strengths with mean 0 and a longer lower tail, the log of an exponential variable.

    Of 110 systems of TREC 2004 Robust the best is 0.085 above the median AP, the worst 0.198 below.
    """
    draws = [stream(seed, SYSTEM, s).standard_exponential() for s in range(n_systems)]
    centred = np.log(draws) + np.euler_gamma
    return np.asarray(STRENGTH_SD * centred * math.sqrt(6) / math.pi)


def draw_query(
    seed: np.random.SeedSequence, q: int, n_documents: int, depth: int, max_grade: int
) -> Query:
    """Draw the query's candidates, independently of the systems that will rank them."""
    rng = stream(seed, QUERY, q)
    n_relevant = _count_relevant(rng.standard_normal(), n_documents)
    easiness = EASINESS_SD * rng.standard_normal()
    n_others = min(REACH * depth, n_documents - n_relevant)
    n_candidates = n_relevant + n_others
    deviates = rng.standard_normal(n_relevant)
    many = math.log(n_relevant / RELEVANT_MEDIAN)
    relevant = LOCATION + LOCATION_SLOPE * many + easiness + DOCUMENT_SD * deviates
    # the points of a Poisson process with density exp(-x), in descending order
    others = -np.log(np.cumsum(rng.standard_exponential(n_others)))
    grades = np.zeros(n_candidates, dtype=np.int32)
    luck = rng.random(n_candidates)
    numbers = rng.choice(n_documents, n_candidates, replace=False)
    grades[:n_relevant] = _draw_grades(deviates, rng.standard_normal(n_relevant), max_grade)
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
    """Rank the candidates by every system, each with its own stream."""
    n_systems = len(strengths)
    docs = np.empty((n_systems, depth), dtype=np.int32)
    scores = np.empty((n_systems, depth))
    interactions = _draw_team_parts(seed, q, n_systems)
    for s in range(n_systems):
        rng = stream(seed, RANKING, q, s)
        interactions[s] += INTERACTION_SD * math.sqrt(1 - TEAM_FRACTION) * rng.standard_normal()
        advantage = strengths[s] + interactions[s]
        docs[s], scores[s] = _rank(query, rng, advantage, depth, tie_rate)
    return Rankings(docs, scores, interactions)


def _draw_team_parts(seed: np.random.SeedSequence, q: int, n_systems: int) -> NDArray[np.float64]:
    """Return the part of the interaction that the runs of a team have in common, by system."""
    parts = stream(seed, TEAM, q).standard_normal(N_TEAMS)
    return INTERACTION_SD * math.sqrt(TEAM_FRACTION) * parts[np.arange(n_systems) % N_TEAMS]


def _rank(
    query: Query, rng: np.random.Generator, advantage: float, depth: int, tie_rate: float
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the first candidates of one system's ranking, and their scores, best first."""
    scores = query.shared + NOISE_SD * rng.standard_normal(len(query.shared))
    scores[: query.n_relevant] += advantage
    top = np.argpartition(scores, len(scores) - depth)[-depth:]
    top = top[np.argsort(scores[top])[::-1]]
    steps = _make_distinct(np.rint(scores[top] * 10**SCORE_DECIMALS).astype(np.int64))
    if tie_rate:
        group = _number_groups(rng.random(depth) < tie_rate)
        steps = steps[np.searchsorted(group, group)]
        top = top[np.lexsort((-query.numbers[top], group))]
    # the division of two integers gives the same double as reading the decimals from a file
    return top, steps / 10**SCORE_DECIMALS


def _count_relevant(deviate: float, n_documents: int) -> int:
    scale: float = min(n_documents / REFERENCE_CORPUS, 1.0) ** CORPUS_EXPONENT
    count = round(scale * RELEVANT_MEDIAN * math.exp(RELEVANT_LOG_SD * deviate))
    return max(1, min(count, int(MAX_RELEVANT * n_documents)))


def _draw_grades(
    deviates: NDArray[np.float64], own: NDArray[np.float64], max_grade: int
) -> NDArray[np.int64]:
    """Return grades 1 to ``max_grade``; ``deviates`` are those of the scores, ``own`` are new."""
    merit = math.sqrt(GRADE_FRACTION) * deviates + math.sqrt(1 - GRADE_FRACTION) * own
    steps = [NormalDist().inv_cdf(1 - GRADE_RATIO**grade) for grade in range(1, max_grade)]
    return 1 + np.searchsorted(np.array(steps), merit)


def _make_distinct(descending: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return integers, lowered as little as needed for each to be below the one before.

    Two scores that rounding made equal would be unintended ties.
    """
    place = np.arange(len(descending))
    return np.minimum.accumulate(descending + place) - place


def _number_groups(tied: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return a number per rank, equal for ranks that tie with the one above."""
    tied[0] = False
    return np.cumsum(~tied)
