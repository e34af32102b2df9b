"""Samples that are still to be drawn: what they cost, and what interval of recall they promise."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..parameters import Alternative
from .shown import Shown

__all__ = ["PlannedSample", "RecallPlan"]


@dataclass(frozen=True)
class PlannedSample(Shown):
    """A sample of both segments, and the interval of recall to be expected from it."""

    #: assessments in total
    budget: int
    #: documents assessed among the retrieved ones, and among the others
    retrieved_sample: int
    unretrieved_sample: int
    #: share of the assessments that goes to the retrieved set
    split: float
    #: expectations over all the samples that may come
    expected_width: float
    expected_low: float
    expected_high: float
    #: width of the interval if the sample holds as many relevant documents as expected, fractions
    #: of a document and all: what Webber (2013) draws
    width_at_expected_counts: float


@dataclass(frozen=True, eq=False)
class RecallPlan(Shown):
    """How much to assess and where, for an interval of recall."""

    #: documents in all, and in the retrieved set
    population: int
    retrieved: int
    #: the guesses: a number, or words where they are more than one
    yield_guess: float | str
    recall_guess: float | str
    #: what to assess
    sample: PlannedSample
    #: the best split of the same budget: the sample itself, unless its split was given
    best: PlannedSample
    #: fewest and most retrieved documents to assess, of the same budget, for an expected width
    #: within ``tolerance`` of the best
    good_from: int
    good_to: int
    tolerance: float
    method: str
    confidence_level: float
    alternative: Alternative
    #: whether an unretrieved sample without anything relevant raises the upper end to 1
    cap_at_one: bool
    #: the prior in words, for a method that has one
    prior: str | None = None
    #: what the sample was made for; None where that was not asked
    wanted_width: float | None = None
    recall_at_least: float | None = None
    wanted_assurance: float | None = None
    #: the chance that the lower end reaches ``recall_at_least``
    assurance: float | None = None
    #: what a first sample has shown: (sampled, relevant) of both segments; it is part of ``sample``
    pilot: tuple[tuple[int, int], tuple[int, int]] | None = None
    #: assessments of both segments in a pilot that is still to come
    pilot_sample: tuple[int, int] | None = None
    #: expected width with what follows the pilot split by what it shows, and without a look at it
    two_phase_width: float | None = None
    one_phase_width: float | None = None
    #: the same budget in other splits
    curve: tuple[PlannedSample, ...] = field(default=(), repr=False)
