"""``CorpusBootstrap``: scores on images of the corpus, and the questions to ask of them.

The questions are methods here and live in modules of their own, arrays in and results out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..measurement.base import Measure
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
from ..scores.packed_rankings import PackedRankings
from ..scores.score_table import ScoreTable
from ..validation import Progress


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
        """Return the same images with some of the systems.

        Parameters
        ----------
        systems
            Names of systems, in the order of the result.

        Returns
        -------
        CorpusBootstrap
            With these systems only.
        """
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
        """Return every system's mean score, its spread and interval over images, and its decimals.

        Parameters
        ----------
        confidence_level
            A fraction between 0 and 1.

        Returns
        -------
        Results of ScorePrecision
            One per measure and system; ``decimals`` is the number of decimals that the spread
            justifies.
        """
        from .score_precision import score_precision

        return score_precision(self, confidence_level)

    def difference_precision(
        self, baseline: str | None = None, confidence_level: float = 0.95
    ) -> Results[DifferencePrecision]:
        """Return differences of systems' mean scores, with their spread and interval over images.

        Parameters
        ----------
        baseline
            The system that all others are compared with; by default all pairs are compared.
        confidence_level
            A fraction between 0 and 1.

        Returns
        -------
        Results of DifferencePrecision
            One per measure and pair.
        """
        from .differences_and_ranks import difference_precision

        return difference_precision(self, baseline, confidence_level)

    def rank_precision(self, confidence_level: float = 0.95) -> Results[RankPrecision]:
        """Return the ranks of the systems on the images (Figure 5).

        Parameters
        ----------
        confidence_level
            A fraction between 0 and 1.

        Returns
        -------
        Results of RankPrecision
            One per measure and system, the best system on the corpus first.
        """
        from .differences_and_ranks import rank_precision

        return rank_precision(self, confidence_level)

    def query_precision(
        self, system: str, confidence_level: float = 0.95
    ) -> Results[QueryPrecision]:
        """Return the distribution of one system's score on every query (Figure 2).

        Parameters
        ----------
        system
            The name of the system.
        confidence_level
            A fraction between 0 and 1.

        Returns
        -------
        Results of QueryPrecision
            One per measure and query.
        """
        from .score_precision import query_precision

        return query_precision(self, system, confidence_level)

    def query_spreads(self) -> Results[QuerySpread]:
        """Return standard deviations per query, summarised over systems (Figure 1)."""
        from .score_precision import query_spreads

        return query_spreads(self)

    def measure_precision(self) -> Results[MeasurePrecision]:
        """Return standard deviations of scores and differences per query, by measure (Table 3)."""
        from .score_precision import measure_precision

        return measure_precision(self)

    def system_precision(self) -> Results[MeasurePrecision]:
        """Return standard deviations of scores on a query, by measure and system (Table 4)."""
        from .score_precision import system_precision

        return system_precision(self)

    def validity(
        self,
        confidence_level: float = 0.95,
        *,
        left_out: str = "every",
        progress: Progress | None = None,
    ) -> Results[ValidityRow]:
        """Return how often intervals from all images but one contain the image left out (Table 2).

        Parameters
        ----------
        confidence_level
            A fraction between 0 and 1.
        left_out
            ``"every"`` image in turn, or the ``"last"`` one, as in the paper.
        progress
            Called with the amount of work done and of all work.

        Returns
        -------
        Results of ValidityRow
            One per measure.
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
        """Return comparisons of two systems on shallow pools of judgments (Figures 6 and 7).

        Parameters
        ----------
        system, baseline
            The names of the two systems.
        depths
            Numbers of first documents of both systems that are judged.
        progress
            Called with the amount of work done and of all work.

        Returns
        -------
        Results of PoolPrecision
            One per measure and depth.
        """
        from .shallow_pools import shallow_pools

        return shallow_pools(self, system, baseline, depths, progress)

    def variance_split(
        self, baseline: str | None = None, confidence_level: float = 0.95
    ) -> Results[VarianceSplit]:
        """Return the variance of mean scores due to queries, to documents and to their interaction.

        Parameters
        ----------
        baseline
            A system; the variances are then those of the differences from it.
        confidence_level
            A fraction between 0 and 1.

        Returns
        -------
        Results of VarianceSplit
            One per measure and system.
        """
        from .variance_components import variance_split

        return variance_split(self, baseline, confidence_level)

    def two_way_means(self) -> NDArray[np.float64]:
        """Return the means of the kept images, each on its own resample of queries.

        The array is measure x system x image. Its spread overstates that of new queries on a new
        corpus; ``variance_split`` corrects it. Systems share images and queries, so that
        differences of their means are paired.
        """
        from ..resampling.two_way import two_way_means

        return two_way_means(self.scores, self.seed)
