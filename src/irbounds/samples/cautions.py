"""A word where a sample is odd: no silence about nothing, certainty, conditions and priors."""

from __future__ import annotations

import math
import warnings

from ..errors import DataError, DegenerateSampleWarning
from ..results import RecallEstimate, Stratum
from .inquiry import Inquiry
from .posterior import QuantityPosterior
from .prior_pull import prior_pull
from .priors import parse_prior
from .quantities import RECALL, Quantity

STRONG = 0.8  # a pull of priors that is worth a word
DOUBTFUL = 0.01  # a probability of no relevant document at all that is worth a word


def refuse_unsampled(quantity: Quantity, inquiry: Inquiry) -> None:
    """A method without a prior has nothing to say of a stratum without a sample."""
    for one in unsampled(quantity, inquiry):
        raise DataError(
            f"stratum {one.name!r}: none of its {one.population:,} documents was sampled; method "
            f"{inquiry.method!r} has nothing to go by, beta-binomial has its prior"
        )


def caution_of_priors(quantity: Quantity, inquiry: Inquiry) -> None:
    """Where the prior has much to say: strata without a sample, and many empty samples."""
    for one in unsampled(quantity, inquiry):
        warn(
            f"stratum {one.name!r}: none of its {one.population:,} documents was sampled; what is "
            "said of it is the prior's word alone"
        )
    _caution_of_pull(quantity, inquiry)


def unsampled(quantity: Quantity, sample: Inquiry | RecallEstimate) -> list[Stratum]:
    """Strata that matter to a quantity and have no sample."""
    return [
        one
        for one in sample.strata
        if quantity.concerns(one) and one.population and not one.sampled
    ]


def caution_of_interval(quantity: Quantity, found: RecallEstimate) -> None:
    """Nothing, certainty, a condition, a prior that outweighs the samples: none without a word."""
    interval, posterior = found.interval, found.posterior
    what = f"{found.quantity}, {interval.method}"
    if math.isnan(interval.low):
        warn(f"{what}: no interval, since {_reason(quantity, found)}")
    elif posterior is None and interval.low == interval.high and not _is_known(quantity, found):
        warn(f"{what}: the interval is a single point, which claims a certainty nobody has")
    elif isinstance(posterior, QuantityPosterior) and posterior.undefined > DOUBTFUL:
        warn(
            f"{what}: with probability {posterior.undefined:.2g} there is no relevant document at "
            "all, and then no recall; the interval is for the case that there is one"
        )
    elif math.isnan(found.value) and not unsampled(quantity, found):
        warn(f"{what}: no point estimate, since {_reason(quantity, found)}")


def _caution_of_pull(quantity: Quantity, inquiry: Inquiry) -> None:
    """Many strata without a relevant document, whose priors add up."""
    prior = parse_prior(None) if inquiry.method == "beta-jeffreys" else inquiry.prior
    for retrieved, word in ((True, "retrieved"), (False, "unretrieved")):
        if quantity.segment in (None, retrieved):
            pull = prior_pull(inquiry.counts.segment(retrieved), prior)
            if pull > STRONG:
                warn(
                    f"{quantity.name}: the priors of {word} strata whose samples hold nothing "
                    f"relevant add up to {pull:.1f} standard deviations; if these strata are empty "
                    "indeed, the interval misses more often than it says"
                )


def _reason(quantity: Quantity, found: RecallEstimate) -> str:
    """Why there is no interval."""
    inside = [one for one in found.strata if one.retrieved]
    outside = [one for one in found.strata if not one.retrieved]
    if quantity.segment is not False and found.quantity != "recall":
        if not any(one.population for one in inside):
            return "nothing was retrieved"
        if not any(one.assessable is None or one.assessable for one in inside):
            return "no retrieved document could be judged"
    if quantity.segment is False and not any(one.population for one in outside):
        return "everything was retrieved"
    return "the samples hold nothing relevant to go by"


def _is_known(quantity: Quantity, found: RecallEstimate) -> bool:
    """Whether every document that matters was assessed, or one segment settles recall."""
    if quantity is RECALL:
        for side in (True, False):
            segment = [one for one in found.strata if one.retrieved is side]
            if all(one.sampled == one.population and not one.relevant for one in segment):
                return True
    return all(one.sampled == one.population for one in found.strata if quantity.concerns(one))


def warn(text: str) -> None:
    """A warning that points to who called the verb."""
    warnings.warn(text, DegenerateSampleWarning, stacklevel=5)
