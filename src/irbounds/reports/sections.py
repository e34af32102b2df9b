"""The sections of a report, in their order.

Each is a function of the same material, and returns None if there is nothing to show.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from ..comparisons.ranks import rank_interval
from ..corpora.bootstrap import check_corpus_measures, corpus_bootstrap
from ..measurement.parser import check_chance_measures
from ..presentation.page_content import Section
from ..presentation.phrases import pluralise
from ..presentation.registry import View, make_section
from ..progress import show_progress
from ..random_rankings.collection_levels import chance_levels
from ..random_rankings.p_values import check_significance
from ..results.chance_levels import describe_population
from ..results.evaluation import PaperTable
from ..results.input_diagnosis import diagnosis_sentences, run_tables
from ..results.query_scores import query_range_tables, query_sentences
from ..scores.scoring import check_measures, tie_effects
from .corpus_analyses import analyse_images, corpus_section, default_analyses, precision_sentences

if TYPE_CHECKING:
    from .assembly import Material


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
    with show_progress("comparing systems") as progress:
        ranks = rank_interval(table, confidence_level=request.confidence_level, progress=progress)
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
    measures, notes = material.split_measures(check_chance_measures)
    if not material.knows_corpus or not measures:
        return None
    with show_progress("drawing random rankings") as progress:
        significance = check_significance(None, "greater", 9999, request.seed or 0, progress)
        rows = chance_levels(
            material.table.select(measures),
            material.judgments,
            material.runs,
            corpus_size=request.corpus_size,
            corpus=request.corpus,
            significance=significance,
        )
    material.warnings.extend(rows[0].warnings)
    material.inputs.extend(rows[0].inputs)
    section = make_section(rows, material.view)
    sentences = [f"{describe_population(rows)}.", *section.sentences, *notes]
    return replace(section, sentences=sentences, is_folded=True)


def _ties(material: Material) -> Section | None:
    diagnosis = material.table.diagnosis
    if diagnosis is None or material.judgments is None:
        return None
    if not any(run.n_tied for run in diagnosis.runs):
        return Section("Ties", ["No run has tied documents."], is_folded=True)
    measures, notes = material.split_measures(lambda names: check_measures(names, "expected"))
    if not measures:
        return None
    effects = tie_effects(
        material.judgments, material.runs, measures, queries=material.request.queries
    )
    tied = [effect for effect in effects if effect.n_tied]
    section = make_section(tied, replace(material.view, ties=""))
    return replace(section, sentences=[*section.sentences, *notes], is_folded=True)


def _corpus(material: Material) -> Section | None:
    """Return what another draw of documents would have changed."""
    request = material.request
    measures, notes = material.split_measures(check_corpus_measures)
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
    analyses = [
        analyse_images(images, analysis, level) for analysis in default_analyses(images.systems)
    ]
    section = corpus_section(
        [*analyses, images.variance_split(None, level)],
        replace(material.view, ties=""),
        precision_sentences(images, level),
    )
    return replace(section, sentences=[*section.sentences[1:], *notes], is_folded=True)


def _diagnosis(material: Material) -> Section | None:
    """Return what ``irbounds check`` finds; ties have a section of their own."""
    diagnosis = material.table.diagnosis
    if diagnosis is None:
        return None
    sentences, tables = diagnosis_sentences(diagnosis), run_tables(diagnosis)
    return Section(
        "Diagnosis of the inputs", sentences, tables, topics=["diagnosis"], is_folded=True
    )


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
