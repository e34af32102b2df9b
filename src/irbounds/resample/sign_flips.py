"""Random signs for paired differences: under the null hypothesis either sign was as likely.

One sign a query, shared by all pairs of systems: the flipped mean of a difference is the difference
of two flipped means, so all pairs of S systems need S columns and no more.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ..kernels.weighing import unpack_signs, weigh
from .blocks import work_through
from .streams import Purpose, stream

__all__ = ["flip_signs"]

Floats = NDArray[np.float64]

ROWS = 64  # one random word a query


def flip_signs(
    scores: Floats,
    n_resamples: int,
    seed: int,
    *,
    threads: int | None = None,
    progress: Callable[[], None] | None = None,
) -> Floats:
    """Means over queries of randomly signed ``scores`` (system x query): system x resample."""
    n_systems, n = scores.shape
    columns = np.ascontiguousarray(scores.T)
    means = np.zeros((n_systems, n_resamples))

    def fill(block: int) -> None:
        place = slice(block * ROWS, min((block + 1) * ROWS, n_resamples))
        generator = stream(seed, Purpose.sign_flips, block)
        bits = generator.integers(0, 2**64, size=(n,), dtype=np.uint64)
        signs = np.empty((n, ROWS), np.int8)
        unpack_signs(bits, signs)
        here = np.zeros((n_systems, ROWS))
        weigh(signs, columns, here)
        means[:, place] = here[:, : place.stop - place.start]

    work_through(-(-n_resamples // ROWS), fill, threads=threads, progress=progress)
    means /= n
    return means
