"""Replicate Webber (2013), Approximate recall confidence intervals, ACM TOIS 31(1).

Numbers from formulas agree with the paper to every printed digit, but for the mean coverage of
Wald's interval: it is 0.846 by Equation 11, and the text has 0.851, which n - 1 in place of n
gives. Tables IX and X come from random corpora and samples, the paper's and ours.

- The paper does not define the n of naive-binomial, here the relevant documents in both samples.
- The uniform prior in the neutral scenario: in two or three of 1,000 corpora so little is left
  unretrieved that no interval contains the recall. Each adds 0.0009 to the square of the RMSE, and
  five or six would make the paper's 0.072.
- Scenarios: "min" in rows of precision is read as max, "max" in rows of sizes as min; no other
  reading is possible. Impossible corpora, and those with a recall of 0 or 1, are drawn again.
- Figures 3, 8 and 15 to 17 have no printed numbers, and sizes that the text does not name are ours.
  Upper ends of Figure 17 are 1 where nothing relevant is expected in the unretrieved sample.
- CLEF TAR 2017, real retrieved sets whose recall is known, is not in the paper. The sets of the
  ``thresh`` runs that contain all relevant documents are a group of their own; the ranked run is
  cut after a twentieth of each topic.
"""

from __future__ import annotations

import csv
import math
import warnings
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

import irbounds
from irbounds import Qrels, Run, read_qrels, read_run
from irbounds.errors import DegenerateSampleWarning
from irbounds.intervals.binary_scores import find_clopper_pearson_limit
from irbounds.planning.recall import find_best_split, posterior_ends
from irbounds.resampling.seeds import Purpose, stream
from irbounds.samples import Stratum
from irbounds.samples.counts import Counts
from irbounds.samples.hypergeometric import hypergeometric_masses
from irbounds.samples.normal import normal
from irbounds.samples.priors import most_conservative_prior, parse_prior
from irbounds.samples.quantities import CLOSED_FORMS
from irbounds.samples.vectorised import posterior_limits

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Row = tuple[str, str, str, float, float]

