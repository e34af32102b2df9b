"""Tipping points: recall if assessors made mistakes in the unretrieved sample."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from ..presentation.column_roles import HIDDEN, Column, make_record
from ..presentation.phrases import ENDS, SIDES, half_width, pluralise
from ..presentation.registry import Presentation, View, present
from ..presentation.rounding import (
    decimals_of_column,
    fixed,
    format_count,
    format_setting,
    percent,
    significant,
)
from ..presentation.table import Table, label_records, make_bar
from .interval import Interval
from .recall_estimates import SHOWN, format_ends
from .result import Result
from .samples import Sample, Stratum

HEADING = "Tipping points: were the assessors right?"
RATE_DIGITS = 2  # significant digits of an error rate
#: by the wrong judgment: the title of a table, and the heading of its first column
TITLES = {
    "relevant": "recall if documents judged relevant in the unretrieved sample are not relevant",
    "not relevant": (
        "recall if documents judged not relevant in the unretrieved sample are relevant"
    ),
}
HEADINGS = {"relevant": "not relevant after all", "not relevant": "relevant after all"}
CREDITED = (
    "Documents that the sample found are credited, so mistakes of both kinds can make it fall; the "
    "tables show how."
)
NOT_HERE = (
    "These tables are about mistakes in the unretrieved sample only; every other judgment is taken "
    "as correct."
)
COLUMNS_TO_FILL = (
    "The results of a second assessment are the columns relevant_checked, relevant_confirmed, "
    "irrelevant_checked and irrelevant_overturned of a sheet of strata."
)


@dataclass(frozen=True)
class TippingPoint:
    """Recall if so many judgments of the unretrieved sample are wrong."""

    #: the judgment that is wrong: ``"relevant"`` or ``"not relevant"``
    judgment: Annotated[str, Column("key")]
    #: documents with this judgment that are wrong, and all documents with it
    n_wrong: Annotated[int, Column("count")]
    n_judged: Annotated[int, Column("count")]
    value: Annotated[float, Column(heading="estimate", name="estimate")]
    interval: Interval
    #: whether the claim is shown: the lower end is at least the claimed recall; None without one
    is_shown: bool | None = None


@dataclass(frozen=True)
class ToleratedError:
    """The most relevant documents among those judged not relevant with which a claim stands."""

    #: ``"estimate"`` or ``"limit"``: what is at least the claimed recall
    by: str
    #: documents of the unretrieved segment that would be judged relevant in truth
    n_documents: int
    #: the same as a fraction of all documents of the segment that would be judged not relevant
    rate: float


@dataclass(frozen=True, eq=False)
class TippingPoints(Result):
    """Recall of one sample under mistakes of its assessors, and when a claim stands or falls."""

    strata: Annotated[tuple[Stratum, ...], HIDDEN]
    #: recall with 0, 1, 2, ... judgments ``"relevant"`` wrong
    mistaken: Annotated[tuple[TippingPoint, ...], HIDDEN]
    #: recall with 0, 1, 2, ... judgments ``"not relevant"`` wrong
    missed: Annotated[tuple[TippingPoint, ...], HIDDEN]
    system: Annotated[str | None, Column("key")] = None
    topic: Annotated[str | None, Column("key")] = None
    #: the claim: recall is at least this; None for no claim
    at_least: float | None = None
    #: the name of the prior, for a method that has one
    prior: str | None = None
    #: the fewest wrong judgments ``"relevant"`` with which the claim is shown; None for none, or if
    #: it is shown as it is
    shown_from: int | None = None
    #: the fewest wrong judgments ``"not relevant"`` with which it is no longer shown
    falls_from: int | None = None
    #: by the estimate and by the limit, where the claim stands without mistakes
    tolerated: Annotated[tuple[ToleratedError, ...], HIDDEN] = ()
    #: documents of the unretrieved segment that would be judged not relevant, estimated
    n_judged_irrelevant: Annotated[float, Column("count")] = 0.0
    #: the unretrieved strata in the order in which they have mistakes, if there are several
    order: Annotated[tuple[str, ...], HIDDEN] = ()
    #: whether relevant documents of the unretrieved sample are added to the retrieved set
    credit_found: Annotated[bool, HIDDEN] = False

    @property
    def as_judged(self) -> TippingPoint:
        """Recall without mistakes."""
        return self.mistaken[0]

    @property
    def n_relevant(self) -> int:
        """Documents judged relevant in the unretrieved sample."""
        return sum(stratum.relevant for stratum in self.strata if not stratum.retrieved)

    @property
    def n_irrelevant(self) -> int:
        """Documents judged not relevant in the unretrieved sample."""
        return sum(stratum.irrelevant for stratum in self.strata if not stratum.retrieved)

    def _records(self) -> list[dict[str, Any]]:
        """Return one record per number of wrong judgments."""
        tolerated = {
            f"tolerated_{name}_by_{error.by}": getattr(error, name)
            for error in self.tolerated
            for name in ("n_documents", "rate")
        }
        return [
            {**make_record(point), **make_record(self), **tolerated}
            for point in (*self.mistaken, *self.missed)
        ]


def _tables(results: Sequence[TippingPoints], view: View) -> list[Table]:
    return [
        _point_table(result, points, view)
        for result in results
        for points in (result.mistaken, result.missed)
        if points[0].n_judged
    ]


def _point_table(result: TippingPoints, points: Sequence[TippingPoint], view: View) -> Table:
    first, places = points[0], _places(result, view)
    claim = (f"recall >= {format_setting(result.at_least)}",) if result.at_least else ()
    by_judgment = {
        judgment: [row for row in result._records() if row["judgment"] == judgment]
        for judgment in HEADINGS
    }
    return Table(
        title=f"{_name_sample(result, view)}{TITLES[first.judgment]}: {_describe_interval(result)}",
        headings=(
            HEADINGS[first.judgment],
            "estimate",
            *ENDS[first.interval.alternative],
            *claim,
        ),
        cells=tuple(
            (
                f"{point.n_wrong:,} of {point.n_judged:,}",
                fixed(point.value, places),
                *format_ends(point.interval, places),
                *(SHOWN[point.is_shown] for _ in claim),
            )
            for point in points
        ),
        records=label_records("tipping points", by_judgment[first.judgment]),
        bars=tuple(make_bar(point.value, point.interval) for point in points),
    )


def _sentences(results: Sequence[TippingPoints], view: View) -> list[str]:
    return [sentence for result in results for sentence in _describe(result, view)]


def _describe(result: TippingPoints, view: View) -> list[str]:
    """Return the verdict under mistakes, the tolerated rates, and the order of strata."""
    lines = [_describe_claim(result) if result.at_least else _describe_single(result, view)]
    if result.tolerated:
        lines.append(_describe_tolerated(result))
    if result.order:
        first = result.order[0]
        lines.append(
            f"Mistakes are assumed where a sampled document stands for most documents: first in "
            f"stratum {first!r}, then in the others by their weight."
        )
    return [*lines, NOT_HERE]


def _describe_claim(result: TippingPoints) -> str:
    claim = f"A recall of at least {format_setting(result.at_least or 0.0)}"
    if result.credit_found:
        return f"{claim} is {SHOWN[result.as_judged.is_shown]} by the counts. {CREDITED}"
    if result.as_judged.is_shown:
        others = pluralise(result.n_irrelevant, "document")
        if result.falls_from is None:
            return f"{claim} is shown, whatever the {others} judged not relevant there are."
        return (
            f"{claim} is shown by the counts. It is no longer shown if {result.falls_from:,} or "
            f"more of the {others} judged not relevant in the unretrieved sample are "
            "relevant."
        )
    if result.shown_from is None:
        return f"{claim} is not shown, even if nothing in the unretrieved sample is relevant."
    return (
        f"{claim} is not shown by the counts. It is shown if {result.shown_from:,} or more of "
        f"the {pluralise(result.n_relevant, 'document')} judged relevant in the unretrieved sample "
        "are not relevant after all."
    )


def _describe_single(result: TippingPoints, view: View) -> str:
    """Return the effect of one mistake of each kind."""
    places = _places(result, view)
    effects = [
        f"to {fixed(points[1].value, places)} if one document judged {judgment} is {truth}"
        for points, judgment, truth in (
            (result.mistaken, "relevant", "not"),
            (result.missed, "not relevant", "relevant"),
        )
        if len(points) > 1
    ]
    value = fixed(result.as_judged.value, places)
    return f"The estimate of recall changes from {value} {', and '.join(effects)}."


def _describe_tolerated(result: TippingPoints) -> str:
    words = {"estimate": "the estimate", "limit": f"the {_limit_word(result)}"}
    parts = [
        f"{words[error.by]} while at most {significant(100 * error.rate, RATE_DIGITS)} % of them "
        f"({pluralise(error.n_documents, 'document')}) are relevant"
        for error in result.tolerated
    ]
    return (
        f"Assessors would judge about {format_count(result.n_judged_irrelevant)} documents of the "
        f"unretrieved segment not relevant. Recall of at least "
        f"{format_setting(result.at_least or 0.0)} stands by {', and by '.join(parts)}."
    )


def _conclusion(results: Sequence[TippingPoints], view: View) -> list[str]:
    return [*(_advise(result, view) for result in results), COLUMNS_TO_FILL]


def _advise(result: TippingPoints, view: View) -> str:
    """Return which documents to assess again, and what their results decide."""
    relevant = pluralise(result.n_relevant, "document")
    positives = f"the {relevant} judged relevant in the unretrieved sample"
    part = f"a random part of the {result.n_irrelevant:,} others"
    if result.at_least is None:
        if not result.n_relevant:
            return f"Assess {part.replace('others', 'documents')} of the unretrieved sample again."
        ends = [_format_ends(result, point, view) for point in _extremes(result)]
        return (
            f"Assess {positives} again, and {part}: recall is {ends[0]} if all of the {relevant} "
            f"are confirmed, and {ends[1]} if none is."
        )
    if result.credit_found:
        return f"Assess {positives} again, and {part}."
    if result.as_judged.is_shown:
        return (
            f"Assess a random part of the {result.n_irrelevant:,} documents judged not relevant in "
            "the unretrieved sample again: mistakes among them, not among those judged relevant, "
            "can make the claim fall."
        )
    if result.shown_from is None:
        return "Assessing these documents again cannot show the claim."
    return (
        f"Assess {positives} again: if {result.shown_from:,} or more are not relevant, the claim "
        f"is shown; if all are confirmed, it is not. Assess {part} too, since relevant documents "
        "among them count against the claim."
    )


def _extremes(result: TippingPoints) -> tuple[TippingPoint, TippingPoint]:
    """Return recall without mistakes, and with every judgment ``"relevant"`` wrong."""
    return result.mistaken[0], result.mistaken[-1]


def _format_ends(result: TippingPoints, point: TippingPoint, view: View) -> str:
    words = {"two-sided": "between {} and {}", "greater": "at least {}", "less": "at most {}"}
    ends = format_ends(point.interval, _places(result, view))
    return words[point.interval.alternative].format(*ends)


def _limit_word(result: TippingPoints) -> str:
    is_interval = result.as_judged.interval.alternative == "two-sided"
    return "lower end of the interval" if is_interval else "lower limit"


def _places(result: TippingPoints, view: View) -> int:
    if view.digits is not None:
        return view.digits
    points = (*result.mistaken, *result.missed)
    return decimals_of_column(half_width(point.value, point.interval) for point in points)


def _describe_interval(result: TippingPoints) -> str:
    interval = result.as_judged.interval
    prior = f", prior {result.prior}" if result.prior else ""
    level = percent(interval.confidence_level)
    return f"{level} {SIDES[interval.alternative]} ({interval.method}{prior})"


def _name_sample(result: TippingPoints, view: View) -> str:
    topic = f"{view.topic} {result.topic}" if result.topic else ""
    names = ", ".join(filter(None, (result.system, topic)))
    return f"{names}: " if names else ""


def has_tipping_points(sample: Sample) -> bool:
    """Return whether a sample has a random sample of each segment that was assessed once."""
    outside = [stratum for stratum in sample if not stratum.retrieved]
    return (
        any(stratum.sampled for stratum in outside)
        and not any(stratum.population and not stratum.sampled for stratum in sample)
        and not any(stratum.is_checked for stratum in sample)
    )


def has_unjudged(sample: Iterable[Stratum]) -> bool:
    """Return whether unretrieved documents of a sample could not be judged."""
    return any(stratum.judged < stratum.sampled for stratum in sample if not stratum.retrieved)


present(
    TippingPoints,
    Presentation(
        HEADING,
        tables=_tables,
        sentences=_sentences,
        conclusion=_conclusion,
        figures=("tipping_plots:draw_error_rates",),
        topics=lambda results: ["tipping-points"],
    ),
)
