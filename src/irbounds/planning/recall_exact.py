"""Guaranteed limits of recall where the retrieved set is read in full, and only the rest sampled.

The retrieved set's R1 relevant documents are known. A sample of n0 of the N0 other documents
contains x0 relevant ones. Let U0 be the largest number R0 of relevant documents in the rest with

    P(X0 <= x0 | N0, R0, n0) > tail,

by the hypergeometric distribution. A probability that equals the tail counts as above it, as in
``samples/exact.py``. Then recall is at least R1 / (R1 + U0), and this statement is
wrong in at most the fraction ``tail`` of all samples, whatever R0 is. The upper limit has the
smallest R0 with P(X0 >= x0) > tail in place of U0. With ``credit_found`` the relevant documents
of the sample are added to the retrieved set, and recall is that of the final set: at least
(R1 + x0) / (R1 + U0).

Whether a claim "recall is at least t" is shown needs no U0. It is shown exactly if U0 is at most
k - 1, with k the smallest R0 that contradicts the claim, so exactly if P(X0 <= x0 | N0, k, n0) is
below ``tail``. Without relevant documents in the sample this is about (1 - n0/N0)^k <= tail.

Reference: Buonaccorsi (1987), A note on confidence intervals for proportions in finite populations.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ..samples.hypergeometric import hypergeometric_cdf, hypergeometric_masses
from ..samples.uncertain_strata import ROUNDING, exceeds, find_first

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]

LIKELY = 1e-15  # smaller probabilities are not summed


def largest_yield(n_found: int, size: int, sampled: int, tail: float) -> int:
    """Return the largest R0 for which so few relevant documents in the sample are possible."""

    def is_rejected(relevant: int) -> bool:
        return not exceeds(hypergeometric_cdf(n_found, size, relevant, sampled), tail)

    return find_first(n_found + 1, size - sampled + n_found + 1, is_rejected) - 1


def smallest_yield(n_found: int, size: int, sampled: int, tail: float) -> int:
    """Return the smallest R0 for which so many relevant documents in the sample are possible."""
    # by symmetry: irrelevant documents in the sample
    return size - largest_yield(sampled - n_found, size, sampled, tail)


def exact_limit(
    relevant: Floats, size: int, sampled: int, tail: float, *, is_lower: bool, credit_found: bool
) -> Floats:
    """Return a limit per sample: counts of both segments (samples, 2), not necessarily integers.

    Between integers it is interpolated.
    """
    yields = largest_yield if is_lower else smallest_yield
    limits: dict[tuple[float, int], float] = {}

    def limit(inside: float, n_found: int) -> float:
        if (inside, n_found) not in limits:
            credit = n_found if credit_found else 0
            total = inside + yields(n_found, size, sampled, tail)
            limits[inside, n_found] = (inside + credit) / total if total else math.nan
        return limits[inside, n_found]

    values = []
    for inside, n_found in relevant.tolist():
        below = min(math.floor(n_found), sampled)
        value = limit(inside, below)
        if part := n_found - below:
            value += part * (limit(inside, below + 1) - value)
        values.append(value)
    return np.array(values)


def shows_recall(
    inside: float,
    n_found: Floats,
    size: int,
    sampled: int,
    tail: float,
    recall: float,
    *,
    credit_found: bool,
) -> Booleans:
    """Return whether the lower limit reaches a recall, for each count of the sample."""
    if credit_found:
        contradicting = [_first_contradiction(inside, inside + x, recall) for x in n_found.tolist()]
        chances = [
            hypergeometric_cdf(int(x), size, k, sampled) if k <= size - sampled + x else 0.0
            for x, k in zip(n_found.tolist(), contradicting, strict=True)
        ]
        return np.array([not exceeds(chance, tail) for chance in chances], dtype=np.bool_)
    k = _first_contradiction(inside, inside, recall)
    if k > size:
        return np.ones(len(n_found), dtype=np.bool_)
    first, masses = hypergeometric_masses(size, k, sampled)
    below = np.concatenate([[0.0], np.cumsum(masses)])
    places = np.clip(n_found - first + 1, 0, len(masses)).astype(np.int64)
    return np.asarray(below[places] <= tail * (1 - ROUNDING))  # as ``exceeds``


def _first_contradiction(inside: float, retrieved: float, recall: float) -> int:
    """Return the smallest R0 with ``retrieved / (inside + R0)`` below a recall, as divided.

    It is 0 if nothing relevant is retrieved, which shows no recall.
    """
    if not retrieved:
        return 0
    k = max(math.floor(retrieved / recall - inside) - 1, 0)
    while inside + k == 0 or retrieved / (inside + k) >= recall:
        k += 1
    return k
