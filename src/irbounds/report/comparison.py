"""Comparisons as tables, largest difference first, and what they say in one sentence."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..results import Comparison, records
from .captions import bar_of, caption_of, drawn
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
FOUND = {"two-sided": "differ from", "greater": "score higher than", "less": "score lower than"}
HEADINGS = {"system": "system", "baseline": "minus"}
#: the first to go where the terminal is narrow
SPARE = ("detectable", "effect size", "p")


def comparison_tables(
    comparisons: Sequence[Comparison], rule: str, digits: int | None = None
) -> list[Table]:
    """One table a measure, largest difference first; ``rule`` says what queries they are over."""
    return [_table(family, rule, digits) for family in by_measure(comparisons)]


def comparison_sentences(comparisons: Sequence[Comparison]) -> list[str]:
    """One sentence a measure: how many comparisons show a difference at the interval's level."""
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
        f"{first.measure}: mean difference{baseline} over {first.n:,} {rule} with its "
        f"{interval_words(first.interval)}{alone}"
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
    found = sum(one.adjusted_p_value <= level for one in family)
    adjusted = "without adjustment"
    if first.adjustment != "none":
        adjusted = f"after {ADJUSTMENT_WORDS[first.adjustment]}"
    counted = f"{first.measure}: {_counted(found, family)}"
    said = [f"{counted} at the {significant(level * 100, 3)} % level {adjusted}"]
    unknown = sum(math.isnan(one.adjusted_p_value) for one in family)
    if unknown:
        said.append(f"no test for {unknown:,} of {m:,}")
    stuck = sum(_too_few_draws(one, level) for one in family)
    if stuck:
        said.append(f"too few draws to tell for {stuck:,} of {m:,}")
    return "; ".join(said)


def _counted(found: int, family: Sequence[Comparison]) -> str:
    m, baselines = len(family), {one.baseline for one in family}
    if m > 1 and len(baselines) > 1:
        return f"{found:,} of {m:,} pairs differ"
    words = FOUND[family[0].alternative]
    if m == 1:
        words = words.replace("differ", "differs").replace("score", "scores")
    return f"{found:,} of {m:,} system{'s' if m > 1 else ''} {words} {baselines.pop()}"


def _too_few_draws(one: Comparison, level: float) -> bool:
    """Whether more draws could find what these cannot: the least p-value, and still above."""
    adjusts = one.adjustment != "max-statistic"
    return adjusts and _at_least(one) and one.adjusted_p_value > level
