"""What the figures of Zobel and Rashidi (2020) are drawn from."""

from __future__ import annotations

from dataclasses import dataclass

from .corpus_measures import PoolPrecision, QueryPrecision, QuerySpread
from .corpus_systems import RankPrecision, ScorePrecision


@dataclass(frozen=True)
class Zobel2020Figures:
    """Rows for Figures 1 to 7, measures by the paper's names."""

    #: of Figures 3 to 5, in the order of their numbers: #1 is the best by RBP
    systems: tuple[str, ...]
    #: Figure 1
    query_spreads: tuple[QuerySpread, ...]
    #: Figure 2, of one system
    query_precision: tuple[QueryPrecision, ...]
    #: Figures 3 and 4
    score_precision: tuple[ScorePrecision, ...]
    #: Figure 5
    rank_precision: tuple[RankPrecision, ...]
    #: Figures 6 and 7, of the best two
    pools: tuple[PoolPrecision, ...]
