"""Webber (2013), Figures 2 to 8 and 15 to 17: their numbers in tables, and their lines.

None of them needs random samples of a corpus. A table has a few points of a figure, and what the
paper prints of them; a line has as many points as a drawing needs.

Figures 4 to 7 draw the coverage of four intervals of a proportion at n = 20 against prevalence, and
the text gives their means. A mean over uniform prevalence needs no grid, because it is a sum of
beta integrals. All but Wald's are met: 0.846 here, 0.851 there. With n - 1 in the place of n in the
variance Wald's is 0.8505, which must be what was computed, though the paper's Equation 11 has n.
Coverage jumps where the proportion passes an end of one of the n + 1 intervals. So a line is drawn
from one end to the next, with nothing between: a grid would draw slopes where there are none.

Figure 2 and Table III are one example of the recall estimator's bias: its mean is 0.31 where recall
is 0.25. Its density has a Gaussian kernel, whose width the paper does not give; it is 0.02 here.
Figure 3 draws the bias against the unretrieved sample. Only the example's yield is printed, so the
other yields here are ours, a third and a tenth of it.

Figure 8 draws the most conservative prior against the fraction of documents sampled, for
populations of 20 to 1,000. The paper prints no numbers, only that all curves meet near a fraction
of 0.8, slightly below 0.5.

Figures 15 to 17 draw the width of an interval in a corpus of 5,000,000 documents, by where and how
many documents are assessed. Each sample is assumed to contain the same fraction of relevant
documents as its segment, so the counts need not be integers. The paper draws curves, prints no
numbers and names few of its cases: the sizes, the pairs of recall and precision and the sample
sizes that the text does not name are ours. What the text says about the curves is tested.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..planning.recall_plan import widths_by_budget, widths_by_split
from ..samples.estimator import estimator_bias, estimator_distribution
from ..samples.hypergeometric import hypergeometric_masses
from ..samples.priors import most_conservative_prior
from ..samples.proportions import (
    ProportionMethod,
    binomial_coverage,
    interval_ends,
    mean_binomial_coverage,
    wald,
)
from ..validation import Progress
from .paper_tables import StudyTable

Floats = NDArray[np.float64]
#: documents, relevant ones and sampled ones
Segment = tuple[int, int, int]

LEVEL = 0.95
#: Figure 2 and Table III: documents, relevant and sampled, of the retrieved and the other segment
RETRIEVED, UNRETRIEVED = (2_000, 1_000, 100), (100_000, 3_000, 100)
THEIR_MEAN, TRUE_RECALL = 0.31, 0.25
KERNEL = 0.02  # standard deviation
RARE = 1e-6  # probability of a bar that is not drawn
MAX_RECALL = 1.1  # up to which densities are drawn
#: Figure 3: what the yields of Table III are divided by, and the unretrieved samples
DIVISORS = (1, 3, 10)
UNRETRIEVED_SAMPLES = (25, 50, 100, 200, 400, 800, 1600, 3200)
UNRETRIEVED_SAMPLES_OF_LINES = tuple(round(25 * 2 ** (k / 4)) for k in range(29))  # 25 to 3,200
#: Figures 4 to 7 in their order, with the mean coverages that the text gives
COVERAGES: dict[str, tuple[str | ProportionMethod, float]] = {
    "clopper-pearson": ("clopper-pearson", 0.977),
    "wald": ("wald", 0.851),
    "wald, n - 1": (partial(wald, unbiased=True), 0.851),
    "wilson": ("wilson", 0.953),
    "jeffreys": ("jeffreys", 0.951),
}
FIGURES_4_TO_7 = ("clopper-pearson", "wald", "wilson", "jeffreys")
N_SAMPLED = 20
GRID = 2001  # prevalences among which the lowest coverage is found
POINTS_PER_UNIT = 400  # of the line of a coverage
GAP = 1e-9  # between the last point of a line and the jump
#: Figure 8
POPULATIONS = (20, 50, 100, 200, 500, 1000)
SAMPLED = (0.1, 0.2, 0.4, 0.6, 0.7, 0.8, 0.9, 0.95)
SAMPLED_OF_LINES = tuple(k / 50 for k in range(1, 50))
#: Figures 15 to 17
CORPUS, BUDGET = 5_000_000, 5_000
#: Figures 15 and 17: recall and precision are 0.5, so a set is as large as the yield
SIZES = (500_000, 50_000, 5_000)
#: Figure 16: recall and precision of a set of 500,000
QUALITIES = ((0.5, 0.5), (0.2, 0.8), (0.8, 0.2), (0.8, 0.8), (0.2, 0.2))
SPLITS = (0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 0.98)
SPLITS_OF_LINES = (0.002, 0.005, 0.01, *(k / 40 for k in range(1, 40)), 0.99, 0.995, 0.998)
BUDGETS = (100, 500, 1_000, 5_000, 10_000, 50_000)
BUDGETS_OF_LINES = (100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000)
WIDTH_METHODS = ("beta-binomial", "normal")
SPLIT_TITLE = f"the fraction of {BUDGET:,} documents that are assessed in the retrieved set"


@dataclass(frozen=True)
class StudyCurve:
    """A line of a figure."""

    label: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    #: what distinguishes lines of the same label, such as the method
    kind: str = ""


@dataclass(frozen=True)
class EstimatorScatter:
    """The distribution of estimated recall around the true value, over all samples."""

    recall: float
    #: of the estimate
    mean: float
    standard_deviation: float
    #: relevant documents in the unretrieved sample, the estimate, and its probability
    bars: tuple[tuple[int, float, float], ...]
    #: of all bars together, and of a normal distribution with their mean and standard deviation
    density: StudyCurve
    normal: StudyCurve


@dataclass(frozen=True)
class ProportionCoverage:
    """The coverage of intervals of a proportion, by the proportion."""

    method: str
    #: documents sampled
    n: int
    confidence_level: float
    #: over uniformly distributed proportions
    mean: float
    #: coverage is smooth between two ends of intervals and jumps at each end
    pieces: tuple[StudyCurve, ...]


# ---- tables ----


def figure_tables() -> tuple[StudyTable, ...]:
    """Return the tables of Figures 2 to 8, in the paper's order."""
    return estimator_table(), bias_table(), coverage_table(), prior_table()


