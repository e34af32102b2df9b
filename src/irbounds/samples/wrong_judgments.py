"""Tipping points: what mistakes of the assessors would do to recall, and to a claim about it.

A relevant document in the unretrieved sample stands for as many documents as its stratum has per
sampled document. So a few mistakes there change recall more than the sampling error does: in the
TREC 2009 Legal Track, intervals from first assessments miss the recall after appeals in 18 of 24
runs. Where nothing was assessed again, the interval of recall is computed from changed counts:

- some documents judged relevant in the unretrieved sample are not relevant;
- some documents judged not relevant there are relevant.

For a claim, recall >= t, two more numbers follow. The fewest mistakes that change the verdict are
found by bisection, since the lower limit rises with the first kind of mistake and falls with the
second. The largest tolerated number M of missed documents is the largest for which the limit of
R1 / (R1 + R0 + M) is at least t, where R1 and R0 are the yields as judged: M is the yield of an
unretrieved stratum that was assessed as a whole, and the limit is that of the same method. As a
rate it is M over the documents of the unretrieved segment that would be judged not relevant,
N0 - R0: the fraction of those that are relevant in truth (false omissions).

With several unretrieved strata, mistakes are assumed in the stratum of the largest weight first,
where each has the largest effect.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ..errors import DataError, DegenerateSampleWarning, ParameterError
from ..results import RecallEstimate, Results, Sample, Stratum
from ..results.tipping_points import (
    TippingPoint,
    TippingPoints,
    ToleratedError,
    has_tipping_points,
    has_unjudged,
)
from ..validation import Alternative, check_claim
from .counts import check_strata
from .recall_intervals import recall_interval

MAX_ROWS = 8  # of a table
STEPS = (1, 2, 3, 5)  # times powers of 10: numbers of mistakes in a table
MAX_MISSED = 10  # mistakes in the table of missed documents, besides the one that changes a verdict
TINY = 1e-9  # replaces a limit of 0
TOLERANCE = 0.001  # of the tolerated number of missed documents


def tipping_points(
    sample: Iterable[Stratum],
    *,
    at_least: float | None = None,
    method: str | None = None,
    prior: Any = None,
    confidence_level: float = 0.95,
    alternative: Alternative | None = None,
    cap_at_one: bool = False,
    credit_found: bool = False,
) -> Results[TippingPoints]:
    """Return recall if judgments of the unretrieved sample are wrong, and when a claim falls.

    Parameters
    ----------
    sample
        A ``Sample``, or several ``Stratum``, without counts of a second assessment.
    at_least
        A claim: recall is at least this. It is shown if the lower end of the interval is.
    method, prior, confidence_level, alternative, cap_at_one, credit_found
        As for ``recall_interval``. With a claim the default is a lower limit by method ``"exact"``
        (``"beta-binomial"`` if a prior is given), as for ``irbounds.recall``. With ``credit_found``
        there are no tolerated numbers.

    Returns
    -------
    Results of TippingPoints
        One, with ``.mistaken``, ``.missed``, ``.shown_from``, ``.falls_from`` and ``.tolerated``.

    Examples
    --------
    >>> from irbounds.samples import Stratum
    >>> strata = [Stratum("retrieved", True, 5000, 500, 400),
    ...           Stratum("unretrieved", False, 95_000, 1500, 3)]
    >>> result, = tipping_points(strata, at_least=0.93)
    >>> [round(point.interval.low, 3) for point in result.mistaken]
    [0.895, 0.913, 0.933, 0.957]
    >>> result.as_judged.is_shown, result.shown_from
    (False, 2)
    """
    source = sample if isinstance(sample, Sample) else Sample(())
    strata = check_strata(sample)
    is_claim = at_least is not None
    if method is None:
        method = "exact" if is_claim and prior is None else "beta-binomial"
    if alternative is None:
        alternative = "greater" if is_claim else "two-sided"
    if at_least is not None:
        check_claim("at_least", at_least, confidence_level)
        if alternative == "less":
            raise ParameterError(
                "at_least needs a lower limit: alternative='greater' or 'two-sided'; got 'less'"
            )
    if not has_tipping_points(Sample(strata)):
        raise DataError(
            "tipping points need a sample of every stratum, and of unretrieved documents, of which "
            "nothing was assessed again; recall_interval takes a second assessment into account"
        )
    if is_claim and has_unjudged(strata):
        raise DataError(
            "tipping points of a claim need unretrieved samples of which every document could be "
            "judged; leave out at_least"
        )
    options = {
        "method": method,
        "prior": prior,
        "confidence_level": confidence_level,
        "alternative": alternative,
        "cap_at_one": cap_at_one,
        "credit_found": credit_found,
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateSampleWarning)
        result = _Scenarios(strata, at_least, options).tabulate()
    return Results([replace(result, system=source.system, topic=source.topic)])


@dataclass(frozen=True, eq=False)
class _Scenarios:
    """The strata of a sample, and the recall that follows from changed judgments."""

    strata: tuple[Stratum, ...]
    at_least: float | None
    options: dict[str, Any]

    def tabulate(self) -> TippingPoints:
        n_relevant, n_irrelevant = (self._count(judgment) for judgment in KINDS)
        is_shown = self._is_shown(self._as_judged)
        shown_from = falls_from = None
        if is_shown is False:
            shown_from = _find_first(
                n_relevant, lambda k: bool(self._point("relevant", k).is_shown)
            )
        elif is_shown:
            falls_from = _find_first(
                n_irrelevant, lambda k: not self._point("not relevant", k).is_shown
            )
        missed = _choose_numbers(min(n_irrelevant, MAX_MISSED), None)
        if falls_from:
            missed = sorted({*missed, falls_from})
        return TippingPoints(
            self.strata,
            tuple(self._point("relevant", k) for k in _choose_numbers(n_relevant, shown_from)),
            tuple(self._point("not relevant", k) for k in missed),
            at_least=self.at_least,
            prior=self._as_judged.prior,
            shown_from=shown_from,
            falls_from=falls_from,
            tolerated=tuple(self._find_tolerated()),
            n_judged_irrelevant=self._n_judged_irrelevant,
            order=tuple(stratum.name for stratum in self._by_weight)
            if len(self._by_weight) > 1
            else (),
            credit_found=self.options["credit_found"],
        )

    @cached_property
    def _points(self) -> dict[tuple[str, int], TippingPoint]:
        return {}

    @cached_property
    def _as_judged(self) -> RecallEstimate:
        return recall_interval(self.strata, **self.options)

    @cached_property
    def _by_weight(self) -> list[Stratum]:
        """The unretrieved strata with a sample, by documents per sampled document."""
        sampled = [part for part in self.strata if not part.retrieved and part.sampled]
        return sorted(sampled, key=lambda part: -part.population / part.sampled)

    def _count(self, judgment: str) -> int:
        return sum(KINDS[judgment](stratum) for stratum in self._by_weight)

    def _is_shown(self, estimate: RecallEstimate) -> bool | None:
        return None if self.at_least is None else bool(estimate.interval.low >= self.at_least)

    def _point(self, judgment: str, n_wrong: int) -> TippingPoint:
        """Return recall if so many documents with a judgment are wrong."""
        key = judgment, n_wrong
        if key not in self._points:
            estimate = self._as_judged
            if n_wrong:
                estimate = recall_interval(self._change(judgment, n_wrong), **self.options)
            self._points[key] = TippingPoint(
                judgment,
                n_wrong,
                self._count(judgment),
                estimate.value,
                estimate.interval,
                self._is_shown(estimate),
            )
        return self._points[key]

    def _change(self, judgment: str, n_wrong: int) -> list[Stratum]:
        """Return the strata with other counts of relevant documents, the largest weight first."""
        changes: dict[int, int] = {}
        for stratum in self._by_weight:
            changes[id(stratum)] = min(n_wrong - sum(changes.values()), KINDS[judgment](stratum))
        sign = -1 if judgment == "relevant" else 1
        return [
            replace(stratum, relevant=stratum.relevant + sign * changes.get(id(stratum), 0))
            for stratum in self.strata
        ]

    @cached_property
    def _n_judged_irrelevant(self) -> float:
        """Documents of the unretrieved segment that would be judged not relevant."""
        return sum(
            stratum.population * (1 - stratum.relevant / stratum.sampled)
            for stratum in self._by_weight
        )

    def _find_tolerated(self) -> Iterable[ToleratedError]:
        """Yield the largest tolerated numbers of missed documents by the estimate and the limit."""
        if self.at_least is None or not self._n_judged_irrelevant or self.options["credit_found"]:
            return
        available = math.floor(self._n_judged_irrelevant)
        if self._as_judged.value >= self.at_least:
            by_estimate = self._find_by_estimate(available)
            yield self._tolerate("estimate", by_estimate)
        if self._as_judged.interval.low >= self.at_least:
            try:
                by_limit = self._find_by_limit(available)
            except DataError:  # of a method that takes no strata
                return
            yield self._tolerate("limit", by_limit)

    def _tolerate(self, by: str, n_documents: int) -> ToleratedError:
        return ToleratedError(by, n_documents, n_documents / self._n_judged_irrelevant)

    def _find_by_estimate(self, available: int) -> int:
        """Return the largest M with R1 / (R1 + R0 + M) >= t."""
        inside = (part for part in self.strata if part.retrieved and part.sampled)
        retrieved = sum(part.population * part.relevant / part.sampled for part in inside)
        assert self.at_least is not None
        total = retrieved / self._as_judged.value if retrieved else 0.0
        return min(math.floor(retrieved / self.at_least - total + 1e-9), available)

    def _find_by_limit(self, available: int) -> int:
        """Return a number of missed documents with which the limit still reaches the claim.

        It is the largest one, or less than that by at most ``TOLERANCE``. The inverse of the limit
        is nearly linear in the number, so interpolation finds it in a few steps.
        """
        assert self.at_least is not None
        low, high = 0, self._find_by_estimate(available) + 1
        at_low, at_high = self._as_judged.interval.low, self._limit_with(high)
        if at_high >= self.at_least:  # a limit above the estimate
            return high - 1
        step = 0
        while high - low > (width := max(1, math.floor(TOLERANCE * low))):
            fraction = (1 / self.at_least - 1 / at_low) / (1 / max(at_high, TINY) - 1 / at_low)
            # a little below and a little above it in turn, so that both ends move
            place = low + fraction * (high - low) + (width / 2 if step % 2 else -width / 2)
            middle = (low + high) // 2 if step % 4 == 3 else math.floor(place)
            middle = min(max(middle, low + 1), high - 1)
            at_middle = self._limit_with(middle)
            if at_middle >= self.at_least:
                low, at_low = middle, at_middle
            else:
                high, at_high = middle, at_middle
            step += 1
        return low

    def _limit_with(self, n_missed: int) -> float:
        """Return the lower end of recall if so many unretrieved documents were missed."""
        missed = Stratum("missed", False, n_missed, n_missed, n_missed)
        return recall_interval((*self.strata, missed), **self.options).interval.low


#: documents of a stratum's sample with each judgment
KINDS: dict[str, Callable[[Stratum], int]] = {
    "relevant": lambda stratum: stratum.relevant,
    "not relevant": lambda stratum: stratum.irrelevant,
}


def _find_first(n: int, is_true: Callable[[int], bool]) -> int | None:
    """Return the first number from 1 to n from which on a statement is true; None for none."""
    if not n or not is_true(n):
        return None
    low, high = 0, n
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_true(middle) else (middle, high)
    return high


def _choose_numbers(n: int, needed: int | None) -> list[int]:
    """Return at most ``MAX_ROWS`` numbers from 0 to n, with both ends and the needed one."""
    numbers = [0]
    power = 1
    while power <= n:
        numbers += [step * power for step in STEPS if step * power < n]
        power *= 10
    others = [number for number in dict.fromkeys(numbers) if number]
    ends = {0, n, *([needed] if needed and needed <= n else [])}
    spare = [number for number in others if number not in ends][: MAX_ROWS - len(ends)]
    return sorted({*spare, *ends})
