"""Corpora and retrieved sets to try intervals of recall on: Webber's scenarios, or one's own.

A scenario is a distribution over the size N of the corpus, the share of it that is relevant, recall
Rec and precision Prec, and the sizes of both samples (Tables V to VIII). A realisation is one draw
from it: R = N times the share, R1 = R Rec, N1 = R1 / Prec, each rounded to a whole number, which
makes the recall that counts R1 / R, after rounding.

The tables are read so that they can be meant. Where a row of precision says min, the two numbers
are both lower bounds, so it is max; where a row of sizes says max, a sample must fit its segment,
so it is min. Read like this the means come out as the tables print them (neutral: precision 0.64,
samples 890 and 1,140; legal: 820 from the retrieved segment; small: 160 and 600), with two
exceptions in the legal table: the mean corpus is 10.8 million where 1,075,000 is printed, a slip of
a digit, and the mean unretrieved sample is 2,610 where 3,170 is printed, which no reading explains
that leaves the other rows right.

What rounding spoils is drawn again: a recall of exactly 0 or 1, which no scenario draws, and a
segment that would hold more relevant documents than documents. Where all that is relevant is
retrieved, limits from a beta distribution never hold the truth, 1: in the small scenario two of a
thousand realisations would be like that, and would move the RMSE of beta-jeffreys from 0.041 to
0.059 (the paper: 0.042). A sample is at least 1 document and at most the whole segment.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..errors import DataError, ParameterError, quote
from ..resampling.seeds import Purpose, stream
from ..results import RecallRealisation
from ..validation import as_float, check_count

MOST_DOCUMENTS = 10**9 - 1  # what can be sampled from without replacement
MOST_TRIES = 1000


@dataclass(frozen=True)
class RecallDesign:
    """Sizes of a corpus, a retrieved set and samples.

    Give ``retrieved_size`` or ``precision``.
    """

    corpus_size: int
    #: relevant documents in the corpus
    n_relevant: int
    recall: float
    retrieved_sample: int
    unretrieved_sample: int
    retrieved_size: int | None = None
    precision: float | None = None


@dataclass(frozen=True)
class Drawn:
    """One draw of a scenario's variables (Table V), before rounding."""

    population: float
    prevalence: float
    recall: float
    precision: float


@dataclass(frozen=True)
class Scenario:
    """How to draw the variables, and then the sizes of both samples from those of the segments."""

    number: int
    draw: Callable[[np.random.Generator], Drawn]
    sizes: Callable[[np.random.Generator, int, int], tuple[float, float]]


def _neutral(generator: np.random.Generator) -> Drawn:
    """Table VI."""
    population = 1000 * 2 ** generator.uniform(0, 12)
    prevalence = 0.02 * generator.uniform(1, 6) ** 2
    recall = generator.uniform(0.1, 1.0)
    lowest = max(0.1, 0.95 * prevalence, 1.05 * prevalence * recall)
    return Drawn(population, prevalence, recall, generator.uniform(lowest, 1.0))


def _legal(generator: np.random.Generator) -> Drawn:
    """Table VII."""
    population = 5e5 * 10 ** generator.uniform(0, 2)
    prevalence = 2e-3 * 1.5 ** generator.uniform(1, 10)
    recall = 2.5e-3 * generator.uniform(1, 34) ** 1.65
    lowest = max(0.025, 2 * prevalence * recall)
    return Drawn(population, prevalence, recall, generator.uniform(lowest, 0.92))


def _small(generator: np.random.Generator) -> Drawn:
    """Table VIII."""
    population = 1000 * 10 ** generator.uniform(0, 1)
    prevalence = 0.02 * 1.5 ** generator.uniform(0, 6)
    recall = generator.uniform(0.1, 1.0)
    lowest = max(0.025, 2 * prevalence * recall)
    return Drawn(population, prevalence, recall, generator.uniform(lowest, 0.92))


def _neutral_sizes(
    generator: np.random.Generator, retrieved: int, unretrieved: int
) -> tuple[float, float]:
    return _doubled(generator, 10, 10, retrieved), _doubled(generator, 10, 10, unretrieved)


def _legal_sizes(
    generator: np.random.Generator, retrieved: int, unretrieved: int
) -> tuple[float, float]:
    return _doubled(generator, 20, 8, retrieved), _doubled(generator, 100, 7, unretrieved)