def estimator_table() -> StudyTable:
    """Return Table III and Figure 2: the mean of the recall estimator where recall is 0.25."""
    estimator = estimator_distribution(RETRIEVED, UNRETRIEVED)
    return _table(
        name="Figure 2",
        number=2,
        title="the recall estimator in the scenario of Table III",
        corner="scenario",
        rows=("Table III",),
        columns=("recall", "mean estimate"),
        ours=[(estimator.recall, estimator.mean)],
        theirs=[(TRUE_RECALL, THEIR_MEAN)],
        decimals=2,
    )


def bias_table() -> StudyTable:
    """Return Figure 3: the estimator's bias by the unretrieved sample and yield."""
    rows, ours = [], []
    for retrieved, unretrieved in bias_cases():
        rows.append(f"{unretrieved[1]:,}, recall {true_recall(retrieved, unretrieved):.2f}")
        ours.append([estimator_bias(retrieved, (*unretrieved[:2], n)) for n in UNRETRIEVED_SAMPLES])
    return _table(
        name="Figure 3",
        number=3,
        title="bias of the recall estimator by the unretrieved sample",
        corner="unretrieved yield",
        rows=rows,
        columns=[f"{sampled:,}" for sampled in UNRETRIEVED_SAMPLES],
        ours=ours,
    )


def coverage_table() -> StudyTable:
    """Return Figures 4 to 7: mean and lowest coverage of four 95 % intervals of a proportion."""
    grid = (np.arange(GRID) + 0.5) / GRID
    return _table(
        name="Figures 4 to 7",
        number=4,
        title=f"coverage of 95 % intervals of a proportion, n = {N_SAMPLED}, uniform prevalence",
        corner="method",
        rows=COVERAGES,
        columns=("mean", "lowest"),
        ours=[
            (
                mean_binomial_coverage(method, N_SAMPLED),
                float(binomial_coverage(method, N_SAMPLED, grid).min()),
            )
            for method, _ in COVERAGES.values()
        ],
        theirs=[(mean, math.nan) for _, mean in COVERAGES.values()],
    )


def prior_table() -> StudyTable:
    """Return Figure 8: alpha = beta of the most conservative prior."""
    return _table(
        name="Figure 8",
        number=8,
        title="most conservative alpha = beta, by documents and fraction sampled",
        corner="documents",
        rows=[f"{population:,}" for population in POPULATIONS],
        columns=[f"{fraction:.0%}" for fraction in SAMPLED],
        ours=[
            [most_conservative_prior(population, fraction * population) for fraction in SAMPLED]
            for population in POPULATIONS
        ],
    )


