"""Two systems compared on shallow pools, in the images that ``resample.documents`` draws.

The images are drawn again from the seed, the very same ones, since what is judged changes from
image to image and no score that was kept would tell.

Memory: the counts of a block, and the differences of a block on every query for each measure and
depth, for each thread; kept are two numbers for each measure, depth and image, and the differences
on every query in the first 1,024 images.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..kernels.dealing import IMAGES
from ..kernels.pooling import EVERYTHING, score_pools
from ..scores.measures import Measure
from ..scores.packed_rankings import PackedRankings
from .blocks import work_through
from .documents import counts_of_images, tables_for

__all__ = ["PooledDifferences", "bootstrap_pools", "pools_on_corpus"]

Floats = NDArray[np.float64]
Bytes = NDArray[np.uint8]
Depths = Sequence[int | None]
Scorer = Callable[[Bytes, int], tuple[Floats, NDArray[np.int32]]]

KEPT = 1024  # images whose differences on single queries are kept
#: decimals of a difference that count: the same score summed in another order differs by less
DIGITS = 12


@dataclass(frozen=True, eq=False)
class PooledDifferences:
    """Differences of two systems, summed up over queries: measure x depth x image."""

    means: Floats
    #: standard deviations over queries, 0 where all differences are equal and nowhere else
    deviations: Floats
    #: measure x depth x query x image: every difference, of the first images
    on_queries: NDArray[np.float32]


def bootstrap_pools(
    packed: PackedRankings,
    measures: Sequence[Measure],
    depths: Depths,
    n_images: int,
    seed: int,
    *,
    threads: int | None = None,
    progress: Callable[[], None] | None = None,
) -> PooledDifferences:
    """Differences of the first of two systems from the second on ``n_images`` images.

    A depth is how many documents of each are judged, None for all judgments. The same seed gives
    the same bits on any number of threads, and more images only add to fewer; ``progress`` is
    called after each block of images.
    """
    score = _scorer(packed, measures, depths)
    means = np.empty((len(measures), len(depths), n_images))
    deviations = np.empty_like(means)
    n_kept = min(n_images, KEPT)
    n_queries = len(packed.rankings.row_bounds) - 1
    on_queries = np.empty((len(measures), len(depths), n_queries, n_kept), np.float32)

    def work(block: int) -> None:
        begin = block * IMAGES
        end = min(begin + IMAGES, n_images)
        differences, _ = score(*counts_of_images(packed, seed, block))
        # all images of a block are summed up, wanted or not, so that none changes another's bits
        centres, spreads = _over_queries(differences)
        means[..., begin:end] = centres[..., : end - begin]
        deviations[..., begin:end] = spreads[..., : end - begin]
        kept = on_queries[..., begin:end]
        kept[...] = differences[..., : kept.shape[-1]]

    work_through(-(-n_images // IMAGES), work, threads=threads, progress=progress)
    return PooledDifferences(means, deviations, on_queries)


def pools_on_corpus(
    packed: PackedRankings, measures: Sequence[Measure], depths: Depths
) -> tuple[PooledDifferences, Floats]:
    """The same on the corpus as it is, one image, and the relevant documents judged per query."""
    score = _scorer(packed, measures, depths)
    differences, n_relevant = score(np.ones((packed.n_rows, IMAGES), np.uint8), 1)
    one = differences[..., :1]
    found = PooledDifferences(*_over_queries(one), one.astype(np.float32))
    return found, np.asarray(n_relevant[..., 0].mean(axis=1))


def _scorer(packed: PackedRankings, measures: Sequence[Measure], depths: Depths) -> Scorer:
    """What scores a block, given its counts and the largest of them."""
    tables = tables_for(packed, measures)
    limits = np.array([_limit(depth) for depth in depths], np.int32)
    n_queries = len(packed.rankings.row_bounds) - 1

    def score(counts: Bytes, largest: int) -> tuple[Floats, NDArray[np.int32]]:
        differences = np.empty((len(measures), len(depths), n_queries, IMAGES))
        n_relevant = np.empty(differences.shape[1:], np.int32)
        score_pools(packed.rankings, tables, counts, largest, limits, differences, n_relevant)
        return differences, n_relevant

    return score


def _limit(depth: int | None) -> int:
    """The depth as the kernel wants it; no ranking reaches the deepest pool that is not all."""
    return int(EVERYTHING) if depth is None else min(depth, int(EVERYTHING) - 1)


def _over_queries(differences: Floats) -> tuple[Floats, Floats]:
    """Mean and standard deviation over the last axis but one."""
    rounded = np.round(differences, DIGITS)
    spreads = rounded.std(axis=-2, ddof=1)
    spreads[np.ptp(rounded, axis=-2) == 0] = 0.0  # the mean of equal numbers may be off by a digit
    return rounded.mean(axis=-2), spreads
