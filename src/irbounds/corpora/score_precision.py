"""Precision of scores on images of the corpus: by system, by query and by measure.

The scores of systems are means over queries. Section 6 of the paper (Zobel and Rashidi 2020)
concludes that fifty queries justify at most two decimals. The rule here is that of physics: the
last decimal worth printing is the place of the first digit of the standard deviation, rounded.

A query has few relevant documents, so that the documents an image draws change the score of a query
far more than a mean over queries (section 5, Figures 1 and 2). Distributions per query need all
scores, and come from the images whose scores are stored. Standard deviations come from all images.

The precision of a measure is the mean and the standard deviation, over many cells, of each cell's
standard deviation over images (Tables 3 and 4). A cell is a system's score on a query, or the
difference of two systems' scores on a query. A small mean shows that the measure is precise; a
standard deviation that is small compared with the mean shows that it is equally precise on all
queries.

Measures have different units: P@10 changes in steps of 0.1, and the scores of one measure may be
closer together than those of another. Half the standard deviation is no advantage where the
differences are half as large, too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..kernels.weighted_sums import multiply_rows
from ..parallel import map_in_threads
from ..results import (
    ImageSummary,
    Interval,
    MeasurePrecision,
    QueryPrecision,
    Results,
    ScorePrecision,
    SpreadSummary,
)
from ..validation import check_choice, check_confidence_level

if TYPE_CHECKING:
    from .bootstrap import CorpusBootstrap

Floats = NDArray[np.float64]

MAX_DECIMALS = 8  # of a score that is the same on all images
CHUNK = 1 << 20  # numbers in memory at a time, 8 MiB


def summarise_rows(
    rows: NDArray[np.number], confidence_level: float
) -> Iterator[tuple[ImageSummary, Interval]]:
    """Return the summary of each row, and the interval of its central images.

    The interval is the percentile interval of the bootstrap.
    """
    exact = np.asarray(rows, np.float64)
    outside = (1 - confidence_level) / 2
    probabilities = (0.0, 0.25, 0.5, 0.75, 1.0, outside, 1 - outside)
    quantiles = np.quantile(exact, probabilities, axis=1).T.tolist()
    means, deviations = exact.mean(axis=1).tolist(), exact.std(axis=1, ddof=1).tolist()
    for mean, deviation, (*quartiles, low, high) in zip(means, deviations, quantiles, strict=True):
        yield (
            ImageSummary(mean, deviation, *quartiles),
            Interval(low, high, confidence_level, "percentile"),
        )


def score_precision(images: CorpusBootstrap, confidence_level: float) -> Results[ScorePrecision]:
    """Return the mean score of every system by every measure."""
    confidence_level = check_confidence_level(confidence_level)
    rows = []
    roots = images.root.means()
    for m, measure in enumerate(images.measures):
        summaries = summarise_rows(images.means[m], confidence_level)
        for s, (summary, interval) in enumerate(summaries):
            rows.append(
                ScorePrecision(
                    measure=measure,
                    system=images.systems[s],
                    value=float(roots[m, s]),
                    images=summary,
                    interval=interval,
                    decimals=justified_decimals(summary.standard_deviation),
                    n_queries=len(images.queries),
                    n_images=images.n_images,
                )
            )
    return Results(rows)


def justified_decimals(standard_deviation: float) -> int:
    """Return the place of the first digit: 2 for 0.013 and 0.094, 3 for 0.0041."""
    if standard_deviation <= 10.0**-MAX_DECIMALS:
        return MAX_DECIMALS
    first_digit = float(f"{standard_deviation:.0e}")  # 0.0096 is 0.01 when rounded to a digit
    return max(-math.floor(math.log10(first_digit) + 1e-9), 0)


def query_precision(
    images: CorpusBootstrap, system: str, confidence_level: float
) -> Results[QueryPrecision]:
    """Return a system's score on every query by every measure, on the stored images."""
    confidence_level = check_confidence_level(confidence_level)
    check_choice("system", system, images.systems)
    place = images.systems.index(system)
    step = max(CHUNK // images.n_kept, 1)
    rows: list[QueryPrecision] = []
    for m in range(len(images.measures)):
        for begin in range(0, len(images.queries), step):
            part = range(len(images.queries))[begin : begin + step]
            rows += _summarise_queries(images, m, place, part, confidence_level)
    return Results(rows)


def _summarise_queries(
    images: CorpusBootstrap, m: int, s: int, part: range, confidence_level: float
) -> list[QueryPrecision]:
    scores = images.scores[m, s, part.start : part.stop]
    return [
        QueryPrecision(
            measure=images.measures[m],
            system=images.systems[s],
            query_id=images.queries[q],
            value=float(images.root.values[m, s, q]),
            images=summary,
            interval=interval,
            n_images=images.n_kept,
        )
        for q, (summary, interval) in zip(
            part, summarise_rows(scores, confidence_level), strict=True
        )
    ]


def measure_precision(images: CorpusBootstrap) -> Results[MeasurePrecision]:
    """Return the precision of every measure, over all systems, pairs of systems and queries.

    Deviations of scores come from all images, those of differences from the stored images.
    ``n_images`` is the smaller number where there are differences.
    """
    has_pairs = len(images.systems) > 1
    return Results(
        MeasurePrecision(
            measure=measure,
            scores=_summarise_spread(images.query_deviations[m]),
            differences=_difference_spread(images.scores[m]) if has_pairs else None,
            n_systems=len(images.systems),
            n_queries=len(images.queries),
            n_images=images.n_kept if has_pairs else images.n_images,
        )
        for m, measure in enumerate(images.measures)
    )


def _summarise_spread(deviations: Floats) -> SpreadSummary:
    """Return mean and standard deviation; the latter is NaN for a single number."""
    spread = float(deviations.std(ddof=1)) if deviations.size > 1 else math.nan
    return SpreadSummary(float(deviations.mean()), spread)


def _difference_spread(scores: NDArray[np.floating]) -> SpreadSummary:
    """Summarise the deviations of all pairs on all queries: scores are system x query x image.

    Every query has the same number of pairs, so that the mean is the mean of the means per query,
    and the sum of squares is the sum within queries plus the sum between queries.
    """
    n_systems, n_queries, _ = scores.shape
    n_pairs = n_systems * (n_systems - 1) // 2
    by_query = map_in_threads(partial(_query_moments, scores), range(n_queries))
    means, within = np.array(list(by_query)).T
    between = n_pairs * ((means - means.mean()) ** 2).sum()
    degrees_of_freedom = n_pairs * n_queries - 1
    if not degrees_of_freedom:
        return SpreadSummary(float(means.mean()), math.nan)
    spread = math.sqrt((within.sum() + between) / degrees_of_freedom)
    return SpreadSummary(float(means.mean()), spread)


def _query_moments(scores: NDArray[np.floating], q: int) -> tuple[float, float]:
    """Return the mean of all pairs' standard deviations, and the sum of squares around it."""
    deviations = _pair_deviations(np.asarray(scores[:, q], np.float64))
    mean = float(deviations.mean())
    return mean, float(((deviations - mean) ** 2).sum())


def _pair_deviations(scores: Floats) -> Floats:
    """Return the standard deviation over images of the difference of every pair on one query.

    All come from one matrix product: the variance of a difference is the sum of the two variances
    minus twice the covariance.
    """
    centred = scores - scores.mean(axis=1, keepdims=True)
    centred -= centred.mean(axis=0)  # the same differences, with less rounding
    products = multiply_rows(centred)
    squares = np.diag(products)
    above, below = np.triu_indices(len(scores), 1)
    sums = squares[above] + squares[below] - 2 * products[above, below]
    variances = np.maximum(sums, 0.0) / (scores.shape[1] - 1)  # rounding can go below 0
    return np.asarray(np.sqrt(variances))
