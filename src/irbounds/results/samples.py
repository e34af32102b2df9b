"""Assessed samples as they were read: what an interval of recall is computed from."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from ..presentation.column_roles import HIDDEN, Column, Warnings
from ..presentation.phrases import pluralise
from ..presentation.registry import Presentation, present
from ..presentation.rounding import format_count, significant
from ..presentation.table import Table
from .recall_estimates import RecallEstimate, SegmentCounts, Stratum
from .result import InputFile, Result

WEIGHT_DIGITS = 4
WHOLE_FROM = 1000.0  # a weight has no decimals


@dataclass(frozen=True)
class Sample(Result):
    """The strata of one retrieved set, with the counts of their random samples.

    It stands for its strata wherever these are wanted: ``recall_interval(sample)``.
    """

    strata: Annotated[tuple[Stratum, ...], HIDDEN]
    #: whose retrieved set it is, and on what, where an input names them
    system: Annotated[str | None, Column("key")] = None
    topic: Annotated[str | None, Column("key")] = None
    inputs: Annotated[tuple[InputFile, ...], HIDDEN] = ()
    #: sentences on how the inputs were read
    notes: Annotated[tuple[str, ...], HIDDEN] = ()
    #: sentences on what in them was left out
    warnings: Warnings = ()

    @property
    def retrieved_counts(self) -> Annotated[SegmentCounts, Column(name="retrieved")]:
        """Counts of the retrieved strata together."""
        return SegmentCounts.of(one for one in self if one.retrieved)

    @property
    def unretrieved_counts(self) -> Annotated[SegmentCounts, Column(name="unretrieved")]:
        """Counts of the other strata together."""
        return SegmentCounts.of(one for one in self if not one.retrieved)

    def __iter__(self) -> Iterator[Stratum]:
        return iter(self.strata)

    def __len__(self) -> int:
        return len(self.strata)


def sample_lines(samples: Sequence[Sample]) -> list[str]:
    """What was drawn from where: a line a segment, for a single sample."""
    if len(samples) > 1:
        topics = {one.topic for one in samples if one.topic is not None}
        of = f", {pluralise(len(topics), 'topic')}" if topics else ""
        return [f"samples {len(samples):,} retrieved sets{of}"]
    return [
        f"{name:<12} {_count_words(one for one in samples[0] if one.retrieved is side)}"
        for side, name in ((True, "retrieved"), (False, "unretrieved"))
    ]


def _count_words(strata: Iterable[Stratum]) -> str:
    count = SegmentCounts.of(strata)
    parts = [
        pluralise(count.population, "document"),
        f"{count.sampled:,} sampled",
        f"{count.assessable:,} assessable" if count.assessable < count.sampled else "",
        f"{count.relevant:,} relevant",
    ]
    where = f" in {count.strata} strata" if count.strata > 1 else ""
    return ", ".join(filter(None, parts)) + where


def counts_table(samples: Sequence[Sample]) -> Table:
    """A row a stratum, and the totals of a single sample."""
    names = named_columns(samples)
    rows = [(sample, stratum) for sample in samples for stratum in sample]
    cells = [(*names_in(sample, names), *_counts(stratum)) for sample, stratum in rows]
    if len(samples) == 1:
        cells.append((*[""] * len(names), *_total(samples[0])))
    headings = (*names, "stratum", "population", "sampled", "assessable", "relevant", "weight")
    return Table(
        title=f"{_common_names(samples)}counts by stratum",
        headings=headings,
        cells=tuple(cells),
        records=tuple({"table": "strata", **_record(*row)} for row in rows),
        first_number=len(names) + 1,
        caption="documents; weight: documents that a sampled one stands for",
    )


def _counts(stratum: Stratum) -> tuple[str, ...]:
    numbers = (stratum.population, stratum.sampled, stratum.judged, stratum.relevant)
    return stratum_name(stratum), *(f"{n:,}" for n in numbers), _weight_words(_weight(stratum))


def _total(sample: Sample) -> tuple[str, ...]:
    return "total", *(f"{n:,}" for n in sums(sample)), ""


def sums(strata: Iterable[Stratum]) -> tuple[int, int, int, int]:
    """Return population, sampled, judged and relevant documents."""
    one = SegmentCounts.of(strata)
    return one.population, one.sampled, one.assessable, one.relevant


def _record(sample: Sample, stratum: Stratum) -> dict[str, Any]:
    return {
        "topic": sample.topic,
        "system": sample.system,
        "stratum": stratum.name,
        "retrieved": stratum.retrieved,
        "population": stratum.population,
        "sampled": stratum.sampled,
        "assessable": stratum.judged,
        "relevant": stratum.relevant,
        "weight": _weight(stratum),
    }


def _weight(stratum: Stratum) -> float:
    return stratum.population / stratum.sampled if stratum.sampled else math.nan


def _weight_words(weight: float) -> str:
    return significant(weight, WEIGHT_DIGITS) if weight < WHOLE_FROM else format_count(weight)


def named_columns(several: Sequence[Sample] | Sequence[RecallEstimate]) -> tuple[str, ...]:
    """Columns for topic and system, where there is more than one."""
    return tuple(
        name for name in ("topic", "system") if len({getattr(one, name) for one in several}) > 1
    )


def _common_names(samples: Sequence[Sample]) -> str:
    """``bm25, topic 7: `` where all are of this system and topic; nothing where no input says."""
    first, told_apart = samples[0], named_columns(samples)
    system = first.system if "system" not in told_apart else None
    topic = f"topic {first.topic}" if first.topic and "topic" not in told_apart else None
    named = ", ".join(filter(None, (system, topic)))
    return f"{named}: " if named else ""


def names_in(one: Sample | RecallEstimate, names: Sequence[str]) -> list[str]:
    """Return the cells of these columns."""
    return [getattr(one, name) or "" for name in names]


def segment_of(stratum: Stratum) -> str:
    """Return ``retrieved`` or ``unretrieved``."""
    return "retrieved" if stratum.retrieved else "unretrieved"


def stratum_name(stratum: Stratum) -> str:
    """Return the name of a stratum, with its segment where the name does not say it."""
    segment = segment_of(stratum)
    return segment if stratum.name == segment else f"{stratum.name} ({segment})"


present(
    Sample,
    Presentation(
        "Samples",
        tables=lambda samples, view: [counts_table(samples)],
        sentences=lambda samples, view: sample_lines(samples),
        figures=("recall_plots:draw_relevant_fractions",),
    ),
)
