"""Documents of equal score: the blocks they stand in, and the best and worst order within them.

A run says nothing about the order of its tied documents; trec_eval goes by their ids. Here each
judged document learns how many documents stand before its block of ties and how many are in it, and
a block can be put in its best or its worst order. Best: judged documents first, the highest grade
leading. Worst: judged documents last, the lowest grade leading, so that unjudged documents and
those of low grade keep the relevant ones down.

Why these are best and worst for every measure of ``formulas.py`` at once: two neighbours of a block
are swapped so that the higher grade comes first (an unjudged document counts as lower than any
grade), and no measure falls. Any order becomes the best one, and the worst one becomes any order,
by such swaps alone. At ranks r and r + 1, the documents elsewhere staying where they are:

- P, R, Rprec, nDCG, RBP, INSQ and Judged add up gains times weights; the gain does not fall with
  the grade, nor does the weight rise with the rank, whatever the cutoff.
- AP: with s relevant documents above, the term (s + 1) / (r + 1) becomes (s + 1) / r, or comes to
  be counted where the cutoff lies between; the terms below see the same documents above them.
- RR and Success: the first relevant document moves up or stays.
- ERR: with stopping chances a >= b, a / r + (1 - a) b / (r + 1) is at least
  b / r + (1 - b) a / (r + 1), the difference being (a - b) / (r (r + 1)); with the cutoff between,
  a / r is at least b / r. What is left to read below is (1 - a) (1 - b) either way.
- Bpref: a relevant document has one judged non-relevant document less above it, or as many.
- SetP, SetR and SetF, and Judged without a cutoff, do not look at the order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from ..errors import MeasureError
from ..validation import TieRule, check_choice
from .base import Measure
from .judged_runs import Ints, JudgedRun, number_within

if TYPE_CHECKING:
    from ..reading.records import Run

#: the document id decides, as in trec_eval; the mean over all orders; the worst; the best


@dataclass(frozen=True, eq=False)
class TiedRun(JudgedRun):
    """A judged run that knows the block of equal scores in which each document stands."""

    #: how many documents of its query stand before the block, and how many are in it
    before: Ints
    size: Ints

    @cached_property
    def block(self) -> Ints:
        """The number of each document's block: 0, 1, 2, ... along the run."""
        if not len(self.query):
            return self.query
        other = np.diff(self.query).astype(np.bool_) | np.diff(self.before).astype(np.bool_)
        return np.concatenate(([0], np.cumsum(other)))

    @cached_property
    def firsts(self) -> Ints:
        """The place of each block's first document in the arrays."""
        return np.flatnonzero(np.diff(self.block, prepend=-1))


def check_ties(ties: Any, measures: Sequence[Measure]) -> None:
    """Raise unless ``ties`` is one of the rules and every measure can be scored by it."""
    check_choice("ties", ties, get_args(TieRule))
    for measure in measures:
        if measure.formula is None and ties != "trec":
            raise MeasureError(
                f"{measure.name} is computed by ir_measures' providers, which take one order: "
                f"only with ties='trec'; got {ties!r}"
            )


def with_ties(run: Run, judged: JudgedRun) -> TiedRun:
    """Find the block of ties of every judged document; ``judged`` is what was judged of ``run``."""
    before, size = judged.ranks - 1, np.ones_like(judged.ranks)
    if run.n_tied:
        begin = dict(zip(run.query_ids, run.bounds.tolist(), strict=False))
        begins = np.array([begin.get(query, 0) for query in judged.pool.query_ids])
        first = begins[judged.query]
        entry = first + before
        tied = np.flatnonzero(run.tied[entry])
        starts, sizes = _blocks(run)
        block = np.searchsorted(starts, entry[tied], side="right") - 1
        before[tied] = starts[block] - first[tied]
        size[tied] = sizes[block]
    plain = {field.name: getattr(judged, field.name) for field in fields(judged)}
    return TiedRun(**plain, before=before, size=size)


def _blocks(run: Run) -> tuple[Ints, Ints]:
    """The first entry of each block of two or more, and how many it has."""
    places = np.flatnonzero(run.tied)
    begins = np.flatnonzero(run.begins_block[places])
    return places[begins], np.diff(np.append(begins, len(places)))


def best_order(run: TiedRun) -> JudgedRun:
    """The order within ties that no other beats, by any measure."""
    tied = np.flatnonzero(run.size > 1)
    block = run.block[tied]
    by_grade = tied[np.lexsort((-run.grades[tied], block))]
    return _reordered(run, tied, by_grade, run.before[tied] + number_within(block))


def worst_order(run: TiedRun) -> JudgedRun:
    """The order within ties that beats no other, by any measure."""
    tied = np.flatnonzero(run.size > 1)
    block = run.block[tied]
    by_grade = tied[np.lexsort((run.grades[tied], block))]
    others = run.size[tied] - np.bincount(block)[block] if len(tied) else tied
    return _reordered(run, tied, by_grade, run.before[tied] + others + number_within(block))


def _reordered(run: TiedRun, tied: Ints, by_grade: Ints, ranks: Ints) -> JudgedRun:
    """Tied documents at their new ranks; a block's places in the arrays stay its own."""
    new_ranks, new_grades = run.ranks.copy(), run.grades.copy()
    new_ranks[tied] = ranks
    new_grades[tied] = run.grades[by_grade]
    return JudgedRun(run.pool, run.query, new_ranks, new_grades, run.n_retrieved)
