"""Two systems compared on shallow pools, in the images that ``resample.documents`` draws.

The images are drawn again from the seed, the very same ones, since what is judged changes from
image to image and no score that was kept would tell.

Memory: the counts of a unit, and its differences on every query for each measure and
depth, for each thread; kept are two numbers for each measure, depth and image, and the differences
on every query in the first 1,024 images.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..kernels.dealing import IMAGES
from ..kernels.image_scores import MeasureTables
from ..kernels.pooling import EVERYTHING, score_pools
from ..measurement.base import Measure
from ..parallel.work import Arrays, bind, fill_arrays, layout_of, run_work
from ..scores.packed_rankings import PackedRankings
from .documents import counts_of_images, tables_for

Floats = NDArray[np.float64]
Bytes = NDArray[np.uint8]
Depths = Sequence[int | None]

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
    systems: Sequence[str] = (),
    progress: Callable[[], None] | None = None,
) -> PooledDifferences:
    """Differences of the first of two systems from the second on ``n_images`` images.

    A depth is how many documents of each are judged, None for all judgments; ``systems`` are the
    names of the two, to be known again by. The same seed gives
    the same bits wherever it is done, and more images only add to fewer; ``progress`` is
    called after each unit of images.
    """
    pools = _pools(packed, measures, depths)
    shape = (len(measures), len(depths))
    means, deviations = np.empty((2, *shape, n_images))
    n_kept = min(n_images, KEPT)
    on_queries = np.empty((*shape, pools.n_queries, n_kept), np.float32)
    work = bind(
        compare_unit,
        "images of a corpus in pools",
        options={
            "n_images": n_images,
            "corpus_size": packed.corpus_size,
            "systems": list(systems),
            "depths": list(depths),
            "measures": [measure.name for measure in measures],
            "seed": seed,
        },
        inputs={"pools": "the runs, judgments or corpus"},
        pools=pools,
        n_images=n_images,
        n_kept=n_kept,
        seed=seed,
    )
    cost = IMAGES * (packed.rankings.entries.size * len(depths) + len(packed.names))
    places = (means, deviations, on_queries)
    layout = layout_of(IMAGES, *places)
    found = run_work(work, -(-n_images // IMAGES), cost=cost, layout=layout, progress=progress)
    fill_arrays(found, *places)
    return PooledDifferences(means, deviations, on_queries)


def pools_on_corpus(
    packed: PackedRankings, measures: Sequence[Measure], depths: Depths
) -> tuple[PooledDifferences, Floats]:
    """The same on the corpus as it is, one image, and the relevant documents judged per query."""
    pools = _pools(packed, measures, depths)
    differences, n_relevant = pools.scored(np.ones((packed.n_rows, IMAGES), np.uint8), 1)
    one = differences[..., :1]
    found = PooledDifferences(*_over_queries(one), one.astype(np.float32))
    return found, np.asarray(n_relevant[..., 0].mean(axis=1))


def compare_unit(unit: int, *, pools: Pools, n_images: int, n_kept: int, seed: int) -> Arrays:
    """One unit of images: means and deviations over queries, and differences that are kept."""
    begin = unit * IMAGES
    n_here = min(IMAGES, n_images - begin)
    differences, _ = pools.scored(*counts_of_images(pools.packed, seed, unit))
    # all images of a unit are summed up, wanted or not, so that none changes another's bits
    centres, spreads = _over_queries(differences)
    kept = differences[..., : min(max(n_kept - begin, 0), n_here)].astype(np.float32)
    return centres[..., :n_here], spreads[..., :n_here], kept


@dataclass(frozen=True, eq=False)
class Pools:
    """Rankings of two systems, what the measures need, and how deep pools are."""

    packed: PackedRankings
    tables: MeasureTables
    limits: NDArray[np.int32]

    @property
    def n_queries(self) -> int:
        """How many queries there are."""
        return len(self.packed.rankings.row_bounds) - 1

    def scored(self, counts: Bytes, largest: int) -> tuple[Floats, NDArray[np.int32]]:
        """Differences and relevant documents in a unit, given its counts and their largest."""
        shape = (self.limits.size, self.n_queries, IMAGES)
        differences = np.empty((self.tables.kinds.size, *shape))
        n_relevant = np.empty(shape, np.int32)
        score_pools(
            self.packed.rankings, self.tables, counts, largest, self.limits, differences, n_relevant
        )
        return differences, n_relevant


def _pools(packed: PackedRankings, measures: Sequence[Measure], depths: Depths) -> Pools:
    limits = np.array([_limit(depth) for depth in depths], np.int32)
    return Pools(packed, tables_for(packed, measures), limits)


def _limit(depth: int | None) -> int:
    """The depth as the kernel wants it; no ranking reaches the deepest pool that is not all."""
    return int(EVERYTHING) if depth is None else min(depth, int(EVERYTHING) - 1)


def _over_queries(differences: Floats) -> tuple[Floats, Floats]:
    """Mean and standard deviation over the last axis but one."""
    rounded = np.round(differences, DIGITS)
    spreads = rounded.std(axis=-2, ddof=1)
    spreads[np.ptp(rounded, axis=-2) == 0] = 0.0  # the mean of equal numbers may be off by a digit
    return rounded.mean(axis=-2), spreads
