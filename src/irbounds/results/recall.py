"""What samples of assessed documents tell of a retrieved set: recall and its relatives."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Protocol

from ..parameters import Alternative, check_alternative, check_confidence_level
from .inputs import InputFile
from .intervals import Interval, Limits, interval_at
from .shown import Shown

__all__ = ["Posterior", "RecallEstimate", "Stratum"]


@dataclass(frozen=True)
class Stratum:
    """A part of the corpus, retrieved or not, and what its random sample held."""

    name: str
    retrieved: bool
    #: documents in it
    population: int
    #: documents drawn from it at random, without replacement
    sampled: int
    #: of the sampled ones
    relevant: int
    #: of the sampled ones, those that an assessor could judge; None: all of them
    assessable: int | None = None

    @property
    def judged(self) -> int:
        """Documents of the sample on which there is a judgment."""
        return self.sampled if self.assessable is None else self.assessable

    def contradictions(self) -> list[str]:
        """What cannot be about its counts, in words."""
        found = []
        judged, word = self.judged, "sampled" if self.assessable is None else "assessable"
        if self.sampled > self.population:
            found.append(f"{self.sampled:,} sampled of a population of {self.population:,}")
        if judged > self.sampled:
            found.append(f"{judged:,} assessable of {self.sampled:,} sampled")
        if self.relevant > judged:
            found.append(f"{self.relevant:,} relevant of {judged:,} {word}")
        return found


class Posterior(Protocol):
    """What is known of a quantity after the sample, as a distribution."""

    @property
    def mean(self) -> float:
        """Its expectation."""
        ...

    def error_at(self, probability: float) -> float:
        """The most by which coarse tables may have moved a quantile; 0 where they are exact."""
        ...

    def cdf(self, value: float) -> float:
        """The probability of this value or less."""
        ...

    def quantile(self, probability: float) -> float:
        """The least value that has this probability at or below it."""
        ...

    def density(self, value: float) -> float:
        """Probability for each unit of the quantity around a value."""
        ...


@dataclass(frozen=True, eq=False)
class RecallEstimate(Shown):
    """Recall, or another quantity of a retrieved set, with its interval."""

    #: ``"recall"``, ``"precision"``, ``"F1"``, ``"yield"``, ``"prevalence"`` or ``"elusion"``
    quantity: str
    #: point estimate, by the strata's sizes and the share of relevant documents in each sample
    value: float
    #: the same of recall less the second-order term of its bias; NaN of other quantities
    bias_reduced: float
    interval: Interval
    strata: tuple[Stratum, ...]
    limits: Limits = field(repr=False)
    #: the lowest and the highest value that is possible: the other end of a one-sided interval
    bounds: tuple[float, float] = (0.0, 1.0)
    #: the prior in words, for a method that has one
    prior: str | None = None
    posterior: Posterior | None = field(default=None, repr=False)
    #: whether an unretrieved sample without anything relevant raises the upper end to 1
    cap_at_one: bool = False
    #: whose retrieved set it is, and on what, where a sheet names them
    system: str | None = None
    topic: str | None = None
    #: the number of draws and what ``rng`` to give to have the same again, where something is drawn
    n_draws: int | None = None
    seed: int | None = None
    inputs: tuple[InputFile, ...] = field(default=(), repr=False)

    @property
    def table_error(self) -> float | None:
        """The most by which coarse tables may have moved an end; None without a posterior."""
        if self.posterior is None:
            return None
        level = self.interval.confidence_level
        tails = {"two-sided": (1 - level) / 2, "less": level, "greater": 1 - level}
        tail = tails[self.interval.alternative]
        sides = (tail, 1 - tail) if self.interval.alternative == "two-sided" else (tail,)
        return max(map(self.posterior.error_at, sides))

    def at(self, confidence_level: float, alternative: Alternative | None = None) -> RecallEstimate:
        """The same at another level or side, from what is kept."""
        confidence_level = check_confidence_level(confidence_level)
        side = check_alternative(self.interval.alternative if alternative is None else alternative)
        return replace(self, interval=interval_at(self.limits, confidence_level, side, self.bounds))
