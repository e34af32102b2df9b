"""Assemble a report: everything about some runs, a table of scores or results on one page.

A page answers first: a verdict per measure, and one figure of all systems. Each section below is a
function of the same material, and None where there is nothing to show.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..atomic_write import whole_file
from ..comparisons.differences import compare_with_best, difference_interval
from ..comparisons.ranks import rank_interval
from ..corpora.bootstrap import check_corpus_measures, corpus_bootstrap
from ..errors import MeasureError
from ..intervals.means import mean_interval
from ..measurement.parser import check_chance_measures
from ..parallel.progress import show_progress
from ..presentation.phrases import join_names, pluralise
from ..presentation.registry import (
    View,
    collect_warnings,
    draw_figure,
    group_by_presentation,
    make_section,
)
from ..presentation.sections import Page, PageScores, Section
from ..random_rankings.collection_levels import chance_levels
from ..random_rankings.p_values import check_significance
from ..results import Comparison, Estimate, InputFile
from ..results.chance_levels import describe_population
from ..results.diagnosis import diagnosis_sentences, run_tables, summary_lines
from ..results.mean_estimates import warn_unknown_bounds
from ..results.paper_table import PaperTable
from ..results.query_scores import query_range_tables, query_sentences
from ..results.result import Result, Results
from ..scores.score_table import ScoreTable
from ..scores.scoring import check_measures, tie_effects
from ..validation import check_choice
from .corpus import analyse_images, corpus_section, default_analyses, precision_sentences
from .provenance import provenance_of
from .verdicts import verdicts

if TYPE_CHECKING:
    from ..presentation.figures.style import Figure
    from ..reading.records import Qrels, Run
    from ..results.result import Answer
    from ..verbs.report import ReportRequest


@dataclass(frozen=True)
class Report:
    """A page that is ready to be written."""

    page: Page

    def save(self, path: str | Path) -> None:
        """Write the page as one HTML file (atomically).

        Parameters
        ----------
        path
            The file. It needs no network to be read.

        Returns
        -------
        None
        """
        from ..presentation.html.page import render_page

        text = render_page(self.page)
        with whole_file(Path(path)) as file:
            file.write(text.encode(errors="xmlcharrefreplace"))

    def __str__(self) -> str:
        return "\n".join((self.page.title, *self.page.verdicts))


def report_of_results(results: Sequence[Result], request: ReportRequest) -> Report:
    """Return a page of results that are already computed.

    What a verb returned is shown as its command shows it; other results have one section per kind.
    """
    sections: list[Section] = []
    inputs: list[InputFile] = []
    lines: list[str] = []
    warnings: list[str] = []
    for is_answer, part in groupby(results, lambda one: _answer_of(one) is not None):
        if is_answer:
            for answer in filter(None, map(_answer_of, part)):
                view = replace(answer.view, digits=request.digits)
                sections += answer.sections(view)
                sections += answer.make_page_sections(view) if answer.make_page_sections else ()
                inputs += answer.inputs
                lines += answer.lines
                warnings += answer.warnings
        else:
            rows = [row for result in part for row in result._rows()]
            view = View(request.digits, "queries")
            sections += [make_section(kind, view) for _, kind in group_by_presentation(rows)]
            inputs += [one for row in rows for one in getattr(row, "inputs", ())]
            warnings += collect_warnings(rows)
    tables = [table for section in sections for table in section.tables]
    headings = dict.fromkeys(section.heading for section in sections)
    return Report(
        Page(
            title=request.title or join_names(headings),
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
    """Return the report of a table of scores; with judgments and runs it says more."""
    if request.baseline is not None:
        check_choice("baseline", request.baseline, table.systems)
    material = Material(table, request, judgments, runs)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        made = [make(material) for make in SECTIONS]
    material.warnings.extend(str(one.message) for one in caught)
    sections = [section for section in made if section is not None]
    tables = [one for section in sections for one in section.tables]
    systems, queries = len(table.systems), len(table.queries)
    default = f"{pluralise(systems, 'system')} on {pluralise(queries, 'query', 'queries')}"
    provenance = provenance_of((), {}, list(dict.fromkeys(material.inputs)), tables)
    return Report(
        Page(
            title=request.title or default,
            provenance=provenance,
            sections=sections,
            inputs=summary_lines(table.diagnosis) if table.diagnosis else (),
            warnings=list(dict.fromkeys(material.warnings)),
            verdicts=verdicts(material.estimates, material.comparisons, request.baseline),
            lead=material.draw_first,
            scores=_page_scores(table) if systems > 1 else None,
        )
    )


def _page_scores(table: ScoreTable) -> PageScores:
    return PageScores(table.measures, table.systems, table.queries, table.values.tolist())


@dataclass(frozen=True)
class Material:
    """What every section is made of; sections add to ``warnings`` and ``inputs``."""

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
        return View(self.request.digits, self.request.query_words, self.table.ties)

    @cached_property
    def estimates(self) -> Sequence[Estimate]:
        """The means, by the first method where several are asked for."""
        first = self.all_estimates[0].interval.method
        several = len(self.request.method or ()) > 1
        return [one for one in self.all_estimates if not several or one.interval.method == first]

    @cached_property
    def all_estimates(self) -> Sequence[Estimate]:
        """The means by all methods."""
        request = self.request
        with show_progress("resampling queries") as progress:
            estimates = mean_interval(
                self.table,
                method=request.method,
                confidence_level=request.confidence_level,
                n_resamples=request.n_resamples,
                bounds=request.bounds,
                rng=request.seed,
                progress=progress,
            )
        if not request.method:
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
                rng=self.request.seed,
                progress=progress,
            )

    @property
    def knows_corpus(self) -> bool:
        """Whether chance and images of the corpus can be computed."""
        sized = self.request.corpus_size is not None or self.request.corpus is not None
        return sized and self.judgments is not None

    @cached_property
    def differences(self) -> Sequence[Comparison]:
        """All systems less the baseline, or the best by the first measure; of two, the worse."""
        request, baselines = self.request, {one.baseline for one in self.comparisons}
        if len(self.table.systems) == 2 and request.baseline is None:
            baseline = self.comparisons[0].system
        elif len(baselines) == 1:
            return self.comparisons
        else:
            baseline = self.comparisons[0].baseline
        with show_progress("comparing systems") as progress:
            return difference_interval(
                self.table,
                baseline=baseline,
                confidence_level=request.confidence_level,
                rng=request.seed,
                progress=progress,
            )

    def draw_first(self) -> Figure:
        """Draw all systems with their intervals; of two, their difference on every query."""
        if len(self.table.systems) == 2:
            return draw_figure(self.differences)
        return self.draw_overview()

    def draw_overview(self) -> Figure:
        """Draw all systems with their intervals, measures side by side."""
        from ..presentation.figures import mean_plots

        best = self.comparisons
        if self.request.baseline is not None:  # the figure is about the best system
            level, rng = self.request.confidence_level, self.request.seed
            best = compare_with_best(self.table, self.estimates, confidence_level=level, rng=rng)
        return mean_plots.draw_overview(self.estimates, best)

    def computable(self, test: Callable[[list[str]], None]) -> tuple[list[str], list[str]]:
        """Return the measures that pass a test, and a sentence on those that do not."""
        kept, left = [], []
        for measure in self.table.measures:
            try:
                test([measure])
            except MeasureError:
                left.append(measure)
            else:
                kept.append(measure)
        return kept, [f"Not for {', '.join(left)}: there is no way to compute it."] if left else []


# ---- sections, in their order ----


def _means(material: Material) -> Section:
    paper = PaperTable(
        tuple(material.estimates), tuple(material.comparisons), material.request.baseline
    )
    section = make_section([paper], material.view)
    if len(material.all_estimates) > len(material.estimates):
        by_method = make_section(material.all_estimates, material.view)
        section = replace(
            section,
            tables=[*section.tables, *by_method.tables],
            figures=by_method.figures,
            topics=by_method.topics,
        )
    elif len(material.table.systems) == 2:
        section = replace(section, figures=lambda: [material.draw_overview()])
    else:
        section = replace(section, figures=tuple)  # the first figure of the page has them
    return replace(section, conclusion=())  # the page begins with the verdicts


def _differences(material: Material) -> Section | None:
    if len(material.table.systems) < 2:
        return None
    section = make_section(material.differences, material.view)
    # the first figure of the page shows the differences of two systems
    return replace(section, figures=tuple) if len(material.table.systems) == 2 else section


def _ranks(material: Material) -> Section | None:
    request, table = material.request, material.table
    if len(table.systems) < 3 or len(table.queries) < 2:
        return None
    with show_progress("resampling queries") as progress:
        ranks = rank_interval(
            table,
            confidence_level=request.confidence_level,
            n_resamples=request.n_resamples,
            rng=request.seed,
            progress=progress,
        )
    return make_section(ranks, material.view)


def _queries(material: Material) -> Section:
    section = make_section([material.table], View())
    return replace(section, sentences=query_sentences(material.table), tables=())


def _query_ranges(material: Material) -> Section:
    """Return the range of each query's scores: the scores themselves are too many for a page."""
    table = material.table
    tables = query_range_tables(table, material.view.digits)
    first = f"{pluralise(len(table.queries), 'query', 'queries')}, hardest first."
    return Section("Range of each query's scores", [first], tables, is_folded=True)


