"""The interval that a planned sample will give, in expectation.

A width is expected over all the samples that may come, each with the interval it would have. That
is not the width of the interval at the expected counts, which is quicker and what Webber (2013)
draws in Figures 15 to 17, feeding fractions of documents into the posterior; the two differ where
few relevant documents are expected in a sample. Both are given.

Widths of a plan need three digits, not twelve: posteriors are ``recall/many.py``'s, by the
hundred and in 512 cells, which moves an end by 0.0001 on average and by less than 0.001.

Reference: Webber (2013), section 4.3.

What samples may come: counts of relevant documents with their probabilities.

A segment of N documents, R of them relevant, sampled without replacement, has a hypergeometric
number of relevant documents in its sample of n. After a pilot nothing need be supposed of R: with
the pilot's r relevant of n, and the prior's alpha and beta, m further documents hold a
beta-binomial number of relevant ones, BetaBin(m, alpha + r, beta + n - r), whatever N is, for the
documents of a random sample are exchangeable.

Expectations over the counts are made at few points. A short range of counts is taken whole. A long
one is replaced by the points and weights of Gauss's rule for that very distribution, found from
its orthogonal polynomials: m of them give the right expectation of every polynomial of degree
2 m - 1. The points are no whole numbers, which the posterior does not mind. What happens at a count
of 0 may be a jump (``cap_at_one``), so 0 keeps a point and a probability of its own.

Reference for the rule: Golub and Welsch (1969); the polynomials by Stieltjes' procedure.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ..errors import DegenerateSampleWarning
from ..results import PlannedSample
from ..results.interval import Limits
from ..samples.counts import Counts
from ..samples.hypergeometric import hypergeometric_masses
from ..samples.normal import agresti_coull, laplace, normal
from ..samples.priors import Prior
from ..samples.vectorised import SegmentPriors, posterior_limits
from ..samples.yields import beta_binomial_yield
from ..validation import Alternative

Floats = NDArray[np.float64]
Sizes = tuple[int, int]

POSTERIOR_METHOD = "beta-binomial"
CELLS = 512  # of a posterior's table
NONE = 0.5  # fewer relevant documents than this are none, where counts are no whole numbers

CLOSED_FORMS: dict[str, Callable[[Counts], Limits]] = {
    "normal": normal,
    "laplace": laplace,
    "agresti-coull": agresti_coull,
}
METHODS = (POSTERIOR_METHOD, *CLOSED_FORMS)


@dataclass(frozen=True)
class Analysis:
    """How a sample will be made an interval of."""

    method: str
    prior: Prior
    confidence_level: float
    alternative: Alternative
    #: whether an unretrieved sample without anything relevant raises the upper end to 1
    cap_at_one: bool

    def priors(self, size: Sizes, sampled: Sizes) -> SegmentPriors:
        """Alpha and beta of both segments; a plan tries samples of 1 document without a word."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DegenerateSampleWarning)
            return self.prior.of(size[0], sampled[0]), self.prior.of(size[1], sampled[1])


def planned_sample(analysis: Analysis, outlook: Outlook, sampled: Sizes) -> PlannedSample:
    """What interval to expect from samples of these sizes."""
    futures = outlook.futures(sampled)
    samples, weights = likely_samples(futures)
    means, mean_weights = expected_counts(futures)
    counts = np.concatenate([samples, means])
    low, high = interval_ends(analysis, outlook.size, sampled, counts)
    n = len(samples)
    at_means = (high - low)[n:]
    return PlannedSample(
        budget=sum(sampled),
        retrieved_sample=sampled[0],
        unretrieved_sample=sampled[1],
        split=sampled[0] / sum(sampled),
        expected_width=weighted_mean((high - low)[:n], weights),
        expected_low=weighted_mean(low[:n], weights),
        expected_high=weighted_mean(high[:n], weights),
        width_at_expected_counts=weighted_mean(at_means, mean_weights),
    )


