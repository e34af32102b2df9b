"""Sections of ``irbounds report`` that need the size of the corpus: chance, and its images."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..report.pages import Section
    from .report_material import Findings, Material

__all__ = ["chance_section", "images_section"]


def chance_section(material: Material, found: Findings) -> Section | None:
    """Systems beside what a random ranking of the whole corpus scores."""
    from ..api import chance_levels, check_chance_measures, checked_significance
    from ..report.baseline import baseline_tables, p_lines, population_line
    from ..report.figures.baseline import systems_and_chance
    from ..report.pages import Section
    from ..report.terminal import progress_of

    wishes = material.wishes
    if not material.knows_corpus:
        return None
    measures, left = material.computable(check_chance_measures)
    if not measures:
        return None
    with progress_of("drawing random rankings") as progress:
        asked = checked_significance(None, "greater", 9999, wishes.seed, None, progress)
        rows = chance_levels(
            material.table.select(measures),
            material.judgments,
            material.runs,
            corpus_size=wishes.corpus_size,
            corpus=wishes.corpus,
            significance=asked,
        )
    found.warnings += rows[0].warnings
    found.inputs += rows[0].inputs
    methods = dict.fromkeys(row.method for row in rows if row.method)
    return Section(
        "Chance level",
        [f"{population_line(rows)}.", *p_lines(rows), *left],
        material.ruled(baseline_tables(rows, wishes.rule, wishes.digits)),
        [systems_and_chance(rows)],
        ["random-baseline", *methods],
    )


def images_section(material: Material, found: Findings) -> Section | None:
    """What another draw of documents would have changed, beside other queries."""
    from ..api import check_corpus_measures, corpus_bootstrap
    from ..report.corpus import (
        rank_precision_tables,
        score_precision_sentences,
        score_precision_tables,
    )
    from ..report.corpus_measures import measure_precision_tables
    from ..report.corpus_variance import variance_sentences, variance_tables
    from ..report.figures.corpus_measures import measure_spreads
    from ..report.figures.corpus_ranks import rank_boxes
    from ..report.figures.corpus_scores import score_boxes
    from ..report.figures.corpus_variance import variances
    from ..report.pages import Section
    from ..report.terminal import progress_of

    wishes = material.wishes
    if not material.knows_corpus:
        return None
    measures, left = material.computable(check_corpus_measures)
    if not measures:
        return None
    with progress_of("drawing images") as progress:
        images = corpus_bootstrap(
            material.judgments,
            material.runs,
            measures,
            corpus_size=wishes.corpus_size,
            corpus=wishes.corpus,
            n_images=wishes.n_images,
            rng=wishes.seed,
            queries=wishes.queries,
            progress=progress,
        )
    found.warnings += images.warnings
    found.inputs += images.inputs
    level, digits = wishes.confidence_level, wishes.digits
    scores, spreads = images.score_precision(level), images.measure_precision()
    ranks = images.rank_precision(level) if len(images.systems) > 1 else ()
    split = images.variance_split(None, level)
    tables = [
        *score_precision_tables(scores, wishes.rule, digits),
        *(rank_precision_tables(ranks, scores, digits) if ranks else ()),
        *measure_precision_tables(spreads, digits),
        *variance_tables(split, wishes.rule, digits),
    ]
    figures = [score_boxes(scores), *([rank_boxes(ranks)] if ranks else ())]
    return Section(
        "Corpus images",
        [*score_precision_sentences(scores, ranks), *variance_sentences(split), *left],
        tables,
        [*figures, measure_spreads(spreads), variances(split)],
        ["corpus-scores", "corpus-ranks", "corpus-measures", "variance-split"],
    )
