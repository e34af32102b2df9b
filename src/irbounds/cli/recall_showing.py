"""What ``irbounds recall`` shows besides its tables: figures, and a page that can be signed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..report.figures.style import Figure
    from ..report.pages import Section
    from ..results import RecallEstimate, Sample

__all__ = ["SIGNATURES", "recall_details", "recall_figures", "recall_topics"]

#: what whoever audits the samples fills in below the page
SIGNATURES = ("Name", "Role", "Date", "Signature")
F_TOPIC = "F1"  # whatever its weight


def recall_figures(
    found: Sequence[tuple[RecallEstimate, ...]], *, all_methods: bool
) -> list[Figure]:
    """The posterior first for a single sample; the systems for many; or the methods."""
    from ..report.figures.recall import methods_side_by_side, quantities, systems
    from ..report.figures.recall_posterior import posterior_density

    everything = [one for of_sample in found for one in of_sample]
    if all_methods:
        return [methods_side_by_side(everything)]
    if len(found) > 1:
        return [systems(everything)]
    figures = [posterior_density(everything[0])]
    return [*figures, quantities(everything)] if len(everything) > 1 else figures


def recall_topics(estimates: Iterable[RecallEstimate]) -> list[str]:
    """What a report explains: the quantities, then the methods."""
    estimates = list(estimates)
    kinds = [F_TOPIC if one.quantity.startswith("F") else one.quantity for one in estimates]
    return list(dict.fromkeys([*kinds, *(one.interval.method for one in estimates)]))


def recall_details(
    samples: Sequence[Sample], found: Sequence[tuple[RecallEstimate, ...]], digits: int | None
) -> list[Section]:
    """Counts, sampling plan, and both kinds of interval."""
    from ..report.recall_audit import audit_sections

    return audit_sections(samples, [one for of_sample in found for one in of_sample], digits)
