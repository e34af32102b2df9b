"""Many samples with their bootstrap, of which only the statistics that methods need are kept.

The bootstrap means of a sample are not stored. Their smallest and largest ones are, for quantiles,
and so are those of the studentised ratios. Where a quantile is between these, the sample is
bootstrapped again and all of its order statistics are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..intervals.sample import ROUNDING, LogitFit, ScoredSample, fit_logits, scale_of
from ..intervals.variance_prior import VariancePrior
from ..kernels.order_statistics import ALL_EQUAL, interpolate_ends
from ..parallel.memory import NUMBER_BYTES
from ..resampling.query_bootstrap import QueryBootstrap, bootstrap_queries, draw_counts
from ._kernels import TILE, bootstrap_samples

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: order statistics that are kept of either end, relative to those that a percentile interval needs:
#: other methods correct its levels
KEPT = 6
SPARE = 16  # besides these
CAPACITY = 2  # of the arrays, relative to the number of order statistics to keep


class Ends(NamedTuple):
    """Smallest and largest elements of each row (see ``kernels.order_statistics``)."""

    #: row x 2 x place
    keys: Integers
    #: row x 2
    n_kept: NDArray[np.intp]
    #: quantiles that were computed, since several methods use the same ones
    known: dict[float, Floats]


@dataclass(frozen=True, eq=False)
class EndQuantiles:
    """Quantiles of rows of which the ends are kept; they have the bits of those of sorted rows."""

    ends: Ends
    #: elements of a row
    n: int
    #: returns all elements of some rows as ends
    keep_all: Callable[[NDArray[np.intp]], Ends]

    def quantile(self, probability: Floats | float) -> Floats:
        """Return a quantile of each row, of one probability or of one per row."""
        if not isinstance(probability, float):
            return self._find(probability)
        known = self.ends.known
        if probability not in known:
            known[probability] = self._find(probability)
        return known[probability]

    def _find(self, probability: Floats | float) -> Floats:
        places = np.full(len(self.ends.keys), np.asarray(probability) * (self.n - 1))
        quantiles, is_lacking = np.empty(len(places)), np.empty(len(places), np.bool_)
        keys, n_kept, _ = self.ends
        interpolate_ends(keys, n_kept, self.n, places, quantiles, is_lacking)
        rows = np.flatnonzero(is_lacking)
        if len(rows):
            keys, n_kept, _ = self.keep_all(rows)
            lacking = np.empty(len(rows))
            interpolate_ends(keys, n_kept, self.n, places[rows], lacking, is_lacking[rows])
            quantiles[rows] = lacking
        return quantiles


@dataclass(frozen=True)
class Bootstrap:
    """The resamples of samples, and the statistics of them that are needed."""

    n_resamples: int
    seed: int
    #: the number of order statistics that a percentile interval needs of either end
    n_needed: int
    #: whether studentised ratios are needed, and logits
    has_errors: bool
    has_logits: bool

    @property
    def n_wanted(self) -> int:
        """The number of order statistics to keep of either end, approximately."""
        return KEPT * self.n_needed + SPARE


def estimate_bytes(bootstrap: Bootstrap, n: int, n_samples: int, part_size: int) -> int:
    """Return the memory for the bootstrap of samples of n scores, with some scratch arrays.

    These are the ends, and for one part the counts of resamples, the odds and a tile of sums.
    """
    capacity = min(CAPACITY * bootstrap.n_wanted, bootstrap.n_resamples)
    ends = 2 * n_samples * capacity * (1 + bootstrap.has_errors)
    sums = (part_size * bootstrap.has_logits + 4 * TILE) * bootstrap.n_resamples
    return NUMBER_BYTES * (ends + sums + 4 * n_samples * n) + 2 * n * bootstrap.n_resamples


class Statistics(NamedTuple):
    """Statistics of the bootstrap of each sample."""

    mean_ends: Ends
    ratio_ends: Ends
    #: twice the number of bootstrap means below the mean; a tie counts half
    n_below: NDArray[np.intp]
    logit_fit: LogitFit | None


@dataclass(frozen=True, eq=False)
class BootstrappedSamples(ScoredSample):
    """Samples by row. Those of one part, ``part_size`` rows, have the same resamples."""

    scores: Floats
    bootstrap: Bootstrap
    part_size: int
    #: the place of the resamples of each part
    places: Sequence[tuple[int, int]]
    sigma: Floats | None = None
    bounds: tuple[float, float] | None = None
    prior: VariancePrior | None = None

    @property
    def bootstrap_means(self) -> Floats | None:
        """Means on resampled queries, computed only if a method needs all of them."""
        return self._all.means

    @property
    def bootstrap_errors(self) -> Floats | None:
        """Standard errors of those means, computed only if a method needs all of them."""
        return self._all.standard_errors

    # these two refer to the samples, which do not keep them: no cycle delays the release of memory

    @property
    def ordered_means(self) -> EndQuantiles:
        """Bootstrap means for quantiles; NaN where they, or the scores, are all equal."""
        keep_all = lambda rows: self._keep_all(rows).mean_ends  # noqa: E731
        return EndQuantiles(self._statistics.mean_ends, self.bootstrap.n_resamples, keep_all)

    @property
    def ordered_ratios(self) -> EndQuantiles:
        """Studentised ratios for quantiles; NaN where they, or the scores, are all equal."""
        keep_all = lambda rows: self._keep_all(rows).ratio_ends  # noqa: E731
        return EndQuantiles(self._statistics.ratio_ends, self.bootstrap.n_resamples, keep_all)

    @property
    def fraction_below(self) -> Floats:
        """Fraction of bootstrap means below the mean; a tie counts half."""
        return self._statistics.n_below / (2 * self.bootstrap.n_resamples)

    @property
    def logit_fit(self) -> LogitFit:
        """Mean and standard deviation of the logits of bootstrap means that are not at a bound."""
        fit = self._statistics.logit_fit
        assert fit is not None
        return fit

    def _list_parts(self) -> list[slice]:
        starts = range(0, len(self.scores), self.part_size)
        return [slice(begin, begin + self.part_size) for begin in starts]

    @cached_property
    def _all(self) -> QueryBootstrap:
        b = self.bootstrap
        parts = [
            bootstrap_queries(
                self.scores[rows],
                b.n_resamples,
                b.seed,
                standard_errors=b.has_errors,
                place=self.places[part],
            )
            for part, rows in enumerate(self._list_parts())
        ]
        means = np.concatenate([part.means for part in parts])
        errors = [part.standard_errors for part in parts if part.standard_errors is not None]
        return QueryBootstrap(means, np.concatenate(errors) if errors else None)

    @cached_property
    def _statistics(self) -> Statistics:
        b = self.bootstrap
        return self._summarise(np.arange(len(self.scores)), b.n_needed, b.n_wanted)

    def _keep_all(self, rows: NDArray[np.intp]) -> Statistics:
        n = self.bootstrap.n_resamples
        return self._summarise(rows, n, n)

    @cached_property
    def _squares(self) -> Floats:
        """Squared deviations, in units of the scale of each row."""
        return np.asarray(((self.scores - self.mean[:, None]) / self._scales) ** 2)

    @cached_property
    def _scales(self) -> Floats:
        """Powers of two whose inverses are finite."""
        return np.maximum(scale_of(self.scores), np.finfo(np.float64).tiny)

    def _summarise(self, rows: NDArray[np.intp], n_needed: int, n_wanted: int) -> Statistics:
        """Bootstrap the samples in some rows; keep about ``n_wanted`` of either end."""
        b = self.bootstrap
        shape = (len(rows), 2, min(CAPACITY * n_wanted, b.n_resamples))
        mean_ends, ratio_ends = (
            Ends(np.empty(size, np.int64), np.empty(size[:2], np.intp), {})
            for size in (shape, shape if b.has_errors else (0, 2, 0))
        )
        n_below = np.empty(len(rows), np.intp)
        low, high = self.bounds or (0, 1)
        fits = []
        for part in np.unique(rows // self.part_size):
            begin, end = np.searchsorted(rows, [part * self.part_size, (part + 1) * self.part_size])
            of_part = rows[begin:end]
            odds = np.empty((len(of_part) if b.has_logits else 0, b.n_resamples))
            bootstrap_samples(
                draw_counts(b.seed, self.n, 0, b.n_resamples, *self.places[part]),
                self.scores[of_part],
                self._squares[of_part] if b.has_errors else np.empty((0, self.n)),
                self.mean[of_part],
                self._scales[of_part, 0],
                (float(low), float(high), ROUNDING),
                n_needed,
                n_wanted,
                mean_ends.keys[begin:end],
                mean_ends.n_kept[begin:end],
                ratio_ends.keys[begin:end],
                ratio_ends.n_kept[begin:end],
                n_below[begin:end],
                odds,
            )
            fits.append(fit_logits(odds))
        for ends in (mean_ends, ratio_ends):
            ends.n_kept[self.is_constant[rows][: len(ends.n_kept)]] = ALL_EQUAL
        fit = LogitFit(*map(np.concatenate, zip(*fits, strict=True))) if b.has_logits else None
        return Statistics(mean_ends, ratio_ends, n_below, fit)
