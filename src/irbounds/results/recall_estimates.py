"""Recall of a retrieved set and its relatives, from samples of assessed documents."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, Protocol

from ..presentation.column_roles import HIDDEN, Column, Key
from ..presentation.phrases import (
    ENDS,
    SIDES,
    capitalise,
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
    format_setting,
    percent,
    significant,
)
from ..presentation.table import BarEnds, Table, make_bar
from .evaluation import best_first
from .interval import Adjustable, Interval, Limits
from .result import InputFile, Result, records

RECOMMENDED = ("beta-binomial", "0.5")
F_TOPIC = "F1"  # whatever its weight
NAMED_PRIORS = ("uniform", "most-conservative")
DRAWN = "monte-carlo"  # from the posterior of the recommended method
CLOSE = {"koopman", "beta-jeffreys", "wilson", "jeffreys", "clopper-pearson", RECOMMENDED[0], DRAWN}
METHODS_PAGE = "(docs/recall-methods.md)"
AGAIN = "Were such samples drawn again and again"
BEST = f"{RECOMMENDED[0]} with prior {RECOMMENDED[1]}"
#: a share of one segment depends on nothing else
SEGMENT_OF = {"precision": True, "elusion": False}
RESTS_ON_PRIOR = (
    "Part of the corpus was not sampled: what depends on it rests on the prior, and promises "
    "nothing."
)
OUTSIDE = (
    "An estimate counts only what the samples held; its interval allows for what they may have "
    "missed, and need not hold the estimate."
)
COARSE = "Computed on coarse tables: the ends of {} are right to {}."
BEYOND = "An end below 0 or above 1 is no mistake of the counts: the method knows no such bounds."
NOT_COVERED = "This says nothing of assessors' mistakes,{} or of documents beyond {}."
NOT_RANDOM = " of samples not drawn at random,"


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

    @property
    def judged(self) -> int:
        """Documents of the sample on which there is a judgment."""
        return self.sampled if self.assessable is None else self.assessable

    def contradictions(self) -> list[str]:
        """What cannot be about its counts, in words."""
        found = []
        judged, word = self.judged, "sampled" if self.assessable is None else "assessable"
        if self.sampled > self.population:
            found.append(f"{self.sampled:,} sampled of a population of {self.population:,}")
        if judged > self.sampled:
            found.append(f"{judged:,} assessable of {self.sampled:,} sampled")
        if self.relevant > judged:
            found.append(f"{self.relevant:,} relevant of {judged:,} {word}")
        return found


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
        each = list(strata)
        return cls(
            len(each),
            sum(one.population for one in each),
            sum(one.sampled for one in each),
            sum(one.judged for one in each),
            sum(one.relevant for one in each),
        )


class Posterior(Protocol):
    """The posterior distribution of a quantity after the sample."""

    @property
    def mean(self) -> float:
        """Its expectation."""
        ...

    def error_at(self, probability: float) -> float:
        """Return the maximum error of a quantile that coarse tables cause.

        Parameters
        ----------
        probability
            The probability of the quantile.

        Returns
        -------
        float
            The error; 0 where the tables are exact.
        """
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

    def density(self, value: float) -> float:
        """Return the probability density at a value.

        Parameters
        ----------
        value
            The value.

        Returns
        -------
        float
            Probability per unit of the quantity.
        """
        ...


@dataclass(frozen=True, eq=False)
class RecallEstimate(Adjustable, Result):
    """Recall, or another quantity of a retrieved set, with its interval."""

    #: ``"recall"``, ``"precision"``, ``"F1"``, ``"yield"``, ``"prevalence"`` or ``"elusion"``
    quantity: Key
    #: point estimate, by the strata's sizes and the fraction of relevant documents in each sample
    value: Annotated[float, Column(heading="estimate", name="estimate")]
    #: the same of recall less the second-order term of its bias; NaN of other quantities
    bias_reduced: float
    interval: Interval
    strata: Annotated[tuple[Stratum, ...], HIDDEN]
    limits: Limits = field(repr=False)
    #: the lowest and the highest value that is possible: the other end of a one-sided interval
    bounds: Annotated[tuple[float, float], HIDDEN] = (0.0, 1.0)
    #: the prior in words, for a method that has one
    prior: str | None = None
    posterior: Posterior | None = field(default=None, repr=False)
    #: whether an unretrieved sample without anything relevant raises the upper end to 1
    cap_at_one: bool = False
    #: whose retrieved set it is, and on what, where a sheet names them
    system: Annotated[str | None, Column("key")] = None
    topic: Annotated[str | None, Column("key")] = None
    #: the number of draws and what ``rng`` to give to have the same again, where something is drawn
    n_draws: int | None = None
    seed: int | None = None
    inputs: tuple[InputFile, ...] = field(default=(), repr=False)

    @property
    def posterior_mean(self) -> Annotated[float | None, Column()]:
        """The mean of the posterior; None without one."""
        return None if self.posterior is None else self.posterior.mean

    @property
    def retrieved_counts(self) -> Annotated[SegmentCounts, Column(name="retrieved")]:
        """Counts of the retrieved strata together."""
        return SegmentCounts.of(one for one in self.strata if one.retrieved)

    @property
    def unretrieved_counts(self) -> Annotated[SegmentCounts, Column(name="unretrieved")]:
        """Counts of the other strata together."""
        return SegmentCounts.of(one for one in self.strata if not one.retrieved)

    @property
    def table_error(self) -> Annotated[float | None, Column()]:
        """The most by which coarse tables may have moved an end; None without a posterior."""
        if self.posterior is None:
            return None
        level = self.interval.confidence_level
        tails = {"two-sided": (1 - level) / 2, "less": level, "greater": 1 - level}
        tail = tails[self.interval.alternative]
        sides = (tail, 1 - tail) if self.interval.alternative == "two-sided" else (tail,)
        return max(map(self.posterior.error_at, sides))


def _quantity_table(estimates: Sequence[RecallEstimate], view: View) -> Table:
    """Return the quantities of one sample, one per row."""
    first = estimates[0]
    return Table(
        title=f"{_of_what(first, view.topic)}{_interval_meant(first)}",
        headings=("quantity", "estimate", *ENDS[first.interval.alternative]),
        cells=tuple(
            (one.quantity, *shown_numbers(one, places_of(one, view.digits))) for one in estimates
        ),
        records=tuple(records(estimates)) if view.has_records else (),
        caption=_caption(estimates),
        bars=tuple(map(_bar, estimates)),
    )


def _method_table(estimates: Sequence[RecallEstimate], view: View) -> Table:
    """Return all methods side by side, with a remark where an interval is unusual."""
    first = estimates[0]
    places = _column_places(estimates, view.digits)
    level = percent(first.interval.confidence_level)
    sides = SIDES[first.interval.alternative]
    return Table(
        title=f"{_of_what(first, view.topic)}recall {fixed(first.value, places)}, its {level} "
        f"{sides} by {len(estimates)} methods",
        headings=("method", "prior", "remark", *ENDS[first.interval.alternative], *_width(first)),
        cells=tuple(_method_row(one, places) for one in estimates),
        records=tuple(map(_method_record, estimates)) if view.has_records else (),
        first_number=3,
        bars=tuple(make_bar(one.value, one.interval) for one in estimates),
        spare=("width",),
    )


def recall_view(estimates: Sequence[RecallEstimate]) -> Literal["systems", "methods", "quantities"]:
    """Return what estimates differ in: the method of recall, else the retrieved set or quantity."""
    methods = {(one.interval.method, one.prior) for one in estimates}
    if {one.quantity for one in estimates} == {"recall"} and len(methods) > 1:
        return "methods"
    sets = {(one.system, one.topic) for one in estimates}
    return "systems" if len(sets) > 1 else "quantities"


def _tables(estimates: Sequence[RecallEstimate], view: View) -> list[Table]:
    """Return a table per sample of its methods or quantities, or one per topic of the systems."""
    kind = recall_view(estimates)
    make = {"systems": _system_table, "methods": _method_table, "quantities": _quantity_table}[kind]
    parts: dict[tuple[str | None, str | None], list[RecallEstimate]] = {}
    for one in estimates:
        other = one.quantity if kind == "systems" else one.system
        parts.setdefault((one.topic, other), []).append(one)
    return [make(part, view) for part in parts.values()]


def shown_numbers(one: RecallEstimate, places: int) -> tuple[str, ...]:
    """Estimate and ends; a number of documents is whole, with its thousands set apart."""
    values = (one.value, *meaningful_ends(one.interval))
    if one.quantity == "yield":
        return tuple(map(format_count, values))
    return tuple(fixed(x, places) for x in values)


def places_of(one: RecallEstimate, digits: int | None) -> int:
    """Decimals by the interval; where it has no width, two digits of the value are left."""
    if digits is not None:
        return digits
    width = half_width(one.value, one.interval)
    return decimals(width) if width > 0 else max(decimals(width), decimals(abs(one.value)))


def is_recommended(one: RecallEstimate) -> bool:
    """Whether it is by the method that docs/recall.md tells to take."""
    return (one.interval.method, one.prior) == RECOMMENDED


def is_beyond(one: RecallEstimate) -> bool:
    """Whether an end is not possible; comparisons with NaN are false."""
    low, high = one.bounds
    return any(end < low or end > high for end in meaningful_ends(one.interval))


def _system_table(estimates: Sequence[RecallEstimate], view: View) -> Table:
    """Return the systems of one topic by one quantity, best first."""
    ordered = sorted(estimates, key=best_first)
    first = ordered[0]
    places = _column_places(ordered, view.digits)
    where = f"topic {first.topic}: " if first.topic else ""
    return Table(
        title=f"{where}{first.quantity} with its {_interval_meant(first)}",
        headings=("system", first.quantity, *ENDS[first.interval.alternative]),
        cells=tuple((one.system or "", *shown_numbers(one, places)) for one in ordered),
        records=tuple(records(ordered)) if view.has_records else (),
        caption=_caption(ordered),
        bars=tuple(make_bar(one.value, one.interval) for one in ordered),
    )


def _caption(estimates: Sequence[RecallEstimate]) -> str:
    """The unit of what is no share, and what was drawn."""
    first, counts = estimates[0], [one for one in estimates if one.quantity == "yield"]
    return join_caption(
        "yield: relevant documents in all" if counts else "",
        describe_draws(first.n_draws, "draws from the posterior", first.seed),
    )


def _bar(one: RecallEstimate) -> BarEnds | None:
    """A number of documents has no place on a scale of shares."""
    return None if one.quantity == "yield" else make_bar(one.value, one.interval)


def _method_row(one: RecallEstimate, places: int) -> tuple[str, ...]:
    ends = (*meaningful_ends(one.interval), *_width(one).values())
    return one.interval.method, one.prior or "", _remark(one), *(fixed(x, places) for x in ends)


def _method_record(one: RecallEstimate) -> dict[str, Any]:
    (record,) = records([one])
    return {**record, "recommended": is_recommended(one), "remark": _remark(one)}


def _width(one: RecallEstimate) -> dict[str, float]:
    """A one-sided interval has none that says something."""
    two_sided = one.interval.alternative == "two-sided"
    return {"width": one.interval.high - one.interval.low} if two_sided else {}


def _column_places(estimates: Sequence[RecallEstimate], digits: int | None) -> int:
    """The same of a column, in which only rows of some width have a say, if there are any."""
    widths = [half_width(one.value, one.interval) for one in estimates]
    if digits is None and any(width > 0 for width in widths):
        return decimals_of_column(widths)
    return max(places_of(one, digits) for one in estimates)


def _interval_meant(one: RecallEstimate) -> str:
    prior = f", prior {one.prior}" if one.prior else ""
    level = percent(one.interval.confidence_level)
    return f"{level} {SIDES[one.interval.alternative]} ({one.interval.method}{prior})"


def _of_what(one: RecallEstimate, topic_word: str) -> str:
    topic = f"{topic_word} {one.topic}" if one.topic else ""
    named = ", ".join(filter(None, (one.system, topic)))
    return f"{named}: " if named else ""


def _remark(one: RecallEstimate) -> str:
    interval = one.interval
    words = ["recommended"] if is_recommended(one) else []
    if math.isnan(interval.low):
        is_stratified = interval.method == "koopman" and len(one.strata) > 2
        words.append("not for strata" if is_stratified else "no interval")
    elif interval.low == interval.high:
        words.append("bare point")
    elif is_beyond(one):
        words.append("beyond 0 to 1")
    return ", ".join(words)


def _sentences(estimates: Sequence[RecallEstimate], view: View) -> list[str]:
    """Return what was found in a single sample, and what such an interval says and does not say."""
    first = next((one for one in estimates if is_recommended(one)), estimates[0])
    is_single = len({(one.topic, one.system) for one in estimates}) == 1
    lines = [capitalise(_gist(first, places_of(first, view.digits)))] if is_single else []
    if is_single and first.table_error:
        lines.append(COARSE.format(first.quantity, significant(first.table_error, 1)))
    if any(map(_is_outside, estimates)):
        lines.append(OUTSIDE)
    lines += _promises(estimates)
    if any(map(is_beyond, estimates)):
        lines.append(BEYOND)
    total = sum(one.population for one in first.strata)
    beyond = f"these {total:,}" if is_single else "the corpus"
    lines.append(NOT_COVERED.format("" if all(map(is_known, estimates)) else NOT_RANDOM, beyond))
    return lines


def _gist(one: RecallEstimate, places: int) -> str:
    interval = one.interval
    value, *ends = shown_numbers(one, places)
    of = " documents" if one.quantity == "yield" else ""
    if math.isnan(one.value) and math.isnan(interval.low):
        return f"{one.quantity} cannot be estimated from these samples."
    if is_known(one) and not math.isnan(one.value):
        return f"{_everything(one)}: {one.quantity} is {value}{of}, without sampling error."
    if math.isnan(interval.low):
        return f"{one.quantity} is estimated at {value}{of}, without an interval."
    level = percent(interval.confidence_level)
    if _is_point(one) and math.isnan(one.value):
        return f"{one.quantity} can only be {ends[0]}{of}, if there is a relevant document."
    if _is_point(one):
        return (
            f"{one.quantity} is estimated at {value}{of}; the {level} interval is no more than "
            "that."
        )
    if interval.alternative == "two-sided":
        within = f"between {ends[0]} and {ends[1]}"
    else:
        within = f"at {'least' if interval.alternative == 'greater' else 'most'} {ends[0]}"
    estimate = "there is no estimate" if math.isnan(one.value) else f"the estimate is {value}"
    return f"{one.quantity} is {within}{of} at the {level} level; {estimate}."


def _everything(one: RecallEstimate) -> str:
    """A document that could not be judged was drawn, but not assessed."""
    sides = {None: "", True: " retrieved", False: " unretrieved"}
    all_judged = all(s.assessable in (None, s.sampled) for s in _strata_that_matter(one))
    verb = "assessed" if all_judged else "drawn"
    return f"Everything{sides[SEGMENT_OF.get(one.quantity)]} was {verb}"


def _promises(estimates: Sequence[RecallEstimate]) -> list[str]:
    """What intervals promise, in one sentence; nothing where there is nothing to promise."""
    open_ones = [one for one in estimates if not is_settled(one)]
    if not open_ones:
        return []
    if any(map(rests_on_prior, open_ones)):
        return [RESTS_ON_PRIOR]
    first = next((one for one in open_ones if is_recommended(one)), open_ones[0])
    if len({(one.interval.method, one.prior) for one in estimates}) > 1:
        return [_promise_of_the_best(first)]
    return [_promise(first)]


def _promise(one: RecallEstimate) -> str:
    method, share = one.interval.method, _share(one)
    such, hold = _held(one)
    if is_recommended(one) or (method, one.prior) == (DRAWN, RECOMMENDED[1]):
        return f"{AGAIN}, {share} of the {such} would {hold}."
    promised = f"This method promises that {share} such {such} {hold}"
    if method in CLOSE:
        return f"{promised}, and comes close for most samples; {BEST} comes closest {METHODS_PAGE}."
    return f"{promised}; tests show that it often breaks this: take {BEST} {METHODS_PAGE}."


def _promise_of_the_best(one: RecallEstimate) -> str:
    such, hold = _held(one)
    return (
        f"{AGAIN}, {_share(one)} of the {such} by {BEST} would {hold}; other methods keep this "
        f"less well {METHODS_PAGE}."
    )


def _share(one: RecallEstimate) -> str:
    return f"about {format_setting(one.interval.confidence_level * 100)} in 100"


def _held(one: RecallEstimate) -> tuple[str, str]:
    """What makes the promise, and what it is to do."""
    if one.interval.alternative == "two-sided":
        return "intervals", "hold the true value"
    side = "below" if one.interval.alternative == "greater" else "above"
    return "limits", f"lie {side} the true value"


def rests_on_prior(one: RecallEstimate) -> bool:
    """Whether it depends on documents of which none was drawn."""
    return any(part.population and not part.sampled for part in _strata_that_matter(one))


def is_settled(one: RecallEstimate) -> bool:
    """Whether there is no interval that could promise something."""
    return math.isnan(one.interval.low) or _is_point(one) or is_known(one)


def _is_point(one: RecallEstimate) -> bool:
    return one.interval.low == one.interval.high


def is_known(one: RecallEstimate) -> bool:
    """Whether the samples were everything that the quantity is about."""
    return all(stratum.sampled == stratum.population for stratum in _strata_that_matter(one))


def _is_outside(one: RecallEstimate) -> bool:
    """Whether the estimate is not inside its interval; comparisons with NaN are false."""
    low, high = one.interval.low, one.interval.high
    if one.interval.alternative == "greater":
        return one.value <= low < high
    if one.interval.alternative == "less":
        return low < high <= one.value
    return low < high and (one.value <= low or one.value >= high)


def _strata_that_matter(one: RecallEstimate) -> list[Stratum]:
    segment = SEGMENT_OF.get(one.quantity)
    return [stratum for stratum in one.strata if segment in (None, stratum.retrieved)]


def _topics(estimates: Sequence[RecallEstimate]) -> list[str]:
    """Return what a report explains: the quantities, then the methods, then the priors."""
    kinds = [F_TOPIC if one.quantity.startswith("F") else one.quantity for one in estimates]
    methods = [one.interval.method for one in estimates]
    return [*kinds, *methods, *prior_topics(one.prior for one in estimates)]


def prior_topics(priors: Iterable[str | None]) -> list[str]:
    """Return the priors that have a name; others are described by their numbers."""
    return [prior for prior in dict.fromkeys(priors) if prior in NAMED_PRIORS]


present(
    RecallEstimate,
    Presentation(
        "Estimates",
        tables=_tables,
        sentences=_sentences,
        figures=("recall_plots:draw_recall_figures",),
        main="recall_plots:draw_recall",
        topics=_topics,
    ),
)
