"""``difference_interval``: systems compared on the same queries, with intervals and tests."""

from __future__ import annotations

from math import ceil
from typing import Any

from ..errors import ParameterError
from ..intervals.methods import METHODS
from ..resampling.streams import SeedLike, seed_number
from ..results import Comparison, Results
from ..scores.score_input import as_score_table
from ..validation import (
    Alternative,
    Progress,
    check_alternative,
    check_bounds,
    check_choice,
    check_confidence_level,
    check_count,
    check_level,
)
from .adjustments import ADJUSTMENTS
from .family import compare_family
from .memory import check_memory, check_pairs_fit, keeps_distributions, most_signs
from .pairs import Pairs, pairs_of
from .plan import Plan
from .tests_of_difference import TESTS

DRAWS = 9_999  # unless more are needed
MAX_DRAWS = 10_000_000  # unless more are asked for: seconds for some systems


def difference_interval(
    scores: Any,
    *,
    baseline: str | None = None,
    method: str = "student-t",
    confidence_level: float = 0.95,
    n_resamples: int | None = None,
    rng: SeedLike = 0,
    alternative: Alternative = "two-sided",
    test: str = "sign-flip",
    adjustment: str = "holm",
    power: float = 0.8,
    bounds: tuple[float, float] | None = None,
    progress: Progress | None = None,
) -> Results[Comparison]:
    """Return mean differences between systems on the same queries, with intervals and tests.

    Where the differences allow no interval, its ends are NaN and a ``DegenerateSampleWarning`` says
    why. The interval and ``p_value`` are those of one pair; ``adjusted_p_value`` allows for all
    comparisons of the measure.

    Parameters
    ----------
    scores
        A ``ScoreTable`` (from ``score`` or ``read_scores``), or anything ``read_scores`` takes;
        at least two systems.
    baseline
        The system that all others are compared with, as system - baseline. By default all pairs
        are compared, the better system first.
    method
        As in ``mean_interval``, except ``"normal"``: ``"student-t"``, ``"studentised-logit"``,
        ``"studentised"``, ``"bca"``, ``"percentile"`` or ``"basic"``.
    confidence_level
        A fraction between 0 and 1.
    n_resamples
        The number of random draws, for methods and tests that draw. By default 9,999, and for the
        sign-flip test of many pairs as many as their adjustment needs to detect any difference.
    rng
        Seed or generator, as in scipy. The same seed gives the same bits on any number of threads.
        None draws a new seed, which the result names.
    alternative
        Of interval and test: ``"two-sided"``, or with a baseline ``"greater"`` (than it) or
        ``"less"``.
    test
        ``"sign-flip"`` (exact up to 30 differences other than 0), ``"t"``, ``"wilcoxon"`` or
        ``"bootstrap"``.
    adjustment
        ``"holm"``, ``"benjamini-hochberg"``, ``"max-statistic"`` (the randomised Tukey HSD) or
        ``"none"``.
    power
        The power of ``detectable_difference``, the smallest true difference that a single t test of
        this many queries detects with this probability.
    bounds
        The minimum and maximum of a score, for ``"studentised-logit"``; known for the usual
        measures.
    progress
        Called with the amount of work done and the amount of the present step.

    Returns
    -------
    Results of Comparison
        One per measure and pair.

    Examples
    --------
    >>> import pandas as pd
    >>> old, new = [0.1, 0.4, 0.3, 0.0, 0.2], [0.3, 0.5, 0.3, 0.2, 0.5]
    >>> table = {"AP": pd.DataFrame({"old": old, "new": new})}
    >>> found, = difference_interval(table, baseline="old")
    >>> round(found.value, 3), [round(end, 3) for end in found.interval]
    (0.16, [0.018, 0.302])
    >>> found.p_value
    0.125
    """
    check_comparison(method, confidence_level, alternative, test, adjustment, power, baseline)
    table = as_score_table(scores)
    check_pairs_fit(table, baseline)
    families = pairs_of(table, baseline)
    given = None if n_resamples is None else check_count("n_resamples", n_resamples)
    plan = Plan(
        method,
        check_bounds(bounds),
        float(confidence_level),
        check_alternative(alternative),
        test,
        adjustment,
        float(power),
        given or DRAWS,
        given or _enough_signs(families, adjustment, float(confidence_level)),
        seed_number(rng),
        table.inputs,
        progress,
    )
    check_memory(families, plan)
    keep = keeps_distributions(families, plan)
    return Results(
        comparison
        for pairs in families
        for comparison in compare_family(pairs, plan, keep_distributions=keep)
    )


def _enough_signs(families: list[Pairs], adjustment: str, confidence_level: float) -> int:
    """More than usual where a small p-value has to survive the adjustment for many pairs.

    Signs are cheap, since all pairs share them.
    """
    if adjustment not in ("holm", "benjamini-hochberg"):
        return DRAWS
    level = round(1 - confidence_level, 12)
    enough = min(ceil(len(families[0]) / level), MAX_DRAWS)
    return min(max(DRAWS, enough), most_signs(families))


def check_comparison(
    method: Any,
    confidence_level: Any,
    alternative: Any,
    test: Any,
    adjustment: Any,
    power: Any,
    baseline: Any,
) -> None:
    """What can be checked before any score is read."""
    if isinstance(method, str) and method == "normal":
        raise ParameterError(
            "method 'normal' needs a known standard deviation, and that of differences is never "
            "known; 'student-t' estimates it"
        )
    check_choice("method", method, [name for name in METHODS if name != "normal"])
    check_confidence_level(confidence_level)
    check_choice("test", test, TESTS)
    check_choice("adjustment", adjustment, [*ADJUSTMENTS, "max-statistic"])
    check_level("power", power)
    check_sides(check_alternative(alternative), baseline)


def check_sides(alternative: Alternative, baseline: str | None) -> None:
    """Raise ``ParameterError`` for a one-sided test of pairs whose order the scores decide."""
    if alternative != "two-sided" and baseline is None:
        raise ParameterError(
            f"alternative {alternative!r} needs a baseline: without one the scores decide which "
            "system of a pair comes first, and a one-sided test would not be honest"
        )
