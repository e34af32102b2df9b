"""``corpus_bootstrap`` scores runs on images of the corpus and warns of what images cannot show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
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
from ..resampling.packed_rankings import pack_rankings
from ..resampling.seeds import SeedLike, seed_number
from ..results import InputFile
from ..scores.score_table import ScoreTable
from ..scores.scoring import score
from ..validation import Progress, QueryRule, check_count
from .images import CorpusBootstrap

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
    those of the first images are stored, and means of all.

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
    warnings = [
        *root.warnings,
        *_warn_of_short_runs(runs),
        *_warn_of_shifted_means(root, images.means),
    ]
    if packed.n_unlisted:
        warnings.append(f"{UNLISTED}: {packed.n_unlisted:,}")
    if n < FEW_IMAGES:
        warnings.append(f"{n:,} images are few: standard deviations and intervals are rough")
    if n_stored < n:
        warnings.append(
            f"scores on single queries are stored for the first {n_stored:,} images only; the "
            "variance of new queries is from these"
        )
    return CorpusBootstrap(
        root=root,
        scores=images.scores,
        means=images.means,
        corpus_size=packed.corpus_size,
        seed=seed,
        warnings=tuple(warnings),
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
    low, high = np.quantile(means, (0.025, 0.975), axis=2)
    is_outside = (root.means() < low) | (root.means() > high)
    for measure, outside in zip(root.measures, is_outside, strict=True):
        if outside.any():
            names = [root.systems[s] for s in np.flatnonzero(outside)]
            yield (
                f"{measure}: the central 95 % of images do not include the score on the corpus for "
                f"{len(names):,} of {len(root.systems):,} systems ({_list_names(names)}), since "
                "images repeat documents; see the column shift"
            )


def _list_names(names: Sequence[str]) -> str:
    more = len(names) - MAX_NAMES
    return ", ".join(names[:MAX_NAMES]) + (f" and {more:,} more" if more > 0 else "")
