"""``plan_queries``: how many queries a difference or an interval needs."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar, get_args

from ..errors import DataError, DegenerateSampleWarning, ParameterError, quote_several
from ..requests.inputs import ScoreInput, answer_about
from ..requests.options import POSITIVE, AlternativeSide, Baseline, ConfidenceLevel, Power
from ..requests.request import Option
from ..requests.verb import verb
from ..results.result import Answer
from ..validation import Anova

if TYPE_CHECKING:
    from ..intervals.sample import Floats
    from ..results import QueryPlan, Results, SystemsPlan


@dataclass(frozen=True, kw_only=True)
class PlanQueriesRequest(ScoreInput):
    """The options of ``plan_queries``."""

    difference: Annotated[
        float | None,
        Option(
            "True difference of means to detect.",
            "With n_systems that of the best and the worst system.",
            metavar="D",
            check=POSITIVE,
        ),
    ] = None
    half_width: Annotated[
        float | None,
        Option("Half the width of a difference's interval.", metavar="W", check=POSITIVE),
    ] = None
    n_systems: Annotated[
        int | None,
        Option(
            "Number of systems.",
            "Plan for an F test of so many systems at once, in place of pairs.",
            metavar="M",
            minimum=2,
        ),
    ] = None
    variance: Annotated[
        float | None,
        Option(
            "Variance of scores, in place of scores; for n_systems.",
            "Of a system's scores over queries (one-way), or of the residuals (two-way).",
            metavar="X",
            check=POSITIVE,
        ),
    ] = None
    baseline: Baseline = None
    power: Power = 0.8
    confidence_level: ConfidenceLevel = 0.95
    alternative: AlternativeSide = "two-sided"

    needs: ClassVar[str] = (
        "qrels and runs, or scores; or n_systems, difference and variance before there are any"
    )

    def check_inputs(self) -> None:
        """Raise ``ParameterError`` unless there are scores, or a variance in their place."""
        if self.n_systems is not None:
            names = ("baseline", "half_width", "alternative")
            self.refuse("for pairs of systems; leave out n_systems", *names)
        if self.variance is None:
            super().check_inputs()
            return
        if any(value is not None for value in (self.scores, self.qrels, self.runs, self.measures)):
            raise ParameterError("variance takes the place of scores; give one or the other")
        if self.n_systems is None or self.difference is None:
            raise ParameterError("variance needs n_systems and difference")


@verb(
    PlanQueriesRequest,
    group="Plan",
    docs="planning",
    shows=("table",),
    is_parallel=False,
    examples=(
        "irbounds plan-queries qrels.txt bm25.run dense.run -m AP",
        "irbounds plan-queries --scores AP=scores.csv --difference 0.02 --power 0.9",
        "irbounds plan-queries --scores AP=scores.csv --baseline bm25 --half-width 0.03",
        "irbounds plan-queries --n-systems 10 --difference 0.1 --variance 0.0442",
    ),
)
def plan_queries(request: PlanQueriesRequest) -> Answer[Results[QueryPlan | SystemsPlan]]:
    """Show how many queries it takes to detect a difference.

    From the standard deviation of the systems' differences over queries, it computes the smallest
    true difference that a paired t test of as many queries detects with the given power, and the
    half width of its interval. With a difference or a half width, it also computes the number of
    queries for that. There is one plan for each system and the baseline. Without a baseline, there
    is one for the typical pair of systems (median standard deviation of all pairs) and one for the
    hardest (the largest). The plan of a single system is about its mean. The reliability of the
    queries is Erho2, that of differences of all systems.

    With a number of systems, the plan is for the F test of an analysis of variance: it finds that
    not all systems are equal, where the best and the worst differ and the others are halfway
    between. Its variance comes from the scores, or is given before there are any.

    Returns
    -------
    Results of QueryPlan
        One per measure and pair; with a number of systems ``SystemsPlan``, one per analysis of
        variance.

    Examples
    --------
    >>> import irbounds
    >>> scores = {"old": [0.1, 0.4, 0.3, 0.0, 0.2], "new": [0.3, 0.5, 0.3, 0.2, 0.5]}
    >>> plan, = irbounds.plan_queries(scores=scores, baseline="old", difference=0.1)
    >>> plan.queries_for_difference
    13
    """
    from ..comparisons.pairs import check_pairs_fit
    from ..measurement.names import UNNAMED
    from ..planning.queries import find_variances
    from ..results import Results

    if request.variance is not None:
        variances: dict[Anova, float] = dict.fromkeys(get_args(Anova), request.variance)
        return Answer(Results(_plan_systems(request, UNNAMED, variances, None)))
    table = request.read_table()
    n = len(table.queries)
    if n < 2:
        raise DataError("a plan needs scores on at least two queries; got 1")
    check_pairs_fit(len(table.systems), 1, request.baseline)
    plans: list[QueryPlan | SystemsPlan] = []
    for measure, values in zip(table.measures, table.values, strict=True):
        if request.n_systems is None:
            plans += _plan_pairs(request, measure, table.systems, values)
        else:
            plans += _plan_systems(request, measure, find_variances(measure, values), n)
    if not plans:
        raise DataError("no plan is possible: no difference or score varies from query to query")
    return answer_about(request, table, Results(plans))


def _plan_pairs(
    request: PlanQueriesRequest, measure: str, systems: tuple[str, ...], values: Floats
) -> Iterator[QueryPlan]:
    from ..intervals.power import (
        detectable_difference,
        expected_half_width,
        queries_for_difference,
        queries_for_half_width,
    )
    from ..planning.queries import compute_reliability, find_spreads
    from ..results import QueryPlan

    n = values.shape[1]
    level, power, side = request.confidence_level, request.power, request.alternative
    difference, half_width = request.difference, request.half_width
    reliability, queries_for_reliability = compute_reliability(values)
    spreads, equal = find_spreads(systems, values, request.baseline)
    if equal:
        what = "score" if len(systems) == 1 else "difference"
        warnings.warn(
            f"{measure}: the same {what} on every query, so left out of the plan: "
            f"{quote_several(equal)}",
            DegenerateSampleWarning,
            stacklevel=3,
        )
    for kind, pair, sd in spreads:
        for_difference = for_half_width = None
        if difference is not None:
            for_difference = queries_for_difference(sd, difference, level, power, side)
        if half_width is not None:
            for_half_width = queries_for_half_width(sd, half_width, level)
        yield QueryPlan(
            *(measure, kind, pair, n, sd, level, side, power),
            detectable_difference=detectable_difference(sd, n, level, power, side),
            half_width=expected_half_width(sd, n, level),
            difference=difference,
            queries_for_difference=for_difference,
            wanted_half_width=half_width,
            queries_for_half_width=for_half_width,
            reliability=reliability,
            queries_for_reliability=queries_for_reliability,
        )


def _plan_systems(
    request: PlanQueriesRequest, measure: str, variances: Mapping[Anova, float], n: int | None
) -> Iterator[SystemsPlan]:
    """Yield a one-way and a two-way plan; without scores ``n`` is None."""
    from ..intervals.power import detectable_range, queries_for_range
    from ..results import SystemsPlan

    m, difference = request.n_systems or 0, request.difference
    level, power = request.confidence_level, request.power
    for anova, variance in variances.items():
        sd = math.sqrt(variance)
        detectable = for_difference = None
        if n is not None:
            detectable = detectable_range(sd, n, m, level, power, anova)
        if difference is not None:
            for_difference = queries_for_range(sd, difference, m, level, power, anova)
        yield SystemsPlan(
            *(measure, anova, m, n, variance, level, power),
            detectable_difference=detectable,
            difference=difference,
            queries_for_difference=for_difference,
        )
