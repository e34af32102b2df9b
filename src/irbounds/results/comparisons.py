"""Differences of systems on the same queries, with intervals and tests."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from ..presentation.column_roles import Column, Count, Key
from ..presentation.phrases import (
    WHERE_ALL_IS,
    describe_draws,
    describe_interval,
    group_by_measure,
    join_caption,
    join_names,
    pluralise,
    pluralise_queries,
)
from ..presentation.registry import Presentation, View, present
from ..presentation.rounding import (
    CHANCE_DECIMALS,
    EFFECT_DECIMALS,
    MAX_DECIMALS,
    decimals,
    decimals_of_fraction,
    error_level,
    fixed,
    format_setting,
    percent,
    significant,
    small_p,
)
from ..validation import Alternative
from .interval import Adjustable, Interval, Limits
from .result import InputFile, Result

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
MOST_NAMED = 3  # systems or pairs in a sentence
MAX_ROWS = 20  # on a terminal, per measure


@dataclass(frozen=True, eq=False)
class Comparison(Adjustable, Result):
    """The mean difference of two systems on the same queries, with interval and test."""

    measure: Key
    system: Key
    baseline: Annotated[str, Column("key", "minus")]
    #: mean of system - baseline
    value: Annotated[float, Column(name="difference")]
    interval: Interval
    standard_error: float
    #: the mean difference in standard deviations of the differences
    effect_size: Annotated[float, Column(places=EFFECT_DECIMALS)]
    p_value: Annotated[float, Column("p-value", "p", text=lambda one, _: one.p_text)]
    adjusted_p_value: Annotated[
        float, Column("p-value", "adjusted p", text=lambda one, _: one.adjusted_p_text)
    ]
    #: the smallest true difference that a t test of this many queries would show with this power
    detectable_difference: Annotated[float, Column(heading="detectable")]
    n: Count
    #: how many comparisons of this measure were adjusted for
    n_comparisons: Count
    #: ``"t"``, ``"sign-flip"``, ``"wilcoxon"`` or ``"bootstrap"``
    test: str
    #: the side of the test
    alternative: Annotated[Alternative, Column(name="alternative")]
    #: ``"holm"``, ``"benjamini-hochberg"``, ``"max-statistic"`` or ``"none"``
    adjustment: str
    power: float
    limits: Limits = field(repr=False)
    #: bootstrap means of the difference, for a method that has them; None where all pairs together
    #: would take too much memory
    distribution: NDArray[np.float64] | None = field(default=None, repr=False)
    #: random draws behind the p-value, which is then at least 1 / (1 + n_draws); None for none
    n_draws: int | None = None
    #: bootstrap resamples and shuffles behind interval, bootstrap test and max-statistic
    n_resamples: int | None = None
    #: what ``rng`` to give to have the same again; None where nothing was drawn
    seed: int | None = None
    inputs: tuple[InputFile, ...] = field(default=(), repr=False)
    #: ids of the queries, and on each of them the scores of system and baseline
    queries: tuple[str, ...] = field(default=(), repr=False)
    scores: tuple[NDArray[np.float64], NDArray[np.float64]] | None = field(default=None, repr=False)

    @property
    def query_differences(self) -> NDArray[np.float64]:
        """The score of the system less that of the baseline, query by query."""
        if self.scores is None:
            return np.empty(0)
        system, baseline = self.scores
        return np.asarray(system - baseline)

    @property
    def is_significant(self) -> bool:
        """Whether the adjusted p-value is at most one minus the interval's level."""
        return self.adjusted_p_value <= error_level(self.interval.confidence_level)

    @property
    def p_text(self) -> str:
        """The p-value, to the digits that its draws give."""
        return _p_text(self.p_value, self.n_draws)

    @property
    def adjusted_p_text(self) -> str:
        """The adjusted p-value; it is the smallest possible where the p-value is."""
        if self.adjustment == "max-statistic":
            return _p_text(self.adjusted_p_value, self.n_resamples)
        smallest = self._is_smallest and self.adjusted_p_value < 1
        shown = _p_text(self.adjusted_p_value, self.n_draws).removeprefix(LEAST)
        return f"{LEAST}{shown}" if smallest else shown

    @property
    def has_too_few_draws(self) -> bool:
        """Whether more draws could show what these cannot."""
        smallest = self.adjustment != "max-statistic" and self._is_smallest
        return smallest and not self.is_significant and not math.isnan(self.adjusted_p_value)

    @property
    def _is_smallest(self) -> bool:
        return self.n_draws is not None and self.p_value <= 1 / (1 + self.n_draws)

    @property
    def _side(self) -> str:
        return "higher" if self.value > 0 else "lower"


