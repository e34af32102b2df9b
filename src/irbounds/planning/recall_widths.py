"""The expected interval of a planned sample, over predicted counts of relevant documents.

The expected width is the mean over all possible samples, each with its own interval. It differs
from the width of the interval at the expected counts, which is faster and which Webber (2013) draws
in Figures 15 to 17, with non-integer counts in the posterior. The two differ where few relevant
documents are expected in a sample. Both are returned.

The widths of a plan need three digits, not twelve. Posteriors are computed by ``vectorised.py``, by
the hundred and in 512 cells, which moves an end by 0.0001 on average and by less than 0.001.

Predicted counts
----------------
A segment of N documents, R of them relevant, sampled without replacement, has a hypergeometric
number of relevant documents in its sample of n. After a pilot no assumption about R is needed. With
r relevant of n documents in the pilot, and the prior's alpha and beta, m further documents contain
a beta-binomial number of relevant ones, BetaBin(m, alpha + r, beta + n - r), whatever N is, because
the documents of a random sample are exchangeable.

Expectations over the counts are computed at few points. A short range of counts is used in full. A
long one is replaced by the points and weights of Gauss's rule for that distribution, found from its
orthogonal polynomials: m of them give the exact expectation of every polynomial of degree 2 m - 1.
The points need not be integers, which the posterior allows. The interval can jump at a count of 0
(``cap_at_one``), so 0 has its own point and probability.

References: Webber (2013), section 4.3; for the rule Golub and Welsch (1969), with polynomials by
Stieltjes' procedure.
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
from .recall_exact import exact_limit

Floats = NDArray[np.float64]
Sizes = tuple[int, int]

POSTERIOR_METHOD = "beta-binomial"
EXACT_METHOD = "exact"  # for a retrieved set that is read in full
CELLS = 512  # of a posterior's table
NONE = 0.5  # a non-integer count below this is treated as 0
FEW_POINTS, MANY_POINTS = 4, 9  # per segment, for several guesses and for one
MIN_MASS = 1e-13

CLOSED_FORMS: dict[str, Callable[[Counts], Limits]] = {
    "normal": normal,
    "laplace": laplace,
    "agresti-coull": agresti_coull,
}
METHODS = (POSTERIOR_METHOD, EXACT_METHOD, *CLOSED_FORMS)


@dataclass(frozen=True)
class Analysis:
    """The interval method for the planned sample."""

    method: str
    prior: Prior
    confidence_level: float
    alternative: Alternative
    #: True if the upper end is 1 where the unretrieved sample contains no relevant document
    cap_at_one: bool
    #: True if the relevant documents of the unretrieved sample are added to the retrieved set
    credit_found: bool = False

    @property
    def tail(self) -> float:
        """The probability outside of an end."""
        outside = 1 - self.confidence_level
        return outside / 2 if self.alternative == "two-sided" else outside

    def priors(self, size: Sizes, sampled: Sizes) -> SegmentPriors:
        """Return alpha and beta of both segments, without warnings about samples of 1 document."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DegenerateSampleWarning)
            return self.prior.of(size[0], sampled[0]), self.prior.of(size[1], sampled[1])


def plan_sample(analysis: Analysis, prediction: SamplePrediction, sampled: Sizes) -> PlannedSample:
    """Return the expected interval of samples of these sizes."""
    cases = prediction.predict_counts(sampled)
    samples, weights = likely_samples(cases)
    means, mean_weights = expected_counts(cases)
    counts = np.concatenate([samples, means])
    low, high = interval_ends(analysis, prediction.segment_sizes, sampled, counts)
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
    """Return both ends for each of several samples (samples, 2) of one design."""
    lower, upper = analysis.alternative != "less", analysis.alternative != "greater"
    probabilities = [analysis.tail] * lower + [1 - analysis.tail] * upper
    limits = iter(_find_limits(analysis, size, sampled, relevant, probabilities))
    low = next(limits) if lower else np.zeros(len(relevant))
    high = next(limits) if upper else np.ones(len(relevant))
    if analysis.cap_at_one:
        high = np.where(relevant[:, 1] < NONE, np.maximum(high, 1.0), high)
    unknown = np.isnan(low) | np.isnan(high)
    return np.where(unknown, np.nan, low), np.where(unknown, np.nan, high)


