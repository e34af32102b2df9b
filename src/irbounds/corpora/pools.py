"""Shallow pools: two systems compared on judgments of their own first documents alone.

Whoever compares two systems on a new corpus judges what the two bring up, down to some depth, and
takes all else for not relevant. Measures that divide by the number of relevant documents then
divide by too few. Here that is done on every image of the corpus (Zobel and Rashidi 2020, section
7, Figures 6 and 7): the first documents of both image rankings are looked up in the full judgments,
and score difference, p-value and spread over queries are set beside those of all judgments, which
the paper calls depth 100.

The p-value is that of the two-sided paired t test over queries. Differences that are all 0 have the
p-value 1; others that are all equal have none (NaN). Images without a p-value are left out of the
p-values' summary, and a ``DegenerateSampleWarning`` says of how many.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ..errors import DataError, DegenerateSampleWarning, ParameterError, quote
from ..kernels.dealing import IMAGES
from ..parallel.work import count_progress
from ..resampling.pools import PooledDifferences, bootstrap_pools, pools_on_corpus
from ..results import ImageSummary, PoolPrecision, Results
from ..validation import Progress, as_integer, check_choice
from .memory import pools_fitting
from .summaries import summarise, summarise_rows

if TYPE_CHECKING:
    from ..scores.packed_rankings import PackedRankings
    from .bootstrap import CorpusBootstrap

Floats = NDArray[np.float64]

SIGNIFICANT = 0.05


def shallow_pools(
    images: CorpusBootstrap,
    system: str,
    baseline: str,
    depths: Sequence[int],
    progress: Progress | None,
) -> Results[PoolPrecision]:
    """Every measure at every depth, all judgments (depth None) last."""
    given: tuple[int | None, ...] = (*_check_depths(depths), None)
    packed = _check_pair(images, system, baseline)
    on_corpus, n_relevant = pools_on_corpus(packed, images.parsed, given)
    shape = (len(images.measures), len(given), len(images.queries))
    with pools_fitting(packed, shape, images.n_images):
        on_images = bootstrap_pools(
            packed,
            images.parsed,
            given,
            images.n_images,
            images.seed,
            systems=(system, baseline),
            progress=count_progress(progress, images.n_images, step=IMAGES),
        )
    labels = [
        (measure, system, baseline, depth, float(n))
        for measure in images.measures
        for depth, n in zip(given, n_relevant, strict=True)
    ]
    return Results(_rows(labels, on_corpus, on_images, images.queries))


def _check_depths(depths: Any) -> tuple[int, ...]:
    try:
        numbers = [as_integer(depth) for depth in depths]
    except TypeError:
        numbers = []
    if not numbers or any(number is None or number < 1 for number in numbers):
        raise ParameterError(
            f"depths must be whole numbers of at least 1, one or more of them; got {quote(depths)}"
        )
    if len(set(numbers)) < len(numbers):
        raise ParameterError(f"depths must differ; got {quote(depths)}")
    return tuple(number for number in numbers if number is not None)


def _check_pair(images: CorpusBootstrap, system: Any, baseline: Any) -> PackedRankings:
    """The rankings of the two systems, from which the same images can be drawn."""
    check_choice("system", system, images.systems)
    check_choice("baseline", baseline, images.systems)
    if system == baseline:
        raise ParameterError(f"system and baseline must differ; got {system!r} for both")
    if len(images.queries) < 2:
        raise DataError(f"a paired t test needs at least two queries; got {len(images.queries)}")
    if images.packed is None:
        raise DataError("pools need the rankings behind the images, and these images lack them")
    return images.packed.of_systems([images.systems.index(name) for name in (system, baseline)])


def _rows(
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
        array.setflags(write=False)  # kept by results, which must not change
    for k, (measure, system, baseline, depth, n_relevant) in enumerate(labels):
        _warn_of_no_p_value(f"{measure}, {_shown(depth)}", root_p_values[k], p_values[k])
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


def _paired_t(found: PooledDifferences, n: int) -> Floats:
    """Two-sided p-values of the paired t test of n queries."""
    with np.errstate(divide="ignore", invalid="ignore"):  # no spread: put right below
        t = found.means / (found.deviations / np.sqrt(n))
    p_values = 2 * special.stdtr(n - 1, -np.abs(t))
    without = np.where(found.means == 0, 1.0, np.nan)
    return np.where(found.deviations == 0, without, p_values)


def _summarise_known(p_values: Floats) -> ImageSummary:
    """Of the images that have a p-value; NaN where fewer than two have."""
    known = p_values[~np.isnan(p_values)]
    return summarise(known) if known.size > 1 else ImageSummary(*[float("nan")] * 7)


def _warn_of_no_p_value(label: str, on_corpus: float, on_images: Floats) -> None:
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


def _shown(depth: int | None) -> str:
    return "all judgments" if depth is None else f"depth {depth}"
