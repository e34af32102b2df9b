"""Corpora and retrieved sets for simulations of recall: Webber's scenarios, or a user's design.

A scenario is a distribution over the size N of the corpus, its prevalence, recall Rec and precision
Prec, and the sizes of both samples (Tables V to VIII). A realisation is one draw from it: R = N
times the prevalence, R1 = R Rec, N1 = R1 / Prec, each rounded to an integer. The true recall is
R1 / R, after rounding.

Two entries of the tables cannot be meant literally. Where a row of precision has "min", both
numbers are lower bounds, so it must be max. Where a row of sizes has "max", a sample must fit its
segment, so it must be min. With this reading the means agree with those in the tables (neutral:
precision 0.64, samples 890 and 1,140; legal: 820 from the retrieved segment; small: 160 and 600),
with two exceptions in the legal table. The mean corpus is 10.8 million where 1,075,000 is printed,
a slip of a digit. The mean unretrieved sample is 2,610 where 3,170 is printed, which no reading
explains that leaves the other rows right.

Realisations that rounding makes invalid are drawn again: a recall of exactly 0 or 1, which no
scenario has, and a segment with more relevant documents than documents. With a recall of 1, limits
from a beta distribution never include the truth. In the small scenario two of a thousand
realisations would be like that, and would move the RMSE of beta-jeffreys from 0.041 to 0.059 (the
paper: 0.042). A sample is at least 1 document and at most the whole segment.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..errors import DataError, ParameterError, quote
from ..resampling.seeds import Purpose, stream
from ..results import RecallRealisation
from ..validation import as_float, check_count

MAX_CORPUS = 10**9 - 1  # the limit of numpy's hypergeometric draws
MAX_TRIES = 1000


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
class DrawnVariables:
    """One draw of a scenario's variables (Table V), before rounding."""

    population: float
    prevalence: float
    recall: float
    precision: float


@dataclass(frozen=True)
class Scenario:
    """Functions that draw the variables, and the sample sizes given the segment sizes."""

    number: int
    draw: Callable[[np.random.Generator], DrawnVariables]
    sizes: Callable[[np.random.Generator, int, int], tuple[float, float]]


def _draw_neutral(generator: np.random.Generator) -> DrawnVariables:
    """Draw the variables of Table VI."""
    population = 1000 * 2 ** generator.uniform(0, 12)
    prevalence = 0.02 * generator.uniform(1, 6) ** 2
    recall = generator.uniform(0.1, 1.0)
    lowest = max(0.1, 0.95 * prevalence, 1.05 * prevalence * recall)
    return DrawnVariables(population, prevalence, recall, generator.uniform(lowest, 1.0))


def _draw_legal(generator: np.random.Generator) -> DrawnVariables:
    """Draw the variables of Table VII."""
    population = 5e5 * 10 ** generator.uniform(0, 2)
    prevalence = 2e-3 * 1.5 ** generator.uniform(1, 10)
    recall = 2.5e-3 * generator.uniform(1, 34) ** 1.65
    lowest = max(0.025, 2 * prevalence * recall)
    return DrawnVariables(population, prevalence, recall, generator.uniform(lowest, 0.92))


def _draw_small(generator: np.random.Generator) -> DrawnVariables:
    """Draw the variables of Table VIII."""
    population = 1000 * 10 ** generator.uniform(0, 1)
    prevalence = 0.02 * 1.5 ** generator.uniform(0, 6)
    recall = generator.uniform(0.1, 1.0)
    lowest = max(0.025, 2 * prevalence * recall)
    return DrawnVariables(population, prevalence, recall, generator.uniform(lowest, 0.92))


def _draw_neutral_sizes(
    generator: np.random.Generator, retrieved: int, unretrieved: int
) -> tuple[float, float]:
    return _draw_size(generator, 10, 10, retrieved), _draw_size(generator, 10, 10, unretrieved)


def _draw_legal_sizes(
    generator: np.random.Generator, retrieved: int, unretrieved: int
) -> tuple[float, float]:
    return _draw_size(generator, 20, 8, retrieved), _draw_size(generator, 100, 7, unretrieved)


def _draw_small_sizes(
    generator: np.random.Generator, retrieved: int, unretrieved: int
) -> tuple[float, float]:
    return retrieved * generator.uniform(0.2, 0.5), unretrieved * generator.uniform(0.05, 0.3)


