"""Tipping points: what mistakes of the assessors would do to recall, and to a claim about it.

A relevant document in the unretrieved sample stands for as many documents as its stratum has per
sampled document. So a few mistakes there change recall more than the sampling error does: in the
TREC 2009 Legal Track, intervals from first assessments miss the recall after appeals in 18 of 24
runs. Where nothing was assessed again, the interval of recall is computed from changed counts: some
documents judged relevant in the unretrieved sample are not, or some judged not relevant are. The
fewest mistakes that change the verdict on a claim are found by bisection.

With several unretrieved strata, mistakes are assumed in the stratum of the largest weight first,
where each has the largest effect.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from ..errors import DataError, ParameterError
from ..results import RecallEstimate, Results, Stratum
from ..results.tipping_points import TippingPoint
from .priors import parse_prior
from .quantities import RECALL, SampleRequest
from .recall_intervals import estimate_silently
from .uncertain_strata import find_first

MAX_ROWS = 8  # per judgment
STEPS = (1, 2, 3, 5)  # times powers of 10: numbers of mistakes in the table
MAX_MISSED = 10  # mistakes among documents judged not relevant, but for those that change a verdict


def tipping_points(estimate: RecallEstimate) -> Results[TippingPoint]:
    """Return recall if judgments of the unretrieved sample are wrong, and when a claim falls.

    Parameters
    ----------
    estimate
        Recall, with or without a claim, from samples that were assessed once.

    Returns
    -------
    Results of TippingPoint
        One per number of wrong judgments: first none, then those judged relevant, then those judged
        not relevant, with the fewest that change the verdict.

    Examples
    --------
    >>> import irbounds
    >>> (recall,) = irbounds.recall(
    ...     retrieved=(5000, 500, 400), unretrieved=(95_000, 1500, 3), at_least=0.93
    ... )
    >>> points = tipping_points(recall)
    >>> [(point.n_wrong, round(point.interval.low, 3), point.is_shown) for point in points[:4]]
    [(0, 0.895, False), (1, 0.913, False), (2, 0.933, True), (3, 0.957, True)]
    """
    strata, at_least = estimate.strata, estimate.at_least
    _check(estimate)
    request = SampleRequest(
        strata,
        estimate.interval.method,
        parse_prior(estimate.prior),
        estimate.interval.confidence_level,
        estimate.interval.alternative,
        estimate.n_draws or 0,
        estimate.seed or 0,
        estimate.credit_found,
    )
    sampled = [part for part in strata if not part.retrieved and part.sampled]
    by_weight = sorted(sampled, key=lambda part: -part.population / part.sampled)

    @cache
    def find_point(judgment: str, n_wrong: int) -> TippingPoint:
        changed = replace(request, strata=_change(strata, by_weight, judgment, n_wrong))
        result = estimate_silently(RECALL, changed)
        return TippingPoint(
            judgment,
            n_wrong,
            sum(_count(part, judgment) for part in by_weight),
            result.value,
            result.interval,
            at_least,
            None if at_least is None else bool(result.interval.low >= at_least),
            result.prior,
        )

    as_judged = find_point("", 0)
    points = [as_judged]
    for judgment in ("relevant", "not relevant"):
        n = sum(_count(part, judgment) for part in by_weight)

        def is_changed(n_wrong: int, judgment: str = judgment) -> bool:
            return find_point(judgment, n_wrong).is_shown is not as_judged.is_shown

        change = find_first(1, n, is_changed) if n and is_changed(n) else None
        last = n if judgment == "relevant" else min(n, MAX_MISSED)
        points += [find_point(judgment, n_wrong) for n_wrong in _choose_numbers(last, change)]
    return Results(points)


def _check(estimate: RecallEstimate) -> None:
    """Raise an error for other quantities, and for samples that were assessed again or in part."""
    if estimate.quantity != "recall":
        raise ParameterError(f"tipping points are of recall; got {estimate.quantity}")
    strata = estimate.strata
    is_sampled = any(part.sampled for part in strata if not part.retrieved) and all(
        part.sampled or not part.population for part in strata
    )
    if not is_sampled or any(part.is_checked for part in strata):
        raise DataError(
            "tipping points need a sample of every stratum, and of unretrieved documents, of which "
            "nothing was assessed again"
        )
    if estimate.at_least is not None and any(
        part.judged < part.sampled for part in strata if not part.retrieved
    ):
        raise DataError(
            "tipping points of a claim need unretrieved samples of which every document could be "
            "judged"
        )


def _count(part: Stratum, judgment: str) -> int:
    return {"": 0, "relevant": part.relevant, "not relevant": part.irrelevant}[judgment]


def _change(
    strata: Sequence[Stratum], by_weight: Sequence[Stratum], judgment: str, n_wrong: int
) -> tuple[Stratum, ...]:
    """Return the strata with other counts of relevant documents, the largest weight first."""
    changes: dict[int, int] = {}
    for part in by_weight:
        changes[id(part)] = min(n_wrong - sum(changes.values()), _count(part, judgment))
    sign = -1 if judgment == "relevant" else 1
    return tuple(
        replace(part, relevant=part.relevant + sign * changes.get(id(part), 0)) for part in strata
    )


def _choose_numbers(n: int, needed: int | None) -> list[int]:
    """Return at most ``MAX_ROWS`` numbers from 1 to n, with the last and the needed one."""
    steps = [step * 10**power for power in range(len(str(n))) for step in STEPS]
    ends = {number for number in (n, needed) if number}
    spare = [number for number in steps if number < n and number not in ends]
    return sorted({*spare[: MAX_ROWS - len(ends)], *ends})
