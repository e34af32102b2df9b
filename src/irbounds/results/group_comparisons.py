"""Differences of systems within groups of queries, and whether they differ between groups."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated

from ..presentation.column_roles import Column, Count, Key, PValue
from ..presentation.phrases import (
    WHERE_ALL_IS,
    describe_interval,
    group_by_measure,
    join_caption,
    join_names,
    pluralise,
)
from ..presentation.registry import Presentation, View, present
from ..presentation.rounding import (
    EFFECT_DECIMALS,
    UNKNOWN,
    describe_p,
    error_level,
    fixed,
    shortest,
)
from .comparisons import (
    ADJUSTMENT_WORDS,
    MAX_NAMED,
    MAX_ROWS,
    TEST_WORDS,
    Comparison,
    describe_draw_counts,
    level_words,
)
from .result import Result

ALL = "(all)"  # the group of all queries
CONCLUSION = (
    "A difference that is significant in one group and not in another does not show that the "
    "groups differ: look at the comparison between groups."
)


@dataclass(frozen=True, eq=False)
class GroupComparison(Comparison):
    """The mean difference of two systems on the queries of a group, with interval and test.

    The adjusted p-value allows for all pairs and groups of the measure. That of all queries, whose
    group is ``(all)``, allows for the pairs only, as without groups.
    """

    group: Annotated[str, Column("key", after="measure")] = ALL

    @property
    def is_of_all(self) -> bool:
        """Whether it is the comparison on all queries."""
        return self.group == ALL


@dataclass(frozen=True)
class GroupInteraction(Result):
    """The test whether a difference is the same in all groups of queries."""

    measure: Key
    system: Key
    baseline: Annotated[str, Column("key", "minus")]
    #: Welch's F statistic; NaN where fewer than two groups have a spread
    statistic: Annotated[float, Column(heading="F", places=EFFECT_DECIMALS)]
    #: of numerator and denominator
    df_between: Annotated[int, Column("count", "df")]
    df_within: Annotated[float, Column(heading="df within", places=1)]
    #: the lowest and the highest mean difference of these groups, and where they are
    lowest: Annotated[float, Column(name="lowest")]
    lowest_group: Annotated[str, Column(heading="in")]
    highest: Annotated[float, Column(name="highest")]
    highest_group: Annotated[str, Column(heading="in ")]
    p_value: PValue
    #: for all pairs of the measure
    adjusted_p_value: Annotated[float, Column("p-value", "adjusted p")]
    #: groups that are compared: those with two queries or more, and differences that are not equal
    n_groups: Count
    #: groups that are left out
    n_left_out: Count
    n_comparisons: Count
    adjustment: str
    confidence_level: float
    #: decimals of the mean differences
    places: int = field(default=UNKNOWN, repr=False)

    @property
    def is_significant(self) -> bool:
        """Whether the adjusted p-value is at most one minus the confidence level."""
        return self.adjusted_p_value <= error_level(self.confidence_level)


# ---- within groups ----


def _pairs(rows: Sequence[Comparison | GroupInteraction]) -> list[tuple[str, str]]:
    return list(dict.fromkeys((row.system, row.baseline) for row in rows))


def _whose(rows: Sequence[Comparison | GroupInteraction]) -> str:
    """Return the pair, or the baseline, that all rows have; else nothing."""
    pairs = _pairs(rows)
    if len(pairs) == 1:
        return f" of {pairs[0][0]} minus {pairs[0][1]}"
    return f" from {pairs[0][1]}" if len({baseline for _, baseline in pairs}) == 1 else ""


def _title(rows: Sequence[GroupComparison], view: View) -> str:
    first = rows[0]
    return (
        f"{first.measure}: mean difference{_whose(rows)} within groups of {view.queries} with its "
        f"individual {describe_interval(first.interval)}"
    )


def _split(rows: Sequence[GroupComparison]) -> tuple[list[GroupComparison], list[GroupComparison]]:
    """Return the rows of all queries, and those of groups."""
    return [row for row in rows if row.is_of_all], [row for row in rows if not row.is_of_all]


def _describe_family(rows: Sequence[GroupComparison]) -> str:
    """Return ``15 comparisons (3 pairs x 5 groups)``; untested ones are not counted."""
    pairs, groups = len(_pairs(rows)), len({row.group for row in rows})
    n = rows[0].n_comparisons
    text = f"{pluralise(pairs, 'pair')} x {pluralise(groups, 'group')}"
    untested = f", {pairs * groups - n:,} without a test" if n < pairs * groups else ""
    return f"{pluralise(n, 'comparison')} ({text}{untested})"


def _caption(rows: Sequence[GroupComparison]) -> str:
    of_all, of_groups = _split(rows)
    first = rows[0]
    family = f" for {_describe_family(of_groups)}" if of_groups else ""
    return join_caption(
        f"p: {TEST_WORDS[first.test]}, {ADJUSTMENT_WORDS[first.adjustment]}{family}",
        f"{ALL}: a family of its own, {pluralise(of_all[0].n_comparisons, 'comparison')}"
        if of_all
        else "",
        describe_draw_counts(rows),
    )


def _sentences(rows: Sequence[GroupComparison], view: View) -> list[str]:
    families = (_split(family)[1] for family in group_by_measure(rows))
    return [_sentence(family) for family in families if family]


def _sentence(rows: Sequence[GroupComparison]) -> str:
    """Return in which of the groups systems differ."""
    differing = [row for row in rows if row.is_significant]
    words = level_words(rows[0])
    pairs = _pairs(rows)
    if len(pairs) > 1:
        return (
            f"{rows[0].measure}: {len(differing):,} of {len(rows):,} differences within groups are "
            f"significant ({words})."
        )
    system, baseline = pairs[0]
    sides = {
        "higher": [row.group for row in differing if row.value > 0],
        "lower": [row.group for row in differing if row.value <= 0],
    }
    parts = [
        f"significantly {side} than {baseline} in {_name_groups(groups, len(rows))}"
        for side, groups in sides.items()
        if groups
    ]
    if not parts:
        none = f"differs significantly from {baseline} in none of {len(rows):,} groups"
        return f"{rows[0].measure}: {system} {none} ({words})."
    return f"{rows[0].measure}: {system} scores {' and '.join(parts)} ({words})."


def _name_groups(groups: Sequence[str], n: int) -> str:
    if len(groups) <= MAX_NAMED:
        return f"{len(groups):,} of {pluralise(n, 'group')} ({join_names(groups)})"
    return f"{len(groups):,} of {pluralise(n, 'group')}"


def _select(rows: Sequence[Result]) -> tuple[tuple[int, ...], str]:
    if len(rows) <= MAX_ROWS:
        return (), ""
    return tuple(range(MAX_ROWS)), f"{MAX_ROWS} of {len(rows):,} rows (all: {WHERE_ALL_IS})"


def _topics(rows: Sequence[GroupComparison]) -> list[str]:
    first = rows[0]
    return ["group-differences", first.interval.method, first.test, first.adjustment]


present(
    GroupComparison,
    Presentation(
        "Differences within groups of queries",
        columns=(
            *("system?", "baseline?", "group", "n", "difference", "interval", "effect_size"),
            *("p_value", "adjusted_p_value"),
        ),
        title=_title,
        caption=_caption,
        label="groups",
        spare=("effect size", "p"),
        sentences=_sentences,
        select=_select,
        figures=("difference_plots:draw_group_differences",),
        topics=_topics,
    ),
)


# ---- between groups ----


def _interaction_title(rows: Sequence[GroupInteraction], view: View) -> str:
    return f"{rows[0].measure}: is the difference{_whose(rows)} the same in all groups?"


def _interaction_caption(rows: Sequence[GroupInteraction]) -> str:
    first = rows[0]
    n_left_out = max(row.n_left_out for row in rows)
    return join_caption(
        "lowest and highest: mean differences of groups",
        f"p: Welch's F test of equal mean differences, {ADJUSTMENT_WORDS[first.adjustment]} for "
        f"{pluralise(first.n_comparisons, 'comparison')}",
        f"left out: up to {pluralise(n_left_out, 'group')} with one query or equal differences"
        if n_left_out
        else "",
    )


def _interaction_sentences(rows: Sequence[GroupInteraction], view: View) -> list[str]:
    return [_interaction_sentence(family) for family in group_by_measure(rows)]


def _interaction_sentence(rows: Sequence[GroupInteraction]) -> str:
    first = rows[0]
    tested = [row for row in rows if not math.isnan(row.p_value)]
    if not tested:
        return f"{first.measure}: no comparison between groups; fewer than two have a spread."
    differing = [row for row in tested if row.is_significant]
    if len(rows) > 1:
        return (
            f"{first.measure}: the difference varies significantly between groups for "
            f"{len(differing):,} of {pluralise(len(rows), 'pair')}."
        )
    verb = "varies significantly" if differing else "does not vary significantly"
    lowest, highest = (fixed(value, first.places) for value in (first.lowest, first.highest))
    degrees = f"{first.df_between}, {shortest(first.df_within, 1)}"
    return (
        f"{first.measure}: the difference {verb} between groups, from {lowest} in "
        f"{first.lowest_group} to {highest} in {first.highest_group} (Welch's F({degrees}) = "
        f"{fixed(first.statistic, EFFECT_DECIMALS)}, {describe_p(first.p_value)})."
    )


present(
    GroupInteraction,
    Presentation(
        "Differences between groups of queries",
        columns=(
            *("system", "baseline?", "lowest", "lowest_group", "highest", "highest_group"),
            *("statistic", "df_between", "df_within", "p_value", "adjusted_p_value"),
        ),
        title=_interaction_title,
        caption=_interaction_caption,
        order=lambda row: (math.isnan(row.p_value), row.p_value, -row.statistic),
        places=lambda rows: rows[0].places,
        label="between groups",
        spare=("df within", "df", "F"),
        sentences=_interaction_sentences,
        conclusion=lambda rows, view: [CONCLUSION],
        select=_select,
        topics=lambda rows: ["group-interaction"],
    ),
)
