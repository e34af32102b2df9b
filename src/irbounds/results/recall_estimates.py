"""Recall of a retrieved set and its relatives, from samples of assessed documents."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from ..presentation.column_roles import HIDDEN, Column, Key
from ..presentation.phrases import (
    ENDS,
    SIDES,
    describe_draws,
    half_width,
    join_caption,
    meaningful_ends,
)
from ..presentation.registry import Presentation, View, present
from ..presentation.rounding import decimals, decimals_of_column, fixed, format_count, percent
from ..presentation.table import Table, make_bar
from .interval import Adjustable, Interval, Limits
from .result import Result, records
from .samples import SegmentCounts, Stratum, get_segment

RECOMMENDED = ("beta-binomial", "0.5")
GUARANTEED = "exact"
EXACT_TOPIC = "exact-limits"  # chance levels have a method of the same name
ROUNDING = 1e-12  # of a limit
SHOWN = {True: "shown", False: "not shown", None: "-"}
NAMED_PRIORS = ("uniform", "most-conservative")


def finds_any(strata: Iterable[Stratum]) -> bool:
    """Return whether a sample contains a relevant document."""
    return any(part.relevant for part in strata)


def growing_strata(strata: Iterable[Stratum]) -> list[Stratum]:
    """Return the unretrieved strata of which more documents can be read."""
    return [part for part in strata if not part.retrieved and part.sampled < part.population]


@dataclass(frozen=True, eq=False)
class RecallEstimate(Adjustable, Result):
    """Recall, or another quantity of a retrieved set, with its interval."""

    #: ``"recall"``, ``"precision"``, ``"F1"``, ``"yield"``, ``"prevalence"`` or ``"elusion"``
    quantity: Key
    #: point estimate, by the strata's sizes and the fraction of relevant documents in each sample
    value: Annotated[float, Column(heading="estimate", name="estimate")]
    interval: Interval
    strata: Annotated[tuple[Stratum, ...], HIDDEN]
    limits: Limits = field(repr=False)
    #: the lowest and the highest value that is possible: the other end of a one-sided interval
    bounds: Annotated[tuple[float, float], HIDDEN] = (0.0, 1.0)
    #: the prior in words, for a method that has one
    prior: str | None = None
    #: the distribution of the quantity: ``mean``, ``cdf(value)`` and ``quantile(probability)``
    posterior: Any = field(default=None, repr=False)
    #: whether relevant documents of the unretrieved samples are added to the retrieved set
    credit_found: bool = False
    #: the number of random draws and their seed; None without draws
    n_draws: int | None = None
    seed: int | None = None
    #: the claim: the value that the quantity is said to reach; None without a claim
    at_least: float | None = None
    #: the size of a larger unretrieved sample that shows the claim if no further document is
    #: relevant; None where the claim is shown, or no sample would show it
    sample_needed: int | None = None

    @property
    def is_shown(self) -> Annotated[bool | None, Column()]:
        """Whether the lower limit reaches the claim; None without a claim.

        Recall without a relevant document is not defined, and nothing is shown about it.
        """
        if self.at_least is None:
            return None
        return self.interval.low >= self.at_least and finds_any(self.strata)

    @property
    def posterior_mean(self) -> Annotated[float | None, Column()]:
        """The mean of the posterior; None without one."""
        return None if self.posterior is None else self.posterior.mean

    @property
    def retrieved_counts(self) -> Annotated[SegmentCounts, Column(name="retrieved")]:
        """Counts of the retrieved strata together."""
        return SegmentCounts.of(get_segment(self.strata, True))

    @property
    def unretrieved_counts(self) -> Annotated[SegmentCounts, Column(name="unretrieved")]:
        """Counts of the other strata together."""
        return SegmentCounts.of(get_segment(self.strata, False))

    @property
    def is_recommended(self) -> bool:
        """Whether the method is the recommended one of docs/reference/recall-methods.md."""
        return (self.interval.method, self.prior) == RECOMMENDED

    @property
    def strata_that_matter(self) -> list[Stratum]:
        """The strata that the quantity depends on: those of one segment, or all."""
        segment = {"precision": True, "elusion": False}.get(self.quantity)
        return list(self.strata) if segment is None else get_segment(self.strata, segment)

    @property
    def is_known(self) -> bool:
        """Whether the status of every document that the quantity depends on is known."""
        return all(stratum.is_known for stratum in self.strata_that_matter)


def main_estimate(estimates: Sequence[RecallEstimate]) -> RecallEstimate:
    """Return the estimate of the claim, else the first one by the recommended method."""
    claims = (row for row in estimates if row.at_least is not None)
    recommended = (row for row in estimates if row.is_recommended)
    return next(claims, next(recommended, estimates[0]))


# ---- tables ----


def has_methods(estimates: Sequence[RecallEstimate]) -> bool:
    """Return whether estimates are those of recall by several methods."""
    methods = {(estimate.interval.method, estimate.prior) for estimate in estimates}
    return len(methods) > 1 and {estimate.quantity for estimate in estimates} == {"recall"}


def _quantity_table(estimates: Sequence[RecallEstimate], view: View) -> Table:
    """Return the quantities of a sample, one per row."""
    first = estimates[0]
    has_sides = len({estimate.interval.alternative for estimate in estimates}) > 1
    kind = "one-sided limits" if has_sides else SIDES[first.interval.alternative]
    prior = f", prior {first.prior}" if first.prior else ""
    verdict = "".join(
        f"; {row.quantity} of at least {row.at_least:g} is {SHOWN[row.is_shown]}"
        for row in estimates
        if row.at_least is not None
    )
    has_yield = any(estimate.quantity == "yield" for estimate in estimates)
    return Table(
        title=f"{percent(first.interval.confidence_level)} {kind} "
        f"({first.interval.method}{prior}){verdict}",
        headings=(
            *("quantity", "estimate"),
            *(("limit",) if has_sides else ENDS[first.interval.alternative]),
        ),
        cells=tuple(
            (row.quantity, *format_numbers(row, places_of(row, view.digits), has_sides))
            for row in estimates
        ),
        records=tuple(records(estimates)) if view.has_records else (),
        caption=join_caption(
            "yield: relevant documents in all" if has_yield else "",
            describe_draws(first.n_draws, "draws from the posterior", first.seed),
        ),
        bars=tuple(
            None if row.quantity == "yield" else make_bar(row.value, row.interval)
            for row in estimates
        ),
    )


def _method_table(estimates: Sequence[RecallEstimate], view: View) -> Table:
    """Return all methods side by side, with a remark where an interval is unusual."""
    first = estimates[0]
    widths = [half_width(estimate.value, estimate.interval) for estimate in estimates]
    if view.digits is None and any(width > 0 for width in widths):
        places = decimals_of_column(widths)
    else:
        places = max(places_of(estimate, view.digits) for estimate in estimates)
    level, side = percent(first.interval.confidence_level), first.interval.alternative
    width_heading = ("width",) if side == "two-sided" else ()
    cells = []
    for row in estimates:
        ends = meaningful_ends(row.interval)
        numbers = (*ends, *(row.interval.high - row.interval.low for _ in width_heading))
        remark = _remark(row)
        cells.append(
            (row.interval.method, row.prior or "", remark, *(fixed(x, places) for x in numbers))
        )
    return Table(
        title=f"recall {fixed(first.value, places)}, its {level} {SIDES[side]} by "
        f"{len(estimates)} methods",
        headings=("method", "prior", "remark", *ENDS[side], *width_heading),
        cells=tuple(cells),
        records=tuple(
            {**record, "recommended": row.is_recommended, "remark": _remark(row)}
            for row, record in zip(estimates, records(estimates), strict=True)
        )
        if view.has_records
        else (),
        first_number=3,
        bars=tuple(make_bar(row.value, row.interval) for row in estimates),
        spare=("width",),
    )


def _remark(estimate: RecallEstimate) -> str:
    interval, (lowest, highest) = estimate.interval, estimate.bounds
    remarks = ["recommended"] if estimate.is_recommended else []
    if math.isnan(interval.low):
        is_stratified = interval.method == "koopman" and len(estimate.strata) > 2
        remarks.append("not for strata" if is_stratified else "no interval")
    elif interval.low == interval.high:
        remarks.append("single point")
    elif any(end < lowest or end > highest for end in meaningful_ends(interval)):
        remarks.append("beyond 0 to 1")
    return ", ".join(remarks)


# ---- numbers ----


def format_numbers(
    estimate: RecallEstimate, places: int, has_sides: bool = False
) -> tuple[str, ...]:
    """Return estimate and ends; a number of documents has no decimals, but separators.

    With ``has_sides``, a limit says on which side of the value it is. Guaranteed limits are rounded
    outwards, so that they are not overstated.
    """
    value, ends = estimate.value, meaningful_ends(estimate.interval)
    if estimate.quantity == "yield":
        numbers = tuple(map(format_count, (value, *ends)))
    else:
        numbers = (fixed(value, places), *format_ends(estimate.interval, places))
    if not has_sides:
        return numbers
    word = {"greater": "at least", "less": "at most"}[estimate.interval.alternative]
    return numbers[0], f"{word} {numbers[1]}"


def format_ends(interval: Interval, places: int) -> tuple[str, ...]:
    """Return the ends that are limits; guaranteed ones are rounded outwards."""
    ends = dict(zip(ENDS[interval.alternative], meaningful_ends(interval), strict=True))
    if interval.method == GUARANTEED:
        ends = {side: round_outwards(end, places, side) for side, end in ends.items()}
    return tuple(fixed(end, places) for end in ends.values())


def round_outwards(limit: float, places: int, side: str) -> float:
    """Return a low end rounded down, or a high end rounded up; one that has few decimals stays."""
    if math.isnan(limit):
        return limit
    scale = 10.0**places
    nearest = round(limit * scale)
    if abs(limit * scale - nearest) > ROUNDING * scale:
        nearest = math.floor(limit * scale) if side == "low" else math.ceil(limit * scale)
    return nearest / scale


def places_of(estimate: RecallEstimate, digits: int | None) -> int:
    """Return the decimals by the interval; without a width, for two digits of the value."""
    if digits is not None:
        return digits
    width = half_width(estimate.value, estimate.interval)
    return decimals(width) if width > 0 else max(decimals(width), decimals(abs(estimate.value)))


def _tables(estimates: Sequence[RecallEstimate], view: View) -> list[Table]:
    return [(_method_table if has_methods(estimates) else _quantity_table)(estimates, view)]


def _sentences(estimates: Sequence[RecallEstimate], view: View) -> list[str]:
    from .recall_sentences import recall_sentences

    return recall_sentences(estimates, view.digits)


def _topics(estimates: Sequence[RecallEstimate]) -> list[str]:
    """Return what a report explains: the quantities, then the methods, then the priors."""
    kinds = [estimate.quantity for estimate in estimates]
    methods = [
        EXACT_TOPIC if estimate.interval.method == GUARANTEED else estimate.interval.method
        for estimate in estimates
    ]
    priors = [estimate.prior for estimate in estimates if estimate.prior in NAMED_PRIORS]
    return [*kinds, *methods, *filter(None, priors)]


present(
    RecallEstimate,
    Presentation(
        "Estimates",
        tables=_tables,
        sentences=_sentences,
        figures=("recall_plots:draw_recall",),
        topics=_topics,
    ),
)
