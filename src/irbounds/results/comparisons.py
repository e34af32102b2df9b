"""Differences of systems on the same queries with intervals and tests, and ranks of systems."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from numpy.typing import NDArray

from ..presentation.column_roles import Column, Count, Key, PValue
from ..presentation.phrases import (
    describe_draws,
    describe_interval,
    group_by_measure,
    join_caption,
    pluralise,
    pluralise_queries,
)
from ..presentation.registry import Presentation, View, present
from ..presentation.rounding import (
    EFFECT_DECIMALS,
    decimals,
    error_level,
    percent,
    significant,
    small_p,
)
from ..validation import Alternative
from .interval import Adjustable, Interval, Limits
from .result import InputFile, Result, Results

if TYPE_CHECKING:
    from .group_comparisons import GroupInteraction
    from .query_differences import QueryDifference

TEST_WORDS = {
    "t": "paired t test",
    "sign-flip": "sign-flip test",
    "wilcoxon": "Wilcoxon signed-rank test",
    "welch": "Welch's t test",
}
ADJUSTMENT_WORDS = {
    "holm": "Holm's adjustment",
    "benjamini-hochberg": "Benjamini and Hochberg's adjustment",
    "none": "no adjustment",
}
MAX_NAMED = 3  # pairs or groups in a sentence
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
    p_value: PValue
    adjusted_p_value: Annotated[
        float,
        Column(
            "p-value",
            "adjusted p",
            text=lambda row, _: small_p(row.adjusted_p_value) + ("" if row.is_decided else "?"),
        ),
    ]
    #: limits of the adjusted p-value: both equal to it unless it is computed on a grid
    adjusted_p_low: Annotated[float, Column("p-value")]
    adjusted_p_high: Annotated[float, Column("p-value")]
    n: Count
    #: how many comparisons of this measure were adjusted for
    n_comparisons: Count
    #: ``"t"``, ``"sign-flip"`` or ``"wilcoxon"``; ``"welch"`` of published means
    test: str
    #: the side of the test
    alternative: Annotated[Alternative, Column(name="alternative")]
    #: ``"holm"``, ``"benjamini-hochberg"`` or ``"none"``
    adjustment: str
    limits: Limits = field(repr=False)
    #: bootstrap resamples behind the interval
    n_resamples: int | None = None
    #: the ``rng`` that repeats the result; None without draws
    seed: int | None = None
    inputs: tuple[InputFile, ...] = field(default=(), repr=False)
    #: on each query, of system and baseline
    scores: tuple[NDArray[np.float64], NDArray[np.float64]] | None = field(default=None, repr=False)

    @property
    def query_differences(self) -> NDArray[np.float64]:
        """The score of the system minus that of the baseline, per query."""
        if self.scores is None:
            return np.empty(0)
        system, baseline = self.scores
        return np.asarray(system - baseline)

    @property
    def is_significant(self) -> bool:
        """Whether the adjusted p-value is at most one minus the interval's level."""
        return self.adjusted_p_value <= error_level(self.interval.confidence_level)

    @property
    def is_decided(self) -> Annotated[bool, Column()]:
        """Whether both limits of the adjusted p-value are on the same side of the level.

        If not, a finer grid could turn the decision.
        """
        level = error_level(self.interval.confidence_level)
        return not self.adjusted_p_low <= level < self.adjusted_p_high


class Comparisons(Results[Comparison]):
    """Comparisons of systems: a tuple of ``Comparison``, one per measure and pair.

    ``print`` shows the tables of the command, ``to_pandas`` returns their rows.
    """

    #: the queries of each pair, where they were requested
    by_query: Results[QueryDifference] = Results()
    #: comparisons between groups of queries, where there are groups
    interactions: Results[GroupInteraction] = Results()


def has_one_baseline(rows: Sequence[Any]) -> bool:
    """Return whether all systems are compared with the same one."""
    return len({row.baseline for row in rows}) == 1


def _title(family: Sequence[Comparison], view: View) -> str:
    first = family[0]
    baseline = f" from {first.baseline}" if has_one_baseline(family) else ""
    individual = "" if first.n_comparisons == 1 else "individual "
    queries = pluralise_queries(first.n, view.queries)
    return (
        f"{first.measure}: mean difference{baseline} over {queries} with its "
        f"{individual}{describe_interval(first.interval)}"
    )


def make_caption(family: Sequence[Comparison]) -> str:
    """Return the test, the adjustment and the draws of the last comparisons of a family."""
    last = family[-1]
    is_decided = all(comparison.is_decided for comparison in family)
    return join_caption(
        f"p: {TEST_WORDS[last.test]}, {ADJUSTMENT_WORDS[last.adjustment]} for "
        f"{pluralise(last.n_comparisons, 'comparison')}",
        "" if is_decided else "?: the limits of adjusted p are on both sides of the level",
        describe_draws(last.n_resamples, "resamples", last.seed),
    )


def _sentences(comparisons: Sequence[Comparison], view: View) -> list[str]:
    """Return one sentence per measure: which systems differ significantly, and how."""
    return [
        f"{family[0].measure}: {describe_differences(family)} ({level_words(family[0])})."
        for family in group_by_measure(comparisons)
    ]


def level_words(comparison: Comparison) -> str:
    """Return ``5 % level, Holm's adjustment``."""
    level = significant(error_level(comparison.interval.confidence_level) * 100, 3)
    return f"{level} % level, {ADJUSTMENT_WORDS[comparison.adjustment]}"


