"""Bestgen (2015): terminal tables, sentences and figures of the study."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..presentation.figures import vega
from ..presentation.figures.shapes import choose_log_ticks, distinguish_series, make_panel
from ..presentation.figures.style import (
    DASH,
    QUIET,
    Figure,
    draw_reference_line,
    make_figure,
    tooltips,
    values,
)
from ..presentation.rounding import (
    COUNT_DECIMALS,
    UNKNOWN,
    fixed,
    format_count,
    format_setting,
    significant,
)
from ..presentation.table import Table

if TYPE_CHECKING:
    from .bestgen2015 import ChancePoint
    from .paper_tables import StudyTable

RANKINGS, PROCEDURE, CLAIMS, CURVES = "Table 1", "Table 2", "Sections 3 and 4", "Figure 1"
SECONDS = "seconds"  # first word of the rows of measured times
SAME = "="  # where the paper's digits are ours, rounded
#: decimals, as printed
DECIMALS = {"AP": 2, "dhyper": 1, "i/n": 2, "final prob.": 1, "contribution": 3}
#: decimals of the sums and means; they are shown with one decimal more than printed
SUMS = {("sum", "AP"): 2, ("sum", "contribution"): 3, ("expected AP", "AP"): 3}
SUMS |= {("expected AP", "contribution"): 3}
CURVE_DECIMALS = 5
NOTES = (
    "Figure 1: exact minus prevalence is (1 - p) times the mean of 1/2 to 1/N, so it is above 0 "
    "unless R = N, falls when p grows, falls when N grows and p stays, and is largest for R = 1; "
    "where R stays it may rise first (R = 1: 0.250 at N = 2, 0.278 at N = 3)",
    "Figure 1: the paper does not print its grid of N and p, so this one is ours",
    "section 3: R (R + N - 1) terms are a slip for R (N - R + 1), which makes the paper's 910; "
    "'more than 17,000 billion' rankings are 17,310 billion",
    "seconds are those of this run, the paper's of R in 2015; nothing else differs between runs",
)


def make_bestgen_tables(tables: Sequence[StudyTable], points: Sequence[ChancePoint]) -> list[Table]:
    """Return Tables 1 and 2, the numbers in the text, and the curves."""
    made = []
    for table in tables:
        made += _claim_tables(table) if table.name == CLAIMS else [_comparison_table(table)]
    return [*made, _curve_table(points)]


def finding_sentences(tables: Sequence[StudyTable]) -> list[str]:
    """Return how many of the paper's numbers are met, and why the others are not."""
    by_name = {table.name: table for table in tables}
    claims = _ours(by_name[CLAIMS])
    mean = _ours(by_name[RANKINGS])["expected AP"]
    (least,) = (value for row, value in claims.items() if row.startswith("least N"))
    (times,) = (value for row, value in claims.items() if row.startswith("exact / prevalence"))
    return [
        _describe_digits([by_name[RANKINGS], by_name[PROCEDURE]]),
        f"Tables 1 and 2: the expected AP is {fixed(mean, UNKNOWN)}; the paper's 0.593 is half of "
        "1.186, a sum of rounded contributions (0.134 is 0.2 x 0.67)",
        f"Figure 1: below 0.01 for every R from N = {format_count(least)} on (paper: from 600 on); "
        "0.01 is still a lot where little is relevant: for R = 1 the exact value is "
        f"{fixed(times, COUNT_DECIMALS)} times the prevalence at N = 600, and more times in larger "
        "collections",
    ]


def _describe_digits(tables: Sequence[StudyTable]) -> str:
    n_met, missed = 0, []
    for table in tables:
        for record in table.records():
            row, column, theirs = record["row"], record["column"], record["theirs"]
            if math.isnan(theirs):
                continue
            places = SUMS.get((row, column), DECIMALS[column])
            if _is_met(record["ours"], theirs, places):
                n_met += 1
            else:
                missed.append(f"{table.name}, {column} ({row})")
    not_met = f"; not: {'; '.join(missed)}" if missed else ""
    return f"Tables 1 and 2: {n_met} of {n_met + len(missed)} numbers as printed{not_met}"


def _is_met(ours: float, theirs: float, places: int) -> bool:
    """Return whether a number rounds to the paper's; halfway, both neighbours are accepted."""
    return abs(ours - theirs) <= 0.5 * 10.0**-places + 1e-12


