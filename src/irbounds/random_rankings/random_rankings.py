"""Random rankings by the thousand: the distribution of any measure, and of its mean over queries.

Each draw ranks the documents of every query at random and scores the rankings by the measures' own
formulas. p = (1 + hits) / (1 + draws), where a hit is a draw that does as well as what was
observed: the observed ranking is, if the hypothesis holds, one more draw among the others, so that
p <= alpha never happens more often than alpha of the time, and p is never 0 (Davison and Hinkley
1997, section 4.2).

Draws come in units with random numbers of their own, so that any number of threads gives the same
bits. Measures that look equally deep share the rankings; what one gives does not depend on which
others are asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ParameterError
from ..parallel.blocks import counted, finished
from ..parallel.memory import fitting
from ..parallel.work import Arrays, bind
from ..parameters import Progress
from ..resampling.seeds import Purpose, stream
from ..scores.formulas import CWL_DEPTH
from ..scores.measures import Measure, parse_measure
from .chance_measures import chance_parameters
from .drawn_runs import Drawing, drawing_of
from .populations import Population
from .tails import TOLERANCE, Tails, checked_number

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST_DRAWS = 1 << 26  # means that are kept, 512 MiB
UNIT = 1 << 18  # relevant documents a unit
LONG_UNIT = 1 << 21  # the same where a unit would have few draws else
FEW_DRAWS = 64
ENTRY = 130  # bytes that a relevant document takes while it is drawn and scored
DRAWING = 20  # operations to draw a relevant document and score it
MOST_RELEVANT = 1 << 24  # in sight of one query
MOST_PLACES = 1 << 61  # numbered through in a unit; up to twice as many are, and fit 63 bits


@dataclass(frozen=True, eq=False, repr=False)
class Simulated:
    """The scores of random rankings in one measure."""

    #: mean over queries of each draw, ascending
    means: Floats
    #: for each query, how many draws scored at least, and at most, what was observed there;
    #: None where nothing was
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
class MonteCarlo(Tails):
    """The distribution of drawn scores."""

    method: ClassVar[str] = "monte-carlo"

    #: exact; the standard deviation is that of the draws where no formula is known
    mean: float
    standard_deviation: float
    simulated: Simulated

    def __repr__(self) -> str:
        return f"{super().__repr__()[:-1]}, {self.n_draws:,} draws>"

    @property
    def n_draws(self) -> int:
        """How many random rankings were drawn."""
        return self.simulated.n_draws

    @property
    def seed(self) -> int:
        """The number that, given as ``rng``, draws the same again."""
        return self.simulated.seed

    def cdf(self, score: float) -> float:
        """The share of draws with this score or a lower one."""
        return self._n_to(checked_number("score", score)) / self.n_draws

    def at_most(self, score: float) -> float:
        """(1 + hits) / (1 + draws); a hit scores as low or lower."""
        return (1 + self._n_to(score)) / (1 + self.n_draws)

    def at_least(self, score: float) -> float:
        """(1 + hits) / (1 + draws); a hit scores as high or higher."""
        below = np.searchsorted(self.simulated.means, score * (1 - TOLERANCE), "left")
        return (1 + self.n_draws - int(below)) / (1 + self.n_draws)

    def lowest_reaching(self, probability: float) -> float:
        """The lowest drawn score that this share of the draws stays at or below."""
        number = int(np.ceil(probability * self.n_draws * (1 - TOLERANCE)))
        return float(self.simulated.means[max(number, 1) - 1])

    def _n_to(self, score: float) -> int:
        """How many draws score as low or lower."""
        return int(np.searchsorted(self.simulated.means, score * (1 + TOLERANCE), "right"))


def simulate(
    measures: Sequence[Measure],
    population: Population,
    n_draws: int,
    seed: int,
    *,
    observed: Sequence[ArrayLike] | None = None,
    progress: Progress | None = None,
) -> list[Simulated]:
    """Draw random rankings and score them; one result a measure.

    ``observed`` has for each measure the queries' scores, or a row of them for each of several
    systems; hits have the same shape. ``progress`` is told of draws.
    """
    tallies = [
        _Tally(measure, n_draws, None if observed is None else np.asarray(observed[place]))
        for place, measure in enumerate(measures)
    ]
    groups: dict[tuple[float, bool], list[_Tally]] = {}
    for tally in tallies:
        groups.setdefault(_kind(tally.measure), []).append(tally)
    plans = [_plan(population, kind, group) for kind, group in groups.items()]
    n_units = sum(plan.n_units(n_draws) for plan in plans)
    count = counted(_in_draws(progress, n_draws), n_units)
    with _fitting(plans, n_draws):
        for plan in plans:
            work = bind(
                draw_unit,
                "random rankings",
                asked={
                    "n_draws": n_draws,
                    "n_documents": _one_or_all(population.n_documents),
                    "measures": plan.drawn.measures,
                    "seed": seed,
                },
                read={"drawn": "the runs or judgments"},
                drawn=plan.drawn,
                n_draws=n_draws,
                seed=seed,
            )
            found = finished(
                work,
                plan.n_units(n_draws),
                cost=plan.drawn.cost,
                layout=partial(plan.layout, n_draws),
                progress=count,
            )
            for unit, arrays in enumerate(found):
                plan.add(unit, arrays)
    n_queries = np.size(population.n_documents)
    return [tally.result(n_queries, seed) for tally in tallies]


def _one_or_all(numbers: ArrayLike) -> int | list[int]:
    """As a person would say them: once, where all queries have the same."""
    listed = np.ravel(numbers).astype(np.int64).tolist()
    return listed[0] if len(set(listed)) == 1 else listed


def _fitting(plans: Sequence[_Plan], n_draws: int) -> AbstractContextManager[None]:
    """Means of all draws are kept, and put in order in another place; threads draw their units."""
    n_measures = sum(len(plan.tallies) for plan in plans)
    return fitting(
        f"{n_draws:,} draws for {n_measures} measures",
        kept=8 * n_draws * (n_measures + 2),
        each_thread=ENTRY * max((min(p.drawn.entries, LONG_UNIT) for p in plans), default=0),
        advice="take fewer draws or measures",
    )


def reach_of(measure: Measure) -> float:
    """The rank below which a measure does not look, infinite where there is none."""
    name, parameters = chance_parameters(measure)
    cutoff = parameters.get("cutoff") or np.inf
    return float(min(cutoff, CWL_DEPTH if name in ("RBP", "INSQ") else np.inf))


def can_draw(measure: Measure, population: Population) -> bool:
    """Whether no query has too many relevant documents in sight."""
    in_sight = _in_sight(drawing_of(population, reach_of(measure)))
    return bool(in_sight.max() <= MOST_RELEVANT)


def ranks_in_sight(measure: Measure, population: Population) -> float:
    """How many ranks of relevant documents one draw has at most, over all queries."""
    return float(_in_sight(drawing_of(population, reach_of(measure))).sum())


def _in_draws(progress: Progress | None, n_draws: int) -> Progress | None:
    """The same in draws, where units are counted."""
    if progress is None:
        return None
    return lambda done, n_units: progress(n_draws * done // n_units, n_draws)


def _in_sight(drawing: Drawing) -> Floats:
    """How many relevant documents of each query may have to be laid out, 1 at least."""
    all_relevant = np.maximum(drawing.relevant, drawing.judged.sum(axis=0))
    in_sight: Floats = np.maximum(np.minimum(all_relevant, drawing.reach), 1.0)
    return in_sight


class _Tally:
    """What is kept of one measure's scores."""

    def __init__(self, measure: Measure, n_draws: int, observed: Floats | None) -> None:
        self.measure = measure
        self.means = np.zeros(n_draws)
        self.observed = observed
        self.at_least = None if observed is None else np.zeros(observed.shape, dtype=np.int64)
        self.at_most = None if observed is None else np.zeros(observed.shape, dtype=np.int64)

    def result(self, n_queries: int, seed: int) -> Simulated:
        means = np.sort(self.means) / n_queries
        return Simulated(means, self.at_least, self.at_most, len(means), seed)


