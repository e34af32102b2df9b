"""The sections of ``irbounds report``: one function each, from scores to words, tables, figures.

Each gets the same material and gives a section, or None where there is nothing to say: one system
has no differences, runs without ties need no rule for them, and without the size of the corpus
neither chance nor images of it can be known. What a section warns of and reads it adds to
``found``. What a result is shown as is the business of ``sections``, which the commands of single
results share. ``report_page`` puts the sections in their order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from functools import partial
from typing import TYPE_CHECKING

from .report_corpus import chance_of_systems, corpus_images
from .sections import (
    comparison_section,
    means_section,
    rank_section,
    scores_section,
    tie_figures,
)
from .showing import asked
from .writing import collected_warnings, lines_about, provenance_here

if TYPE_CHECKING:
    from ..presentation.pages import Page, Section
    from .report_material import Findings, Material

__all__ = ["report_page"]


def report_page(material: Material) -> Page:
    """All sections in their order, with the inputs first."""
    from ..presentation.pages import Page
    from ..presentation.words import counted
    from .report_material import Findings

    table = material.table
    found = Findings(list(table.warnings), list(table.inputs))
    with collected_warnings(found.warnings):
        made = {make: make(material, found) for make in SECTIONS}
    sections = [section for section in made.values() if section is not None]
    first = [section for section in (made[_means], made[_differences]) if section is not None]
    tables = [one for section in sections for one in section.tables]
    systems, queries = len(table.systems), len(table.queries)
    return Page(
        title=asked().title
        or f"{counted(systems, 'system')} on {counted(queries, 'query', 'queries')}",
        provenance=provenance_here([asdict(one) for one in dict.fromkeys(found.inputs)], tables),
        sections=sections,
        inputs=lines_about(table),
        warnings=list(dict.fromkeys(found.warnings)),
        verdicts=[section.sentences[0] for section in first if section.sentences],
    )


def _diagnosis(material: Material, found: Findings) -> Section | None:
    """What ``irbounds check`` says; ties have a section of their own, fingerprints provenance."""
    from ..presentation.diagnosis import diagnosis_sentences, run_tables
    from ..presentation.pages import Section

    diagnosis = material.table.diagnosis
    if diagnosis is None:
        return None
    return Section(
        "Diagnosis of the inputs",
        diagnosis_sentences(diagnosis),
        run_tables(diagnosis),
        topics=["diagnosis"],
    )


def _means(material: Material, found: Findings) -> Section:
    from ..api import mean_interval
    from ..presentation.evaluation import unknown_bounds
    from ..presentation.highlights import leading_sentences
    from ..presentation.terminal import progress_of

    table, wishes = material.table, material.wishes
    with progress_of("resampling queries") as progress:
        estimates = mean_interval(
            table,
            method=wishes.methods,
            confidence_level=wishes.confidence_level,
            n_resamples=wishes.n_resamples,
            rng=wishes.seed,
            progress=progress,
        )
    if not wishes.methods:
        found.warnings += unknown_bounds(estimates)
    section = means_section(estimates, wishes.rule, wishes.digits, ties=table.ties)
    return replace(section, sentences=leading_sentences(estimates, wishes.digits))


def _queries(material: Material, found: Findings) -> Section:
    """Their range, system by system: the scores themselves are too many for a page."""
    from ..presentation.queries import query_range_tables, query_sentences

    table = material.table
    section = scores_section(table, query_range_tables(table, material.wishes.digits))
    return replace(section, sentences=query_sentences(table))


def _differences(material: Material, found: Findings) -> Section | None:
    from ..api import difference_interval
    from ..presentation.terminal import progress_of

    table, wishes = material.table, material.wishes
    if len(table.systems) < 2:
        return None
    with progress_of("comparing systems") as progress:
        comparisons = difference_interval(
            table,
            baseline=material.baseline,
            confidence_level=wishes.confidence_level,
            rng=wishes.seed,
            progress=progress,
        )
    return comparison_section(comparisons, wishes.rule, wishes.digits, ties=table.ties)


def _ranks(material: Material, found: Findings) -> Section | None:
    from ..api import rank_interval
    from ..presentation.terminal import progress_of

    table, wishes = material.table, material.wishes
    if len(table.systems) < 2 or len(table.queries) < 2:
        return None
    with progress_of("resampling queries") as progress:
        ranks = rank_interval(
            table,
            confidence_level=wishes.confidence_level,
            n_resamples=wishes.n_resamples,
            rng=wishes.seed,
            progress=progress,
        )
    return rank_section(ranks, wishes.rule, wishes.digits, ties=table.ties)


def _ties(material: Material, found: Findings) -> Section | None:
    from .. import records
    from ..api import check_measures, tie_effects
    from ..presentation.families import by_measure
    from ..presentation.highlights import tie_sentences
    from ..presentation.pages import Section
    from ..presentation.ties import effect_tables

    diagnosis = material.table.diagnosis
    if diagnosis is None or not any(run.n_tied for run in diagnosis.runs):
        return None
    measures, left = material.computable(lambda names: check_measures(names, "expected"))
    if not measures:
        return None
    effects = tie_effects(
        material.judgments, material.runs, measures, queries=material.wishes.queries
    )
    tied = by_measure(one for one in effects if one.n_tied)
    tables = [
        replace(table, records=tuple(records(part)))
        for table, part in zip(effect_tables(effects, material.wishes.digits), tied, strict=True)
    ]
    return Section(
        "Ties where they matter",
        [*tie_sentences(effects), *left],
        tables,
        partial(tie_figures, [one for part in tied for one in part]),
        ["ties"],
    )


SECTIONS: tuple[Callable[[Material, Findings], Section | None], ...] = (
    _diagnosis,
    _means,
    _queries,
    _differences,
    _ranks,
    _ties,
    chance_of_systems,
    corpus_images,
)
