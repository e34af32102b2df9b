"""Verdicts: one sentence per measure on which system is best, and which are not different."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from ..presentation.phrases import group_by_measure, half_width, join_names
from ..presentation.rounding import decimals_of_column, fixed, percent
from ..results import Comparison, Estimate, Interval
from ..results.evaluation import best_first

MAX_NAMED = 3  # systems in a verdict


def verdicts(
    estimates: Sequence[Estimate], comparisons: Sequence[Comparison], baseline: str | None = None
) -> list[str]:
    """Return one sentence per measure: which system is best, and which are not different."""
    found = {part[0].measure: part for part in group_by_measure(comparisons)}
    return [
        _verdict(part, found.get(part[0].measure, []), baseline)
        for part in group_by_measure(estimates)
    ]


def _verdict(
    part: Sequence[Estimate], comparisons: Sequence[Comparison], baseline: str | None
) -> str:
    places = decimals_of_column(half_width(one.value, one.interval) for one in part)
    best, *others = sorted(part, key=best_first)
    value = fixed(best.value, places)
    if not others:
        scored = f"{best.system} scores {_with_ends(best.value, best.interval, places)}"
        return f"By {best.measure}, {scored}."
    if len(others) == 1:
        return _verdict_of_two(best, others[0], comparisons[0], places)
    if baseline is None:
        return f"By {best.measure}, {best.system} is best ({value}); {_others(comparisons)}."
    first = next(one for one in part if one.system == baseline)
    against = f"compared with {baseline} ({fixed(first.value, places)}), "
    lead = f"By {best.measure}, {best.system} is best ({value}); "
    if best.system == baseline:
        return f"{lead}{_others(comparisons)}."
    sides = [
        f"{len(names):,} {'scores' if len(names) == 1 else 'score'} significantly {side}"
        for side, names in _sides(comparisons).items()
        if names and side
    ]
    same = _sides(comparisons)[""]
    if same:
        sides.append(f"{_named(same)} not significantly different")
    return f"{lead}{against}{', '.join(sides)}."


def _verdict_of_two(best: Estimate, other: Estimate, found: Comparison, places: int) -> str:
    values = [fixed(one.value, places) for one in (best, other)]
    sign = 1 if found.system == best.system else -1
    decimals = decimals_of_column([half_width(found.value, found.interval)])
    low, high = sorted(sign * end for end in found.interval)
    interval = replace(found.interval, low=low, high=high)
    difference = f"difference {_with_ends(sign * found.value, interval, decimals)}"
    if found.is_significant:
        verb = f"{best.system} ({values[0]}) scores significantly higher than {other.system}"
        return f"By {best.measure}, {verb} ({values[1]}): {difference}."
    names = f"{best.system} ({values[0]}) and {other.system} ({values[1]})"
    return f"By {best.measure}, {names} are not significantly different: {difference}."


def _with_ends(value: float, interval: Interval, places: int) -> str:
    """Return ``0.310 (95 % interval 0.252 to 0.369)``."""
    if math.isnan(interval.low):
        return f"{fixed(value, places)}, without an interval"
    ends = " to ".join(fixed(end, places) for end in interval)
    return f"{fixed(value, places)} ({percent(interval.confidence_level)} interval {ends})"


def _sides(comparisons: Sequence[Comparison]) -> dict[str, list[str]]:
    """Return the systems that score higher, lower, and neither (under an empty name)."""
    sides: dict[str, list[str]] = {"higher": [], "lower": [], "": []}
    for one in comparisons:
        side = ("higher" if one.value > 0 else "lower") if one.is_significant else ""
        sides[side].append(one.system)
    return sides


def _named(systems: Sequence[str]) -> str:
    """Return ``a and b are``, or their number where they are many."""
    if len(systems) > MAX_NAMED:
        return f"{len(systems):,} are"
    return f"{join_names(systems)} {'is' if len(systems) == 1 else 'are'}"


def _others(comparisons: Sequence[Comparison]) -> str:
    """Return ``b is not significantly different, 12 of 13 others score significantly lower``."""
    sides, n = _sides(comparisons), len(comparisons)
    lower, same = sides["lower"], sides[""] + sides["higher"]
    if not lower:
        return f"none of the {n:,} others is significantly different"
    if not same:
        return f"all {n:,} others score significantly lower"
    verb = "scores" if len(lower) == 1 else "score"
    if len(same) > MAX_NAMED:
        rest = f"{len(lower):,} {verb} significantly lower"
        return f"{len(same):,} of {n:,} others are not significantly different, {rest}"
    rest = f"{len(lower):,} of {n:,} others {verb} significantly lower"
    return f"{_named(same)} not significantly different, {rest}"
