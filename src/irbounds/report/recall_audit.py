"""What an auditor signs below: every count, how it was drawn, and both kinds of interval.

These sections stand in a report only. The terminal has the result in a few lines; a page that is
filed has to let a reader do the sum again: what each stratum holds, how many documents were drawn
from it, how many could be judged and were relevant, and how many documents each drawn one stands
for. Two-sided interval and one-sided lower limit come from the same computation, so that who reads
the one need not ask for the other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..results import RecallEstimate, Sample, Stratum
from .pages import Section
from .recall import places_of, shown_numbers
from .tables import Table, labelled

__all__ = ["audit_sections"]

MOST_NAMED = 12  # strata whose samples are named in a sentence
DRAWN = (
    "Within a stratum every document had the same chance to be drawn, and none was drawn twice: "
    "a simple random sample without replacement. The intervals are right only if this is so."
)
WEIGHT = (
    "A stratum's weight is its population over its sample: how many documents each sampled "
    "document stands for."
)
NOT_JUDGED = (
    "Documents that could not be judged count as sampled and as not relevant; precision and F are "
    "about the documents that can be judged."
)
TWO_KINDS = (
    "The interval leaves out half of the remaining probability on either side. The lower limit "
    "leaves it all out below, says nothing of how high the value may be, and so lies above the "
    "interval's lower end."
)


def audit_sections(
    samples: Sequence[Sample], estimates: Sequence[RecallEstimate], digits: int | None = None
) -> list[Section]:
    """The samples as they were drawn, then each estimate with interval and lower limit."""
    return [
        Section("Sampling plan and counts", _plan_sentences(samples), [counts_table(samples)]),
        Section(
            "Interval and lower limit",
            [*_statements(estimates, digits), TWO_KINDS],
            [limits_table(estimates, digits)],
        ),
    ]


def counts_table(samples: Sequence[Sample]) -> Table:
    """A row a stratum, and the totals of a single sample."""
    names = _named_columns(samples)
    rows = [(sample, stratum) for sample in samples for stratum in sample]
    cells = [(*_names(sample, names), *_counts(stratum)) for sample, stratum in rows]
    if len(samples) == 1:
        cells.append((*[""] * len(names), *_total(samples[0])))
    headings = (*names, "stratum", "population", "sampled", "assessable", "relevant", "weight")
    return Table(
        title="counts by stratum",
        headings=headings,
        cells=tuple(cells),
        records=labelled("strata", (_record(sample, stratum) for sample, stratum in rows)),
        first_number=len(names) + 1,
        caption="documents; weight: documents that a sampled one stands for",
    )


def limits_table(estimates: Sequence[RecallEstimate], digits: int | None = None) -> Table:
    """Every estimate with both ends of its interval, and with its one-sided lower limit."""
    names = _named_columns(estimates)
    level = _level(estimates[0])
    return Table(
        title=f"two-sided {level} interval and one-sided {level} lower limit",
        headings=(*names, "quantity", "method", "prior", "estimate", "low", "high", "lower limit"),
        cells=tuple((*_names(one, names), *_limits(one, digits)) for one in estimates),
        records=labelled("limits", map(_limit_record, estimates)),
        first_number=len(names) + 3,
    )


def _plan_sentences(samples: Sequence[Sample]) -> list[str]:
    """What was drawn from where."""
    said = []
    if len(samples) == 1 and len(samples[0]) <= MOST_NAMED:
        drawn = "; ".join(_drawn(stratum) for stratum in samples[0])
        said.append(f"Drawn: {drawn}.")
    said += [DRAWN, WEIGHT]
    if any(_judged(stratum) < stratum.sampled for sample in samples for stratum in sample):
        said.append(NOT_JUDGED)
    return said


def _drawn(stratum: Stratum) -> str:
    segment = _segment(stratum)
    what = f"{segment} documents" if stratum.name == segment else f"documents of {_name(stratum)}"
    if stratum.sampled == stratum.population:
        return f"all {stratum.population:,} {what}"
    return f"{stratum.sampled:,} of the {stratum.population:,} {what}"


def _segment(stratum: Stratum) -> str:
    return "retrieved" if stratum.retrieved else "unretrieved"


def _name(stratum: Stratum) -> str:
    segment = _segment(stratum)
    return segment if stratum.name == segment else f"{stratum.name} ({segment})"


def _statements(estimates: Sequence[RecallEstimate], digits: int | None) -> list[str]:
    """One sentence for a single sample's first quantity, which can be quoted."""
    if len({(one.topic, one.system) for one in estimates}) > 1:
        return []
    first = estimates[0]
    if len({one.interval.method for one in estimates}) > 1:
        first = estimates[-1]  # the recommended method stands last
    number, low, high, limit = _numbers(first, digits)
    if math.isnan(_two_sided(first).interval.low):
        return []
    prior = f" with prior {first.prior}" if first.prior else ""
    level, quantity = _level(first), first.quantity
    return [
        f"By {first.interval.method}{prior}, {quantity} is estimated at {number}; its {level} "
        f"interval is {low} to {high}, and with {level} confidence {quantity} is at least {limit}."
    ]


