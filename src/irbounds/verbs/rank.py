"""``rank``: ranks of systems, with intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from ..requests.inputs import RunOptions, ScoreInput, answer_about
from ..requests.options import ConfidenceLevel
from ..requests.request import Option
from ..requests.verb import verb
from ..results.result import Answer
from ..validation import RankCriterion

if TYPE_CHECKING:
    from ..results import RankEstimate, Results


By = Annotated[
    RankCriterion,
    Option(
        "Rank by the mean score or by Borda points.",
        "borda: on every query one point for each system that is beaten and half for a tie, summed "
        "over queries, as on the leaderboard of MTEB.",
    ),
]


@dataclass(frozen=True, kw_only=True)
class RankRequest(RunOptions, ScoreInput):
    """The options of ``rank``."""

    by: By = "mean"
    confidence_level: ConfidenceLevel = 0.95


@verb(
    RankRequest,
    group="Compare systems",
    docs="ranking",
    shows=("table", "figure", "report"),
    is_parallel=False,
    examples=(
        "irbounds rank qrels.txt runs/ -m nDCG@10",
        "irbounds rank --scores AP=scores.csv --confidence-level 0.9 -o leaderboard.md",
        "irbounds rank qrels.txt runs/ -m AP --figure ranks.svg",
        "irbounds rank --scores results/ --by borda",
    ),
)
def rank(request: RankRequest) -> Answer[Results[RankEstimate]]:
    """Show the rank of every system with its interval, and ties.

    All pairs of systems are compared as ``irbounds compare`` does, by paired t tests with Holm's
    adjustment. Ranks and groups of a measure hold simultaneously at the confidence level.

    Returns
    -------
    Results of RankEstimate
        ``.value`` is the rank, ``.interval`` its interval, ``.letters`` the groups.

    Examples
    --------
    >>> import irbounds
    >>> scores = {"a": [0.1, 0.2, 0.1, 0.3], "b": [0.6, 0.7, 0.8, 0.6], "c": [0.6, 0.6, 0.9, 0.7]}
    >>> [(row.system, row.value) for row in irbounds.rank(scores=scores)]
    [('c', 1), ('b', 2), ('a', 3)]
    """
    from ..comparisons.ranks import rank_interval
    from ..progress import show_progress

    table = request.read_table()
    with show_progress("comparing systems") as progress:
        ranks = rank_interval(
            table, by=request.by, confidence_level=request.confidence_level, progress=progress
        )
    return answer_about(request, table, ranks)
