"""What a person should know before reading what images say, in sentences, most serious first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ..reading.corpus_list import UNLISTED
from ..reading.records import Run
from ..scores.packed_rankings import PackedRankings
from ..scores.score_table import ScoreTable

FEW_IMAGES = 100  # as many as the paper drew
SHORT = 100  # documents of a ranking
MUCH_SHORTER = 4  # times, than the longest of the others
NAMED = 3  # systems named one by one


def cautions(
    runs: Sequence[Run],
    root: ScoreTable,
    packed: PackedRankings,
    means: NDArray[np.float64],
    n_kept: int,
) -> Iterator[str]:
    """About the runs, the list of the corpus, the images, and the scores on them."""
    yield from _short_runs(runs)
    yield from _shifted(root, means)
    if packed.n_unlisted:
        yield f"{UNLISTED}: {packed.n_unlisted:,}"
    n_images = means.shape[2]
    if n_images < FEW_IMAGES:
        yield f"{n_images:,} images are few: standard deviations and intervals are rough"
    if n_kept < n_images:
        yield (
            f"scores on single queries are kept of the first {n_kept:,} images alone; quantiles "
            "and differences per query are of these"
        )


def _short_runs(runs: Sequence[Run]) -> Iterator[str]:
    """Where a document is missing those below move up: a short run has none to move up."""
    depths = [int(run.depths.max()) for run in runs]
    least = max(SHORT, max(depths) // MUCH_SHORTER)
    short = [f"{run.name} ({n:,})" for run, n in zip(runs, depths, strict=True) if n < least]
    if short:
        yield (
            "short runs score too low on images, since nothing moves up where documents are "
            f"missing (most documents of a query): {_some(short)}"
        )


def _shifted(root: ScoreTable, means: NDArray[np.float64]) -> Iterator[str]:
    """Measures that images shift so far that 95 % of them lie beside the score itself."""
    on_corpus = root.means()
    low, high = np.quantile(means, (0.025, 0.975), axis=2)
    for m, measure in enumerate(root.measures):
        outside = (on_corpus[m] < low[m]) | (on_corpus[m] > high[m])
        if outside.any():
            shift = float(np.median((means[m].mean(axis=1) - on_corpus[m])[outside]))
            names = [root.systems[s] for s in np.flatnonzero(outside)]
            side = "below" if shift < 0 else "above"
            yield (
                f"{measure}: images lie {side} the corpus, by about {abs(shift):.2g}, so that the "
                f"middle 95 % of them do not hold the score itself for {len(names):,} of "
                f"{len(root.systems):,} systems ({_some(names)}); docs/corpus.md says why"
            )


def _some(names: Sequence[str]) -> str:
    more = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {more:,} more" if more > 0 else "")