def weighted_mean(values: Floats, weights: Floats) -> float:
    """Return the weighted mean without NaN, since some samples have no interval."""
    known = ~np.isnan(values)
    total = weights[known].sum()
    return float(values[known] @ weights[known] / total) if total else math.nan


def _find_limits(
    analysis: Analysis, size: Sizes, sampled: Sizes, relevant: Floats, probabilities: list[float]
) -> list[Floats]:
    """Return the limits of all samples, for each probability."""
    if analysis.method == EXACT_METHOD:
        assert sampled[0] == size[0]
        return [
            exact_limit(
                relevant,
                size[1],
                sampled[1],
                analysis.tail,
                is_lower=probability == analysis.tail,
                credit_found=analysis.credit_found,
            )
            for probability in probabilities
        ]
    counts = make_counts(size, sampled, relevant)
    if analysis.method == POSTERIOR_METHOD:
        priors = analysis.priors(size, sampled)
        return list(posterior_limits(counts, priors, probabilities, max_cells=CELLS).limits.T)
    fitted = CLOSED_FORMS[analysis.method](counts)
    return [fitted.limit(probability) for probability in probabilities]


def make_counts(size: Sizes, sampled: Sizes, relevant: Floats) -> Counts:
    """Return the counts of several samples (samples, 2) of one design."""
    documents, drawn = np.array(size, dtype=np.float64), np.array(sampled, dtype=np.float64)
    return Counts(
        np.array([True, False]),
        documents,
        drawn,
        relevant,
        np.broadcast_to(drawn, relevant.shape),
    )


@dataclass(frozen=True, eq=False)
class Guesses:
    """The guessed numbers of relevant documents in both segments, one row per guess."""

    relevant: Floats  #: (guesses, 2), integers
    weights: Floats


class PredictedCounts(NamedTuple):
    """Counts of both segments and their probabilities, for one guess."""

    weight: float
    retrieved: tuple[Floats, Floats]
    unretrieved: tuple[Floats, Floats]


class SamplePrediction(Protocol):
    """The predicted counts of samples of a design."""

    @property
    def segment_sizes(self) -> tuple[int, int]:
        """The numbers of documents in the retrieved segment and in the rest."""
        ...

    @property
    def min_sampled(self) -> tuple[int, int]:
        """The minimum sample sizes of both segments."""
        ...

    @property
    def is_read_in_full(self) -> bool:
        """Whether all retrieved documents are assessed."""
        ...

    def predict_counts(self, sampled: tuple[int, int]) -> list[PredictedCounts]:
        """Return the predicted counts of samples of these sizes, one case per guess."""
        ...


@dataclass(frozen=True, eq=False)
class GuessPrediction:
    """Predicted counts if the numbers of relevant documents are guessed."""

    segment_sizes: tuple[int, int]
    guesses: Guesses
    min_sampled: tuple[int, int] = (1, 1)
    #: whether all retrieved documents are assessed
    is_read_in_full: bool = False

    def predict_counts(self, sampled: tuple[int, int]) -> list[PredictedCounts]:
        """Return hypergeometric counts for each guess."""
        return [
            PredictedCounts(
                float(weight),
                hypergeometric_counts(self.segment_sizes[0], inside, sampled[0]),
                hypergeometric_counts(self.segment_sizes[1], outside, sampled[1]),
            )
            for (inside, outside), weight in zip(
                self.guesses.relevant.tolist(), self.guesses.weights, strict=True
            )
        ]


@dataclass(frozen=True, eq=False)
class PilotPrediction:
    """Predicted counts of samples that include a pilot."""

    segment_sizes: tuple[int, int]
    #: the pilot's documents of both segments, and the relevant ones among them
    min_sampled: tuple[int, int]
    relevant: tuple[int, int]
    #: the prior's alpha and beta, of both segments
    prior: tuple[tuple[float, float], tuple[float, float]]

    @property
    def is_read_in_full(self) -> bool:
        """Whether all retrieved documents are assessed."""
        return self.min_sampled[0] == self.segment_sizes[0]

    def predict_counts(self, sampled: tuple[int, int]) -> list[PredictedCounts]:
        """Return the counts of the pilot plus beta-binomial counts."""
        inside = self._predict_segment(0, sampled[0])
        return [PredictedCounts(1.0, inside, self._predict_segment(1, sampled[1]))]

    def _predict_segment(self, place: int, sampled: int) -> tuple[Floats, Floats]:
        alpha, beta = self.prior[place]
        relevant, assessed = self.relevant[place], self.min_sampled[place]
        counts, masses = beta_binomial_counts(
            sampled - assessed, alpha + relevant, beta + assessed - relevant
        )
        return counts + relevant, masses