def _chance(material: Material) -> Section | None:
    """Return systems compared with what a random ranking of the whole corpus scores."""
    request = material.request
    measures, left = material.computable(check_chance_measures)
    if not material.knows_corpus or not measures:
        return None
    with show_progress("drawing random rankings") as progress:
        asked = check_significance(None, "greater", 9999, request.seed or 0, progress)
        rows = chance_levels(
            material.table.select(measures),
            material.judgments,
            material.runs,
            corpus_size=request.corpus_size,
            corpus=request.corpus,
            significance=asked,
        )
    material.warnings.extend(rows[0].warnings)
    material.inputs.extend(rows[0].inputs)
    section = make_section(rows, material.view)
    said = [f"{describe_population(rows)}.", *section.sentences, *left]
    return replace(section, sentences=said, is_folded=True)


def _ties(material: Material) -> Section | None:
    diagnosis = material.table.diagnosis
    if diagnosis is None or material.judgments is None:
        return None
    if not any(run.n_tied for run in diagnosis.runs):
        return Section("Ties", ["No run has tied documents."], is_folded=True)
    measures, left = material.computable(lambda names: check_measures(names, "expected"))
    if not measures:
        return None
    effects = tie_effects(
        material.judgments, material.runs, measures, queries=material.request.queries
    )
    tied = [one for one in effects if one.n_tied]
    section = make_section(tied, replace(material.view, ties=""))
    return replace(section, sentences=[*section.sentences, *left], is_folded=True)


