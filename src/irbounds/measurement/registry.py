"""The list of measures. A new measure is a file of this package and a line here."""

from __future__ import annotations

from functools import cache

from .average_precision import AveragePrecision
from .base import Description, Measure
from .binary_preference import BinaryPreference
from .expected_reciprocal_rank import ExpectedReciprocalRank
from .external import EXTERNAL
from .first_relevant import ReciprocalRank, Success
from .normalised_err import NormalisedERR
from .sets import Judged, SetF, SetPrecision, SetRecall
from .weighted import (
    InverseSquares,
    NormalisedDiscountedGain,
    Precision,
    RankBiasedPrecision,
    Recall,
    RPrecision,
)

#: in the order of the list of measures and of messages
MEASURES: tuple[type[Measure], ...] = (
    AveragePrecision,
    Precision,
    Recall,
    RPrecision,
    ReciprocalRank,
    Success,
    NormalisedDiscountedGain,
    RankBiasedPrecision,
    InverseSquares,
    ExpectedReciprocalRank,
    NormalisedERR,
    BinaryPreference,
    Judged,
    SetPrecision,
    SetRecall,
    SetF,
)


@cache
def descriptions() -> dict[str, Description]:
    """Return all descriptions by the name of the measure, without its parameters."""
    listed = (*(measure.description for measure in MEASURES), *EXTERNAL)
    return {description.stem: description for description in listed}


@cache
def find_class(stem: str) -> type[Measure] | None:
    """Return the class of a measure; None for a measure that irbounds has no formula for."""
    return next((known for known in MEASURES if known.description.stem == stem), None)
