"""Assessed samples as they were read, from which intervals of recall are computed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Annotated, Any

from ..presentation.column_roles import HIDDEN, Column, Warnings
from ..presentation.phrases import join_caption, pluralise
from ..presentation.registry import Presentation, present
from ..presentation.rounding import format_count, significant
from ..presentation.table import Table
from .result import InputFile, Result

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

    def contradictions(self) -> list[str]:
        """Return sentences about impossible counts."""
        errors = []
        judged, word = self.judged, "sampled" if self.assessable is None else "assessable"
        if self.sampled > self.population:
            errors.append(f"{self.sampled:,} sampled of a population of {self.population:,}")
        if judged > self.sampled:
            errors.append(f"{judged:,} assessable of {self.sampled:,} sampled")
        if self.relevant > judged:
            errors.append(f"{self.relevant:,} relevant of {judged:,} {word}")
        return errors or self._contradictory_checks()

    def _contradictory_checks(self) -> list[str]:
        """Return sentences about impossible counts of the second assessment."""
        errors = []
        for (checked, relevant), size in zip(CHECKS, (self.relevant, self.irrelevant), strict=True):
            n_checked, n_relevant = getattr(self, checked), getattr(self, relevant)
            if (n_checked is None) != (n_relevant is None):
                pair = (relevant, checked) if n_checked is None else (checked, relevant)
                errors.append(f"{' without '.join(pair)}: give both or none of them")
                continue
            if (n_checked or 0) > size:
                errors.append(f"{checked} is {n_checked:,}, but only {size:,} have this judgment")
            if (n_relevant or 0) > (n_checked or 0):
                errors.append(f"{relevant} is {n_relevant:,} of {n_checked:,} {checked}")
        return errors

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
class Sample(Result):
    """The strata of one retrieved set, with the counts of their random samples.

    Functions that take strata also take a sample: ``recall_interval(sample)``.
    """

    strata: Annotated[tuple[Stratum, ...], HIDDEN]
    #: the system and the topic of the retrieved set, where an input names them
    system: Annotated[str | None, Column("key")] = None
    topic: Annotated[str | None, Column("key")] = None
    inputs: Annotated[tuple[InputFile, ...], HIDDEN] = ()
    #: sentences about how the inputs were read
    notes: Annotated[tuple[str, ...], HIDDEN] = ()
    #: sentences about what was left out
    warnings: Warnings = ()

    @property
    def retrieved_counts(self) -> Annotated[SegmentCounts, Column(name="retrieved")]:
        """Counts of the retrieved strata together."""
        return SegmentCounts.of(stratum for stratum in self if stratum.retrieved)

    @property
    def unretrieved_counts(self) -> Annotated[SegmentCounts, Column(name="unretrieved")]:
        """Counts of the other strata together."""
        return SegmentCounts.of(stratum for stratum in self if not stratum.retrieved)

    def __iter__(self) -> Iterator[Stratum]:
        return iter(self.strata)

    def __len__(self) -> int:
        return len(self.strata)


def sample_lines(samples: Sequence[Sample]) -> list[str]:
    """Return the counts of a single sample, one line per segment, or the number of samples."""
    if len(samples) > 1:
        topics = {sample.topic for sample in samples if sample.topic is not None}
        of = f", {pluralise(len(topics), 'topic')}" if topics else ""
        return [f"samples {len(samples):,} retrieved sets{of}"]
    return [
        f"{name:<12} {_describe_counts(part for part in samples[0] if part.retrieved is side)}"
        for side, name in ((True, "retrieved"), (False, "unretrieved"))
    ]


def _describe_counts(strata: Iterable[Stratum]) -> str:
    several = list(strata)
    count = SegmentCounts.of(several)
    parts = [
        pluralise(count.population, "document"),
        f"{count.sampled:,} sampled",
        f"{count.assessable:,} assessable" if count.assessable < count.sampled else "",
        f"{count.relevant:,} relevant{describe_checks(several)}",
    ]
    where = f" in {count.strata} strata" if count.strata > 1 else ""
    return ", ".join(filter(None, parts)) + where


def describe_checks(strata: Sequence[Stratum]) -> str:
    """Return ``(20 assessed again, 15 confirmed)``; empty if nothing was assessed again."""
    checked, confirmed, other, overturned = checked_sums(strata)
    parts = [
        f"{checked:,} assessed again, {confirmed:,} confirmed" if checked else "",
        f"{other:,} of the others assessed again, {overturned:,} relevant" if other else "",
    ]
    text = "; ".join(filter(None, parts))
    return f" ({text})" if text else ""


def sums(strata: Iterable[Stratum]) -> tuple[int, int, int, int]:
    """Return population, sampled, judged and relevant documents."""
    counts = SegmentCounts.of(strata)
    return counts.population, counts.sampled, counts.assessable, counts.relevant


def checked_sums(strata: Iterable[Stratum]) -> tuple[int, ...]:
    """Return the counts of the second assessment, of several strata together."""
    several = list(strata)
    return tuple(sum(getattr(stratum, name) or 0 for stratum in several) for name in CHECK_FIELDS)


def counts_table(samples: Sequence[Sample]) -> Table:
    """Return one row per stratum, and the totals of a single sample."""
    checks = CHECK_FIELDS if any(part.is_checked for each in samples for part in each) else ()
    first = samples[0]
    differing = [
        name for name in ("topic", "system") if len({getattr(each, name) for each in samples}) > 1
    ]
    topic = f"topic {first.topic}" if first.topic and "topic" not in differing else ""
    owner = ", ".join(filter(None, ("" if "system" in differing else first.system, topic)))
    cells, records = [], []
    for sample in samples:
        for part in sample:
            weight = part.population / part.sampled if part.sampled else math.nan
            numbers = {
                "population": part.population,
                "sampled": part.sampled,
                "assessable": part.judged,
                "relevant": part.relevant,
                **{name: getattr(part, name) for name in checks},
            }
            counts = ("-" if n is None else f"{n:,}" for n in numbers.values())
            keys = (getattr(sample, name) or "" for name in differing)
            cells.append((*keys, _name_stratum(part), *counts, _format_weight(weight)))
            names = {"table": "strata", "topic": sample.topic, "system": sample.system}
            about = {"stratum": part.name, "retrieved": part.retrieved}
            records.append({**names, **about, **numbers, "weight": weight})
    if len(samples) == 1:
        totals = (*sums(samples[0]), *(checked_sums(samples[0]) if checks else ()))
        cells.append(("total", *(f"{n:,}" for n in totals), ""))
    return Table(
        title=f"{owner}{': ' if owner else ''}counts by stratum",
        headings=(
            *(*differing, "stratum", "population", "sampled", "assessable", "relevant"),
            *(CHECK_HEADINGS if checks else ()),
            "weight",
        ),
        cells=tuple(cells),
        records=tuple(records),
        first_number=len(differing) + 1,
        caption=join_caption(
            "documents; weight: documents per sampled document", CHECK_NOTE if checks else ""
        ),
    )


def _format_weight(weight: float) -> str:
    return significant(weight, WEIGHT_DIGITS) if weight < WHOLE_FROM else format_count(weight)


def segment_of(stratum: Stratum) -> str:
    """Return ``retrieved`` or ``unretrieved``."""
    return "retrieved" if stratum.retrieved else "unretrieved"


def _name_stratum(stratum: Stratum) -> str:
    """Return the name of a stratum, with its segment where the name does not say it."""
    segment = segment_of(stratum)
    return segment if stratum.name == segment else f"{stratum.name} ({segment})"


present(
    Sample,
    Presentation(
        "Samples",
        tables=lambda samples, view: [counts_table(samples)],
        sentences=lambda samples, view: sample_lines(samples),
    ),
)
