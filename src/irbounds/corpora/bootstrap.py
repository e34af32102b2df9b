"""``corpus_bootstrap``, which scores runs on images of the corpus, and ``CorpusBootstrap``.

The methods of ``CorpusBootstrap`` are implemented in the other modules of this package.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..kernels.multinomial_counts import IMAGES
from ..measurement.judged_runs import Pool
from ..measurement.parser import parse_measures
from ..parallel import count_progress
from ..reading.corpus_list import UNLISTED, check_corpus_size, read_corpus
from ..reading.qrels_and_runs import read_qrels, read_runs
from ..reading.records import Run
from ..resampling.corpus_replicates import bootstrap_documents, count_stored
from ..resampling.packed_rankings import PackedRankings, pack_rankings
from ..resampling.seeds import SeedLike, seed_number
from ..resampling.two_way import two_way_means
from ..results import (
    DifferencePrecision,
    InputFile,
    MeasurePrecision,
    QueryPrecision,
    RankPrecision,
    Result,
    Results,
    ScorePrecision,
    VarianceSplit,
)
from ..scores.score_table import ScoreTable
from ..scores.scoring import score
from ..validation import Progress, QueryRule, check_count
from .differences_and_ranks import difference_precision, rank_precision
from .score_precision import (
    measure_precision,
    query_precision,
    score_precision,
)
from .variance_components import variance_split

FEW_IMAGES = 100  # as many as in the paper
SHORT = 100  # documents of a ranking
MUCH_SHORTER = 4  # times shorter than the longest of the others
MAX_NAMES = 3  # systems that are named in a warning


def corpus_bootstrap(
    qrels: Any,
    runs: Any,
    measures: Iterable[Any] | str,
    *,
    corpus_size: int | None = None,
    corpus: Any = None,
    n_images: int = 1000,
    rng: SeedLike = 0,
    queries: QueryRule = "all",
    progress: Progress | None = None,
) -> CorpusBootstrap:
    """Score every run on images of the corpus.

    An image is a replicate of the corpus: as many documents, drawn from it with replacement (Zobel
    and Rashidi 2020). Scores on single queries may take 2 GiB of memory. Where not all of them fit,
    those of the first images are stored, and means and standard deviations of all.

    Parameters
    ----------
    qrels, runs, measures, queries
        As for ``score``. Measures are those with ``has_corpus_replicates`` in
        ``irbounds.measures()``, AP, nDCG and P@k among them.
    corpus_size
        The number of documents in the corpus, including those that no file names.
    corpus
        In place of the size, the ids of all documents: a file with one per line, or an iterable.
        Then a further run does not change the images of the others, unless it names documents that
        are not in the list. These documents are counted and added to the corpus.
    n_images
        The number of images.
    rng
        Seed or generator; the same seed gives the same images. None draws a new seed.
    progress
        Called with the number of images done and the number of all images.

    Returns
    -------
    CorpusBootstrap
        The scores, with methods that return the precision of scores, ranks and differences.

    Examples
    --------
    >>> judged = {"q": {"a": 1, "b": 0, "c": 1}}
    >>> run = {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}
    >>> images = corpus_bootstrap(judged, {"mine": run}, ["AP", "P@1"], corpus_size=50, rng=1)
    >>> images
    <CorpusBootstrap: 1,000 images of 50 documents, 1 systems, 1 queries, 2 measures>
    >>> [(row.measure, round(row.value, 2), row.decimals) for row in images.score_precision()]
    [('AP', 0.83, 1), ('P@1', 1.0, 1)]
    """
    parsed = parse_measures(measures)
    for measure in parsed:
        measure.check_images()
    n = check_count("n_images", n_images, minimum=2)
    size = check_corpus_size(corpus_size, corpus)
    qrels, runs = read_qrels(qrels), read_runs(runs)
    root = score(qrels, runs, [measure.name for measure in parsed], queries=queries)
    pool = Pool(qrels, root.queries)
    if size is not None:
        packed = pack_rankings(pool, runs, size)
    else:
        listed = read_corpus(corpus)
        packed = pack_rankings(pool, runs, listed.documents)
        root = replace(root, inputs=(*root.inputs, InputFile(listed.name, listed.fingerprint)))
    seed = seed_number(rng)
    n_stored = count_stored(root.values.shape, n)
    images = bootstrap_documents(
        packed,
        parsed,
        n,
        seed,
        n_stored=n_stored,
        progress=count_progress(progress, n, step=IMAGES),
    )
    warnings = _list_warnings(runs, root, packed, images.means, n_stored)
    return CorpusBootstrap(
        root=root,
        scores=images.scores,
        means=images.means,
        query_means=images.query_means,
        query_deviations=images.query_deviations,
        corpus_size=packed.corpus_size,
        seed=seed,
        warnings=(*root.warnings, *warnings),
    )


def check_corpus_measures(measures: Iterable[Any] | str) -> None:
    """Raise ``MeasureError`` unless ``corpus_bootstrap`` can compute every measure on images."""
    for measure in parse_measures(measures):
        measure.check_images()


def _list_warnings(
    runs: Sequence[Run],
    root: ScoreTable,
    packed: PackedRankings,
    means: NDArray[np.float64],
    n_stored: int,
) -> Iterator[str]:
    """Return warnings about the runs, the list of the corpus, the images and the scores."""
    yield from _warn_of_short_runs(runs)
    yield from _warn_of_shifted_means(root, means)
    if packed.n_unlisted:
        yield f"{UNLISTED}: {packed.n_unlisted:,}"
    n_images = means.shape[2]
    if n_images < FEW_IMAGES:
        yield f"{n_images:,} images are few: standard deviations and intervals are rough"
    if n_stored < n_images:
        yield (
            f"scores on single queries are stored for the first {n_stored:,} images only; "
            "quantiles and differences per query are from these"
        )


def _warn_of_short_runs(runs: Sequence[Run]) -> Iterator[str]:
    """Warn of short runs: where an image lacks documents, no document below them moves up."""
    depths = [int(run.depths.max()) for run in runs]
    enough = max(SHORT, max(depths) // MUCH_SHORTER)
    short = [f"{run.name} ({n:,})" for run, n in zip(runs, depths, strict=True) if n < enough]
    if short:
        yield (
            "short runs score too low on images, since nothing moves up where documents are "
            f"missing (maximum number of documents per query): {_list_names(short)}"
        )


def _warn_of_shifted_means(root: ScoreTable, means: NDArray[np.float64]) -> Iterator[str]:
    """Warn of measures whose score on the corpus is outside the central 95 % of the images."""
    on_corpus = root.means()
    low, high = np.quantile(means, (0.025, 0.975), axis=2)
    for m, measure in enumerate(root.measures):
        outside = (on_corpus[m] < low[m]) | (on_corpus[m] > high[m])
        if outside.any():
            shift = float(np.median((means[m].mean(axis=1) - on_corpus[m])[outside]))
            names = [root.systems[s] for s in np.flatnonzero(outside)]
            side = "below" if shift < 0 else "above"
            yield (
                f"{measure}: images are {side} the corpus by about {abs(shift):.2g}, so that the "
                f"central 95 % of them do not include the score itself for {len(names):,} of "
                f"{len(root.systems):,} systems ({_list_names(names)})"
            )


def _list_names(names: Sequence[str]) -> str:
    more = len(names) - MAX_NAMES
    return ", ".join(names[:MAX_NAMES]) + (f" and {more:,} more" if more > 0 else "")


@dataclass(frozen=True, eq=False, repr=False)
class CorpusBootstrap(Result):
    """Scores of systems on images of the corpus."""

    #: scores on the corpus itself, with measures, systems, queries and inputs
    root: ScoreTable
    #: measure x system x query x image: the first images, as many as fit in 2 GiB
    scores: NDArray[np.float32]
    #: measure x system x image: means over queries, of every image
    means: NDArray[np.float64]
    #: measure x system x query: mean and standard deviation over every image
    query_means: NDArray[np.float64]
    query_deviations: NDArray[np.float64]
    #: number of documents in the corpus
    corpus_size: int
    #: the value of ``rng`` that draws the same images again
    seed: int
    #: warnings in sentences, most serious first
    warnings: tuple[str, ...] = ()

    def __repr__(self) -> str:
        n_measures, n_systems, n_images = self.means.shape
        return (
            f"<CorpusBootstrap: {n_images:,} images of {self.corpus_size:,} documents, "
            f"{n_systems:,} systems, {len(self.queries):,} queries, {n_measures} measures>"
        )

    def _rows(self) -> tuple[Any, ...]:
        """Return the precision of scores, of ranks and of measures."""
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
        """Names and fingerprints of the input files."""
        return self.root.inputs

    @property
    def n_images(self) -> int:
        """Number of images."""
        return int(self.means.shape[2])

    @property
    def n_kept(self) -> int:
        """Number of images, the first ones, whose scores are all stored."""
        return int(self.scores.shape[3])

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
        return query_precision(self, system, confidence_level)

    def measure_precision(self) -> Results[MeasurePrecision]:
        """Return standard deviations of scores and differences per query, by measure (Table 3)."""
        return measure_precision(self)

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
        return variance_split(self, baseline, confidence_level)

    def two_way_means(self) -> NDArray[np.float64]:
        """Return the means of the stored images, each on its own resample of queries.

        The array is measure x system x image. Its spread overstates that of new queries on a new
        corpus; ``variance_split`` corrects it. All systems have the same images and queries, so
        that differences of their means are paired.
        """
        return two_way_means(self.scores, self.seed)
