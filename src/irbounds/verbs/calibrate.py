"""``calibrate``: the actual error rate of interval methods for these scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from ..requests.inputs import ScoreInput, answer_about
from ..requests.options import (
    N_QUERIES,
    RESAMPLES,
    Bounds,
    ConfidenceLevels,
    Method,
    PriorVariance,
    Samples,
    Seed,
)
from ..requests.request import Option
from ..requests.verb import verb
from ..results.result import Answer

if TYPE_CHECKING:
    from ..results import CalibrationRow, Results

Replacement = Annotated[
    bool,
    Option("Draw samples with replacement.", "Park (2010) drew without.", panel="Advanced"),
]


@dataclass(frozen=True, kw_only=True)
class CalibrateRequest(ScoreInput):
    """The options of ``calibrate``."""

    n_queries: Annotated[Sequence[int] | int, N_QUERIES] = (5, 10, 20, 50)
    method: Method = None
    confidence_level: ConfidenceLevels = (0.95,)
    n_samples: Samples = 1000
    n_resamples: Annotated[int, RESAMPLES] = 1000
    replacement: Replacement = True
    bounds: Bounds = None
    prior_variance: PriorVariance = None
    seed: Seed = 0


@verb(
    CalibrateRequest,
    group="Look into methods",
    docs="calibrate",
    examples=(
        "irbounds calibrate --scores scores.csv -m AP",
        "irbounds calibrate qrels.txt runs/ -m AP --n-queries 5,10,25",
        "irbounds calibrate --scores AP=scores.csv --method student-t,bca --bounds 0,1",
    ),
)
def calibrate(request: CalibrateRequest) -> Answer[Results[CalibrationRow]]:
    """Compare nominal and actual coverage of interval methods.

    The queries are taken as the whole population, so that the true means are known. Samples of n
    queries are drawn for every system, and the intervals that miss the mean are counted. A method
    is called honest if its error rate exceeds the nominal one by at most a fifth, within the noise
    of the simulation. The honest method with the lowest interval score, which combines width and
    misses, is recommended.

    Returns
    -------
    Results of CalibrationRow
        One per measure, method, level and number of queries.

    Examples
    --------
    >>> import irbounds
    >>> scores = {"a": [0.1, 0.2, 0.9, 0.3, 0.4, 0.6], "b": [0.6, 0.7, 0.8, 0.6, 0.3, 0.1]}
    >>> rows = irbounds.calibrate(scores=scores, n_queries=5, method="student-t", n_samples=100)
    >>> rows[0].n, rows[0].method
    (5, 'student-t')
    """
    from ..parallel.progress import show_progress
    from ..planning.calibration import calibrate as calibration
    from ..planning.calibration import measures_bounded_by_scores

    table = request.read_table()
    with show_progress("trying samples") as progress:
        rows = calibration(
            table,
            request.n_queries,
            methods=request.method,
            confidence_levels=request.confidence_level,
            n_samples=request.n_samples,
            n_resamples=request.n_resamples,
            replacement=request.replacement,
            bounds=request.bounds,
            prior_variance=request.prior_variance,
            rng=request.seed,
            progress=progress,
        )
    measures = measures_bounded_by_scores(rows, request.bounds)
    lines = [
        f"{measure}: its bounds are not known; taken as 0 and 1, since all scores are between "
        "them (--bounds LOW,HIGH, in Python bounds=(low, high), gives others)"
        for measure in measures
    ]
    facts = {
        name: getattr(request, name) for name in ("seed", "n_samples", "n_resamples", "replacement")
    }
    facts["bounds_from_scores"] = measures
    return answer_about(request, table, rows, facts=facts, lines=lines)
