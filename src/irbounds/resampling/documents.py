"""The bootstrap over documents: all systems scored on images of the corpus.

An image is a sample of D documents from the D of the corpus, with replacement (Zobel and Rashidi
2020): some stand there several times, others not at all. A run on the image is the run on the
corpus with each document repeated as often as it was drawn; a repeated relevant document is
relevant each time. Only documents that a ranking or a judgment names can matter, so only they are
dealt out; ``kernels.dealing`` says why the result is an exact multinomial sample nonetheless.

Images come in units of 64. A document's count depends on the seed, on the document's id and on the
image's number, and on nothing that threads or blocks could change.

Memory: the counts of a unit, one byte a document and image, for each thread; the scores that are
kept, four bytes for each measure, system, query and image; and a few numbers for each measure,
system and query.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..kernels.dealing import IMAGES, deal_counts
from ..kernels.image_scores import MeasureTables
from ..kernels.imaging import score_images
from ..measurement.base import Measure
from ..measurement.image_tables import measure_tables
from ..parallel.work import Arrays, bind, layout_of, run_work
from ..scores.packed_rankings import PackedRankings
from .streams import Purpose, stream

Floats = NDArray[np.float64]

SCORING = 0.5  # operations for a document in an image


@dataclass(frozen=True, eq=False)
class ImageScores:
    """Scores on images: those kept, and what sums up all of them."""

    #: measure x system x query x image; the first images, as many as were to be kept
    scores: NDArray[np.floating]
    #: measure x system x image: the mean over queries, of every image
    means: Floats
    #: measure x system x query: mean and standard deviation over all images
    query_means: Floats
    query_deviations: Floats


def bootstrap_documents(
    packed: PackedRankings,
    measures: Sequence[Measure],
    n_images: int,
    seed: int,
    *,
    n_kept: int | None = None,
    precision: type[np.floating] = np.float32,
    progress: Callable[[], None] | None = None,
) -> ImageScores:
    """Score every system on every query in ``n_images`` images; keep the scores of ``n_kept``.

    The same seed gives the same bits wherever it is done, and more images only add to fewer.
    ``progress`` is called after each unit of images.
    """
    tables = tables_for(packed, measures)
    n_queries = len(packed.rankings.row_bounds) - 1
    cells = (len(measures), packed.n_systems, n_queries)
    kept = n_images if n_kept is None else min(n_kept, n_images)
    scores = np.empty((*cells, kept), precision)
    sums = np.empty((*cells[:2], n_images))
    moments = _Moments(cells)
    work = bind(
        score_unit,
        "images of a corpus",
        options={
            "n_images": n_images,
            "corpus_size": packed.corpus_size,
            "measures": [measure.name for measure in measures],
            "seed": seed,
        },
        inputs={"packed": "the runs, judgments or corpus"},
        packed=packed,
        tables=tables,
        n_images=n_images,
        n_kept=kept,
        precision=precision,
        seed=seed,
    )
    cost = IMAGES * (packed.rankings.entries.size + len(packed.names)) * SCORING
    parts, rest = layout_of(IMAGES, scores, sums), [(cells, np.float64)] * 2
    found = run_work(
        work,
        -(-n_images // IMAGES),
        cost=cost,
        layout=lambda unit: [*parts(unit), *rest],
        progress=progress,
    )
    for unit, (some, totals, centres, spreads) in enumerate(found):
        begin = unit * IMAGES
        scores[..., begin : begin + some.shape[-1]] = some
        sums[..., begin : begin + totals.shape[-1]] = totals
        moments.add(totals.shape[-1], centres, spreads)
    sums /= n_queries
    deviations = np.sqrt(moments.spreads / max(n_images - 1, 1))
    images = ImageScores(scores, sums, moments.centres, deviations)
    for array in (images.scores, images.means, images.query_means, images.query_deviations):
        array.setflags(write=False)  # kept by results, which must not change
    return images


def score_unit(
    unit: int,
    *,
    packed: PackedRankings,
    tables: MeasureTables,
    n_images: int,
    n_kept: int,
    precision: type[np.floating],
    seed: int,
) -> Arrays:
    """One unit of images: scores that are kept, sums over queries, means, squared deviations."""
    begin = unit * IMAGES
    n_here = min(IMAGES, n_images - begin)
    n_measures, n_queries = tables.kinds.size, len(packed.rankings.row_bounds) - 1
    cells = (n_measures, packed.n_systems, n_queries)
    scores = np.empty((*cells, min(max(n_kept - begin, 0), n_here)), precision)
    sums = np.zeros((*cells[:2], n_here))
    centres, spreads = np.empty((2, packed.n_systems, n_queries, n_measures))
    counts, largest = counts_of_images(packed, seed, unit)
    score_images(packed.rankings, tables, counts, largest, scores, sums, centres, spreads)
    return scores, sums, centres.transpose(2, 0, 1), spreads.transpose(2, 0, 1)


def tables_for(packed: PackedRankings, measures: Sequence[Measure]) -> MeasureTables:
    """The tables of the measures, down to ranks that no image will reach.

    A ranking of n documents has n on average in an image, and more than 2 n + 4096 with a chance
    below 1e-1000; it never has more than the corpus.
    """
    n_ranks = min(packed.corpus_size, 2 * packed.longest + 4096)
    return measure_tables(measures, packed.grades, packed.max_grade, n_ranks)


def counts_of_images(packed: PackedRankings, seed: int, unit: int) -> tuple[NDArray[np.uint8], int]:
    """How often each document stands in the images of a unit, row x image, and the most often."""
    counts = np.empty((packed.n_rows, IMAGES), np.uint8)
    key = stream(seed, Purpose.corpus_images).bit_generator.random_raw()
    largest = deal_counts(
        packed.names, np.uint64(key), unit, packed.corpus_size, packed.rows, counts
    )
    return counts, int(largest)


class _Moments:
    """Mean and sum of squared deviations over units, added in the order of their numbers."""

    def __init__(self, cells: tuple[int, ...]) -> None:
        self.centres: Floats = np.zeros(cells)
        self.spreads: Floats = np.zeros(cells)
        self._n = 0

    def add(self, n: int, centres: Floats, spreads: Floats) -> None:
        """Chan, Golub and LeVeque's rule for two groups."""
        total = self._n + n
        apart = centres - self.centres
        self.centres += apart * (n / total)
        self.spreads += spreads + apart**2 * (self._n * n / total)
        self._n = total