def describe_differences(family: Sequence[Comparison]) -> str:
    """Return which pairs differ, or how many others score lower and higher than the baseline."""
    differing = [row for row in family if row.is_significant]
    sides = ["higher" if row.value > 0 else "lower" for row in differing]
    pairs = [
        f"{row.system} scores {side} than {row.baseline}"
        for row, side in zip(differing, sides, strict=True)
    ]
    n, baseline = len(family), family[0].baseline
    untested = sum(math.isnan(row.adjusted_p_value) for row in family)
    if untested == n:
        return f"no test for {n:,} of {n:,}"
    if not has_one_baseline(family):
        text = f"{len(differing):,} of {n:,} pairs differ significantly"
        text += f": {', '.join(pairs)}" if 0 < len(pairs) <= MAX_NAMED else ""
    elif n == 1 and differing:
        text = f"{family[0].system} scores significantly {sides[0]} than {baseline}"
    elif n == 1:
        text = f"{family[0].system} is not significantly different from {baseline}"
    elif not differing:
        text = f"none of the {n:,} others differs significantly from {baseline}"
    else:
        counts = [(side, sides.count(side)) for side in ("lower", "higher") if side in sides]
        (side, first), *rest = counts
        many = f"all {n:,}" if first == n else f"{first:,} of the {n:,}"
        verb = "scores" if first == 1 else "score"
        text = f"{many} others {verb} significantly {side} than {baseline}"
        text += "".join(f" and {more:,} {other}" for other, more in rest)
    return f"{text}, no test for {untested:,} of {n:,}" if untested else text


present(
    Comparison,
    Presentation(
        lambda rows: (
            f"Differences from {rows[0].baseline}" if has_one_baseline(rows) else "Differences"
        ),
        columns=(
            *("system", "baseline?", "difference", "interval", "effect_size"),
            *("p_value", "adjusted_p_value"),
        ),
        title=_title,
        caption=make_caption,
        order=lambda comparison: -comparison.value,
        spare=("effect size", "p"),
        sentences=_sentences,
        max_rows=MAX_ROWS,
        figures=("difference_plots:draw_differences",),
        topics=lambda rows: [
            *("difference", rows[0].interval.method, rows[0].test, rows[0].adjustment)
        ],
    ),
)


@dataclass(frozen=True, eq=False)
class PublishedComparison(Comparison):
    """The difference of two published means, each over queries of its own."""

    baseline_n: Count = 0
    degrees_of_freedom: Annotated[float, Column(heading="df", places=1)] = math.nan


present(
    PublishedComparison,
    Presentation(
        "Differences of published means",
        columns=(
            *("system", "baseline", "n", "baseline_n", "difference", "interval"),
            *("degrees_of_freedom", "p_value", "adjusted_p_value"),
        ),
        title=lambda rows, view: (
            f"{rows[0].measure}: difference of published means with its "
            f"{describe_interval(rows[0].interval)}"
        ),
        caption=make_caption,
        spare=("df", "p", "baseline n", "n"),
        sentences=_sentences,
        figures=("difference_plots:draw_differences",),
        topics=lambda rows: ["published-means", "welch", rows[0].adjustment],
    ),
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
    #: systems with a common letter are not significantly different, those without one are; empty
    #: for more than 26 groups
    letters: Key
    #: of its scores
    mean: float
    #: its rank: 1 for the highest mean or most points; equal systems have the better rank
    value: Annotated[int, Column("count", name="rank")]
    #: for all systems together at the level
    interval: RankInterval
    n: Count
    #: ``"mean"`` or ``"borda"``
    by: str = "mean"
    #: sum over queries of the systems that it beats, where ranks are by Borda points
    points: Annotated[
        float | None,
        Column(places=1, note="systems beaten, summed over queries, one half for a tie"),
    ] = None


def _rank_title(rows: Sequence[RankEstimate], view: View) -> str:
    criterion = "Borda points" if rows[0].by == "borda" else "the mean"
    queries = pluralise_queries(rows[0].n, view.queries)
    return f"{rows[0].measure}: ranks by {criterion} over {queries}"


def _rank_caption(rows: Sequence[RankEstimate]) -> str:
    level = percent(rows[0].interval.confidence_level)
    columns = "from, to and letters" if any(row.letters for row in rows) else "from and to"
    return (
        f"{columns} hold together at {level}: {TEST_WORDS['t']} of all pairs, "
        f"{ADJUSTMENT_WORDS['holm']}"
    )


def choose_rank_places(rows: Sequence[RankEstimate]) -> int:
    """Return the decimals of means: three digits of the largest one."""
    return decimals(max(abs(row.mean) for row in rows) / 10)


def _rank_sentences(ranks: Sequence[RankEstimate], view: View) -> list[str]:
    """Return one sentence per measure on how much of the order is certain."""
    # a single row knows nothing of the others
    return [_rank_sentence(part) for part in group_by_measure(ranks) if len(part) > 1]


def _rank_sentence(ranks: Sequence[RankEstimate]) -> str:
    apart = sum(rank.interval.low - 1 for rank in ranks)  # each pair by its worse system
    leaders = sum(rank.interval.low == 1 for rank in ranks)
    sentence = f"{apart:,} of {math.comb(len(ranks), 2):,} pairs differ significantly"
    if len(ranks) == 2:
        sentence = f"the two {'differ' if apart else 'do not differ'} significantly"
    return f"{ranks[0].measure}: {leaders:,} of {len(ranks):,} systems may be the best; {sentence}."


present(
    RankEstimate,
    Presentation(
        "Ranks",
        columns=(*("system", "letters?", "points?", "mean", "rank", "rank_low", "rank_high"),),
        title=_rank_title,
        caption=_rank_caption,
        places=choose_rank_places,
        sentences=_rank_sentences,
        figures=("rank_plots:draw_ranks",),
        topics=lambda rows: [
            "rank",
            *(["borda"] if any(row.by == "borda" for row in rows) else []),
            *("t", "holm"),
        ],
    ),
)
