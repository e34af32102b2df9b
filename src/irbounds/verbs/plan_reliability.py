"""``plan_reliability``: how reliably queries distinguish systems, and how many are needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

from ..requests.inputs import ScoreInput, answer_about
from ..requests.options import LEVEL, N_QUERIES, ConfidenceLevel
from ..requests.request import Option
from ..requests.verb import verb
from ..results.result import Answer

if TYPE_CHECKING:
    from ..results import ReliabilityPlan

NQueries = Annotated[
    Sequence[int] | int | None,
    replace(
        N_QUERIES,
        more="Reliability is computed with these numbers too; several: 100,200.",
        metavar="N,...",
        minimum=1,
        default="as many as there are",
    ),
]
Target = Annotated[
    Sequence[float] | float,
    Option(
        "Reliability to reach; several are compared: 0.9,0.95.",
        metavar="X,...",
        check=LEVEL.check,
        commas=True,
    ),
]


@dataclass(frozen=True, kw_only=True)
class PlanReliabilityRequest(ScoreInput):
    """The options of ``plan_reliability``."""

    n_queries: NQueries = None
    reliability: Target = (0.95,)
    confidence_level: ConfidenceLevel = 0.95


@verb(
    PlanReliabilityRequest,
    group="Plan",
    docs="planning",
    is_parallel=False,
    examples=(
        "irbounds plan-reliability qrels.txt runs/ -m AP",
        "irbounds plan-reliability --scores AP=scores.csv --n-queries 100,200",
        "irbounds plan-reliability --scores AP=scores.csv --reliability 0.9,0.95",
    ),
)
def plan_reliability(request: PlanReliabilityRequest) -> Answer[ReliabilityPlan]:
    """Show how reliable the queries are, and how many are needed.

    By generalisability theory, the variance of scores is divided into that of systems, that of
    queries and a residual. Erho2 is the reliability of the differences of systems that answer the
    same queries, Phi that of their means as absolute numbers. Both have intervals (Feldt 1965,
    Arteaga et al. 1982), which assume normal effects. The same variances give the number of queries
    that a reliability requires, with its interval.

    Returns
    -------
    ReliabilityPlan
        ``.coefficients`` are Erho2 and Phi, ``.required`` the numbers of queries, ``.variances``
        those of systems, queries and residuals.

    Examples
    --------
    >>> import irbounds
    >>> scores = {"bm25": [0.1, 0.5, 0.4, 0.2, 0.3], "dense": [0.3, 0.9, 0.6, 0.4, 0.7]}
    >>> plan = irbounds.plan_reliability(scores=scores, reliability=0.9)
    >>> [(row.coefficient, row.value) for row in plan.required]
    [('Erho2', 2), ('Phi', 10)]
    """
    from ..planning.reliability import plan_reliability as plan

    table = request.read_table()
    plans = plan(
        table,
        n_queries=request.n_queries,
        reliability=request.reliability,
        confidence_level=request.confidence_level,
    )
    return answer_about(request, table, plans)
