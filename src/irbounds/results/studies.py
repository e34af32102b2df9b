"""What interval methods promise and what they do, and the tables of papers."""

from __future__ import annotations

from dataclasses import dataclass

from .shown import Shown

__all__ = ["CalibrationRow", "ChancePoint", "CollectionTable", "StudyTable"]


@dataclass(frozen=True)
class CalibrationRow(Shown):
    """How one method fares on samples of n queries, on average over systems."""

    measure: str
    #: queries in a sample
    n: int
    method: str
    confidence_level: float
    #: share of samples whose interval missed, on average over systems, and its simulation noise
    error: float
    error_noise: float
    #: of these, where the mean lies below the interval, and where above
    below: float
    above: float
    #: share of samples that gave no interval
    without: float
    #: mean width, and its simulation noise
    width: float
    width_noise: float
    #: mean of width + 2 / alpha times the way to a missed mean: low for what is short and honest
    interval_score: float
    #: standard deviation of the error over systems
    error_spread: float
    worst_error: float
    worst_system: str
    #: ``"honest"``: the error is no more than the tolerance above the nominal one; ``"short"``: it
    #: is more; ``"unclear"``: too few samples to tell
    verdict: str
    #: whether it is the one to use: of the honest ones that with the lowest interval score
    recommended: bool

    @property
    def honest(self) -> bool:
        """Whether it keeps its promise."""
        return self.verdict == "honest"


@dataclass(frozen=True)
class StudyTable(Shown):
    """A table of a paper, our numbers beside theirs."""

    study: str
    #: the table's number in the paper
    number: int
    title: str
    #: what stands above the names of the rows
    corner: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    #: row x column
    ours: tuple[tuple[float, ...], ...]
    theirs: tuple[tuple[float, ...], ...]
    #: simulation noise of ours; NaN where it is not known
    noise: tuple[tuple[float, ...], ...]
    #: as printed in the paper
    decimals: int = 3
    #: what the paper calls it, where that is not ``Table`` and the number
    name: str = ""


@dataclass(frozen=True)
class CollectionTable(Shown):
    """A table of a paper with a column for each of its collections, ours before them."""

    study: str
    #: the table's number in the paper
    number: int
    title: str
    #: what stands above the names of the rows
    corner: str
    rows: tuple[str, ...]
    #: ours first, then the paper's
    collections: tuple[str, ...]
    #: what a cell holds, as in ``("mean", "sd")``
    parts: tuple[str, ...]
    #: row x collection x part; NaN where the paper has no such row
    numbers: tuple[tuple[tuple[float, ...], ...], ...]
    #: what stands between the parts of a cell
    between: str
    #: as printed in the paper
    decimals: int


@dataclass(frozen=True)
class ChancePoint:
    """A point of a curve: what AP a random ranking has, and the prevalence taken for it."""

    #: what all points of the curve share, as in ``"p = 0.1"``
    curve: str
    n_documents: int
    n_relevant: int
    prevalence: float
    exact: float

    @property
    def difference(self) -> float:
        """How far the exact value is above the prevalence."""
        return self.exact - self.prevalence
