"""What can be asked about a retrieved set, and by which methods each is answered.

Recall has Webber's methods. Precision and elusion are shares of one segment: where it is not
stratified, the intervals of a proportion apply. The posterior answers everything, and jointly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ..errors import DataError
from ..results import Stratum
from ..results.interval import Limits
from .agresti_coull import agresti_coull
from .counts import Counts, judged_part
from .koopman import koopman
from .laplace import laplace
from .naive_binomial import naive_binomial
from .normal import normal
from .normal_official import (
    NormalOfficial,
    normal_official,
    official_f1,
    official_precision,
    official_yield,
)
from .point import (
    elusion_estimate,
    f_estimate,
    precision_estimate,
    prevalence_estimate,
    recall_estimate,
    yield_estimate,
)
from .posterior import JointPosterior, QuantityPosterior
from .proportions import PROPORTION_METHODS

Floats = NDArray[np.float64]
Fit = Callable[[Counts], Limits]


@dataclass(frozen=True)
class Quantity:
    """Something to estimate, with its methods besides those that have a posterior."""

    name: str
    estimate: Callable[[Counts], Floats]
    posterior: Callable[[JointPosterior], QuantityPosterior]
    #: methods that need nothing but the counts
    closed: Mapping[str, Fit]
    #: the segment that it is a share of, retrieved or not; None if of neither
    segment: bool | None = None
    #: whether the paper's draws are offered for comparison
    is_drawn: bool = False
    #: whether it is a number of documents; else it lies between 0 and 1
    is_number: bool = False

    @property
    def methods(self) -> tuple[str, ...]:
        """All methods by name."""
        of_share = PROPORTION_METHODS if self.segment is not None else ()
        drawn = ("monte-carlo",) if self.is_drawn else ()
        return (*self.closed, *of_share, "beta-jeffreys", "beta-binomial", *drawn)

    def concerns(self, stratum: Stratum) -> bool:
        """Whether a stratum matters to it."""
        return self.segment is None or stratum.retrieved is self.segment

    def has_posterior(self, method: str) -> bool:
        """Whether a method is one of those that have a posterior."""
        return method not in self.closed and method not in PROPORTION_METHODS

    def limits(self, method: str, counts: Counts, finite: bool | None) -> Limits:
        """The limits of a method without a posterior."""
        if method in self.closed:
            return self.closed[method](counts)
        assert self.segment is not None
        return _share_limits(method, counts.segment(self.segment), finite)

    def bounds(self, counts: Counts) -> tuple[float, float]:
        """The lowest and the highest value that is possible."""
        return 0.0, float(counts.population.sum()) if self.is_number else 1.0


def _share_limits(method: str, segment: Counts, finite: bool | None) -> Limits:
    """The interval of a proportion, in a segment that is one stratum.

    By default for a finite population; of Jeffreys' interval, that is the beta-binomial.
    """
    if len(segment.population) != 1:
        side = "retrieved" if segment.retrieved[0] else "unretrieved"
        raise DataError(
            f"method {method!r} is for one simple random sample; the {side} segment has "
            f"{len(segment.population)} strata: take beta-binomial"
        )
    if segment.retrieved[0]:  # precision is of what can be judged
        segment = judged_part(segment)
    if finite is None:
        finite = method != "jeffreys"
    fit = PROPORTION_METHODS[method]
    return fit(segment.population[0], segment.sampled[0], segment.relevant[0], finite=finite)


def _prevalence_of_yield(counts: Counts) -> Limits:
    found, size = official_yield(counts), counts.population.sum()
    return NormalOfficial(found.centre / size, found.standard_error / size)


RECALL = Quantity(
    "recall",
    recall_estimate,
    JointPosterior.recall,
    {
        "naive-binomial": naive_binomial,
        "normal": normal,
        "normal-official": normal_official,
        "laplace": laplace,
        "agresti-coull": agresti_coull,
        "koopman": koopman,
    },
    is_drawn=True,
)
PRECISION = Quantity(
    "precision",
    precision_estimate,
    JointPosterior.precision,
    {"normal-official": official_precision},
    segment=True,
)
ELUSION = Quantity(
    "elusion",
    elusion_estimate,
    JointPosterior.elusion,
    {},
    segment=False,
)
YIELD = Quantity(
    "yield",
    yield_estimate,
    JointPosterior.total,
    {"normal-official": official_yield},
    is_number=True,
)
PREVALENCE = Quantity(
    "prevalence",
    prevalence_estimate,
    JointPosterior.prevalence,
    {"normal-official": _prevalence_of_yield},
)


#: every method of any quantity
METHODS = (*RECALL.methods, *PROPORTION_METHODS)


def f_quantity(beta: float) -> Quantity:
    """F with this weight of recall; the track's own interval is of F1 alone."""
    return Quantity(
        f"F{beta:g}",
        partial(f_estimate, beta=beta),
        lambda joint: joint.f(beta),
        {"normal-official": official_f1} if beta == 1 else {},
        is_drawn=True,
    )
