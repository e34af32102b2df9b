"""The bootstrap over documents: draw replicates of the corpus and score all systems on them.

An image of the corpus (Zobel and Rashidi 2020) is a replicate: a sample of D documents from the D
documents of the corpus, with replacement. Some documents occur several times in it, others not at
all. The run on an image is the run on the corpus with each document repeated as often as it was
drawn; a repeated relevant document is relevant each time. Only documents in a ranking or judgment
can matter, so only their counts are drawn. ``kernels.multinomial_counts`` explains why these counts
are an exact multinomial sample nonetheless.

Images are drawn in units of 64. The count of a document depends on the seed, on the id of the
document and on the number of the image, not on threads or blocks.

Means over queries are stored for every image, eight bytes per measure and system. Scores on single
queries, four bytes each, are stored for the first images, up to 2 GiB: all images have the same
distribution, so that the first thousand of a million are as good a sample as any. Scores of
systems, differences and ranks come from all images, the variance of new queries from these.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ..kernels.image_scores import MeasureTables
from ..kernels.multinomial_counts import IMAGES, draw_multinomial
from ..measurement.base import Measure
from ..measurement.image_tables import measure_tables
from ..parallel import Arrays, fill_arrays, run_work
from ._kernels import score_images
from .packed_rankings import PackedRankings
from .seeds import Purpose, stream

Floats = NDArray[np.float64]

SCORING = 0.5  # operations per document and image

MAX_STORED_BYTES = 2 << 30  # of single scores
MIN_STORED = 100  # images whose single scores are always stored: as many as in the paper


@dataclass(frozen=True, eq=False)
class ReplicateScores:
    """Scores on images of the corpus: those that are stored, and means of all."""

    #: measure x system x query x image; the first images
    scores: NDArray[np.floating]
    #: measure x system x image: the mean over queries, of every image
    means: Floats


def bootstrap_documents(
    packed: PackedRankings,
    measures: Sequence[Measure],
    n_images: int,
    seed: int,
    *,
    n_stored: int | None = None,
    precision: type[np.floating] = np.float32,
    progress: Callable[[], None] | None = None,
) -> ReplicateScores:
    """Score every system on every query in ``n_images`` images; store the scores of ``n_stored``.

    The same seed gives the same bits for any number of threads, and more images begin with the same
    ones. ``progress`` is called after each unit of images.
    """
    # a ranking of n documents has n documents on average in an image, more than 2 n + 4096 with a
    # probability below 1e-1000, and never more than the corpus
    n_ranks = min(packed.corpus_size, 2 * packed.longest + 4096)
    tables = measure_tables(measures, packed.grades, packed.max_grade, n_ranks)
    n_queries = len(packed.rankings.row_bounds) - 1
    n_stored = n_images if n_stored is None else min(n_stored, n_images)
    scores = np.empty((len(measures), packed.n_systems, n_queries, n_stored), precision)
    means = np.empty((len(measures), packed.n_systems, n_images))
    work = partial(
        score_unit,
        packed=packed,
        tables=tables,
        n_images=n_images,
        n_stored=n_stored,
        precision=precision,
        seed=seed,
    )
    cost = IMAGES * (packed.rankings.entries.size + len(packed.hashes)) * SCORING
    units = run_work(work, -(-n_images // IMAGES), cost=cost, progress=progress)
    fill_arrays(units, scores, means)
    means /= n_queries
    for array in (scores, means):
        array.setflags(write=False)  # stored in results, which must not change
    return ReplicateScores(scores, means)


def score_unit(
    unit: int,
    *,
    packed: PackedRankings,
    tables: MeasureTables,
    n_images: int,
    n_stored: int,
    precision: type[np.floating],
    seed: int,
) -> Arrays:
    """Return the stored scores of a unit of images, and sums over queries of all."""
    begin = unit * IMAGES
    n_here = min(IMAGES, n_images - begin)
    n_measures, n_queries = tables.kinds.size, len(packed.rankings.row_bounds) - 1
    cells = (n_measures, packed.n_systems)
    scores = np.empty((*cells, n_queries, min(max(n_stored - begin, 0), n_here)), precision)
    sums = np.zeros((*cells, n_here))
    counts, largest = draw_replicate_counts(packed, seed, unit)
    score_images(packed.rankings, tables, counts, largest, scores, sums)
    return scores, sums


def draw_replicate_counts(
    packed: PackedRankings, seed: int, unit: int
) -> tuple[NDArray[np.uint8], int]:
    """Return how often each document occurs in the images of a unit, and the largest count."""
    counts = np.empty((packed.n_rows, IMAGES), np.uint8)
    key = stream(seed, Purpose.corpus_images).bit_generator.random_raw()
    largest = draw_multinomial(
        packed.hashes, np.uint64(key), unit, packed.corpus_size, packed.rows, counts
    )
    return counts, int(largest)


def count_stored(cells: tuple[int, int, int], n_images: int) -> int:
    """Return how many images to store the scores of, for measures x systems x queries."""
    return min(n_images, max(MAX_STORED_BYTES // (4 * math.prod(cells)), MIN_STORED))
