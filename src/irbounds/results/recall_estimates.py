"""Recall of a retrieved set and its relatives, from samples of assessed documents."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal, Protocol

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
from ..presentation.rounding import (
    decimals,
    decimals_of_column,
    fixed,
    format_count,
    percent,
)
from ..presentation.table import BarEnds, Table, make_bar
from .evaluation import best_first
from .interval import Adjustable, Interval, Limits
from .result import InputFile, Result, records
from .samples import SegmentCounts, Stratum

RECOMMENDED = ("beta-binomial", "0.5")
GUARANTEED = "exact"
EXACT_TOPIC = "exact-limits"  # chance levels have a method of the same name
ROUNDING = 1e-12  # of a limit
SHOWN = {True: "shown", False: "not shown", None: "-"}
NAMED_PRIORS = ("uniform", "most-conservative")


class Posterior(Protocol):
    """The posterior distribution of a quantity after the sample."""

    @property
    def mean(self) -> float:
        """Its expectation."""
        ...

    def cdf(self, value: float) -> float:
        """Return the probability of a value or less.

        Parameters
        ----------
        value
            The value.

        Returns
        -------
        float
            The probability.
        """
        ...

    def quantile(self, probability: float) -> float:
        """Return the lowest value with at least this probability at or below it.

        Parameters
        ----------
        probability
            A fraction between 0 and 1.

        Returns
        -------
        float
            The value.
        """
        ...


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
    posterior: Posterior | None = field(default=None, repr=False)
    #: whether relevant documents of the unretrieved samples are added to the retrieved set
    credit_found: bool = False
    #: whose retrieved set it is, and on what, where a sheet names them
    system: Annotated[str | None, Column("key")] = None
    topic: Annotated[str | None, Column("key")] = None
    #: the number of random draws, and the ``rng`` that reproduces them; None without draws
    n_draws: int | None = None
    seed: int | None = None
    #: the claim: the value that the quantity is said to reach; None without a claim
    at_least: float | None = None
    #: the size of a larger unretrieved sample that shows the claim if no further document is
    #: relevant; None where the claim is shown, or no sample would show it
    sample_needed: int | None = None
    inputs: tuple[InputFile, ...] = field(default=(), repr=False)

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
        return SegmentCounts.of(stratum for stratum in self.strata if stratum.retrieved)

    @property
    def unretrieved_counts(self) -> Annotated[SegmentCounts, Column(name="unretrieved")]:
        """Counts of the other strata together."""
        return SegmentCounts.of(stratum for stratum in self.strata if not stratum.retrieved)


# ---- tables ----


def recall_view(estimates: Sequence[RecallEstimate]) -> Literal["systems", "methods", "quantities"]:
    """Return what estimates differ in: the method of recall, else the retrieved set or quantity."""
    methods = {(estimate.interval.method, estimate.prior) for estimate in estimates}
    if {estimate.quantity for estimate in estimates} == {"recall"} and len(methods) > 1:
        return "methods"
    sets = {(estimate.system, estimate.topic) for estimate in estimates}
    return "systems" if len(sets) > 1 else "quantities"


def _tables(estimates: Sequence[RecallEstimate], view: View) -> list[Table]:
    """Return a table per sample of its methods or quantities, or one per topic of the systems."""
    kind = recall_view(estimates)
    make = {"systems": _system_table, "methods": _method_table, "quantities": _quantity_table}[kind]
    parts: dict[tuple[str | None, str | None], list[RecallEstimate]] = {}
    for estimate in estimates:
        other = estimate.quantity if kind == "systems" else estimate.system
        parts.setdefault((estimate.topic, other), []).append(estimate)
    return [make(part, view) for part in parts.values()]


def _quantity_table(estimates: Sequence[RecallEstimate], view: View) -> Table:
    """Return the quantities of one sample, one per row."""
    first = estimates[0]
    has_sides = len({estimate.interval.alternative for estimate in estimates}) > 1
    ends = ("limit",) if has_sides else ENDS[first.interval.alternative]
    verdict = "".join(
        f"; {row.quantity} of at least {row.at_least:g} is {SHOWN[row.is_shown]}"
        for row in estimates
        if row.at_least is not None
    )
    return Table(
        title=f"{_name_sample(first, view.topic)}{_describe_interval(first, has_sides)}{verdict}",
        headings=("quantity", "estimate", *ends),
        cells=tuple(
            (row.quantity, *format_numbers(row, places_of(row, view.digits), has_sides))
            for row in estimates
        ),
        records=tuple(records(estimates)) if view.has_records else (),
        caption=_caption(estimates),
        bars=tuple(map(_bar, estimates)),
    )


def _method_table(estimates: Sequence[RecallEstimate], view: View) -> Table:
    """Return all methods side by side, with a remark where an interval is unusual."""
    first, places = estimates[0], _column_places(estimates, view.digits)
    level, side = percent(first.interval.confidence_level), first.interval.alternative
    has_width = side == "two-sided"
    cells = []
    for row in estimates:
        width = (row.interval.high - row.interval.low,) if has_width else ()
        numbers = (fixed(x, places) for x in (*meaningful_ends(row.interval), *width))
        cells.append((row.interval.method, row.prior or "", _remark(row), *numbers))
    return Table(
        title=f"{_name_sample(first, view.topic)}recall {fixed(first.value, places)}, its {level} "
        f"{SIDES[side]} by {len(estimates)} methods",
        headings=("method", "prior", "remark", *ENDS[side], *(("width",) if has_width else ())),
        cells=tuple(cells),
        records=tuple(
            {**record, "recommended": is_recommended(row), "remark": _remark(row)}
            for row, record in zip(estimates, records(estimates), strict=True)
        )
        if view.has_records
        else (),
        first_number=3,
        bars=tuple(map(_bar, estimates)),
        spare=("width",),
    )


def _system_table(estimates: Sequence[RecallEstimate], view: View) -> Table:
    """Return the systems of one topic by one quantity, best first."""
    ordered = sorted(estimates, key=best_first)
    first, places = ordered[0], _column_places(ordered, view.digits)
    where = f"topic {first.topic}: " if first.topic else ""
    claim = () if first.at_least is None else (f"recall >= {first.at_least:g}",)
    return Table(
        title=f"{where}{first.quantity} with its {_describe_interval(first)}",
        headings=("system", first.quantity, *ENDS[first.interval.alternative], *claim),
        cells=tuple(
            (row.system or "", *format_numbers(row, places), *(SHOWN[row.is_shown] for _ in claim))
            for row in ordered
        ),
        records=tuple(records(ordered)) if view.has_records else (),
        caption=_caption(ordered),
        bars=tuple(make_bar(row.value, row.interval) for row in ordered),
    )


def _caption(estimates: Sequence[RecallEstimate]) -> str:
    """Return the unit of a yield, and the number of random draws."""
    has_yield = any(estimate.quantity == "yield" for estimate in estimates)
    first = estimates[0]
    return join_caption(
        "yield: relevant documents in all" if has_yield else "",
        describe_draws(first.n_draws, "draws from the posterior", first.seed),
    )


def _bar(estimate: RecallEstimate) -> BarEnds | None:
    """Return the bar; None for a number of documents, which has another scale."""
    return None if estimate.quantity == "yield" else make_bar(estimate.value, estimate.interval)


def _column_places(estimates: Sequence[RecallEstimate], digits: int | None) -> int:
    """Return the decimals of a column, from the rows whose interval has a width, if any."""
    widths = [half_width(estimate.value, estimate.interval) for estimate in estimates]
    if digits is None and any(width > 0 for width in widths):
        return decimals_of_column(widths)
    return max(places_of(estimate, digits) for estimate in estimates)


def _describe_interval(estimate: RecallEstimate, has_sides: bool = False) -> str:
    prior = f", prior {estimate.prior}" if estimate.prior else ""
    level = percent(estimate.interval.confidence_level)
    kind = "one-sided limits" if has_sides else SIDES[estimate.interval.alternative]
    return f"{level} {kind} ({estimate.interval.method}{prior})"


def _name_sample(estimate: RecallEstimate, topic_word: str) -> str:
    topic = f"{topic_word} {estimate.topic}" if estimate.topic else ""
    named = ", ".join(filter(None, (estimate.system, topic)))
    return f"{named}: " if named else ""


def _remark(estimate: RecallEstimate) -> str:
    interval, (lowest, highest) = estimate.interval, estimate.bounds
    remarks = ["recommended"] if is_recommended(estimate) else []
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


# ---- what an estimate depends on ----


def is_recommended(estimate: RecallEstimate) -> bool:
    """Return whether the method is the recommended one of docs/reference/recall-methods.md."""
    return (estimate.interval.method, estimate.prior) == RECOMMENDED


def strata_that_matter(estimate: RecallEstimate) -> list[Stratum]:
    """Return the strata that the quantity depends on: those of one segment, or all."""
    segment = {"precision": True, "elusion": False}.get(estimate.quantity)
    return [stratum for stratum in estimate.strata if segment in (None, stratum.retrieved)]


def rests_on_prior(estimate: RecallEstimate) -> bool:
    """Return whether the estimate depends on a stratum without a sample."""
    return any(part.population and not part.sampled for part in strata_that_matter(estimate))


def is_known(estimate: RecallEstimate) -> bool:
    """Return whether the status of every document that the quantity depends on is known."""
    return all(stratum.is_known for stratum in strata_that_matter(estimate))


def is_settled(estimate: RecallEstimate) -> bool:
    """Return whether there is no interval, or none is needed."""
    low, high = estimate.interval
    return math.isnan(low) or low == high or is_known(estimate)


def _sentences(estimates: Sequence[RecallEstimate], view: View) -> list[str]:
    from .recall_sentences import recall_sentences

    return recall_sentences(estimates, view)


def _topics(estimates: Sequence[RecallEstimate]) -> list[str]:
    """Return what a report explains: the quantities, then the methods, then the priors."""
    kinds = [estimate.quantity for estimate in estimates]
    methods = [
        EXACT_TOPIC if estimate.interval.method == GUARANTEED else estimate.interval.method
        for estimate in estimates
    ]
    return [*kinds, *methods, *prior_topics(estimate.prior for estimate in estimates)]


def prior_topics(priors: Iterable[str | None]) -> list[str]:
    """Return the priors that have a name; others are described by their numbers."""
    return [prior for prior in dict.fromkeys(priors) if prior in NAMED_PRIORS]


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
