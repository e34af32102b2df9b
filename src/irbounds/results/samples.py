"""Strata with the counts of their random samples, from which intervals of recall are computed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ..presentation.phrases import join_caption, pluralise
from ..presentation.rounding import format_count, significant
from ..presentation.table import Table
from .result import InputFile

WEIGHT_DIGITS = 4
WHOLE_FROM = 1000.0  # a weight has no decimals
#: the counts of a second assessment, by the first judgment: how many, and how many are relevant
CHECKS = (
    ("relevant_checked", "relevant_confirmed"),
    ("irrelevant_checked", "irrelevant_overturned"),
)
CHECK_FIELDS = tuple(name for pair in CHECKS for name in pair)
CHECK_HEADINGS = ("checked", "confirmed", "others checked", "overturned")
CHECK_NOTE = (
    "checked: relevant ones assessed again, of which confirmed are relevant; others checked: not "
    "relevant ones assessed again, of which overturned are relevant"
)


@dataclass(frozen=True)
class Stratum:
    """A part of the corpus, retrieved or not, with the counts of its random sample."""

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
    #: of the relevant ones, those that were assessed again, and those of these that are relevant;
    #: None: no second assessment
    relevant_checked: int | None = None
    relevant_confirmed: int | None = None
    #: of those judged not relevant, those that were assessed again, and those of these that are
    #: relevant after all; None: no second assessment
    irrelevant_checked: int | None = None
    irrelevant_overturned: int | None = None

    @property
    def judged(self) -> int:
        """Documents of the sample on which there is a judgment."""
        return self.sampled if self.assessable is None else self.assessable

    @property
    def irrelevant(self) -> int:
        """Documents of the sample that were judged not relevant."""
        return self.judged - self.relevant

    @property
    def is_checked(self) -> bool:
        """True if documents of the sample were assessed again."""
        return bool(self.relevant_checked or self.irrelevant_checked)

    @property
    def is_partly_checked(self) -> bool:
        """True if some documents with the same first judgment were assessed again, but not all."""
        return (
            0 < (self.relevant_checked or 0) < self.relevant
            or 0 < (self.irrelevant_checked or 0) < self.irrelevant
        )

    @property
    def is_known(self) -> bool:
        """True if the samples tell how many relevant documents the stratum has."""
        return self.sampled == self.population and not self.is_partly_checked

    @property
    def corrected_relevant(self) -> float:
        """Relevant documents of the sample by both assessments; an integer if it is known.

        Documents with the same first judgment that were not assessed again are expected to be
        relevant as often as those that were. Where none of them was, the first judgment counts.
        """
        confirmed, overturned = self.relevant_confirmed or 0, self.irrelevant_overturned or 0
        return (
            confirmed * self.relevant / self.relevant_checked
            if self.relevant_checked
            else self.relevant
        ) + (
            overturned * self.irrelevant / self.irrelevant_checked if self.irrelevant_checked else 0
        )

    def find_contradiction(self) -> str:
        """Return the first impossible count in words; an empty text if all are possible."""
        judged, word = self.judged, "sampled" if self.assessable is None else "assessable"
        if self.sampled > self.population:
            return f"{self.sampled:,} sampled of a population of {self.population:,}"
        if judged > self.sampled:
            return f"{judged:,} assessable of {self.sampled:,} sampled"
        if self.relevant > judged:
            return f"{self.relevant:,} relevant of {judged:,} {word}"
        for (checked, relevant), size in zip(CHECKS, (self.relevant, self.irrelevant), strict=True):
            n_checked, n_relevant = getattr(self, checked), getattr(self, relevant)
            if (n_checked is None) != (n_relevant is None):
                pair = (relevant, checked) if n_checked is None else (checked, relevant)
                return f"{' without '.join(pair)}: give both or none of them"
            if (n_checked or 0) > size:
                return f"{checked} is {n_checked:,}, but only {size:,} have this judgment"
            if (n_relevant or 0) > (n_checked or 0):
                return f"{relevant} is {n_relevant:,} of {n_checked:,} {checked}"
        return ""

    def as_dict(self) -> dict[str, Any]:
        """Return the counts by name; those of a second assessment only where there are any."""
        return {
            name: value
            for name, value in asdict(self).items()
            if value is not None or name not in CHECK_FIELDS
        }


@dataclass(frozen=True)
class SegmentCounts:
    """Counts of several strata together."""

    strata: int
    population: int
    sampled: int
    assessable: int
    relevant: int

    @classmethod
    def of(cls, strata: Iterable[Stratum]) -> SegmentCounts:
        """Add up strata."""
        several = list(strata)
        return cls(
            len(several),
            sum(stratum.population for stratum in several),
            sum(stratum.sampled for stratum in several),
            sum(stratum.judged for stratum in several),
            sum(stratum.relevant for stratum in several),
        )


@dataclass(frozen=True)
class Sample:
    """The strata of a retrieved set and of the rest, as they were read."""

    strata: tuple[Stratum, ...]
    inputs: tuple[InputFile, ...] = ()
    #: sentences about how the inputs were read
    notes: tuple[str, ...] = ()
    #: sentences about what was left out
    warnings: tuple[str, ...] = ()


def get_segment(strata: Iterable[Stratum], is_retrieved: bool) -> list[Stratum]:
    """Return the retrieved strata, or the others."""
    return [stratum for stratum in strata if stratum.retrieved is is_retrieved]


def name_segment(stratum: Stratum) -> str:
    """Return ``retrieved`` or ``unretrieved``."""
    return "retrieved" if stratum.retrieved else "unretrieved"


def sample_lines(strata: Sequence[Stratum]) -> list[str]:
    """Return the counts of a sample, one line per segment."""
    lines = []
    for name, is_retrieved in (("retrieved", True), ("unretrieved", False)):
        segment = get_segment(strata, is_retrieved)
        count = SegmentCounts.of(segment)
        parts = [
            pluralise(count.population, "document"),
            f"{count.sampled:,} sampled",
            f"{count.assessable:,} assessable" if count.assessable < count.sampled else "",
            f"{count.relevant:,} relevant{describe_checks(segment)}",
        ]
        where = f" in {count.strata} strata" if count.strata > 1 else ""
        lines.append(f"{name:<12} {', '.join(filter(None, parts))}{where}")
    return lines


def describe_checks(strata: Sequence[Stratum]) -> str:
    """Return ``(20 assessed again, 15 confirmed)``; empty if nothing was assessed again."""
    checked, confirmed, other, overturned = _sum_checks(strata)
    parts = [
        f"{checked:,} assessed again, {confirmed:,} confirmed" if checked else "",
        f"{other:,} of the others assessed again, {overturned:,} relevant" if other else "",
    ]
    text = "; ".join(filter(None, parts))
    return f" ({text})" if text else ""


def _sum_checks(strata: Sequence[Stratum]) -> list[int]:
    return [sum(getattr(stratum, name) or 0 for stratum in strata) for name in CHECK_FIELDS]


def counts_table(strata: Sequence[Stratum]) -> Table:
    """Return one row per stratum, and the totals."""
    checks = CHECK_FIELDS if any(stratum.is_checked for stratum in strata) else ()
    cells = []
    for part in strata:
        segment = name_segment(part)
        name = segment if part.name == segment else f"{part.name} ({segment})"
        counts = [part.population, part.sampled, part.judged, part.relevant]
        counts += [getattr(part, name) for name in checks]
        weight = part.population / part.sampled if part.sampled else math.nan
        cells.append(
            (
                name,
                *("-" if n is None else f"{n:,}" for n in counts),
                significant(weight, WEIGHT_DIGITS) if weight < WHOLE_FROM else format_count(weight),
            )
        )
    total = SegmentCounts.of(strata)
    totals = [total.population, total.sampled, total.assessable, total.relevant]
    totals += _sum_checks(strata) if checks else []
    cells.append(("total", *(f"{n:,}" for n in totals), ""))
    return Table(
        title="counts by stratum",
        headings=(
            *("stratum", "population", "sampled", "assessable", "relevant"),
            *(CHECK_HEADINGS if checks else ()),
            "weight",
        ),
        cells=tuple(cells),
        records=(),
        caption=join_caption(
            "documents; weight: documents per sampled document", CHECK_NOTE if checks else ""
        ),
    )
