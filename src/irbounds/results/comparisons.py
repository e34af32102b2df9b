"""Differences of systems on the same queries with intervals and tests, and ranks of systems."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from numpy.typing import NDArray

from ..presentation.column_roles import Column, Count, Key, PValue
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
UNDECIDED_NOTE = "?: the limits of adjusted p are on both sides of the level"
MAX_NAMED = 3  # systems or pairs in a sentence
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
        Column("p-value", "adjusted p", text=lambda comparison, _: comparison.adjusted_p_text),
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
    #: ids of the queries, and on each of them the scores of system and baseline
    queries: tuple[str, ...] = field(default=(), repr=False)
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

    @property
    def adjusted_p_text(self) -> str:
        """The adjusted p-value as text, with ``?`` if undecided."""
        return small_p(self.adjusted_p_value) + ("" if self.is_decided else "?")

    @property
    def _side(self) -> str:
        return "higher" if self.value > 0 else "lower"


class Comparisons(Results[Comparison]):
    """Comparisons of systems: a tuple of ``Comparison``, one per measure and pair.

    ``print`` shows the tables of the command, ``to_pandas`` returns their rows.
    """

    #: the queries of each pair, where they were requested
    by_query: Results[QueryDifference] = Results()
    #: comparisons between groups of queries, where there are groups
    interactions: Results[GroupInteraction] = Results()

    def __new__(cls, comparisons: Any = (), **attributes: Any) -> Comparisons:
        """Return comparisons with their queries or groups."""
        made = super().__new__(cls, comparisons)
        made.__dict__.update(attributes)
        return made


def _has_one_baseline(family: Sequence[Comparison]) -> bool:
    return len({comparison.baseline for comparison in family}) == 1


def _title(family: Sequence[Comparison], view: View) -> str:
    first = family[0]
    baseline = f" from {first.baseline}" if _has_one_baseline(family) else ""
    individual = "" if first.n_comparisons == 1 else "individual "
    queries = pluralise_queries(first.n, view.queries)
    return (
        f"{first.measure}: mean difference{baseline} over {queries} with its "
        f"{individual}{describe_interval(first.interval)}"
    )


def _caption(family: Sequence[Comparison]) -> str:
    first = family[0]
    return join_caption(
        f"p: {TEST_WORDS[first.test]}, {ADJUSTMENT_WORDS[first.adjustment]} for "
        f"{pluralise(first.n_comparisons, 'comparison')}",
        describe_draw_counts(family),
    )


def describe_draw_counts(family: Sequence[Comparison]) -> str:
    """Return the number of resamples and the seed, and the mark of undecided comparisons."""
    first = family[0]
    return join_caption(
        "" if all(comparison.is_decided for comparison in family) else UNDECIDED_NOTE,
        describe_draws(first.n_resamples, "resamples", first.seed),
    )


def _sentences(comparisons: Sequence[Comparison], view: View) -> list[str]:
    """Return one sentence per measure: which systems differ significantly, and how."""
    return [_sentence(family) for family in group_by_measure(comparisons)]


def _sentence(family: Sequence[Comparison]) -> str:
    sentences = (
        _describe_directions(family) if _has_one_baseline(family) else _describe_pairs(family)
    )
    sentences += _describe_undecided(family)
    return f"{family[0].measure}: {'; '.join(sentences)} ({level_words(family[0])})."


def describe_differences(family: Sequence[Comparison]) -> str:
    """Return how many systems score lower and higher than the one that they are compared with."""
    return ", ".join([*_describe_directions(family)[:1], *_describe_undecided(family)])


def level_words(comparison: Comparison) -> str:
    """Return ``5 % level, Holm's adjustment``."""
    return f"{_level(comparison)}, {ADJUSTMENT_WORDS[comparison.adjustment]}"


def _level(comparison: Comparison) -> str:
    return f"{significant(error_level(comparison.interval.confidence_level) * 100, 3)} % level"


def _describe_undecided(family: Sequence[Comparison]) -> list[str]:
    """Return how many comparisons have no test, or a p-value too inaccurate to decide."""
    sentences, m = [], len(family)
    if unknown := sum(math.isnan(comparison.adjusted_p_value) for comparison in family):
        sentences.append(f"no test for {unknown:,} of {m:,}")
    undecided = [comparison for comparison in family if not comparison.is_decided]
    if undecided:
        be = "is" if len(undecided) == 1 else "are"
        sentences.append(f"{len(undecided):,} of {m:,} {be} undecided (marked ?)")
    return sentences


