"""Comparisons as tables, largest difference first, and what they say in one sentence."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from ..results import Comparison, records
from .bars import bar_of
from .captions import caption_of, drawn
from .evaluation import ENDS, end_values, half_width, interval_words
from .families import by_measure
from .rounding import (
    EFFECT_DECIMALS,
    MOST,
    decimals_of_column,
    decimals_of_share,
    error_level,
    fixed,
    given,
    significant,
    small_p,
)
from .tables import Table
from .words import counted_queries

__all__ = ["comparison_sentences", "comparison_tables"]

TEST_WORDS = {
    "t": "paired t test",
    "sign-flip": "sign-flip test",
    "wilcoxon": "Wilcoxon signed-rank test",
    "bootstrap": "studentised bootstrap test",
}
ADJUSTMENT_WORDS = {
    "holm": "Holm's adjustment",
    "benjamini-hochberg": "Benjamini and Hochberg's adjustment",
    "max-statistic": "max-statistic adjustment",
    "none": "no adjustment",
}
TOLD = {
    "two-sided": "can be told from",
    "greater": "is shown to score above",
    "less": "is shown to score below",
}
UNTOLD = {
    "two-sided": "cannot be told from",
    "greater": "is not shown to score above",
    "less": "is not shown to score below",
}
MOST_NAMED = 3  # systems or pairs in a sentence
HEADINGS = {"system": "system", "baseline": "minus"}
#: the first to go where the terminal is narrow
SPARE = ("detectable", "effect size", "p")


def comparison_tables(
    comparisons: Sequence[Comparison], rule: str, digits: int | None = None
) -> list[Table]:
    """One table a measure, largest difference first; ``rule`` says what queries they are over."""
    return [_table(family, rule, digits) for family in by_measure(comparisons)]


def comparison_sentences(comparisons: Sequence[Comparison]) -> list[str]:
    """One sentence a measure: who differs from whom, and which way, at the interval's level."""
    return [_sentence(family) for family in by_measure(comparisons)]


def _table(family: Sequence[Comparison], rule: str, digits: int | None) -> Table:
    largest_first = sorted(family, key=lambda one: -one.difference)
    first = family[0]
    places = digits
    if places is None:
        places = decimals_of_column(half_width(one.difference, one.interval) for one in family)
    # against one baseline its name stands in the title, not in every row
    names = ("system",) if _one_baseline(family) else ("system", "baseline")
    return Table(
        title=_title(family, rule),
        headings=(
            *(*(HEADINGS[name] for name in names), "difference", *ENDS[first.interval.alternative]),
            *("effect size", "p", "adjusted p", "detectable"),
        ),
        cells=tuple(
            (*(getattr(one, name) for name in names), *_numbers(one, places))
            for one in largest_first
        ),
        records=tuple(records(largest_first)),
        first_number=len(names),
        caption=_caption(first),
        bars=tuple(bar_of(one.difference, one.interval) for one in largest_first),
        spare=SPARE,
    )


def _one_baseline(family: Sequence[Comparison]) -> bool:
    return len({one.baseline for one in family}) == 1


def _title(family: Sequence[Comparison], rule: str) -> str:
    first = family[0]
    baseline = f" from {first.baseline}" if _one_baseline(family) else ""
    alone = "" if first.n_comparisons == 1 else ", each alone"
    return (
        f"{first.measure}: mean difference{baseline} over {counted_queries(first.n, rule)} with "
        f"its {interval_words(first.interval)}{alone}"
    )


def _caption(first: Comparison) -> str:
    """Which test, adjusted how, on how many draws; what detectable means."""
    comparisons = "comparison" if first.n_comparisons == 1 else "comparisons"
    return caption_of(
        f"p: {TEST_WORDS[first.test]}, {ADJUSTMENT_WORDS[first.adjustment]} for "
        f"{first.n_comparisons:,} {comparisons}",
        f"detectable: with a power of {given(first.power)}",
        caption_of(drawn(first.n_draws, "draws"), drawn(first.n_resamples, "resamples")),
        "" if first.seed is None else f"seed {first.seed}",
    )


def _numbers(one: Comparison, places: int) -> tuple[str, ...]:
    numbers = (one.difference, *end_values(one.interval))
    return (
        *(fixed(number, places) for number in numbers),
        fixed(one.effect_size, EFFECT_DECIMALS),
        _p_text(one.p_value, one.n_draws, at_least=_at_least(one)),
        _p_text(one.adjusted_p_value, _draws_of_adjustment(one), at_least=_adjusted_at_least(one)),
        fixed(one.detectable_difference, places),
    )


