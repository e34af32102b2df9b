"""The request of a function of ``samples``: counts and options, validated once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..errors import ParameterError, quote
from ..presentation.phrases import join_names
from ..resampling.seeds import SeedLike
from ..results import InputFile, Sample, Stratum
from ..validation import Alternative, check_alternative, check_confidence_level, check_count
from .counts import Counts, check_strata, make_counts, segment_strata
from .posterior import JointPosterior, beta_binomial_posterior, beta_jeffreys_posterior
from .priors import Prior, parse_prior

METHODS_WITH_PRIOR = ("beta-binomial", "monte-carlo")
METHODS_WITH_CREDIT = ("beta-binomial", "beta-jeffreys", "exact")
MIN_DRAWS = 100  # with fewer draws, a 2.5 % quantile means little


@dataclass(frozen=True, eq=False)
class SampleRequest:
    """Validated counts, and the options of the interval."""

    strata: tuple[Stratum, ...]
    #: the system, the topic and the files of the sample, where they are known
    system: str | None
    topic: str | None
    inputs: tuple[InputFile, ...]
    method: str
    prior: Prior
    confidence_level: float
    alternative: Alternative
    finite: bool | None
    n_draws: int
    rng: SeedLike
    #: whether the relevant documents of the unretrieved samples are added to the retrieved set
    credit_found: bool = False
    #: whether the samples are one random sample of the whole corpus, split by the cut
    is_control_set: bool = False
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

    @cached_property
    def posterior(self) -> JointPosterior:
        """The joint posterior, from which all quantities follow."""
        if self.method == "beta-jeffreys":
            posterior = beta_jeffreys_posterior(self.counts)
        else:
            posterior = beta_binomial_posterior(self.counts, self.prior)
        return posterior.credit(self.credited) if self.credited else posterior


def make_request(
    strata: Any,
    retrieved: Any,
    unretrieved: Any,
    *,
    method: str = "beta-binomial",
    prior: Any = None,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    finite: bool | None = None,
    n_draws: int = 10_000,
    rng: SeedLike = 0,
    credit_found: bool = False,
) -> SampleRequest:
    """Return a validated request; raise an error that names the invalid parameter or stratum."""
    level = check_confidence_level(confidence_level)
    source = strata if isinstance(strata, Sample) else Sample(())
    return SampleRequest(
        _check_counts(strata, retrieved, unretrieved),
        source.system,
        source.topic,
        source.inputs,
        method,
        check_prior(method, prior),
        level,
        check_alternative(alternative),
        finite,
        check_draws(n_draws),
        rng,
        check_credit(method, credit_found),
        source.is_control_set,
    )


def check_prior(method: Any, prior: Any) -> Prior:
    """Return the prior; raise an error if one is given to a method without priors."""
    if prior is not None and not (isinstance(method, str) and method in METHODS_WITH_PRIOR):
        raise ParameterError(
            f"prior is for {' and '.join(METHODS_WITH_PRIOR)}; the method is {quote(method)}"
        )
    return parse_prior(prior)


def check_credit(method: Any, credit_found: bool) -> bool:
    """Return ``credit_found``; raise an error if a method cannot take it into account."""
    if credit_found and method not in METHODS_WITH_CREDIT:
        raise ParameterError(
            f"credit_found is for {join_names(METHODS_WITH_CREDIT)}; the method is {quote(method)}"
        )
    return credit_found


def check_draws(n_draws: Any) -> int:
    """Return the number of draws; raise an error if it is too small for quantiles."""
    return check_count("n_draws", n_draws, minimum=MIN_DRAWS)


def _check_counts(strata: Any, retrieved: Any, unretrieved: Any) -> tuple[Stratum, ...]:
    """Return validated strata, given as strata or as two segments."""
    n_segments = (retrieved is not None) + (unretrieved is not None)
    if n_segments != (2 if strata is None else 0):
        raise ParameterError("needs strata, or retrieved and unretrieved")
    if strata is None:
        strata = segment_strata(retrieved, unretrieved)
    return check_strata(strata)