def _limits(one: RecallEstimate, digits: int | None) -> tuple[str, ...]:
    return one.quantity, one.interval.method, one.prior or "", *_numbers(one, digits)


def _numbers(one: RecallEstimate, digits: int | None) -> tuple[str, str, str, str]:
    """Estimate, both ends and the lower limit, to the digits that the interval decides."""
    two_sided = _two_sided(one)
    places = places_of(two_sided, digits)
    number, low, high = shown_numbers(two_sided, places)
    return number, low, high, shown_numbers(_bounded(one), places)[1]


def _two_sided(one: RecallEstimate) -> RecallEstimate:
    return one.at(one.interval.confidence_level, "two-sided")


def _bounded(one: RecallEstimate) -> RecallEstimate:
    return one.at(one.interval.confidence_level, "greater")


def _limit_record(one: RecallEstimate) -> dict[str, Any]:
    interval = _two_sided(one).interval
    return {
        "topic": one.topic,
        "system": one.system,
        "quantity": one.quantity,
        "method": one.interval.method,
        "prior": one.prior,
        "confidence_level": one.interval.confidence_level,
        "estimate": one.value,
        "low": interval.low,
        "high": interval.high,
        "lower_limit": _bounded(one).interval.low,
    }


def _counts(stratum: Stratum) -> tuple[str, ...]:
    numbers = (stratum.population, stratum.sampled, _judged(stratum), stratum.relevant)
    return _name(stratum), *(f"{n:,}" for n in numbers), _weight_words(_weight(stratum))


def _total(sample: Sample) -> tuple[str, ...]:
    sums = [
        sum(one.population for one in sample),
        sum(one.sampled for one in sample),
        sum(_judged(one) for one in sample),
        sum(one.relevant for one in sample),
    ]
    return "total", *(f"{n:,}" for n in sums), ""


def _record(sample: Sample, stratum: Stratum) -> dict[str, Any]:
    return {
        "topic": sample.topic,
        "system": sample.system,
        "stratum": stratum.name,
        "retrieved": stratum.retrieved,
        "population": stratum.population,
        "sampled": stratum.sampled,
        "assessable": _judged(stratum),
        "relevant": stratum.relevant,
        "weight": _weight(stratum),
    }


def _weight(stratum: Stratum) -> float:
    return stratum.population / stratum.sampled if stratum.sampled else math.nan


def _weight_words(weight: float) -> str:
    return "-" if math.isnan(weight) else f"{weight:,.4g}" if weight < 1000 else f"{weight:,.0f}"


def _judged(stratum: Stratum) -> int:
    return stratum.sampled if stratum.assessable is None else stratum.assessable


def _named_columns(several: Sequence[Sample] | Sequence[RecallEstimate]) -> tuple[str, ...]:
    """Columns for topic and system, where there is more than one."""
    return tuple(
        name for name in ("topic", "system") if len({getattr(one, name) for one in several}) > 1
    )


def _names(one: Sample | RecallEstimate, names: Sequence[str]) -> list[str]:
    return [getattr(one, name) or "" for name in names]


def _level(one: RecallEstimate) -> str:
    return f"{one.interval.confidence_level * 100:g} %"