def _describe_directions(family: Sequence[Comparison]) -> list[str]:
    """Return which systems score lower or higher than the baseline, and which do not."""
    baseline, side = family[0].baseline, family[0].alternative
    differing = [comparison for comparison in family if comparison.is_significant]
    others = [
        comparison
        for comparison in family
        if comparison.adjusted_p_value > 0 and not comparison.is_significant
    ]
    if len(family) == 1:
        sentences = [
            f"{comparison.system} scores significantly {comparison._side} than {baseline}"
            for comparison in differing
        ]
        return sentences + [
            f"{comparison.system} {_deny_difference(side, 1)} {baseline}" for comparison in others
        ]
    if not differing:
        verb = (
            "differs significantly from"
            if side == "two-sided"
            else f"scores {_name_side(side)} than"
        )
        return [f"none of the {len(family):,} others {verb} {baseline}"]
    sentences = [_count_directions(differing, len(family))]
    if others:
        names = [comparison.system for comparison in others]
        text = join_names(names) if len(names) <= MAX_NAMED else f"{len(names):,}"
        sentences.append(f"{text} {_deny_difference(side, len(names))} it")
    return sentences


def _name_side(side: Alternative) -> str:
    return "higher" if side == "greater" else "lower"


def _deny_difference(side: Alternative, n: int) -> str:
    be = "is" if n == 1 else "are"
    if side == "two-sided":
        return f"{be} not significantly different from"
    return f"{be} not shown to score {_name_side(side)} than"


def _count_directions(differing: Sequence[Comparison], n_others: int) -> str:
    """Return ``12 of the 13 others score significantly lower than pircRBa1 and 1 higher``."""
    sides = Counter(comparison._side for comparison in differing)
    (side, n), *other = [(name, sides[name]) for name in ("lower", "higher") if sides[name]]
    many = f"all {n:,}" if n == n_others else f"{n:,} of the {n_others:,}"
    verb = "scores" if n == 1 else "score"
    also = "".join(f" and {more:,} {which}" for which, more in other)
    return f"{many} others {verb} significantly {side} than {differing[0].baseline}{also}"


def _describe_pairs(family: Sequence[Comparison]) -> list[str]:
    """Return how many pairs differ significantly, and which where these are few."""
    differing = [comparison for comparison in family if comparison.is_significant]
    sentence = f"{len(differing):,} of {len(family):,} pairs differ significantly"
    if not 0 < len(differing) <= MAX_NAMED:
        return [sentence]
    which = ", ".join(
        f"{comparison.system} scores {comparison._side} than {comparison.baseline}"
        for comparison in differing
    )
    return [f"{sentence}: {which}"]


def _select(family: Sequence[Comparison]) -> tuple[tuple[int, ...], str]:
    """Return the rows that a terminal shows, where there are many, and a line on them.

    With one baseline these are the systems of highest mean, else the pairs closest to the decision.
    """
    if len(family) <= MAX_ROWS:
        return (), ""
    if _has_one_baseline(family):
        rows, what, which = list(range(MAX_ROWS)), "systems", "those of highest mean"
    else:
        rows, what = list_closest(family, MAX_ROWS), "pairs"
        which = f"the closest to the {_level(family[0])}"
    n = Counter(comparison.is_significant for comparison in family)
    n_rows = Counter(family[row].is_significant for row in rows)
    return tuple(rows), (
        f"{MAX_ROWS} of {len(family):,} {what}, {which}: {n_rows[True]} of {n[True]:,} "
        f"significant, {n_rows[False]} of {n[False]:,} others (all: {WHERE_ALL_IS})"
    )


def list_closest(family: Sequence[Comparison], n: int) -> list[int]:
    """Return the places of the n comparisons closest to the decision; those without a test last."""

    def distance(place: int) -> float:
        p = family[place].adjusted_p_value
        return math.inf if math.isnan(p) else abs(p - level)

    level = error_level(family[0].interval.confidence_level)
    return sorted(sorted(range(len(family)), key=distance)[:n])


def _topics(family: Sequence[Comparison]) -> list[str]:
    first = family[0]
    return ["difference", first.interval.method, first.test, first.adjustment]


present(
    Comparison,
    Presentation(
        lambda rows: (
            f"Differences from {rows[0].baseline}" if _has_one_baseline(rows) else "Differences"
        ),
        columns=(
            *("system", "baseline?", "difference", "interval", "effect_size"),
            *("p_value", "adjusted_p_value"),
        ),
        title=_title,
        caption=_caption,
        order=lambda comparison: -comparison.value,
        spare=("effect size", "p"),
        sentences=_sentences,
        select=_select,
        figures=("difference_plots:draw_differences",),
        topics=_topics,
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
        caption=_caption,
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
    return (
        f"from, to and letters hold together at {level}: {TEST_WORDS['t']} of all pairs, "
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
