"""The pairs of systems that are compared, and their differences per query.

All comparisons of one measure are one family. Without a baseline they are all pairs, the better
system first; the scores decide which that is.

Scores are rounded: 0.3 - 0.2 and 0.2 - 0.1 are the same difference of two precisions, but not the
same double. Differences are therefore rounded to 13 digits of the largest score. Without that,
rounding would make equal differences unequal, and equal systems different.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..errors import ParameterError
from ..scores.score_table import ScoreTable
from ..validation import check_choice

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

DIGITS = 13
CLOSE = 1e-12  # of the largest score: means that differ by less are equal
CHUNK = 1 << 22  # numbers in memory at a time, 32 MiB
MAX_COMPARISONS = 1_000_000  # about 2.5 GiB of results


@dataclass(frozen=True, eq=False)
class Pairs:
    """All comparisons of one measure."""

    measure: str
    systems: tuple[str, ...]
    #: system x query
    scores: Floats
    #: the system of each pair, and the one it is compared with
    first: Places
    second: Places
    #: the group of the queries; None where queries have no groups
    group: str | None = None

    def __len__(self) -> int:
        return len(self.first)

    @property
    def n(self) -> int:
        """Number of queries."""
        return int(self.scores.shape[1])

    @cached_property
    def largest(self) -> Floats:
        """Largest absolute score of either system of each pair."""
        sizes = np.abs(self.scores).max(axis=1)
        return np.asarray(np.maximum(sizes[self.first], sizes[self.second]))

    @property
    def closeness(self) -> Floats:
        """Largest difference of means that counts as rounding, for each pair."""
        return CLOSE * self.largest

    def differences(self, part: slice | Places) -> Floats:
        """Return the differences of some pairs: pair x query."""
        first, second = self.scores[self.first[part]], self.scores[self.second[part]]
        return round_differences(first, second, self.largest[part][:, None])

    def select(self, places: Sequence[int], group: str) -> Pairs:
        """Return the same pairs on the queries of a group."""
        return replace(self, scores=self.scores[:, places], group=group)

    def chunks(self, width: int = 0) -> list[slice]:
        """Return parts of the pairs with at most ``CHUNK`` numbers, ``width`` numbers per pair."""
        step = max(CHUNK // max(width, self.n), 1)
        return [slice(begin, begin + step) for begin in range(0, len(self), step)]


def round_differences(first: Floats, second: Floats, largest: Floats | None = None) -> Floats:
    """Return first - second, rounded to ``DIGITS`` digits of the largest score."""
    if largest is None:
        largest = np.maximum(np.abs(first).max(), np.abs(second).max())
    # the largest power of two below the largest score; dividing by it is exact
    unit = np.ldexp(1.0, np.frexp(largest)[1] - 1)
    return np.asarray(np.round((first - second) / unit, DIGITS) * unit)


def pair_systems(table: ScoreTable, baseline: str | None) -> list[Pairs]:
    """Return the comparisons of every measure."""
    check_systems(table.systems, baseline)
    return [
        Pairs(
            measure,
            table.systems,
            scores,
            *pair_places(table.systems, scores.mean(axis=1), baseline),
        )
        for measure, scores in zip(table.measures, table.values, strict=True)
    ]


def pair_places(
    systems: tuple[str, ...], means: Floats, baseline: str | None
) -> tuple[Places, Places]:
    """Return the system of each pair, and the one it is compared with, as indices.

    Without a baseline the system with the higher mean is first; equal ones keep their order.
    """
    if baseline is not None:
        place = systems.index(baseline)
        others = np.array([k for k in range(len(systems)) if k != place], np.intp)
        return others, np.full_like(others, place)
    best_first = np.argsort(-means, kind="stable")
    above, below = np.triu_indices(len(systems), 1)
    return best_first[above], best_first[below]


def check_systems(systems: tuple[str, ...], baseline: str | None) -> None:
    """Raise ``ParameterError`` unless there are two systems and the baseline is one of them."""
    if len(systems) < 2:
        only = ", ".join(map(repr, systems))
        raise ParameterError(f"a comparison needs at least two systems; got {only}")
    if baseline is not None:
        check_choice("baseline", baseline, systems)


def check_pairs_fit(n_systems: int, n_families: int, baseline: str | None) -> None:
    """Raise ``ParameterError`` where the comparisons are more than anybody reads.

    ``n_families`` is how often all pairs are compared: by each measure, and in each group.
    """
    n = n_families * (n_systems - 1 if baseline else n_systems * (n_systems - 1) // 2)
    if n > MAX_COMPARISONS:
        raise ParameterError(
            f"{n:,} comparisons of {n_systems:,} systems, which are more than {MAX_COMPARISONS:,}; "
            "compare with a baseline, or fewer systems or measures"
        )


def rounding_of(scores: Floats) -> float:
    """Return the largest difference of means of ``scores`` that counts as rounding."""
    return CLOSE * float(np.abs(scores).max())


def round_means(scores: Floats) -> Floats:
    """Return the means of ``scores``, rounded so that equal means are equal doubles."""
    close = rounding_of(scores)
    means = scores.mean(axis=1)
    return np.asarray(np.round(means / close) * close) if close else means
