"""``compare``: differences between systems on the same queries, with intervals and tests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from ..requests.inputs import ScoreInput, answer_about
from ..requests.options import (
    METHOD,
    RESAMPLES,
    AlternativeSide,
    Baseline,
    Bounds,
    ConfidenceLevel,
    Power,
    Seed,
)
from ..requests.request import Option
from ..requests.verb import verb
from ..results.result import Answer
from ..validation import AdjustmentName, TestName

if TYPE_CHECKING:
    from ..results import Comparison, Results

DifferenceMethod = Literal[
    "student-t", "logit-t", "studentised-logit", "studentised", "bca", "percentile", "basic"
]
Test = Annotated[
    TestName,
    Option("Test of a difference.", "sign-flip draws nothing unless --n-resamples is given."),
]
Adjustment = Annotated[
    AdjustmentName,
    Option(
        "Adjustment of p-values for many comparisons.",
        "Over all comparisons of a measure; max-statistic is the randomised Tukey HSD.",
    ),
]


@dataclass(frozen=True, kw_only=True)
class CompareRequest(ScoreInput):
    """The options of ``compare``."""

    baseline: Baseline = None
    test: Test = "t"
    adjustment: Adjustment = "holm"
    method: Annotated[DifferenceMethod, METHOD] = "student-t"
    confidence_level: ConfidenceLevel = 0.95
    alternative: AlternativeSide = "two-sided"
    n_resamples: Annotated[int | None, RESAMPLES] = None
    seed: Seed = 0
    power: Power = 0.8
    bounds: Bounds = None

    def check(self) -> None:
        """Raise ``ParameterError`` where options contradict each other."""
        from ..comparisons.differences import check_sides

        check_sides(self.alternative, self.baseline)
        super().check()


@verb(
    CompareRequest,
    group="Compare systems",
    docs="comparing",
    shows=("table", "figure", "report", "top"),
    examples=(
        "irbounds compare qrels.txt bm25.run dense.run.gz",
        "irbounds compare qrels.txt runs/ --baseline bm25 -m AP",
        "irbounds compare qrels.txt runs/ --adjustment max-statistic -o pairs.csv",
        "irbounds compare --scores AP=scores.csv --test t --method bca",
    ),
)
def compare(request: CompareRequest) -> Answer[Results[Comparison]]:
    """Test the differences between systems on the same queries.

    Shows for every pair of systems, or for every system and a baseline, the mean difference with
    its interval, its size in standard deviations, a p-value, the p-value adjusted for all
    comparisons of the measure, and the smallest true difference that this many queries detect.

    Returns
    -------
    Results of Comparison
        ``.value`` is the mean difference, ``.interval`` its interval, ``.p_value`` and
        ``.adjusted_p_value`` belong to its test. ``.is_decided`` is false where another seed or a
        more accurate p-value could turn the decision.

    Examples
    --------
    >>> import irbounds
    >>> scores = {"old": [0.1, 0.4, 0.3, 0.0, 0.2], "new": [0.3, 0.5, 0.3, 0.2, 0.5]}
    >>> comparison, = irbounds.compare(scores=scores, baseline="old")
    >>> round(comparison.value, 3), round(comparison.p_value, 3)
    (0.16, 0.035)
    """
    from ..comparisons.differences import difference_interval
    from ..parallel.progress import show_progress

    table = request.read_table()
    with show_progress("comparing systems") as progress:
        comparisons = difference_interval(
            table,
            baseline=request.baseline,
            method=request.method,
            confidence_level=request.confidence_level,
            n_resamples=request.n_resamples,
            rng=request.seed,
            alternative=request.alternative,
            test=request.test,
            adjustment=request.adjustment,
            power=request.power,
            bounds=request.bounds,
            progress=progress,
        )
    return answer_about(request, table, comparisons)
