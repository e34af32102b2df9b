"""What a comparison was asked for, and what a test gives back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..results import InputFile
from ..validation import Alternative, Progress

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Plan:
    """What was asked for, checked."""

    method: str
    #: the lowest and highest score, where they were given
    bounds: tuple[float, float] | None
    confidence_level: float
    alternative: Alternative
    test: str
    adjustment: str
    power: float
    #: bootstrap resamples, and shuffles of the max-statistic
    n_resamples: int
    #: random signs
    n_signs: int
    seed: int
    inputs: tuple[InputFile, ...] = ()
    progress: Progress | None = None


@dataclass(frozen=True, eq=False)
class PValues:
    """A p-value for every pair, and whether random draws stand behind it."""

    values: Floats
    drawn: NDArray[np.bool_]

    @classmethod
    def without_draws(cls, values: Floats) -> PValues:
        """P-values that are exact or follow from a formula."""
        return cls(values, np.zeros(values.shape, np.bool_))
