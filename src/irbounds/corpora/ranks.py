"""Where each system stands on the images (section 6 and Figure 5).

On every image the mean scores put the systems in an order; a system's ranks over all images show
how much of the order on the corpus is the corpus's own doing. Equal means share the better rank, as
on the corpus, and the chance of being best.

The images vary documents and leave the queries as they are: for the ranks that other queries might
give, see ``rank_interval``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..errors import DataError
from ..results import RankInterval, RankPrecision, Results
from ..validation import check_confidence_level
from .summaries import summarise_rows
from .ties import without_rounding

if TYPE_CHECKING:
    from .bootstrap import CorpusBootstrap

CHUNK = 1 << 20  # numbers worked on at once
SLACK = 1e-9  # a quantile this close to a whole number is that number


def rank_precision(images: CorpusBootstrap, confidence_level: float) -> Results[RankPrecision]:
    """Every system's rank by every measure, best system on the corpus first."""
    confidence_level = check_confidence_level(confidence_level)
    if len(images.systems) < 2:
        raise DataError(f"ranks need at least two systems; got {len(images.systems)}")
    return Results(
        row for m in range(len(images.measures)) for row in _of_measure(images, m, confidence_level)
    )


def _of_measure(
    images: CorpusBootstrap, m: int, confidence_level: float
) -> Iterator[RankPrecision]:
    roots = images.root.means()[m]
    on_corpus = _ranks(roots[:, None])[:, 0]
    on_images = _ranks(images.means[m])
    best = on_images == 1
    chances = (best / best.sum(axis=0)).mean(axis=1)
    order = np.argsort(on_corpus, kind="stable")
    intervals = [interval for _, interval in summarise_rows(images.means[m], confidence_level)]
    over_next = [_share_above(*on_images[[s, t]]) for s, t in pairwise(order)]
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
            best_probability=float(chances[s]),
            over_next=over,
            n_systems=len(images.systems),
            n_images=images.n_images,
            mean_half_width=intervals[s].half_width,
        )


def _share_above(ranks: NDArray[np.int32], others: NDArray[np.int32]) -> float:
    """Share of images with the better rank; equal ones count half."""
    return float(np.mean(ranks < others) + np.mean(ranks == others) / 2)


def _ranks(means: NDArray[np.float64]) -> NDArray[np.int32]:
    """Ranks of the systems in every image: system x image, sorted some images at a time."""
    ranks = np.empty(means.shape, np.int32)
    step = max(CHUNK // len(means), 1)
    for begin in range(0, means.shape[1], step):
        part = slice(begin, begin + step)
        falling = -without_rounding(means[:, part])
        ranks[:, part] = _lowest_ranks(falling)
    return ranks


def _lowest_ranks(values: NDArray[np.float64]) -> NDArray[np.intp]:
    """Rank each column from 1; equal values share the lowest rank (scipy.stats is slow to load)."""
    order = np.argsort(values, axis=0, kind="stable")
    rising = np.take_along_axis(values, order, axis=0)
    begins = np.zeros(values.shape, np.intp)
    begins[1:] = np.where(rising[1:] != rising[:-1], np.arange(1, len(values))[:, None], 0)
    ranks = np.empty_like(begins)
    np.put_along_axis(ranks, order, np.maximum.accumulate(begins, axis=0) + 1, axis=0)
    return ranks
