"""How likely the first ranks hold nothing relevant, for any number of documents.

Of N documents R are relevant; the first n ranks of a random order hold none of these with
probability C(N - R, n) / C(N, n). As a product it has min(n, R) factors, and as a difference of
four log-factorials it loses all its digits where N is large. Stirling's series of the four, joined
before anything is computed, does neither. With t = R n / ((N - R)(N - n)) the logarithm is

    n log(1 - R/N) + R log(1 - n/N) - (N - R - n + 1/2) log(1 - t) + c,

where c joins the small terms of the four series. Every part is as exact as a logarithm can be, and
the parts are of one size. Where fewer than ``ENOUGH`` other documents would be left over, the
series is too rough; the last few factors are then multiplied one by one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

ENOUGH = 16.0


def log_none_found(n_documents: Floats, n_relevant: Floats, n_ranks: Floats) -> Floats:
    """The logarithm of the probability that the first ranks hold no relevant document.

    Minus infinity where there are fewer other documents than ranks. ``n_ranks`` may lie between
    whole numbers as long as ``ENOUGH`` documents are not relevant.
    """
    documents, relevant, ranks = np.broadcast_arrays(n_documents, n_relevant, n_ranks)
    left = documents - relevant - ranks
    by_hand = np.clip(np.ceil(ENOUGH - left), 0.0, np.floor(ranks))
    near = left < ENOUGH
    # where every factor is multiplied by hand, the series of no ranks and none relevant is 0
    rest = np.where(near & (by_hand == ranks), 0.0, relevant)
    logs = np.asarray(_series(np.maximum(documents, 1.0), rest, ranks - by_hand))
    if np.any(near):
        logs[near] += _factors(documents[near], relevant[near], ranks[near], by_hand[near])
    return logs


def _series(documents: Floats, relevant: Floats, ranks: Floats) -> Floats:
    """Stirling's series of the four factorials, joined."""
    others, below = documents - relevant, documents - ranks
    left = others - ranks
    shared = _log_share(documents * left, others * below, relevant * ranks)
    large = ranks * _log_share(others, documents, relevant)
    large = large + relevant * _log_share(below, documents, ranks)
    # in this order both brackets are exactly 0 without ranks, and their sum without relevant ones
    small = (_stirling(others) - _stirling(left)) + (_stirling(below) - _stirling(documents))
    logs: Floats = large - (left + 0.5) * shared + small
    return logs


def _log_share(part: Floats, whole: Floats, rest: Floats) -> Floats:
    """The logarithm of a share, from the part or from the rest, whichever is smaller."""
    logs: Floats = np.where(
        rest < part, np.log1p(-np.minimum(rest / whole, 0.5)), np.log(part / whole)
    )
    return logs


def _stirling(n: Floats) -> Floats:
    """Log n! less (n + 1/2) log n - n + log(2 pi) / 2."""
    square = 1.0 / (n * n)
    series = 1 / 12 - square * (
        1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square * (1 / 1188)))
    )
    sums: Floats = series / n
    return sums


def _factors(documents: Floats, relevant: Floats, ranks: Floats, how_many: Floats) -> Floats:
    """The logarithm of the last factors, rank by rank."""
    product = np.ones(documents.shape)
    for step in range(1, int(ENOUGH) + 1):
        before = ranks - step  # documents ranked above this one
        share = (documents - relevant - before) / np.maximum(documents - before, 1.0)
        product = np.where(step <= how_many, product * np.maximum(share, 0.0), product)
    with np.errstate(divide="ignore"):
        return np.where(documents - relevant < ranks, -np.inf, np.log(product))
