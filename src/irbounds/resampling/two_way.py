"""The two-way bootstrap: each image of the corpus has its own resample of the queries.

Documents are drawn with replacement for the image, queries with replacement for its mean, as if
each experiment had its own corpus and its own queries. It is the resampling of rows and columns
that Owen (2007) calls the pigeonhole bootstrap, with one difference: here a column is not a datum
but an image, itself a sample.

Its variance is too large. Let a score be mu + a(query) + b(corpus) + e(query, corpus), with
variances A, B and E. A mean of Q queries on one corpus has the variance A/Q + B + E/Q. The score of
a query on an image is about its score on the corpus, which includes the e of the corpus, plus a new
b and a new e. Over images, the mean of all queries has the variance B + E/Q. Within an image,
drawing queries adds the variance of their scores over Q: A/Q, E/Q for the e of the corpus and E/Q
for that of the image. Together this is A/Q + B + 3 E/Q. McCullagh (2000) shows that no resampling
of a crossed array is right for the variance of its mean in general.
``corpora.variance_components`` subtracts the excess.

References: Owen, "The pigeonhole bootstrap", Annals of Applied Statistics 1 (2007); McCullagh,
"Resampling and exchangeable arrays", Bernoulli 6 (2000).
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from ..parallel import Arrays, fill_arrays, run_work
from .query_bootstrap import UNIT, draw_counts
from .seeds import Purpose

Floats = NDArray[np.float64]


def two_way_means(scores: NDArray[np.floating], seed: int) -> Floats:
    """Return the means of images over queries drawn for each: ``scores`` is (...) x query x image.

    The same seed gives the same bits for any number of threads, and more images begin with the same
    ones. Memory: the result, and per thread a unit of 64 images of one query.
    """
    n_images = scores.shape[-1]
    means = np.empty((*scores.shape[:-2], n_images))
    work = partial(average_unit, scores=scores, seed=seed)
    cost = UNIT * scores.size // n_images
    fill_arrays(run_work(work, -(-n_images // UNIT), cost=cost), means)
    return means


def average_unit(unit: int, *, scores: NDArray[np.floating], seed: int) -> Arrays:
    """Return the means of a unit of images."""
    n_queries, n_images = scores.shape[-2:]
    begin = unit * UNIT
    part = slice(begin, min(begin + UNIT, n_images))
    sums = np.zeros((*scores.shape[:-2], part.stop - begin))
    counts = draw_counts(seed, n_queries, begin, part.stop, purpose=Purpose.two_way)
    for q, drawn in enumerate(
        counts
    ):  # one by one: the order of the additions decides the last bits
        sums += scores[..., q, part] * drawn.astype(np.float64)
    return (sums / n_queries,)
