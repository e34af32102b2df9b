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

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from ..errors import DataError, DegenerateSampleWarning, ParameterError
from ..results import Results, Sample, Stratum
from ..results.tipping_points import TippingPoint, has_tipping_points, has_unjudged
from ..validation import Alternative, check_claim
from .counts import check_strata
from .recall_intervals import recall_interval
from .uncertain_strata import find_first

MAX_ROWS = 8  # per judgment
STEPS = (1, 2, 3, 5)  # times powers of 10: numbers of mistakes in the table
MAX_MISSED = 10  # mistakes among documents judged not relevant, but for those that change a verdict


def tipping_points(
    sample: Iterable[Stratum],
    *,
    at_least: float | None = None,
    method: str | None = None,
    prior: Any = None,
    confidence_level: float = 0.95,
    alternative: Alternative | None = None,
    credit_found: bool = False,
) -> Results[TippingPoint]:
    """Return recall if judgments of the unretrieved sample are wrong, and when a claim falls.

    Parameters
    ----------
    sample
        A ``Sample``, or several ``Stratum``, without counts of a second assessment.
    at_least
        A claim: recall is at least this. It is shown if the lower end of the interval is.
    method, prior, confidence_level, alternative, credit_found
        As for ``recall_interval``. With a claim the default is a lower limit by method ``"exact"``
        (``"beta-binomial"`` if a prior is given), as for ``irbounds.recall``.

    Returns
    -------
    Results of TippingPoint
        One per number of wrong judgments: first none, then those judged relevant, then those judged
        not relevant, with the fewest that change the verdict.

    Examples
    --------
    >>> from irbounds.samples import Stratum
    >>> strata = [Stratum("retrieved", True, 5000, 500, 400),
    ...           Stratum("unretrieved", False, 95_000, 1500, 3)]
    >>> points = tipping_points(strata, at_least=0.93)
    >>> [(point.n_wrong, round(point.interval.low, 3), point.is_shown) for point in points[:4]]
    [(0, 0.895, False), (1, 0.913, False), (2, 0.933, True), (3, 0.957, True)]
    """
    source = sample if isinstance(sample, Sample) else Sample(())
    strata = check_strata(sample)
    is_claim = at_least is not None
    options = {
        "method": method or ("exact" if is_claim and prior is None else "beta-binomial"),
        "prior": prior,
        "confidence_level": confidence_level,
        "alternative": alternative or ("greater" if is_claim else "two-sided"),
        "credit_found": credit_found,
    }
    _check(strata, at_least, options)

    @cache
    def find_point(judgment: str, n_wrong: int) -> TippingPoint:
        """Return recall if so many documents with a judgment are wrong."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DegenerateSampleWarning)
            result = recall_interval(_change(strata, judgment, n_wrong), **options)
        return TippingPoint(
            judgment,
            n_wrong,
            _count(strata, judgment),
            result.value,
            result.interval,
            at_least,
            None if at_least is None else bool(result.interval.low >= at_least),
            result.prior,
            source.system,
            source.topic,
        )

    as_judged = find_point("", 0)
    points = [as_judged]
    for judgment in ("relevant", "not relevant"):
        n = _count(strata, judgment)

        def is_changed(n_wrong: int, judgment: str = judgment) -> bool:
            return find_point(judgment, n_wrong).is_shown is not as_judged.is_shown

        change = find_first(1, n, is_changed) if n and is_changed(n) else None
        last = n if judgment == "relevant" else min(n, MAX_MISSED)
        points += [find_point(judgment, n_wrong) for n_wrong in _choose_numbers(last, change)]
    return Results(points)


def _check(strata: tuple[Stratum, ...], at_least: float | None, options: dict[str, Any]) -> None:
    """Raise an error for samples that were assessed again or in part, and unsuitable options."""
    if at_least is not None:
        check_claim("at_least", at_least, options["confidence_level"])
        if options["alternative"] == "less":
            raise ParameterError(
                "at_least needs a lower limit: alternative='greater' or 'two-sided'; got 'less'"
            )
    if not has_tipping_points(Sample(strata)):
        raise DataError(
            "tipping points need a sample of every stratum, and of unretrieved documents, of which "
            "nothing was assessed again; recall_interval takes a second assessment into account"
        )
    if at_least is not None and has_unjudged(strata):
        raise DataError(
            "tipping points of a claim need unretrieved samples of which every document could be "
            "judged; leave out at_least"
        )


def _sort_by_weight(strata: Sequence[Stratum]) -> list[Stratum]:
    """Return the unretrieved strata with a sample, by documents per sampled document."""
    sampled = [part for part in strata if not part.retrieved and part.sampled]
    return sorted(sampled, key=lambda part: -part.population / part.sampled)


def _count_in(part: Stratum, judgment: str) -> int:
    return {"": 0, "relevant": part.relevant, "not relevant": part.irrelevant}[judgment]


def _count(strata: Sequence[Stratum], judgment: str) -> int:
    return sum(_count_in(part, judgment) for part in _sort_by_weight(strata))


def _change(strata: Sequence[Stratum], judgment: str, n_wrong: int) -> list[Stratum]:
    """Return the strata with other counts of relevant documents, the largest weight first."""
    changes: dict[int, int] = {}
    for part in _sort_by_weight(strata):
        changes[id(part)] = min(n_wrong - sum(changes.values()), _count_in(part, judgment))
    sign = -1 if judgment == "relevant" else 1
    return [
        replace(part, relevant=part.relevant + sign * changes.get(id(part), 0)) for part in strata
    ]


def _choose_numbers(n: int, needed: int | None) -> list[int]:
    """Return at most ``MAX_ROWS`` numbers from 1 to n, with the last and the needed one."""
    steps = [step * 10**power for power in range(len(str(n))) for step in STEPS]
    ends = {number for number in (n, needed) if number}
    spare = [number for number in steps if number < n and number not in ends]
    return sorted({*spare[: MAX_ROWS - len(ends)], *ends})
