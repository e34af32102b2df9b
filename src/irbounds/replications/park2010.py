"""Park (2010), Confidence intervals for information retrieval evaluation: Tables 1 to 8.

The population is the AP of 110 systems on the 249 topics of TREC 2004 Robust. For each system,
1,000 samples of n topics are drawn without replacement, and the intervals that miss the system's
mean over all topics are counted: with the standard deviation known (Tables 1 and 3) and estimated
(2 and 4), of AP (1 and 2) and of AP standardised by all systems (3 and 4). Tables 5 to 8
standardise by five systems that are drawn anew for every sample. Table 8 does so on another
collection, TREC-3: 40 systems on 50 topics. Where its scores are missing, TREC-8 takes its place.

Five systems may have the same score on a topic, mostly 0, so that their standard deviation is 0.
The paper does not say what it did. Here such a topic is left out of the sample and of the
population's mean.

The paper does not say either whether the five systems may include the system under test. On TREC-3
its numbers are those of five *other* systems, so Table 8 draws from the other 39 there. Means over
16 seeds, each with 1,000 samples per system, at alpha = 0.05 and alpha = 0.40:

    ===============  =====================  =====================
    five systems of  mean, sd, max at 0.05  mean, sd, max at 0.40
    ===============  =====================  =====================
    all 40           0.056, 0.018, 0.111    0.404, 0.023, 0.454
    the other 39     0.056, 0.020, 0.118    0.408, 0.024, 0.461
    the paper        0.055, 0.021, 0.142    0.409, 0.028, 0.471
    ===============  =====================  =====================

All ten means of the other 39 are within 0.002 of the paper's, of all 40 within 0.006. The maximum
at 0.05 is the error of one poor system (mean AP 0.029). It has a standard deviation of 0.009 to
0.010 over runs with 1,000 samples, so the paper's 0.142 is high, but by chance.

Tables 5 to 7 draw from all 110 systems. The other 109 would move no mean of Table 5 by more than
0.003, and would widen the intervals of Table 7 by 2 % (n = 5: 3.38 to 3.46; the paper has 3.456).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..parallel.progress import show_progress
from ..planning.interval_coverage import (
    CoveragePlan,
    Draw,
    DrawFrom,
    DrawnSamples,
    Tally,
    count_samples,
    tally_misses,
)
from ..resampling.seeds import Purpose, SeedLike, seed_number, stream
from ..results.result import Answer, Results
from ..scores.score_table import ScoreTable
from ..standardisation.transforms import standardise_scores as standardise
from ..validation import Progress, check_count
from .paper_tables import StudyTable
from .park_presentation import answer_park
from .study_data import SCORES, check_population, has_data_file, read_population

if TYPE_CHECKING:
    from .commands import Park2010Request

Floats = NDArray[np.float64]

#: files with their numbers of systems and queries, which a simulated collection has too
ROBUST = ("robust2004_ap.csv", 110, 249)
TREC3 = ("adhoc3_ap.csv", 40, 50)
TREC8 = ("adhoc8_ap.csv", 129, 50)
OTHER_COLLECTION = 8  # the table that is on another collection than the others

ALPHAS = tuple(k / 100 for k in range(5, 55, 5))
SIZES = (2, 5, 10, 20, 50)
SMALL = 5  # the sample of all tables but 6 and 7
N_REFERENCES = 5
METHODS = ("normal", "student-t")
TITLES = {
    1: "Type I error, AP, standard deviation known, n = 5",
    2: "Type I error, AP, standard deviation estimated, n = 5",
    3: "Type I error, AP standardised by all systems, standard deviation known, n = 5",
    4: "Type I error, AP standardised by all systems, standard deviation estimated, n = 5",
    5: "Type I error, AP standardised by five systems, standard deviation estimated, n = 5",
    6: "Type I error as n increases, alpha = 0.05, standard deviation estimated",
    7: "Width of the interval of AP standardised by five systems, alpha = 0.05",
    8: "Type I error on another collection, AP standardised by five systems, n = 5",
}
# fmt: off
#: mean, standard deviation and maximum over systems, by alpha from 0.05 to 0.50
THEIRS = {
    1: ((0.040, 0.005, 0.051), (0.088, 0.009, 0.109), (0.139, 0.012, 0.161), (0.191, 0.014, 0.208),
        (0.242, 0.014, 0.269), (0.295, 0.013, 0.320), (0.348, 0.011, 0.376), (0.400, 0.010, 0.424),
        (0.452, 0.010, 0.482), (0.502, 0.010, 0.533)),
    2: ((0.082, 0.027, 0.255), (0.133, 0.027, 0.299), (0.179, 0.026, 0.340), (0.224, 0.024, 0.377),
        (0.269, 0.021, 0.407), (0.315, 0.020, 0.440), (0.362, 0.018, 0.480), (0.410, 0.018, 0.520),
        (0.458, 0.018, 0.559), (0.504, 0.018, 0.602)),
    3: ((0.046, 0.006, 0.062), (0.094, 0.009, 0.118), (0.142, 0.012, 0.175), (0.192, 0.014, 0.221),
        (0.243, 0.015, 0.273), (0.292, 0.016, 0.324), (0.342, 0.016, 0.376), (0.392, 0.016, 0.424),
        (0.443, 0.017, 0.474), (0.493, 0.017, 0.533)),
    4: ((0.050, 0.010, 0.090), (0.097, 0.011, 0.143), (0.146, 0.012, 0.195), (0.195, 0.014, 0.248),
        (0.245, 0.016, 0.294), (0.295, 0.017, 0.334), (0.346, 0.018, 0.383), (0.397, 0.019, 0.441),
        (0.448, 0.020, 0.508), (0.499, 0.020, 0.559)),
    5: ((0.062, 0.017, 0.157), (0.114, 0.021, 0.212), (0.166, 0.024, 0.270), (0.217, 0.025, 0.312),
        (0.270, 0.026, 0.358), (0.324, 0.025, 0.408), (0.379, 0.025, 0.468), (0.435, 0.025, 0.520),
        (0.491, 0.026, 0.579), (0.543, 0.025, 0.634)),
    8: ((0.055, 0.021, 0.142), (0.104, 0.024, 0.204), (0.153, 0.025, 0.249), (0.203, 0.026, 0.293),
        (0.253, 0.024, 0.340), (0.303, 0.026, 0.379), (0.355, 0.027, 0.421), (0.409, 0.028, 0.471),
        (0.462, 0.028, 0.525), (0.514, 0.027, 0.572)),
}
#: by n: the errors of AP and of standardised AP (Table 6), and the width of the interval of
#: standardised AP (Table 7)
THEIR_TABLE_6 = ((0.081, 0.083, 0.066, 0.053, 0.029), (0.050, 0.062, 0.068, 0.068, 0.054))
THEIR_TABLE_7 = (20.217, 3.456, 2.172, 1.518, 0.981)
# fmt: on


def answer_park2010(request: Park2010Request) -> Answer[Results[StudyTable]]:
    """Return Tables 1 to 8 on the collections of the request."""
    seed = request.seed
    population = read_population(request.data, *ROBUST, seed)
    has_trec3 = request.data is None or has_data_file(request.data, SCORES, TREC3[0])
    other = read_population(request.data, *(TREC3 if has_trec3 else TREC8), seed + 1)
    with show_progress("trying samples") as progress:
        tables = replicate_park2010(
            population,
            other,
            n_samples=request.n_samples,
            rng=seed,
            progress=progress,
            others_only=has_trec3,
        )
    agree = count_agreeing_queries(population, seed)
    notes = [f"queries on which five random systems agree, left out: {agree:.2f} on average"]
    if has_trec3:
        n_others = len(other.systems) - 1
        notes.append(f"Table 8: the five systems are drawn from the other {n_others}, not from all")
    else:
        notes.append("Table 8 is on TREC-8 in place of TREC-3, which is not among the data")
    return answer_park(
        tables,
        [table for table in tables if has_trec3 or table.number != OTHER_COLLECTION],
        ("normal", "student-t", "standardised"),
        request,
        notes,
        (*population.inputs, *other.inputs),
    )


def replicate_park2010(
    population: ScoreTable,
    other: ScoreTable,
    *,
    n_samples: int = 1000,
    rng: SeedLike = None,
    progress: Progress | None = None,
    others_only: bool = False,
) -> tuple[StudyTable, ...]:
    """Return Tables 1 to 8 on the first measures of ``population`` and, for Table 8, of ``other``.

    With ``others_only`` Table 8 standardises a system by five others, never by itself.
    """
    for table, least in ((population, max(SIZES)), (other, SMALL)):
        check_population(table, N_REFERENCES + 1, least)
    seed = seed_number(rng)
    n_systems, n_others = len(population.systems), len(other.systems)
    n_samples = check_count("n_samples", n_samples, minimum=2)
    n_tallies = 2 * len(SIZES) + 1  # AP and by five systems for every n, by all systems for one
    plan = CoveragePlan(
        METHODS,
        [1 - alpha for alpha in ALPHAS],
        n_samples,
        n_resamples=0,
        seed=seed,
    )
    step = count_samples(progress, n_tallies * n_systems + n_others, n_samples)
    by_all = standardise(population).values[0]
    raw = _tally_sizes(
        DrawFrom(population.values[0], replacement=False), n_systems, SIZES, plan, step
    )
    all_ = _tally_sizes(DrawFrom(by_all, replacement=False), n_systems, [SMALL], plan, step)
    few = _tally_sizes(DrawStandardised(population.values[0]), n_systems, SIZES, plan, step)
    draw_other = DrawStandardised(other.values[0], others_only=others_only)
    elsewhere = _tally_sizes(draw_other, n_others, [SMALL], plan, step)
    return (
        _error_table(1, raw[SMALL], "normal"),
        _error_table(2, raw[SMALL], "student-t"),
        _error_table(3, all_[SMALL], "normal"),
        _error_table(4, all_[SMALL], "student-t"),
        _error_table(5, few[SMALL], "student-t"),
        _table_6(raw, few),
        _table_7(few),
        _error_table(8, elsewhere[SMALL], "student-t"),
    )


def _tally_sizes(
    draw: Draw,
    n_systems: int,
    sizes: Sequence[int],
    plan: CoveragePlan,
    step: Callable[[], None] | None,
) -> dict[int, Tally]:
    return {n: tally_misses(draw, n_systems, n, plan, step) for n in sizes}


@dataclass(frozen=True, eq=False)
class DrawStandardised:
    """Samples of scores standardised by systems drawn anew for each sample (section 5.2)."""

    population: Floats
    n_references: int = N_REFERENCES
    #: whether a system is never among those that it is standardised by
    others_only: bool = False

    def __call__(
        self, system: int, n: int, n_samples: int, generator: np.random.Generator
    ) -> DrawnSamples:
        """Return samples of n scores of a system."""
        population, n_references = self.population, self.n_references
        keys = generator.random((n_samples, len(population)))
        if self.others_only:
            keys[:, system] = np.inf
        references = population[np.argpartition(keys, n_references, axis=1)[:, :n_references]]
        scores, agree = _standardise(population[system], references)
        order = generator.random(scores.shape)
        order[agree] = np.inf
        places = np.argpartition(order, n - 1, axis=1)[:, :n]
        mean, sigma = _moments(scores, agree)
        return DrawnSamples(np.take_along_axis(scores, places, axis=1), mean, sigma)


def _standardise(scores: Floats, references: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Standardise scores by references (sample x system x query); 0 where those agree."""
    agree = references.max(axis=1) == references.min(axis=1)
    deviation = np.where(agree, 1, references.std(axis=1, ddof=1))
    return np.where(agree, 0, (scores - references.mean(axis=1)) / deviation), agree


