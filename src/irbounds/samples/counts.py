"""The counts of a sample: checked once, then arrays that every method works on.

A retrieved set cuts the corpus into two segments, the retrieved and the unretrieved one. Each may
be cut further into strata, and each stratum has a simple random sample of its own. A sample is
described by four counts a stratum: documents, documents sampled, relevant ones among these, and
those among these that an assessor could judge at all.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import DataError, ParameterError, quote
from ..results import Stratum
from ..validation import as_integer

Floats = NDArray[np.float64]

MOST_DOCUMENTS = 10**12  # far beyond any corpus, and exact as a double


@dataclass(frozen=True, eq=False)
class Counts:
    """Counts by stratum, which is the last axis; they need not be whole numbers.

    ``relevant`` and ``assessable`` may have further axes before it: many samples of one design.
    """

    retrieved: NDArray[np.bool_]
    population: Floats
    sampled: Floats
    relevant: Floats
    assessable: Floats

    def segment(self, retrieved: bool) -> Counts:
        """The strata of one segment."""
        kept = self.retrieved == retrieved
        return Counts(
            self.retrieved[kept],
            self.population[kept],
            self.sampled[kept],
            self.relevant[..., kept],
            self.assessable[..., kept],
        )

    @property
    def is_simple(self) -> bool:
        """Whether each segment is one stratum."""
        return bool(np.count_nonzero(self.retrieved) == 1 == np.count_nonzero(~self.retrieved))


def counts_of(strata: Iterable[Stratum]) -> Counts:
    """Checked strata as arrays."""
    strata = tuple(strata)
    return Counts(
        np.array([one.retrieved for one in strata], dtype=np.bool_),
        np.array([one.population for one in strata], dtype=np.float64),
        np.array([one.sampled for one in strata], dtype=np.float64),
        np.array([one.relevant for one in strata], dtype=np.float64),
        np.array([one.judged for one in strata], dtype=np.float64),
    )


def judged_part(segment: Counts) -> Counts:
    """The segment without what cannot be judged: the same share of it as of its sample."""
    if (segment.assessable == segment.sampled).all():
        return segment
    shares = segment.assessable / np.where(segment.sampled > 0, segment.sampled, 1)
    population = np.where(
        segment.sampled > 0, np.round(segment.population * shares), segment.population
    )
    return Counts(
        segment.retrieved,
        np.maximum(population, segment.assessable),
        segment.assessable,
        segment.relevant,
        segment.assessable,
    )


def segment_strata(retrieved: Any, unretrieved: Any) -> tuple[Stratum, Stratum]:
    """Two segments given as (documents, sampled, relevant), without strata."""
    return (
        _segment("retrieved", retrieved, is_retrieved=True),
        _segment("unretrieved", unretrieved, is_retrieved=False),
    )


def checked_strata(strata: Any) -> tuple[Stratum, ...]:
    """Strata whose counts are possible; both segments must be there, if only with 0 documents."""
    try:
        given = tuple(strata)
    except TypeError:
        raise ParameterError(f"strata must be several Stratum; got {quote(strata)}") from None
    for one in given:
        if not isinstance(one, Stratum):
            raise ParameterError(f"strata must be several Stratum; got {quote(one)} among them")
    checked = tuple(_checked(one) for one in given)
    for side, what in ((True, "retrieved"), (False, "unretrieved")):
        if not any(one.retrieved is side for one in checked):
            raise DataError(
                f"no stratum is {what}: recall needs both segments; "
                "one of them may have a population of 0"
            )
    if not any(one.population for one in checked):
        raise DataError("every stratum has a population of 0: there is nothing to estimate")
    return checked


def _segment(name: str, counts: Any, *, is_retrieved: bool) -> Stratum:
    try:
        values = tuple(counts)
    except TypeError:
        values = ()
    if len(values) not in (3, 4) or isinstance(counts, str):
        raise ParameterError(
            f"{name} must be (documents, sampled, relevant), with assessable as a fourth number "
            f"if not all could be judged; got {quote(counts)}"
        )
    population, sampled, relevant, *assessable = values
    return Stratum(name, is_retrieved, population, sampled, relevant, *assessable)


def _checked(stratum: Stratum) -> Stratum:
    name = f"stratum {quote(stratum.name)}"
    if not isinstance(stratum.retrieved, bool | np.bool_):
        raise ParameterError(
            f"{name}: retrieved must be True or False; got {quote(stratum.retrieved)}"
        )
    population = _count(name, "population", stratum.population)
    sampled = _count(name, "sampled", stratum.sampled)
    relevant = _count(name, "relevant", stratum.relevant)
    assessable = None
    if stratum.assessable is not None:
        assessable = _count(name, "assessable", stratum.assessable)
    checked = Stratum(
        str(stratum.name), bool(stratum.retrieved), population, sampled, relevant, assessable
    )
    for contradiction in checked.contradictions():
        raise DataError(f"{name}: {contradiction}")
    return checked


def _count(stratum: str, what: str, value: Any) -> int:
    number = as_integer(value)
    if number is None or number < 0:
        raise DataError(f"{stratum}: {what} must be an integer of at least 0; got {quote(value)}")
    if number > MOST_DOCUMENTS:
        raise DataError(f"{stratum}: {what} must be at most {MOST_DOCUMENTS:,}; got {quote(value)}")
    return number
