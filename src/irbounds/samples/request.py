"""What a verb was asked: counts and how to make an interval of them, checked once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..errors import ParameterError, quote
from ..resampling.seeds import SeedLike
from ..results import InputFile, Sample, Stratum
from ..validation import Alternative, check_alternative, check_confidence_level, check_count
from .counts import Counts, checked_strata, counts_of, segment_strata
from .posterior import JointPosterior, beta_binomial, beta_jeffreys
from .priors import Prior, parse_prior

WITH_PRIOR = ("beta-binomial", "monte-carlo")
LEAST_DRAWS = 100  # fewer have no 2.5 % quantile to speak of


@dataclass(frozen=True, eq=False)
class Inquiry:
    """Checked counts, and how an interval is to be made of them."""

    strata: tuple[Stratum, ...]
    #: whose retrieved set it is, on what, and from which files, as far as a sample says
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

    @cached_property
    def counts(self) -> Counts:
        """The strata as arrays."""
        return counts_of(self.strata)

    @cached_property
    def joint(self) -> JointPosterior:
        """One posterior for all quantities."""
        if self.method == "beta-jeffreys":
            return beta_jeffreys(self.counts)
        return beta_binomial(self.counts, self.prior)


def checked_inquiry(
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
) -> Inquiry:
    """What the verbs are given, or an error that names the parameter or the stratum."""
    level = check_confidence_level(confidence_level)
    source = strata if isinstance(strata, Sample) else Sample(())
    return Inquiry(
        _strata(strata, retrieved, unretrieved),
        source.system,
        source.topic,
        source.inputs,
        method,
        checked_prior(method, prior),
        level,
        check_alternative(alternative),
        finite,
        checked_draws(n_draws),
        rng,
    )


def checked_prior(method: Any, prior: Any) -> Prior:
    """Return the prior of a method; it is an error to give one to a method without priors."""
    if prior is not None and not (isinstance(method, str) and method in WITH_PRIOR):
        raise ParameterError(
            f"prior is for {' and '.join(WITH_PRIOR)}; the method is {quote(method)}"
        )
    return parse_prior(prior)


def checked_draws(n_draws: Any) -> int:
    """Return a number of draws that is large enough for quantiles."""
    return check_count("n_draws", n_draws, minimum=LEAST_DRAWS)


def _strata(strata: Any, retrieved: Any, unretrieved: Any) -> tuple[Stratum, ...]:
    """Checked strata, given as such or as two segments."""
    n_segments = (retrieved is not None) + (unretrieved is not None)
    if n_segments != (2 if strata is None else 0):
        raise ParameterError("needs strata, or retrieved and unretrieved")
    if strata is None:
        strata = segment_strata(retrieved, unretrieved)
    return checked_strata(strata)
