"""The queries of a mean difference with their contributions, and the decision without each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated

from ..presentation.column_roles import Column, Key
from ..presentation.phrases import (
    WHERE_ALL_IS,
    half_width,
    join_caption,
    join_names,
    pluralise,
    pluralise_queries,
)
from ..presentation.registry import Presentation, View, present
from ..presentation.rounding import (
    CHANCE_DECIMALS,
    decimals_of_column,
    describe_p,
    percentage,
    with_sign,
)
from ..presentation.table import Table
from .comparisons import ADJUSTMENT_WORDS, Comparison, level_words
from .result import Result

MAX_QUERIES = 10  # on a terminal, per pair
MAX_PAIRS = 5  # on a terminal, and in figures
MAX_NAMED = 5  # queries in a sentence


@dataclass(frozen=True, eq=False)
class QueryContribution(Result):
    """A query of a mean difference: its contribution, and the decision without it."""

    measure: Key
    system: Key
    baseline: Annotated[str, Column("key", "minus")]
    query_id: Annotated[str, Column("key", "query")]
    system_score: float
    baseline_score: float
    #: system - baseline on this query
    value: Annotated[float, Column("change", name="difference")]
    #: the difference over the number of queries; the sum of all is the mean difference
    contribution: Annotated[float, Column("change")]
    #: contribution over the mean difference, which may be negative or above 1; NaN where gains and
    #: losses nearly cancel
    fraction: Annotated[float, Column("fraction", places=CHANCE_DECIMALS)]
    #: of the queries up to this one, in the order of absolute contributions
    cumulative_fraction: Annotated[float, Column("fraction", "cumulative", places=CHANCE_DECIMALS)]
    #: the mean difference of the other queries
    difference_without: Annotated[float, Column(heading="without it")]
    #: of the t test of the other queries
    p_without: Annotated[float, Column("p-value")]
    #: for all comparisons of the measure without the query
    adjusted_p_without: Annotated[float, Column("p-value", "p without it")]
    #: whether the decision at the level is another one without the query
    turns_decision: Annotated[
        bool,
        Column(
            heading="decision", text=lambda row, _: row.other_decision if row.turns_decision else ""
        ),
    ]
    #: the fewest queries without which the mean difference is 0 or has the other sign; None if
    #: there is no such number
    n_to_turn_sign: int | None
    #: queries without which the decision turns, each the one that changes t most: an upper bound of
    #: the fewest; None if half of the queries are not enough
    n_to_turn_decision: int | None
    queries_to_turn_decision: tuple[str, ...] = field(default=(), repr=False)
    #: the comparison that it belongs to
    comparison: Comparison | None = field(default=None, repr=False)

    @property
    def other_decision(self) -> str:
        """The decision that the comparison does not have."""
        is_significant = self.comparison is not None and self.comparison.is_significant
        return "not significant" if is_significant else "significant"


def _split_pairs(rows: Sequence[QueryContribution]) -> list[list[QueryContribution]]:
    pairs: dict[tuple[str, str, str], list[QueryContribution]] = {}
    for row in rows:
        pairs.setdefault((row.measure, row.system, row.baseline), []).append(row)
    return list(pairs.values())


def _comparison(rows: Sequence[QueryContribution]) -> Comparison:
    comparison = rows[0].comparison
    assert comparison is not None
    return comparison


def _places(rows: Sequence[QueryContribution]) -> int:
    comparison = _comparison(rows)
    return decimals_of_column([half_width(comparison.value, comparison.interval)])


def _title(rows: Sequence[QueryContribution], view: View) -> str:
    first, comparison = rows[0], _comparison(rows)
    mean = with_sign(comparison.value, _places(rows))
    adjusted = (
        "" if comparison.n_comparisons < 2 or comparison.adjustment == "none" else "adjusted "
    )
    return (
        f"{first.measure}: queries of {first.system} minus {first.baseline}, mean difference "
        f"{mean} over {pluralise_queries(comparison.n, view.queries)} "
        f"({adjusted}{describe_p(comparison.adjusted_p_value)})"
    )


def _caption(rows: Sequence[QueryContribution]) -> str:
    comparison = _comparison(rows)
    fractions = (
        "fraction: not shown, gains and losses nearly cancel"
        if math.isnan(rows[0].fraction)
        else "fraction: of the mean difference"
    )
    adjusted = (
        f", {ADJUSTMENT_WORDS[comparison.adjustment]} for "
        f"{pluralise(comparison.n_comparisons, 'comparison')}"
        if comparison.n_comparisons > 1 and comparison.adjustment != "none"
        else ""
    )
    turns = any(row.turns_decision for row in rows)
    return join_caption(
        "contribution: difference / number of queries",
        fractions,
        f"without it: mean difference and paired t test of the other queries{adjusted}",
        "decision: that without the query, where it is another one" if turns else "",
    )


def _select(rows: Sequence[QueryContribution]) -> tuple[tuple[int, ...], str]:
    if len(rows) <= MAX_QUERIES:
        return (), ""
    rest = rows[MAX_QUERIES:]
    fraction = rows[MAX_QUERIES - 1].cumulative_fraction
    part = "" if math.isnan(fraction) else f", {percentage(fraction)} of the difference"
    others = with_sign(sum(row.contribution for row in rest), _places(rows) + 1)
    turning = sum(row.turns_decision for row in rest)
    also = f", {turning:,} of these turn the decision" if turning else ""
    return tuple(range(MAX_QUERIES)), (
        f"{MAX_QUERIES} of {len(rows):,} queries, the largest contributions{part}; the others "
        f"contribute {others}{also} (all: {WHERE_ALL_IS})"
    )


def _sentences(rows: Sequence[QueryContribution], view: View) -> list[str]:
    pairs = _split_pairs(rows)
    sentences = [_sentence(pair) for pair in pairs[:MAX_PAIRS]]
    if len(pairs) > MAX_PAIRS:
        sentences.append(
            f"{MAX_PAIRS} of {len(pairs):,} comparisons are described, those with the highest "
            "differences."
        )
    return sentences


def _sentence(rows: Sequence[QueryContribution]) -> str:
    first, comparison = rows[0], _comparison(rows)
    if math.isnan(comparison.adjusted_p_value):
        verdict = "there is no test"
    else:
        verb = "is significant" if comparison.is_significant else "is not significant"
        verdict = f"the difference {verb} ({level_words(comparison)})"
    parts = [verdict, _describe_sign(first, comparison), _describe_decision(rows, comparison)]
    text = "; ".join(filter(None, parts))
    return f"{first.measure}, {first.system} minus {first.baseline}: {text}."


def _describe_sign(first: QueryContribution, comparison: Comparison) -> str:
    if first.n_to_turn_sign is None:
        return "every query has a difference of the same sign"
    if not first.n_to_turn_sign:
        return "the mean difference is 0"
    n = f"{first.n_to_turn_sign:,} of {pluralise_queries(comparison.n)}"
    return f"removing {n} would turn the sign"


def _describe_decision(rows: Sequence[QueryContribution], comparison: Comparison) -> str:
    """Return which single queries turn the decision, or how many together do."""
    if math.isnan(comparison.adjusted_p_value):
        return ""
    turning = [row.query_id for row in rows if row.turns_decision]
    if turning:
        names = (
            join_names(turning)
            if len(turning) <= MAX_NAMED
            else f"{', '.join(turning[:MAX_NAMED])} and {len(turning) - MAX_NAMED:,} more"
        )
        any_of = "" if len(turning) == 1 else "any one of "
        return f"without {any_of}{names} it is {rows[0].other_decision}"
    first = rows[0]
    if first.n_to_turn_decision is None:
        return "removing half of the queries would not turn the decision"
    names = ", ".join(first.queries_to_turn_decision)
    which = f" ({names})" if first.n_to_turn_decision <= MAX_NAMED else ""
    return f"removing {first.n_to_turn_decision:,} or fewer{which} would turn the decision"


_ROWS = Presentation(
    "Queries of differences",
    columns=(
        *("query_id", "system_score", "baseline_score", "difference", "contribution", "fraction"),
        *("cumulative_fraction", "difference_without", "adjusted_p_without", "turns_decision"),
    ),
    title=_title,
    caption=_caption,
    group=lambda row: (row.measure, row.system, row.baseline),
    places=_places,
    bar=lambda row: None,
    spare=("cumulative", "without it", "system score", "baseline score"),
    select=_select,
)


def _tables(rows: Sequence[QueryContribution], view: View) -> list[Table]:
    """Return one table per pair; a terminal shows the first few."""
    tables = _ROWS.make_tables(rows, replace(view, ties=""))
    return [
        table if k < MAX_PAIRS or view.verbose else replace(table, is_detail=True)
        for k, table in enumerate(tables)
    ]


present(
    QueryContribution,
    Presentation(
        "Queries that decide differences",
        tables=_tables,
        sentences=_sentences,
        figures=("difference_plots:draw_contributions",),
        topics=lambda rows: ["query-contributions", "t", _comparison(rows).adjustment],
    ),
)
