"""Webber (2013), the lines of Figures 2 to 8 and 15 to 17, at as many points as a figure needs.

The numbers of the same figures that go into tables, and what the paper prints of them, are in
``webber2013_figures`` and ``webber2013_widths``; the cases are theirs too.

Coverage of a proportion's interval (Figures 4 to 7) jumps where the proportion passes an end of one
of the n + 1 intervals there are. So a line is drawn from one end to the next, and nothing between:
a grid would draw slopes where there are none.

Figure 2's density is of the estimate's distribution with a Gaussian kernel, whose width the paper
does not say; it is 0.02 here. Figure 8 has populations of 20 to 1,000, Figure 17 nine sizes of
samples.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..planning.recall_plan import widths_by_budget, widths_by_split
from ..results import EstimatorScatter, ProportionCoverage, StudyCurve
from ..samples.estimator import estimator_bias, estimator_distribution
from ..samples.hypergeometric import hypergeometric_masses
from ..samples.priors import most_conservative_prior
from ..samples.proportions import binomial_coverage, interval_ends, mean_binomial_coverage
from ..validation import Progress
from .webber2013_figures import (
    COVERAGES,
    N_SAMPLED,
    POPULATIONS,
    RETRIEVED,
    UNRETRIEVED,
    bias_cases,
    true_recall,
)
from .webber2013_widths import BUDGET, CORPUS, METHODS, QUALITIES, SIZES

Floats = NDArray[np.float64]

LEVEL = 0.95
KERNEL = 0.02  # standard deviation
RARE = 1e-6  # probability of a bar that is not drawn
FARTHEST = 1.1  # recall up to which densities are drawn
FIGURE_4_TO_7 = ("clopper-pearson", "wald", "wilson", "jeffreys")
POINTS_A_UNIT = 400  # of a coverage's line
HAIR = 1e-9  # between a line's last point and the jump
UNRETRIEVED_SAMPLES = tuple(round(25 * 2 ** (k / 4)) for k in range(29))  # 25 to 3,200
SHARES = tuple(k / 50 for k in range(1, 50))
SPLITS = (0.002, 0.005, 0.01, *(k / 40 for k in range(1, 40)), 0.99, 0.995, 0.998)
SIZES_OF_SAMPLES = (100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000)


def estimator_scatter() -> EstimatorScatter:
    """Figure 2: every estimate that the samples of Table III may give."""
    whole = estimator_distribution(RETRIEVED, UNRETRIEVED)
    places = np.linspace(0, FARTHEST, 441)
    kernel = _bell(places[:, None], whole.values, KERNEL) @ whole.masses
    normal = _bell(places, np.array(whole.mean), whole.standard_deviation)
    return EstimatorScatter(
        recall=whole.recall,
        mean=whole.mean,
        standard_deviation=whole.standard_deviation,
        bars=tuple(_bars()),
        density=_curve("kernel density", places, kernel),
        normal=_curve("normal", places, normal),
    )


def bias_curves() -> tuple[StudyCurve, ...]:
    """Figure 3: the estimator's bias by the unretrieved sample."""
    curves = []
    for inside, outside in bias_cases():
        bias = [estimator_bias(inside, (*outside[:2], n)) for n in UNRETRIEVED_SAMPLES]
        label = f"yield {outside[1]:,}, recall {true_recall(inside, outside):.2f}"
        curves.append(_curve(label, UNRETRIEVED_SAMPLES, bias))
    return tuple(curves)


def proportion_coverages() -> tuple[ProportionCoverage, ...]:
    """Figures 4 to 7: coverage of four intervals of a proportion."""
    return tuple(_coverage(method) for method in FIGURE_4_TO_7)


def prior_curves() -> tuple[StudyCurve, ...]:
    """Figure 8: the most conservative prior by the share of documents sampled."""
    curves = []
    for size in POPULATIONS:
        sampled = sorted({min(max(2, round(share * size)), size - 1) for share in SHARES})
        priors = [most_conservative_prior(size, n) for n in sampled]
        curves.append(_curve(f"{size:,}", [n / size for n in sampled], priors))
    return tuple(curves)


def widths_by_yield(splits: Sequence[float] = SPLITS) -> tuple[StudyCurve, ...]:
    """Figure 15: the width by the documents assessed in the retrieved set, for several yields."""
    return tuple(_by_split(f"{size:,}", splits, size, 0.5, 0.5) for size in SIZES)


def widths_by_quality(splits: Sequence[float] = SPLITS) -> tuple[StudyCurve, ...]:
    """Figure 16: the same for retrieved sets of several recalls and precisions."""
    return tuple(
        _by_split(f"recall {recall}, precision {precision}", splits, SIZES[0], recall, precision)
        for recall, precision in QUALITIES
    )


def widths_by_size(progress: Progress | None = None) -> tuple[StudyCurve, ...]:
    """Figure 17: the width at the best split, by the number of documents assessed."""
    curves = []
    for method in METHODS:
        for size in SIZES:
            samples = widths_by_budget(
                SIZES_OF_SAMPLES,
                corpus_size=CORPUS,
                retrieved_size=size,
                n_relevant=size,
                recall=0.5,
                method=method,
                criterion="expected-counts",
            )
            widths = [one.width_at_expected_counts for one in samples]
            curves.append(_curve(f"{size:,}", SIZES_OF_SAMPLES, widths, method))
            if progress:
                progress(len(curves), len(METHODS) * len(SIZES))
    return tuple(curves)


def _bars() -> list[tuple[int, float, float]]:
    """Equation 2 for every pair of counts, with its probability; all is 1 where none is missed."""
    (size, found, drawn), (rest, missed, sampled) = RETRIEVED, UNRETRIEVED
    first, masses = hypergeometric_masses(size, found, drawn)
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


def _coverage(name: str) -> ProportionCoverage:
    method, _ = COVERAGES[name]
    ends = np.clip(np.concatenate(interval_ends(method, N_SAMPLED, LEVEL)), 0, 1)
    jumps = np.unique(np.round(np.concatenate([ends, [0.0, 1.0]]), 12))
    pieces = []
    for low, high in pairwise(jumps):
        points = max(2, round((high - low) * POINTS_A_UNIT))
        places = np.linspace(low + HAIR, high - HAIR, points)
        pieces.append(_curve(name, places, binomial_coverage(method, N_SAMPLED, places)))
    mean = mean_binomial_coverage(method, N_SAMPLED)
    return ProportionCoverage(name, N_SAMPLED, LEVEL, mean, tuple(pieces))


def _by_split(
    label: str, splits: Sequence[float], size: int, recall: float, precision: float
) -> StudyCurve:
    samples = widths_by_split(
        splits,
        corpus_size=CORPUS,
        retrieved_size=size,
        n_relevant=size * precision / recall,
        recall=recall,
        budget=BUDGET,
        cap_at_one=False,
    )
    widths = [one.width_at_expected_counts for one in samples]
    return _curve(label, [one.retrieved_sample for one in samples], widths)


def _bell(places: Floats, middle: Floats, spread: float) -> Floats:
    heights = np.exp(-0.5 * ((places - middle) / spread) ** 2) / (spread * np.sqrt(2 * np.pi))
    return np.asarray(heights)


def _curve(
    label: str, x: Sequence[float] | Floats, y: Sequence[float] | Floats, kind: str = ""
) -> StudyCurve:
    return StudyCurve(label, tuple(map(float, x)), tuple(map(float, y)), kind)
