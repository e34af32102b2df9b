"""``corpus_bootstrap`` scores runs on images of the corpus and warns of what images cannot show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from ..errors import quote_several
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
from ..scores.scoring import score
from ..validation import Progress, QueryRule, check_count
from .images import CorpusBootstrap

SHORT = 100  # documents of a ranking
MUCH_SHORTER = 4  # times shorter than the longest of the others


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
    and Rashidi 2020). ``corpus`` has the ids of all documents, in place of their number. Then a
    further run does not change the images of the others, unless it names documents that are not in
    the list. These documents are counted and added to the corpus.

    Scores on single queries may take 2 GiB of memory. Where not all of them fit, those of the first
    images are stored, and means of all.
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
    warnings = [*root.warnings, *_warn_of_short_runs(runs)]
    if packed.n_unlisted:
        warnings.append(f"{UNLISTED}: {packed.n_unlisted:,}")
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
            f"missing (maximum number of documents per query): {quote_several(short)}"
        )