NAN = math.nan
LEVEL = 0.95
ENDS = (0.025, 0.975)
N_REALISATIONS = N_SAMPLES = 1000
ROUNDING = 1e-12  # tolerance of an end that equals the true recall
#: the nine methods of Table IV, with the prior after a space
METHODS = (
    *("naive-binomial", "normal", "laplace", "agresti-coull", "koopman", "beta-jeffreys"),
    *("beta-binomial uniform", "beta-binomial most-conservative", "beta-binomial 0.5"),
)
#: as printed, by scenario: RMSE (Table IX), mean width and mean coverage (Table X) of the methods
SCENARIOS = {
    "neutral": (
        (0.252, 0.225, 0.107, 0.215, 0.016, 0.026, 0.072, 0.020, 0.014),
        (0.23, 0.18, 0.22, 0.19, 0.22, 0.22, 0.21, 0.22, 0.22),
        (0.83, 0.86, 0.92, 0.87, 0.96, 0.94, 0.94, 0.95, 0.95),
    ),
    "legal": (
        (0.281, 0.189, 0.110, 0.251, 0.011, 0.014, 0.014, 0.015, 0.013),
        (0.21, 0.21, 0.23, 0.19, 0.26, 0.26, 0.24, 0.26, 0.26),
        (0.80, 0.87, 0.90, 0.82, 0.95, 0.95, 0.95, 0.95, 0.95),
    ),
    "small": (
        (0.063, 0.155, 0.034, 0.120, 0.026, 0.042, 0.012, 0.014, 0.012),
        (0.29, 0.21, 0.22, 0.21, 0.24, 0.19, 0.22, 0.21, 0.21),
        (0.95, 0.89, 0.94, 0.89, 0.97, 0.92, 0.95, 0.95, 0.95),
    ),
}
#: as printed in Table IX, over the three scenarios
MEAN_ERRORS = (0.199, 0.189, 0.084, 0.195, 0.017, 0.027, 0.033, 0.016, 0.013)
#: as printed in Table XII, by topic and team: recall, then both ends by each of the methods
LEGAL_METHODS = ("beta-binomial", "normal", "laplace")
LEGAL = {
    ("201", "UW"): (0.778, 0.451, 0.929, 0.485, 1.070, 0.351, 0.916),
    ("201", "CS"): (0.489, 0.287, 0.593, 0.304, 0.673, 0.226, 0.593),
    ("201", "CB"): (0.204, 0.119, 0.250, 0.126, 0.282, 0.093, 0.247),
    ("201", "UP"): (0.167, 0.097, 0.208, 0.102, 0.231, 0.076, 0.205),
    ("202", "UW"): (0.673, 0.523, 0.768, 0.542, 0.803, 0.501, 0.771),
    ("202", "CS"): (0.579, 0.451, 0.662, 0.467, 0.692, 0.432, 0.664),
    ("203", "UW"): (0.865, 0.625, 0.881, 0.832, 0.897, 0.552, 0.940),
    ("203", "UB"): (0.592, 0.427, 0.621, 0.552, 0.631, 0.378, 0.652),
    ("203", "ZL-NoCull"): (0.175, 0.123, 0.185, 0.157, 0.192, 0.105, 0.185),
    ("203", "ZL-Cull"): (0.029, 0.019, 0.034, 0.023, 0.035, 0.016, 0.033),
    ("204", "H5"): (0.762, 0.572, 0.882, 0.595, 0.930, 0.538, 0.874),
    ("204", "UD"): (0.305, 0.229, 0.360, 0.235, 0.374, 0.216, 0.358),
    ("204", "CB"): (0.198, 0.148, 0.240, 0.151, 0.246, 0.140, 0.238),
    ("205", "CS"): (0.673, 0.593, 0.738, 0.599, 0.747, 0.587, 0.737),
    ("205", "EQ"): (0.463, 0.404, 0.509, 0.409, 0.516, 0.399, 0.505),
    ("205", "IN"): (0.292, 0.253, 0.327, 0.254, 0.329, 0.250, 0.325),
    ("206", "CB-High"): (0.076, 0.052, 0.112, 0.046, 0.106, 0.049, 0.109),
    ("206", "LO"): (0.042, 0.025, 0.069, 0.020, 0.063, 0.023, 0.067),
    ("206", "CB-Mid"): (0.011, 0.007, 0.015, 0.007, 0.015, 0.007, 0.014),
    ("206", "CB-Low"): (0.009, 0.006, 0.013, 0.006, 0.013, 0.005, 0.012),
    ("207", "CB"): (0.768, 0.698, 0.798, 0.723, 0.813, 0.689, 0.802),
    ("207", "UW"): (0.761, 0.689, 0.791, 0.714, 0.807, 0.677, 0.791),
    ("207", "LO"): (0.538, 0.489, 0.566, 0.503, 0.573, 0.484, 0.569),
    ("207", "EQ"): (0.483, 0.437, 0.507, 0.451, 0.515, 0.430, 0.507),
}
#: the paper's name of a team, and the sheet's
RENAMED = {("204", "UD"): "AD"}
#: Figures 2 and 3: documents, relevant and sampled ones of both segments; other yields are divided
RETRIEVED, UNRETRIEVED = (2_000, 1_000, 100), (100_000, 3_000, 100)
DIVISORS = (1, 3, 10)
UNRETRIEVED_SAMPLES = (25, 50, 100, 200, 400, 800, 1600, 3200)
#: Figures 4 to 7: the mean coverages that the text gives
PROPORTION_COVERAGES = {
    **{"clopper-pearson": 0.977, "wald": 0.851, "wald, n - 1": 0.851},
    **{"wilson": 0.953, "jeffreys": 0.951},
}
N_SAMPLED = 20
QUARTILES = {"first quartile": 0.25, "median": 0.5, "third quartile": 0.75}
#: Figure 8
POPULATIONS, SAMPLED = (20, 50, 100, 200, 500, 1000), (0.1, 0.2, 0.4, 0.6, 0.7, 0.8, 0.9, 0.95)
#: Figures 15 to 17
CORPUS, BUDGET, SIZES = 5_000_000, 5_000, (500_000, 50_000, 5_000)
SPLITS = (0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 0.98)
QUALITIES = ((0.5, 0.5), (0.2, 0.8), (0.8, 0.2), (0.8, 0.8), (0.2, 0.2))  # recall and precision
BUDGETS = (100, 500, 1_000, 5_000, 10_000, 50_000)
#: CLEF TAR 2017: documents to sample, or all; the fraction of a topic where the run is cut
CLEF_SAMPLES, CUT = (100, 300), 0.05
CLEF_RUNS = ("waterloo-A-thresh-normal.run", "waterloo-B-thresh-normal.run")
CLEF_RANKED, CLEF_QRELS = "waterloo-A-rank-normal.run", "qrel_abs_test.txt"


