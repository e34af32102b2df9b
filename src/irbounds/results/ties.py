"""What ties do to a system's score."""

from __future__ import annotations

from dataclasses import dataclass

from .shown import Shown

__all__ = ["TIE_WORDS", "TieEffect"]

#: what was done with ties where it is not the usual rule, by document id
TIE_WORDS = {
    "expected": "means over all orders of ties",
    "worst": "ties in their worst order",
    "best": "ties in their best order",
}


@dataclass(frozen=True)
class TieEffect(Shown):
    """One system by one measure: mean scores over queries by each rule for ties."""

    system: str
    measure: str
    #: entries whose score equals a neighbour's, of all queries of the run, and their share
    n_tied: int
    tied_share: float
    #: queries of the means
    n: int
    #: how many of them score differently in the best and the worst order
    n_affected: int
    #: the document id decides, as in trec_eval
    trec: float
    #: over all orders within ties
    expected: float
    worst: float
    best: float
