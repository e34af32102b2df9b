"""Precision of the differences and ranks of systems' mean scores on images of the corpus.

Both systems of a pair are scored on the same images, and a relevant document that an image lacks or
repeats changes both scores. So a difference varies less than two independent scores would. The
intervals of two scores may overlap where the interval of their difference does not contain 0; the
difference decides.

The mean scores order the systems on every image. The ranks of a system over all images (section 6,
Figure 5) show how much of the order on the corpus depends on the corpus. Equal means have the same
rank, as on the corpus, and the same probability of being best.

The images vary the documents and not the queries: all statements hold for these queries. For the
ranks on other queries, see ``rank_interval``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..comparisons.pairs import check_pairs_fit, check_systems, pair_places
from ..errors import DataError
from ..results import DifferencePrecision, RankInterval, RankPrecision, Results
from ..validation import check_confidence_level
from .score_precision import summarise_rows

if TYPE_CHECKING:
    from .bootstrap import CorpusBootstrap

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

CHUNK = 1 << 20  # numbers in memory at a time, 8 MiB
DECIMALS = 12  # of means and their differences
SLACK = 1e-9  # a quantile this close to an integer is that integer


def round_means(means: Floats) -> Floats:
    """Return means, or differences of means, rounded to the decimals that count.

    Two systems that find equally many relevant documents have the same precision, and yet their
    means over queries can differ in the sixteenth digit, by the order of the additions. Scores of
    the measures here are between 0 and 1, so that twelve decimals are enough to compare means.
    """
    return np.asarray(np.round(means, DECIMALS) + 0.0)  # and no -0


def difference_precision(
    images: CorpusBootstrap, baseline: str | None, confidence_level: float
) -> Results[DifferencePrecision]:
    """Return the differences of all pairs, the better system first, or those from a baseline."""
    confidence_level = check_confidence_level(confidence_level)
    check_systems(images.systems, baseline)
    check_pairs_fit(len(images.systems), len(images.measures), baseline)
    rows: list[DifferencePrecision] = []
    for m in range(len(images.measures)):
        roots = round_means(images.root.means()[m])
        first, second = pair_places(images.systems, roots, baseline)
        step = max(CHUNK // images.n_images, 1)
        for begin in range(0, len(first), step):
            part = slice(begin, begin + step)
            rows += _summarise_pairs(images, m, first[part], second[part], confidence_level)
    return Results(rows)


def _summarise_pairs(
    images: CorpusBootstrap, m: int, first: Places, second: Places, confidence_level: float
) -> Iterator[DifferencePrecision]:
    roots = images.root.means()[m]
    differences = round_means(images.means[m, first] - images.means[m, second])
    higher = ((differences > 0) + (differences == 0) / 2).mean(axis=1)
    for k, (summary, interval) in enumerate(summarise_rows(differences, confidence_level)):
        yield DifferencePrecision(
            measure=images.measures[m],
            system=images.systems[first[k]],
            baseline=images.systems[second[k]],
            value=float(round_means(roots[first[k]] - roots[second[k]])),
            images=summary,
            interval=interval,
            higher_probability=float(higher[k]),
            n_queries=len(images.queries),
            n_images=images.n_images,
        )


def rank_precision(images: CorpusBootstrap, confidence_level: float) -> Results[RankPrecision]:
    """Return the rank of every system by every measure, best system on the corpus first."""
    confidence_level = check_confidence_level(confidence_level)
    if len(images.systems) < 2:
        raise DataError(f"ranks need at least two systems; got {len(images.systems)}")
    return Results(
        row for m in range(len(images.measures)) for row in _rank_rows(images, m, confidence_level)
    )


def _rank_rows(images: CorpusBootstrap, m: int, confidence_level: float) -> Iterator[RankPrecision]:
    roots = images.root.means()[m]
    on_corpus = _rank_systems(roots[:, None])[:, 0]
    on_images = _rank_systems(images.means[m])
    best = on_images == 1
    best_probabilities = (best / best.sum(axis=0)).mean(axis=1)
    order = np.argsort(on_corpus, kind="stable")
    intervals = [interval for _, interval in summarise_rows(images.means[m], confidence_level)]
    over_next = [_fraction_above(*on_images[[s, t]]) for s, t in pairwise(order)]
    for s, over in zip(order, [*over_next, None], strict=True):
        ((summary, interval),) = summarise_rows(on_images[s][None], confidence_level)
        yield RankPrecision(
            measure=images.measures[m],
            system=images.systems[s],
            mean=float(roots[s]),
            value=int(on_corpus[s]),
            images=summary,
            interval=RankInterval(
                math.floor(interval.low + SLACK),
                math.ceil(interval.high - SLACK),
                confidence_level,
                interval.method,
            ),
            best_probability=float(best_probabilities[s]),
            over_next=over,
            n_systems=len(images.systems),
            n_images=images.n_images,
            mean_half_width=intervals[s].half_width,
        )


def _fraction_above(ranks: NDArray[np.int32], others: NDArray[np.int32]) -> float:
    """Return the fraction of images with the better rank; equal ranks count half."""
    return float(np.mean(ranks < others) + np.mean(ranks == others) / 2)


def _rank_systems(means: Floats) -> NDArray[np.int32]:
    """Return the ranks of the systems on every image: system x image."""
    ranks = np.empty(means.shape, np.int32)
    step = max(CHUNK // len(means), 1)
    for begin in range(0, means.shape[1], step):
        part = slice(begin, begin + step)
        ranks[:, part] = _lowest_ranks(-round_means(means[:, part]))
    return ranks


def _lowest_ranks(values: Floats) -> Places:
    """Rank each column from 1; equal values have the lowest rank (scipy.stats is slow to load)."""
    order = np.argsort(values, axis=0, kind="stable")
    rising = np.take_along_axis(values, order, axis=0)
    begins = np.zeros(values.shape, np.intp)
    begins[1:] = np.where(rising[1:] != rising[:-1], np.arange(1, len(values))[:, None], 0)
    ranks = np.empty_like(begins)
    np.put_along_axis(ranks, order, np.maximum.accumulate(begins, axis=0) + 1, axis=0)
    return ranks
