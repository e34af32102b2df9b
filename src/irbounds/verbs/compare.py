"""``compare``: differences between systems on the same queries, with intervals and tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from ..errors import ParameterError
from ..presentation.registry import View, make_section
from ..requests.inputs import RunOptions, ScoreInput, answer_about
from ..requests.options import (
    METHOD,
    AlternativeSide,
    Baseline,
    Bounds,
    ConfidenceLevel,
    Resamples,
    Seed,
)
from ..requests.request import Option, options_of
from ..requests.verb import verb
from ..results.result import Answer
from ..validation import AdjustmentName, TestName

if TYPE_CHECKING:
    from ..results import Comparisons

#: the options that two files with published means have
OF_PUBLISHED = {"qrels", "runs", "confidence_level", "alternative", "adjustment"}

DifferenceMethod = Literal["student-t", "logit-t", "studentised-logit", "bca", "percentile"]
Test = Annotated[TestName, Option("Test of a difference.")]
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
        "Show the difference of each query, the largest first.",
        "And how many of them turn the decision. Needs a baseline or two systems, and test t.",
        panel="Output",
    ),
]
Groups = Annotated[
    Any,
    Option(
        "Groups of queries to compare within and between.",
        "A CSV or TSV file with a column of queries and one of groups. In Python also a frame, or "
        "a dict of queries to groups. p-values are adjusted for all pairs and groups of a measure.",
        metavar="FILE",
        panel="Input",
        file="read",
    ),
]


@dataclass(frozen=True, kw_only=True)
class CompareRequest(RunOptions, ScoreInput):
    """The options of ``compare``."""

    baseline: Baseline = None
    test: Test = "t"
    adjustment: Adjustment = "holm"
    method: Annotated[DifferenceMethod, METHOD] = "student-t"
    confidence_level: ConfidenceLevel = 0.95
    alternative: AlternativeSide = "two-sided"
    n_resamples: Resamples = 9999
    seed: Seed = 0
    bounds: Bounds = None
    groups: Groups = None
    by_query: ByQuery = False

    #: two files with published means, where these are the arguments
    _published: ClassVar[Sequence[Path]] = ()

    def check(self) -> None:
        """Raise ``ParameterError`` where options contradict each other."""
        from ..comparisons.differences import check_sides
        from ..comparisons.published_means import find_published

        object.__setattr__(self, "_published", find_published(self.qrels, self.runs))
        if self._published:
            names = {declared.name for declared in options_of(type(self))} - OF_PUBLISHED
            self.refuse("not for published means", *sorted(names))
            return
        check_sides(self.alternative, self.baseline)
        if self.by_query:
            self.refuse("compared within groups; leave out by_query", "groups")
            self.refuse("not for by_query, which repeats test 't'", "test")
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
        "irbounds compare ours.json theirs.json",
    ),
)
def compare(request: CompareRequest) -> Answer[Comparisons]:
    """Test the differences between systems on the same queries.

    Shows for every pair of systems, or for every system and a baseline, the mean difference with
    its interval, its size in standard deviations, a p-value and the p-value adjusted for all
    comparisons of the measure. Instead, --by-query shows the difference of each query, and --groups
    the differences within groups of queries and whether they differ between groups.

    Two files that evaluate wrote as JSON, in place of judgments and runs, are compared by
    Welch's interval and test: published means, without the scores of single queries.

    Returns
    -------
    Comparisons
        A tuple of ``Comparison``: ``.value`` is the mean difference, ``.interval`` its interval,
        ``.p_value`` and ``.adjusted_p_value`` belong to its test. ``.is_decided`` is false where a
        more accurate p-value could turn the decision. With ``by_query`` there are ``.by_query``,
        one per pair and query. With ``groups`` each comparison has its ``.group``, and there are
        ``.interactions``, one per pair.

    Examples
    --------
    >>> import irbounds
    >>> scores = {"old": [0.1, 0.4, 0.3, 0.0, 0.2], "new": [0.3, 0.5, 0.3, 0.2, 0.5]}
    >>> comparison, = irbounds.compare(scores=scores, baseline="old")
    >>> round(comparison.value, 3), round(comparison.p_value, 3)
    (0.16, 0.035)
    """
    from ..comparisons.differences import difference_interval
    from ..comparisons.group_differences import compare_between_groups
    from ..comparisons.published_means import compare_published
    from ..comparisons.query_differences import list_query_differences
    from ..progress import show_progress
    from ..reading.query_groups import read_groups
    from ..results import Comparisons

    if request._published:
        rows, warnings, files = compare_published(
            request._published,
            confidence_level=request.confidence_level,
            alternative=request.alternative,
            adjustment=request.adjustment,
        )
        return Answer(Comparisons(rows), View(), (), warnings, files)
    groups, file = (None, None) if request.groups is None else read_groups(request.groups)
    table = request.read_table()
    n_systems = len(table.systems)
    if request.by_query and request.baseline is None and n_systems > 2:
        raise ParameterError(f"by_query needs a baseline, or two systems; got {n_systems:,}")
    with show_progress("comparing systems") as progress:
        result = Comparisons(
            difference_interval(
                table,
                baseline=request.baseline,
                groups=groups,
                method=request.method,
                confidence_level=request.confidence_level,
                n_resamples=request.n_resamples,
                rng=request.seed,
                alternative=request.alternative,
                test=request.test,
                adjustment=request.adjustment,
                bounds=request.bounds,
                progress=progress,
            )
        )
    parts: list[Sequence[Any]] = [result]
    if request.by_query:
        result.by_query = list_query_differences(table, request.baseline, result)
        parts = [result.by_query]
    lines = []
    if groups is not None:
        result.interactions = compare_between_groups(result)
        if others := len(groups.keys() - set(table.queries)):
            lines.append(f"groups: queries without scores: {others:,}, ignored")
        if any(row.n_comparisons for row in result.interactions):
            parts.append(result.interactions)
        else:
            lines.append("groups: not compared with each other, since fewer than two have a spread")
    answer = answer_about(
        request,
        table,
        result,
        lines=lines,
        make_sections=lambda view: [make_section(part, view) for part in parts],
    )
    return answer if file is None else replace(answer, inputs=(*answer.inputs, file))
