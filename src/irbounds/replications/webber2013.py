"""Webber (2013), Approximate recall confidence intervals: the parts of the study, and its tables.

Numbers that come from formulas must agree with the paper to every printed digit. The numbers of
Tables IX and X come from the paper's own random corpora and samples, and ours from others. They
must agree within a tolerance, which is wider for the normal family, because its coverage depends on
a few extreme corpora.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, get_args

from ..parallel.progress import show_progress
from ..presentation.page_content import Section
from ..presentation.registry import make_tables
from ..presentation.rounding import UNKNOWN, fixed, format_setting
from ..presentation.table import Table
from ..results import InputFile, RecallCoverage
from ..results.result import Answer, Results
from . import webber2013_coverage as coverage
from . import webber2013_curves as curves
from .commands import PartName
from .paper_tables import HEADING, StudyTable

if TYPE_CHECKING:
    from ..presentation.figures.style import Figure
    from .commands import Webber2013Request

PAPER_SIZE = 1000  # realisations, and samples of each
GAP_SCENARIO = "neutral"  # the one scenario of Figure 13
#: the methods that are tried, as a report explains them
METHOD_TOPICS = (
    *("naive-binomial", "normal", "laplace", "agresti-coull"),
    *("koopman", "beta-jeffreys", "beta-binomial"),
)
INTERVALS, ERRORS, WIDTHS = "Table XII", "Table IX", "Table X"
SAME = "="  # where every printed digit is the paper's
DRAWN = "beta-binomial"  # whose ends are quantiles of 10,000 draws in the paper
NORMAL_FAMILY = ("normal", "laplace", "agresti-coull")
NAIVE = "naive-binomial"
#: tolerance of a difference from the paper: for the normal family, and for the other methods
TOLERANCES = {"rmse": (0.03, 0.006), "cvr": (0.015, 0.01), "width": (0.02, 0.02)}
MEAN = "mean"  # over the scenarios, which follows from them
MAX_COLUMNS = 4  # of one table that also has the paper's numbers
MAX_NAMED = 3  # numbers outside of their tolerance that are listed
FIGURE_NOTES = (
    "Figures 4 to 7: Wald's mean coverage is 0.846 by Equation 11; the paper's 0.851 has n - 1 "
    "in the place of n in the variance",
    "Figures 3, 8 and 15 to 17 are curves without printed numbers: only ours are shown, and sizes "
    "that the paper does not name are ours",
    "Figure 17: an upper end is 1 where nothing relevant is expected in the unretrieved sample; "
    "otherwise the best split would leave that sample out (the anomaly of Figure 15)",
)
COVERAGE_NOTES = (
    "naive-binomial: the paper does not say what its n is, so its numbers are not to be met; here "
    "it is the number of relevant documents in both samples",
    "a mean coverage of the normal family has a standard error of 0.006 over 1,000 realisations, "
    "ours and the paper's; over seeds 0 to 7 all of their means are within 0.011 of the paper's",
    "beta-binomial uniform, neutral: two or three corpora in 1,000 have so little left unretrieved "
    "that no interval holds; each of them adds 0.0009 to the square of its RMSE, and five or six "
    "would make the paper's 0.072",
)


# ---- the study ----


@dataclass
class StudyParts:
    """The results of the parts of the study that have run."""

    tables: list[StudyTable] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    inputs: list[InputFile] = field(default_factory=list)
    #: for Figures 10 to 14
    coverages: list[RecallCoverage] = field(default_factory=list)


def answer_webber2013(request: Webber2013Request) -> Answer[Results[StudyTable]]:
    """Return the tables and figures of the requested parts."""
    study = StudyParts()
    for part in get_args(PartName):
        if part in request.parts:
            ADD_PART[part](study, request)
    if request.part is None and request.scenario is None and request.data is None:
        study.lines.append("no data, so Table XII and the coverage on real topics are left out")
    sentences, tables = finding_sentences(study.tables), make_webber_tables(study.tables)
    figures = partial(draw_webber_figures, study.coverages, "figures" in request.parts)
    section = Section(HEADING, sentences, tables, figures, ["study", *METHOD_TOPICS])
    return Answer(
        Results(study.tables),
        lines=study.lines,
        inputs=study.inputs,
        facts={
            "notes": [*study.lines, *sentences],
            "seed": request.seed,
            "n_realisations": request.n_realisations,
            "n_samples": request.n_samples,
        },
        make_sections=lambda view: [section],
    )


def _add_figures(study: StudyParts, request: Webber2013Request) -> None:
    with show_progress("computing widths") as progress:
        study.tables += [*curves.figure_tables(), *curves.width_tables(progress)]
    study.lines += FIGURE_NOTES


def _add_coverage(study: StudyParts, request: Webber2013Request) -> None:
    n_realisations, n_samples = request.n_realisations, request.n_samples
    with show_progress("trying samples") as progress:
        study.coverages += coverage.scenario_coverages(
            [request.design if name == "own" else name for name in request.scenarios],
            n_realisations=n_realisations,
            n_samples=n_samples,
            rng=request.seed,
            progress=progress,
        )
    study.tables += coverage.coverage_tables(study.coverages)
    if request.has_paper_scenario:
        study.lines += COVERAGE_NOTES
        if min(n_realisations, n_samples) < PAPER_SIZE:
            study.lines.append(
                f"{n_realisations:,} corpora and {n_samples:,} samples of each: the paper has "
                f"{PAPER_SIZE:,} of both, and fewer are further from its numbers"
            )


def _add_legal09(study: StudyParts, request: Webber2013Request) -> None:
    from .webber2013_collections import legal09_table

    assert request.data
    with show_progress("Legal Track teams") as progress:
        table, inputs = legal09_table(request.data, progress)
    study.tables.append(table)
    study.inputs += inputs


def _add_clef(study: StudyParts, request: Webber2013Request) -> None:
    from .webber2013_collections import clef_tables

    assert request.data
    with show_progress("sampling from topics") as progress:
        tables, inputs = clef_tables(
            request.data, n_samples=request.n_samples, rng=request.seed, progress=progress
        )
    study.tables += tables
    study.inputs += inputs


ADD_PART = {
    "figures": _add_figures,
    "coverage": _add_coverage,
    "legal09": _add_legal09,
    "clef": _add_clef,
}


def draw_webber_figures(coverages: Sequence[RecallCoverage], with_lines: bool) -> list[Figure]:
    """Return the paper's figures of the parts, in its order."""
    from . import webber2013_figures as drawings

    known = [simulated for simulated in coverages if simulated.scenario in drawings.SCENARIOS]
    figures = [
        drawings.draw_coverage_boxes(simulated, coverage.coverage_boxes(simulated))
        for simulated in known
    ]
    figures += [
        drawings.draw_gap_boxes(simulated, *coverage.gap_boxes(simulated))
        for simulated in known
        if simulated.scenario == GAP_SCENARIO
    ]
    if known:
        figures.append(drawings.draw_closest_fractions(known))
    if with_lines:
        figures += _line_figures()
    return sorted(figures, key=lambda figure: str(figure.name))


