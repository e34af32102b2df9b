"""``plan_queries``: how many queries a difference or an interval needs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, ClassVar

from ..errors import ParameterError
from ..requests.inputs import ScoreInput, answer_about
from ..requests.options import (
    N_SYSTEMS,
    POSITIVE,
    AlternativeSide,
    Baseline,
    ConfidenceLevel,
    Power,
)
from ..requests.request import Option
from ..requests.verb import verb
from ..results.result import Answer

if TYPE_CHECKING:
    from ..results import QueryPlan, Results, SystemsPlan

Difference = Annotated[
    float | None,
    Option(
        "True difference of means to detect.",
        "With n_systems that of the best and the worst system.",
        metavar="D",
        check=POSITIVE,
    ),
]
HalfWidth = Annotated[
    float | None,
    Option("Half the width of a difference's interval.", metavar="W", check=POSITIVE),
]
NSystems = Annotated[
    int | None,
    replace(
        N_SYSTEMS,
        more="Plan for an F test of so many systems at once, in place of pairs.",
        metavar="M",
        panel="Method",
        minimum=2,
    ),
]
Variance = Annotated[
    float | None,
    Option(
        "Variance of scores, in place of scores; for n_systems.",
        "Of a system's scores over queries (one-way), or of the residuals (two-way).",
        metavar="X",
        check=POSITIVE,
    ),
]
#: options of the plans for pairs and means, which a plan for several systems does not have
OF_PAIRS = ("baseline", "half_width", "alternative")


@dataclass(frozen=True, kw_only=True)
class PlanQueriesRequest(ScoreInput):
    """The options of ``plan_queries``."""

    baseline: Baseline = None
    difference: Difference = None
    half_width: HalfWidth = None
    n_systems: NSystems = None
    variance: Variance = None
    power: Power = 0.8
    confidence_level: ConfidenceLevel = 0.95
    alternative: AlternativeSide = "two-sided"

    needs: ClassVar[str] = (
        "qrels and runs, or scores; or n_systems, difference and variance before there are any"
    )

    def check_inputs(self) -> None:
        """Raise ``ParameterError`` unless there are scores, or a variance in their place."""
        if self.n_systems is not None:
            self.refuse("for pairs of systems; leave out n_systems", *OF_PAIRS)
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
    hardest (the largest). The plan of a single system is about its mean.

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
    from ..planning.queries import plan_queries as plan
    from ..planning.queries import plan_systems

    if request.n_systems is not None:
        table = None if request.variance is not None else request.read_table()
        for_systems = plan_systems(
            table,
            n_systems=request.n_systems,
            variance=request.variance,
            difference=request.difference,
            power=request.power,
            confidence_level=request.confidence_level,
        )
        return Answer(for_systems) if table is None else answer_about(request, table, for_systems)
    table = request.read_table()
    plans = plan(
        table,
        baseline=request.baseline,
        difference=request.difference,
        half_width=request.half_width,
        power=request.power,
        confidence_level=request.confidence_level,
        alternative=request.alternative,
    )
    return answer_about(request, table, plans)