def interval_ends(
    analysis: Analysis, size: Sizes, sampled: Sizes, relevant: Floats
) -> tuple[Floats, Floats]:
    """Both ends for each of several samples (samples, 2) of one design."""
    outside = 1 - analysis.confidence_level
    tail = outside / 2 if analysis.alternative == "two-sided" else outside
    lower, upper = analysis.alternative != "less", analysis.alternative != "greater"
    limits = iter(_limits(analysis, size, sampled, relevant, [tail] * lower + [1 - tail] * upper))
    low = next(limits) if lower else np.zeros(len(relevant))
    high = next(limits) if upper else np.ones(len(relevant))
    if analysis.cap_at_one:
        high = np.where(relevant[:, 1] < NONE, np.maximum(high, 1.0), high)
    unknown = np.isnan(low) | np.isnan(high)
    return np.where(unknown, np.nan, low), np.where(unknown, np.nan, high)


def weighted_mean(values: Floats, weights: Floats) -> float:
    """The mean over what is known: a sample without anything relevant may give no interval."""
    known = ~np.isnan(values)
    total = weights[known].sum()
    return float(values[known] @ weights[known] / total) if total else math.nan


def _limits(
    analysis: Analysis, size: Sizes, sampled: Sizes, relevant: Floats, probabilities: list[float]
) -> list[Floats]:
    """The limits of all samples, for each probability."""
    documents, drawn = np.array(size, dtype=np.float64), np.array(sampled, dtype=np.float64)
    counts = Counts(
        np.array([True, False]),
        documents,
        drawn,
        relevant,
        np.broadcast_to(drawn, relevant.shape),
    )
    if analysis.method == POSTERIOR_METHOD:
        priors = analysis.priors(size, sampled)
        return list(posterior_limits(counts, priors, probabilities, max_cells=CELLS).limits.T)
    fitted = CLOSED_FORMS[analysis.method](counts)
    return [fitted.limit(probability) for probability in probabilities]


FEW_POINTS, MANY_POINTS = 4, 9  # a segment, for several guesses and for one
LEAST_MASS = 1e-13


@dataclass(frozen=True, eq=False)
class Guesses:
    """Relevant documents in the retrieved segment and in the rest, guess by guess."""

    relevant: Floats  #: (guesses, 2), whole numbers
    weights: Floats


class Future(NamedTuple):
    """Counts of both segments with their probabilities, as one guess has them."""

    weight: float
    retrieved: tuple[Floats, Floats]
    unretrieved: tuple[Floats, Floats]


class Outlook(Protocol):
    """Samples that may come of a design."""

    @property
    def size(self) -> tuple[int, int]:
        """Documents of the retrieved segment and of the rest."""
        ...

    @property
    def least(self) -> tuple[int, int]:
        """The fewest of both that a sample has."""
        ...

    def futures(self, sampled: tuple[int, int]) -> list[Future]:
        """What samples of these sizes may hold."""
        ...


@dataclass(frozen=True, eq=False)
class GuessedOutlook:
    """Samples of segments whose relevant documents are guessed."""

    size: tuple[int, int]
    guesses: Guesses
    least: tuple[int, int] = (1, 1)

    def futures(self, sampled: tuple[int, int]) -> list[Future]:
        """Hypergeometric counts for each guess."""
        return [
            Future(
                float(weight),
                hypergeometric_counts(self.size[0], found, sampled[0]),
                hypergeometric_counts(self.size[1], missed, sampled[1]),
            )
            for (found, missed), weight in zip(
                self.guesses.relevant.tolist(), self.guesses.weights, strict=True
            )
        ]


