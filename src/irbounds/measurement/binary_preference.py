"""Bpref: how often judged non-relevant documents are ranked above relevant ones.

It depends on judged documents only. Negative grades count as not judged.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .base import BinaryMeasure, Description, ratio
from .judged_runs import Floats, Ints, JudgedRun, TiedRun


@dataclass(frozen=True, kw_only=True)
class BinaryPreference(BinaryMeasure):
    """Bpref, as trec_eval computes it."""

    description = Description(
        stem="Bpref",
        text="binary preference",
        trec_eval={"bpref": "Bpref"},
        ranx={"bpref": "Bpref"},
        is_of_whole_list=True,
    )

    def score(self, run: JudgedRun) -> Floats:
        """Return the value of each query."""
        pool = run.pool
        n_relevant = pool.n_relevant(self.rel)
        n_nonrelevant = pool.n_relevant(0) - n_relevant
        nonrelevant = (run.grades >= 0) & (run.grades < self.rel)
        above = np.cumsum(nonrelevant)
        before_query = np.append(0, above)[np.searchsorted(run.query, np.arange(len(pool)))]
        relevant = run.grades >= self.rel
        query = run.query[relevant]
        above = (above - before_query[run.query])[relevant]
        bound = np.minimum(n_relevant, n_nonrelevant)[query]
        lost = np.minimum(above, n_relevant[query]) / np.maximum(bound, 1)
        return ratio(pool.per_query(query, 1.0 - lost), n_relevant)

    def expected_over_ties(self, run: TiedRun) -> Floats:
        """Return the mean over all orders within ties.

        Of a block's b judged non-relevant documents 0, 1, ... b are above a relevant one, each
        number with the same probability.
        """
        pool = run.pool
        n_relevant = pool.n_relevant(self.rel)
        n_nonrelevant = pool.n_relevant(0) - n_relevant
        nonrelevant = (run.grades >= 0) & (run.grades < self.rel)
        above_block = np.append(0, np.cumsum(nonrelevant))[run.firsts]
        first_block = np.searchsorted(run.query[run.firsts], np.arange(len(pool)))
        above_query = np.append(above_block, 0)[first_block]
        in_block = np.bincount(run.block[nonrelevant], minlength=len(run.firsts))
        relevant = run.grades >= self.rel
        query, block = run.query[relevant], run.block[relevant]
        above = above_block[block] - above_query[query]
        bound = np.minimum(n_relevant, n_nonrelevant)[query]
        lost = _mean_minimum(above, in_block[block], n_relevant[query]) / np.maximum(bound, 1)
        return ratio(pool.per_query(query, 1.0 - lost), n_relevant)


def _mean_minimum(above: Ints, more: Ints, limit: Ints) -> Floats:
    """Return the mean of min(above + j, limit) over j = 0 ... more."""
    begin = np.minimum(above, limit)
    rising = np.minimum(limit - begin, more)
    means: Floats = ((rising + 1) * (begin + rising / 2) + (more - rising) * limit) / (more + 1)
    return means