def _line_figures() -> list[Figure]:
    """Return Figures 2 to 8 and 15 to 17, at more points than their tables have."""
    from . import webber2013_figures as drawings

    with show_progress("computing lines") as progress:
        by_budget = curves.budget_width_curves(progress)
    return [
        drawings.draw_sampling_distribution(curves.estimator_scatter()),
        drawings.draw_estimator_bias(curves.bias_curves()),
        *map(drawings.draw_proportion_coverage, curves.proportion_coverages()),
        drawings.draw_conservative_priors(curves.prior_curves()),
        drawings.draw_widths_by_yield(curves.yield_width_curves()),
        drawings.draw_widths_by_quality(curves.quality_width_curves()),
        drawings.draw_widths_by_budget(by_budget),
    ]


# ---- tables and sentences ----


def make_webber_tables(tables: Sequence[StudyTable]) -> list[Table]:
    """Return one table for each, or several where it would be too wide."""
    made = []
    for table in tables:
        if table.name == INTERVALS:
            made.append(_interval_table(table))
        else:
            made += make_tables(_narrow_tables(table))
    return made


def finding_sentences(tables: Sequence[StudyTable]) -> list[str]:
    """Return which of the paper's numbers are met, and where ours differ most."""
    sentences = []
    for table in tables:
        if table.name == INTERVALS:
            sentences += _describe_intervals(table)
        elif table.name in (ERRORS, WIDTHS):
            sentences += _describe_coverage(table)
        elif any(not math.isnan(theirs) for _, _, _, theirs in _numbers(table)):
            sentences.append(_describe_distance(table))
    return sentences