LEAST = "\N{LESS-THAN OR EQUAL TO}"


def _p_text(p: float, n_draws: int | None) -> str:
    """Return a p-value; the smallest that its draws can give has a sign before it."""
    if n_draws is None:
        return small_p(p)
    shown = fixed(p, decimals_of_fraction(1 + n_draws, MAX_DECIMALS))
    return f"{LEAST}{shown}" if p <= 1 / (1 + n_draws) and p < 1 else shown


def _one_baseline(family: Sequence[Comparison]) -> bool:
    return len({one.baseline for one in family}) == 1


def _title(family: Sequence[Comparison], view: View) -> str:
    first = family[0]
    baseline = f" from {first.baseline}" if _one_baseline(family) else ""
    alone = "" if first.n_comparisons == 1 else ", each alone"
    queries = pluralise_queries(first.n, view.queries)
    return (
        f"{first.measure}: mean difference{baseline} over {queries} with its "
        f"{describe_interval(first.interval)}{alone}"
    )


def _caption(family: Sequence[Comparison]) -> str:
    first = family[0]
    return join_caption(
        f"p: {TEST_WORDS[first.test]}, {ADJUSTMENT_WORDS[first.adjustment]} for "
        f"{pluralise(first.n_comparisons, 'comparison')}",
        f"detectable: with a power of {format_setting(first.power)}",
        join_caption(
            describe_draws(first.n_draws, "draws"), describe_draws(first.n_resamples, "resamples")
        ),
        "" if first.seed is None else f"seed {first.seed}",
    )


def _sentences(comparisons: Sequence[Comparison], view: View) -> list[str]:
    """Return one sentence per measure: which systems differ significantly, and how."""
    return [_sentence(family) for family in group_by_measure(comparisons)]


def _sentence(family: Sequence[Comparison]) -> str:
    said = _directions(family) if _one_baseline(family) else _of_pairs(family)
    said += _undecided(family)
    return f"{family[0].measure}: {'; '.join(said)} ({level_words(family[0])})."


def describe_differences(family: Sequence[Comparison]) -> str:
    """Return how many systems score lower and higher than the one that they are compared with."""
    return ", ".join([*_directions(family)[:1], *_undecided(family)])


def level_words(one: Comparison) -> str:
    """Return ``5 % level, Holm's adjustment``."""
    return f"{_level(one)}, {ADJUSTMENT_WORDS[one.adjustment]}"


def _level(one: Comparison) -> str:
    return f"{significant(error_level(one.interval.confidence_level) * 100, 3)} % level"


def _undecided(family: Sequence[Comparison]) -> list[str]:
    """Return how many comparisons have no test, or too few draws to decide."""
    said, m = [], len(family)
    if unknown := sum(math.isnan(one.adjusted_p_value) for one in family):
        said.append(f"no test for {unknown:,} of {m:,}")
    if stuck := sum(one.has_too_few_draws for one in family):
        said.append(f"too few draws to decide for {stuck:,} of {m:,}")
    return said