class Corpus(NamedTuple):
    """A corpus with a retrieved set of known recall, and the sizes of the samples to draw."""

    retrieved: int
    unretrieved: int
    relevant_retrieved: int
    relevant_unretrieved: int
    retrieved_sample: int
    unretrieved_sample: int

    @property
    def recall(self) -> float:
        """The true recall."""
        return self.relevant_retrieved / (self.relevant_retrieved + self.relevant_unretrieved)


class Coverage(NamedTuple):
    """Fractions of samples and mean widths of intervals, corpus x method."""

    #: the true recall is below the interval, above it, or there is none
    below: Floats
    above: Floats
    without: Floats
    widths: Floats

    @property
    def inside(self) -> Floats:
        """The fractions of intervals that contain the true recall."""
        return np.maximum(1 - self.below - self.above - self.without, 0)


def rows(data: Path, scale: float) -> Iterator[tuple[str, str, str, float, float]]:
    """Yield table, row, column, the paper's number and ours."""
    n_realisations = max(round(scale * N_REALISATIONS), 2)
    n_samples = max(round(scale * N_SAMPLES), 2)
    yield from estimator_rows()
    yield from proportion_rows()
    for size in POPULATIONS:
        for part in SAMPLED:
            alpha = most_conservative_prior(size, part * size)
            yield "Figure 8", f"{size:,}", f"{part:.0%}", NAN, alpha
    yield from width_rows()
    yield from coverage_rows(n_realisations, n_samples)
    yield from legal_rows(data)
    yield from clef_rows(data, n_samples)


# ---- figures without random samples ----


