"""Monte Carlo: the distribution of any measure, and of its mean over queries, from random draws.

Each draw ranks the documents of every query at random and scores the rankings by the measures' own
formulas. p = (1 + hits) / (1 + draws), where a hit is a draw that scores at least the observed
score. Under the null hypothesis the observed ranking is one more draw among the others, so
p <= alpha has a probability of at most alpha, and p is never 0 (Davison and Hinkley 1997, section
4.2).

Draws come in units with their own random numbers, so that any number of threads gives the same
bits. Measures that score the same ranks share the rankings. The result of one does not depend on
which others are computed with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ParameterError
from ..measurement.base import Measure
from ..measurement.parser import parse_measure
from ..measurement.populations import Population
from ..parallel import Arrays, count_progress, run_work
from ..resampling.seeds import Purpose, stream
from ..validation import Progress
from .drawn_rankings import RankingSampler, make_sampler
from .p_values import TOLERANCE, ScoreDistribution, check_number

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

UNIT = 1 << 18  # relevant documents per unit
LONG_UNIT = 1 << 21  # the same where a unit would have few draws otherwise
FEW_DRAWS = 64
DRAWING = 20  # operations to draw a relevant document and score it
MAX_RELEVANT = 1 << 24  # in the scored ranks of one query
MAX_PLACES = 1 << 61  # numbered consecutively in a unit; up to twice as many still fit 63 bits


@dataclass(frozen=True, eq=False, repr=False)
class SimulatedScores:
    """The scores of random rankings by one measure."""

    #: mean over queries of each draw, ascending
    means: Floats
    #: for each query, the number of draws with at least, and at most, the observed score;
    #: None without observed scores
    at_least: Ints | None
    at_most: Ints | None
    n_draws: int
    seed: int

    def __repr__(self) -> str:
        return (
            f"<scores of {self.n_draws:,} random rankings: mean {self.means.mean():.4g}, "
            f"standard deviation {self.means.std():.4g}>"
        )


@dataclass(frozen=True, eq=False, repr=False)
class MonteCarlo(ScoreDistribution):
    """The distribution of drawn scores."""

    method: ClassVar[str] = "monte-carlo"

    #: exact; the standard deviation is that of the draws where no formula is known
    mean: float
    standard_deviation: float
    simulated: SimulatedScores

    def __repr__(self) -> str:
        return f"{super().__repr__()[:-1]}, {self.n_draws:,} draws>"

    @property
    def n_draws(self) -> int:
        """Number of random rankings drawn."""
        return self.simulated.n_draws

    @property
    def seed(self) -> int:
        """The seed that, given as ``rng``, draws the same rankings again."""
        return self.simulated.seed

    def cdf(self, score: float) -> float:
        """Return the fraction of draws with this score or a lower one."""
        return self._count_to(check_number("score", score)) / self.n_draws

    def at_most(self, score: float) -> float:
        """Return (1 + hits) / (1 + draws); a hit has this score or a lower one."""
        return (1 + self._count_to(score)) / (1 + self.n_draws)

    def at_least(self, score: float) -> float:
        """Return (1 + hits) / (1 + draws); a hit has this score or a higher one."""
        below = np.searchsorted(self.simulated.means, score * (1 - TOLERANCE), "left")
        return (1 + self.n_draws - int(below)) / (1 + self.n_draws)

    def lowest_reaching(self, probability: float) -> float:
        """Return the lowest drawn score with this fraction of the draws at or below it."""
        number = int(np.ceil(probability * self.n_draws * (1 - TOLERANCE)))
        return float(self.simulated.means[max(number, 1) - 1])

    def _count_to(self, score: float) -> int:
        """Return the number of draws with this score or a lower one."""
        return int(np.searchsorted(self.simulated.means, score * (1 + TOLERANCE), "right"))


def simulate(
    measures: Sequence[Measure],
    population: Population,
    n_draws: int,
    seed: int,
    *,
    observed: Sequence[ArrayLike] | None = None,
    progress: Progress | None = None,
) -> list[SimulatedScores]:
    """Draw random rankings and score them; return one result per measure.

    ``observed`` has for each measure the queries' scores, or a row of them for each of several
    systems; hits have the same shape. ``progress`` is called with the number of draws done.
    """
    tallies = [
        _Tally(measure, n_draws, None if observed is None else np.asarray(observed[place]))
        for place, measure in enumerate(measures)
    ]
    groups: dict[tuple[float, bool], list[_Tally]] = {}
    for tally in tallies:
        groups.setdefault(_sharing_key(tally.measure), []).append(tally)
    plans = [_plan(population, key, group) for key, group in groups.items()]
    n_units = sum(plan.n_units(n_draws) for plan in plans)
    count = count_progress(_in_draws(progress, n_draws), n_units)
    for plan in plans:
        work = partial(draw_unit, drawn=plan.drawn, n_draws=n_draws, seed=seed)
        results = run_work(work, plan.n_units(n_draws), cost=plan.drawn.cost, progress=count)
        for unit, arrays in enumerate(results):
            plan.add(unit, arrays)
    n_queries = np.size(population.n_documents)
    return [tally.result(n_queries, seed) for tally in tallies]


def last_scored_rank(measure: Measure) -> float:
    """Return the last rank that a measure scores, infinity where there is no limit."""
    measure.check_chance()
    return measure.reach


def can_draw(measure: Measure, population: Population) -> bool:
    """Return whether no query has too many relevant documents in the scored ranks."""
    n_relevant = _count_relevant(make_sampler(population, last_scored_rank(measure)))
    return bool(n_relevant.max() <= MAX_RELEVANT)


def count_drawn_ranks(measure: Measure, population: Population) -> float:
    """Return the maximum number of ranks of relevant documents in one draw, over all queries."""
    return float(_count_relevant(make_sampler(population, last_scored_rank(measure))).sum())


def _in_draws(progress: Progress | None, n_draws: int) -> Progress | None:
    """Return progress in draws, for work that counts units."""
    if progress is None:
        return None
    return lambda done, n_units: progress(n_draws * done // n_units, n_draws)


def _count_relevant(sampler: RankingSampler) -> Floats:
    """Return the maximum number of relevant documents in the scored ranks per query, at least 1."""
    all_relevant = np.maximum(sampler.relevant, sampler.judged.sum(axis=0))
    scored: Floats = np.maximum(np.minimum(all_relevant, sampler.reach), 1.0)
    return scored


class _Tally:
    """The means and hits of one measure, while units are added."""

    def __init__(self, measure: Measure, n_draws: int, observed: Floats | None) -> None:
        self.measure = measure
        self.means = np.zeros(n_draws)
        self.observed = observed
        self.at_least = None if observed is None else np.zeros(observed.shape, dtype=np.int64)
        self.at_most = None if observed is None else np.zeros(observed.shape, dtype=np.int64)

    def result(self, n_queries: int, seed: int) -> SimulatedScores:
        """Return the scores of all draws."""
        means = np.sort(self.means) / n_queries
        return SimulatedScores(means, self.at_least, self.at_most, len(means), seed)


@dataclass(frozen=True, eq=False)
class SharedDraws:
    """Measures that share their rankings, their observed scores, and how the rankings are drawn."""

    measures: list[str]
    observed: list[Floats | None]
    draws_per_unit: int
    #: queries that are drawn together
    chunks: list[tuple[slice, RankingSampler]]
    #: relevant documents per unit
    entries: float

    @property
    def cost(self) -> float:
        """Operations per unit."""
        return self.entries * len(self.measures) * DRAWING


@dataclass(frozen=True, eq=False)
class _Plan:
    """Rankings to draw, and the tallies of their scores."""

    tallies: list[_Tally]
    drawn: SharedDraws

    def n_units(self, n_draws: int) -> int:
        """Return the number of units."""
        return -(-n_draws // self.drawn.draws_per_unit)

    def add(self, unit: int, arrays: Arrays) -> None:
        """Add the arrays of a unit: for each measure sums of scores, and hits if observed."""
        begin = unit * self.drawn.draws_per_unit
        rest = iter(arrays)
        for tally in self.tallies:
            sums = next(rest)
            tally.means[begin : begin + sums.size] = sums
            if tally.at_least is not None and tally.at_most is not None:
                tally.at_least += next(rest)
                tally.at_most += next(rest)


def draw_unit(unit: int, *, drawn: SharedDraws, n_draws: int, seed: int) -> Arrays:
    """Draw one unit and score it by every measure; see ``_Plan.add`` for the arrays."""
    size = min(drawn.draws_per_unit, n_draws - unit * drawn.draws_per_unit)
    generators = [
        stream(seed, Purpose.random_rankings, unit, number) for number in range(len(drawn.chunks))
    ]
    measures = [parse_measure(name) for name in drawn.measures]
    sums = np.zeros((len(measures), size))
    hits = [
        None if scores is None else np.zeros((2, *scores.shape), np.int64)
        for scores in drawn.observed
    ]
    for generator, (queries, sampler) in zip(generators, drawn.chunks, strict=True):
        run = sampler.draw(size, generator)
        for k, measure in enumerate(measures):
            scores = measure.score(run).reshape(-1, size)
            sums[k] += scores.sum(axis=0)
            observed, counts = drawn.observed[k], hits[k]
            if observed is not None and counts is not None:
                counts[..., queries] = _count_hits(scores, observed[..., queries, None])
    parts = zip(sums, hits, strict=True)
    return tuple(array for row, both in parts for array in (row, *(() if both is None else both)))


def _count_hits(scores: Floats, observed: Floats) -> Ints:
    """Count the draws (columns) with at least, and at most, the observed score of each query."""
    high = (scores >= observed * (1 - TOLERANCE)).sum(axis=-1)
    return np.stack((high, (scores <= observed * (1 + TOLERANCE)).sum(axis=-1)))


def _sharing_key(measure: Measure) -> tuple[float, bool]:
    """Return the same key for measures that share rankings.

    The key is the last scored rank, and whether the measure makes a table, which needs more memory.
    """
    return last_scored_rank(measure), measure.scores_in_table


def _plan(population: Population, key: tuple[float, bool], tallies: list[_Tally]) -> _Plan:
    """Return the plan to draw the rankings of some measures, in units and parts of queries."""
    reach, in_table = key
    sampler = make_sampler(population, reach)
    n_relevant = _count_relevant(sampler)
    if n_relevant.max() > MAX_RELEVANT:
        # matched moments need the variance
        has_variance = all(tally.measure.has_variance() for tally in tallies)
        approximation = ", or use the approximation matched-moments" if has_variance else ""
        raise ParameterError(
            f"monte-carlo draws the rank of each relevant document, at most {MAX_RELEVANT:,} per "
            f"query; got {n_relevant.max():,.0f} (give the measure a cutoff{approximation})"
        )
    # the table has a column for each relevant document of the query with most of them
    entries = np.full(len(sampler), n_relevant.max()) if in_table else n_relevant
    total = entries.sum()
    draws = max(UNIT // total, min(FEW_DRAWS, LONG_UNIT // total), 1)
    places = sampler.places.astype(np.float64)
    draws = min(draws, MAX_PLACES // places.max(initial=1.0))
    full = np.cumsum(entries) // LONG_UNIT, np.cumsum(places * draws) // MAX_PLACES
    ends = np.flatnonzero(np.diff(full).any(axis=0)) + 1
    parts = [slice(a, b) for a, b in pairwise([0, *ends.tolist(), len(sampler)])]
    drawn = SharedDraws(
        measures=[tally.measure.name for tally in tallies],
        observed=[tally.observed for tally in tallies],
        draws_per_unit=int(draws),
        chunks=[(queries, sampler[queries]) for queries in parts],
        entries=float(draws * total),
    )
    return _Plan(tallies, drawn)
