"""``compare``: differences between systems on the same queries, with intervals and tests."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

from ..presentation.registry import make_section
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
    from ..reading.query_groups import QueryGroups
    from ..results import Comparisons
    from ..scores.score_table import ScoreTable

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
        "Over all comparisons of a measure.",
    ),
]
ByQuery = Annotated[
    bool,
    Option(
        "Show the queries that decide each difference.",
        "Their contributions to the mean difference, and the decision without each. Needs a "
        "baseline or two systems, and test t.",
        panel="Output",
    ),
]
Groups = Annotated[
    Any,
    Option(
        "Groups of queries to compare within and between.",
        "A CSV, TSV, Parquet or JSON file of queries and their groups; COLUMN=FILE chooses the "
        "column of groups. In Python also a frame, or a dict of queries to groups. p-values are "
        "adjusted for all pairs and groups of a measure.",
        metavar="FILE",
        panel="Input",
        file="read",
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
    groups: Groups = None
    by_query: ByQuery = False

    def check(self) -> None:
        """Raise ``ParameterError`` where options contradict each other."""
        from ..comparisons.differences import check_sides

        check_sides(self.alternative, self.baseline)
        if self.by_query:
            from ..comparisons.query_influence import check_influence_test

            self.refuse("compared within groups; leave out by_query", "groups")
            check_influence_test(self.test)
        super().check()


@verb(
    CompareRequest,
    group="Compare systems",
    docs="comparing",
    shows=("table", "figure", "report", "top"),
    examples=(
        "irbounds compare qrels.txt bm25.run dense.run.gz",
        "irbounds compare qrels.txt runs/ --baseline bm25 -m AP",
        "irbounds compare qrels.txt runs/ --adjustment none -o pairs.csv",
        "irbounds compare --scores AP=scores.csv --test t --method bca",
        "irbounds compare qrels.txt bm25.run dense.run -m AP --by-query",
        "irbounds compare qrels.txt runs/ --baseline bm25 --groups queries.csv",
    ),
)
def compare(request: CompareRequest) -> Answer[Comparisons]:
    """Test the differences between systems on the same queries.

    Shows for every pair of systems, or for every system and a baseline, the mean difference with
    its interval, its size in standard deviations, a p-value, the p-value adjusted for all
    comparisons of the measure, and the smallest true difference that this many queries detect.
    Instead, --by-query shows the queries that decide a difference, and --groups the differences
    within groups of queries and whether they differ between groups.

    Returns
    -------
    Comparisons
        A tuple of ``Comparison``: ``.value`` is the mean difference, ``.interval`` its interval,
        ``.p_value`` and ``.adjusted_p_value`` belong to its test. ``.is_decided`` is false where
        another seed or a more accurate p-value could turn the decision. With ``by_query`` there
        are ``.contributions``, one per pair and query. With ``groups`` each comparison has its
        ``.group``, and there are ``.interactions``, one per pair.

    Examples
    --------
    >>> import irbounds
    >>> scores = {"old": [0.1, 0.4, 0.3, 0.0, 0.2], "new": [0.3, 0.5, 0.3, 0.2, 0.5]}
    >>> comparison, = irbounds.compare(scores=scores, baseline="old")
    >>> round(comparison.value, 3), round(comparison.p_value, 3)
    (0.16, 0.035)
    """
    from ..progress import show_progress

    groups = None if request.groups is None else _read_groups(request)
    table = request.read_table()
    with show_progress("comparing systems") as progress:
        options: dict[str, Any] = dict(
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
        if groups is not None:
            return _compare_groups(request, table, groups, options)
        return _compare(request, table, options)


def _compare(
    request: CompareRequest, table: ScoreTable, options: dict[str, Any]
) -> Answer[Comparisons]:
    from ..comparisons.differences import difference_interval
    from ..comparisons.query_influence import check_pairs, list_contributions
    from ..results import Comparisons, Results

    if not request.by_query:
        return answer_about(request, table, Comparisons(difference_interval(table, **options)))
    check_pairs(table.systems, request.baseline)
    comparisons = difference_interval(table, **options)
    contributions = Results(
        list_contributions(table, request.baseline, comparisons, options["progress"])
    )
    return answer_about(
        request,
        table,
        Comparisons(comparisons, contributions=contributions),
        make_sections=lambda view: [make_section(contributions, view)],
    )


def _read_groups(request: CompareRequest) -> QueryGroups:
    from ..reading.query_groups import read_groups

    return read_groups(request.groups)


def _compare_groups(
    request: CompareRequest, table: ScoreTable, groups: QueryGroups, options: dict[str, Any]
) -> Answer[Comparisons]:
    from ..comparisons.group_differences import compare_groups
    from ..results import InputFile

    result = compare_groups(table, groups, **options)
    answer = answer_about(
        request,
        table,
        result,
        lines=[groups.describe(table.queries)],
        make_sections=lambda view: [
            make_section(list(result), view),
            make_section(result.interactions, view),
        ],
    )
    read = InputFile(groups.source, groups.fingerprint)
    return replace(answer, inputs=(*answer.inputs, read))
