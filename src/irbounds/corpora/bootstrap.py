"""``CorpusBootstrap``: scores on images of the corpus, and the questions to ask of them.

The questions are methods here and live in modules of their own, arrays in and results out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..parameters import Progress
from ..results import (
    DifferencePrecision,
    InputFile,
    MeasurePrecision,
    PoolPrecision,
    QueryPrecision,
    QuerySpread,
    RankPrecision,
    Result,
    Results,
    ScorePrecision,
    ValidityRow,
    VarianceSplit,
)
from ..scores.measures import Measure
from ..scores.packed_rankings import PackedRankings
from ..scores.score_table import ScoreTable


@dataclass(frozen=True, eq=False, repr=False)
class CorpusBootstrap(Result):
    """Scores of systems on images of the corpus."""

    #: scores on the corpus as it is: measures, systems, queries and what was found in the inputs
    root: ScoreTable
    #: measure x system x query x image: the first images, all of them where they fit in memory
    scores: NDArray[np.float32]
    #: measure x system x image: means over queries, of every image
    means: NDArray[np.float64]
    #: measure x system x query: mean and standard deviation over every image
    query_means: NDArray[np.float64]
    query_deviations: NDArray[np.float64]
    #: documents in the corpus
    corpus_size: int
    #: what ``rng`` to give to have the same images again
    seed: int
    #: sentences, most serious first; empty where nothing is odd
    warnings: tuple[str, ...] = ()
    #: what images can be drawn from again
    packed: PackedRankings | None = field(default=None, repr=False)
    parsed: tuple[Measure, ...] = field(default=(), repr=False)

    def __repr__(self) -> str:
        n_measures, n_systems, n_images = self.means.shape
        return (
            f"<CorpusBootstrap: {n_images:,} images of {self.corpus_size:,} documents, "
            f"{n_systems:,} systems, {len(self.queries):,} queries, {n_measures} measures>"
        )

    def _rows(self) -> tuple[Any, ...]:
        """Return what is asked first: the precision of scores, of ranks and of measures."""
        ranks = self.rank_precision() if len(self.systems) > 1 else ()
        return (*self.score_precision(), *ranks, *self.measure_precision())

    @property
    def measures(self) -> tuple[str, ...]:
        """Names of the measures."""
        return self.root.measures

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems."""
        return self.root.systems

    @property
    def queries(self) -> tuple[str, ...]:
        """Ids of the queries."""
        return self.root.queries

    @property
    def inputs(self) -> tuple[InputFile, ...]:
        """Names and fingerprints of what was read."""
        return self.root.inputs

    @property
    def n_images(self) -> int:
        """How many images were drawn."""
        return int(self.means.shape[2])

    @property
    def n_kept(self) -> int:
        """Of how many images, the first ones, every score is kept."""
        return int(self.scores.shape[3])

    def select(self, systems: Sequence[str]) -> CorpusBootstrap:
        """The same images with some of the systems only, in this order."""
        root = self.root.select_systems(systems)
        places = [self.systems.index(system) for system in systems]
        arrays = {
            name: getattr(self, name)[:, places]
            for name in ("scores", "means", "query_means", "query_deviations")
        }
        for array in arrays.values():
            array.setflags(write=False)
        packed = self.packed.of_systems(places) if self.packed else None
        return replace(self, root=root, packed=packed, **arrays)

    def score_precision(self, confidence_level: float = 0.95) -> Results[ScorePrecision]:
        """Mean, spread and interval of every system's mean score, and the decimals they justify."""
        from .system_scores import score_precision

        return score_precision(self, confidence_level)

    def difference_precision(
        self, baseline: str | None = None, confidence_level: float = 0.95
    ) -> Results[DifferencePrecision]:
        """The same for differences: all pairs of systems, or all against a baseline."""
        from .differences import difference_precision

        return difference_precision(self, baseline, confidence_level)

    def rank_precision(self, confidence_level: float = 0.95) -> Results[RankPrecision]:
        """Ranks of the systems on the images, best system on the corpus first (Figure 5)."""
        from .ranks import rank_precision

        return rank_precision(self, confidence_level)

    def query_precision(
        self, system: str, confidence_level: float = 0.95
    ) -> Results[QueryPrecision]:
        """The distribution of one system's score on every query (Figure 2)."""
        from .queries import query_precision

        return query_precision(self, system, confidence_level)

    def query_spreads(self) -> Results[QuerySpread]:
        """Standard deviations per query, summed up over systems (Figure 1)."""
        from .queries import query_spreads

        return query_spreads(self)

    def measure_precision(self) -> Results[MeasurePrecision]:
        """Standard deviations of scores and of differences on a query, by measure (Table 3)."""
        from .measures import measure_precision

        return measure_precision(self)

    def system_precision(self) -> Results[MeasurePrecision]:
        """Standard deviations of the scores on a query, by measure and system (Table 4)."""
        from .measures import system_precision

        return system_precision(self)

    def validity(
        self,
        confidence_level: float = 0.95,
        *,
        left_out: str = "every",
        progress: Progress | None = None,
    ) -> Results[ValidityRow]:
        """Do intervals from all images but one hold the one left out? (Table 2).

        ``left_out`` is ``"every"``: each image in turn; or ``"last"``, as in the paper.
        """
        from .validity import validity

        return validity(self, confidence_level, left_out, progress)

    def shallow_pools(
        self,
        system: str,
        baseline: str,
        depths: Sequence[int] = (10, 25, 100),
        *,
        progress: Progress | None = None,
    ) -> Results[PoolPrecision]:
        """Two systems on judgments of the first documents of both alone (Figures 6 and 7)."""
        from .pools import shallow_pools

        return shallow_pools(self, system, baseline, depths, progress)

    def variance_split(
        self, baseline: str | None = None, confidence_level: float = 0.95
    ) -> Results[VarianceSplit]:
        """How much of a score's variance is due to queries, to documents and to both together.

        With a baseline, of every other system's difference from it.
        """
        from .variance import variance_split

        return variance_split(self, baseline, confidence_level)

    def two_way_means(self) -> NDArray[np.float64]:
        """Means of the kept images, each on queries of its own drawing: measure x system x image.

        Their spread overstates what new queries on a new corpus would show; ``variance_split``
        corrects it. Systems share images and queries, so differences of their means are paired.
        """
        from ..resample.two_way import two_way_means

        return two_way_means(self.scores, self.seed)
