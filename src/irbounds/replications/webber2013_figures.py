"""Webber (2013), Figures 2 to 8: what is known before a recall interval is made.

Figures 4 to 7 draw the coverage of four intervals of a proportion at n = 20 against prevalence, and
the text gives their means. A mean over uniform prevalence needs no grid, being a sum of beta
integrals, and all but Wald's are met: 0.846 here, 0.851 there. With n - 1 in the place of n in the
variance Wald's is 0.8505, which must be what was computed, though the paper's Equation 11 has n.

Figure 2 and Table III are one example of the recall estimator's bias: its mean is 0.31 where recall
is 0.25. Figure 3 draws the bias against the unretrieved sample; only the example's yield is
printed, so the other yields here are ours, a third and a tenth of it.

Figure 8 draws the most conservative prior against the share of documents sampled. The paper prints
no numbers, only that all curves meet near a share of 0.8, slightly below 0.5.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import partial

import numpy as np

from ..results import StudyTable
from ..samples.estimator import estimator_bias, estimator_distribution
from ..samples.priors import most_conservative_prior
from ..samples.proportions import ProportionMethod, binomial_coverage, mean_binomial_coverage, wald

#: documents, relevant ones and sampled ones
Segment = tuple[int, int, int]

UNKNOWN = math.nan
#: the four intervals in the order of Figures 4 to 7, and the mean coverages that the text gives
COVERAGES: dict[str, tuple[str | ProportionMethod, float]] = {
    "clopper-pearson": ("clopper-pearson", 0.977),
    "wald": ("wald", 0.851),
    "wald, n - 1": (partial(wald, unbiased=True), 0.851),
    "wilson": ("wilson", 0.953),
    "jeffreys": ("jeffreys", 0.951),
}
N_SAMPLED = 20
GRID = 2001  # prevalences at which the lowest coverage is looked for
#: Table III: documents, relevant and sampled, of the retrieved and of the unretrieved segment
RETRIEVED, UNRETRIEVED = (2_000, 1_000, 100), (100_000, 3_000, 100)
THEIR_MEAN, TRUE_RECALL = 0.31, 0.25
#: Figure 3: what the yields of Table III are divided by, and the unretrieved samples
FEWER = (1, 3, 10)
SAMPLES = (25, 50, 100, 200, 400, 800, 1600, 3200)
#: Figure 8
POPULATIONS = (20, 50, 100, 200, 500, 1000)
SHARES = (0.1, 0.2, 0.4, 0.6, 0.7, 0.8, 0.9, 0.95)


def figure_tables() -> tuple[StudyTable, ...]:
    """All of them, in the paper's order."""
    return estimator_table(), bias_table(), coverage_table(), prior_table()


def estimator_table() -> StudyTable:
    """Table III and Figure 2: the mean of the recall estimator where recall is 0.25."""
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
    """Figure 3: the estimator's bias by the unretrieved sample and the unretrieved yield."""
    rows, ours = [], []
    for retrieved, unretrieved in bias_cases():
        rows.append(f"{unretrieved[1]:,}, recall {true_recall(retrieved, unretrieved):.2f}")
        ours.append([estimator_bias(retrieved, (*unretrieved[:2], n)) for n in SAMPLES])
    return _table(
        name="Figure 3",
        number=3,
        title="bias of the recall estimator by the unretrieved sample",
        corner="unretrieved yield",
        rows=rows,
        columns=[f"{sampled:,}" for sampled in SAMPLES],
        ours=ours,
    )


def coverage_table() -> StudyTable:
    """Figures 4 to 7: mean and lowest coverage of four 95 % intervals of a proportion."""
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
        theirs=[(mean, UNKNOWN) for _, mean in COVERAGES.values()],
    )


def prior_table() -> StudyTable:
    """Figure 8: alpha = beta of the most conservative prior."""
    return _table(
        name="Figure 8",
        number=8,
        title="most conservative alpha = beta, by documents and share sampled",
        corner="documents",
        rows=[f"{population:,}" for population in POPULATIONS],
        columns=[f"{share:.0%}" for share in SHARES],
        ours=[
            [most_conservative_prior(population, share * population) for share in SHARES]
            for population in POPULATIONS
        ],
    )


def bias_cases() -> list[tuple[Segment, Segment]]:
    """Both yields and the retrieved set divided; then the unretrieved yield alone."""
    (size, found, sampled), (rest, missed, drawn) = RETRIEVED, UNRETRIEVED
    cases = [((size // by, found // by, sampled), (rest, missed // by, drawn)) for by in FEWER]
    return [*cases, (RETRIEVED, (rest, missed // FEWER[-1], drawn))]


def true_recall(retrieved: Segment, unretrieved: Segment) -> float:
    """Of known yields."""
    return retrieved[1] / (retrieved[1] + unretrieved[1])


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
    """A table; where the paper prints no numbers, theirs are not known."""
    unknown = [(UNKNOWN,) * len(columns) for _ in ours]
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