def _directions(family: Sequence[Comparison]) -> list[str]:
    """Return which systems score lower or higher than the baseline, and which do not."""
    baseline, side = family[0].baseline, family[0].alternative
    found = [one for one in family if one.is_significant]
    others = [one for one in family if one.adjusted_p_value > 0 and not one.is_significant]
    others = [one for one in others if not one.has_too_few_draws]
    if len(family) == 1:
        said = [f"{one.system} scores significantly {one._side} than {baseline}" for one in found]
        return said + [f"{one.system} {_not_shown(side, 1)} {baseline}" for one in others]
    if not found:
        verb = (
            "differs significantly from" if side == "two-sided" else f"scores {_sides(side)} than"
        )
        return [f"none of the {len(family):,} others {verb} {baseline}"]
    said = [_scoring(found, len(family))]
    if others:
        names = [one.system for one in others]
        shown = join_names(names) if len(names) <= MOST_NAMED else f"{len(names):,}"
        said.append(f"{shown} {_not_shown(side, len(names))} it")
    return said


def _sides(side: Alternative) -> str:
    return "higher" if side == "greater" else "lower"


def _not_shown(side: Alternative, n: int) -> str:
    be = "is" if n == 1 else "are"
    if side == "two-sided":
        return f"{be} not significantly different from"
    return f"{be} not shown to score {_sides(side)} than"


def _scoring(found: Sequence[Comparison], n_others: int) -> str:
    """Return ``12 of the 13 others score significantly lower than pircRBa1 and 1 higher``."""
    sides = Counter(one._side for one in found)
    (side, n), *other = [(one, sides[one]) for one in ("lower", "higher") if sides[one]]
    many = f"all {n:,}" if n == n_others else f"{n:,} of the {n_others:,}"
    verb = "scores" if n == 1 else "score"
    also = "".join(f" and {more:,} {which}" for which, more in other)
    return f"{many} others {verb} significantly {side} than {found[0].baseline}{also}"


def _of_pairs(family: Sequence[Comparison]) -> list[str]:
    """Return how many pairs differ significantly, and which where these are few."""
    found = [one for one in family if one.is_significant]
    said = f"{len(found):,} of {len(family):,} pairs differ significantly"
    if not 0 < len(found) <= MOST_NAMED:
        return [said]
    which = ", ".join(f"{one.system} scores {one._side} than {one.baseline}" for one in found)
    return [f"{said}: {which}"]


def _select(family: Sequence[Comparison]) -> tuple[tuple[int, ...], str]:
    """Return the rows that a terminal shows, where there are many, and a line on them.

    With one baseline these are the systems of highest mean, else the pairs closest to the decision.
    """
    if len(family) <= MAX_ROWS:
        return (), ""
    if _one_baseline(family):
        rows, what, which = list(range(MAX_ROWS)), "systems", "those of highest mean"
    else:
        rows, what, which = _closest(family), "pairs", f"the closest to the {_level(family[0])}"
    n = Counter(one.is_significant for one in family)
    shown = Counter(family[row].is_significant for row in rows)
    return tuple(rows), (
        f"{MAX_ROWS} of {len(family):,} {what}, {which}: {shown[True]} of {n[True]:,} significant, "
        f"{shown[False]} of {n[False]:,} others (all: {WHERE_ALL_IS})"
    )


