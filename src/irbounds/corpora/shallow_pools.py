"""Shallow pools: comparisons of two systems on judgments of their own first documents only.

A comparison of two systems on a new corpus usually judges the first documents of both, down to some
depth, and takes all others as not relevant. Measures that divide by the number of relevant
documents then divide by too few. Here that is done on every image of the corpus (Zobel and Rashidi
2020, section 7, Figures 6 and 7). The judgments of the first documents of both rankings are taken
from the full judgments. Score difference, p-value and spread over queries are then compared with
those of all judgments, which the paper calls depth 100.

The p-value is that of the two-sided paired t test over queries. Differences that are all 0 have the
p-value 1; others that are all equal have none (NaN). Images without a p-value are left out of the
summary of p-values, and a ``DegenerateSampleWarning`` gives their number.

The judged documents differ between images, so that stored scores are of no use: the same images are
drawn again from the seed.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ..errors import DataError, DegenerateSampleWarning, ParameterError, quote
from ..kernels.image_scores import MeasureTables
from ..kernels.multinomial_counts import IMAGES
from ..measurement.base import Measure
from ..parallel.memory import reserve_memory
from ..parallel.work import Arrays, bind, count_progress, fill_arrays, layout_of, run_work
from ..resampling.corpus_replicates import draw_replicate_counts, make_tables
from ..resampling.packed_rankings import PackedRankings
from ..results import ImageSummary, PoolPrecision, Results
from ..validation import Progress, as_integer, check_choice
from ._kernels import EVERYTHING, score_pools
from .score_precision import summarise, summarise_rows

if TYPE_CHECKING:
    from .bootstrap import CorpusBootstrap

Floats = NDArray[np.float64]
Bytes = NDArray[np.uint8]
Depths = Sequence[int | None]

SIGNIFICANT = 0.05
N_DETAILED = 1024  # images whose differences on single queries are stored
#: decimals of a difference that count: the same score summed in another order differs by less
DIGITS = 12


@dataclass(frozen=True, eq=False)
class PooledDifferences:
    """Summaries over queries of the differences of two systems: measure x depth x image."""

    means: Floats
    #: standard deviations over queries, 0 only where all differences are equal
    deviations: Floats
    #: measure x depth x query x image: all differences on the first images
    on_queries: NDArray[np.float32]


def shallow_pools(
    images: CorpusBootstrap,
    system: str,
    baseline: str,
    depths: Sequence[int],
    progress: Progress | None,
) -> Results[PoolPrecision]:
    """Return one row per measure and depth, with all judgments (depth None) last."""
    all_depths: tuple[int | None, ...] = (*_check_depths(depths), None)
    packed = _check_pair(images, system, baseline)
    on_corpus, n_relevant = pools_on_corpus(packed, images.parsed, all_depths)
    shape = (len(images.measures), len(all_depths), len(images.queries))
    with reserve_pool_memory(packed, shape, images.n_images):
        on_images = bootstrap_pools(
            packed,
            images.parsed,
            all_depths,
            images.n_images,
            images.seed,
            systems=(system, baseline),
            progress=count_progress(progress, images.n_images, step=IMAGES),
        )
    labels = [
        (measure, system, baseline, depth, float(n))
        for measure in images.measures
        for depth, n in zip(all_depths, n_relevant, strict=True)
    ]
    return Results(_make_rows(labels, on_corpus, on_images, images.queries))


def _check_depths(depths: Any) -> tuple[int, ...]:
    try:
        numbers = [as_integer(depth) for depth in depths]
    except TypeError:
        numbers = []
    if not numbers or any(number is None or number < 1 for number in numbers):
        raise ParameterError(f"depths must be one or more integers >= 1; got {quote(depths)}")
    if len(set(numbers)) < len(numbers):
        raise ParameterError(f"depths must differ; got {quote(depths)}")
    return tuple(number for number in numbers if number is not None)


def _check_pair(images: CorpusBootstrap, system: Any, baseline: Any) -> PackedRankings:
    """Return the rankings of the two systems, from which the same images can be drawn."""
    check_choice("system", system, images.systems)
    check_choice("baseline", baseline, images.systems)
    if system == baseline:
        raise ParameterError(f"system and baseline must differ; got {system!r} for both")
    if len(images.queries) < 2:
        raise DataError(f"a paired t test needs at least two queries; got {len(images.queries)}")
    if images.packed is None:
        raise DataError("pools need the rankings behind the images, and these images lack them")
    return images.packed.select_systems([images.systems.index(name) for name in (system, baseline)])


def _make_rows(
    labels: Sequence[tuple[str, str, str, int | None, float]],
    on_corpus: PooledDifferences,
    on_images: PooledDifferences,
    queries: tuple[str, ...],
) -> Iterator[PoolPrecision]:
    n_images, n_queries = on_images.means.shape[-1], len(queries)
    roots = on_corpus.means.ravel()
    root_p_values = _paired_t(on_corpus, n_queries).ravel()
    differences = on_images.means.reshape(-1, n_images)
    spreads = on_images.deviations.reshape(-1, n_images)
    p_values = _paired_t(on_images, n_queries).reshape(-1, n_images)
    on_queries = on_images.on_queries.reshape(len(labels), n_queries, -1)
    for array in (differences, p_values, on_queries):
        array.setflags(write=False)  # stored in results, which must not change
    for k, (measure, system, baseline, depth, n_relevant) in enumerate(labels):
        _warn_of_missing_p_values(f"{measure}, {_name_depth(depth)}", root_p_values[k], p_values[k])
        yield PoolPrecision(
            measure=measure,
            system=system,
            baseline=baseline,
            depth=depth,
            n_relevant=n_relevant,
            difference=float(roots[k]),
            p_value=float(root_p_values[k]),
            differences=summarise(differences[k]),
            p_values=_summarise_known(p_values[k]),
            query_spreads=summarise(spreads[k]),
            significant=float(np.mean(p_values[k] < SIGNIFICANT)),
            n_queries=n_queries,
            n_images=n_images,
            image_differences=differences[k],
            image_p_values=p_values[k],
            query_differences=on_queries[k],
            query_ids=queries,
            on_queries=tuple(summary for summary, _ in summarise_rows(on_queries[k], 0.5)),
        )


def _paired_t(pooled: PooledDifferences, n: int) -> Floats:
    """Return two-sided p-values of the paired t test of n queries."""
    with np.errstate(divide="ignore", invalid="ignore"):  # no spread: replaced below
        t = pooled.means / (pooled.deviations / np.sqrt(n))
    p_values = 2 * special.stdtr(n - 1, -np.abs(t))
    without_spread = np.where(pooled.means == 0, 1.0, np.nan)
    return np.where(pooled.deviations == 0, without_spread, p_values)


def _summarise_known(p_values: Floats) -> ImageSummary:
    """Summarise the p-values of the images that have one; NaN where fewer than two have."""
    known = p_values[~np.isnan(p_values)]
    return summarise(known) if known.size > 1 else ImageSummary(*[float("nan")] * 7)


def _warn_of_missing_p_values(label: str, on_corpus: float, on_images: Floats) -> None:
    n_without = int(np.isnan(on_images).sum())
    places = ["on the corpus"] if np.isnan(on_corpus) else []
    if n_without:
        places.append(f"in {n_without:,} of {on_images.size:,} images, which are left out")
    if places:
        warnings.warn(
            f"{label}: no p-value where all queries have the same difference: {', '.join(places)}",
            DegenerateSampleWarning,
            stacklevel=5,
        )


def _name_depth(depth: int | None) -> str:
    return "all judgments" if depth is None else f"depth {depth}"


@dataclass(frozen=True, eq=False)
class Pools:
    """The rankings of two systems, the tables of the measures, and the depths of the pools."""

    packed: PackedRankings
    tables: MeasureTables
    depths: NDArray[np.int32]

    @property
    def n_queries(self) -> int:
        """Number of queries."""
        return len(self.packed.rankings.row_bounds) - 1

    def score(self, counts: Bytes, largest: int) -> tuple[Floats, NDArray[np.int32]]:
        """Return differences and numbers of relevant documents in the images of a unit."""
        shape = (self.depths.size, self.n_queries, IMAGES)
        differences = np.empty((self.tables.kinds.size, *shape))
        n_relevant = np.empty(shape, np.int32)
        score_pools(
            self.packed.rankings, self.tables, counts, largest, self.depths, differences, n_relevant
        )
        return differences, n_relevant


def bootstrap_pools(
    packed: PackedRankings,
    measures: Sequence[Measure],
    depths: Depths,
    n_images: int,
    seed: int,
    *,
    systems: Sequence[str] = (),
    progress: Callable[[], None] | None = None,
) -> PooledDifferences:
    """Return differences of the first of two systems from the second on ``n_images`` images.

    A depth is the number of documents of each system that are judged, None for all judgments.
    ``systems`` are the names of the two, which identify a checkpoint. The same seed gives the same
    bits for any number of threads, and more images begin with the same ones. ``progress`` is called
    after each unit of images.
    """
    pools = _make_pools(packed, measures, depths)
    shape = (len(measures), len(depths))
    means, deviations = np.empty((2, *shape, n_images))
    n_detailed = min(n_images, N_DETAILED)
    on_queries = np.empty((*shape, pools.n_queries, n_detailed), np.float32)
    work = bind(
        compare_unit,
        "images of a corpus in pools",
        options={
            "n_images": n_images,
            "corpus_size": packed.corpus_size,
            "systems": list(systems),
            "depths": list(depths),
            "measures": [measure.name for measure in measures],
            "seed": seed,
        },
        inputs={"pools": "the runs, judgments or corpus"},
        pools=pools,
        n_images=n_images,
        n_detailed=n_detailed,
        seed=seed,
    )
    cost = IMAGES * (packed.rankings.entries.size * len(depths) + len(packed.hashes))
    arrays = (means, deviations, on_queries)
    layout = layout_of(IMAGES, *arrays)
    units = run_work(work, -(-n_images // IMAGES), cost=cost, layout=layout, progress=progress)
    fill_arrays(units, *arrays)
    return PooledDifferences(means, deviations, on_queries)


def pools_on_corpus(
    packed: PackedRankings, measures: Sequence[Measure], depths: Depths
) -> tuple[PooledDifferences, Floats]:
    """Return the differences on the corpus itself, and the relevant documents judged per query."""
    pools = _make_pools(packed, measures, depths)
    differences, n_relevant = pools.score(np.ones((packed.n_rows, IMAGES), np.uint8), 1)
    first = differences[..., :1]
    pooled = PooledDifferences(*_summarise_queries(first), first.astype(np.float32))
    return pooled, np.asarray(n_relevant[..., 0].mean(axis=1))


def compare_unit(unit: int, *, pools: Pools, n_images: int, n_detailed: int, seed: int) -> Arrays:
    """Return means and deviations over queries in a unit of images, and stored differences."""
    begin = unit * IMAGES
    n_here = min(IMAGES, n_images - begin)
    differences, _ = pools.score(*draw_replicate_counts(pools.packed, seed, unit))
    # all images of a unit are summarised, so that n_images does not change the bits of any image
    centres, spreads = _summarise_queries(differences)
    detailed = differences[..., : min(max(n_detailed - begin, 0), n_here)].astype(np.float32)
    return centres[..., :n_here], spreads[..., :n_here], detailed


def reserve_pool_memory(
    packed: PackedRankings, shape: tuple[int, int, int], n_images: int
) -> AbstractContextManager[None]:
    """Limit the threads to those that fit in memory, for measures x depths x queries.

    Stored are two numbers per measure, depth and image, and the differences on every query in the
    first 1,024 images. A thread needs the counts of a unit, its differences, and three copies of
    these while they are summarised.
    """
    n_measures, n_depths, n_queries = shape
    n_cells = math.prod(shape)
    stored = 16 * n_measures * n_depths * n_images + 4 * n_cells * min(n_images, N_DETAILED)
    each_thread = IMAGES * (packed.n_rows + 4 * 8 * n_cells + 4 * n_depths * n_queries)
    return reserve_memory(
        f"{n_images:,} images at {n_depths} depths",
        shared=stored,
        each_thread=each_thread,
        advice="take fewer images, depths or measures",
    )


def _make_pools(packed: PackedRankings, measures: Sequence[Measure], depths: Depths) -> Pools:
    numbers = np.array([_depth_number(depth) for depth in depths], np.int32)
    return Pools(packed, make_tables(packed, measures), numbers)


def _depth_number(depth: int | None) -> int:
    """Return the depth for the kernel; no ranking is longer than the largest depth below all."""
    return int(EVERYTHING) if depth is None else min(depth, int(EVERYTHING) - 1)


def _summarise_queries(differences: Floats) -> tuple[Floats, Floats]:
    """Return mean and standard deviation over queries, the last axis but one."""
    rounded = np.round(differences, DIGITS)
    spreads = rounded.std(axis=-2, ddof=1)
    spreads[np.ptp(rounded, axis=-2) == 0] = 0.0  # rounding can give equal numbers a spread
    return rounded.mean(axis=-2), spreads