def likely_samples(
    cases: Sequence[PredictedCounts], n_points: int | None = None
) -> tuple[Floats, Floats]:
    """Return counts (samples, 2) and weights that represent all samples in an expectation."""
    n_points = n_points or (MANY_POINTS if len(cases) == 1 else FEW_POINTS)
    points, weights = [], []
    for case in cases:
        pairs, masses = cross_counts(
            gauss_points(*case.retrieved, n_points), gauss_points(*case.unretrieved, n_points)
        )
        points.append(pairs)
        weights.append(case.weight * masses)
    return np.concatenate(points), np.concatenate(weights)


def expected_counts(cases: Sequence[PredictedCounts]) -> tuple[Floats, Floats]:
    """Return the mean counts (guesses, 2) and the weights of the guesses."""
    means = [
        [counts @ masses for counts, masses in (case.retrieved, case.unretrieved)] for case in cases
    ]
    return np.array(means), np.array([case.weight for case in cases])


def cross_counts(
    first: tuple[Floats, Floats], second: tuple[Floats, Floats]
) -> tuple[Floats, Floats]:
    """Return all pairs of counts of two independent segments, and their probabilities."""
    pairs = np.stack(np.meshgrid(first[0], second[0], indexing="ij"), axis=-1).reshape(-1, 2)
    return pairs, np.outer(first[1], second[1]).ravel()


def hypergeometric_counts(size: int, relevant: float, sampled: int) -> tuple[Floats, Floats]:
    """Return counts of relevant documents in a sample, and probabilities; round the guess."""
    first, masses = hypergeometric_masses(size, round(relevant), sampled)
    return first + np.arange(len(masses), dtype=np.float64), masses


def beta_binomial_counts(n: int, alpha: float, beta: float) -> tuple[Floats, Floats]:
    """Return counts of relevant documents among n more, and their probabilities."""
    table = beta_binomial_yield(n, 0, 0, alpha, beta)
    return table.positions, table.masses


def gauss_points(counts: Floats, masses: Floats, n_points: int) -> tuple[Floats, Floats]:
    """Return at most ``n_points`` points of Gauss's rule, plus one for a possible count of 0."""
    matters = masses > MIN_MASS
    counts, masses = counts[matters], masses[matters]
    if len(counts) <= 2 * n_points:
        return counts, masses / masses.sum()
    if counts[0] == 0:
        points, weights = _gauss_rule(counts[1:], masses[1:], n_points)
        return np.concatenate([[0.0], points]), np.concatenate([masses[:1], weights])
    return _gauss_rule(counts, masses, n_points)


def _gauss_rule(counts: Floats, masses: Floats, n_points: int) -> tuple[Floats, Floats]:
    """Return points and weights by Stieltjes' procedure and the eigenvalues of the recurrence."""
    total = masses.sum()
    weights = masses / total
    centre = weights @ counts
    scale = math.sqrt(weights @ (counts - centre) ** 2)
    x = (counts - centre) / scale
    diagonal, off_diagonal = np.zeros(n_points), np.zeros(n_points)
    before, now, norm = np.zeros_like(x), np.ones_like(x), 1.0
    for step in range(n_points):
        diagonal[step] = weights @ (x * now**2) / norm
        before, now = now, (x - diagonal[step]) * now - off_diagonal[step] * before
        norm, last = float(weights @ now**2), norm
        if step + 1 < n_points:
            off_diagonal[step + 1] = norm / last
    root = np.sqrt(off_diagonal[1:])
    values, vectors = np.linalg.eigh(np.diag(diagonal) + np.diag(root, 1) + np.diag(root, -1))
    return centre + scale * values, total * vectors[0] ** 2
