"""The yield of a stratum of which some sampled documents were assessed again (double sampling).

First assessors make mistakes. Of n sampled documents they coded n1 relevant and n0 not relevant. An
authority assessed random parts of both again: of m1 coded relevant, t1 are relevant; of m0 coded
not relevant, t0 are relevant after all (Tenenbein 1970; Rogan and Gladen 1978). A document has a
code and a true status, four possibilities with a Dirichlet prior. With prior Beta(a, b) on the
prevalence of the stratum, a and b are divided evenly between both codes:

    fraction coded relevant               s  ~ Beta(n1 + (a + b)/2, n0 + (a + b)/2)
    relevant fraction, coded relevant     p1 ~ Beta(t1 + a/2, m1 - t1 + b/2)
    relevant fraction, coded not relevant p0 ~ Beta(t0 + a/2, m0 - t0 + b/2)
    yield = t1 + t0 + Bin(n1 - m1; p1) + Bin(n0 - m0; p0) + Bin(N - n; s p1 + (1 - s) p0)

If all sampled documents were assessed again, the prevalence s p1 + (1 - s) p0 has the distribution
Beta(t + a, n - t + b), where t = t1 + t0: the posterior is that of a sample with t relevant
documents. If no document of a code was assessed again, that code is taken as correct (p1 = 1 or
p0 = 0), and its part of a or b goes to the other code, so that the same is true. A code without
sampled documents counts as assessed again. Documents that could not be judged are not relevant;
they have no prior, and their fraction of the rest is Beta(number, n1 + n0 + a + b).

Nothing is drawn at random. The fractions are integrated over fixed low-discrepancy points
(Hammersley's). Given the fractions, the yield is a sum of binomials. One shifted binomial with the
same first three cumulants takes its place, or, if its variance is large, a normal distribution that
is corrected for skewness. Neither its shift nor its size need be an integer. If the whole stratum
was sampled, two beta-binomials are convolved, and there are no points.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from .counts import Checks, CodedDocuments
from .yields import (
    YieldDistribution,
    add_known,
    beta_binomial_yield,
    cell_edges,
    cut_tails,
    sum_yields,
)

Floats = NDArray[np.float64]
Shape = tuple[float, float]

N_POINTS = 1 << 17
BASES = (2, 3, 5)
N_QUANTILES = 1 << 12  # of each beta distribution
MAX_GROUPS = 1 << 12  # of points with nearly the same expected yield
GROUP_WIDTH = 0.05  # of a group of points, in standard deviations of the yield given a point
MAX_SINGLE = 1 << 12  # counts that have one cell each
N_CELLS = 1 << 12  # otherwise
MIN_VARIANCE, MIN_FRACTION = 1e-9, 1e-9  # of a matched binomial, whose limit is a Poisson variable
LARGE = 100.0  # variance from which a binomial is replaced by a corrected normal distribution
REACH = 6.0  # standard deviations to either side of a binomial that are computed


@dataclass(frozen=True)
class _Model:
    """The unknown part of a yield: numbers of documents, and the fractions relevant among them."""

    #: relevant documents that are known
    known: int
    #: documents of the sample that were not assessed again, by code
    left_relevant: int
    left_irrelevant: int
    #: documents outside of the sample
    rest: int
    #: beta parameters; None where a fraction is known to be 1 (of p1) or 0 (of p0)
    coded_relevant: Shape
    true_if_relevant: Shape | None
    true_if_irrelevant: Shape | None
    #: the fraction that can be judged; None: all
    judged: Shape | None


def double_sampling_yield(
    population: float, sampled: float, checks: Checks, alpha: float, beta: float
) -> YieldDistribution:
    """Return the posterior of a yield if some sampled documents were assessed again."""
    model = _make_model(round(population), round(sampled), checks, alpha, beta)
    if model.rest == 0:
        return _sum_sample(model)
    return add_known(cut_tails(_integrate(model)), model.known)


def _make_model(population: int, sampled: int, checks: Checks, a: float, b: float) -> _Model:
    relevant, irrelevant = checks
    if not _is_checked(relevant):  # taken as relevant: no prior weight for mistakes
        first, second = (a / 2, 0.0), (a / 2, b)
    elif not _is_checked(irrelevant):
        first, second = (a, b / 2), (0.0, b / 2)
    else:
        first = second = (a / 2, b / 2)
    unjudged = sampled - relevant.n - irrelevant.n
    known_relevant = relevant.relevant if _is_checked(relevant) else relevant.n
    return _Model(
        known=known_relevant + irrelevant.relevant,
        left_relevant=_count_left(relevant),
        left_irrelevant=_count_left(irrelevant),
        rest=population - sampled,
        coded_relevant=(relevant.n + sum(first), irrelevant.n + sum(second)),
        true_if_relevant=_find_shape(relevant, first),
        true_if_irrelevant=_find_shape(irrelevant, second),
        judged=(relevant.n + irrelevant.n + a + b, float(unjudged)) if unjudged else None,
    )


def _is_checked(documents: CodedDocuments) -> bool:
    return documents.checked > 0 or documents.n == 0


def _count_left(documents: CodedDocuments) -> int:
    return documents.n - documents.checked if _is_checked(documents) else 0


def _find_shape(documents: CodedDocuments, prior: Shape) -> Shape | None:
    if not _is_checked(documents):
        return None
    return documents.relevant + prior[0], documents.checked - documents.relevant + prior[1]


def _sum_sample(model: _Model) -> YieldDistribution:
    """Return the yield of a stratum that was sampled as a whole."""
    parts = [
        beta_binomial_yield(n_left, 0, 0, *shape)
        for n_left, shape in (
            (model.left_relevant, model.true_if_relevant),
            (model.left_irrelevant, model.true_if_irrelevant),
        )
        if n_left and shape
    ]
    return add_known(sum_yields(parts), model.known)


def _integrate(model: _Model) -> YieldDistribution:
    """Return the distribution of the unknown part of the yield, as a mixture of binomials."""
    size = model.left_relevant + model.left_irrelevant + model.rest
    mixture = _group_points(_find_cumulants(model))
    reach = REACH * (np.sqrt(mixture.variances) + 1)
    low = max(int((mixture.means - reach).min()), 0)
    high = min(int((mixture.means + reach).max()) + 1, size)
    if high - low < MAX_SINGLE:
        edges = np.arange(low, high + 2, dtype=np.float64)
    else:
        edges = cell_edges(size, low, high, N_CELLS)
    last = edges[1:] - 1  # the highest count of each cell
    cumulative = np.minimum(np.maximum.accumulate(_mixture_cdf(mixture, last, reach)), 1.0)
    masses = np.diff(cumulative, prepend=0.0)
    middles = (edges[:-1] + last) / 2
    return YieldDistribution(edges, middles, masses / masses.sum(), discrete=True)


class _Cumulants(NamedTuple):
    """Cumulants of a sum of binomials per point, or per group of points."""

    means: Floats
    variances: Floats
    thirds: Floats
    #: the fraction of all points
    weights: Floats


def _find_cumulants(model: _Model) -> _Cumulants:
    """Return the cumulants of the unknown part of the yield, per point."""
    shapes = [
        shape
        for shape in (
            model.true_if_irrelevant,
            model.true_if_relevant,
            model.coded_relevant,
            model.judged,
        )
        if shape is not None
    ]
    fractions = iter(_make_fractions(shapes))
    irrelevant = next(fractions) if model.true_if_irrelevant else np.zeros(N_POINTS)
    relevant = next(fractions) if model.true_if_relevant else np.ones(N_POINTS)
    coded = next(fractions)
    prevalence = coded * relevant + (1 - coded) * irrelevant
    if model.judged:
        prevalence *= next(fractions)
    means, variances, thirds = np.zeros((3, N_POINTS))
    for number, p in (
        (model.left_relevant, relevant),
        (model.left_irrelevant, irrelevant),
        (model.rest, prevalence),
    ):
        means += number * p
        variances += number * p * (1 - p)
        thirds += number * p * (1 - p) * (1 - 2 * p)
    return _Cumulants(means, variances, thirds, np.full(N_POINTS, 1 / N_POINTS))


def _make_fractions(shapes: Sequence[Shape]) -> list[Floats]:
    """Return independent beta variables at the points; quantiles are interpolated in a table."""
    chances = np.sin(np.linspace(0, np.pi / 2, N_QUANTILES)) ** 2  # dense near 0 and 1
    return [
        np.interp(points, chances, special.betaincinv(*shape, chances))
        for points, shape in zip(_make_points(len(shapes)), shapes, strict=True)
    ]


@cache
def _make_points(n_dimensions: int) -> list[Floats]:
    """Return the coordinates of Hammersley's points: even steps, then radical inverses."""
    steps = np.arange(N_POINTS)
    columns = [(steps + 0.5) / N_POINTS]
    for base in BASES[: n_dimensions - 1]:
        digits, unit, inverse = steps + 1, 1 / base, np.zeros(N_POINTS)
        while digits.any():
            inverse += unit * (digits % base)
            digits = digits // base
            unit /= base
        columns.append(inverse)
    return columns


