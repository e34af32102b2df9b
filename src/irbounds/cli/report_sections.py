"""The sections of ``irbounds report``: one function each, from scores to words, tables, figures.

Each gets the same material and gives a section, or None where there is nothing to say: one system
has no differences, runs without ties need no rule for them, and without the size of the corpus
neither chance nor images of it can be known. What a section warns of it adds to ``said``. Figures
are drawn at once: a page has them all. ``report_page`` puts the sections in their order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from .report_corpus import chance_section, images_section
from .writing import collected_warnings, lines_about, provenance_here

if TYPE_CHECKING:
    from ..report.pages import Page, Section
    from .report_material import Findings, Material

__all__ = ["report_page"]


def report_page(material: Material) -> Page:
    """All sections in their order, with the inputs first."""
    from ..report.pages import Page
    from .report_material import Findings

    table = material.table
    found = Findings(list(table.warnings), list(table.inputs))
    with collected_warnings(found.warnings):
        made = [make(material, found) for make in SECTIONS]
    sections = [section for section in made if section is not None]
    tables = [one for section in sections for one in section.tables]
    systems, queries = len(table.systems), len(table.queries)
    return Page(
        title=f"{_counted(systems, 'system')} on {_counted(queries, 'query', 'queries')}",
        provenance=provenance_here([asdict(one) for one in dict.fromkeys(found.inputs)], tables),
        sections=sections,
        inputs=lines_about(table),
        warnings=list(dict.fromkeys(found.warnings)),
    )


def _counted(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def _diagnosis(material: Material, found: Findings) -> Section | None:
    """The tables of ``irbounds check``; ties have a section of their own."""
    from ..report.diagnosis import diagnosis_tables
    from ..report.pages import Section

    diagnosis = material.table.diagnosis
    if diagnosis is None:
        return None
    odd = len(diagnosis.warnings)
    words = f"{_counted(odd, 'thing')} odd, named among the inputs." if odd else "Nothing is odd."
    return Section(
        "Diagnosis of the inputs", [words], diagnosis_tables(diagnosis, ()), (), ["diagnosis"]
    )


def _means(material: Material, found: Findings) -> Section:
    from ..api import mean_interval
    from ..report.evaluation import estimate_tables, unknown_bounds
    from ..report.figures.means import forest
    from ..report.highlights import leading_sentences
    from ..report.pages import Section
    from ..report.terminal import progress_of

    wishes = material.wishes
    with progress_of("resampling queries") as progress:
        estimates = mean_interval(
            material.table,
            method=wishes.methods,
            confidence_level=wishes.confidence_level,
            n_resamples=wishes.n_resamples,
            rng=wishes.seed,
            progress=progress,
        )
    if not wishes.methods:
        found.warnings += unknown_bounds(estimates)
    parts: dict[tuple[str, str], list[Any]] = {}
    for one in estimates:
        parts.setdefault((one.measure, one.interval.method), []).append(one)
    methods = dict.fromkeys(one.interval.method for one in estimates)
    return Section(
        "Means with intervals",
        leading_sentences(estimates),
        material.ruled(estimate_tables(estimates, wishes.rule, wishes.digits)),
        [forest(part) for part in parts.values()],
        ["mean-interval", *methods],
    )


def _queries(material: Material, found: Findings) -> Section:
    from ..report.figures.distributions import score_distributions
    from ..report.pages import Section
    from ..report.queries import query_range_tables, query_sentences, score_rows

    table = material.table
    return Section(
        "Scores by query",
        query_sentences(table),
        material.ruled(query_range_tables(table, material.wishes.digits)),
        [score_distributions(score_rows(table, one), one) for one in table.measures],
        ["score-table"],
    )


def _differences(material: Material, found: Findings) -> Section | None:
    from ..api import difference_interval
    from ..report.comparison import comparison_sentences, comparison_tables
    from ..report.families import by_measure
    from ..report.figures.differences import differences
    from ..report.pages import Section
    from ..report.terminal import progress_of

    wishes = material.wishes
    if len(material.table.systems) < 2:
        return None
    with progress_of("comparing systems") as progress:
        comparisons = difference_interval(
            material.table,
            baseline=material.baseline,
            confidence_level=wishes.confidence_level,
            rng=wishes.seed,
            progress=progress,
        )
    first = comparisons[0]
    return Section(
        f"Differences from {material.baseline}",
        comparison_sentences(comparisons),
        material.ruled(comparison_tables(comparisons, wishes.rule, wishes.digits)),
        [differences(part) for part in by_measure(comparisons)],
        ["difference", first.interval.method, first.test, first.adjustment],
    )


def _ranks(material: Material, found: Findings) -> Section | None:
    from ..api import rank_interval
    from ..report.families import by_measure
    from ..report.figures.ranks import rank_intervals
    from ..report.pages import Section
    from ..report.ranks import rank_sentences, rank_tables
    from ..report.terminal import progress_of

    wishes = material.wishes
    if len(material.table.systems) < 2:
        return None
    with progress_of("shuffling and resampling for ranks") as progress:
        ranks = rank_interval(
            material.table,
            confidence_level=wishes.confidence_level,
            n_resamples=wishes.n_resamples,
            rng=wishes.seed,
            progress=progress,
        )
    return Section(
        "Ranks",
        rank_sentences(ranks),
        material.ruled(rank_tables(ranks, wishes.rule, wishes.digits)),
        [rank_intervals(part) for part in by_measure(ranks)],
        ["rank", "max-statistic"],
    )


def _ties(material: Material, found: Findings) -> Section | None:
    from .. import records
    from ..api import check_measures, tie_effects
    from ..report.families import by_measure
    from ..report.figures.small_results import tie_spans
    from ..report.highlights import tie_sentences
    from ..report.pages import Section
    from ..report.ties import effect_tables

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
        for table, part in zip(effect_tables(effects), tied, strict=True)
    ]
    return Section(
        "Ties where they matter",
        [*tie_sentences(effects), *left],
        tables,
        [tie_spans(part) for part in tied],
        ["ties"],
    )


SECTIONS: tuple[Callable[[Material, Findings], Section | None], ...] = (
    _diagnosis,
    _means,
    _queries,
    _differences,
    _ranks,
    _ties,
    chance_section,
    images_section,
)