def _moments(scores: Floats, agree: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Return mean and standard deviation of each row over the queries where references differ."""
    n = np.count_nonzero(~agree, axis=1)
    mean = scores.sum(axis=1) / n
    squares = np.where(agree, 0, (scores - mean[:, None]) ** 2).sum(axis=1)
    return mean, np.sqrt(squares / n)


def count_agreeing_queries(population: ScoreTable, rng: SeedLike = None) -> float:
    """Return the mean number of queries on which five random systems have the same score."""
    scores = population.values[0]
    generator = stream(seed_number(rng), Purpose.references)
    keys = generator.random((1000, len(scores)))
    references = scores[np.argpartition(keys, N_REFERENCES, axis=1)[:, :N_REFERENCES]]
    return float((references.max(axis=1) == references.min(axis=1)).sum(axis=1).mean())


def _error_table(number: int, tally: Tally, method: str) -> StudyTable:
    m = METHODS.index(method)
    errors = tally.errors[:, m]
    return StudyTable(
        study="park2010",
        number=number,
        title=TITLES[number],
        corner="alpha",
        rows=tuple(f"{alpha:.2f}" for alpha in ALPHAS),
        columns=("mean", "sd", "max"),
        ours=tuple((float(e.mean()), float(e.std(ddof=1)), float(e.max())) for e in errors.T),
        theirs=THEIRS[number],
        noise=tuple((tally.error_noise(m, k), np.nan, np.nan) for k in range(len(ALPHAS))),
    )


def _table_6(raw: dict[int, Tally], few: dict[int, Tally]) -> StudyTable:
    """Return Table 6: errors by n, of AP and of AP standardised by five systems."""
    m = METHODS.index("student-t")
    tallies = [[by_size[n] for n in SIZES] for by_size in (raw, few)]
    return _size_table(
        6,
        ("AP error", "sAP error"),
        tuple(tuple(float(t.errors[:, m, 0].mean()) for t in row) for row in tallies),
        THEIR_TABLE_6,
        tuple(tuple(t.error_noise(m, 0) for t in row) for row in tallies),
    )


def _table_7(few: dict[int, Tally]) -> StudyTable:
    """Return Table 7: widths by n."""
    widths = [few[n].width(METHODS.index("student-t"), 0) for n in SIZES]
    ours, noise = zip(*widths, strict=True)
    return _size_table(7, ("CI width",), (ours,), (THEIR_TABLE_7,), (noise,))


def _size_table(
    number: int,
    rows: tuple[str, ...],
    ours: tuple[tuple[float, ...], ...],
    theirs: tuple[tuple[float, ...], ...],
    noise: tuple[tuple[float, ...], ...],
) -> StudyTable:
    columns = tuple(f"n = {n}" for n in SIZES)
    return StudyTable("park2010", number, TITLES[number], "", rows, columns, ours, theirs, noise)