def estimator_rows() -> Iterator[Row]:
    """Yield Figure 2 and Table III, and the bias of the estimator by the unretrieved sample."""
    yield "Figure 2", "Table III", "recall", 0.25, 0.25
    yield "Figure 2", "Table III", "mean estimate", 0.31, mean_estimate(RETRIEVED, UNRETRIEVED)
    size, relevant, sampled = RETRIEVED
    rest, missed, _ = UNRETRIEVED
    cases = [((size // by, relevant // by, sampled), missed // by) for by in DIVISORS]
    for inside, rest_relevant in [*cases, (RETRIEVED, missed // DIVISORS[-1])]:
        recall = inside[1] / (inside[1] + rest_relevant)
        for n in UNRETRIEVED_SAMPLES:
            bias = mean_estimate(inside, (rest, rest_relevant, n)) - recall
            yield "Figure 3", f"{rest_relevant:,}, recall {recall:.2f}", f"{n:,}", NAN, bias


def mean_estimate(retrieved: tuple[int, int, int], unretrieved: tuple[int, int, int]) -> float:
    """Return the mean of estimated recall over all samples of which one is relevant."""
    yields, masses = [], []
    for documents, relevant, sampled in (retrieved, unretrieved):
        first, chances = hypergeometric_masses(documents, relevant, sampled)
        yields.append((first + np.arange(len(chances))) * documents / sampled)
        masses.append(chances)
    total = yields[0][:, None] + yields[1]
    both = np.outer(*masses) * (total > 0)
    estimates = yields[0][:, None] / np.where(total > 0, total, 1)
    return float((estimates * both).sum() / both.sum())


def find_wald_limit(n: float, n_ones: Floats, probability: float, side: str) -> Floats:
    """Return a normal limit of a proportion."""
    mean = n_ones / n
    return np.asarray(mean + special.ndtri(probability) * np.sqrt(mean * (1 - mean) / n))


def find_wilson_limit(n: float, n_ones: Floats, probability: float, side: str) -> Floats:
    """Return a limit of the proportions within z standard errors, those under the proportion."""
    z = special.ndtri(probability)
    spread = n_ones * (n - n_ones) / n + z**2 / 4
    return np.clip((n_ones + z**2 / 2 + z * np.sqrt(spread)) / (n + z**2), 0.0, 1.0)


def find_jeffreys_limit(n: float, n_ones: Floats, probability: float, side: str) -> Floats:
    """Return a quantile of the posterior with prior Beta(1/2, 1/2); 0 or 1 where it is certain."""
    limit = special.betaincinv(n_ones + 0.5, n - n_ones + 0.5, probability)
    if side == "low":
        return np.where(n_ones > 0, limit, 0.0)
    return np.where(n_ones < n, limit, 1.0)


PROPORTION_LIMITS: dict[str, Any] = {
    "wald": find_wald_limit,
    "wilson": find_wilson_limit,
    "jeffreys": find_jeffreys_limit,
    "clopper-pearson": find_clopper_pearson_limit,
}


def proportion_rows() -> Iterator[Row]:
    """Yield Figures 4 to 7: mean and lowest coverage over uniform prevalences."""
    n, count = N_SAMPLED, np.arange(N_SAMPLED + 1.0)
    prevalence = ((np.arange(2001) + 0.5) / 2001)[:, None]
    log_masses = special.xlogy(count, prevalence) + special.xlog1py(n - count, -prevalence)
    masses = np.exp(log_masses) * special.binom(n, count)
    for row, paper in PROPORTION_COVERAGES.items():
        method, _, has_unbiased_variance = row.partition(", ")
        find_limit = PROPORTION_LIMITS[method]
        low = find_limit(float(n), count, ENDS[0], "low")
        high = find_limit(float(n), count, ENDS[1], "high")
        if has_unbiased_variance:
            stretch = (math.sqrt(n / (n - 1)) - 1) * (high - low) / 2
            low, high = low - stretch, high + stretch
        within = special.betainc(count + 1, n - count + 1, high.clip(0, 1))
        within = within - special.betainc(count + 1, n - count + 1, low.clip(0, 1))
        yield "Figures 4 to 7", row, "mean", paper, float(within.mean())
        coverage = (masses * ((low <= prevalence) & (prevalence <= high))).sum(axis=1)
        yield "Figures 4 to 7", row, "lowest", NAN, float(coverage.min())


def width_rows() -> Iterator[Row]:
    """Yield Figures 15 to 17: widths of intervals by split, and by budget at the best split."""
    cases = [(15, f"{size:,}", size, 0.5, 0.5) for size in SIZES]
    for recall, precision in QUALITIES:
        cases.append((16, f"recall {recall}, precision {precision}", SIZES[0], recall, precision))
    for number, row, retrieved, recall, precision in cases:
        size = retrieved, CORPUS - retrieved
        found = round(retrieved * precision)
        relevant = found, round(retrieved * precision / recall) - found
        for split in SPLITS:
            width = width_at_expected_counts(size, relevant, round(split * BUDGET), BUDGET)
            yield f"Figure {number}", row, f"{split:.0%}", NAN, width
    for retrieved, method in product(SIZES, ("beta-binomial", "normal")):
        size, relevant = (retrieved, CORPUS - retrieved), (retrieved // 2, retrieved // 2)
        for budget in BUDGETS:
            options: dict[str, Any] = {"budget": budget, "method": method, "cap_at_one": True}
            width_of = partial(width_at_expected_counts, size, relevant, **options)
            best, _ = find_best_split(width_of, size, budget)
            yield "Figure 17", f"{retrieved:,}, {method}", f"{budget:,}", NAN, width_of(best)


def width_at_expected_counts(
    size: tuple[int, int],
    relevant: tuple[int, int],
    retrieved_sample: int,
    budget: int,
    method: str = "beta-binomial",
    cap_at_one: bool = False,
) -> float:
    """Return the width of the interval if the samples contain what is expected of them."""
    sampled = retrieved_sample, budget - retrieved_sample
    expected = np.array(sampled) * relevant / size
    if method == "normal":
        drawn = np.array(sampled, dtype=np.float64)
        counts = Counts(np.array([True, False]), np.array(size, float), drawn, expected, drawn)
        low, high = (float(normal(counts).limit(probability)) for probability in ENDS)
    else:
        (low,), (high,) = posterior_ends(size, sampled, expected[None], LEVEL)
    return float(max(high, 1.0 if cap_at_one and expected[1] < 0.5 else high) - low)


# ---- simulated coverage ----


def coverage_rows(n_realisations: int, n_samples: int) -> Iterator[Row]:
    """Yield Tables IX and X and Figures 10 to 14: coverage of nine methods in three scenarios."""
    all_errors = []
    for scenario, papers in SCENARIOS.items():
        coverage = simulate_scenario(scenario, n_realisations, n_samples)
        inside = coverage.inside
        errors, covered, widths = summarise(coverage)
        all_errors.append(errors)
        distance = np.round(np.abs(inside - LEVEL), 9)  # so that equal fractions of samples tie
        best = distance == distance.min(axis=1, keepdims=True)
        numbers = [
            ("Table IX", scenario, papers[0], errors),
            ("Table X", f"{scenario} width", papers[1], widths),
            ("Table X", f"{scenario} cvr", papers[2], covered),
            ("Figure 13", f"{scenario} below", None, coverage.below.mean(axis=0)),
            ("Figure 13", f"{scenario} above", None, coverage.above.mean(axis=0)),
            ("Figure 14", scenario, None, (best / best.sum(axis=1, keepdims=True)).mean(axis=0)),
        ]
        for name, probability in QUARTILES.items():
            quantile = np.quantile(inside, probability, axis=0)
            numbers.append(("Figures 10 to 12", f"{scenario} {name}", None, quantile))
        for table, column, printed, ours in numbers:
            for m, method in enumerate(METHODS):
                yield table, method, column, printed[m] if printed else NAN, float(ours[m])
    for method, paper, ours in zip(METHODS, MEAN_ERRORS, np.mean(all_errors, axis=0), strict=True):
        yield "Table IX", method, "mean", paper, float(ours)


def summarise(coverage: Coverage) -> tuple[Floats, Floats, Floats]:
    """Return RMSE from the level, mean coverage and mean width over corpora, per method."""
    errors = np.sqrt(((coverage.inside - LEVEL) ** 2).mean(axis=0))
    return errors, coverage.inside.mean(axis=0), np.nanmean(coverage.widths, axis=0)


def simulate_scenario(
    scenario: str,
    n_realisations: int,
    n_samples: int,
    methods: Sequence[str] = METHODS,
    seed: int = 0,
) -> Coverage:
    """Return the coverage of methods over corpora that are drawn from a scenario."""
    corpora = [draw_corpus(scenario, index, seed) for index in range(n_realisations)]
    return simulate_coverage(corpora, list(SCENARIOS).index(scenario), n_samples, methods, seed)


def draw_corpus(scenario: str, index: int, seed: int) -> Corpus:
    """Draw a corpus of a scenario; it depends only on the seed and the index."""
    draw = stream(seed, Purpose.recall_realisations, list(SCENARIOS).index(scenario), index)
    while True:
        if scenario == "neutral":  # Table VI
            population = 1000 * 2 ** draw.uniform(0, 12)
            prevalence = 0.02 * draw.uniform(1, 6) ** 2
            recall = draw.uniform(0.1, 1.0)
            lowest = max(0.1, 0.95 * prevalence, 1.05 * prevalence * recall)
        elif scenario == "legal":  # Table VII
            population = 5e5 * 10 ** draw.uniform(0, 2)
            prevalence = 2e-3 * 1.5 ** draw.uniform(1, 10)
            recall = 2.5e-3 * draw.uniform(1, 34) ** 1.65
            lowest = max(0.025, 2 * prevalence * recall)
        else:  # Table VIII
            population = 1000 * 10 ** draw.uniform(0, 1)
            prevalence = 0.02 * 1.5 ** draw.uniform(0, 6)
            recall = draw.uniform(0.1, 1.0)
            lowest = max(0.025, 2 * prevalence * recall)
        precision = draw.uniform(lowest, 1.0 if scenario == "neutral" else 0.92)
        relevant = round(population * prevalence)
        inside = round(relevant * recall)
        retrieved = round(inside / precision)
        missed = relevant - inside
        rest = round(population) - retrieved
        if inside and 0 < missed <= rest:
            break
    if scenario == "small":
        sizes = retrieved * draw.uniform(0.2, 0.5), rest * draw.uniform(0.05, 0.3)
    elif scenario == "neutral":
        sizes = double_sample(draw, 10, 10, retrieved), double_sample(draw, 10, 10, rest)
    else:
        sizes = double_sample(draw, 20, 8, retrieved), double_sample(draw, 100, 7, rest)
    first, second = (
        min(max(round(size), 1), segment)
        for size, segment in zip(sizes, (retrieved, rest), strict=True)
    )
    return Corpus(retrieved, rest, inside, missed, first, second)


def double_sample(
    draw: np.random.Generator, minimum: int, max_doublings: int, segment: int
) -> float:
    """Draw a sample size: a minimum, doubled as often as the segment and the limit allow."""
    doublings = min(max_doublings, np.floor(np.log2(segment / minimum)))
    return float(minimum * 2 ** (draw.random() * max(doublings, 0)))


def simulate_coverage(
    corpora: Sequence[Corpus],
    place: int,
    n_samples: int,
    methods: Sequence[str] = METHODS,
    seed: int = 0,
) -> Coverage:
    """Return the coverage of methods on the same samples; ``place`` selects their random stream."""
    sums = np.zeros((4, len(corpora), len(methods)))
    for c, corpus in enumerate(corpora):
        draw = stream(seed, Purpose.recall_samples, place, c, 0)
        counts, times = draw_samples(corpus, n_samples, draw)
        for m, method in enumerate(methods):
            below, above, widths = find_misses(counts, corpus, method)
            missing = np.isnan(widths)
            misses = (below & ~missing, above & ~missing, missing, np.where(missing, 0, widths))
            sums[:, c, m] = [times @ values for values in misses]
    below, above, without = sums[:3] / n_samples
    with np.errstate(invalid="ignore"):  # no sample has an interval
        return Coverage(below, above, without, sums[3] / (n_samples - sums[2]))


def draw_samples(
    corpus: Corpus, n_samples: int, draw: np.random.Generator
) -> tuple[Counts, Floats]:
    """Draw samples without replacement; return the distinct ones and how often each was drawn."""
    inside, outside = corpus.relevant_retrieved, corpus.relevant_unretrieved
    sampled = corpus.retrieved_sample, corpus.unretrieved_sample
    first = draw.hypergeometric(inside, corpus.retrieved - inside, sampled[0], n_samples)
    second = draw.hypergeometric(outside, corpus.unretrieved - outside, sampled[1], n_samples)
    pairs, times = np.unique(np.stack((first, second), axis=1), axis=0, return_counts=True)
    relevant = pairs.astype(np.float64)
    sizes = np.array([corpus.retrieved, corpus.unretrieved], np.float64)
    drawn = np.array(sampled, np.float64)
    assessable = np.broadcast_to(drawn, relevant.shape)
    counts = Counts(np.array([True, False]), sizes, drawn, relevant, assessable)
    return counts, times.astype(np.float64)


def find_misses(counts: Counts, corpus: Corpus, label: str) -> tuple[Bools, Bools, Floats]:
    """Return whether the true recall is below and above each interval, and the widths.

    It is above an interval of a posterior if P(recall < truth) is not below the upper probability,
    and below it if P(recall <= truth) is below the lower one.
    """
    method, _, prior = label.partition(" ")
    truth = corpus.recall
    if method in CLOSED_FORMS:
        limits = CLOSED_FORMS[method](counts)
        low, high = (limits.limit(probability) for probability in ENDS)
        return truth < low - ROUNDING, truth > high + ROUNDING, high - low
    priors = None
    if prior:
        with warnings.catch_warnings():  # a sample of one document has no conservative prior
            warnings.simplefilter("ignore", DegenerateSampleWarning)
            first = parse_prior(prior).of(corpus.retrieved, corpus.retrieved_sample)
            second = parse_prior(prior).of(corpus.unretrieved, corpus.unretrieved_sample)
        priors = first, second
    posterior = posterior_limits(counts, priors, ENDS, truth, max_cells=256, tolerance=1e-5)
    low, high = posterior.limits.T
    return posterior.at_most < ENDS[0], posterior.below >= ENDS[1], high - low


# ---- real collections ----


def legal_rows(data: Path) -> Iterator[Row]:
    """Yield Table XII: recall and intervals of the TREC 2009 Legal Track, after adjudication."""
    sheet = find_file(data / "legal09", "legal09_strata.csv")
    sets = read_retrieved_sets(sheet)
    ends = [f"{method} {end}" for method in LEGAL_METHODS for end in ("low", "high")]
    for (topic, team), papers in LEGAL.items():
        strata = sets[topic, RENAMED.get((topic, team), team)]
        estimates = [irbounds.recall(strata, method=m, quantity="recall")[0] for m in LEGAL_METHODS]
        ours = [estimates[0].value, *(end for estimate in estimates for end in estimate.interval)]
        for column, paper, value in zip(["recall", *ends], papers, ours, strict=True):
            yield "Table XII", f"{topic} {team}", column, paper, value


def read_retrieved_sets(sheet: Path) -> dict[tuple[str, str], list[Stratum]]:
    """Return the strata by topic and team; a pattern has an R for each team that retrieved it."""
    sets: dict[tuple[str, str], list[Stratum]] = {}
    for row in csv.DictReader(sheet.read_text(encoding="utf-8").splitlines()):
        counts = [int(row[name]) for name in ("N", "n", "r2", "a")]
        for team, mark in zip(row["teams"].split(), row["pattern"], strict=True):
            stratum = Stratum(row["pattern"], mark == "R", *counts)
            sets.setdefault((row["topic"], team), []).append(stratum)
    return sets


def clef_rows(data: Path, n_samples: int) -> Iterator[Row]:
    """Yield coverage and width on the topics of CLEF TAR 2017."""
    directory = data / "clef-tar2017"
    qrels = read_qrels(find_file(directory, CLEF_QRELS))
    sets: list[Corpus] = []
    for name in CLEF_RUNS:
        sets += list_retrieved_sets(qrels, read_run(find_file(directory, name)), 1.0)
    groups = {
        "all found": [corpus for corpus in sets if not corpus.relevant_unretrieved],
        "thresh": [corpus for corpus in sets if corpus.relevant_unretrieved],
        "cut": list_retrieved_sets(qrels, read_run(find_file(directory, CLEF_RANKED)), CUT),
    }
    for place, (group, corpora) in enumerate(groups.items(), 4):  # after those of the scenarios
        _, covered, widths = summarise(simulate_coverage(corpora, place, n_samples))
        for m, method in enumerate(METHODS):
            yield "CLEF TAR 2017", method, f"{group} cvr", NAN, float(covered[m])
            yield "CLEF TAR 2017", method, f"{group} width", NAN, float(widths[m])


def list_retrieved_sets(qrels: Qrels, run: Run, cut: float) -> list[Corpus]:
    """Return a run's judged documents of each topic, up to a fraction ``cut`` of the topic.

    Topics with nothing to sample inside or outside of the set, or nothing relevant, are left out.
    """
    corpora, rankings = [], run.to_dict()
    for topic, relevance in qrels.to_dict().items():
        ranking = list(rankings.get(topic, ()))[: round(cut * len(relevance)) if cut < 1 else None]
        inside = [document for document in ranking if document in relevance]
        rest = len(relevance) - len(inside)
        relevant = sum(grade > 0 for grade in relevance.values())
        hits = sum(relevance[document] > 0 for document in inside)
        if rest and inside and relevant:
            sampled = min(CLEF_SAMPLES[0], len(inside)), min(CLEF_SAMPLES[1], rest)
            corpora.append(Corpus(len(inside), rest, hits, relevant - hits, *sampled))
    return corpora


def find_file(directory: Path, name: str) -> Path:
    """Return a file of a directory, plain or compressed."""
    for path in sorted(directory.glob(f"{name}*")):
        return path
    raise FileNotFoundError(f"{directory}: no {name}, plain or compressed")
