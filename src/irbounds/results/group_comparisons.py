"""Differences of systems within groups of queries, and whether they differ between groups."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from ..presentation.column_roles import Column, Count, Key, PValue
from ..presentation.phrases import (
    describe_interval,
    group_by_measure,
    join_names,
    pluralise,
)
from ..presentation.registry import Presentation, View, present
from ..presentation.rounding import (
    EFFECT_DECIMALS,
    decimals_of_column,
    describe_p,
    error_level,
)
from .comparisons import (
    ADJUSTMENT_WORDS,
    MAX_NAMED,
    MAX_ROWS,
    Comparison,
    has_one_baseline,
    level_words,
    make_caption,
)
from .result import Result

ALL = "(all)"  # the group of all queries


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

    @property
    def is_significant(self) -> bool:
        """Whether the adjusted p-value is at most one minus the confidence level."""
        return self.adjusted_p_value <= error_level(self.confidence_level)


def _name_pair(rows: Sequence[Comparison | GroupInteraction]) -> str:
    """Return the pair, or the baseline, that all rows have; else nothing."""
    if len({(row.system, row.baseline) for row in rows}) == 1:
        return f" of {rows[0].system} minus {rows[0].baseline}"
    return f" from {rows[0].baseline}" if has_one_baseline(rows) else ""


def _title(rows: Sequence[GroupComparison], view: View) -> str:
    return (
        f"{rows[0].measure}: mean difference{_name_pair(rows)} within groups of {view.queries} "
        f"with its individual {describe_interval(rows[0].interval)}"
    )


def _sentences(rows: Sequence[GroupComparison], view: View) -> list[str]:
    """Return one sentence per measure: in which of the groups systems differ."""
    sentences = []
    tested = (row for row in rows if not row.is_of_all and not math.isnan(row.p_value))
    for family in group_by_measure(tested):
        names = [row.group for row in family if row.is_significant]
        many = f"{len(names):,} of {pluralise(len(family), 'difference')} within groups"
        if len({(row.system, row.baseline) for row in family}) == 1 and 0 < len(names) <= MAX_NAMED:
            many += f" ({join_names(names)})"
        words = level_words(family[0])
        sentences.append(f"{family[0].measure}: {many} are significant ({words}).")
    return sentences


present(
    GroupComparison,
    Presentation(
        "Differences within groups of queries",
        columns=(
            *("system?", "baseline?", "group", "n", "difference", "interval", "effect_size"),
            *("p_value", "adjusted_p_value"),
        ),
        title=_title,
        caption=lambda rows: f"{make_caption(rows)}; {ALL} is adjusted for the pairs only",
        label="groups",
        spare=("effect size", "p"),
        sentences=_sentences,
        max_rows=MAX_ROWS,
        figures=("difference_plots:draw_differences",),
        topics=lambda rows: [
            *("group-differences", rows[0].interval.method, rows[0].test, rows[0].adjustment)
        ],
    ),
)


def _describe_interactions(rows: Sequence[GroupInteraction], view: View) -> list[str]:
    sentences = []
    for family in group_by_measure(rows):
        first = family[0]
        n = sum(row.is_significant for row in family)
        if len(family) > 1:
            text = (
                "the difference varies significantly between groups for "
                f"{n:,} of {pluralise(len(family), 'pair')}"
            )
        else:
            verb = "varies" if n else "does not vary"
            text = (
                f"the difference {verb} significantly between groups (Welch's F test, "
                f"{describe_p(first.p_value)})"
            )
        sentences.append(f"{first.measure}: {text}.")
    return sentences


present(
    GroupInteraction,
    Presentation(
        "Differences between groups of queries",
        columns=(
            *("system", "baseline?", "lowest", "lowest_group", "highest", "highest_group"),
            *("statistic", "df_between", "df_within", "p_value", "adjusted_p_value"),
        ),
        title=lambda rows, view: (
            f"{rows[0].measure}: is the difference{_name_pair(rows)} the same in all groups?"
        ),
        caption=lambda rows: (
            f"p: Welch's F test of equal mean differences, {ADJUSTMENT_WORDS[rows[0].adjustment]} "
            f"for {pluralise(rows[0].n_comparisons, 'comparison')}"
        ),
        order=lambda row: (math.isnan(row.p_value), row.p_value, -row.statistic),
        places=lambda rows: decimals_of_column((row.highest - row.lowest) / 2 for row in rows),
        label="between groups",
        spare=("df within", "df", "F"),
        sentences=_describe_interactions,
        max_rows=MAX_ROWS,
        topics=lambda rows: ["group-interaction"],
    ),
)