def _comparison_table(table: StudyTable) -> Table:
    """Return our numbers with the paper's decimals, and the paper's; sums have a decimal more."""
    headings = [table.corner]
    for column in table.columns:
        headings += [column, "paper"]
    cells = []
    for row, ours, theirs in zip(table.rows, table.ours, table.theirs, strict=True):
        line = [row]
        for column, mine, printed in zip(table.columns, ours, theirs, strict=True):
            line += _format_pair(row, column, mine, printed)
        cells.append(tuple(line))
    title = f"{table.name}: {table.title} ({SAME}: the same)"
    return Table(title, tuple(headings), tuple(cells), tuple(table.records()))


def _format_pair(row: str, column: str, ours: float, theirs: float) -> tuple[str, str]:
    if math.isnan(ours):
        return "", ""
    places = SUMS.get((row, column), DECIMALS[column])
    mine = fixed(ours, places + ((row, column) in SUMS))
    return mine, SAME if _is_met(ours, theirs, places) else fixed(theirs, places)


def _claim_tables(table: StudyTable) -> list[Table]:
    """Return a table of computed numbers, and one of measured times, which no run repeats."""
    rows = [
        ((row, _format_claim(row, ours), _format_claim(row, theirs)), record)
        for row, (ours,), (theirs,), record in zip(
            table.rows, table.ours, table.theirs, table.records(), strict=True
        )
    ]
    timed = [pair for pair in rows if pair[0][0].startswith(SECONDS)]
    computed = [pair for pair in rows if pair not in timed]
    return [
        _claim_table(f"{table.name}: {table.title}", table.corner, computed),
        replace(
            _claim_table(f"{table.name}: how long it takes", table.corner, timed),
            repeats=False,
        ),
    ]


def _claim_table(
    title: str, corner: str, rows: Sequence[tuple[tuple[str, ...], Mapping[str, Any]]]
) -> Table:
    cells, records = zip(*rows, strict=True)
    return Table(title, (corner, "ours", "paper"), cells, records)


def _format_claim(row: str, value: float) -> str:
    """Format an integer in full, seconds with two digits, and other numbers with seven."""
    if math.isnan(value):
        return "-"
    if value == int(value):
        return format_count(value)
    return significant(value, 2 if row.startswith(SECONDS) else 7)


def _curve_table(points: Sequence[ChancePoint]) -> Table:
    """Return a table with a row per size and a column per curve; a dash if p N is no integer."""
    curves = tuple(dict.fromkeys(point.curve for point in points))
    differences = {(point.n_documents, point.curve): point.difference for point in points}
    sizes = sorted({size for size, _ in differences})
    cells = [
        (
            f"{n:,}",
            *(fixed(differences.get((n, curve), math.nan), CURVE_DECIMALS) for curve in curves),
        )
        for n in sizes
    ]
    title = f"{CURVES}: exact minus prevalence, by N and p = R / N"
    return Table(title, ("N", *curves), tuple(cells), tuple(map(_record, points)))


def _record(point: ChancePoint) -> dict[str, Any]:
    """Return a record; ``difference`` would be ours minus the paper's, as in other records."""
    return {
        "study": "bestgen2015",
        "table": CURVES,
        "curve": point.curve,
        "n_documents": point.n_documents,
        "n_relevant": point.n_relevant,
        "prevalence": point.prevalence,
        "exact": point.exact,
        "exact_minus_prevalence": point.difference,
    }


def _ours(table: StudyTable) -> dict[str, float]:
    return {row: ours for row, (ours,) in zip(table.rows, table.ours, strict=True)}


# ---- the figures ----

HEIGHT = 320
BOUND = 0.01  # of the difference from 600 documents on, according to the paper
PLACES = 3
RELEVANT = {"n_relevant": "relevant"}
SCORES = {"prevalence": "fraction of relevant documents", "exact": "expected AP"}
SECOND_SIZES = (10, 20, 50, 100, 1000)  # of the curves in the second figure


def draw_bestgen_figures(points: Sequence[ChancePoint]) -> list[Figure]:
    """Draw the paper's figure, and the same points as scores."""
    return [draw_difference_by_size(points), draw_exact_against_prevalence(points)]


