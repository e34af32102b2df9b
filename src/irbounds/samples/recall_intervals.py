"""``recall_interval`` and its relatives: from the counts of a sample to an estimate."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, TypedDict, Unpack

from ..errors import ParameterError, quote
from ..resampling.seeds import SeedLike
from ..results import RecallEstimate, Results, Stratum
from ..validation import Alternative, as_float, check_choice
from .priors import parse_prior
from .quantities import (
    ELUSION,
    METHODS,
    PRECISION,
    PREVALENCE,
    RECALL,
    YIELD,
    Quantity,
    capped_at_one,
    estimate,
    estimate_or_refusal,
    f_quantity,
)
from .request import checked_inquiry

LEAST_BETA = 1e-6
QUANTITIES = ("recall", "precision", "F", "yield", "prevalence", "elusion")
#: the nine of Webber's Table IV: method and prior
ALL_METHODS: tuple[tuple[str, str | None], ...] = (
    ("naive-binomial", None),
    ("normal", None),
    ("laplace", None),
    ("agresti-coull", None),
    ("koopman", None),
    ("beta-jeffreys", None),
    ("beta-binomial", "uniform"),
    ("beta-binomial", "most-conservative"),
    ("beta-binomial", "0.5"),
)


class SampleOptions(TypedDict, total=False):
    """How an interval is made; as for ``recall_interval``."""

    method: str
    prior: Any
    confidence_level: float
    alternative: Alternative
    finite: bool | None
    n_draws: int
    rng: SeedLike


def recall_interval(
    strata: Iterable[Stratum] | None = None,
    *,
    retrieved: Any = None,
    unretrieved: Any = None,
    method: str = "beta-binomial",
    prior: Any = None,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    cap_at_one: bool = False,
    n_draws: int = 10_000,
    rng: SeedLike = 0,
) -> RecallEstimate:
    """Return the recall of a retrieved set, from samples of the retrieved and the other documents.

    Parameters
    ----------
    strata
        Several ``Stratum``, each of the retrieved or of the unretrieved segment; or a ``Sample``.
    retrieved, unretrieved
        In place of strata, the two segments as (documents, sampled, relevant), with the number
        that could be assessed as a fourth where it is not all.
    method
        ``"beta-binomial"`` is valid for small and large samples and populations. Where there are
        many strata, their priors add up. Also ``"beta-jeffreys"``, ``"koopman"`` (without strata),
        ``"laplace"``, ``"agresti-coull"``, ``"normal"``, ``"normal-official"``,
        ``"naive-binomial"`` and ``"monte-carlo"``.
    prior
        Of the beta-binomial, on the prevalence of every stratum: 0.5, the default, for
        alpha = beta = 0.5; ``"uniform"``, ``"most-conservative"``, or alpha and beta.
    confidence_level
        A fraction between 0 and 1.
    alternative
        ``"two-sided"``; ``"greater"`` for a lower bound, ``"less"`` for an upper one.
    cap_at_one
        Raise the upper end to 1 where the unretrieved sample holds nothing relevant.
    n_draws, rng
        Of ``"monte-carlo"``, which draws from the posterior that ``"beta-binomial"`` computes: the
        number of draws, and a seed or generator. None draws a new seed, which the result names.

    Returns
    -------
    RecallEstimate
        ``value`` is the estimate, ``interval`` its interval.

    Examples
    --------
    >>> found = recall_interval(retrieved=(2000, 100, 50), unretrieved=(100_000, 100, 3))
    >>> round(found.value, 3), round(found.interval.low, 3), round(found.interval.high, 3)
    (0.25, 0.111, 0.542)
    >>> round(found.at(0.9, "greater").interval.low, 3)
    0.143
    """
    inquiry = checked_inquiry(
        strata,
        retrieved,
        unretrieved,
        method=method,
        prior=prior,
        confidence_level=confidence_level,
        alternative=alternative,
        n_draws=n_draws,
        rng=rng,
    )
    found = estimate(RECALL, inquiry)
    return capped_at_one(found) if cap_at_one else found


def precision_interval(
    strata: Iterable[Stratum] | None = None,
    *,
    retrieved: Any = None,
    unretrieved: Any = None,
    **options: Unpack[SampleOptions],
) -> RecallEstimate:
    """Return precision: the fraction of the retrieved documents that are relevant.

    Documents that could not be judged are not counted. The methods are ``"beta-binomial"``,
    ``"beta-jeffreys"``, ``"normal-official"`` and, without strata, ``"wilson"``, ``"jeffreys"``,
    ``"clopper-pearson"`` and ``"wald"``.

    Parameters
    ----------
    strata, retrieved, unretrieved
        As for ``recall_interval``.
    **options
        ``method``, ``prior``, ``confidence_level``, ``alternative``, ``n_draws`` and ``rng``, as
        for ``recall_interval``; and ``finite=False`` to ignore the size of the segment.

    Returns
    -------
    RecallEstimate
        ``value`` is the estimate, ``interval`` its interval.

    Examples
    --------
    >>> counts = {"retrieved": (2000, 100, 50), "unretrieved": (100_000, 100, 3)}
    >>> found = precision_interval(**counts, method="wilson")
    >>> round(found.value, 2), round(found.interval.low, 2), round(found.interval.high, 2)
    (0.5, 0.41, 0.59)
    """
    return estimate(PRECISION, checked_inquiry(strata, retrieved, unretrieved, **options))


def f_interval(
    strata: Iterable[Stratum] | None = None,
    *,
    retrieved: Any = None,
    unretrieved: Any = None,
    beta: float = 1.0,
    **options: Unpack[SampleOptions],
) -> RecallEstimate:
    """Return F, which combines recall and precision.

    The posterior methods take recall and precision jointly; ``"normal-official"``, for F1 only,
    takes them as independent.

    Parameters
    ----------
    strata, retrieved, unretrieved
        As for ``recall_interval``.
    beta
        The weight of recall relative to precision.
    **options
        ``method``, ``prior``, ``confidence_level``, ``alternative``, ``n_draws`` and ``rng``, as
        for ``recall_interval``.

    Returns
    -------
    RecallEstimate
        ``value`` is the estimate, ``interval`` its interval.

    Examples
    --------
    >>> counts = {"retrieved": (2000, 100, 50), "unretrieved": (100_000, 100, 3)}
    >>> found = f_interval(**counts)
    >>> found.quantity, round(found.value, 3)
    ('F1', 0.333)
    """
    quantity = f_quantity(checked_beta(beta))
    return estimate(quantity, checked_inquiry(strata, retrieved, unretrieved, **options))


def yield_interval(
    strata: Iterable[Stratum] | None = None,
    *,
    retrieved: Any = None,
    unretrieved: Any = None,
    **options: Unpack[SampleOptions],
) -> RecallEstimate:
    """Return the number of relevant documents in the corpus.

    Parameters
    ----------
    strata, retrieved, unretrieved
        As for ``recall_interval``.
    **options
        ``method``, ``prior``, ``confidence_level``, ``alternative``, ``n_draws`` and ``rng``, as
        for ``recall_interval``.

    Returns
    -------
    RecallEstimate
        ``value`` is the estimate, ``interval`` its interval.

    Examples
    --------
    >>> counts = {"retrieved": (2000, 100, 50), "unretrieved": (100_000, 100, 3)}
    >>> round(yield_interval(**counts).value)
    4000
    """
    return estimate(YIELD, checked_inquiry(strata, retrieved, unretrieved, **options))


def prevalence_interval(
    strata: Iterable[Stratum] | None = None,
    *,
    retrieved: Any = None,
    unretrieved: Any = None,
    **options: Unpack[SampleOptions],
) -> RecallEstimate:
    """Return prevalence: the fraction of the corpus that is relevant.

    Parameters
    ----------
    strata, retrieved, unretrieved
        As for ``recall_interval``.
    **options
        ``method``, ``prior``, ``confidence_level``, ``alternative``, ``n_draws`` and ``rng``, as
        for ``recall_interval``.

    Returns
    -------
    RecallEstimate
        ``value`` is the estimate, ``interval`` its interval.

    Examples
    --------
    >>> counts = {"retrieved": (2000, 100, 50), "unretrieved": (100_000, 100, 3)}
    >>> round(prevalence_interval(**counts).value, 4)
    0.0392
    """
    return estimate(PREVALENCE, checked_inquiry(strata, retrieved, unretrieved, **options))


def elusion_interval(
    strata: Iterable[Stratum] | None = None,
    *,
    retrieved: Any = None,
    unretrieved: Any = None,
    **options: Unpack[SampleOptions],
) -> RecallEstimate:
    """Return elusion: the fraction of the unretrieved documents that are relevant.

    The methods are those of ``precision_interval``, except ``"normal-official"``.

    Parameters
    ----------
    strata, retrieved, unretrieved
        As for ``recall_interval``.
    **options
        ``method``, ``prior``, ``confidence_level``, ``alternative``, ``n_draws`` and ``rng``, as
        for ``recall_interval``.

    Returns
    -------
    RecallEstimate
        ``value`` is the estimate, ``interval`` its interval.

    Examples
    --------
    >>> counts = {"retrieved": (2000, 100, 50), "unretrieved": (100_000, 100, 3)}
    >>> round(elusion_interval(**counts).value, 3)
    0.03
    """
    return estimate(ELUSION, checked_inquiry(strata, retrieved, unretrieved, **options))


def sample_estimates(
    strata: Iterable[Stratum] | None = None,
    *,
    retrieved: Any = None,
    unretrieved: Any = None,
    quantities: Iterable[str] = QUANTITIES,
    beta: float = 1.0,
    cap_at_one: bool = False,
    **options: Unpack[SampleOptions],
) -> Results[RecallEstimate]:
    """Return several quantities of one sample, from one posterior.

    Quantities that the method does not provide are left out; it is an error if it provides none.

    Parameters
    ----------
    strata, retrieved, unretrieved
        As for ``recall_interval``.
    quantities
        Among ``"recall"``, ``"precision"``, ``"F"``, ``"yield"``, ``"prevalence"`` and
        ``"elusion"``.
    beta
        The weight of recall in F, relative to precision.
    cap_at_one
        As for ``recall_interval``.
    **options
        ``method``, ``prior``, ``confidence_level``, ``alternative``, ``n_draws`` and ``rng``, as
        for ``recall_interval``.

    Returns
    -------
    Results of RecallEstimate
        One per quantity.

    Examples
    --------
    >>> counts = {"retrieved": (2000, 100, 50), "unretrieved": (100_000, 100, 3)}
    >>> found = sample_estimates(**counts, quantities=["recall", "precision"])
    >>> [(one.quantity, round(one.value, 2)) for one in found]
    [('recall', 0.25), ('precision', 0.5)]
    """
    chosen = [_quantity(name, beta) for name in quantities]
    inquiry = checked_inquiry(strata, retrieved, unretrieved, **options)
    found = [estimate(one, inquiry) for one in _provided(chosen, inquiry.method)]
    if cap_at_one:
        found = [capped_at_one(one) if one.quantity == "recall" else one for one in found]
    return Results(found)


def all_recall_intervals(
    strata: Iterable[Stratum] | None = None,
    *,
    retrieved: Any = None,
    unretrieved: Any = None,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    cap_at_one: bool = False,
) -> Results[RecallEstimate]:
    """Return the intervals of recall by the nine methods of Webber's (2013) Table IV.

    A method that refuses the sample has an interval of NaN, and a warning says why.

    Parameters
    ----------
    strata, retrieved, unretrieved, confidence_level, alternative, cap_at_one
        As for ``recall_interval``.

    Returns
    -------
    Results of RecallEstimate
        One per method and prior, the recommended one last.

    Examples
    --------
    >>> counts = {"retrieved": (2000, 100, 50), "unretrieved": (100_000, 100, 3)}
    >>> found = all_recall_intervals(**counts)
    >>> len(found), found[-1].interval.method, round(found[-1].interval.low, 3)
    (9, 'beta-binomial', 0.111)
    """
    inquiry = checked_inquiry(
        strata, retrieved, unretrieved, confidence_level=confidence_level, alternative=alternative
    )
    found = [
        estimate_or_refusal(RECALL, replace(inquiry, method=method, prior=parse_prior(prior)))
        for method, prior in ALL_METHODS
    ]
    return Results(capped_at_one(one) if cap_at_one else one for one in found)


def check_quantities(names: Iterable[str], beta: float, method: str) -> None:
    """Raise ``ParameterError`` where a method does not provide all of the quantities."""
    chosen = [_quantity(name, beta) for name in names]
    provided = _provided(chosen, method)
    missing = [one.name for one in chosen if one not in provided]
    if missing:
        raise ParameterError(
            f"method={method!r} provides {', '.join(one.name for one in provided)}, not "
            f"{', '.join(missing)}; use method='beta-binomial' for all quantities"
        )


def _provided(quantities: Sequence[Quantity], method: str) -> list[Quantity]:
    """Return the quantities that a method provides; none at all is an error."""
    check_choice("method", method, METHODS)
    provided = [one for one in quantities if method in one.methods]
    if not provided:
        names = ", ".join(one.name for one in quantities)
        raise ParameterError(f"method={method!r} provides none of: {names}")
    return provided


def _quantity(name: str, beta: float) -> Quantity:
    if name == "F":
        return f_quantity(checked_beta(beta))
    known = {one.name: one for one in (RECALL, PRECISION, YIELD, PREVALENCE, ELUSION)}
    check_choice("quantity", name, QUANTITIES)
    return known[name]


def checked_beta(beta: Any) -> float:
    """Return the weight of recall in F."""
    number = as_float(beta)
    if number is None or not LEAST_BETA <= number <= 1 / LEAST_BETA:
        raise ParameterError(
            f"beta must be a number from {LEAST_BETA:g} to {1 / LEAST_BETA:g}; got {quote(beta)}"
        )
    return number
