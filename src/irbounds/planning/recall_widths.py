"""The interval that a planned sample will give, in expectation.

A width is expected over all the samples that may come, each with the interval it would have. That
is not the width of the interval at the expected counts, which is quicker and what Webber (2013)
draws in Figures 15 to 17, feeding fractions of documents into the posterior; the two differ where
few relevant documents are expected in a sample. Both are given.

Widths of a plan need three digits, not twelve: posteriors are ``recall/many.py``'s, by the
hundred and in 512 cells, which moves an end by 0.0001 on average and by less than 0.001.

Reference: Webber (2013), section 4.3.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import DegenerateSampleWarning
from ..parameters import Alternative
from ..results import PlannedSample
from ..results.interval import Limits
from ..samples.agresti_coull import agresti_coull
from ..samples.counts import Counts
from ..samples.laplace import laplace
from ..samples.many import SegmentPriors, posterior_limits
from ..samples.normal import normal
from ..samples.priors import Prior
from .recall_outlook import Outlook, expected_counts, likely_samples

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
        return list(posterior_limits(counts, priors, probabilities, most_cells=CELLS).limits.T)
    fitted = CLOSED_FORMS[analysis.method](counts)
    return [fitted.limit(probability) for probability in probabilities]
