"""Assembly of a report: runs, a table of scores or results on one page.

A page begins with one verdict per measure and one figure of all systems. The sections below are
functions of the same material (``sections.py``).
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..atomic_write import write_atomically
from ..comparisons.differences import compare_with_best, difference_interval
from ..intervals.means import mean_interval
from ..presentation.page_content import Page, PageScores, Section
from ..presentation.phrases import group_by_measure, half_width, join_names, pluralise
from ..presentation.registry import (
    View,
    collect_warnings,
    group_by_presentation,
    make_section,
)
from ..presentation.rounding import decimals_of_column, fixed, percent
from ..progress import show_progress
from ..results import Comparison, Estimate, InputFile, Interval
from ..results.evaluation import best_first, warn_unknown_bounds
from ..results.input_diagnosis import summary_lines
from ..results.result import Result, Results
from ..scores.score_table import ScoreTable
from ..validation import check_choice
from .provenance import provenance_of
from .sections import SECTIONS

if TYPE_CHECKING:
    from ..presentation.figures.style import Figure
    from ..reading.records import Qrels, Run
    from ..results.result import Answer
    from ..verbs.report import ReportRequest

MAX_NAMED = 3  # systems in a verdict


@dataclass(frozen=True)
class Report:
    """A page that is ready to be written."""

    page: Page

    def save(self, path: str | Path) -> None:
        """Write the page as one file (atomically).

        Parameters
        ----------
        path
            The file, HTML. It needs no network to be read.

        Returns
        -------
        None
        """
        from ..presentation.html.page import render_page

        content = render_page(self.page)
        with write_atomically(Path(path)) as file:
            file.write(content.encode(errors="xmlcharrefreplace"))

    def __str__(self) -> str:
        return "\n".join((self.page.title, *self.page.verdicts))


def report_of_results(results: Sequence[Result]) -> Report:
    """Return a page of results that are already computed.

    What a verb returned is shown as its command shows it; other results have one section per kind.
    """
    sections: list[Section] = []
    inputs: list[InputFile] = []
    lines: list[str] = []
    warnings: list[str] = []
    for is_answer, part in groupby(results, lambda result: _answer_of(result) is not None):
        if is_answer:
            for answer in filter(None, map(_answer_of, part)):
                sections += answer.sections(answer.view)
                sections += answer.page_sections(answer.view)
                inputs += answer.inputs
                lines += answer.lines
                warnings += answer.warnings
        else:
            rows = [row for result in part for row in result._rows()]
            view = View(queries="queries")
            sections += [make_section(kind, view) for _, kind in group_by_presentation(rows)]
            inputs += [file for row in rows for file in getattr(row, "inputs", ())]
            warnings += collect_warnings(rows)
    tables = [table for section in sections for table in section.tables]
    headings = dict.fromkeys(section.heading for section in sections)
    return Report(
        Page(
            title=join_names(headings),
            provenance=provenance_of((), {}, list(dict.fromkeys(inputs)), tables),
            sections=sections,
            inputs=list(dict.fromkeys(lines)),
            warnings=list(dict.fromkeys(warnings)),
        )
    )


def _answer_of(result: Result) -> Answer[Any] | None:
    """Return the answer that a result is part of; None where no verb returned it."""
    return result._answer if isinstance(result, Results) else None


def report_of(
    table: ScoreTable,
    request: ReportRequest,
    judgments: Qrels | None = None,
    runs: tuple[Run, ...] = (),
) -> Report:
    """Return the report of a table of scores; judgments and runs add sections."""
    if request.baseline is not None:
        check_choice("baseline", request.baseline, table.systems)
    material = Material(table, request, judgments, runs)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        made = [make(material) for make in SECTIONS]
        _ = material.best_comparisons  # drawn later, and with warnings of their own
    material.warnings.extend(str(warning.message) for warning in caught)
    sections = [section for section in made if section is not None]
    tables = [table for section in sections for table in section.tables]
    counts = [
        pluralise(len(table.systems), "system"),
        pluralise(len(table.queries), "query", "queries"),
    ]
    provenance = provenance_of((), {}, list(dict.fromkeys(material.inputs)), tables)
    page = Page(
        title=" on ".join(counts),
        provenance=provenance,
        sections=sections,
        inputs=summary_lines(table.diagnosis) if table.diagnosis else (),
        warnings=list(dict.fromkeys(material.warnings)),
        verdicts=verdicts(material.estimates, material.comparisons, request.baseline),
        lead=material.draw_overview,
        scores=_page_scores(table) if len(table.systems) > 1 else None,
    )
    return Report(page)


def _page_scores(table: ScoreTable) -> PageScores:
    return PageScores(table.measures, table.systems, table.queries, table.values.tolist())


@dataclass(frozen=True)
class Material:
    """The data of all sections; sections add to ``warnings`` and ``inputs``."""

    table: ScoreTable
    request: ReportRequest
    #: None where scores were read
    judgments: Qrels | None = None
    runs: tuple[Run, ...] = ()
    warnings: list[str] = field(default_factory=list)
    inputs: list[InputFile] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.warnings.extend(self.table.warnings)
        self.inputs.extend(self.table.inputs)

    @property
    def view(self) -> View:
        """How results are shown."""
        queries = "tasks" if self.table.are_tasks else self.request.query_words
        return View(queries=queries, ties=self.table.ties)

    @cached_property
    def estimates(self) -> Sequence[Estimate]:
        """The means with their intervals."""
        estimates = mean_interval(self.table, confidence_level=self.request.confidence_level)
        if not self.table.are_tasks:
            self.warnings.extend(warn_unknown_bounds(estimates))
        return estimates

    @cached_property
    def comparisons(self) -> Sequence[Comparison]:
        """Every system with the best by each measure, or with the baseline that was given."""
        with show_progress("comparing systems") as progress:
            return compare_with_best(
                self.table,
                self.estimates,
                self.request.baseline,
                confidence_level=self.request.confidence_level,
                progress=progress,
            )

    @cached_property
    def best_comparisons(self) -> Sequence[Comparison]:
        """Every system with the best by each measure, for the figure of all systems."""
        if self.request.baseline is None:
            return self.comparisons
        level = self.request.confidence_level
        return compare_with_best(self.table, self.estimates, confidence_level=level)

    @cached_property
    def differences(self) -> Sequence[Comparison]:
        """All systems less the baseline, or the best by each measure; of two, the worse one."""
        request = self.request
        if len(self.table.systems) > 2 or request.baseline is not None:
            return self.comparisons
        return difference_interval(
            self.table,
            baseline=self.comparisons[0].system,
            confidence_level=request.confidence_level,
        )

    def draw_overview(self) -> Figure:
        """Draw all systems with their intervals, measures side by side."""
        from ..presentation.figures import mean_plots

        return mean_plots.draw_overview(self.estimates, self.best_comparisons)


# ---- verdicts: which system is best by each measure, and which are not different ----


def verdicts(
    estimates: Sequence[Estimate], comparisons: Sequence[Comparison], baseline: str | None = None
) -> list[str]:
    """Return one sentence per measure: which system is best, and which are not different."""
    by_measure = {part[0].measure: part for part in group_by_measure(comparisons)}
    return [
        _verdict(part, by_measure.get(part[0].measure, []), baseline)
        for part in group_by_measure(estimates)
    ]


def _verdict(
    part: Sequence[Estimate], comparisons: Sequence[Comparison], baseline: str | None
) -> str:
    places = decimals_of_column(half_width(estimate.value, estimate.interval) for estimate in part)
    best, *others = sorted(part, key=best_first)
    value = fixed(best.value, places)
    if not others:
        scored = f"{best.system} scores {_format_interval(best.value, best.interval, places)}"
        return f"By {best.measure}, {scored}."
    if len(others) == 1:
        return _verdict_of_two(best, others[0], comparisons[0], places)
    if baseline is None:
        return (
            f"By {best.measure}, {best.system} is best ({value}); {_describe_others(comparisons)}."
        )
    first = next(estimate for estimate in part if estimate.system == baseline)
    against = f"compared with {baseline} ({fixed(first.value, places)}), "
    lead = f"By {best.measure}, {best.system} is best ({value}); "
    if best.system == baseline:
        return f"{lead}{_describe_others(comparisons)}."
    sides = [
        f"{len(names):,} {'scores' if len(names) == 1 else 'score'} significantly {side}"
        for side, names in _sides(comparisons).items()
        if names and side
    ]
    same = _sides(comparisons)[""]
    if same:
        sides.append(f"{_name_systems(same)} not significantly different")
    return f"{lead}{against}{', '.join(sides)}."


def _verdict_of_two(best: Estimate, other: Estimate, comparison: Comparison, places: int) -> str:
    values = [fixed(estimate.value, places) for estimate in (best, other)]
    sign = 1 if comparison.system == best.system else -1
    decimals = decimals_of_column([half_width(comparison.value, comparison.interval)])
    low, high = sorted(sign * end for end in comparison.interval)
    interval = replace(comparison.interval, low=low, high=high)
    difference = f"difference {_format_interval(sign * comparison.value, interval, decimals)}"
    if comparison.is_significant:
        verb = f"{best.system} ({values[0]}) scores significantly higher than {other.system}"
        return f"By {best.measure}, {verb} ({values[1]}): {difference}."
    names = f"{best.system} ({values[0]}) and {other.system} ({values[1]})"
    return f"By {best.measure}, {names} are not significantly different: {difference}."


def _format_interval(value: float, interval: Interval, places: int) -> str:
    """Return ``0.310 (95 % interval 0.252 to 0.369)``."""
    if math.isnan(interval.low):
        return f"{fixed(value, places)}, without an interval"
    ends = " to ".join(fixed(end, places) for end in interval)
    return f"{fixed(value, places)} ({percent(interval.confidence_level)} interval {ends})"


def _sides(comparisons: Sequence[Comparison]) -> dict[str, list[str]]:
    """Return the systems that score higher, lower, and neither (under an empty name)."""
    sides: dict[str, list[str]] = {"higher": [], "lower": [], "": []}
    for comparison in comparisons:
        side = ("higher" if comparison.value > 0 else "lower") if comparison.is_significant else ""
        sides[side].append(comparison.system)
    return sides


def _name_systems(systems: Sequence[str]) -> str:
    """Return ``a and b are``, or their number where they are many."""
    if len(systems) > MAX_NAMED:
        return f"{len(systems):,} are"
    return f"{join_names(systems)} {'is' if len(systems) == 1 else 'are'}"


def _describe_others(comparisons: Sequence[Comparison]) -> str:
    """Return ``b is not significantly different, 12 of 13 others score significantly lower``."""
    sides, n = _sides(comparisons), len(comparisons)
    lower, same = sides["lower"], sides[""] + sides["higher"]
    if not lower:
        return f"none of the {n:,} others is significantly different"
    if not same:
        return f"all {n:,} others score significantly lower"
    verb = "scores" if len(lower) == 1 else "score"
    if len(same) > MAX_NAMED:
        rest = f"{len(lower):,} {verb} significantly lower"
        return f"{len(same):,} of {n:,} others are not significantly different, {rest}"
    rest = f"{len(lower):,} of {n:,} others {verb} significantly lower"
    return f"{_name_systems(same)} not significantly different, {rest}"