def width_tables(progress: Progress | None = None) -> tuple[StudyTable, ...]:
    """Return Figures 15 to 17: widths of intervals."""
    by_size = [_split_widths(SPLITS, size, 0.5, 0.5)[1] for size in SIZES]
    by_quality = [_split_widths(SPLITS, SIZES[0], *quality)[1] for quality in QUALITIES]
    by_budget: dict[str, list[float]] = {}
    for size in SIZES:
        for method in WIDTH_METHODS:
            by_budget[f"{size:,}, {method}"] = _budget_widths(BUDGETS, size, method)
            if progress:
                progress(len(by_budget), len(SIZES) * len(WIDTH_METHODS))
    splits = [f"{split:.0%}" for split in SPLITS]
    budgets = [f"{budget:,}" for budget in BUDGETS]
    sizes = [f"{size:,}" for size in SIZES]
    by_best_split = "documents assessed, split at best, by yield"
    return (
        _width_table(15, f"{SPLIT_TITLE}, by yield", "yield", sizes, splits, by_size),
        _width_table(
            16, f"{SPLIT_TITLE}, by quality", "retrieval", _quality_labels(), splits, by_quality
        ),
        _width_table(17, by_best_split, "yield", by_budget, budgets, list(by_budget.values())),
    )


def bias_cases() -> list[tuple[Segment, Segment]]:
    """Return segments with both yields divided, and with only the unretrieved yield divided."""
    (size, relevant, sampled), (rest, missed, rest_sampled) = RETRIEVED, UNRETRIEVED
    cases = [
        ((size // by, relevant // by, sampled), (rest, missed // by, rest_sampled))
        for by in DIVISORS
    ]
    return [*cases, (RETRIEVED, (rest, missed // DIVISORS[-1], rest_sampled))]


def true_recall(retrieved: Segment, unretrieved: Segment) -> float:
    """Return the recall of a retrieved segment, from the known yields of both."""
    return retrieved[1] / (retrieved[1] + unretrieved[1])


def _width_table(
    number: int,
    what: str,
    corner: str,
    rows: Iterable[str],
    columns: Sequence[str],
    ours: Sequence[Sequence[float]],
) -> StudyTable:
    return _table(
        name=f"Figure {number}",
        number=number,
        title=f"width of the 95 % interval of recall by {what}",
        corner=corner,
        rows=rows,
        columns=columns,
        ours=ours,
    )


def _table(
    *,
    name: str,
    number: int,
    title: str,
    corner: str,
    rows: Iterable[str],
    columns: Sequence[str],
    ours: Sequence[Sequence[float]],
    theirs: Sequence[Sequence[float]] | None = None,
    decimals: int = 3,
) -> StudyTable:
    """Return a table; without ``theirs`` the paper's numbers are unknown."""
    unknown = [(math.nan,) * len(columns) for _ in ours]
    return StudyTable(
        study="webber2013",
        number=number,
        title=title,
        corner=corner,
        rows=tuple(rows),
        columns=tuple(columns),
        ours=tuple(map(tuple, ours)),
        theirs=tuple(map(tuple, theirs or unknown)),
        noise=(),
        decimals=decimals,
        name=name,
    )


# ---- lines ----


def estimator_scatter() -> EstimatorScatter:
    """Return Figure 2: every estimate that the samples of Table III may give."""
    estimator = estimator_distribution(RETRIEVED, UNRETRIEVED)
    places = np.linspace(0, MAX_RECALL, 441)
    kernel = _normal_density(places[:, None], estimator.values, KERNEL) @ estimator.masses
    normal = _normal_density(places, np.array(estimator.mean), estimator.standard_deviation)
    return EstimatorScatter(
        recall=estimator.recall,
        mean=estimator.mean,
        standard_deviation=estimator.standard_deviation,
        bars=tuple(_estimator_bars()),
        density=_curve("kernel density", places, kernel),
        normal=_curve("normal", places, normal),
    )


def bias_curves() -> tuple[StudyCurve, ...]:
    """Return Figure 3: the estimator's bias by the unretrieved sample."""
    curves = []
    samples = UNRETRIEVED_SAMPLES_OF_LINES
    for inside, outside in bias_cases():
        bias = [estimator_bias(inside, (*outside[:2], n)) for n in samples]
        label = f"yield {outside[1]:,}, recall {true_recall(inside, outside):.2f}"
        curves.append(_curve(label, samples, bias))
    return tuple(curves)


def proportion_coverages() -> tuple[ProportionCoverage, ...]:
    """Return Figures 4 to 7: the coverage of four intervals of a proportion."""
    return tuple(map(_proportion_coverage, FIGURES_4_TO_7))


def prior_curves() -> tuple[StudyCurve, ...]:
    """Return Figure 8: the most conservative prior by the fraction of documents sampled."""
    curves = []
    for size in POPULATIONS:
        sampled = sorted({min(max(2, round(part * size)), size - 1) for part in SAMPLED_OF_LINES})
        priors = [most_conservative_prior(size, n) for n in sampled]
        curves.append(_curve(f"{size:,}", [n / size for n in sampled], priors))
    return tuple(curves)


def yield_width_curves(splits: Sequence[float] = SPLITS_OF_LINES) -> tuple[StudyCurve, ...]:
    """Return Figure 15: the width by the documents assessed in the retrieved set, per yield."""
    return tuple(_curve(f"{size:,}", *_split_widths(splits, size, 0.5, 0.5)) for size in SIZES)


def quality_width_curves(splits: Sequence[float] = SPLITS_OF_LINES) -> tuple[StudyCurve, ...]:
    """Return Figure 16: the same for retrieved sets of several recalls and precisions."""
    return tuple(
        _curve(label, *_split_widths(splits, SIZES[0], *quality))
        for label, quality in zip(_quality_labels(), QUALITIES, strict=True)
    )


def budget_width_curves(progress: Progress | None = None) -> tuple[StudyCurve, ...]:
    """Return Figure 17: the width at the best split, by the number of documents assessed."""
    curves: list[StudyCurve] = []
    for method in WIDTH_METHODS:
        for size in SIZES:
            widths = _budget_widths(BUDGETS_OF_LINES, size, method)
            curves.append(_curve(f"{size:,}", BUDGETS_OF_LINES, widths, method))
            if progress:
                progress(len(curves), len(WIDTH_METHODS) * len(SIZES))
    return tuple(curves)


def _estimator_bars() -> list[tuple[int, float, float]]:
    """Return Equation 2 and its probability for every pair of counts.

    Where no relevant document is in the unretrieved sample, all estimates are 1 and have one bar.
    """
    (size, relevant, drawn), (rest, missed, sampled) = RETRIEVED, UNRETRIEVED
    first, masses = hypergeometric_masses(size, relevant, drawn)
    least, others = hypergeometric_masses(rest, missed, sampled)
    bars = []
    for k, chance in enumerate(others):
        outside = (least + k) * rest / sampled
        if not outside:
            bars.append((least + k, 1.0, float(chance)))
            continue
        inside = (first + np.arange(len(masses))) * size / drawn
        for estimate, mass in zip(inside / (inside + outside), masses * chance, strict=True):
            if mass > RARE:
                bars.append((least + k, float(estimate), float(mass)))
    return bars


def _proportion_coverage(name: str) -> ProportionCoverage:
    method, _ = COVERAGES[name]
    ends = np.clip(np.concatenate(interval_ends(method, N_SAMPLED, LEVEL)), 0, 1)
    jumps = np.unique(np.round(np.concatenate([ends, [0.0, 1.0]]), 12))
    pieces = []
    for low, high in pairwise(jumps):
        points = max(2, round((high - low) * POINTS_PER_UNIT))
        places = np.linspace(low + GAP, high - GAP, points)
        pieces.append(_curve(name, places, binomial_coverage(method, N_SAMPLED, places)))
    mean = mean_binomial_coverage(method, N_SAMPLED)
    return ProportionCoverage(name, N_SAMPLED, LEVEL, mean, tuple(pieces))


def _normal_density(places: Floats, mean: Floats, deviation: float) -> Floats:
    heights = np.exp(-0.5 * ((places - mean) / deviation) ** 2)
    return np.asarray(heights / (deviation * np.sqrt(2 * np.pi)))


def _curve(
    label: str, x: Sequence[float] | Floats, y: Sequence[float] | Floats, kind: str = ""
) -> StudyCurve:
    return StudyCurve(label, tuple(map(float, x)), tuple(map(float, y)), kind)


# ---- widths, for both ----


def _split_widths(
    splits: Sequence[float], size: int, recall: float, precision: float
) -> tuple[list[int], list[float]]:
    """Return the documents assessed in the retrieved set at every split, and the widths."""
    samples = widths_by_split(
        splits,
        corpus_size=CORPUS,
        retrieved_size=size,
        n_relevant=size * precision / recall,
        recall=recall,
        budget=BUDGET,
        cap_at_one=False,
    )
    widths = [sample.width_at_expected_counts for sample in samples]
    return [sample.retrieved_sample for sample in samples], widths


def _budget_widths(budgets: Sequence[int], size: int, method: str) -> list[float]:
    """Return the widths at the best split of every budget.

    Upper ends are raised to 1 where nothing relevant is seen outside of the set. Otherwise the
    anomaly of Figure 15 would be the best split: with almost nothing assessed there the interval is
    shorter again, but only because its upper end is too low.
    """
    samples = widths_by_budget(
        budgets,
        corpus_size=CORPUS,
        retrieved_size=size,
        n_relevant=size,
        recall=0.5,
        method=method,
        criterion="expected-counts",
    )
    return [sample.width_at_expected_counts for sample in samples]


def _quality_labels() -> list[str]:
    return [f"recall {recall}, precision {precision}" for recall, precision in QUALITIES]