def _closest(family: Sequence[Comparison]) -> list[int]:
    """Return the rows closest to the decision: all that are left out are clearer or have no test.

    Half of them are the significant ones with the largest p-values and half the others with the
    smallest, where there are as many of both.
    """
    rows = sorted(range(len(family)), key=lambda row: _clarity(family[row]))
    yes = [row for row in rows if family[row].is_significant][::-1]
    no = [row for row in rows if not family[row].is_significant]
    n_yes = min(len(yes), max(MAX_ROWS // 2, MAX_ROWS - len(no)))
    return sorted([*yes[:n_yes], *no[: MAX_ROWS - n_yes]])


def _clarity(one: Comparison) -> tuple[float, ...]:
    """Return a key that is smallest for the clearest difference; largest without a test."""
    if math.isnan(one.adjusted_p_value):
        return (math.inf,)
    return one.adjusted_p_value, one.p_value, -abs(one.effect_size)


def _topics(family: Sequence[Comparison]) -> list[str]:
    first = family[0]
    return ["difference", first.interval.method, first.test, first.adjustment]


present(
    Comparison,
    Presentation(
        lambda rows: (
            f"Differences from {rows[0].baseline}" if _one_baseline(rows) else "Differences"
        ),
        columns=(
            *("system", "baseline?", "difference", "interval", "effect_size"),
            *("p_value", "adjusted_p_value", "detectable_difference"),
        ),
        title=_title,
        caption=_caption,
        order=lambda one: -one.value,
        spare=("detectable", "effect size", "p"),
        sentences=_sentences,
        select=_select,
        figures=("difference_plots:draw_differences",),
        topics=_topics,
    ),
)


LETTERS = (
    "Ranks, their intervals and letters hold for all pairs of systems together. This is stricter "
    "than comparing each system with one other: systems that share a letter are not significantly "
    "different by this joint test, and irbounds compare may find that some of them are."
)


@dataclass(frozen=True)
class RankInterval(Interval):
    """An interval of ranks; its ends are integers."""

    low: Annotated[int, Column("count", "from", "rank_low")]
    high: Annotated[int, Column("count", "to", "rank_high")]


@dataclass(frozen=True)
class RankEstimate(Result):
    """The rank of a system among others, with its interval."""

    measure: Key
    system: Key
    #: systems that share a letter are not significantly different, those that share none are
    letters: Key
    #: of its scores
    mean: float
    #: its rank: 1 for the highest mean; systems of equal mean share the better rank
    value: Annotated[int, Column("count", name="rank")]
    #: for all systems together at the level
    interval: RankInterval
    #: fraction of bootstrap resamples in which it has the highest mean
    best_probability: Annotated[float, Column("fraction", "fraction first", places=CHANCE_DECIMALS)]
    #: how far apart two means must lie to differ significantly, for all pairs together
    critical_difference: float
    n: Count
    n_resamples: Count
    seed: int


def _rank_title(rows: Sequence[RankEstimate], view: View) -> str:
    return f"{rows[0].measure}: ranks by the mean over {pluralise_queries(rows[0].n, view.queries)}"


def _rank_caption(rows: Sequence[RankEstimate]) -> str:
    first = rows[0]
    least = fixed(first.critical_difference, decimals(first.critical_difference))
    return join_caption(
        f"from, to and letters hold together at {percent(first.interval.confidence_level)} (means "
        f"over {least} apart, by the max-statistic)",
        "fraction first: of resamples in which it leads",
        describe_draws(first.n_resamples, "resamples", first.seed),
    )


def _rank_sentences(ranks: Sequence[RankEstimate], view: View) -> list[str]:
    """Return one sentence per measure on how much of the order is certain, and on the letters."""
    return [*(_rank_sentence(part) for part in group_by_measure(ranks)), LETTERS]


def _rank_sentence(ranks: Sequence[RankEstimate]) -> str:
    apart = sum(lower.interval.low > upper.value for upper, lower in pairwise(ranks))
    leaders = sum(rank.interval.low == 1 for rank in ranks)
    told = f"{apart:,} of {len(ranks) - 1:,} neighbours in the order differ significantly"
    if len(ranks) == 2:
        told = f"the two {'differ' if apart else 'do not differ'} significantly"
    return f"{ranks[0].measure}: {leaders:,} of {len(ranks):,} systems may be the best; {told}."


present(
    RankEstimate,
    Presentation(
        "Ranks",
        columns=("system", "letters", "mean", "rank", "rank_low", "rank_high", "best_probability"),
        title=_rank_title,
        caption=_rank_caption,
        places=lambda rows: decimals(rows[0].critical_difference),
        sentences=_rank_sentences,
        figures=("rank_plots:draw_ranks",),
        topics=lambda rows: ["rank", "max-statistic"],
    ),
)
