"""``irbounds.report``: everything about some runs, a table of scores or results on one page.

A page answers first: a verdict per measure, and one figure of all systems. Each section below is a
function of the same material, and None where there is nothing to show.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..api import (
    chance_levels,
    check_chance_measures,
    check_corpus_measures,
    check_measures,
    checked_methods,
    checked_significance,
    compare_with_best,
    corpus_bootstrap,
    difference_interval,
    mean_interval,
    rank_interval,
    read_qrels,
    read_runs,
    score,
    tie_effects,
)
from ..errors import MeasureError
from ..parameters import check_choice, check_confidence_level
from ..presentation.pages import Page, PageScores, Section
from ..presentation.registry import View, by_presentation, figure_of, section_of, warnings_of
from ..presentation.terminal import progress_of
from ..presentation.words import counted, listed
from ..results import Comparison, Estimate, InputFile, Result
from ..results.chance import population_line
from ..results.diagnosis import diagnosis_sentences, run_tables, summary_lines
from ..results.estimates import unknown_bounds
from ..results.paper_table import PaperTable
from ..results.query_scores import query_range_tables, query_sentences
from ..scores.score_input import as_score_table
from ..scores.score_table import ScoreTable
from ..whole_files import whole_file
from .corpus import analyse_images, corpus_section, default_analyses, precision_sentences
from .provenance import provenance_of
from .verdicts import verdicts

if TYPE_CHECKING:
    from ..parameters import QueryRule, TieRule
    from ..presentation.figures.style import Figure
    from ..read.records import Qrels, Run

MEASURES = ("AP", "nDCG@10")


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
        from ..presentation.html.page import page_text

        text = page_text(self.page)
        with whole_file(Path(path)) as file:
            file.write(text.encode(errors="xmlcharrefreplace"))

    def __str__(self) -> str:
        return "\n".join((self.page.title, *self.page.verdicts))


@dataclass(frozen=True)
class ReportRequest:
    """How the numbers of a report are computed and shown."""

    title: str | None = None
    confidence_level: float = 0.95
    method: Sequence[str] | str | None = None
    #: what the others are compared with; None for the best by the first measure
    baseline: str | None = None
    n_resamples: int = 9999
    bounds: tuple[float, float] | None = None
    n_images: int = 1000
    rng: Any = 0
    corpus_size: int | None = None
    corpus: Any = None
    queries: QueryRule = "all"
    view: View = field(default_factory=lambda: View(queries="judged queries"))
    #: of the command line, by which the report can be made again; None from Python
    arguments: Sequence[str] = ()
    options: Mapping[str, Any] = field(default_factory=dict)


def report(
    data: Any,
    runs: Any = None,
    measures: Sequence[str] | None = None,
    *,
    title: str | None = None,
    baseline: str | None = None,
    method: Sequence[str] | str | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 9999,
    bounds: tuple[float, float] | None = None,
    n_images: int = 1000,
    rng: Any = 0,
    corpus_size: int | None = None,
    corpus: Any = None,
    queries: QueryRule = "all",
    ties: TieRule = "trec",
    digits: int | None = None,
) -> Report:
    """Return a report: verdicts, figures, tables and explanations on one page.

    Parameters
    ----------
    data
        Judgments, where ``runs`` are given: what ``read_qrels`` takes. Or a ``ScoreTable``, or
        anything ``read_scores`` takes. Or results: what ``mean_interval``,
        ``difference_interval`` and others return, or a list of these.
    runs
        What ``read_runs`` takes.
    measures
        Names of measures; AP and nDCG@10 by default.
    title
        Of the page; by default the numbers of systems and queries.
    baseline
        The system that all others are compared with; by default the best by the first measure.
    method, confidence_level, n_resamples, bounds, rng
        As in ``mean_interval``.
    n_images, corpus_size, corpus
        Images of the corpus, and its size or the list of its document ids. With either of the two
        the report has chance levels and what other documents would change.
    queries, ties
        As in ``score``.
    digits
        Decimals, where the uncertainty is not to decide.

    Returns
    -------
    Report
        ``.save("report.html")`` writes it.

    Examples
    --------
    >>> import irbounds
    >>> collection = irbounds.simulation.simulate_collection(n_systems=3, n_queries=20, rng=1)
    >>> page = irbounds.report(collection.qrels, collection.runs, ["AP"])
    >>> page.page.title
    '3 systems on 20 queries'
    """
    check_confidence_level(confidence_level)
    checked_methods(method)
    request = ReportRequest(
        title=title,
        confidence_level=confidence_level,
        method=method,
        baseline=baseline,
        n_resamples=n_resamples,
        bounds=bounds,
        n_images=n_images,
        rng=rng,
        corpus_size=corpus_size,
        corpus=corpus,
        queries=queries,
        view=View(digits, "judged queries" if runs is not None else "queries", ties),
    )
    if runs is not None:
        judgments, packed = read_qrels(data), read_runs(runs)
        table = score(judgments, packed, list(measures or MEASURES), queries=queries, ties=ties)
        return report_of(table, request, judgments, packed)
    if isinstance(data, Result) and not isinstance(data, ScoreTable):
        return _report_of_results([data], request)
    if isinstance(data, list | tuple) and data and all(isinstance(one, Result) for one in data):
        return _report_of_results(data, request)
    table = as_score_table(data)
    return report_of(table.select(measures) if measures else table, request)


def _report_of_results(results: Iterable[Result], request: ReportRequest) -> Report:
    """Return a page of results that are already computed, one section per kind."""
    rows = [row for result in results for row in result._rows()]
    sections = [section_of(part, request.view) for _, part in by_presentation(rows)]
    inputs = dict.fromkeys(one for row in rows for one in getattr(row, "inputs", ()))
    tables = [table for section in sections for table in section.tables]
    return Report(
        Page(
            title=request.title or listed(section.heading for section in sections),
            provenance=provenance_of(request.arguments, request.options, list(inputs), tables),
            sections=sections,
            warnings=warnings_of(rows),
        )
    )


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
    default = f"{counted(systems, 'system')} on {counted(queries, 'query', 'queries')}"
    provenance = provenance_of(
        request.arguments, request.options, list(dict.fromkeys(material.inputs)), tables
    )
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
        return replace(self.request.view, ties=self.table.ties)

    @cached_property
    def estimates(self) -> Sequence[Estimate]:
        """The means, by the first method where several are asked for."""
        first = self.all_estimates[0].interval.method
        methods = self.request.method
        several = methods is not None and not isinstance(methods, str) and len(methods) > 1
        return [one for one in self.all_estimates if not several or one.interval.method == first]

    @cached_property
    def all_estimates(self) -> Sequence[Estimate]:
        """The means by all methods."""
        request = self.request
        with progress_of("resampling queries") as progress:
            estimates = mean_interval(
                self.table,
                method=request.method,
                confidence_level=request.confidence_level,
                n_resamples=request.n_resamples,
                bounds=request.bounds,
                rng=request.rng,
                progress=progress,
            )
        if not request.method:
            self.warnings.extend(unknown_bounds(estimates))
        return estimates

    @cached_property
    def comparisons(self) -> Sequence[Comparison]:
        """Every system with the best by each measure, or with the baseline that was given."""
        with progress_of("comparing systems") as progress:
            return compare_with_best(
                self.table,
                self.estimates,
                self.request.baseline,
                confidence_level=self.request.confidence_level,
                rng=self.request.rng,
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
        with progress_of("comparing systems") as progress:
            return difference_interval(
                self.table,
                baseline=baseline,
                confidence_level=request.confidence_level,
                rng=request.rng,
                progress=progress,
            )

    def draw_first(self) -> Figure:
        """Draw all systems with their intervals; of two, their difference on every query."""
        if len(self.table.systems) == 2:
            return figure_of(self.differences)
        return self.draw_overview()

    def draw_overview(self) -> Figure:
        """Draw all systems with their intervals, measures side by side."""
        from ..presentation.figures import means

        best = self.comparisons
        if self.request.baseline is not None:  # the figure is about the best system
            level, rng = self.request.confidence_level, self.request.rng
            best = compare_with_best(self.table, self.estimates, confidence_level=level, rng=rng)
        return means.overview(self.estimates, best)

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
    section = section_of([paper], material.view)
    if len(material.all_estimates) > len(material.estimates):
        by_method = section_of(material.all_estimates, material.view)
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
    section = section_of(material.differences, material.view)
    # the first figure of the page shows the differences of two systems
    return replace(section, figures=tuple) if len(material.table.systems) == 2 else section


def _ranks(material: Material) -> Section | None:
    request, table = material.request, material.table
    if len(table.systems) < 3 or len(table.queries) < 2:
        return None
    with progress_of("resampling queries") as progress:
        ranks = rank_interval(
            table,
            confidence_level=request.confidence_level,
            n_resamples=request.n_resamples,
            rng=request.rng,
            progress=progress,
        )
    return section_of(ranks, material.view)


def _queries(material: Material) -> Section:
    section = section_of([material.table], View())
    return replace(section, sentences=query_sentences(material.table), tables=())


def _query_ranges(material: Material) -> Section:
    """Return the range of each query's scores: the scores themselves are too many for a page."""
    table = material.table
    tables = query_range_tables(table, material.view.digits)
    first = f"{counted(len(table.queries), 'query', 'queries')}, hardest first."
    return Section("Range of each query's scores", [first], tables, is_folded=True)


def _chance(material: Material) -> Section | None:
    """Return systems compared with what a random ranking of the whole corpus scores."""
    request = material.request
    measures, left = material.computable(check_chance_measures)
    if not material.knows_corpus or not measures:
        return None
    with progress_of("drawing random rankings") as progress:
        asked = checked_significance(None, "greater", 9999, request.rng, progress)
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
    section = section_of(rows, material.view)
    said = [f"{population_line(rows)}.", *section.sentences, *left]
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
    section = section_of(tied, replace(material.view, ties=""))
    return replace(section, sentences=[*section.sentences, *left], is_folded=True)


def _corpus(material: Material) -> Section | None:
    """Return what another draw of documents would have changed."""
    request = material.request
    measures, left = material.computable(check_corpus_measures)
    if not material.knows_corpus or not measures:
        return None
    with progress_of("drawing images") as progress:
        images = corpus_bootstrap(
            material.judgments,
            material.runs,
            measures,
            corpus_size=request.corpus_size,
            corpus=request.corpus,
            n_images=request.n_images,
            rng=request.rng,
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
