"""What chance scores, and a system's score beside it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from ..parameters import Alternative
from .inputs import InputFile
from .shown import Shown

if TYPE_CHECKING:
    from ..presentation.figures.style import Figure

__all__ = ["NullDistribution", "QueryBaseline", "RandomBaseline", "unreachable"]

ROUNDING = 1e-12  # what the last digits of equal scores may differ by


@runtime_checkable
class NullDistribution(Protocol):
    """The scores of random rankings, of one query or of a mean over queries."""

    @property
    def method(self) -> str:
        """``"exact"``, ``"monte-carlo"`` or ``"matched-moments"``."""
        ...

    @property
    def mean(self) -> float:
        """The expected score, exactly."""
        ...

    @property
    def standard_deviation(self) -> float:
        """Of the score; NaN where no formula is known and nothing was drawn."""
        ...

    def cdf(self, score: float) -> float:
        """The probability of this score or a lower one."""
        ...

    def quantile(self, probability: float) -> float:
        """The lowest score that chance stays at or below with this probability."""
        ...

    def p_value(self, observed: float, alternative: Alternative = "greater") -> float:
        """The probability that chance does as well or better (or worse, or as far off)."""
        ...

    def _repr_html_(self) -> str: ...

    def plot(self, **options: Any) -> Figure:
        """The distribution as a figure, with ``observed=`` a score marked in it."""
        ...


@dataclass(frozen=True)
class QueryBaseline(Shown):
    """One query: what chance scores there, and what the system did."""

    query_id: str
    #: documents that are ranked at random, how many ranks are looked at, how many are relevant
    n_documents: int
    depth: int
    n_relevant: int
    #: relevant documents that the measure divides by: more where not all of them are ranked
    n_judged: int
    expected: float
    #: NaN for ERR, which has no formula for it
    standard_deviation: float
    #: None, all of the following, where no system is at hand
    observed: float | None = None
    #: (observed - expected) / (1 - expected); NaN where chance cannot but score 1
    corrected: float | None = None
    p_value: float | None = None
    #: how the p-value was found, which may be another way than the mean's
    method: str | None = None


@dataclass(frozen=True, eq=False)
class RandomBaseline(Shown):
    """The mean over queries: what chance scores, and what a system did."""

    measure: str
    #: None: chance alone
    system: str | None
    #: which documents are ranked at random: ``"corpus"``, ``"judged"`` or ``"retrieved"``
    population: str
    #: queries of the mean
    n: int
    #: mean share of relevant documents, which is not the chance level
    prevalence: float
    expected: float
    #: of the mean over queries
    standard_deviation: float
    observed: float | None = None
    #: mean of the queries' corrected scores, those without one left out
    corrected: float | None = None
    p_value: float | None = None
    alternative: Alternative = "greater"
    queries: tuple[QueryBaseline, ...] = field(default=(), repr=False)
    distribution: NullDistribution | None = field(default=None, repr=False)
    #: how the p-value was found: ``"exact"``, ``"monte-carlo"`` or ``"matched-moments"``
    method: str | None = None
    n_draws: int | None = None
    seed: int | None = None
    inputs: tuple[InputFile, ...] = field(default=(), repr=False)
    #: sentences about the inputs and about what is compared; empty where nothing is odd
    warnings: tuple[str, ...] = field(default=(), repr=False)


def unreachable(measure: str, observed: float, low: float, high: float) -> str | None:
    """What to say of a score that no ranking has; None where it lies between the extremes."""
    if low * (1 - ROUNDING) <= observed <= high * (1 + ROUNDING):
        return None
    return (
        f"no ranking of these documents scores {observed:g} by {measure}: "
        f"scores lie between {low:g} and {high:g}"
    )