def _corpus(material: Material) -> Section | None:
    """Return what another draw of documents would have changed."""
    request = material.request
    measures, left = material.computable(check_corpus_measures)
    if not material.knows_corpus or not measures:
        return None
    with show_progress("drawing images") as progress:
        images = corpus_bootstrap(
            material.judgments,
            material.runs,
            measures,
            corpus_size=request.corpus_size,
            corpus=request.corpus,
            n_images=request.n_images,
            rng=request.seed,
            queries=request.queries,
            progress=progress,
        )
    material.warnings.extend(images.warnings)
    material.inputs.extend(images.inputs)
    level = request.confidence_level
    analyses = [analyse_images(images, one, level) for one in default_analyses(images.systems)]
    section = corpus_section(
        [*analyses, images.variance_split(None, level)],
        replace(material.view, ties=""),
        precision_sentences(images, level),
    )
    return replace(section, sentences=[*section.sentences[1:], *left], is_folded=True)


def _diagnosis(material: Material) -> Section | None:
    """Return what ``irbounds check`` finds; ties have a section of their own."""
    diagnosis = material.table.diagnosis
    if diagnosis is None:
        return None
    said, tables = diagnosis_sentences(diagnosis), run_tables(diagnosis)
    return Section("Diagnosis of the inputs", said, tables, topics=["diagnosis"], is_folded=True)


SECTIONS: tuple[Callable[[Material], Section | None], ...] = (
    _means,
    _differences,
    _ranks,
    _queries,
    _query_ranges,
    _chance,
    _ties,
    _corpus,
    _diagnosis,
)
