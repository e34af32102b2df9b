"""Measures as tables to look up, for scoring images of the corpus.

In an image a document may stand many times in a row, so a measure is computed from the ranks at
which a document begins and ends. Those that work by a discount at each rank, a gain of each grade
and something to divide by all share one piece of code; the few others have their own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ..errors import MeasureError
from ..kernels import image_scores as kinds
from ..kernels.image_scores import LANES, MeasureTables
from .base import Measure
from .formulas import (
    FORMULAS,
    dcg_gains,
    inverse_square_gains,
    inverse_square_weights,
    rank_biased_gains,
    rank_biased_weights,
    stopping_chances,
)
from .judged_runs import Floats, Ints

NO_CUTOFF = 2**62


@dataclass(frozen=True)
class _Scale:
    """What a measure may depend on besides its parameters."""

    #: the grade of each level of relevance, ascending
    grades: Ints
    max_grade: int
    #: ranks that an image's rankings may reach
    n_ranks: int

    def ones(self) -> Floats:
        return np.ones(self.n_ranks)

    def least(self, rel: int) -> int:
        """The lowest level that is relevant."""
        return int(np.searchsorted(self.grades, rel))

    def binary(self, rel: int) -> Floats:
        return (self.grades >= rel).astype(np.float64)

    def padded(self, weights: Floats) -> Floats:
        """Weights of the first ranks; those below have none."""
        return np.pad(weights[: self.n_ranks], (0, max(self.n_ranks - len(weights), 0)))


@dataclass(frozen=True)
class _Form:
    """One measure: its kind and the numbers that it needs."""

    kind: int
    least: int = 0
    cutoff: int = NO_CUTOFF
    base: int = kinds.NOTHING
    constant: float = 1.0
    #: of a discounted measure: a discount for each rank, a gain for each level
    discounts: Floats = field(default_factory=lambda: np.zeros(0))
    gains: Floats = field(default_factory=lambda: np.zeros(0))


def _average_precision(scale: _Scale, rel: int = 1, cutoff: int = NO_CUTOFF) -> _Form:
    return _Form(kinds.AVERAGE_PRECISION, scale.least(rel), cutoff, kinds.RELEVANT)


def _precision(scale: _Scale, cutoff: int, rel: int = 1) -> _Form:
    return _Form(
        kinds.DISCOUNT,
        cutoff=cutoff,
        constant=float(cutoff),
        discounts=scale.ones(),
        gains=scale.binary(rel),
    )


def _recall(scale: _Scale, cutoff: int, rel: int = 1) -> _Form:
    return _Form(
        kinds.DISCOUNT,
        scale.least(rel),
        cutoff,
        kinds.RELEVANT,
        discounts=scale.ones(),
        gains=scale.binary(rel),
    )


def _r_precision(scale: _Scale, rel: int = 1) -> _Form:
    return _Form(kinds.R_PRECISION, scale.least(rel), base=kinds.RELEVANT)


def _reciprocal_rank(scale: _Scale, rel: int = 1, cutoff: int = NO_CUTOFF) -> _Form:
    return _Form(kinds.RECIPROCAL_RANK, scale.least(rel), cutoff)


def _ndcg(scale: _Scale, cutoff: int = NO_CUTOFF, dcg: str = "log2") -> _Form:
    return _Form(
        kinds.DISCOUNT,
        cutoff=cutoff,
        base=kinds.IDEAL,
        discounts=1.0 / np.log2(np.arange(scale.n_ranks) + 2.0),
        gains=dcg_gains(scale.grades, scale.max_grade, dcg),
    )


def _rank_biased_precision(
    scale: _Scale, p: float = 0.8, rel: int | None = None, cutoff: int = NO_CUTOFF
) -> _Form:
    return _Form(
        kinds.DISCOUNT,
        cutoff=cutoff,
        discounts=scale.padded(rank_biased_weights(p)),
        gains=rank_biased_gains(scale.grades, scale.max_grade, rel),
    )


def _inverse_squares(
    scale: _Scale, T: float = 1.0, min_rel: int = 0, max_rel: int | None = None
) -> _Form:
    top = scale.max_grade if max_rel is None else max_rel
    return _Form(
        kinds.DISCOUNT,
        discounts=scale.padded(inverse_square_weights(T)),
        gains=inverse_square_gains(scale.grades, min_rel, top),
    )


def _expected_reciprocal_rank(scale: _Scale, cutoff: int = NO_CUTOFF) -> _Form:
    return _Form(kinds.ERR, cutoff=cutoff, gains=stopping_chances(scale.grades, scale.max_grade))


_FORMS: dict[str, Callable[..., _Form]] = {
    "AP": _average_precision,
    "nDCG": _ndcg,
    "P": _precision,
    "R": _recall,
    "RBP": _rank_biased_precision,
    "INSQ": _inverse_squares,
    "RR": _reciprocal_rank,
    "ERR": _expected_reciprocal_rank,
    "Rprec": _r_precision,
}
_FORM_OF = {FORMULAS[name]: form for name, form in _FORMS.items()}


def check_image_measures(measures: Sequence[Measure]) -> None:
    """Raise ``MeasureError`` unless every measure can be computed on images."""
    for measure in measures:
        if not isinstance(measure.formula, partial) or measure.formula.func not in _FORM_OF:
            raise MeasureError(
                f"{measure.name} cannot be computed on images of the corpus; these can: "
                f"{', '.join(_FORMS)}, with their cutoffs and parameters"
            )
        rel = measure.formula.keywords.get("rel")
        if rel is not None and rel < 1:
            raise MeasureError(f"{measure.name}: rel must be at least 1 on images")
        if measure.formula.keywords.get("min_rel", 0) < 0:
            raise MeasureError(
                f"{measure.name}: min_rel must be at least 0 on images of the corpus"
            )


def measure_tables(
    measures: Sequence[Measure], grades: Ints, max_grade: int, n_ranks: int
) -> MeasureTables:
    """The tables of all measures; ``grades`` are those of the levels of relevance."""
    scale = _Scale(grades, max_grade, n_ranks)
    forms = [_form(measure, scale) for measure in measures]
    discounted = [form for form in forms if form.kind == kinds.DISCOUNT]
    averages = [form for form in forms if form.kind == kinds.AVERAGE_PRECISION]
    errs = [form for form in forms if form.kind == kinds.ERR]
    n_groups = -(-len(discounted) // LANES)
    sums = np.zeros((n_groups, n_ranks + 1, LANES))
    gains = np.zeros((n_groups, max(len(grades), 1), LANES))
    for lane, form in enumerate(discounted):
        sums[lane // LANES, :, lane % LANES] = _summed(form.discounts, form.cutoff)
        gains[lane // LANES, : len(grades), lane % LANES] = form.gains
    fractions = 1.0 / np.arange(1.0, n_ranks + 1)
    harmonics = [_summed(fractions, form.cutoff) for form in averages]
    return MeasureTables(
        kinds=np.array([form.kind for form in forms]),
        places=np.array(_places(forms)),
        least=np.array([form.least for form in forms]),
        cutoffs=np.array([form.cutoff for form in forms]),
        bases=np.array([form.base for form in forms]),
        constants=np.array([form.constant for form in forms]),
        sums=sums,
        gains=gains,
        harmonics=np.array(harmonics).reshape(len(averages), n_ranks + 1),
        stops=np.array([form.gains for form in errs]).reshape(len(errs), len(grades)),
    )


def _form(measure: Measure, scale: _Scale) -> _Form:
    assert isinstance(measure.formula, partial)  # as ``check_image_measures`` saw
    return _FORM_OF[measure.formula.func](scale, **measure.formula.keywords)


def _places(forms: Sequence[_Form]) -> list[int]:
    """The place of each measure among those of its kind."""
    seen: dict[int, int] = {}
    places = []
    for form in forms:
        places.append(seen.get(form.kind, 0))
        seen[form.kind] = places[-1] + 1
    return places


def _summed(discounts: Floats, cutoff: int) -> NDArray[np.float64]:
    """Sums of the discounts up to each rank, from 0 ranks on, and of nothing below the cutoff."""
    wanted = np.where(np.arange(len(discounts)) < cutoff, discounts, 0.0)
    return np.concatenate(([0.0], np.cumsum(wanted)))