@dataclass(frozen=True, eq=False)
class PilotOutlook:
    """Samples that go on from a pilot; sizes are those of the pilot and the rest together."""

    size: tuple[int, int]
    #: the pilot's documents of both segments, and the relevant ones among them
    least: tuple[int, int]
    relevant: tuple[int, int]
    #: the prior's alpha and beta, of both segments
    prior: tuple[tuple[float, float], tuple[float, float]]

    def futures(self, sampled: tuple[int, int]) -> list[Future]:
        """The pilot's counts with beta-binomial ones added."""
        return [Future(1.0, self._counts(0, sampled[0]), self._counts(1, sampled[1]))]

    def _counts(self, place: int, sampled: int) -> tuple[Floats, Floats]:
        alpha, beta = self.prior[place]
        relevant, seen = self.relevant[place], self.least[place]
        counts, masses = beta_binomial_counts(
            sampled - seen, alpha + relevant, beta + seen - relevant
        )
        return counts + relevant, masses


def likely_samples(futures: Sequence[Future], n_points: int | None = None) -> tuple[Floats, Floats]:
    """Counts (samples, 2) and weights that stand for all samples in an expectation."""
    n_points = n_points or (MANY_POINTS if len(futures) == 1 else FEW_POINTS)
    points, weights = [], []
    for future in futures:
        pairs, masses = crossed(
            gauss_points(*future.retrieved, n_points), gauss_points(*future.unretrieved, n_points)
        )
        points.append(pairs)
        weights.append(future.weight * masses)
    return np.concatenate(points), np.concatenate(weights)


def expected_counts(futures: Sequence[Future]) -> tuple[Floats, Floats]:
    """The mean counts (guesses, 2) and the weights of the guesses."""
    means = [
        [counts @ masses for counts, masses in (one.retrieved, one.unretrieved)] for one in futures
    ]
    return np.array(means), np.array([one.weight for one in futures])


def crossed(first: tuple[Floats, Floats], second: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    """Both segments' counts in every combination: their samples are drawn apart."""
    pairs = np.stack(np.meshgrid(first[0], second[0], indexing="ij"), axis=-1).reshape(-1, 2)
    return pairs, np.outer(first[1], second[1]).ravel()


def hypergeometric_counts(size: int, relevant: float, sampled: int) -> tuple[Floats, Floats]:
    """Counts of relevant documents in a sample, and their probabilities; guesses are rounded."""
    first, masses = hypergeometric_masses(size, round(relevant), sampled)
    return first + np.arange(len(masses), dtype=np.float64), masses


def beta_binomial_counts(n: int, alpha: float, beta: float) -> tuple[Floats, Floats]:
    """Counts of relevant documents among n more, and their probabilities."""
    table = beta_binomial_yield(n, 0, 0, alpha, beta)
    return table.positions, table.masses


def gauss_points(counts: Floats, masses: Floats, n_points: int) -> tuple[Floats, Floats]:
    """At most ``n_points`` points of Gauss's rule, and one for the count 0 where that may come."""
    kept = masses > LEAST_MASS
    counts, masses = counts[kept], masses[kept]
    if len(counts) <= 2 * n_points:
        return counts, masses / masses.sum()
    if counts[0] == 0:
        points, weights = _rule(counts[1:], masses[1:], n_points)
        return np.concatenate([[0.0], points]), np.concatenate([masses[:1], weights])
    return _rule(counts, masses, n_points)


def _rule(counts: Floats, masses: Floats, n_points: int) -> tuple[Floats, Floats]:
    """Stieltjes' procedure, then the eigenvalues of the polynomials' recurrence."""
    total = masses.sum()
    weights = masses / total
    centre = weights @ counts
    scale = math.sqrt(weights @ (counts - centre) ** 2)
    x = (counts - centre) / scale
    diagonal, beside = np.zeros(n_points), np.zeros(n_points)
    before, now, norm = np.zeros_like(x), np.ones_like(x), 1.0
    for step in range(n_points):
        diagonal[step] = weights @ (x * now**2) / norm
        before, now = now, (x - diagonal[step]) * now - beside[step] * before
        norm, last = float(weights @ now**2), norm
        if step + 1 < n_points:
            beside[step + 1] = norm / last
    root = np.sqrt(beside[1:])
    values, vectors = np.linalg.eigh(np.diag(diagonal) + np.diag(root, 1) + np.diag(root, -1))
    return centre + scale * values, total * vectors[0] ** 2
