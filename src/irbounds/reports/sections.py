"""The sections of a report, in their order.

Each is a function of the same material, and returns None if there is nothing to show.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from ..comparisons.ranks import rank_interval
from ..presentation.page_content import Section
from ..presentation.phrases import pluralise
from ..presentation.registry import View, make_section
from ..progress import show_progress
from ..results.evaluation import PaperTable
from ..results.input_diagnosis import NOTHING, run_table
from ..results.query_scores import query_range_tables, query_sentences

if TYPE_CHECKING:
    from .assembly import Material


def _means(material: Material) -> Section:
    paper = PaperTable(
        tuple(material.estimates), tuple(material.comparisons), material.request.baseline
    )
    section = make_section([paper], material.view)
    # the first figure of the page has the means, and the page begins with the verdicts
    return replace(section, figures=tuple, conclusion=())


def _differences(material: Material) -> Section | None:
    if len(material.table.systems) < 2:
        return None
    return make_section(material.differences, material.view)


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
    tables = query_range_tables(table, None)
    first = f"{pluralise(len(table.queries), 'query', 'queries')}, hardest first."
    return Section("Range of each query's scores", [first], tables, is_folded=True)


def _diagnosis(material: Material) -> Section | None:
    """Return what ``irbounds check`` finds."""
    diagnosis = material.table.diagnosis
    if diagnosis is None:
        return None
    return Section(
        "Diagnosis of the inputs",
        [] if diagnosis.warnings else [NOTHING],
        [run_table(diagnosis)],
        topics=["diagnosis"],
        is_folded=True,
    )


SECTIONS: tuple[Callable[[Material], Section | None], ...] = (
    _means,
    _differences,
    _ranks,
    _queries,
    _query_ranges,
    _diagnosis,
)