def _narrow_tables(table: StudyTable) -> list[StudyTable]:
    """Return tables of two columns each, where many columns also have the paper's numbers."""
    is_printed = any(not math.isnan(theirs) for row in table.theirs for theirs in row)
    if not is_printed or len(table.columns) <= MAX_COLUMNS:
        return [table]
    parts = []
    for first in range(0, len(table.columns), 2):
        pair = slice(first, first + 2)
        parts.append(
            replace(
                table,
                columns=table.columns[pair],
                ours=tuple(row[pair] for row in table.ours),
                theirs=tuple(row[pair] for row in table.theirs),
                noise=tuple(row[pair] for row in table.noise),
            )
        )
    return parts


def _interval_table(table: StudyTable) -> Table:
    """Return recall, then each method's interval and the paper's, an interval per cell."""
    methods = [column.removesuffix(" low") for column in table.columns[1::2]]
    headings = [table.corner, table.columns[0]]
    for method in methods:
        headings += [method, "paper"]
    cells = []
    for row, ours, theirs in zip(table.rows, table.ours, table.theirs, strict=True):
        line = [row, _join_ends(ours[:1], table.decimals)]
        for c in range(1, len(ours), 2):
            mine, printed = (_join_ends(ends[c : c + 2], table.decimals) for ends in (ours, theirs))
            line += [mine, SAME if mine == printed else printed]
        cells.append(tuple(line))
    title = f"{table.name}: {table.title} ({SAME}: the same)"
    return Table(title, tuple(headings), tuple(cells), tuple(table.records()))


def _join_ends(ends: Sequence[float], decimals: int) -> str:
    return "-".join(fixed(end, decimals) for end in ends)


def _describe_intervals(table: StudyTable) -> list[str]:
    """Return how many numbers agree to every digit, and how far apart the others are."""
    agreements: dict[str, list[bool]] = {}
    farthest: dict[str, tuple[float, str]] = {}
    for row, column, ours, theirs in _numbers(table):
        method = column.rsplit(" ", 1)[0]
        is_same = _join_ends([ours], table.decimals) == _join_ends([theirs], table.decimals)
        agreements.setdefault(method, []).append(is_same)
        farthest[method] = max(farthest.get(method, (0.0, "")), (abs(ours - theirs), row))
    counts = ", ".join(
        f"{method} {sum(same)} of {len(same)}" for method, same in agreements.items()
    )
    distance, where = farthest[DRAWN]
    return [
        f"{table.name}, numbers met to every printed digit: {counts}",
        f"{table.name}, {DRAWN}: the paper's ends are quantiles of 10,000 draws, ours are "
        f"computed; farthest apart {fixed(distance, UNKNOWN)} ({where})",
    ]


def _describe_coverage(table: StudyTable) -> list[str]:
    """Return how many numbers are within the tolerance, for both families of methods."""
    sentences = []
    for place, words in enumerate(("the normal family", "koopman and the posteriors")):
        n_met, missed, bounds = 0, [], dict[str, float]()
        for row, column, ours, theirs in _numbers(table):
            if row == NAIVE or column == MEAN or (row in NORMAL_FAMILY) == bool(place):
                continue
            what = column.rsplit(" ", 1)[-1] if table.name == WIDTHS else "rmse"
            bounds[what] = TOLERANCES[what][place]
            if abs(ours - theirs) <= bounds[what]:
                n_met += 1
            else:
                missed.append(f"{row}, {column} ({fixed(ours, 3)}, paper {format_setting(theirs)})")
        within = " and ".join(f"{format_setting(bound)} ({what})" for what, bound in bounds.items())
        sentences.append(
            f"{table.name}, {words}: {n_met} of {n_met + len(missed)} within {within} of the "
            f"paper's{_list_missed(missed)}"
        )
    return sentences


def _list_missed(missed: Sequence[str]) -> str:
    if not missed:
        return ""
    more = f" and {len(missed) - MAX_NAMED} more" if len(missed) > MAX_NAMED else ""
    return f"; not: {'; '.join(missed[:MAX_NAMED])}{more}"


def _describe_distance(table: StudyTable) -> str:
    label = table.name or f"Table {table.number}"
    distances = [
        (abs(ours - theirs), f"{row}, {column}")
        for row, column, ours, theirs in _numbers(table)
        if not math.isnan(ours - theirs)
    ]
    distance, where = max(distances)
    n_near = sum(distance <= 0.5 * 10.0**-table.decimals for distance, _ in distances)
    return (
        f"{label}: {n_near} of {len(distances)} numbers within half of the last printed digit; "
        f"farthest apart {fixed(distance, UNKNOWN)} ({where})"
    )


def _numbers(table: StudyTable) -> Iterator[tuple[str, str, float, float]]:
    for record in table.records():
        yield record["row"], record["column"], record["ours"], record["theirs"]
