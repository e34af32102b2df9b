"""How ties change a system's score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from ..presentation.column_roles import Column, Count, Key
from ..presentation.phrases import group_by_measure
from ..presentation.registry import Presentation, present
from ..presentation.rounding import UNKNOWN, fixed, given
from .result import Result


@dataclass(frozen=True)
class TieEffect(Result):
    """One system by one measure: mean scores over queries by each rule for ties."""

    system: Annotated[str, Column("key", "run")]
    measure: Key
    #: entries whose score equals a neighbour's, of all queries of the run, and their fraction
    n_tied: Annotated[int, Column("count", "tied", note="entries")]
    tied_share: float
    #: queries of the means
    n: Count
    #: how many of them score differently in the best and the worst order
    n_affected: Annotated[int, Column("count", "queries", note="where best and worst differ")]
    #: the document id decides, as in trec_eval
    trec: float
    #: over all orders within ties
    expected: float
    worst: float
    best: float

    @property
    def span(self) -> Annotated[float, Column(text=lambda one, places: one._span_text(places))]:
        """How far apart the means in the best and in the worst order are."""
        return self.best - self.worst

    def _span_text(self, places: int) -> str:
        """Return ``0`` where the order changes no query."""
        least = 10.0**-places
        if not self.n_affected:
            return "0"
        return f"<{fixed(least, places)}" if self.span < least / 2 else fixed(self.span, places)


present(
    TieEffect,
    Presentation(
        "Ties",
        columns=("system", "n_tied", "n_affected", "trec", "expected", "worst", "best", "span"),
        title=lambda rows, view: f"ties: mean {rows[0].measure} by each rule",
        places=lambda rows: UNKNOWN,
        bar=lambda one: (one.worst, one.trec, one.best),
        sentences=lambda rows, view: tie_sentences(rows),
        figures=("ties:tie_spans",),
        topics=lambda rows: ["ties"],
    ),
)


def tie_sentences(effects: Sequence[TieEffect]) -> list[str]:
    """Return one sentence per measure: the run whose mean ties can change most."""
    return [_most_tied(part) for part in group_by_measure(effects)]


def _most_tied(part: Sequence[TieEffect]) -> str:
    most = max(part, key=lambda one: one.span)
    span = fixed(most.span, UNKNOWN)
    if float(span) == 0:
        return f"{most.measure}: ties move no run's mean by as much as {given(10.0**-UNKNOWN)}."
    low, high = fixed(most.worst, UNKNOWN), fixed(most.best, UNKNOWN)
    return (
        f"{most.measure}: by the order within ties the mean of {most.system} could be anything "
        f"from {low} to {high}, a span of {span}; no other run's is wider."
    )
