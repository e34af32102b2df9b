"""The counts of a sample: validated once, then arrays that every method uses.

A retrieved set divides the corpus into two segments, the retrieved and the unretrieved one. Each
segment can be divided further into strata, and each stratum has its own simple random sample. Four
counts per stratum describe a sample: documents, sampled documents, relevant documents in the
sample, and documents in the sample that an assessor could judge. Where some of the documents were
assessed again, four more counts describe the second assessment.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import DataError, ParameterError, quote
from ..results import Stratum
from ..results.samples import CHECK_FIELDS
from ..validation import as_integer

Floats = NDArray[np.float64]

MAX_DOCUMENTS = 10**12  # far more than any corpus has, and exact as a double


class CodedDocuments(NamedTuple):
    """Sampled documents with the same first judgment."""

    n: int
    #: assessed again, and relevant among these
    checked: int
    relevant: int


class Checks(NamedTuple):
    """The second assessment of a sample of which some documents were assessed again."""

    coded_relevant: CodedDocuments
    coded_irrelevant: CodedDocuments


@dataclass(frozen=True, eq=False)
class Counts:
    """Counts per stratum, which is the last axis; they need not be integers.

    ``relevant`` and ``assessable`` can have further axes before it: many samples of one design.
    """

    retrieved: NDArray[np.bool_]
    population: Floats
    sampled: Floats
    relevant: Floats
    assessable: Floats
    #: per stratum, the counts of a second assessment of some documents; None without one
    checks: tuple[Checks | None, ...] | None = None

    def segment(self, retrieved: bool) -> Counts:
        """Return the strata of one segment."""
        strata = self.retrieved == retrieved
        return Counts(
            self.retrieved[strata],
            self.population[strata],
            self.sampled[strata],
            self.relevant[..., strata],
            self.assessable[..., strata],
            self.checks and tuple(self.checks[place] for place in np.flatnonzero(strata)),
        )

    def judge_all(self, inside: int, outside: int) -> Counts:
        """Return counts in which documents that could not be judged have their worst status.

        They are relevant in a segment with a negative sign: a limit falls with its relevant ones.
        """
        is_against = np.where(self.retrieved, inside, outside) < 0
        against = np.where(is_against, self.sampled - self.assessable, 0.0)
        checks = self.checks and tuple(
            pair and pair._replace(coded_relevant=pair[0]._replace(n=pair[0].n + round(n)))
            for pair, n in zip(self.checks, against.tolist(), strict=True)
        )
        relevant = self.relevant + against
        return replace(self, relevant=relevant, assessable=self.sampled, checks=checks)

    @property
    def is_simple(self) -> bool:
        """True if each segment is one stratum."""
        return bool(np.count_nonzero(self.retrieved) == 1 == np.count_nonzero(~self.retrieved))


def make_counts(strata: Sequence[Stratum]) -> Counts:
    """Return the counts of valid strata as arrays.

    The relevant documents are those by both assessments, if some were assessed again.
    """
    checks = tuple(map(_get_checks, strata))
    return Counts(
        np.array([stratum.retrieved for stratum in strata], dtype=np.bool_),
        np.array([stratum.population for stratum in strata], dtype=np.float64),
        np.array([stratum.sampled for stratum in strata], dtype=np.float64),
        np.array([stratum.corrected_relevant for stratum in strata], dtype=np.float64),
        np.array([stratum.judged for stratum in strata], dtype=np.float64),
        checks if any(checks) else None,
    )


def _get_checks(stratum: Stratum) -> Checks | None:
    """Return the counts of a second assessment; None if every document's status is known."""
    if not stratum.is_partly_checked:
        return None
    return Checks(
        CodedDocuments(
            stratum.relevant, stratum.relevant_checked or 0, stratum.relevant_confirmed or 0
        ),
        CodedDocuments(
            stratum.irrelevant, stratum.irrelevant_checked or 0, stratum.irrelevant_overturned or 0
        ),
    )


def restrict_to_judged(segment: Counts) -> Counts:
    """Return the segment without documents that cannot be judged.

    Their fraction of each stratum is taken to be the same as in its sample.
    """
    if (segment.assessable == segment.sampled).all():
        return segment
    fractions = segment.assessable / np.where(segment.sampled > 0, segment.sampled, 1)
    population = np.where(
        segment.sampled > 0, np.round(segment.population * fractions), segment.population
    )
    return Counts(
        segment.retrieved,
        np.maximum(population, segment.assessable),
        segment.assessable,
        segment.relevant,
        segment.assessable,
        segment.checks,
    )


def check_strata(strata: Iterable[Stratum]) -> tuple[Stratum, ...]:
    """Return strata with counts as integers; raise an error for impossible or missing ones.

    A segment can have a population of 0.
    """
    valid = tuple(_check_stratum(stratum) for stratum in strata)
    for is_retrieved, segment in ((True, "retrieved"), (False, "unretrieved")):
        if not any(stratum.retrieved is is_retrieved for stratum in valid):
            raise DataError(
                f"no stratum is {segment}: recall needs both segments; "
                "one of them may have a population of 0"
            )
    if not any(stratum.population for stratum in valid):
        raise DataError("every stratum has a population of 0: there is nothing to estimate")
    return valid


def _check_stratum(stratum: Stratum) -> Stratum:
    name = f"stratum {quote(stratum.name)}"
    if not isinstance(stratum.retrieved, bool | np.bool_):
        raise ParameterError(
            f"{name}: retrieved must be True or False; got {quote(stratum.retrieved)}"
        )
    counts: dict[str, Any] = {}
    for field in ("population", "sampled", "relevant", "assessable", *CHECK_FIELDS):
        value = getattr(stratum, field)
        number = as_integer(value)
        if value is None and field not in ("population", "sampled", "relevant"):
            counts[field] = None
        elif number is None or number < 0:
            raise DataError(f"{name}: {field} must be an integer of at least 0; got {quote(value)}")
        elif number > MAX_DOCUMENTS:
            raise DataError(
                f"{name}: {field} must be at most {MAX_DOCUMENTS:,}; got {quote(value)}"
            )
        else:
            counts[field] = number
    valid = replace(stratum, name=str(stratum.name), retrieved=bool(stratum.retrieved), **counts)
    if contradiction := valid.find_contradiction():
        raise DataError(f"{name}: {contradiction}")
    return valid
