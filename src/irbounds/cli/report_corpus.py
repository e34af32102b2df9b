"""Sections of ``irbounds report`` that need the size of the corpus: chance, and its images."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from .corpus_tables import CorpusWishes, analysed, default_kinds
from .sections import chance_section

if TYPE_CHECKING:
    from ..presentation.pages import Section
    from .report_material import Findings, Material

__all__ = ["chance_of_systems", "corpus_images"]


def chance_of_systems(material: Material, found: Findings) -> Section | None:
    """Systems beside what a random ranking of the whole corpus scores."""
    from ..api import chance_levels, check_chance_measures, checked_significance
    from ..presentation.baseline import baseline_tables, population_line
    from ..presentation.terminal import progress_of

    wishes = material.wishes
    measures, left = material.computable(check_chance_measures)
    if not material.knows_corpus or not measures:
        return None
    with progress_of("drawing random rankings") as progress:
        asked = checked_significance(None, "greater", 9999, wishes.seed, progress)
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
    tables = baseline_tables(rows, wishes.rule, wishes.digits)
    section = chance_section(rows, material.ruled(tables))
    return replace(section, sentences=[f"{population_line(rows)}.", *section.sentences, *left])


def corpus_images(material: Material, found: Findings) -> Section | None:
    """What another draw of documents would have changed, beside other queries."""
    from ..api import check_corpus_measures, corpus_bootstrap
    from ..presentation.terminal import progress_of

    wishes = material.wishes
    measures, left = material.computable(check_corpus_measures)
    if not material.knows_corpus or not measures:
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
    asked = CorpusWishes(
        confidence_level=wishes.confidence_level,
        rule=wishes.rule,
        shown=default_kinds(images.systems),
        queries=True,
        digits=wishes.digits,
    )
    section = analysed(images, asked)
    return replace(section, sentences=[*section.sentences, *left])
