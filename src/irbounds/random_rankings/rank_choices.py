"""Every choice of ranks for the relevant documents, and the precisions that each adds up to.

AP times the number of relevant documents is the sum of i / n over the relevant documents, where the
i-th stands at rank n. The sums of all choices of r out of k ranks come from those of r - 1, without
listing the choices themselves: if the last relevant document stands at rank n, the others are a
choice of r - 1 out of the n - 1 ranks above, and when the choices are sorted by their last rank,
then by the one before and so on, these are the first C(n - 1, r - 1) of the list.

Sums are whole numbers, in units of one part in ``unit``. Down to rank 42 the unit is a multiple of
every rank, and sums are exact: equal ones are equal. Deeper down the weight of a rank is rounded to
about one part in 2^62, and equal sums may differ in their last digits.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

EXACT_RANKS = 42  # 42 times the least common multiple of 1 to 42 just fits 63 bits


def rank_weights(n_ranks: int, n_relevant: int) -> tuple[Ints, int]:
    """The weight 1 / n of each rank n in whole units, and how many units make 1."""
    if n_ranks <= EXACT_RANKS:
        unit = math.lcm(*range(1, n_ranks + 1))
        return unit // np.arange(1, n_ranks + 1), unit
    unit = (2**62) // max(n_relevant, 1)
    ranks = np.arange(1, n_ranks + 1)
    return (unit + ranks // 2) // ranks, unit


def precision_sums(weights: Ints, n_chosen: int, before: int = 0) -> Ints:
    """The sum of every choice of ranks; ``before`` relevant documents stand above all of them."""
    if not n_chosen:
        return np.zeros(1, dtype=np.int64)
    spare = len(weights) - n_chosen
    sums: Ints = (before + 1) * weights[: spare + 1]
    for i in range(2, n_chosen + 1):
        weighed = (before + i) * weights
        parts = [
            sums[: math.comb(rank - 1, i - 1)] + weighed[rank - 1]
            for rank in range(i, spare + i + 1)
        ]
        sums = np.concatenate(parts)
    return sums


def capped_choices(n_ranks: int, n_chosen: int, cap: int) -> int:
    """How many choices there are, or some number above ``cap``; cheap for any numbers."""
    if not 0 <= n_chosen <= n_ranks:
        return 0
    choices = 1
    for step in range(1, min(n_chosen, n_ranks - n_chosen) + 1):
        choices = choices * (n_ranks - step + 1) // step
        if choices > cap:
            break
    return choices
