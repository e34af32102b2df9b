"""``standardise``: scores standardised by reference systems on each query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from ..presentation.registry import make_section
from ..requests.inputs import ScoreInput, answer_about
from ..requests.options import ConfidenceLevel, PerQuery
from ..requests.request import Option
from ..requests.verb import verb
from ..results.result import Answer
from ..validation import Transform

if TYPE_CHECKING:
    from ..results import Estimate, Evaluation

MAX_NAMED = 10  # reference systems in a line
REFERENCE = Option(
    "Systems to standardise by.", metavar="NAME,...", commas=True, default="all systems"
)
TRANSFORM = Option(
    "What is made of the distance from the mean, in standard deviations.",
    "z: the distance itself; normal-cdf: its normal distribution function, between 0 and 1.",
)


@dataclass(frozen=True, kw_only=True)
class StandardiseRequest(ScoreInput):
    """The options of ``standardise``."""

    reference: Annotated[Sequence[str] | str | None, REFERENCE] = None
    transform: Annotated[Transform, TRANSFORM] = "z"
    confidence_level: ConfidenceLevel = 0.95
    per_query: PerQuery = False


@verb(
    StandardiseRequest,
    group="Look into methods",
    docs="standardising",
    shows=("table", "figure", "top"),
    is_parallel=False,
    examples=(
        "irbounds standardise --scores AP=scores.csv",
        "irbounds standardise qrels.txt runs/ --reference bm25,dense",
        "irbounds standardise --scores AP=scores.csv --per-query -o z.csv",
    ),
)
def standardise(request: StandardiseRequest) -> Answer[Evaluation]:
    """Show scores standardised by reference systems, on each query.

    On every query, the mean of the reference systems' scores is subtracted from a score, and the
    rest is divided by their standard deviation, so that hard and easy queries count equally. Shows
    each system's mean over queries with its interval, best first. Queries on which all reference
    systems have the same score are left out and counted.

    Returns
    -------
    Evaluation
        A tuple of ``Estimate``; ``.scores`` is the table of standardised scores.

    Examples
    --------
    >>> import irbounds
    >>> scores = {"old": [0.1, 0.4, 0.3, 0.0], "new": [0.3, 0.5, 0.2, 0.2]}
    >>> irbounds.standardise(scores=scores).scores.values[0, 1].round(2).tolist()
    [0.71, 0.71, -0.71, 0.71]
    """
    from ..intervals.means import mean_interval
    from ..results import Evaluation
    from ..standardisation import standardise_scores

    raw = request.read_table()
    reference = request.reference or raw.systems
    table = standardise_scores(raw, reference, request.transform)
    estimates: Sequence[Estimate] = ()
    if not request.per_query:
        estimates = mean_interval(table, confidence_level=request.confidence_level)
    names = ", ".join([*reference[:MAX_NAMED], *(["..."] if reference[MAX_NAMED:] else [])])
    return answer_about(
        request,
        table,
        Evaluation(estimates, scores=table),
        lines=[f"reference systems {len(reference):,}: {names}"],
        facts={"standardisation": {"transform": request.transform, "systems": list(reference)}},
        make_sections=lambda view: [make_section(list(estimates) or [table], view)],
    )
