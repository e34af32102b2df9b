"""Measure how often intervals and tests of paired differences err, on pairs of real systems.

``python -m benchmarks.difference_validity --data DIR`` prints the tables of differences in
docs/validation/error-rates.md. DIR is a directory as docs/how-to/data-sets.md describes it: score
tables in ``scores``, judgments and runs in ``robust03`` and ``dl21``; what is missing is left
out. It takes some minutes on two cores. With ``--gate`` it prints the tables of gates there
instead.

The population of a pair is its queries, so that its true mean difference is known. Samples of n
queries are drawn with replacement. Pairs are among the better three quarters of the systems of a
table, and the system of a pair that comes first is the one that makes the skewness positive.

- Intervals: how often a sample's interval does not contain the true mean difference.
- Tests of equal systems: how often p is at most 0.05 where the mean difference is 0. Differences
  are *exchanged* (the two scores of a query are swapped with probability 1/2, so that differences
  are symmetric), *weighted* (queries are drawn with probabilities that make the mean 0, so that
  differences stay skewed, with their zeros and ties) or *centred* (the mean is subtracted, so that
  they stay skewed). Centred differences are summarised for AP and nDCG@20 only: subtraction turns
  the many differences of 0 of other measures into equal differences of one sign.
- Power: how often p is at most 0.05 for the pairs as they are, and for centred differences shifted
  by half a standard deviation or a whole one.
- Families: how often any adjusted p of all pairs of 20 systems, by Holm, is at most 0.05 where the
  mean of every system is subtracted, so that all are equal.
- A moderated t: the variance of differences is shrunk towards c (s_a^2 + s_b^2), with c from the
  other collections of the same measure and d0 prior degrees of freedom.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, special, stats

import irbounds
from irbounds.comparisons.adjustments import holm
from irbounds.comparisons.non_inferiority import Margin, check_measures
from irbounds.comparisons.sign_flip import exact_p_values
from irbounds.intervals.methods import METHODS
from irbounds.intervals.sample import Sample
from irbounds.resampling.query_bootstrap import bootstrap_queries
from irbounds.results.gate import MIN_CHANGED

Floats = NDArray[np.float64]

SIZES = (5, 8, 10, 15, 20, 30, 50)
LEVELS = (0.8, 0.9, 0.95, 0.99)
INTERVALS = ("student-t", "percentile")
TESTS = ("t", "sign-flip", "wilcoxon")
PRIOR_DEGREES = (1, 2, 4)
SHIFTS = (0.5, 1.0)  # standard deviations of the differences
PAIRS = 200  # per table, at most
FAMILY_SIZES = (10, 15, 20)
FAMILY_SYSTEMS = 20
FAMILIES = 100  # samples per table and number of queries
MAX_EQUAL = 0.1  # of the scores of two systems of a family
SAMPLES = 10_000  # per table and number of queries
RESAMPLES = 999
SIGNS = 999  # above MAX_EXACT queries
MAX_EXACT = 20
MAX_EXACT_RANKS = 13  # above that scipy has no exact p-values of tied ranks
AT_ONCE = 2_000  # samples with the same resamples
CLOSE = 1e-10  # sums that differ by less are equal
LEVEL = 0.05
FAR_LEVELS = (0.01, 0.001, 0.0001)
EQUAL = ("exchanged", "weighted", "centred")
SEED = 21
GATE_SIZES = (10, 20, 50, 100)
GATE_SAMPLES = 1_000  # per pair, direction and number of queries
GATE_CHECKED = 2  # of these, judged by the gate itself
GATE_MARGIN = 0.02

#: by the name of the file in ``scores``
SCORE_TABLES = {
    "adhoc3_ap": ("TREC-3", "AP"),
    "adhoc6_ap": ("TREC-6", "AP"),
    "adhoc8_ap": ("TREC-8", "AP"),
    "adhoc8_p10": ("TREC-8", "P@10"),
    "adhoc8_rr": ("TREC-8", "RR"),
    "robust2004_ap": ("Robust 2004", "AP"),
    "robust2004_p10": ("Robust 2004", "P@10"),
    "web2012_ndcg20": ("Web 2012", "nDCG@20"),
}
RUN_DIRECTORIES = {"robust03": "Robust 2003", "dl21": "Deep Learning 2021"}
MEASURES = ("AP", "P@10", "RR", "nDCG@20")


@dataclass(frozen=True)
class Population:
    """The scores of one measure in one collection, and its pairs of systems."""

    collection: str
    measure: str
    #: system x query
    scores: Floats
    max_pairs: int = PAIRS
    first: NDArray[np.intp] = field(init=False)
    second: NDArray[np.intp] = field(init=False)

    def __post_init__(self) -> None:
        """Choose pairs of the better three quarters of the systems, except equal ones."""
        means = self.scores.mean(axis=1)
        better = np.flatnonzero(means >= np.quantile(means, 0.25))
        first, second = (better[places] for places in np.triu_indices(len(better), 1))
        differences = self.scores[first] - self.scores[second]
        differs = differences.std(axis=1) > CLOSE
        first, second, differences = first[differs], second[differs], differences[differs]
        chosen = np.random.default_rng(SEED).permutation(len(first))[: self.max_pairs]
        first, second, differences = first[chosen], second[chosen], differences[chosen]
        swap = stats.skew(differences, axis=1) < 0
        object.__setattr__(self, "first", np.where(swap, second, first))
        object.__setattr__(self, "second", np.where(swap, first, second))

    @property
    def name(self) -> str:
        return f"{self.collection} {self.measure}"

    def variance_ratios(self) -> Floats:
        """Return the variance of differences over the sum of both variances, of each pair."""
        variances = self.scores.var(axis=1)
        differences = (self.scores[self.first] - self.scores[self.second]).var(axis=1)
        return np.asarray(differences / (variances[self.first] + variances[self.second]))


@dataclass(frozen=True)
class Samples:
    """Samples of the differences of pairs whose true mean difference is 0: sample x query."""

    differences: Floats
    #: the sum of the variances of both systems, of each sample
    variances: Floats
    #: standard deviation of the pair's differences in the population
    deviations: Floats
    #: differences of the sampled queries as they are, with zeros and ties
    raw: Floats
    #: differences of queries drawn with probabilities that make their mean 0
    weighted: Floats


def draw_samples(population: Population, n: int, generator: np.random.Generator) -> Samples:
    first, second = population.scores[population.first], population.scores[population.second]
    each = -(-SAMPLES // len(first))
    queries = generator.integers(0, first.shape[1], size=(len(first), each * n))
    a, b = (
        np.take_along_axis(scores, queries, axis=1).reshape(-1, n) for scores in (first, second)
    )
    differences = first - second
    means = np.repeat(differences.mean(axis=1), each)
    deviations = np.repeat(differences.std(axis=1), each)
    variances = a.var(axis=1, ddof=1) + b.var(axis=1, ddof=1)
    weighted = [
        generator.choice(row, size=(each, n), p=probabilities)
        for row in differences
        if (probabilities := weigh_queries(row)) is not None
    ]
    raw = a - b
    return Samples(raw - means[:, None], variances, deviations, raw, np.concatenate(weighted))


def weigh_queries(differences: Floats) -> Floats | None:
    """Return probabilities proportional to exp(x d) that make the mean of the differences d 0.

    None where no difference is above 0 or none is below, and where the probabilities are those of
    effectively less than half of the queries.
    """

    def compute_probabilities(x: float) -> Floats:
        weights = np.exp(x * differences - (x * differences).max())
        return np.asarray(weights / weights.sum())

    def compute_mean(x: float) -> float:
        return float(compute_probabilities(x) @ differences)

    limit = 20 / np.abs(differences).max()
    if not compute_mean(-limit) < 0 < compute_mean(limit):
        return None
    probabilities = compute_probabilities(optimize.brentq(compute_mean, -limit, limit))
    kept = 1 / (probabilities @ probabilities) / len(differences)
    return probabilities if kept >= 0.5 else None


@dataclass
class Cell:
    """The results for one table and one number of queries, by name of method or test."""

    #: fraction of samples with an interval whose interval misses, by level
    errors: dict[str, dict[float, float]] = field(default_factory=dict)
    #: fraction of one-sided limits, nominally 5 %, that are above or below the true difference
    low_errors: dict[str, float] = field(default_factory=dict)
    high_errors: dict[str, float] = field(default_factory=dict)
    #: median width of 95 % intervals
    widths: dict[str, float] = field(default_factory=dict)
    missing: float = 0.0
    #: samples by number of differences other than 0, and those whose student-t interval misses
    by_nonzero: Floats = field(default_factory=lambda: np.zeros((2, max(SIZES) + 1)))
    #: fraction of samples with p of at most 0.05, by test and design
    rejected: dict[tuple[str, str], float] = field(default_factory=dict)
    #: by a level far below 0.05
    far_rejected: dict[tuple[str, str, float], float] = field(default_factory=dict)
    #: fraction of samples of the pairs as they are rejected by t and not by sign-flip, and reverse
    disagreeing: tuple[float, float] = (0.0, 0.0)
    zeros: float = 0.0
    #: fraction of samples in which no choice of signs gives p of at most 0.05
    powerless: float = 0.0


def measure_cell(population: Population, n: int, ratio: float, seed: Sequence[int]) -> Cell:
    """Draw samples of n queries, and apply every method and test to them."""
    generator = np.random.default_rng(seed)
    samples = draw_samples(population, n, generator)
    cell = Cell()
    rows = samples.differences
    varies = np.ptp(rows, axis=1) > CLOSE
    cell.missing = 1 - varies.mean()
    nonzero = np.count_nonzero(np.abs(samples.raw) > CLOSE, axis=1)
    cell.zeros = 1 - nonzero.mean() / n
    cell.powerless = float((2.0 ** (1 - nonzero) > LEVEL).mean())
    measure_intervals(cell, rows[varies], seed)
    p_values = compute_p_values("t", rows, generator)
    for k, counted in enumerate((varies, varies & (p_values < LEVEL))):
        counts = np.bincount(nonzero[counted])
        cell.by_nonzero[k, : len(counts)] = counts
    moderate(cell, samples, varies, ratio)
    signs = generator.choice((-1.0, 1.0), size=rows.shape)
    designs = {
        "exchanged": samples.raw * signs,
        "weighted": samples.weighted,
        "centred": rows,
        "as they are": samples.raw,
        **{f"shifted {by:g}": rows + by * samples.deviations[:, None] for by in SHIFTS},
    }
    is_rejected = {}
    for design, differences in designs.items():
        for test in TESTS if design in EQUAL else TESTS[:3]:
            p_values = compute_p_values(test, differences, generator)
            is_rejected[test, design] = p_values <= LEVEL + CLOSE
            cell.rejected[test, design] = float(is_rejected[test, design].mean())
            for level in FAR_LEVELS:
                cell.far_rejected[test, design, level] = float((p_values <= level).mean())
        if design not in ("exchanged", "weighted"):
            for degrees in PRIOR_DEGREES:
                errors = moderated_errors(differences, samples.variances, ratio, degrees)
                quantile = special.stdtrit(n - 1 + degrees, 0.975)
                is_far = np.abs(differences.mean(axis=1)) > quantile * errors + CLOSE
                cell.rejected[moderated_name(degrees), design] = float(is_far.mean())
    by_t, by_flips = is_rejected["t", "as they are"], is_rejected["sign-flip", "as they are"]
    cell.disagreeing = float((by_t & ~by_flips).mean()), float((by_flips & ~by_t).mean())
    return cell


def measure_intervals(cell: Cell, rows: Floats, seed: Sequence[int]) -> None:
    """Count intervals without 0, the true mean difference."""
    misses = {(name, level): 0 for name in INTERVALS for level in LEVELS}
    low = dict.fromkeys(INTERVALS, 0)
    high = dict.fromkeys(INTERVALS, 0)
    widths: dict[str, list[Floats]] = {name: [] for name in INTERVALS}
    for begin in range(0, len(rows), AT_ONCE):
        part = rows[begin : begin + AT_ONCE]
        means = bootstrap_queries(part, RESAMPLES, seed[0], place=(seed[1], seed[2] + begin))
        sample = Sample(part, means)
        for name in INTERVALS:
            limits = METHODS[name].fit(sample)
            for level in LEVELS:
                ends = limits.limit((1 - level) / 2), limits.limit((1 + level) / 2)
                misses[name, level] += int(((ends[0] > CLOSE) | (ends[1] < -CLOSE)).sum())
                if level == 0.95:
                    widths[name].append(ends[1] - ends[0])
            low[name] += int((limits.limit(0.05) > CLOSE).sum())
            high[name] += int((limits.limit(0.95) < -CLOSE).sum())
    for name in INTERVALS:
        cell.errors[name] = {level: misses[name, level] / len(rows) for level in LEVELS}
        cell.low_errors[name] = low[name] / len(rows)
        cell.high_errors[name] = high[name] / len(rows)
        cell.widths[name] = float(np.median(np.concatenate(widths[name])))


def moderated_name(degrees: int) -> str:
    return f"moderated t, d0 = {degrees}"


def moderated_errors(differences: Floats, variances: Floats, ratio: float, degrees: int) -> Floats:
    """Return the standard error of each mean difference, from a moderated variance."""
    n = differences.shape[1]
    squares = degrees * ratio * variances + (n - 1) * differences.var(axis=1, ddof=1)
    return np.asarray(np.sqrt(squares / (degrees + n - 1) / n))


def moderate(cell: Cell, samples: Samples, varies: NDArray[np.bool_], ratio: float) -> None:
    """Count intervals by the moderated t without 0, among the samples in which t has one."""
    rows, variances = samples.differences[varies], samples.variances[varies]
    means, n = rows.mean(axis=1), rows.shape[1]
    for degrees in PRIOR_DEGREES:
        name = moderated_name(degrees)
        errors = moderated_errors(rows, variances, ratio, degrees)

        def quantile(probability: float, n_degrees: int = n - 1 + degrees) -> float:
            return float(special.stdtrit(n_degrees, probability))

        cell.errors[name] = {
            level: float((np.abs(means) > quantile((1 + level) / 2) * errors).mean())
            for level in LEVELS
        }
        cell.low_errors[name] = float((means > quantile(0.95) * errors).mean())
        cell.high_errors[name] = float((means < -quantile(0.95) * errors).mean())
        cell.widths[name] = float(2 * quantile(0.975) * np.median(errors))


def compute_p_values(test: str, rows: Floats, generator: np.random.Generator) -> Floats:
    """Return two-sided p-values of the rows; 1 where all differences are equal."""
    n = rows.shape[1]
    if test == "sign-flip":
        return flip_p_values(np.where(np.abs(rows) > CLOSE, rows, 0), generator)
    if test == "wilcoxon":
        sizes = np.where(np.abs(rows) > CLOSE, np.round(np.abs(rows), 10), np.nan)
        ranks = stats.rankdata(sizes, axis=1, nan_policy="omit")
        signed = np.where(np.isnan(ranks), 0, np.sign(rows) * ranks)
        if n <= MAX_EXACT_RANKS:
            return flip_p_values(signed, generator)
        rounded = np.where(np.isnan(sizes), 0, np.sign(rows) * sizes)
        with np.errstate(divide="ignore", invalid="ignore"):  # all differences are 0
            p_values = np.asarray(stats.wilcoxon(rounded, axis=1, correction=False).pvalue)
        return np.where(np.isnan(p_values), 1.0, p_values)
    varies = np.ptp(rows, axis=1) > CLOSE
    p_values = np.ones(len(rows))
    sample = Sample(rows[varies])
    t = np.abs(sample.mean / sample.standard_error)
    p_values[varies] = 2 * special.stdtr(n - 1, -t)
    return p_values


def flip_p_values(rows: Floats, generator: np.random.Generator) -> Floats:
    """Return p-values of the sign-flip test: exact up to ``MAX_EXACT`` queries, else drawn."""
    n = rows.shape[1]
    if n <= MAX_EXACT:
        return exact_p_values(rows, np.full(len(rows), CLOSE), "two-sided")
    signs = generator.choice((-1.0, 1.0), size=(n, SIGNS))
    observed = np.abs(rows.sum(axis=1))
    hits = np.count_nonzero(np.abs(rows @ signs) >= (observed - CLOSE)[:, None], axis=1)
    return np.asarray((1 + hits) / (1 + SIGNS))


def measure_families(population: Population) -> dict[tuple[str, int], float]:
    """Return by test and number of queries how often a family has any adjusted p up to 0.05."""
    generator = np.random.default_rng(SEED)
    scores = choose_systems(population, generator)
    scores = scores - scores.mean(axis=1, keepdims=True)
    first, second = np.triu_indices(len(scores), 1)
    rates = {}
    for n in FAMILY_SIZES:
        queries = generator.integers(0, scores.shape[1], size=(FAMILIES, n))
        samples = np.moveaxis(scores[:, queries], 1, 0)  # sample x system x query
        rows = (samples[:, first] - samples[:, second]).reshape(-1, n)
        for test in ("t", "sign-flip"):
            p_values = compute_p_values(test, rows, generator).reshape(FAMILIES, -1)
            rates[test, n] = float(np.mean([(holm(row) <= LEVEL).any() for row in p_values]))
    return rates


def choose_systems(population: Population, generator: np.random.Generator) -> Floats:
    """Return the scores of some systems, no two of which have more than a tenth of them equal."""
    systems = np.unique([population.first, population.second])
    chosen: list[Floats] = []
    for scores in population.scores[generator.permutation(systems)]:
        if all((np.abs(scores - other) < CLOSE).mean() <= MAX_EQUAL for other in chosen):
            chosen.append(scores)
    return np.array(chosen[:FAMILY_SYSTEMS])


def read_populations(data: Path, max_pairs: int = PAIRS) -> list[Population]:
    populations = []
    for name, (collection, measure) in SCORE_TABLES.items():
        path = data / "scores" / f"{name}.csv"
        if path.exists():
            table = irbounds.read_scores(path, measure=measure)
            scores = np.array(table.values[0])
            populations.append(Population(collection, measure, scores, max_pairs))
    for directory, collection in RUN_DIRECTORIES.items():
        runs = sorted((data / directory).glob("*.run*"))
        if runs:
            (qrels,) = (data / directory).glob("qrels.txt*")
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # short runs
                table = irbounds.score(qrels, runs, MEASURES)
            for measure, values in zip(table.measures, table.values, strict=True):
                populations.append(Population(collection, measure, np.array(values), max_pairs))
    return populations


def fit_ratio(population: Population, populations: Iterable[Population]) -> float:
    """Return the median ratio of the measure in the other collections."""
    ratios = [
        np.median(other.variance_ratios())
        for other in populations
        if other.measure == population.measure and other.collection != population.collection
    ]
    return float(np.median(ratios)) if ratios else 0.35  # of all measures


Cells = Mapping[tuple[str, int], Cell]


def measure_cells(populations: Sequence[Population]) -> Cells:
    cells = {}
    for k, population in enumerate(populations):
        ratio = fit_ratio(population, populations)
        for n in SIZES:
            print(f"{population.name}, {n} queries", file=sys.stderr, flush=True)
            place = (SEED, n, k * SAMPLES * 2)
            cells[population.name, n] = measure_cell(population, n, ratio, place)
    return cells


def measure_gate(population: Population, n: int) -> list[float]:
    """Return error rates of a gate whose true difference is exactly minus the margin.

    Mean over pairs and worst pair of wrong passes, the same of wrong failures, both of pairs in
    both directions that are shifted to the margin; and of wrong passes where the margin is the
    difference that the worse system of a pair has.
    """
    generator = np.random.default_rng((SEED, n))
    differences = population.scores[population.first] - population.scores[population.second]
    means = differences.mean(axis=1)
    is_worse = np.concatenate([means, -means]) < -CLOSE
    both = np.concatenate([differences, -differences])
    passed, failed, lost = [], [], []
    for row, worse in zip(both, is_worse, strict=True):
        queries = generator.integers(0, len(row), size=(GATE_SAMPLES, n))
        shifted = row - row.mean() - GATE_MARGIN
        rates = judge_samples(shifted[queries], GATE_MARGIN)
        passed.append(rates[0])
        failed.append(rates[1])
        if worse:
            lost.append(judge_samples(row[queries], -row.mean())[0])
    return [
        rate for rates in (passed, failed, lost) for rate in (float(np.mean(rates)), max(rates))
    ]


def judge_samples(samples: Floats, margin: float) -> tuple[float, float]:
    """Return the fractions of samples of differences by which a gate passes, and fails.

    The limits are computed for all samples at once. The first samples are also judged one by one.
    """
    n = samples.shape[1]
    n_lost = np.count_nonzero(samples < 0, axis=1)
    n_changed = np.count_nonzero(samples, axis=1)
    is_sparse = (n_changed < MIN_CHANGED) | (np.ptp(samples, axis=1) == 0)
    half = special.stdtrit(n - 1, 1 - LEVEL) * samples.std(axis=1, ddof=1) / np.sqrt(n)
    mean = samples.mean(axis=1)
    losing = stats.beta.ppf(1 - LEVEL, n_lost + 1, np.maximum(n - n_lost, 1e-300))
    passes = np.where(is_sparse, losing < margin, mean - half > -margin)
    fails = ~is_sparse & (mean + half < -margin)
    names, zeros = tuple(map(str, range(n))), np.zeros(n)
    for k in range(GATE_CHECKED):
        table = irbounds.ScoreTable(("x",), ("old", "new"), names, np.array([[zeros, samples[k]]]))
        (row,) = check_measures(table, {"x": Margin(margin)}, bounds=(0, 1))
        assert (row.verdict == "pass", row.verdict == "fail") == (passes[k], fails[k])
    return float(passes.mean()), float(fails.mean())


def write_gate_table(populations: Iterable[Population]) -> str:
    """Return one row per table of scores; a cell has the rates of all numbers of queries."""
    rows = []
    for population in populations:
        if population.collection not in RUN_DIRECTORIES.values():
            rates = zip(*(measure_gate(population, n) for n in GATE_SIZES), strict=True)
            rows.append([population.name, *(" ".join(f"{x:.3f}" for x in part) for part in rates)])
    worst = "worst pair"
    header = ["scores", "wrong pass", worst, "wrong fail", worst, "own loss", worst]
    return write_table(header, rows)


def write_table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [header, ["---"] + ["---:"] * (len(header) - 1), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def write_rate(rate: float) -> str:
    return f"{rate:.3f}".removeprefix("0")


def average(rates: Sequence[float]) -> str:
    return write_rate(float(np.mean(rates)))


def write_mean_and_max(rates: Sequence[float]) -> str:
    return f"{write_rate(float(np.mean(rates)))} ({write_rate(max(rates))})"


SIZE_HEADER = [f"n = {n}" for n in SIZES]
MODERATED = tuple(map(moderated_name, PRIOR_DEGREES))
PROCEDURES = (*INTERVALS, *MODERATED)
CONTINUOUS = ("AP", "nDCG@20")
NONZERO = ((1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 7), (8, max(SIZES)))
MIN_SAMPLES = 50  # of a rate by number of differences


@dataclass(frozen=True)
class Report:
    """Tables of the results of all cells."""

    populations: Sequence[Population]
    cells: Cells

    def write_sections(self) -> str:
        over_tables = "mean over tables (largest)"
        sections = [
            *self._write_intervals(over_tables),
            *self._write_tests(over_tables),
            self._write_families(),
            *self._write_power(),
            ("Differences of 0", self._list_tables(lambda cell: cell.zeros)),
            (
                "Samples with fewer than 6 differences other than 0, which no sign flip rejects",
                self._list_tables(lambda cell: cell.powerless),
            ),
            ("Variance of differences over the sum of both variances", self._list_ratios()),
        ]
        return "\n\n".join(f"### {title}\n\n{table}" for title, table in sections)

    def _write_intervals(self, over_tables: str) -> Iterator[tuple[str, str]]:
        for level in sorted(LEVELS, key=lambda level: level != 0.95):
            yield (
                f"{level:.0%} intervals that miss the true mean difference: {over_tables}",
                self._summarise(PROCEDURES, lambda cell, name, q=level: cell.errors[name][q]),
            )
        yield (
            "95 % intervals by student-t that miss the true mean difference",
            self._list_tables(lambda cell: cell.errors["student-t"][0.95]),
        )
        yield (
            f"One-sided 95 % limits above the true mean difference: {over_tables}",
            self._summarise(PROCEDURES, lambda cell, name: cell.low_errors[name]),
        )
        yield (
            f"One-sided 95 % limits below the true mean difference: {over_tables}",
            self._summarise(PROCEDURES, lambda cell, name: cell.high_errors[name]),
        )
        yield (
            "Median width of 95 % intervals, divided by that of student-t: median over tables",
            self._summarise(
                PROCEDURES,
                lambda cell, name: cell.widths[name] / cell.widths["student-t"],
                lambda widths: f"{np.median(widths):.2f}",
            ),
        )
        yield (
            "95 % intervals by student-t that miss, by number of differences other than 0",
            self._list_by_nonzero(),
        )
        yield (
            "Samples of equal differences, which have no interval",
            self._list_tables(lambda cell: cell.missing),
        )

    def _write_tests(self, over_tables: str) -> Iterator[tuple[str, str]]:
        for design in EQUAL:
            is_centred = design == "centred"
            names = (*TESTS, *MODERATED) if is_centred else TESTS
            title = f"{design} (AP and nDCG@20 only)" if is_centred else design
            tables = self._list_continuous() if is_centred else None
            yield (
                f"p of at most {LEVEL} for equal systems, {title}: {over_tables}",
                self._summarise(
                    names, lambda cell, name, d=design: cell.rejected[name, d], tables=tables
                ),
            )
            for level in FAR_LEVELS:
                yield (
                    f"p of at most {level:g} for equal systems, {title}: mean over tables",
                    self._summarise(
                        [test for test in TESTS if test == "t" or level >= 1 / (1 + SIGNS)],
                        lambda cell, name, d=design, q=level: cell.far_rejected[name, d, q],
                        lambda rates: f"{np.mean(rates):.5f}",
                        tables,
                    ),
                )
        for test in ("t", "sign-flip"):
            for design in EQUAL[:2]:
                yield (
                    f"p of at most {LEVEL} for equal systems, {design}: {test}",
                    self._list_tables(lambda cell, t=test, d=design: cell.rejected[t, d]),
                )

    def _write_families(self) -> tuple[str, str]:
        tables = [row for row in self.populations if row.measure in CONTINUOUS]
        rates = []
        for population in tables:
            print(f"{population.name}, families", file=sys.stderr, flush=True)
            rates.append(measure_families(population))
        columns = [(test, n) for test in ("t", "sign-flip") for n in FAMILY_SIZES]
        rows = [
            [population.name, *(f"{rate[column]:.2f}" for column in columns)]
            for population, rate in zip(tables, rates, strict=True)
        ]
        means = [f"{np.mean([rate[column] for rate in rates]):.3f}" for column in columns]
        return (
            f"Families of equal systems with any adjusted p of at most {LEVEL}",
            write_table(
                ["", *(f"{test}, n = {n}" for test, n in columns)], [*rows, ["mean", *means]]
            ),
        )

    def _write_power(self) -> Iterator[tuple[str, str]]:
        tests = (*TESTS[:3], *MODERATED)
        yield (
            "Power for the pairs as they are: mean over tables",
            self._summarise(tests, lambda cell, name: cell.rejected[name, "as they are"], average),
        )
        yield (
            "Decisions that differ for the pairs as they are: mean over tables",
            self._summarise(
                ("t only", "sign-flip only"),
                lambda cell, name: cell.disagreeing[name == "sign-flip only"],
                average,
            ),
        )
        for by in SHIFTS:
            yield (
                f"Power for shifts of {by:g} standard deviations: mean over tables of "
                f"{' and '.join(CONTINUOUS)}",
                self._summarise(
                    tests,
                    lambda cell, name, b=by: cell.rejected[name, f"shifted {b:g}"],
                    average,
                    self._list_continuous(),
                ),
            )

    def _list_continuous(self) -> list[str]:
        return [row.name for row in self.populations if row.measure in CONTINUOUS]

    def _list_by_nonzero(self) -> str:
        rows = []
        for low, high in NONZERO:
            rates = []
            for n in SIZES:
                cells = [cell for (_, size), cell in self.cells.items() if size == n]
                total, missed = np.sum([cell.by_nonzero for cell in cells], axis=0)
                n_samples = total[low : high + 1].sum()
                rate = missed[low : high + 1].sum() / max(n_samples, 1)
                rates.append(write_rate(rate) if n_samples >= MIN_SAMPLES else "")
            rows.append([f"{low}" if low == high else f"{low} to {high}", *rates])
        return write_table(["differences other than 0", *SIZE_HEADER], rows)

    def _summarise(
        self,
        rows: Sequence[str],
        read: Callable[[Cell, str], float],
        write: Callable[[list[float]], str] = write_mean_and_max,
        tables: Sequence[str] | None = None,
    ) -> str:
        tables = tables or [population.name for population in self.populations]
        return write_table(
            ["", *SIZE_HEADER],
            [
                [row, *(write([read(self.cells[name, n], row) for name in tables]) for n in SIZES)]
                for row in rows
            ],
        )

    def _list_tables(self, read: Callable[[Cell], float]) -> str:
        names = [population.name for population in self.populations]
        return write_table(
            ["", *SIZE_HEADER],
            [[name, *(write_rate(read(self.cells[name, n])) for n in SIZES)] for name in names],
        )

    def _list_ratios(self) -> str:
        return write_table(
            ["", "pairs", "5 % quantile", "median", "95 % quantile", "c of other collections"],
            [
                [
                    population.name,
                    f"{len(population.first):,}",
                    *map(write_rate, np.quantile(population.variance_ratios(), (0.05, 0.5, 0.95))),
                    write_rate(fit_ratio(population, self.populations)),
                ]
                for population in self.populations
            ],
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, metavar="DIR")
    parser.add_argument("--gate", action="store_true")
    parser.add_argument("--pairs", type=int, default=PAIRS, metavar="N", help="per table, at most")
    arguments = parser.parse_args()
    populations = read_populations(arguments.data, arguments.pairs)
    if not populations:
        parser.error("no score tables in DIR/scores, no runs in DIR/robust03 or DIR/dl21")
    if arguments.gate:
        print(write_gate_table(populations))
        return
    print(Report(populations, measure_cells(populations)).write_sections())


if __name__ == "__main__":
    main()
