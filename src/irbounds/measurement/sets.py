"""Measures of a list without its order: SetP, SetR, SetF, and the fraction that is judged.

Ties do not change SetP, SetR and SetF. Judged depends on the order only through its cutoff.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .base import BinaryMeasure, Description, Measure, ratio
from .judged_runs import Floats, Ints, JudgedRun, TiedRun


@dataclass(frozen=True, kw_only=True)
class SetMeasure(BinaryMeasure):
    """A measure of the whole list that does not depend on the order."""

    def expected_over_ties(self, run: TiedRun) -> Floats:
        """Return the score, which is the same in all orders."""
        return self.score(run)


@dataclass(frozen=True, kw_only=True)
class SetPrecision(SetMeasure):
    """The fraction of the list that is relevant, or of what a list of its length could have."""

    description = Description(
        stem="SetP",
        text="precision of the whole list",
        trec_eval={"set_P": "SetP", "set_relative_P": "SetP(relative=True)"},
    )
    relative: bool = False

    def score(self, run: JudgedRun) -> Floats:
        """Return the value of each query."""
        length = run.n_retrieved
        if self.relative:
            length = np.minimum(length, run.pool.n_relevant(self.rel))
        return ratio(_count_relevant(run, self.rel), length)


@dataclass(frozen=True, kw_only=True)
class SetRecall(SetMeasure):
    """The fraction of the relevant documents that is in the list."""

    description = Description(
        stem="SetR", text="recall of the whole list", trec_eval={"set_recall": "SetR"}
    )

    def score(self, run: JudgedRun) -> Floats:
        """Return the value of each query."""
        return ratio(_count_relevant(run, self.rel), run.pool.n_relevant(self.rel))


@dataclass(frozen=True, kw_only=True)
class SetF(SetMeasure):
    """The weighted harmonic mean of SetP and SetR."""

    description = Description(
        stem="SetF", text="F of the whole list", trec_eval={"set_F": "SetF"}, ranx={"f1": "SetF"}
    )
    beta: float = 1.0

    def score(self, run: JudgedRun) -> Floats:
        """Return the value of each query."""
        n_relevant = _count_relevant(run, self.rel)
        precision = ratio(n_relevant, run.n_retrieved)
        recall = ratio(n_relevant, run.pool.n_relevant(self.rel))
        # trec_eval weighs recall by beta itself, not by its square
        return ratio((1.0 + self.beta) * precision * recall, self.beta * precision + recall)


@dataclass(frozen=True, kw_only=True)
class Judged(Measure):
    """The fraction of the first documents that has a judgment."""

    description = Description(stem="Judged", text="fraction judged")

    def score(self, run: JudgedRun) -> Floats:
        """Return the value of each query."""
        query = run.query if self.cutoff is None else run.query[run.ranks <= self.cutoff]
        return ratio(run.pool.per_query(query), self._n_ranks(run))

    def expected_over_ties(self, run: TiedRun) -> Floats:
        """Return the mean over all orders within ties."""
        last = np.inf if self.cutoff is None else self.cutoff
        fraction = np.clip(last - run.before, 0, run.size) / run.size
        return ratio(run.pool.per_query(run.query, fraction), self._n_ranks(run))

    def _n_ranks(self, run: JudgedRun) -> Ints:
        if self.cutoff is None:
            return run.n_retrieved
        return np.minimum(run.n_retrieved, self.cutoff)


def _count_relevant(run: JudgedRun, rel: int) -> Floats:
    query, _ = run.relevant(rel)
    return run.pool.per_query(query)
