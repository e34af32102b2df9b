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

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import irbounds
from irbounds.errors import InputError
from irbounds.standardisation import standardise_scores

from .coverage import Draw, Samples, Tally, draw_from, tally_misses
from .data import find_file

Floats = NDArray[np.float64]
Row = tuple[str, str, str, float, float]

ALPHAS = tuple(k / 100 for k in range(5, 55, 5))
SIZES = (2, 5, 10, 20, 50)
SMALL = 5  # the sample of all tables but 6 and 7
N_REFERENCES = 5
NORMAL, STUDENT = METHODS = ("normal", "student-t")
N_SAMPLES = 1000
SEED = 0
TREC8 = "Table 8 on TREC-8"
# fmt: off
#: mean, standard deviation and maximum over systems, by alpha from 0.05 to 0.50
PAPER = {
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
PAPER_TABLE_6 = ((0.081, 0.083, 0.066, 0.053, 0.029), (0.050, 0.062, 0.068, 0.068, 0.054))
PAPER_TABLE_7 = (20.217, 3.456, 2.172, 1.518, 0.981)
# fmt: on


def rows(data: Path, scale: float) -> Iterator[Row]:
    """Yield table, row, column, the paper's number and ours; ``scale`` is of the samples."""
    population = irbounds.read_scores(find_file(data, "scores/robust2004_ap.csv"), measure="AP")
    try:
        file, others_only, title = find_file(data, "scores/adhoc3_ap.csv"), True, "Table 8"
    except InputError:
        file, others_only, title = find_file(data, "scores/adhoc8_ap.csv"), False, TREC8
    other = irbounds.read_scores(file, measure="AP")
    n_samples = max(round(scale * N_SAMPLES), 2)
    by_all = standardise_scores(population).values[0]
    scores = population.values[0]
    raw = tally_sizes(draw_from(scores, replacement=False), len(scores), SIZES, n_samples)
    all_ = tally_sizes(draw_from(by_all, replacement=False), len(scores), [SMALL], n_samples)
    few = tally_sizes(draw_standardised(scores), len(scores), SIZES, n_samples)
    draw_other = draw_standardised(other.values[0], others_only=others_only)
    elsewhere = tally_sizes(draw_other, len(other.systems), [SMALL], n_samples)
    yield from error_rows("Table 1", PAPER[1], raw[SMALL], NORMAL)
    yield from error_rows("Table 2", PAPER[2], raw[SMALL], STUDENT)
    yield from error_rows("Table 3", PAPER[3], all_[SMALL], NORMAL)
    yield from error_rows("Table 4", PAPER[4], all_[SMALL], STUDENT)
    yield from error_rows("Table 5", PAPER[5], few[SMALL], STUDENT)
    student = METHODS.index(STUDENT)
    for name, tallies, paper in zip(
        ("AP error", "sAP error"), (raw, few), PAPER_TABLE_6, strict=True
    ):
        for n, theirs in zip(SIZES, paper, strict=True):
            ours = float(tallies[n].errors[:, student, 0].mean())
            yield "Table 6", name, f"n = {n}", theirs, ours
    for n, theirs in zip(SIZES, PAPER_TABLE_7, strict=True):
        ours = few[n].mean_of(few[n].widths, student, 0)
        yield "Table 7", "CI width", f"n = {n}", theirs, ours
    yield from error_rows(title, PAPER[8], elsewhere[SMALL], STUDENT)


def tally_sizes(
    draw: Draw, n_systems: int, sizes: Sequence[int], n_samples: int, seed: int = SEED
) -> dict[int, Tally]:
    """Return the misses of both methods by the number of topics in a sample."""
    levels = [1 - alpha for alpha in ALPHAS]
    return {
        n: tally_misses(
            draw, n_systems, n, methods=METHODS, levels=levels, n_samples=n_samples, seed=seed
        )
        for n in sizes
    }


def draw_standardised(population: Floats, *, others_only: bool = False) -> Draw:
    """Return a function that draws samples standardised by five systems (section 5.2).

    The five systems are drawn anew for each sample. With ``others_only`` a system is never among
    those that it is standardised by.
    """

    def draw(system: int, n: int, n_samples: int, generator: np.random.Generator) -> Samples:
        keys = generator.random((n_samples, len(population)))
        if others_only:
            keys[:, system] = np.inf
        references = population[np.argpartition(keys, N_REFERENCES, axis=1)[:, :N_REFERENCES]]
        agree = references.max(axis=1) == references.min(axis=1)
        deviation = np.where(agree, 1, references.std(axis=1, ddof=1))
        differences = population[system] - references.mean(axis=1)
        scores = np.where(agree, 0, differences / deviation)

        order = generator.random(scores.shape)
        order[agree] = np.inf
        places = np.argpartition(order, n - 1, axis=1)[:, :n]

        n_usable = np.count_nonzero(~agree, axis=1)
        mean = scores.sum(axis=1) / n_usable
        squares = np.where(agree, 0, (scores - mean[:, None]) ** 2).sum(axis=1)
        sigma = np.sqrt(squares / n_usable)
        return Samples(np.take_along_axis(scores, places, axis=1), mean, sigma)

    return draw


def error_rows(
    table: str, paper: Sequence[Sequence[float]], tally: Tally, method: str
) -> Iterator[Row]:
    """Yield the mean, the standard deviation and the maximum of the error over systems."""
    for k, (alpha, theirs) in enumerate(zip(ALPHAS, paper, strict=True)):
        errors = tally.errors[:, METHODS.index(method), k]
        ours = (errors.mean(), errors.std(ddof=1), errors.max())
        for column, printed, number in zip(("mean", "sd", "max"), theirs, ours, strict=True):
            yield table, f"{alpha:.2f}", column, printed, float(number)
