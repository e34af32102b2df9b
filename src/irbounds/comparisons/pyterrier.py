"""A test of a difference with the arguments and the result that PyTerrier's experiments expect."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import DegenerateSampleWarning, ParameterError
from ..measurement.names import UNNAMED
from ..scores.score_table import ScoreTable
from ..validation import TestName
from .differences import difference_interval

SYSTEMS = ("system", "baseline")


class PairedTest(NamedTuple):
    """A statistic and its p-value; PyTerrier takes the second."""

    statistic: float
    pvalue: float


def pyterrier_test(
    scores: Any,
    baseline_scores: Any,
    *,
    test: TestName = "t",
) -> PairedTest:
    """Test the difference between a system and the baseline, as ``test=`` of ``pt.Experiment``.

    Parameters
    ----------
    scores
        The scores of the system, one per query.
    baseline_scores
        The scores of the baseline on the same queries, in the same order.
    test
        As in ``compare``: ``"t"``, ``"sign-flip"`` or ``"wilcoxon"``. In an experiment:
        ``test=functools.partial(irbounds.pyterrier_test, test="sign-flip")``.

    Returns
    -------
    PairedTest
        A tuple. ``.statistic`` is the mean difference over its standard error whichever the test,
        and ``.pvalue`` the two-sided p-value. The p-value is 1 where all differences are 0. Where
        they are all equal and not 0, that of ``"t"`` is 0, as in scipy; ``compare`` has none. Nor
        has ``"t"`` one for a single query (NaN).

    Raises
    ------
    ParameterError
        If a score is NaN or infinite.

    Notes
    -----
    The p-value is of one comparison. ``correction="holm"`` of ``pt.Experiment`` adjusts the
    p-values of a measure for the number of systems, as ``compare`` does by default.

    Examples
    --------
    >>> new, old = [0.3, 0.5, 0.3, 0.2, 0.5], [0.1, 0.4, 0.3, 0.0, 0.2]
    >>> statistic, p_value = pyterrier_test(new, old)
    >>> round(statistic, 3), round(p_value, 3)
    (3.138, 0.035)
    """
    rows = [_as_scores("scores", scores), _as_scores("baseline_scores", baseline_scores)]
    if len(rows[0]) != len(rows[1]):
        raise ParameterError(
            "scores and baseline_scores must be of the same queries; got "
            f"{len(rows[0]):,} and {len(rows[1]):,} scores"
        )
    values = np.stack(rows)
    queries = tuple(map(str, range(1, values.shape[1] + 1)))
    with warnings.catch_warnings():  # about intervals, which are not shown
        warnings.simplefilter("ignore", DegenerateSampleWarning)
        (comparison,) = difference_interval(
            ScoreTable((UNNAMED,), SYSTEMS, queries, values[None]),
            baseline=SYSTEMS[1],
            test=test,
        )
    p_value = float(comparison.p_value)
    if test == "t" and np.isnan(p_value) and len(queries) > 1:
        p_value = 0.0  # equal differences other than 0 have no spread
    return PairedTest(_compute_statistic(values[0] - values[1], p_value), p_value)


def _as_scores(name: str, scores: Any) -> NDArray[np.float64]:
    try:
        values = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError):
        raise ParameterError(f"{name} must be numbers; got {type(scores).__name__}") from None
    if values.ndim != 1 or not values.size:
        raise ParameterError(f"{name} must be one per query; got an array of shape {values.shape}")
    faulty = np.flatnonzero(~np.isfinite(values))
    if faulty.size:
        raise ParameterError(
            f"{name} must be finite; got {values[faulty[0]]} for query {faulty[0] + 1:,}; leave "
            "out queries without a score"
        )
    return values


def _compute_statistic(differences: NDArray[np.float64], p_value: float) -> float:
    """Return the mean over its standard error; 0 for differences of 0, NaN without a p-value."""
    if not differences.any():
        return 0.0
    if np.isnan(p_value) or len(differences) == 1:
        return float("nan")
    spread = differences.std(ddof=1)
    if not spread:
        return float(np.copysign(np.inf, differences.mean()))
    return float(differences.mean() / (spread / np.sqrt(len(differences))))
