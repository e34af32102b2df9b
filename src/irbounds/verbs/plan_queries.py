"""``plan_queries``: how many queries a difference or an interval needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from ..requests.inputs import ScoreInput, answer_about
from ..requests.options import POSITIVE, AlternativeSide, Baseline, ConfidenceLevel, Power
from ..requests.request import Option
from ..requests.verb import verb
from ..results.result import Answer

if TYPE_CHECKING:
    from ..results import QueryPlan, Results

Difference = Annotated[
    float | None, Option("True difference of means to detect.", metavar="D", check=POSITIVE)
]
HalfWidth = Annotated[
    float | None,
    Option("Half the width of a difference's interval.", metavar="W", check=POSITIVE),
]


@dataclass(frozen=True, kw_only=True)
class PlanQueriesRequest(ScoreInput):
    """The options of ``plan_queries``."""

    baseline: Baseline = None
    difference: Difference = None
    half_width: HalfWidth = None
    power: Power = 0.8
    confidence_level: ConfidenceLevel = 0.95
    alternative: AlternativeSide = "two-sided"


@verb(
    PlanQueriesRequest,
    group="Plan",
    docs="planning",
    is_parallel=False,
    examples=(
        "irbounds plan-queries qrels.txt bm25.run dense.run -m AP",
        "irbounds plan-queries --scores AP=scores.csv --difference 0.02 --power 0.9",
        "irbounds plan-queries --scores AP=scores.csv --baseline bm25 --half-width 0.03",
    ),
)
def plan_queries(request: PlanQueriesRequest) -> Answer[Results[QueryPlan]]:
    """Show how many queries it takes to detect a difference.

    From the standard deviation of the systems' differences over queries, it computes the smallest
    true difference that a paired t test of as many queries detects with the given power, and the
    half width of its interval. With a difference or a half width, it also computes the number of
    queries for that. There is one plan for each system and the baseline. Without a baseline, there
    is one for the typical pair of systems (median standard deviation of all pairs) and one for the
    hardest (the largest). The plan of a single system is about its mean.

    Returns
    -------
    Results of QueryPlan
        One per measure and pair.

    Examples
    --------
    >>> import irbounds
    >>> scores = {"old": [0.1, 0.4, 0.3, 0.0, 0.2], "new": [0.3, 0.5, 0.3, 0.2, 0.5]}
    >>> plan, = irbounds.plan_queries(scores=scores, baseline="old", difference=0.1)
    >>> plan.queries_for_difference
    13
    """
    from ..planning.queries import plan_queries as plan

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
