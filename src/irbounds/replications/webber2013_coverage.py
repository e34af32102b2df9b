"""Webber (2013), Tables IX and X and Figures 10 to 14: how often nine intervals contain the recall.

Three scenarios of corpora and retrieved sets, 1,000 realisations each, 1,000 samples of each
realisation, all methods on the same samples. The paper's posteriors are 10,000 draws for each
interval; here their limits are computed, which is why the whole takes minutes.

How reproducible an RMSE over a thousand realisations is depends on the method. For most methods it
converges. For the beta-binomial with a uniform prior in the neutral scenario a few realisations
decide it. In these, almost nothing relevant is left unretrieved, and only some tens or hundreds of
documents are sampled there. The sample never contains a relevant document, and the prior, which
adds one relevant document, puts the truth above every interval. Each such realisation has a
coverage near 0 and adds 0.0009 to the mean square. There are 2.5 of them in a thousand on average
(20,000 were tried): two make an RMSE of 0.045, three 0.055, and five or six, which one in ten sets
of a thousand has, the paper's 0.072.

A box of Figures 10 to 13 contains the middle half of the corpora and the thick line is their
median. Whiskers end at the outermost corpus within 1.5 times the length of the box; corpora beyond
are drawn one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..planning.recall_scenarios import SCENARIOS, RecallDesign
from ..planning.recall_simulation import NINE_METHODS, UNIT, recall_coverage
from ..resampling.seeds import SeedLike, seed_number
from ..results import RecallCoverage
from ..validation import Progress, check_choice, check_count
from .paper_tables import StudyTable

Floats = NDArray[np.float64]

#: as printed, by scenario: RMSE (Table IX), mean width and mean coverage (Table X) of the methods
THEIRS = {
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
THEIR_MEANS = (0.199, 0.189, 0.084, 0.195, 0.017, 0.027, 0.033, 0.016, 0.013)
STUDY = "webber2013"
MIN_SAMPLES = 2
WHISKER = 1.5  # times the distance of the quartiles
DIGITS = 9  # fractions of some thousand samples that are equal but for rounding


@dataclass(frozen=True)
class FractionBox:
    """Fractions of samples over many corpora, as a box plot draws them."""

    label: str
    #: ends of the whiskers: the outermost fractions within 1.5 times the quartiles' distance
    low: float
    first_quartile: float
    median: float
    third_quartile: float
    high: float
    mean: float
    #: fractions beyond the whiskers, each with its number of corpora
    outliers: tuple[tuple[float, int], ...]


def scenario_coverages(
    scenarios: Sequence[str | RecallDesign] = tuple(THEIRS),
    *,
    n_realisations: int = 1000,
    n_samples: int = 1000,
    rng: SeedLike = None,
    progress: Progress | None = None,
) -> list[RecallCoverage]:
    """Return the coverage of the nine methods in each scenario, in total and by realisation."""
    seed = seed_number(rng)
    n_realisations = check_count("n_realisations", n_realisations, minimum=2)
    n_samples = check_count("n_samples", n_samples, minimum=MIN_SAMPLES)
    for scenario in scenarios:
        if not isinstance(scenario, RecallDesign):
            check_choice("scenario", scenario, SCENARIOS)
    sizes = [
        None if isinstance(scenario, RecallDesign) else n_realisations for scenario in scenarios
    ]
    steps = [(size or 1) * -(-n_samples // UNIT) for size in sizes]
    return [
        recall_coverage(
            scenario,
            n_realisations=size,
            n_samples=n_samples,
            rng=seed,
            progress=partial_progress(progress, sum(steps[:k]), sum(steps)),
        )
        for k, (scenario, size) in enumerate(zip(scenarios, sizes, strict=True))
    ]


def partial_progress(progress: Progress | None, done_before: int, total: int) -> Progress | None:
    """Return a function that reports the progress of one part as that of the whole."""
    if progress is None:
        return None
    return lambda done, _: progress(done_before + done, total)


# ---- tables ----


def coverage_tables(coverages: Sequence[RecallCoverage]) -> list[StudyTable]:
    """Return the tables of coverages: the paper's four, and one per corpus of other sizes."""
    known = [coverage for coverage in coverages if coverage.scenario in THEIRS]
    tables = []
    if known:
        tables += [table_ix(known), table_x(known), figure_13(known), figure_14(known)]
    return tables + [
        own_table(coverage) for coverage in coverages if coverage.scenario not in THEIRS
    ]


def table_ix(coverages: Sequence[RecallCoverage]) -> StudyTable:
    """Return the root mean squared errors of coverage; of all scenarios, also their mean."""
    columns = [coverage.scenario for coverage in coverages]
    ours = [[row.rmse for row in coverage.rows] for coverage in coverages]
    noise = [[row.rmse_noise for row in coverage.rows] for coverage in coverages]
    theirs: list[Sequence[float]] = [THEIRS[name][0] for name in columns]
    if set(columns) == set(THEIRS):
        ours.append(list(np.mean(ours, axis=0)))
        noise.append(list(np.sqrt(np.square(noise).sum(axis=0)) / len(noise)))
        theirs.append(THEIR_MEANS)
        columns.append("mean")
    title = "root mean squared error from nominal coverage"
    return method_table("Table IX", 9, title, columns, ours, noise, theirs)