def draw_difference_by_size(points: Sequence[ChancePoint]) -> Figure:
    """Draw Figure 1: a curve for each fraction of relevant documents, falling with their number.

    On logarithmic axes the curves are nearly straight, so that a line between two points of one
    does not cross another that it lies below.
    """
    curves = list(dict.fromkeys(point.curve for point in points))
    largest = max(points, key=lambda point: point.difference)
    rows = [{**_row(point), "difference": point.difference} for point in points]
    log = dict(type="log", nice=False)
    sizes, heights = zip(*((point.n_documents, point.difference) for point in points), strict=True)
    documents = dict(values=choose_log_ticks(min(sizes), max(sizes)), format=",d", grid=False)
    base = vega.Chart(values(rows)).encode(
        x=vega.X("n_documents:Q", title="documents, N", scale=log, axis=documents),
        y=vega.Y(
            "difference:Q",
            title="expected AP of a random ranking - fraction of relevant",
            scale=log,
            axis=dict(values=choose_log_ticks(min(heights), max(heights)), format=".1g"),
        ),
        tooltip=[
            *tooltips(["curve"], {"n_documents": "documents", **RELEVANT}, ","),
            *tooltips((), {**SCORES, "difference": "expected AP - fraction"}, ".4g"),
        ],
    )
    layers = _curve_layers(base, "curve", curves, "relevant")
    bound = draw_reference_line(BOUND, "y", called="the paper's bound")
    return make_figure(
        make_panel(bound, *layers, height=HEIGHT),
        name="bestgen2015-figure-1",
        title="Figure 1: how far chance's AP is above the fraction of relevant documents",
        description=(
            f"Exact expected AP of a random ranking less the fraction p of relevant documents, for "
            f"{len(curves)} curves and N from {min(sizes):,} to {max(sizes):,}. All are above 0 "
            f"and fall with N; the largest is {fixed(largest.difference, PLACES)}, for "
            f"{largest.curve} and N = {largest.n_documents:,}. A dashed line marks "
            f"{format_setting(BOUND)}."
        ),
    )


def draw_exact_against_prevalence(points: Sequence[ChancePoint]) -> Figure:
    """Draw the same points as scores: above the diagonal, and nearer to it the more documents."""
    chosen = [point for point in points if point.n_documents in SECOND_SIZES]
    sizes = [f"N = {size:,}" for size in sorted({point.n_documents for point in chosen})]
    rows = sorted(map(_row, chosen), key=lambda row: row["prevalence"])
    base = vega.Chart(values(rows)).encode(
        x=vega.X("prevalence:Q", title=f"{SCORES['prevalence']}, p", axis=dict(grid=False)),
        y=vega.Y("exact:Q", title="expected AP of a random ranking"),
        tooltip=[*tooltips({"size": "documents"}, RELEVANT, ","), *tooltips((), SCORES, ".4g")],
    )
    ends = [{"prevalence": end, "exact": end} for end in (0.0, max(p.prevalence for p in chosen))]
    equal = vega.Chart(values(ends)).mark_line(color=QUIET, strokeDash=DASH)
    equal = equal.encode(x="prevalence:Q", y="exact:Q")
    layers = _curve_layers(base, "size", sizes, "documents")
    farthest = max(chosen, key=lambda point: point.difference)
    return make_figure(
        make_panel(equal, *layers, width=HEIGHT, height=HEIGHT),
        name="bestgen2015-exact-against-prevalence",
        title="Chance's AP is not the fraction of relevant documents",
        description=(
            f"Exact expected AP of a random ranking against the fraction of relevant documents, "
            f"for {len(sizes)} numbers of documents. All points lie above the dashed line of equal "
            f"values; farthest is {fixed(farthest.exact, PLACES)} where "
            f"{fixed(farthest.prevalence, PLACES)} are relevant, of {farthest.n_documents:,}."
        ),
    )


def _row(point: ChancePoint) -> dict[str, Any]:
    return {
        "curve": point.curve,
        "size": f"N = {point.n_documents:,}",
        "n_documents": point.n_documents,
        "n_relevant": point.n_relevant,
        "prevalence": point.prevalence,
        "exact": point.exact,
    }


def _curve_layers(
    base: vega.Chart, field: str, names: Sequence[str], title: str
) -> list[vega.Chart]:
    """Draw lines with dots, each in its own colour and dash."""
    look = distinguish_series(
        *(field, names, "strokeDash"), title=title, symbolType="stroke", symbolStrokeWidth=2.5
    )
    dots = base.mark_point(filled=True, size=35, opacity=1)
    return [base.mark_line(strokeWidth=2).encode(**look), dots.encode(color=look["color"])]
