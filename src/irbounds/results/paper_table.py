"""Systems by measures in one table, as a paper prints it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..presentation.phrases import (
    describe_draws,
    describe_interval,
    group_by_measure,
    half_width,
    join_caption,
    join_names,
    meaningful_ends,
    pluralise_queries,
)
from ..presentation.registry import Presentation, View, present
from ..presentation.rounding import decimals_of_column, error_level, fixed, percent, significant
from ..presentation.table import Table
from .comparisons import (
    ADJUSTMENT_WORDS,
    TEST_WORDS,
    Comparison,
    describe_differences,
    level_words,
)
from .mean_estimates import Estimate, best_first, conclude_means, describe_few_queries
from .result import Result, records

MAX_SENTENCES = 3  # findings that a conclusion has in words; more are numbers
HIGHER, LOWER, SAME, NO_MARK = "\N{UPWARDS ARROW}", "\N{DOWNWARDS ARROW}", "=", "\N{NO-BREAK SPACE}"


@dataclass(frozen=True, eq=False)
class PaperTable(Result):
    """Means of systems by several measures, each compared with the best system or a baseline.

    The best mean of each measure is in bold. Without a baseline ``=`` marks systems that are not
    significantly different from the best by that measure. With one, arrows mark systems that score
    significantly higher or lower than it, ``=`` those that do not differ, and W/T/L counts the
    queries on which a system scores higher, the same or lower.
    """

    #: one per measure and system
    estimates: tuple[Estimate, ...]
    #: of every system with the best one by its measure, or with the baseline
    comparisons: tuple[Comparison, ...]
    baseline: str | None = None

    def _records(self) -> list[dict[str, Any]]:
        """Return the records of the means, best first by each measure, each with its comparison."""
        ordered = [
            x for part in group_by_measure(self.estimates) for x in sorted(part, key=best_first)
        ]
        rows = []
        for estimate, row in zip(ordered, records(ordered), strict=True):
            found = self._comparison(estimate)
            more = {
                "compared_with": found and found.baseline,
                "adjusted_p_value": found and found.adjusted_p_value,
                "verdict": _verdict(found),
            }
            rows.append({**row, **more})
        return rows

    def _comparison(self, estimate: Estimate) -> Comparison | None:
        """Return the comparison of a system; None for what the others are compared with."""
        return self._by_name.get((estimate.measure, estimate.system))

    @cached_property
    def _by_name(self) -> dict[tuple[str, str], Comparison]:
        return {(one.measure, one.system): one for one in self.comparisons}


def _verdict(found: Comparison | None) -> str:
    if found is None:
        return "reference"
    if math.isnan(found.adjusted_p_value):
        return "no test"
    if not found.is_significant:
        return "not significantly different"
    return "higher" if found.value > 0 else "lower"


def _tables(tables: Sequence[PaperTable], view: View) -> list[Table]:
    return [_table(table, view) for table in tables]


def _table(table: PaperTable, view: View) -> Table:
    parts = group_by_measure(table.estimates)
    order = [one.system for one in sorted(parts[0], key=best_first)]
    columns = [column for part in parts for column in _columns(table, part, order, view)]
    headings, cells, strong = zip(*columns, strict=True)
    return Table(
        title=_title(parts, view),
        headings=("system", *headings),
        cells=tuple((name, *row) for name, *row in zip(order, *cells, strict=True)),
        records=tuple(table._records()) if view.has_records else (),
        caption=_caption(table),
        spare=_spare(headings, [part[0].measure for part in parts]),
        instead="--layout long",
        strong=frozenset((row, 1 + k) for k, rows in enumerate(strong) for row in rows),
    )


def _spare(headings: Sequence[str], measures: Sequence[str]) -> tuple[str, ...]:
    """Return what a narrow terminal leaves out: wins first, then intervals from the last one on."""
    others = [one for one in headings if one not in measures]
    return tuple(sorted(others, key=lambda one: one != "W/T/L"))


Column = tuple[str, list[str], list[int]]


def _columns(
    table: PaperTable, part: Sequence[Estimate], order: Sequence[str], view: View
) -> list[Column]:
    """Return the columns of one measure: heading, cells, and the rows of the best."""
    named = {one.system: one for one in part}
    rows = [named[system] for system in order]
    places = view.digits
    if places is None:
        places = decimals_of_column(half_width(one.value, one.interval) for one in rows)
    found = [table._comparison(one) for one in rows]
    means = [
        f"{fixed(one.value, places)}{_mark(table, it)}" for one, it in zip(rows, found, strict=True)
    ]
    first = rows[0].interval
    kind = "interval" if first.alternative == "two-sided" else "limit"
    words = f"{percent(first.confidence_level)} {kind}"
    ends = [", ".join(fixed(end, places) for end in meaningful_ends(one.interval)) for one in rows]
    highest = max(one.value for one in rows)
    best = [k for k, one in enumerate(rows) if math.isclose(one.value, highest)]
    columns: list[Column] = [
        (rows[0].measure, means, best),
        (words, [f"[{one}]" for one in ends], []),
    ]
    if table.baseline is not None:
        columns.append(("W/T/L", [_wins(one) for one in found], []))
    return columns


def _mark(table: PaperTable, found: Comparison | None) -> str:
    if found is None or math.isnan(found.adjusted_p_value):
        return NO_MARK
    if not found.is_significant:
        return SAME
    if table.baseline is None:
        return NO_MARK
    return HIGHER if found.value > 0 else LOWER


def _wins(found: Comparison | None) -> str:
    """Return ``31/4/15``: queries on which the system scores higher, the same and lower."""
    if found is None:
        return "-"
    differences = found.query_differences
    wins, losses = int(np.count_nonzero(differences > 0)), int(np.count_nonzero(differences < 0))
    return f"{wins}/{len(differences) - wins - losses}/{losses}"


def _title(parts: Sequence[Sequence[Estimate]], view: View) -> str:
    first = parts[0][0]
    kinds = {describe_interval(part[0].interval) for part in parts}
    level = percent(first.interval.confidence_level)
    words = kinds.pop() if len(kinds) == 1 else f"{level} interval"
    return f"mean over {pluralise_queries(first.n, view.queries)} with its {words}"


def _caption(table: PaperTable) -> str:
    first = table.estimates[0]
    how = describe_draws(first.n_resamples, "resamples of the queries", first.seed)
    if not table.comparisons:
        return how
    one = table.comparisons[0]
    level = significant(error_level(one.interval.confidence_level) * 100, 3)
    test = f"{TEST_WORDS[one.test]}, {ADJUSTMENT_WORDS[one.adjustment]}, {level} % level"
    if table.baseline is None:
        marks = f"{SAME} not significantly different from the best ({test})"
    else:
        marks = (
            f"{HIGHER} higher, {LOWER} lower than {table.baseline}, {SAME} not significantly "
            f"different ({test}); W/T/L: queries won, tied and lost against it"
        )
    return join_caption("bold: best of its measure", marks, how)


def _conclusion(tables: Sequence[PaperTable], view: View) -> list[str]:
    return [line for table in tables for line in _conclude(table, view)]


def _conclude(table: PaperTable, view: View) -> list[str]:
    """Return how many systems differ from the best or the baseline, and which commands go on."""
    families = group_by_measure(table.comparisons)
    if not families:
        return conclude_means(table.estimates, view)
    alike: dict[str, list[str]] = {}
    for family in families:
        alike.setdefault(describe_differences(family), []).append(family[0].measure)
    if len(alike) <= MAX_SENTENCES:
        said = "; ".join(f"{join_names(measures)}: {words}" for words, measures in alike.items())
    else:
        reference = table.baseline or "the best system"
        numbers = ", ".join(
            f"{one[0].measure} {sum(it.is_significant for it in one):,} of {len(one):,}"
            for one in families
        )
        said = f"Significantly different from {reference}: {numbers}"
    more = (
        "`irbounds compare` shows the differences with their intervals."
        if len(families[0]) == 1
        else "`irbounds compare` tests all pairs, `irbounds rank` shows intervals of ranks."
    )
    return [
        f"{said} ({level_words(families[0][0])}).",
        " ".join((more, *describe_few_queries(min(one.n for one in table.estimates)))),
    ]


present(
    PaperTable,
    Presentation(
        "Means with intervals",
        tables=_tables,
        conclusion=_conclusion,
        figures=("mean_plots:draw_paper_table",),
        topics=lambda tables: [
            "mean-interval",
            *(one.interval.method for one in tables[0].estimates),
            *(name for one in tables[0].comparisons for name in (one.test, one.adjustment)),
        ],
        is_single=True,
    ),
)
