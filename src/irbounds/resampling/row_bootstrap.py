"""The bootstrap over the rows of one test set: AP and ROC AUC of all classifiers on the same rows.

A resample draws n of the n rows with replacement. Only the counts of the rows matter, and the order
of the rows by score does not change, so that no resample is sorted. All classifiers have the same
resamples, so that differences of their scores are paired.

Memory is bounded: the counts of one stream of resamples per thread, 32 bytes per row.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ..parallel import Arrays, count_progress, fill_arrays, run_work
from ..validation import Progress
from ._kernels import score_resamples
from .query_bootstrap import STREAM
from .seeds import Purpose, key_and_place

DRAWING = 4  # operations to draw a row
SCORING = 5  # operations to add a row to the scores of a classifier


def bootstrap_rows(
    labels: NDArray[np.bool_],
    orders: Sequence[NDArray[np.intp]],
    ends: Sequence[NDArray[np.bool_]],
    *,
    n_resamples: int,
    seed: int,
    progress: Progress | None = None,
) -> NDArray[np.float64]:
    """Return AP and ROC AUC on resampled rows: measure x classifier x resample.

    ``orders`` are rows by descending score, one array per classifier; ``ends`` mark the last row of
    each group of equal scores. The same seed gives the same bits for any number of threads, and
    more resamples begin with the same ones. NaN where a resample has no row of a class.
    """
    n, n_classifiers = len(labels), len(orders)
    places = np.empty(n, np.int32)  # positives first
    places[np.argsort(~labels, kind="stable")] = np.arange(n, dtype=np.int32)
    values = np.empty((2, n_classifiers, n_resamples))
    work = partial(
        score_unit,
        orders=np.stack([places[order] for order in orders]),
        ends=np.stack(ends),
        n_positive=int(np.count_nonzero(labels)),
        n_resamples=n_resamples,
        seed=seed,
    )
    units = run_work(
        work,
        -(-n_resamples // STREAM),
        cost=n * STREAM * (DRAWING + SCORING * n_classifiers),
        progress=count_progress(progress, n_resamples, step=STREAM),
    )
    fill_arrays(units, values)
    values.setflags(write=False)  # stored in results, whose limits must not change
    return values


def score_unit(
    unit: int,
    *,
    orders: NDArray[np.int32],
    ends: NDArray[np.bool_],
    n_positive: int,
    n_resamples: int,
    seed: int,
) -> Arrays:
    """Return AP and ROC AUC on the resamples of a unit: measure x classifier x resample."""
    values = np.empty((2, len(orders), min(STREAM, n_resamples - unit * STREAM)))
    key, place = key_and_place(seed, Purpose.row_bootstrap, unit)
    score_resamples(key, place, n_positive, orders, ends, values)
    return (values,)
