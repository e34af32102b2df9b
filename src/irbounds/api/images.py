"""Scores on images of the corpus."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from ..corpora.bootstrap import CorpusBootstrap
from ..corpora.cautions import cautions
from ..kernels.multinomial_counts import IMAGES
from ..measurement.judged_runs import Pool
from ..measurement.parser import parse_measures
from ..parallel.memory import limit_threads
from ..parallel.work import count_progress
from ..reading.corpus_list import check_corpus_size, read_corpus
from ..reading.qrels_and_runs import read_qrels, read_runs
from ..reading.records import bytes_of_records
from ..resampling.corpus_replicates import bootstrap_documents, plan_memory
from ..resampling.seeds import SeedLike, seed_number
from ..results import InputFile
from ..scores.packed_rankings import pack_rankings
from ..scores.scoring import score
from ..validation import Progress, QueryRule, check_count


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
    and Rashidi 2020). Scores may take 2 GiB of memory, or what ``execution`` allows. Where not all
    of them fit, the scores of the first images are kept, and means and standard deviations of all.

    Parameters
    ----------
    qrels, runs, measures, queries
        As for ``score``. Measures are AP, nDCG, P, R, RBP, INSQ, RR, ERR and Rprec, with their
        cutoffs and parameters.
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
    inputs = bytes_of_records((qrels, *runs))
    memory = plan_memory(root.values.shape, n, packed, inputs)
    seed = seed_number(rng)
    with limit_threads(memory.left, memory.each_thread):
        images = bootstrap_documents(
            packed,
            parsed,
            n,
            seed,
            n_stored=memory.n_stored,
            progress=count_progress(progress, n, step=IMAGES),
        )
    return CorpusBootstrap(
        root=root,
        scores=images.scores,
        means=images.means,
        query_means=images.query_means,
        query_deviations=images.query_deviations,
        corpus_size=packed.corpus_size,
        seed=seed,
        warnings=(*root.warnings, *cautions(runs, root, packed, images.means, memory.n_stored)),
        packed=packed,
        parsed=parsed,
    )


def check_corpus_measures(measures: Iterable[Any] | str) -> None:
    """Raise ``MeasureError`` unless ``corpus_bootstrap`` can compute every measure on images."""
    for measure in parse_measures(measures):
        measure.check_images()
