"""The public functions: intervals of recall, precision, F, yield, prevalence and elusion."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, TypedDict, Unpack

from ..errors import ParameterError, quote
from ..resampling.seeds import SeedLike
from ..results import RecallEstimate, Results, Stratum
from ..validation import Alternative, as_float, check_choice
from .claims import judge_claim, side_of_limit
from .design_coverage import add_coverage
from .priors import parse_prior
from .quantities import (
    ELUSION,
    METHODS,
    PRECISION,
    PREVALENCE,
    RECALL,
    YIELD,
    Quantity,
    estimate,
    estimate_or_warn,
    f_quantity,
    raise_upper_end,
)
from .request import make_request

MIN_BETA = 1e-6
QUANTITIES = ("recall", "precision", "F", "yield", "prevalence", "elusion")
#: the nine methods of Webber's Table IV, with their priors
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
    """The options of an interval, as for ``recall_interval``."""

    method: str
    prior: Any
    confidence_level: float
    alternative: Alternative
    finite: bool | None
    n_draws: int
    rng: SeedLike
    credit_found: bool


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
    credit_found: bool = False,
) -> RecallEstimate:
    """Return the recall of a retrieved set, from samples of the retrieved and the other documents.

    Parameters
    ----------
    strata
        Several ``Stratum``, each of the retrieved or of the unretrieved segment; or a ``Sample``.
    retrieved, unretrieved
        Instead of strata, the two segments as (documents, sampled, relevant), with the number of
        documents that could be assessed as a fourth number if it is less than sampled.
    method
        ``"beta-binomial"`` describes: on average over corpora, its intervals have their level.
        ``"exact"`` guarantees: its limits have at least their level, whatever the corpus is like;
        use it for claims. Also ``"beta-jeffreys"``, ``"koopman"`` (without strata),
        ``"laplace"``, ``"agresti-coull"``, ``"normal"``, ``"normal-official"``,
        ``"naive-binomial"`` and ``"monte-carlo"``.
    prior
        The prior of the beta-binomial on the prevalence of every stratum: 0.5, the default, for
        alpha = beta = 0.5; ``"uniform"``, ``"most-conservative"``, or alpha and beta.
    confidence_level
        A fraction between 0 and 1.
    alternative
        ``"two-sided"``; ``"greater"`` for a lower bound, ``"less"`` for an upper one.
    cap_at_one
        Raise the upper end to 1 where the unretrieved sample contains no relevant document.
    n_draws, rng
        For ``"monte-carlo"``, which draws from the posterior that ``"beta-binomial"`` computes: the
        number of draws, and a seed or generator. None draws a new seed, which the result records.
    credit_found
        Add the relevant documents of the unretrieved samples to the retrieved set: recall is that
        of the final set. For ``"beta-binomial"``, ``"beta-jeffreys"`` and ``"exact"``.

    Returns
    -------
    RecallEstimate
        ``value`` is the estimate, ``interval`` its interval.

    Examples
    --------
    >>> result = recall_interval(retrieved=(2000, 100, 50), unretrieved=(100_000, 100, 3))
    >>> round(result.value, 3), round(result.interval.low, 3), round(result.interval.high, 3)
    (0.25, 0.111, 0.542)
    >>> round(result.at(0.9, "greater").interval.low, 3)
    0.143
    """
    request = make_request(
        strata,
        retrieved,
        unretrieved,
        method=method,
        prior=prior,
        confidence_level=confidence_level,
        alternative=alternative,
        n_draws=n_draws,
        rng=rng,
        credit_found=credit_found,
    )
    result = estimate(RECALL, request)
    return raise_upper_end(result) if cap_at_one else result


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
        ``method``, ``prior``, ``confidence_level``, ``alternative``, ``n_draws``, ``rng`` and
        ``credit_found``, as for ``recall_interval``; and ``finite=False`` to ignore the size of
        the segment.

    Returns
    -------
    RecallEstimate
        ``value`` is the estimate, ``interval`` its interval.

    Examples
    --------
    >>> counts = {"retrieved": (2000, 100, 50), "unretrieved": (100_000, 100, 3)}
    >>> result = precision_interval(**counts, method="wilson")
    >>> round(result.value, 2), round(result.interval.low, 2), round(result.interval.high, 2)
    (0.5, 0.41, 0.59)
    """
    return estimate(PRECISION, make_request(strata, retrieved, unretrieved, **options))


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
        ``method``, ``prior``, ``confidence_level``, ``alternative``, ``n_draws``, ``rng`` and
        ``credit_found``, as for ``recall_interval``.

    Returns
    -------
    RecallEstimate
        ``value`` is the estimate, ``interval`` its interval.

    Examples
    --------
    >>> counts = {"retrieved": (2000, 100, 50), "unretrieved": (100_000, 100, 3)}
    >>> result = f_interval(**counts)
    >>> result.quantity, round(result.value, 3)
    ('F1', 0.333)
    """
    quantity = f_quantity(check_beta(beta))
    return estimate(quantity, make_request(strata, retrieved, unretrieved, **options))


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
        ``method``, ``prior``, ``confidence_level``, ``alternative``, ``n_draws``, ``rng`` and
        ``credit_found``, as for ``recall_interval``.

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
    return estimate(YIELD, make_request(strata, retrieved, unretrieved, **options))


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
        ``method``, ``prior``, ``confidence_level``, ``alternative``, ``n_draws``, ``rng`` and
        ``credit_found``, as for ``recall_interval``.

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
    return estimate(PREVALENCE, make_request(strata, retrieved, unretrieved, **options))


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
        ``method``, ``prior``, ``confidence_level``, ``alternative``, ``n_draws``, ``rng`` and
        ``credit_found``, as for ``recall_interval``.

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
    return estimate(ELUSION, make_request(strata, retrieved, unretrieved, **options))


def sample_estimates(
    strata: Iterable[Stratum] | None = None,
    *,
    retrieved: Any = None,
    unretrieved: Any = None,
    quantities: Iterable[str] = QUANTITIES,
    beta: float = 1.0,
    cap_at_one: bool = False,
    at_least: float | None = None,
    coverage: bool = False,
    **options: Unpack[SampleOptions],
) -> Results[RecallEstimate]:
    """Return several quantities of one sample, from one posterior.

    Quantities that the method does not provide are left out; it is an error if it provides none.
    One-sided limits are those of one claim: with ``"greater"``, lower limits of recall, precision
    and F, and upper limits of elusion, prevalence and yield.

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
    at_least
        A claim about recall, which the result judges: ``is_shown``, ``sample_needed``.
    coverage
        Compute the coverage of posterior intervals if the yields are as estimated, and for limits
        also the lowest coverage of the yields that are tried. It takes 0.02 to 2 s.
    **options
        ``method``, ``prior``, ``confidence_level``, ``alternative``, ``n_draws``, ``rng`` and
        ``credit_found``, as for ``recall_interval``.

    Returns
    -------
    Results of RecallEstimate
        One per quantity.

    Examples
    --------
    >>> counts = {"retrieved": (2000, 100, 50), "unretrieved": (100_000, 100, 3)}
    >>> result = sample_estimates(**counts, quantities=["recall", "precision"])
    >>> [(row.quantity, round(row.value, 2)) for row in result]
    [('recall', 0.25), ('precision', 0.5)]
    """
    selected = [_find_quantity(name, beta) for name in quantities]
    request = make_request(strata, retrieved, unretrieved, **options)
    provided = _select_provided(selected, request.method)
    names = [quantity.name for quantity in provided]
    results = []
    for quantity in provided:
        result = estimate(quantity, request)
        side = side_of_limit(quantity.name, request.alternative, names)
        if side != request.alternative:
            result = result.at(request.confidence_level, side)
        if quantity is RECALL and cap_at_one:
            result = raise_upper_end(result)
        if quantity is RECALL and at_least is not None:
            result = judge_claim(request, result, at_least)
        results.append(add_coverage(quantity, request, result) if coverage else result)
    return Results(results)


def all_recall_intervals(
    strata: Iterable[Stratum] | None = None,
    *,
    retrieved: Any = None,
    unretrieved: Any = None,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    cap_at_one: bool = False,
    coverage: bool = False,
) -> Results[RecallEstimate]:
    """Return the intervals of recall by the nine methods of Webber's (2013) Table IV.

    A method that rejects the sample has an interval of NaN, and a warning gives the reason.

    Parameters
    ----------
    strata, retrieved, unretrieved, confidence_level, alternative, cap_at_one
        As for ``recall_interval``.
    coverage
        Compute the coverage of the last one, as for ``sample_estimates``.

    Returns
    -------
    Results of RecallEstimate
        One per method and prior, the recommended one last.

    Examples
    --------
    >>> counts = {"retrieved": (2000, 100, 50), "unretrieved": (100_000, 100, 3)}
    >>> result = all_recall_intervals(**counts)
    >>> len(result), result[-1].interval.method, round(result[-1].interval.low, 3)
    (9, 'beta-binomial', 0.111)
    """
    request = make_request(
        strata, retrieved, unretrieved, confidence_level=confidence_level, alternative=alternative
    )
    results = [
        estimate_or_warn(RECALL, replace(request, method=method, prior=parse_prior(prior)))
        for method, prior in ALL_METHODS
    ]
    if cap_at_one:
        results = [raise_upper_end(result) for result in results]
    if coverage:
        results[-1] = add_coverage(RECALL, request, results[-1])
    return Results(results)


def check_quantities(names: Iterable[str], beta: float, method: str) -> None:
    """Raise ``ParameterError`` unless a method provides all of the quantities."""
    selected = [_find_quantity(name, beta) for name in names]
    provided = _select_provided(selected, method)
    missing = [quantity.name for quantity in selected if quantity not in provided]
    if missing:
        raise ParameterError(
            f"method={method!r} provides {', '.join(quantity.name for quantity in provided)}, not "
            f"{', '.join(missing)}; use method='beta-binomial' for all quantities"
        )


def _select_provided(quantities: Sequence[Quantity], method: str) -> list[Quantity]:
    """Return the quantities that a method provides; raise ``ParameterError`` if there are none."""
    check_choice("method", method, METHODS)
    provided = [quantity for quantity in quantities if method in quantity.methods]
    if not provided:
        names = ", ".join(quantity.name for quantity in quantities)
        raise ParameterError(f"method={method!r} provides none of: {names}")
    return provided


def _find_quantity(name: str, beta: float) -> Quantity:
    if name == "F":
        return f_quantity(check_beta(beta))
    check_choice("quantity", name, QUANTITIES)
    by_name = {
        quantity.name: quantity for quantity in (RECALL, PRECISION, YIELD, PREVALENCE, ELUSION)
    }
    return by_name[name]


def check_beta(beta: Any) -> float:
    """Return the weight of recall in F; raise ``ParameterError`` if it is not valid."""
    number = as_float(beta)
    if number is None or not MIN_BETA <= number <= 1 / MIN_BETA:
        raise ParameterError(
            f"beta must be a number from {MIN_BETA:g} to {1 / MIN_BETA:g}; got {quote(beta)}"
        )
    return number
