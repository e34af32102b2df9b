"""Random signs for paired differences: under the null hypothesis either sign was as likely.

One sign a query, shared by all pairs of systems: the flipped mean of a difference is the difference
of two flipped means, so all pairs of S systems need S columns and no more.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ..kernels.weighing import unpack_signs, weigh
from ..parallel.work import Arrays, bind, fill_arrays, layout_of, run_work
from .queries import ADDING
from .streams import Purpose, stream

Floats = NDArray[np.float64]

ROWS = 64  # one random word a query


def flip_signs(
    scores: Floats,
    n_resamples: int,
    seed: int,
    *,
    progress: Callable[[], None] | None = None,
) -> Floats:
    """Means over queries of randomly signed ``scores`` (system x query): system x resample."""
    n_systems, n = scores.shape
    columns = np.ascontiguousarray(scores.T)
    means = np.empty((n_systems, n_resamples))
    work = bind(
        flip_unit,
        "drawn sign-flip tests",
        options={"n_resamples": n_resamples, "seed": seed},
        inputs={"columns": "the scores"},
        columns=columns,
        n_resamples=n_resamples,
        seed=seed,
    )
    cost = n * ROWS * (1 + ADDING * n_systems)
    layout = layout_of(ROWS, means)
    n_units = -(-n_resamples // ROWS)
    fill_arrays(run_work(work, n_units, cost=cost, layout=layout, progress=progress), means)
    means /= n
    return means


def flip_unit(unit: int, *, columns: Floats, n_resamples: int, seed: int) -> Arrays:
    """Sums of randomly signed ``columns`` (query x system) in a unit: system x resample."""
    n, n_systems = columns.shape
    generator = stream(seed, Purpose.sign_flips, unit)
    bits = generator.integers(0, 2**64, size=(n,), dtype=np.uint64)
    signs = np.empty((n, ROWS), np.int8)
    unpack_signs(bits, signs)
    sums = np.zeros((n_systems, ROWS))
    weigh(signs, columns, sums)
    return (sums[:, : n_resamples - unit * ROWS],)
