"""Scores of random rankings by any measure, and their means over queries, from random draws.

Each draw ranks the documents of every query at random and scores the rankings by the measures' own
formulas. Draws come in units with their own random numbers, so that any number of threads gives the
same bits. Measures that score the same ranks share the rankings. The result of one does not depend
on which others are computed with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..errors import ParameterError
from ..measurement.base import Measure
from ..measurement.parser import parse_measure
from ..measurement.populations import Population
from ..parallel import Arrays, count_progress, run_work
from ..resampling.seeds import Purpose, stream
from ..results.chance_levels import TOLERANCE
from ..validation import Progress
from .drawn_rankings import RankingSampler, make_sampler

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

UNIT = 1 << 18  # relevant documents per unit
LONG_UNIT = 1 << 21  # the same where a unit would have few draws otherwise
FEW_DRAWS = 64
DRAWING = 20  # operations to draw a relevant document and score it
MAX_RELEVANT = 1 << 24  # in the scored ranks of one query
MAX_PLACES = 1 << 61  # in all queries and draws of a unit, which are numbered consecutively


@dataclass(frozen=True, eq=False)
class SimulatedScores:
    """The scores of random rankings by one measure."""

    #: mean over queries of each draw, ascending
    means: Floats
    #: numbers of draws with at least, and at most, the observed score: side x ... x query; None
    #: without observed scores
    hits: Ints | None = None


@dataclass(frozen=True, eq=False)
class _SharedDraws:
    """Measures that share their rankings, their observed scores, and how the rankings are drawn."""

    measures: list[str]
    #: measure x ... x query; None without observed scores
    observed: Floats | None
    draws_per_unit: int
    #: queries that are drawn together
    chunks: list[tuple[slice, RankingSampler]]
    #: operations per unit
    cost: float


def simulate(
    measures: Sequence[Measure],
    population: Population,
    n_draws: int,
    seed: int,
    *,
    observed: Floats | None = None,
    progress: Progress | None = None,
) -> list[SimulatedScores]:
    """Draw random rankings and score them; return one result per measure.

    ``observed`` has for each measure the queries' scores, or a row of them for each of several
    systems; hits have the same shape. ``progress`` is called with the number of draws done.
    """
    groups: dict[tuple[float, bool], list[int]] = {}
    for place, measure in enumerate(measures):
        measure.check_chance()
        # a table needs more memory, so that its draws are in other units
        groups.setdefault((measure.reach, measure.scores_in_table), []).append(place)
    plans = {
        tuple(places): _share_draws(
            [measures[place] for place in places],
            population,
            None if observed is None else observed[places],
        )
        for places in groups.values()
    }
    units = {places: -(-n_draws // drawn.draws_per_unit) for places, drawn in plans.items()}

    def report(done: int, n_units: int) -> None:
        if progress is not None:
            progress(n_draws * done // n_units, n_draws)

    count = count_progress(report, sum(units.values()))
    scores: dict[int, SimulatedScores] = {}
    for places, drawn in plans.items():
        work = partial(draw_unit, drawn=drawn, n_draws=n_draws, seed=seed)
        sums, hits = np.empty((len(places), n_draws)), None
        results = run_work(work, units[places], cost=drawn.cost, progress=count)
        for unit, arrays in enumerate(results):
            begin = unit * drawn.draws_per_unit
            sums[:, begin : begin + arrays[0].shape[1]] = arrays[0]
            for counted in arrays[1:]:
                hits = counted if hits is None else hits + counted
        means = np.sort(sums) / np.size(population.n_documents)
        for k, place in enumerate(places):
            scores[place] = SimulatedScores(means[k], None if hits is None else hits[:, k])
    return [scores[place] for place in range(len(measures))]


def count_relevant(population: Population, reach: float) -> Floats:
    """Return the maximum number of relevant documents in the scored ranks per query, at least 1."""
    sampler = make_sampler(population, reach)
    scored: Floats = np.maximum(np.minimum(sampler.relevant, sampler.reach), 1.0)
    return scored


def _share_draws(
    measures: Sequence[Measure], population: Population, observed: Floats | None
) -> _SharedDraws:
    """Return how to draw rankings for some measures, in units and parts of queries."""
    reach = measures[0].reach
    sampler, n_relevant = make_sampler(population, reach), count_relevant(population, reach)
    if n_relevant.max() > MAX_RELEVANT:
        raise ParameterError(
            f"monte-carlo draws the rank of each relevant document, at most {MAX_RELEVANT:,} per "
            f"query; got {n_relevant.max():,.0f} (give the measure a cutoff)"
        )
    # the table has a column for each relevant document of the query with most of them
    in_table = measures[0].scores_in_table
    entries = np.full(len(sampler), n_relevant.max()) if in_table else n_relevant
    total = entries.sum()
    draws = max(UNIT // total, min(FEW_DRAWS, LONG_UNIT // total), 1)
    n_places = np.maximum(sampler.depth, sampler.relevant).sum(dtype=np.float64)
    if n_places > MAX_PLACES:
        raise ParameterError(
            f"random rankings may have {MAX_PLACES:,} documents in all; got {n_places:,.0f}"
        )
    draws = min(draws, MAX_PLACES // max(n_places, 1.0))
    ends = np.flatnonzero(np.diff(np.cumsum(entries) // LONG_UNIT)) + 1
    parts = [slice(a, b) for a, b in pairwise([0, *ends.tolist(), len(sampler)])]
    return _SharedDraws(
        measures=[measure.name for measure in measures],
        observed=observed,
        draws_per_unit=int(draws),
        chunks=[(queries, sampler[queries]) for queries in parts],
        cost=float(draws * total) * len(measures) * DRAWING,
    )


def draw_unit(unit: int, *, drawn: _SharedDraws, n_draws: int, seed: int) -> Arrays:
    """Draw one unit: sums of scores by measure, and the hits at least and at most the observed."""
    size = min(drawn.draws_per_unit, n_draws - unit * drawn.draws_per_unit)
    measures = [parse_measure(name) for name in drawn.measures]
    sums = np.zeros((len(measures), size))
    hits = None if drawn.observed is None else np.zeros((2, *drawn.observed.shape), np.int64)
    for number, (queries, sampler) in enumerate(drawn.chunks):
        run = sampler.draw(size, stream(seed, Purpose.random_rankings, unit, number))
        for k, measure in enumerate(measures):
            scores = measure.score(run).reshape(-1, size)
            sums[k] += scores.sum(axis=0)
            if drawn.observed is not None and hits is not None:
                observed = drawn.observed[k][..., queries, None]
                high = (scores >= observed * (1 - TOLERANCE)).sum(axis=-1)
                low = (scores <= observed * (1 + TOLERANCE)).sum(axis=-1)
                hits[:, k, ..., queries] = high, low
    return (sums,) if hits is None else (sums, hits)
