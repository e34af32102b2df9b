"""What ``irbounds recall`` shows besides its tables: figures, and a page that can be signed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from .showing import asked

if TYPE_CHECKING:
    from ..presentation.figures.style import Figure
    from ..results import RecallEstimate

__all__ = ["prior_topics", "recall_figures", "recall_topics"]

F_TOPIC = "F1"  # whatever its weight
NAMED_PRIORS = ("uniform", "most-conservative")


def recall_figures(
    found: Sequence[tuple[RecallEstimate, ...]], *, all_methods: bool
) -> list[Figure]:
    """The posterior first for a single sample; the systems for many; or the methods."""
    from ..presentation.figures.recall import (
        methods_side_by_side,
        posterior_density,
        quantities,
        systems,
    )

    everything = [one for of_sample in found for one in of_sample]
    if all_methods:
        return [methods_side_by_side(everything)]
    if len(found) > 1:
        return [systems(everything, top=asked().top)]
    figures = [posterior_density(everything[0])]
    return [*figures, quantities(everything)] if len(everything) > 1 else figures


def recall_topics(estimates: Iterable[RecallEstimate]) -> list[str]:
    """What a report explains: the quantities, then the methods, then the priors."""
    estimates = list(estimates)
    kinds = [F_TOPIC if one.quantity.startswith("F") else one.quantity for one in estimates]
    methods = [one.interval.method for one in estimates]
    priors = prior_topics(one.prior for one in estimates)
    return list(dict.fromkeys([*kinds, *methods, *priors]))


def prior_topics(priors: Iterable[str | None]) -> list[str]:
    """The priors that have a name; what others are is said by their numbers."""
    return [prior for prior in dict.fromkeys(priors) if prior in NAMED_PRIORS]
