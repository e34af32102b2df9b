"""Tables for the kernels that score images of the corpus.

In an image a document may be many times in a row, so a measure is computed from the ranks at which
a document begins and ends. Measures with a weight for each rank share one piece of code, which
reads tables of sums of weights. ``Measure.image_form`` gives the kind of a measure.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..kernels import image_scores as kernel
from ..kernels.image_scores import LANES, MeasureTables
from .base import Base, ImageKind, ImageScale, Measure
from .judged_runs import Floats, Ints

KINDS: dict[ImageKind, int] = {
    "discounted": kernel.DISCOUNT,
    "average precision": kernel.AVERAGE_PRECISION,
    "reciprocal rank": kernel.RECIPROCAL_RANK,
    "R-precision": kernel.R_PRECISION,
    "ERR": kernel.ERR,
}
BASES: dict[Base, int] = {
    "constant": kernel.NOTHING,
    "relevant": kernel.RELEVANT,
    "ideal": kernel.IDEAL,
}


def measure_tables(
    measures: Sequence[Measure], grades: Ints, max_grade: int, n_ranks: int
) -> MeasureTables:
    """Return the tables of all measures; ``grades`` are those of the levels of relevance."""
    scale = ImageScale(grades, max_grade, n_ranks)
    forms = [measure.image_form(scale) for measure in measures]
    kinds = [form.kind for form in forms]
    discounted, averages, errs = (
        [form for form in forms if form.kind == kind]
        for kind in ("discounted", "average precision", "ERR")
    )
    n_groups = -(-len(discounted) // LANES)
    sums = np.zeros((n_groups, n_ranks + 1, LANES))
    gains = np.zeros((n_groups, max(len(grades), 1), LANES))
    for lane, form in enumerate(discounted):
        sums[lane // LANES, :, lane % LANES] = _cumulative(form.weights, form.cutoff)
        gains[lane // LANES, : len(grades), lane % LANES] = form.gains
    fractions = 1.0 / np.arange(1.0, n_ranks + 1)
    harmonics = [_cumulative(fractions, form.cutoff) for form in averages]
    return MeasureTables(
        kinds=np.array([KINDS[kind] for kind in kinds]),
        places=np.array([kinds[:k].count(kind) for k, kind in enumerate(kinds)]),
        least=np.array([form.lowest_level for form in forms]),
        cutoffs=np.array([form.cutoff for form in forms]),
        bases=np.array([BASES[form.base] for form in forms]),
        constants=np.array([form.constant for form in forms]),
        sums=sums,
        gains=gains,
        harmonics=np.array(harmonics).reshape(len(averages), n_ranks + 1),
        stops=np.array([form.gains for form in errs]).reshape(len(errs), len(grades)),
    )


def _cumulative(weights: Floats, cutoff: int) -> Floats:
    """Return the sums of the weights of the first 0, 1, ... ranks, with none below the cutoff."""
    counted = np.where(np.arange(len(weights)) < cutoff, weights, 0.0)
    return np.concatenate(([0.0], np.cumsum(counted)))