def _draw_size(
    generator: np.random.Generator, minimum: int, max_doublings: int, segment: int
) -> float:
    """Draw a size: ``minimum`` doubled up to ``max_doublings`` times, within the segment."""
    doublings = min(max_doublings, np.floor(np.log2(segment / minimum)))
    return float(minimum * 2 ** (generator.random() * max(doublings, 0)))


SCENARIOS = {
    "neutral": Scenario(0, _draw_neutral, _draw_neutral_sizes),
    "legal": Scenario(1, _draw_legal, _draw_legal_sizes),
    "small": Scenario(2, _draw_small, _draw_small_sizes),
}


def draw_realisation(name: str, seed: int, index: int) -> RecallRealisation:
    """Draw one realisation of a scenario; it depends only on the seed and the index."""
    scenario = SCENARIOS[name]
    generator = stream(seed, Purpose.recall_realisations, scenario.number, index)
    for _ in range(MAX_TRIES):
        drawn = scenario.draw(generator)
        population = round(drawn.population)
        relevant = round(drawn.population * drawn.prevalence)
        inside = round(relevant * drawn.recall)
        retrieved = round(inside / drawn.precision)
        missed = relevant - inside
        if inside and missed and missed <= population - retrieved:
            sizes = scenario.sizes(generator, retrieved, population - retrieved)
            return _round_sizes(population, relevant, inside, retrieved, sizes)
    raise AssertionError(f"no possible realisation of {name} in {MAX_TRIES} tries")


def _round_sizes(
    population: int, relevant: int, inside: int, retrieved: int, sizes: tuple[float, float]
) -> RecallRealisation:
    segments = retrieved, population - retrieved
    samples = (min(max(round(n), 1), N) for n, N in zip(sizes, segments, strict=True))
    return RecallRealisation(*segments, inside, relevant - inside, *samples)


def make_realisation(design: RecallDesign) -> RecallRealisation:
    """Return a validated design as a realisation."""
    population = check_count("corpus_size", design.corpus_size)
    relevant = check_count("n_relevant", design.n_relevant)
    if population > MAX_CORPUS:
        raise ParameterError(f"corpus_size must be at most {MAX_CORPUS:,}; got {population}")
    recall = _check_closed_fraction("recall", design.recall)
    relevant_retrieved = round(relevant * recall)
    missed = relevant - relevant_retrieved
    retrieved = _find_retrieved_size(design, relevant_retrieved)
    segments = (
        ("retrieved", retrieved, relevant_retrieved, design.retrieved_sample),
        ("unretrieved", population - retrieved, missed, design.unretrieved_sample),
    )
    samples = []
    for name, size, inside, sampled in segments:
        if size < inside:
            raise DataError(
                f"the {name} segment has {size:,} documents, but would contain {inside:,} relevant "
                f"ones: {relevant:,} relevant of {population:,}, recall {recall:g}"
            )
        number = check_count(f"{name}_sample", sampled, minimum=1 if size else 0)
        if number > size:
            raise DataError(f"{name}_sample is {number:,} of {size:,} {name} documents")
        samples.append(number)
    return RecallRealisation(
        retrieved, population - retrieved, relevant_retrieved, missed, samples[0], samples[1]
    )


def _find_retrieved_size(design: RecallDesign, relevant: int) -> int:
    if (design.retrieved_size is None) == (design.precision is None):
        raise ParameterError(
            "give either retrieved_size or precision; got "
            f"{quote(design.retrieved_size)} and {quote(design.precision)}"
        )
    if design.retrieved_size is not None:
        return check_count("retrieved_size", design.retrieved_size, minimum=0)
    precision = _check_closed_fraction("precision", design.precision)
    if precision == 0:
        raise ParameterError("precision must be above 0; got 0; give retrieved_size instead")
    return round(relevant / precision)


def _check_closed_fraction(name: str, value: object) -> float:
    """Return a number from 0 to 1, both included; raise ``ParameterError`` otherwise."""
    number = as_float(value)
    if number is None:
        raise ParameterError(f"{name} must be a fraction from 0 to 1; got {quote(value)}")
    if not 0 <= number <= 1:
        raise ParameterError(f"{name} must be a fraction from 0 to 1; got {number:g}")
    return number