@dataclass(frozen=True, eq=False)
class DrawnTogether:
    """Measures that share their rankings, what was observed in them, and how these are drawn."""

    measures: list[str]
    observed: list[Floats | None]
    draws_a_unit: int
    #: queries that are drawn together
    chunks: list[tuple[slice, Drawing]]
    #: relevant documents a unit
    entries: float

    @property
    def cost(self) -> float:
        """Operations a unit."""
        return self.entries * len(self.measures) * DRAWING


@dataclass(frozen=True, eq=False)
class _Plan:
    """Rankings to draw, and what is kept of the scores."""

    tallies: list[_Tally]
    drawn: DrawnTogether

    def n_units(self, n_draws: int) -> int:
        return -(-n_draws // self.drawn.draws_a_unit)

    def layout(self, n_draws: int, unit: int) -> list[tuple[tuple[int, ...], type]]:
        """Return the shapes and types of what ``add`` takes."""
        size = min(self.drawn.draws_a_unit, n_draws - unit * self.drawn.draws_a_unit)
        parts: list[tuple[tuple[int, ...], type]] = []
        for tally in self.tallies:
            parts.append(((size,), np.float64))
            if tally.observed is not None:
                parts += [(tally.observed.shape, np.int64)] * 2
        return parts

    def add(self, unit: int, arrays: Arrays) -> None:
        """What a unit found: for each measure sums of scores, and hits where some can be."""
        begin = unit * self.drawn.draws_a_unit
        rest = iter(arrays)
        for tally in self.tallies:
            sums = next(rest)
            tally.means[begin : begin + sums.size] = sums
            if tally.at_least is not None and tally.at_most is not None:
                tally.at_least += next(rest)
                tally.at_most += next(rest)


def draw_unit(unit: int, *, drawn: DrawnTogether, n_draws: int, seed: int) -> Arrays:
    """Draw one unit and score it by every measure: see ``_Plan.add``."""
    size = min(drawn.draws_a_unit, n_draws - unit * drawn.draws_a_unit)
    generators = [
        stream(seed, Purpose.random_rankings, unit, number) for number in range(len(drawn.chunks))
    ]
    formulas = [parse_measure(name).formula for name in drawn.measures]
    sums = np.zeros((len(formulas), size))
    hits = [
        None if seen is None else np.zeros((2, *seen.shape), np.int64) for seen in drawn.observed
    ]
    for generator, (queries, drawing) in zip(generators, drawn.chunks, strict=True):
        run = drawing.drawn(size, generator)
        for k, formula in enumerate(formulas):
            assert formula is not None  # as ``chance_parameters`` saw
            scores = formula(run).reshape(-1, size)
            sums[k] += scores.sum(axis=0)
            seen, counts = drawn.observed[k], hits[k]
            if seen is not None and counts is not None:
                counts[..., queries] = _hits(scores, seen[..., queries, None])
    parts = zip(sums, hits, strict=True)
    return tuple(array for row, both in parts for array in (row, *(() if both is None else both)))


def _hits(scores: Floats, seen: Floats) -> Ints:
    """How many draws (columns) score at least, and at most, what was seen on each query."""
    high = (scores >= seen * (1 - TOLERANCE)).sum(axis=-1)
    return np.stack((high, (scores <= seen * (1 + TOLERANCE)).sum(axis=-1)))


def _kind(measure: Measure) -> tuple[float, bool]:
    """Measures of a kind share rankings; ERR, which needs more memory, is one by itself."""
    return reach_of(measure), chance_parameters(measure)[0] == "ERR"


def _plan(population: Population, kind: tuple[float, bool], tallies: list[_Tally]) -> _Plan:
    reach, in_table = kind
    drawing = drawing_of(population, reach)
    in_sight = _in_sight(drawing)
    if in_sight.max() > MOST_RELEVANT:
        # ERR, the one in a table, has no variance to match
        rough = "" if in_table else ", or make do with the approximation matched-moments"
        raise ParameterError(
            f"monte-carlo draws the rank of each relevant document, {MOST_RELEVANT:,} a query at "
            f"most; got {in_sight.max():,.0f} (give the measure a cutoff{rough})"
        )
    # ERR lays out a table with a column for each document of the query that has most
    entries = np.full(len(drawing), in_sight.max()) if in_table else in_sight
    total = entries.sum()
    draws = max(UNIT // total, min(FEW_DRAWS, LONG_UNIT // total), 1)
    places = drawing.places.astype(np.float64)
    draws = min(draws, MOST_PLACES // places.max(initial=1.0))
    full = np.cumsum(entries) // LONG_UNIT, np.cumsum(places * draws) // MOST_PLACES
    ends = np.flatnonzero(np.diff(full).any(axis=0)) + 1
    parts = [slice(a, b) for a, b in pairwise([0, *ends.tolist(), len(drawing)])]
    drawn = DrawnTogether(
        measures=[tally.measure.name for tally in tallies],
        observed=[tally.observed for tally in tallies],
        draws_a_unit=int(draws),
        chunks=[(queries, drawing[queries]) for queries in parts],
        entries=float(draws * total),
    )
    return _Plan(tallies, drawn)
