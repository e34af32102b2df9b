"""The quantities of a retrieved set, and the methods of each.

Recall has Webber's methods. All quantities have ``exact`` and posteriors, F with recall and
precision jointly.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..results import Stratum
from ..results.interval import Limits
from ..validation import Alternative
from .counts import Counts, make_counts, restrict_to_judged
from .exact import ExactLimits
from .koopman import koopman
from .normal import agresti_coull, laplace, naive_binomial, normal, normal_official
from .point_estimates import (
    estimate_elusion,
    estimate_f1,
    estimate_precision,
    estimate_prevalence,
    estimate_recall,
    estimate_yield,
)
from .posterior import (
    JointPosterior,
    QuantityPosterior,
    beta_binomial_posterior,
    beta_jeffreys_posterior,
)
from .priors import Prior
from .uncertain_strata import (
    Ratio,
    elusion_ratio,
    f1_ratio,
    precision_ratio,
    recall_ratio,
    total_ratio,
)

Floats = NDArray[np.float64]

EXACT = ExactLimits.method
MONTE_CARLO = "monte-carlo"
#: methods of recall that need only the counts
CLOSED_FORMS: dict[str, Callable[[Counts], Limits]] = {
    "naive-binomial": naive_binomial,
    "normal": normal,
    "normal-official": normal_official,
    "laplace": laplace,
    "agresti-coull": agresti_coull,
    "koopman": koopman,
}
#: methods of all quantities
GENERAL = ("beta-jeffreys", "beta-binomial", EXACT)


@dataclass(frozen=True, eq=False)
class SampleRequest:
    """Valid strata, and the options of the interval."""

    strata: tuple[Stratum, ...]
    method: str
    prior: Prior
    confidence_level: float
    alternative: Alternative
    n_draws: int = 10_000
    seed: int = 0
    #: whether the relevant documents of the unretrieved samples are added to the retrieved set
    credit_found: bool = False
    #: by segment, whether a one-sided limit rises or falls with its relevant documents; None for
    #: intervals, in which documents that could not be judged count as not relevant
    signs: tuple[int, int] | None = None

    @cached_property
    def counts(self) -> Counts:
        """The counts of the strata as arrays."""
        counts = make_counts(self.strata)
        return counts.judge_all(*self.signs) if self.signs else counts

    @cached_property
    def credited(self) -> int:
        """The relevant documents that are added to the retrieved set."""
        unretrieved = [stratum for stratum in self.strata if not stratum.retrieved]
        n_relevant = sum(stratum.corrected_relevant for stratum in unretrieved)
        return round(n_relevant) if self.credit_found else 0

    @property
    def has_posterior(self) -> bool:
        """Whether the method has a posterior."""
        return self.method != EXACT and self.method not in CLOSED_FORMS

    @cached_property
    def posterior(self) -> JointPosterior:
        """The joint posterior, from which all quantities follow."""
        if self.method == "beta-jeffreys":
            posterior = beta_jeffreys_posterior(self.counts)
        else:
            posterior = beta_binomial_posterior(self.counts, self.prior)
        return posterior.credit(self.credited) if self.credited else posterior


@dataclass(frozen=True)
class Quantity:
    """A quantity to estimate."""

    name: str
    estimate: Callable[[Counts], Floats]
    posterior: Callable[[JointPosterior], QuantityPosterior]
    #: the quantity as a ratio of yields, by the counts and the documents that are added to the set
    ratio: Callable[[Counts, float], Ratio]
    #: True for a fraction of the retrieved segment, False of the unretrieved one; None otherwise
    segment: bool | None = None

    def select(self, strata: tuple[Stratum, ...]) -> list[Stratum]:
        """Return the strata that the quantity depends on."""
        return [part for part in strata if self.segment in (None, part.retrieved)]

    def limits(self, request: SampleRequest) -> Limits:
        """Return the limits of a method without a posterior."""
        counts = request.counts
        if request.method == EXACT:
            return ExactLimits(counts, self.ratio(counts.judge_all(0, 0), request.credited))
        return CLOSED_FORMS[request.method](counts)

    def estimate_with_credit(self, request: SampleRequest) -> float:
        """Return the estimate; documents that are added to the retrieved set count as retrieved."""
        if not request.credited:
            return float(self.estimate(request.counts))
        inside, outside = (
            estimate_yield(request.counts.segment(side)) if self.segment in (None, side) else 0.0
            for side in (True, False)
        )
        return float(self.ratio(request.counts, request.credited).values(inside, outside))

    def bounds(self, counts: Counts) -> tuple[float, float]:
        """Return the minimum and the maximum possible value."""
        return 0.0, float(counts.population.sum()) if self.name == "yield" else 1.0


def _count_judgeable(counts: Counts) -> float:
    """Return the number of retrieved documents that can be judged, estimated if need be."""
    return float(restrict_to_judged(counts.segment(True)).population.sum())


RECALL = Quantity(
    "recall",
    estimate_recall,
    JointPosterior.recall,
    lambda counts, credited: recall_ratio(credited),
)
PRECISION = Quantity(
    "precision",
    estimate_precision,
    JointPosterior.precision,
    lambda counts, credited: precision_ratio(_count_judgeable(counts), credited),
    segment=True,
)
F1 = Quantity(
    "F1",
    estimate_f1,
    JointPosterior.f1,
    lambda counts, credited: f1_ratio(_count_judgeable(counts), credited),
)
YIELD = Quantity(
    "yield", estimate_yield, JointPosterior.total, lambda counts, credited: total_ratio()
)
PREVALENCE = Quantity(
    "prevalence",
    estimate_prevalence,
    JointPosterior.prevalence,
    lambda counts, credited: total_ratio(float(counts.population.sum())),
)
ELUSION = Quantity(
    "elusion",
    estimate_elusion,
    JointPosterior.elusion,
    lambda counts, credited: elusion_ratio(float(counts.segment(False).population.sum()), credited),
    segment=False,
)
#: by the names of the option
QUANTITIES = {
    "recall": RECALL,
    "precision": PRECISION,
    "F": F1,
    "yield": YIELD,
    "prevalence": PREVALENCE,
    "elusion": ELUSION,
}


def list_provided(method: str) -> list[str]:
    """Return the quantities that a method provides."""
    return list(QUANTITIES) if method in GENERAL else ["recall"]