def _group_points(points: _Cumulants) -> _Cumulants:
    """Return the means of groups of neighbouring points."""
    order = np.argsort(points.means, kind="stable")
    sorted_points = [values[order] for values in points]
    means, variances = sorted_points[:2]
    deviations = np.maximum(np.sqrt(variances), GROUP_WIDTH)
    distances = np.cumsum(np.diff(means, prepend=means[0]) / deviations)
    candidates = np.arange(0, N_POINTS, N_POINTS // MAX_GROUPS)
    places = (distances[candidates] / GROUP_WIDTH).astype(np.int64)
    starts = candidates[np.diff(places, prepend=-1) > 0]
    counts = np.diff(np.append(starts, N_POINTS))
    first, second, third, weights = (np.add.reduceat(values, starts) for values in sorted_points)
    return _Cumulants(first / counts, second / counts, third / counts, weights)


def _mixture_cdf(mixture: _Cumulants, counts: Floats, reach: Floats) -> Floats:
    """Return the probability of at most so many; beyond ``reach`` of a mean it is 0 or 1."""
    begin = np.searchsorted(counts, mixture.means - reach)
    end = np.searchsorted(counts, mixture.means + reach)
    passed = np.bincount(end, mixture.weights, len(counts) + 1)[: len(counts)]
    heights = np.cumsum(passed)
    is_large = mixture.variances > LARGE
    for groups, cdf, parameters in (
        (np.flatnonzero(is_large), _edgeworth_cdf, mixture[:3]),
        (np.flatnonzero(~is_large), _binomial_cdf, _match_binomials(mixture)),
    ):
        lengths = (end - begin)[groups]
        starts = np.repeat(begin[groups] - np.cumsum(lengths) + lengths, lengths)
        places = starts + np.arange(lengths.sum())
        rows = np.repeat(groups, lengths)
        chances = cdf(counts[places], *(values[rows] for values in parameters))
        heights += np.bincount(places, mixture.weights[rows] * chances, len(counts))
    return np.asarray(heights)


def _edgeworth_cdf(counts: Floats, means: Floats, variances: Floats, thirds: Floats) -> Floats:
    """Return the probability of at most so many, with the first term for skewness."""
    z = (counts + 0.5 - means) / np.sqrt(variances)
    skewness = thirds / variances**1.5
    correction = skewness * (z * z - 1) * np.exp(-z * z / 2) / (6 * math.sqrt(2 * math.pi))
    return np.asarray(special.ndtr(z) - correction)


def _match_binomials(mixture: _Cumulants) -> tuple[Floats, Floats, Floats]:
    """Return shifts, sizes and fractions of binomials with the same three cumulants."""
    variances = np.maximum(mixture.variances, MIN_VARIANCE)
    skewness = np.clip(mixture.thirds / variances, -1 + MIN_FRACTION, 1 - MIN_FRACTION)
    fractions = (1 - skewness) / 2
    sizes = variances / (fractions * (1 - fractions))
    return mixture.means - sizes * fractions, sizes, fractions


def _binomial_cdf(counts: Floats, shifts: Floats, sizes: Floats, fractions: Floats) -> Floats:
    """Return the probability of at most so many; neither shifts nor sizes need be integers."""
    below, above = counts - shifts + 1, sizes - (counts - shifts)
    inside = (below > 0) & (above > 0)
    chances = special.betaincc(np.where(inside, below, 1), np.where(inside, above, 1), fractions)
    return np.where(inside, chances, np.where(below > 0, 1.0, 0.0))
