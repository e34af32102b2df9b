"""``report``: everything about some runs, a table of scores or results on one page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from ..errors import ParameterError
from ..presentation.registry import View
from ..requests.inputs import RunOptions, ScoreInput
from ..requests.options import Baseline, ConfidenceLevel
from ..requests.request import Option, options_of
from ..requests.verb import verb
from ..results.result import Answer, Result

if TYPE_CHECKING:
    from ..reports.assembly import Report


def _results(name: str, value: Any) -> tuple[Result, ...]:
    several = (value,) if isinstance(value, Result) else value
    is_list = isinstance(several, list | tuple) and bool(several)
    wrong = (
        [result for result in several if not isinstance(result, Result)] if is_list else [several]
    )
    if wrong:
        kind = type(wrong[0]).__name__
        raise ParameterError(f"{name} must be what verbs return, one or a list; got {kind}")
    return tuple(several)


ResultsShown = Annotated[
    Any,
    Option(
        "Results of other verbs, in place of judgments, runs and scores.",
        "One, or a list of them: the page has what each of them shows.",
        panel="Input",
        check=_results,
        is_python_only=True,
    ),
]


@dataclass(frozen=True, kw_only=True)
class ReportRequest(RunOptions, ScoreInput):
    """The options of ``report``."""

    results: ResultsShown = None
    baseline: Baseline = None
    confidence_level: ConfidenceLevel = 0.95

    def check_inputs(self) -> None:
        """Raise ``ParameterError`` unless there is one kind of input and options are for it."""
        if self.results is not None:
            names = [
                declared.name for declared in options_of(type(self)) if declared.name != "results"
            ]
            self.refuse("not for results, which are computed already", *names)
            return
        super().check_inputs()


@verb(
    ReportRequest,
    group="Compare systems",
    docs="reports",
    shows=("page",),
    is_parallel=False,
    examples=(
        "irbounds report qrels.txt runs/",
        "irbounds report qrels.txt bm25.run dense.run.gz -o report.html",
        "irbounds report qrels.txt runs/ -m AP --baseline bm25",
        "irbounds report --scores scores.csv -o report.html",
    ),
)
def report(request: ReportRequest) -> Answer[Report]:
    """Write everything about some runs on one HTML page.

    First a verdict per measure and one figure of all systems; then differences, ranks and queries;
    then, folded, what is unusual about the inputs. Each result is explained. The page needs no
    network.

    Returns
    -------
    Report
        ``.save("report.html")`` writes the page.

    Examples
    --------
    >>> import irbounds
    >>> collection = irbounds.simulate(n_systems=3, n_queries=20, seed=1)
    >>> page = irbounds.report(collection.qrels, collection.runs, measures="AP")
    >>> print(page)  # doctest: +ELLIPSIS
    3 systems on 20 queries
    By AP, ...
    """
    from ..reports.assembly import report_of, report_of_results

    if request.results is not None:
        return _answer(report_of_results(request.results))
    if not request.is_judged:
        return _answer(report_of(request.read_table(), request))
    table, judgments, runs = request.read_scored()
    return _answer(report_of(table, request, judgments, runs))


def _answer(made: Report) -> Answer[Report]:
    page = made.page
    return Answer(made, View(), page.inputs, page.warnings, page.provenance.inputs)
