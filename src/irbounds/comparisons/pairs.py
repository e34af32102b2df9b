"""Which systems are compared, and their differences query by query.

All comparisons of one measure are one family. Without a baseline they are all pairs, the better
system first; the scores decide which that is.

Scores are themselves rounded: 0.3 - 0.2 and 0.2 - 0.1 are the same difference of two precisions,
but not the same double. Differences are therefore taken to 13 digits of the largest score; what
lies below is rounding, and would turn equal differences into unequal ones, and equal systems into
systems that differ.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..errors import ParameterError
from ..scores.score_table import ScoreTable
from ..validation import check_choice

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

DIGITS = 13
CLOSE = 1e-12  # of the largest score: means that differ by less are the same
CHUNK = 1 << 22  # numbers worked on at once, 32 MiB
AT_ONCE = 1 << 12  # pairs after which progress is reported


@dataclass(frozen=True, eq=False)
class Pairs:
    """All comparisons of one measure."""

    measure: str
    systems: tuple[str, ...]
    #: system x query
    scores: Floats
    #: the system of each pair, and what it is compared with
    first: Places
    second: Places
    #: the one that all are compared with, if there is one
    baseline: int | None = None
    #: ids, by column of the scores
    queries: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.first)

    @property
    def n(self) -> int:
        """How many queries."""
        return int(self.scores.shape[1])

    @cached_property
    def largest(self) -> Floats:
        """The largest score of either system of each pair, without its sign."""
        sizes = np.abs(self.scores).max(axis=1)
        return np.asarray(np.maximum(sizes[self.first], sizes[self.second]))

    @property
    def closeness(self) -> Floats:
        """Means of each pair that differ by no more count as equal."""
        return CLOSE * self.largest

    @cached_property
    def means(self) -> Floats:
        """The mean difference of every pair."""
        means: Floats = np.concatenate([self.differences(part).mean(1) for part in self.chunks()])
        return means

    @cached_property
    def centred(self) -> Floats:
        """Scores less each query's mean: the same differences, and less to lose to rounding."""
        return np.asarray(self.scores - self.scores.mean(axis=0))

    def differences(self, part: slice) -> Floats:
        """Differences of some pairs: pair x query."""
        exact = self.scores[self.first[part]] - self.scores[self.second[part]]
        # the power of two next below the largest score; dividing by it loses nothing
        unit = np.ldexp(1.0, np.frexp(self.largest[part])[1] - 1)[:, None]
        return np.asarray(np.round(exact / unit, DIGITS) * unit)

    def chunks(self, width: int = 0) -> list[slice]:
        """Parts of the pairs, so that ``width`` numbers for each stay within some memory."""
        step = max(CHUNK // max(width, self.n), 1)
        return [slice(begin, begin + step) for begin in range(0, len(self), step)]

    def names(self, part: slice = slice(None)) -> Iterator[tuple[str, str]]:
        """The system of each of some pairs, and what it is compared with."""
        for i, j in zip(self.first[part], self.second[part], strict=True):
            yield self.systems[i], self.systems[j]


def pairs_of(table: ScoreTable, baseline: str | None) -> list[Pairs]:
    """The comparisons of every measure."""
    if len(table.systems) < 2:
        only = ", ".join(map(repr, table.systems))
        raise ParameterError(f"a comparison needs at least two systems; got {only}")
    if baseline is not None:
        check_choice("baseline", baseline, table.systems)
        return list(_against(table, table.systems.index(baseline)))
    return list(_all_pairs(table))


def _against(table: ScoreTable, place: int) -> Iterator[Pairs]:
    others = np.array([k for k in range(len(table.systems)) if k != place], np.intp)
    for measure, scores in zip(table.measures, table.values, strict=True):
        second = np.full_like(others, place)
        yield Pairs(measure, table.systems, scores, others, second, place, table.queries)


def _all_pairs(table: ScoreTable) -> Iterator[Pairs]:
    above, below = np.triu_indices(len(table.systems), 1)
    for measure, scores in zip(table.measures, table.values, strict=True):
        best_first = np.argsort(-scores.mean(axis=1), kind="stable")
        pairs = best_first[above], best_first[below]
        yield Pairs(measure, table.systems, scores, *pairs, queries=table.queries)


def closeness_of(scores: Floats) -> float:
    """Means of ``scores`` that differ by no more count as equal."""
    return CLOSE * float(np.abs(scores).max())


def rounded_means(scores: Floats) -> Floats:
    """Means to the digits that count, so that rounding does not put equal ones in an order."""
    close = closeness_of(scores)
    means = scores.mean(axis=1)
    return np.asarray(np.round(means / close) * close) if close else means