def _small_sizes(
    generator: np.random.Generator, retrieved: int, unretrieved: int
) -> tuple[float, float]:
    return retrieved * generator.uniform(0.2, 0.5), unretrieved * generator.uniform(0.05, 0.3)


def _doubled(generator: np.random.Generator, least: int, most: int, segment: int) -> float:
    """``least`` doubled up to ``most`` times, but not beyond the segment."""
    doublings = min(most, np.floor(np.log2(segment / least)))
    return float(least * 2 ** (generator.random() * max(doublings, 0)))


SCENARIOS = {
    "neutral": Scenario(0, _neutral, _neutral_sizes),
    "legal": Scenario(1, _legal, _legal_sizes),
    "small": Scenario(2, _small, _small_sizes),
}


def draw_realisation(name: str, seed: int, index: int) -> RecallRealisation:
    """One realisation of a scenario; its randomness is its index's, whoever draws it."""
    scenario = SCENARIOS[name]
    generator = stream(seed, Purpose.recall_realisations, scenario.number, index)
    for _ in range(MOST_TRIES):
        drawn = scenario.draw(generator)
        population = round(drawn.population)
        relevant = round(drawn.population * drawn.prevalence)
        found = round(relevant * drawn.recall)
        retrieved = round(found / drawn.precision)
        missed = relevant - found
        if found and missed and missed <= population - retrieved:
            sizes = scenario.sizes(generator, retrieved, population - retrieved)
            return _with_sizes(population, relevant, found, retrieved, sizes)
    raise AssertionError(f"no possible realisation of {name} in {MOST_TRIES} tries")


def _with_sizes(
    population: int, relevant: int, found: int, retrieved: int, sizes: tuple[float, float]
) -> RecallRealisation:
    segments = retrieved, population - retrieved
    samples = (min(max(round(n), 1), N) for n, N in zip(sizes, segments, strict=True))
    return RecallRealisation(*segments, found, relevant - found, *samples)


def realisation_of(design: RecallDesign) -> RecallRealisation:
    """A design of one's own, checked, as the one realisation that it is."""
    population = check_count("corpus_size", design.corpus_size)
    relevant = check_count("n_relevant", design.n_relevant)
    if population > MOST_DOCUMENTS:
        raise ParameterError(f"corpus_size must be at most {MOST_DOCUMENTS:,}; got {population}")
    recall = _share("recall", design.recall)
    found = round(relevant * recall)
    retrieved = _retrieved_size(design, found)
    segments = (("retrieved", retrieved, found, design.retrieved_sample),
                ("unretrieved", population - retrieved, relevant - found,
                 design.unretrieved_sample))  # fmt: skip
    samples = []
    for name, size, inside, sampled in segments:
        if size < inside:
            raise DataError(
                f"the {name} segment has {size:,} documents, but would hold {inside:,} relevant "
                f"ones: {relevant:,} relevant of {population:,}, recall {recall:g}"
            )
        number = check_count(f"{name}_sample", sampled, minimum=1 if size else 0)
        if number > size:
            raise DataError(f"{name}_sample is {number:,} of {size:,} {name} documents")
        samples.append(number)
    return RecallRealisation(
        retrieved, population - retrieved, found, relevant - found, samples[0], samples[1]
    )


def _retrieved_size(design: RecallDesign, found: int) -> int:
    if (design.retrieved_size is None) == (design.precision is None):
        raise ParameterError(
            "give either retrieved_size or precision; got "
            f"{quote(design.retrieved_size)} and {quote(design.precision)}"
        )
    if design.retrieved_size is not None:
        return check_count("retrieved_size", design.retrieved_size, minimum=0)
    precision = _share("precision", design.precision)
    if precision == 0:
        raise ParameterError("precision must be above 0: give retrieved_size in its place; got 0")
    return round(found / precision)


def _share(name: str, value: object) -> float:
    """A number from 0 to 1, both included."""
    number = as_float(value)
    if number is None:
        raise ParameterError(f"{name} must be a fraction from 0 to 1; got {quote(value)}")
    if not 0 <= number <= 1:
        raise ParameterError(f"{name} must be a fraction from 0 to 1; got {number:g}")
    return number
