"""How precise differences of two systems' mean scores are.

Both systems of a pair are scored on the same images, and a relevant document that an image lacks
or repeats moves both: their difference varies less than two scores that vary on their own would
have it. So intervals of two scores may overlap where the interval of their difference is clear of
0; it is the difference that tells.

The images vary documents alone. A difference that all of them show holds for these queries.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..errors import ParameterError
from ..intervals.memory import check_comparisons_fit
from ..results import DifferencePrecision, Results
from ..validation import check_choice, check_confidence_level
from .summaries import summarise_rows
from .ties import without_rounding

if TYPE_CHECKING:
    from .bootstrap import CorpusBootstrap

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

CHUNK = 1 << 20  # numbers worked on at once, 8 MiB
DIFFERENCE = 1_000  # bytes of a difference with its interval, as measured


def difference_precision(
    images: CorpusBootstrap, baseline: str | None, confidence_level: float
) -> Results[DifferencePrecision]:
    """All pairs of systems, the better one on the corpus first, or all others less a baseline."""
    confidence_level = check_confidence_level(confidence_level)
    check_systems(images.systems, baseline)
    check_comparisons_fit(len(images.systems), len(images.measures), baseline, DIFFERENCE)
    rows: list[DifferencePrecision] = []
    for m in range(len(images.measures)):
        first, second = _pairs(images, m, baseline)
        step = max(CHUNK // images.n_images, 1)
        for begin in range(0, len(first), step):
            part = slice(begin, begin + step)
            rows += _of_pairs(images, m, first[part], second[part], confidence_level)
    return Results(rows)


def check_systems(systems: tuple[str, ...], baseline: str | None) -> None:
    """Raise ``ParameterError`` unless there are two systems, the baseline among them."""
    if len(systems) < 2:
        only = ", ".join(map(repr, systems))
        raise ParameterError(f"a comparison needs at least two systems; got {only}")
    if baseline is not None:
        check_choice("baseline", baseline, systems)


def _pairs(images: CorpusBootstrap, m: int, baseline: str | None) -> tuple[Places, Places]:
    """The system of each pair, and what it is compared with; equal ones stay in their order."""
    if baseline is not None:
        place = images.systems.index(baseline)
        others = np.array([k for k in range(len(images.systems)) if k != place], np.intp)
        return others, np.full_like(others, place)
    best_first = np.argsort(-without_rounding(images.root.means()[m]), kind="stable")
    above, below = np.triu_indices(len(images.systems), 1)
    return best_first[above], best_first[below]


def _of_pairs(
    images: CorpusBootstrap, m: int, first: Places, second: Places, confidence_level: float
) -> Iterator[DifferencePrecision]:
    roots = images.root.means()[m]
    differences = without_rounding(images.means[m, first] - images.means[m, second])
    higher = ((differences > 0) + (differences == 0) / 2).mean(axis=1)
    summed_up = summarise_rows(differences, confidence_level)
    for k, (summary, interval) in enumerate(summed_up):
        yield DifferencePrecision(
            measure=images.measures[m],
            system=images.systems[first[k]],
            baseline=images.systems[second[k]],
            value=float(without_rounding(roots[first[k]] - roots[second[k]])),
            images=summary,
            interval=interval,
            higher_probability=float(higher[k]),
            n_queries=len(images.queries),
            n_images=images.n_images,
        )
