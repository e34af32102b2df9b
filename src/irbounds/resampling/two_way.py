"""The two-way bootstrap: each image of the corpus meets a resample of the queries of its own.

Documents are drawn with replacement for the image, queries with replacement for its mean: both at
once, as if each experiment had its own corpus and its own queries. It is the resampling of rows and
columns that Owen (2007) calls the pigeonhole bootstrap, with one difference: here a column is not a
datum but an image, itself a sample.

What it shows is too much. Let a score be mu + a(query) + b(corpus) + e(query, corpus), of variances
A, B and E. A mean of Q queries on one corpus varies by A/Q + B + E/Q. Now take the images. An image
scores a query at about its score on the corpus, in which that corpus's e is already, with a new b
and a new e on top. Over images, the mean of all queries varies by B + E/Q. Within an image, drawing
queries adds the variance of their scores over Q: A/Q, E/Q for the corpus's e and E/Q for the
image's. Together A/Q + B + 3 E/Q. McCullagh (2000) shows that no resampling of a crossed array is
right for the variance of its mean in general; ``corpus.variance`` subtracts what is too much.

References: Owen, "The pigeonhole bootstrap", Annals of Applied Statistics 1 (2007); McCullagh,
"Resampling and exchangeable arrays", Bernoulli 6 (2000).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..parallel.work import Arrays, bind, fill_arrays, layout_of, run_work
from .queries import UNIT, draw_counts
from .seeds import Purpose

Floats = NDArray[np.float64]


def two_way_means(scores: NDArray[np.floating], seed: int) -> Floats:
    """Mean of every image over queries drawn for it: ``scores`` is (...) x query x image.

    The same seed gives the same bits wherever it is done, and more images only add to fewer.
    Memory: the result, and for each thread a unit of 64 images of one query.
    """
    n_images = scores.shape[-1]
    means = np.empty((*scores.shape[:-2], n_images))
    work = bind(
        average_unit,
        "resampled queries of images",
        options={"seed": seed},
        inputs={"scores": "the scores of images"},
        scores=scores,
        seed=seed,
    )
    cost = UNIT * scores.size // n_images
    layout = layout_of(UNIT, means)
    fill_arrays(run_work(work, -(-n_images // UNIT), cost=cost, layout=layout), means)
    return means


def average_unit(unit: int, *, scores: NDArray[np.floating], seed: int) -> Arrays:
    """The means of a unit of images."""
    n_queries, n_images = scores.shape[-2:]
    begin = unit * UNIT
    here = slice(begin, min(begin + UNIT, n_images))
    sums = np.zeros((*scores.shape[:-2], here.stop - begin))
    counts = draw_counts(seed, n_queries, begin, here.stop, purpose=Purpose.two_way)
    for q, drawn in enumerate(counts):  # one by one: the order of a sum decides its last bits
        sums += scores[..., q, here] * drawn.astype(np.float64)
    return (sums / n_queries,)
