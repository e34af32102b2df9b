"""Validity of intervals from images: how often they include another image (section 4, Table 2).

For every pair of systems and every query, an interval for the difference of their scores is
computed from all images but one and compared with the image left out. The paper leaves out the last
image once. Here each can be left out in turn, so that the answer does not depend on one image.

There are two rules for the interval, since the paper does not state which it used; its numbers look
like those of the second:

quantile
    From the (1 - level) / 2 to the 1 - (1 - level) / 2 quantile of the remaining images. With n
    images in all and a continuous distribution, a new value is below with a probability of
    ((n - 2)(1 - level) / 2 + 1) / n: 3.45 % for a hundred images at 0.95, 2.6 % for a thousand.
normal
    Mean -+ z standard deviations of the remaining images.

Nothing has to be computed n times. Leaving out a value moves the lower quantile of the others in
one of three ways: the value was below the place of the quantile, at it, or above it. A value above
is never outside. So the few lowest and highest values are enough to count those outside. Leaving
out a value at distance d from the mean subtracts n d**2 / (n - 1) from the sum of squares, so that
only d decides whether the value is outside.

A value equal to an end, up to ``CLOSE``, is inside. Where scores have few different values, many
are equal to an end, and the coverage of quantile intervals is above nominal: with P@10 97 or 98 %
at 0.95.

This checks whether the images are a sample of one population and the intervals are right for it. It
does not check whether that population is the one of interest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ..errors import DataError
from ..parallel.work import Arrays, bind, count_progress, run_work
from ..results import Results, ValidityRow
from ..validation import Progress, check_choice, check_confidence_level

if TYPE_CHECKING:
    from .bootstrap import CorpusBootstrap

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]
#: differences (one per row) and the fraction outside on either side -> rule x (below, above)
Counting = Callable[[Floats, float], list[tuple[int, int]]]

RULES = ("quantile", "normal")
LEFT_OUT = ("every", "last")
PARTITIONING = 20  # operations per number
CHUNK = 1 << 18  # numbers in memory per thread, 2 MiB
#: largest difference of equal differences: a score of 32 bits has an error of up to 2**-25, a
#: difference of 2**-24, two differences that ought to be equal of 2**-23, and twice that is allowed
CLOSE = 2.0**-22


def validity(
    images: CorpusBootstrap,
    confidence_level: float,
    left_out: str,
    progress: Progress | None,
) -> Results[ValidityRow]:
    """Return the fractions of left-out images below, in and above the intervals.

    There is one row per measure and rule. Differences are of the earlier system minus the later.
    """
    confidence_level = _check_options(images, confidence_level, left_out)
    n_systems, n_queries = len(images.systems), len(images.queries)
    n_differences = n_systems * (n_systems - 1) // 2 * n_queries
    n_left_out = images.n_kept if left_out == "every" else 1
    n_units = -(-n_differences // _rows_at_once(images.n_kept))
    step = count_progress(progress, n_units * len(images.measures))
    rows = []
    for measure, scores in zip(images.measures, images.scores, strict=True):
        counts = _count_outside(scores, left_out, confidence_level, step)
        for rule, (below, above) in zip(RULES, counts / (n_differences * n_left_out), strict=True):
            rows.append(
                ValidityRow(
                    measure=measure,
                    rule=rule,
                    confidence_level=confidence_level,
                    below=float(below),
                    inside=float(1 - below - above),
                    above=float(above),
                    n_differences=n_differences,
                    n_left_out=n_left_out,
                    n_images=images.n_kept,
                )
            )
    return Results(rows)


def _check_options(images: CorpusBootstrap, confidence_level: Any, left_out: Any) -> float:
    level = check_confidence_level(confidence_level)
    check_choice("left_out", left_out, LEFT_OUT)
    if images.n_kept < 3 or len(images.systems) < 2:
        raise DataError(
            "validity needs at least three images and two systems; got "
            f"{images.n_kept} and {len(images.systems)}"
        )
    return level


def _rows_at_once(n_images: int) -> int:
    return max(CHUNK // n_images, 1)


def _count_outside(
    scores: NDArray[np.floating],
    left_out: str,
    confidence_level: float,
    progress: Callable[[], None] | None,
) -> Counts:
    """Count left-out values outside, rule x side, over all pairs and queries of one measure."""
    n_rows = len(scores) * (len(scores) - 1) // 2 * scores.shape[1]
    step = _rows_at_once(scores.shape[2])
    work = bind(
        count_unit,
        "images left out",
        options={"confidence_level": confidence_level, "left_out": left_out},
        inputs={"scores": "the scores of images"},
        scores=scores,
        count=count_every if left_out == "every" else count_last,
        outside=(1 - confidence_level) / 2,
        step=step,
    )
    cost = step * scores.shape[2] * PARTITIONING
    layout = [((len(RULES), 2), np.int64)]
    units = run_work(
        work, -(-n_rows // step), cost=cost, layout=lambda unit: layout, progress=progress
    )
    return np.asarray(sum(counts for (counts,) in units))


def count_unit(
    unit: int, *, scores: NDArray[np.floating], count: Counting, outside: float, step: int
) -> Arrays:
    """Return the result of ``count`` for some of the differences, ordered by pair and query."""
    first, second = np.triu_indices(len(scores), 1)
    rows = np.arange(unit * step, min((unit + 1) * step, len(first) * scores.shape[1]))
    pair, query = np.divmod(rows, scores.shape[1])
    differences = np.subtract(
        scores[first[pair], query], scores[second[pair], query], dtype=np.float64
    )
    return (np.array(count(differences, outside), np.int64),)


def count_last(differences: Floats, outside: float) -> list[tuple[int, int]]:
    """Count by each rule the rows whose last value is below and above the interval of the rest."""
    rest, last = differences[:, :-1], differences[:, -1]
    low, high = _quantiles(rest, outside)
    centre, reach = rest.mean(axis=1), -special.ndtri(outside) * rest.std(axis=1, ddof=1)
    return [_count_beyond(last, low, high), _count_beyond(last, centre - reach, centre + reach)]


def _quantiles(values: Floats, outside: float) -> tuple[Floats, Floats]:
    """Return the lower and the upper quantile of each row, as numpy does, and faster."""
    top = values.shape[1] - 1
    place = outside * top
    whole = int(place)
    below, above = (whole, whole + 1), (top - whole, top - whole - 1)
    parted = np.partition(values, (*below, *above), axis=1)
    part = place - whole
    low, high = ((1 - part) * parted[:, k] + part * parted[:, j] for k, j in (below, above))
    return low, high


def count_every(differences: Floats, outside: float) -> list[tuple[int, int]]:
    """Count by each rule the values below and above the interval of the others of their row."""
    return [
        _count_outside_quantiles(differences, outside),
        _count_outside_normal(differences, outside),
    ]


def _count_outside_quantiles(differences: Floats, outside: float) -> tuple[int, int]:
    n = differences.shape[1]
    place = outside * (n - 2)  # of the lower quantile among the n - 1 others, counted from 0
    whole = int(place)
    parted = np.partition(differences, (whole + 2, n - 3 - whole), axis=1)
    lowest = np.sort(parted[:, : whole + 3], axis=1)
    highest = np.sort(parted[:, n - 3 - whole :], axis=1)
    part = place - whole
    return _count_below(lowest, whole, part), _count_below(-highest[:, ::-1], whole, part)


def _count_below(lowest: Floats, whole: int, part: float) -> int:
    """Count values below the quantile of the others, from the lowest of each row, sorted."""
    before, at, after = lowest[:, whole], lowest[:, whole + 1], lowest[:, whole + 2]
    end = at + part * (after - at)  # a value up to ``before`` is left out: all others move up
    outside = np.count_nonzero(lowest[:, : whole + 1] < end[:, None] - CLOSE)
    end = before + part * (after - before)  # ``at`` itself is left out
    return int(outside + np.count_nonzero(at < end - CLOSE))


def _count_outside_normal(differences: Floats, outside: float) -> tuple[int, int]:
    """Solve d n / (n - 1) > z s for d, where (n - 2) s**2 = squares - d**2 n / (n - 1)."""
    n, z = differences.shape[1], special.ndtri(outside)
    centred = differences - differences.mean(axis=1, keepdims=True)
    squares = np.einsum("rn,rn->r", centred, centred)
    ratio = n / (n - 1)
    reach = np.sqrt(squares * z**2 / (ratio**2 * (n - 2) + ratio * z**2))[:, None]
    return _count_beyond(centred, -reach, reach)


def _count_beyond(values: Floats, low: Floats, high: Floats) -> tuple[int, int]:
    below = np.count_nonzero(values < low - CLOSE)
    return int(below), int(np.count_nonzero(values > high + CLOSE))