def _draws_of_adjustment(one: Comparison) -> int | None:
    return one.n_resamples if one.adjustment == "max-statistic" else one.n_draws


def _at_least(one: Comparison) -> bool:
    """Whether the p-value is the least that its draws can give: more might give a smaller one."""
    return one.n_draws is not None and one.p_value <= 1 / (1 + one.n_draws)


def _adjusted_at_least(one: Comparison) -> bool:
    if one.adjustment == "max-statistic" and one.n_resamples is not None:
        return one.adjusted_p_value <= 1 / (1 + one.n_resamples)
    return _at_least(one)


def _p_text(p: float, n_draws: int | None, *, at_least: bool = False) -> str:
    """From draws, to the digits that they give; else small ones as below a round number."""
    if n_draws is not None:
        shown = fixed(p, decimals_of_share(1 + n_draws, most=MOST))
        return f"\N{LESS-THAN OR EQUAL TO}{shown}" if at_least and p < 1 else shown
    return small_p(p)


def _sentence(family: Sequence[Comparison]) -> str:
    first, m = family[0], len(family)
    level = error_level(first.interval.confidence_level)
    said = _directions(family, level) if _one_baseline(family) else _of_pairs(family, level)
    unknown = sum(math.isnan(one.adjusted_p_value) for one in family)
    if unknown:
        said.append(f"no test for {unknown:,} of {m:,}")
    stuck = sum(_too_few_draws(one, level) for one in family)
    if stuck:
        said.append(f"too few draws to tell for {stuck:,} of {m:,}")
    how = f"{significant(level * 100, 3)} % level, {ADJUSTMENT_WORDS[first.adjustment]}"
    return f"{first.measure}: {'; '.join(said)} ({how})."


def _directions(family: Sequence[Comparison], level: float) -> list[str]:
    """Who scores below the one baseline and who above, and who cannot be told from it."""
    baseline, alternative = family[0].baseline, family[0].alternative
    found = [one for one in family if one.adjusted_p_value <= level]
    untold = [
        one for one in family if one.adjusted_p_value > level and not _too_few_draws(one, level)
    ]
    if len(family) == 1:
        said = [f"{one.system} scores {_side(one)} {baseline}" for one in found]
        return said + [f"{one.system} {UNTOLD[alternative]} {baseline}" for one in untold]
    if not found:
        return [f"none of the {len(family):,} others {TOLD[alternative]} {baseline}"]
    said = [_scoring(found, len(family))]
    if untold:
        words = UNTOLD[alternative]
        if len(untold) > 1:
            words = words.replace("is not", "are not")
        said.append(f"{_named(untold)} {words} it")
    return said


def _scoring(found: Sequence[Comparison], n_others: int) -> str:
    """``12 of the 13 others score below pircRBa1 and 1 above it``."""
    sides = Counter(map(_side, found))
    (side, n), *other = [(one, sides[one]) for one in ("below", "above") if sides[one]]
    many = f"all {n:,}" if n == n_others else f"{n:,} of the {n_others:,}"
    verb = "scores" if n == 1 else "score"
    also = "".join(f" and {more:,} {which} it" for which, more in other)
    return f"{many} others {verb} {side} {found[0].baseline}{also}"


def _side(one: Comparison) -> str:
    return "above" if one.difference > 0 else "below"


def _named(some: Sequence[Comparison]) -> str:
    """The systems' names where they are few, else their number."""
    names = [one.system for one in some]
    if len(names) > MOST_NAMED:
        return f"{len(names):,}"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _of_pairs(family: Sequence[Comparison], level: float) -> list[str]:
    """How many pairs show a difference, and which where these are few."""
    found = [one for one in family if one.adjusted_p_value <= level]
    said = f"{len(found):,} of {len(family):,} pairs can be told apart"
    if not 0 < len(found) <= MOST_NAMED:
        return [said]
    which = ", ".join(f"{one.system} scores {_side(one)} {one.baseline}" for one in found)
    return [f"{said}: {which}"]


def _too_few_draws(one: Comparison, level: float) -> bool:
    """Whether more draws could find what these cannot: the least p-value, and still above."""
    adjusts = one.adjustment != "max-statistic"
    return adjusts and _at_least(one) and one.adjusted_p_value > level