def table_x(coverages: Sequence[RecallCoverage]) -> StudyTable:
    """Return mean widths and mean coverages."""
    columns, ours, theirs, noise = [], [], [], []
    for coverage in coverages:
        columns += [f"{coverage.scenario} width", f"{coverage.scenario} cvr"]
        ours += [[row.width for row in coverage.rows], [row.coverage for row in coverage.rows]]
        noise += [
            [row.width_noise for row in coverage.rows],
            [row.coverage_noise for row in coverage.rows],
        ]
        theirs += [THEIRS[coverage.scenario][1], THEIRS[coverage.scenario][2]]
    title = "mean width and mean coverage"
    return method_table("Table X", 10, title, columns, ours, noise, theirs, decimals=2)


def figure_13(coverages: Sequence[RecallCoverage]) -> StudyTable:
    """Return on which side the truth is when an interval misses it; the paper has no numbers."""
    columns, ours, noise = [], [], []
    for coverage in coverages:
        columns += [f"{coverage.scenario} below", f"{coverage.scenario} above"]
        for fractions in (coverage.below, coverage.above):
            ours.append(list(fractions.mean(axis=0)))
            noise.append(list(fractions.std(axis=0, ddof=1) / np.sqrt(len(fractions))))
    title = "fraction of samples with the true recall below, or above, the interval"
    return method_table("Figure 13", 13, title, columns, ours, noise)


def figure_14(coverages: Sequence[RecallCoverage]) -> StudyTable:
    """Return in how many realisations a method comes nearest; the paper has no numbers."""
    ours = [[row.closest for row in coverage.rows] for coverage in coverages]
    noise = [
        _fraction_noise(fractions, len(coverage.realisations))
        for fractions, coverage in zip(ours, coverages, strict=True)
    ]
    title = "fraction of realisations in which a method's coverage is nearest the level"
    columns = [coverage.scenario for coverage in coverages]
    return method_table("Figure 14", 14, title, columns, ours, noise)


def own_table(coverage: RecallCoverage) -> StudyTable:
    """Return coverage, balance and width on a corpus of the user's own sizes."""
    n, rows = coverage.n_samples, coverage.rows
    ours = [[getattr(row, name) for row in rows] for name in ("coverage", "below", "above")]
    noise = [_fraction_noise(fractions, n) for fractions in ours]
    ours.append([row.width for row in rows])
    noise.append([row.width_noise for row in rows])
    corpus = coverage.realisations[0]
    title = (
        f"{corpus.retrieved_sample:,} of {corpus.retrieved:,} retrieved and "
        f"{corpus.unretrieved_sample:,} of {corpus.unretrieved:,} other documents sampled, "
        f"recall {corpus.recall:.4g}"
    )
    columns = ["coverage", "below", "above", "width"]
    return method_table("Own sizes", 0, title, columns, ours, noise)


def _fraction_noise(fractions: Sequence[float], n: int) -> list[float]:
    return [float(np.sqrt(fraction * (1 - fraction) / n)) for fraction in fractions]


def method_table(
    name: str,
    number: int,
    title: str,
    columns: Sequence[str],
    ours: Sequence[Sequence[float]],
    noise: Sequence[Sequence[float]],
    theirs: Sequence[Sequence[float]] | None = None,
    decimals: int = 3,
) -> StudyTable:
    """Return a table with a row per method; numbers are given by column.

    Without ``theirs`` the paper's numbers are unknown.
    """
    if theirs is None:
        theirs = [[np.nan] * len(column) for column in ours]
    by_row = [
        tuple(tuple(map(float, row)) for row in zip(*numbers, strict=True))
        for numbers in (ours, theirs, noise)
    ]
    return StudyTable(
        study=STUDY,
        number=number,
        title=title,
        corner="method",
        rows=NINE_METHODS,
        columns=tuple(columns),
        ours=by_row[0],
        theirs=by_row[1],
        noise=by_row[2],
        decimals=decimals,
        name=name,
    )


# ---- boxes ----


def coverage_boxes(coverage: RecallCoverage) -> tuple[FractionBox, ...]:
    """Return a box per method: fractions of intervals with the true recall (Figures 10 to 12)."""
    return _boxes(coverage.methods, coverage.coverages)


def gap_boxes(coverage: RecallCoverage) -> tuple[tuple[FractionBox, ...], tuple[FractionBox, ...]]:
    """Return boxes of the true recall being below an interval, and above it (Figure 13)."""
    methods = coverage.methods
    return _boxes(methods, coverage.below), _boxes(methods, coverage.above)


def _boxes(labels: Sequence[str], fractions: Floats) -> tuple[FractionBox, ...]:
    return tuple(_box(label, fractions[:, m]) for m, label in enumerate(labels))


def _box(label: str, fractions: Floats) -> FractionBox:
    fractions = np.round(fractions, DIGITS)
    first, median, third = np.quantile(fractions, (0.25, 0.5, 0.75))
    reach = WHISKER * (third - first)
    inside = (fractions >= first - reach) & (fractions <= third + reach)
    outside, times = np.unique(fractions[~inside], return_counts=True)
    return FractionBox(
        label=label,
        low=float(fractions[inside].min()),
        first_quartile=float(first),
        median=float(median),
        third_quartile=float(third),
        high=float(fractions[inside].max()),
        mean=float(fractions.mean()),
        outliers=tuple(zip(outside.tolist(), times.tolist(), strict=True)),
    )
