"""Planned samples: numbers of documents to assess, and the expected interval of recall."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from ..presentation.column_roles import HIDDEN, Column, make_record
from ..presentation.phrases import SIDES
from ..presentation.registry import Presentation, View, present
from ..presentation.rounding import (
    PERCENT_DECIMALS,
    decimals,
    decimals_of_column,
    fixed,
    format_setting,
    percent,
    percentage,
    short_percentage,
)
from ..presentation.table import BarEnds, Table
from ..validation import Alternative
from .planned_claims import describe_assurance, describe_validity
from .recall_estimates import prior_topics
from .result import Result, records

#: headings of the numbers of an interval by its side, and their fields in a planned sample
NUMBERS = {
    "two-sided": {
        "width": "expected_width",
        "low": "expected_low",
        "high": "expected_high",
        "width at expected counts": "width_at_expected_counts",
    },
    "greater": {"low": "expected_low"},
    "less": {"high": "expected_high"},
}
#: the first column to leave out in a narrow terminal
SPARE = ("width at expected counts",)
#: the result of a good split
GOOD = {
    "two-sided": "a width within {} of the best",
    "greater": "a lower limit whose distance to 1 is within {} of the least",
    "less": "an upper limit within {} of the lowest",
}
COLUMNS = (
    "in the table, split is the fraction of the assessments that goes to the retrieved documents"
)
NO_GAIN = 0.001  # of a width: less than this is within the error of the computation


@dataclass(frozen=True)
class PlannedSample(Result):
    """A sample of both segments, and the expected interval of recall from it."""

    #: assessments in total
    budget: Annotated[int, Column("count", "assessed")]
    #: documents assessed among the retrieved ones, and among the others
    retrieved_sample: Annotated[int, Column("count", "retrieved")]
    unretrieved_sample: Annotated[int, Column("count", "others")]
    #: fraction of the assessments that goes to the retrieved set
    split: Annotated[float, Column(text=lambda sample, _: _format_split(sample.split))]
    #: expectations over all possible samples
    expected_width: Annotated[float, Column(heading="width")]
    expected_low: Annotated[float, Column(heading="low")]
    expected_high: Annotated[float, Column(heading="high")]
    #: width of the interval if the sample contains the expected number of relevant documents, which
    #: need not be an integer, as Webber (2013) draws it
    width_at_expected_counts: float
    #: the probability that the lower end reaches the recall to show; None if it is not computed
    assurance: float | None = None
    #: the most relevant documents in the unretrieved sample that show this recall, for a retrieved
    #: set that is read in full; -1 if no sample does, None if it is not known
    max_relevant: int | None = None


@dataclass(frozen=True, eq=False)
class RecallPlan(Result):
    """Numbers of documents to assess in both segments, for an interval of recall."""

    #: documents in all, and in the retrieved set
    population: int
    retrieved: int
    #: the guesses: a number, or text for several values
    yield_guess: float | str
    recall_guess: float | str
    #: what to assess
    sample: Annotated[PlannedSample, HIDDEN]
    #: the best split of the same budget: the sample itself, unless its split was given
    best: Annotated[PlannedSample, HIDDEN]
    #: fewest and most retrieved documents to assess, of the same budget, for an expected width
    #: within ``tolerance`` of the best
    good_from: int
    good_to: int
    tolerance: float
    method: str
    confidence_level: float
    alternative: Alternative
    #: True if the upper end is 1 where the unretrieved sample contains no relevant document
    cap_at_one: bool
    #: the name of the prior, for a method that has one
    prior: str | None = None
    #: the target of the plan; None without such a target
    wanted_width: float | None = None
    recall_at_least: float | None = None
    wanted_assurance: float | None = None
    #: the probability that the lower end reaches ``recall_at_least``
    assurance: float | None = None
    #: an assessed pilot: (sampled, relevant) of both segments; it is part of ``sample``
    pilot: Annotated[tuple[tuple[int, int], tuple[int, int]] | None, HIDDEN] = None
    #: assessments of both segments in a planned pilot
    pilot_sample: Annotated[tuple[int, int] | None, HIDDEN] = None
    #: expected width if the rest is split by the counts of the pilot, and without a pilot
    two_phase_width: float | None = None
    one_phase_width: float | None = None
    #: whether the retrieved set is read in full, so that only other documents are drawn; then its
    #: relevant documents, if they are known
    is_read_in_full: bool = False
    retrieved_relevant: int | None = None
    #: whether the relevant documents of the unretrieved sample are added to the retrieved set
    credit_found: bool = False
    #: whether the sample is one of the whole corpus, with the expected split between the segments
    is_control_set: bool = False
    #: the same budget in other splits; other sizes where the retrieved set is read in full
    curve: tuple[PlannedSample, ...] = field(default=(), repr=False)

    def _records(self) -> list[dict[str, Any]]:
        """Return the sample's numbers by their own names; of the best split its sizes and width."""
        (n1, r1), (n0, r0) = self.pilot or ((None, None), (None, None))
        first, second = self.pilot_sample or (n1, n0)
        return [
            {
                **make_record(self.sample),
                **make_record(self),
                "best_retrieved_sample": self.best.retrieved_sample,
                "best_unretrieved_sample": self.best.unretrieved_sample,
                "best_expected_width": self.best.expected_width,
                "pilot_retrieved_sample": first,
                "pilot_unretrieved_sample": second,
                "pilot_retrieved_relevant": r1,
                "pilot_unretrieved_relevant": r0,
            }
        ]


def _plan_table(plan: RecallPlan, digits: int | None) -> Table:
    """Return the plan among other splits of its budget."""
    places = find_places(plan.sample, plan.tolerance, digits)
    rows = {sample.retrieved_sample: (_format_split(sample.split), sample) for sample in plan.curve}
    rows[plan.best.retrieved_sample] = (f"best, {_format_split(plan.best.split)}", plan.best)
    if plan.sample is not plan.best:
        rows[plan.sample.retrieved_sample] = (
            f"plan, {_format_split(plan.sample.split)}",
            plan.sample,
        )
    ordered = [rows[place] for place in sorted(rows)]
    pilot = f", the pilot's {_pilot_size(plan):,} among them" if plan.pilot else ""
    return Table(
        title=f"splits of {plan.sample.budget:,} assessments{pilot}: {describe_interval(plan)}",
        headings=("split", *_headings(plan.alternative)),
        cells=tuple(
            (label, *_cells(sample, places, plan.alternative)) for label, sample in ordered
        ),
        records=(
            *label_records("plan", records([plan])),
            *label_records("split", records(sample for _, sample in ordered)),
        ),
        bars=tuple(make_bar(sample, plan.alternative) for _, sample in ordered),
        spare=SPARE,
    )


def budget_table(plans: Sequence[RecallPlan], digits: int | None = None) -> Table:
    """Return the expected intervals of several budgets, one plan each."""
    last = plans[-1]
    places = find_places(last.sample, last.tolerance, digits)
    samples = [plan.sample for plan in plans]
    return Table(
        title=f"recall by budget: {describe_interval(last)}",
        headings=("budget", "split", *_headings(last.alternative)),
        cells=tuple(
            (
                f"{sample.budget:,}",
                _format_split(sample.split),
                *_cells(sample, places, last.alternative),
            )
            for sample in samples
        ),
        records=label_records("budget", records(plans)),
        first_number=0,
        bars=tuple(make_bar(sample, last.alternative) for sample in samples),
        spare=SPARE,
    )


def budget_sentences(plans: Sequence[RecallPlan]) -> list[str]:
    """Return the assumptions of the table of budgets, and its columns."""
    is_best = all(plan.sample is plan.best for plan in plans)
    split = "each budget at its best split" if is_best else "each budget at the split given"
    return [f"{split}, {describe_assumptions(plans[-1])}", _describe_columns(plans[-1])]


def _plan_sentences(plan: RecallPlan, digits: int | None) -> list[str]:
    """Return what to assess, the expected interval, the effect of the split and of a pilot."""
    places = find_places(plan.sample, plan.tolerance, digits)
    expected = describe_expected(plan, places)
    sentences = [f"{_advice(plan)}: {expected}, {describe_assumptions(plan)}"]
    if plan.assurance is not None:
        sentences.append(describe_assurance(plan))
    sentences += describe_validity(plan)
    sentences.append(_describe_good_splits(plan, places))
    if plan.pilot is not None:
        sentences += _describe_rest(plan, places)
    elif plan.pilot_sample is not None:
        sentences.append(_describe_pilot(plan, plan.pilot_sample, places))
    return [*sentences, _describe_columns(plan)]


def _advice(plan: RecallPlan) -> str:
    if plan.is_control_set:
        return (
            f"draw {plan.sample.budget:,} of all {plan.population:,} documents at random (a "
            f"control set), of which about {plan.sample.retrieved_sample:,} will be retrieved "
            f"documents and {plan.sample.unretrieved_sample:,} others"
        )
    done = ((0, 0), (0, 0)) if plan.pilot is None else plan.pilot
    unretrieved = plan.population - plan.retrieved
    inside = describe_part(
        plan.sample.retrieved_sample, done[0][0], plan.retrieved, "retrieved documents"
    )
    outside = describe_part(plan.sample.unretrieved_sample, done[1][0], unretrieved, "others")
    if plan.sample.budget == done[0][0] + done[1][0]:
        return "assess no more documents"
    whole = "the whole corpus, " if plan.sample.budget == plan.population else ""
    return f"assess {whole}{inside} and {outside}"


def describe_part(sampled: int, done: int, size: int, documents: str) -> str:
    """Return how many documents of a segment to assess, or that all of them are."""
    if sampled == done:
        return f"no more of the {size:,} {documents}"
    if sampled == size and done:
        return f"all {size - done:,} {documents} that are left"
    if sampled == size:
        return f"all {size:,} {documents}"
    return f"{sampled - done:,}{' more' if done else ''} of the {size:,} {documents}"


def describe_expected(plan: RecallPlan, places: int) -> str:
    """Return the expected interval of the plan."""
    level, sample = percent(plan.confidence_level), plan.sample
    prior = "" if plan.prior is None else f" (prior {plan.prior})"
    of = f"of recall by {plan.method}{prior} is expected"
    if plan.alternative == "two-sided":
        ends = f"{fixed(sample.expected_low, places)} to {fixed(sample.expected_high, places)}"
        width = fixed(sample.expected_width, places)
        return f"the {level} interval {of} to be {width} wide, {ends}"
    end = sample.expected_low if plan.alternative == "greater" else sample.expected_high
    return f"the one-sided {level} {SIDES[plan.alternative]} {of} at {fixed(end, places)}"


def describe_assumptions(plan: RecallPlan) -> str:
    """Return the guesses, or the counts of the pilot."""
    if plan.pilot is not None:
        (n1, r1), (n0, r0) = plan.pilot
        return f"by a pilot with {r1:,} relevant of {n1:,} retrieved and {r0:,} of {n0:,} others"
    return (
        f"if {_format_guess(plan.yield_guess)} documents are relevant and recall is "
        f"{_format_guess(plan.recall_guess)}"
    )


def _describe_good_splits(plan: RecallPlan, places: int) -> str:
    best, good = plan.best, GOOD[plan.alternative].format(percent(plan.tolerance))
    if plan.good_from == plan.good_to:
        near = f"no number of retrieved documents but {plan.good_from:,} gives {good}"
    else:
        near = (
            f"any number of retrieved documents from {plan.good_from:,} to {plan.good_to:,} gives "
            f"{good}"
        )
    if plan.pilot is not None:
        near += f" (the pilot's {plan.pilot[0][0]:,} among them)"
    if plan.sample is plan.best:
        return near
    return (
        f"{near}; the best is {_end(plan, best.expected_width, places)}, with "
        f"{best.retrieved_sample:,} retrieved documents and {best.unretrieved_sample:,} others"
    )


def _describe_pilot(plan: RecallPlan, sizes: tuple[int, int], places: int) -> str:
    """Return the gain from a planned pilot."""
    before, after = plan.one_phase_width or 0.0, plan.two_phase_width or 0.0
    pilot = f"a pilot of {sizes[0]:,} retrieved documents and {sizes[1]:,} others"
    if not _gain(before, after) >= NO_GAIN:
        return f"{pilot} would gain nothing"
    change = f", {_change(before, after)}" if plan.alternative == "two-sided" else ""
    without_pilot = fixed(1 - before if plan.alternative == "greater" else before, places)
    return (
        f"{pilot} first, the remaining {plan.sample.budget - sum(sizes):,} split by its counts: "
        f"{_end(plan, after, places)} is expected instead of {without_pilot}{change}"
    )


def _describe_rest(plan: RecallPlan, places: int) -> list[str]:
    """Return the gain from splitting the remaining budget in another way than the pilot."""
    remaining = plan.sample.budget - _pilot_size(plan)
    before, after = plan.one_phase_width, plan.two_phase_width
    if before is None or after is None or not remaining:
        return []
    as_before = f"the remaining {remaining:,} split as the pilot was"
    if abs(_gain(before, after)) < NO_GAIN:
        return [f"{as_before} would do as well"]
    if plan.alternative == "two-sided":
        advised = f"is {_change(before, after)}"
    else:
        advised = f"has {_end(plan, after, places)}"
    return [f"{as_before} would give {_end(plan, before, places)}; the split above {advised}"]


def _gain(before: float, after: float) -> float:
    return 1 - after / before if before > 0 else 0.0


def _change(before: float, after: float) -> str:
    gain = _gain(before, after)
    percent_text = percentage(abs(gain), PERCENT_DECIMALS)
    return f"{percent_text} {'narrower' if gain > 0 else 'wider'}"


def _end(plan: RecallPlan, width: float, places: int) -> str:
    """Return the width, or the limit of a one-sided interval."""
    if plan.alternative == "two-sided":
        return f"a width of {fixed(width, places)}"
    if plan.alternative == "greater":
        return f"a lower limit of {fixed(1 - width, places)}"
    return f"an upper limit of {fixed(width, places)}"


def _describe_columns(plan: RecallPlan) -> str:
    names = [name for name in NUMBERS[plan.alternative] if " " not in name]
    *others, last = names
    listed = f"{', '.join(others)} and {last} are means" if others else f"{last} is the mean"
    return f"{COLUMNS}; {listed} over all possible samples"


def _headings(alternative: Alternative) -> tuple[str, ...]:
    return "retrieved", "others", *NUMBERS[alternative]


def _cells(sample: PlannedSample, places: int, alternative: Alternative) -> tuple[str, ...]:
    numbers = (getattr(sample, name) for name in NUMBERS[alternative].values())
    sizes = (f"{sample.retrieved_sample:,}", f"{sample.unretrieved_sample:,}")
    return (*sizes, *(fixed(number, places) for number in numbers))


def make_bar(sample: PlannedSample, alternative: Alternative) -> BarEnds:
    """Return the expected ends; there is no estimate yet."""
    low = -math.inf if alternative == "less" else sample.expected_low
    high = math.inf if alternative == "greater" else sample.expected_high
    return low, math.nan, high


def describe_interval(plan: RecallPlan) -> str:
    """Return the level, the side and the method, as ``irbounds recall`` does."""
    prior = f", prior {plan.prior}" if plan.prior else ""
    level = percent(plan.confidence_level)
    return f"{level} {SIDES[plan.alternative]} ({plan.method}{prior})"


def _pilot_size(plan: RecallPlan) -> int:
    return sum(sampled for sampled, _ in plan.pilot or ())


def _format_guess(guess: float | str) -> str:
    """Return the guess with thousands separators."""
    if isinstance(guess, str):
        return re.sub(r"\d+(\.\d+)?", lambda number: format_setting(float(number[0])), guess)
    return format_setting(guess)


def find_places(sample: PlannedSample, tolerance: float, digits: int | None) -> int:
    """Return the decimals that show two digits of the tolerance."""
    return decimals(tolerance * sample.expected_width) if digits is None else digits


def _format_split(split: float) -> str:
    return short_percentage(split, PERCENT_DECIMALS)


def label_records(kind: str, rows: Iterable[Mapping[str, Any]]) -> tuple[dict[str, Any], ...]:
    """Return records with their kind, since one file contains several kinds."""
    return tuple({"table": kind, **row} for row in rows)


def _tables(plans: Sequence[RecallPlan], view: View) -> list[Table]:
    from .rest_samples import rest_table

    return [
        (rest_table if plan.is_read_in_full else _plan_table)(plan, view.digits) for plan in plans
    ]


def _sentences(plans: Sequence[RecallPlan], view: View) -> list[str]:
    from .rest_samples import rest_sentences

    sentences: list[str] = []
    for plan in plans:
        write = rest_sentences if plan.is_read_in_full else _plan_sentences
        sentences += write(plan, view.digits)
    return sentences


def _topics(plans: Sequence[RecallPlan]) -> list[str]:
    return ["recall-plan", plans[0].method, *prior_topics([plans[0].prior])]


present(
    RecallPlan,
    Presentation(
        "Plan",
        tables=_tables,
        sentences=_sentences,
        figures=("planning_plots:draw_plans",),
        topics=_topics,
    ),
)
present(
    PlannedSample,
    Presentation(
        "Expected intervals",
        columns=(
            *("budget", "split", "retrieved_sample", "unretrieved_sample"),
            *("expected_width", "expected_low", "expected_high"),
        ),
        title=lambda rows, view: "expected intervals of recall, means over all possible samples",
        caption=lambda rows: (
            "split: fraction of the assessments that goes to the retrieved documents"
        ),
        places=lambda rows: decimals_of_column(sample.expected_width / 10 for sample in rows),
        figures=("planning_plots:draw_expected_widths",),
        topics=lambda rows: ["recall-plan"],
    ),
)
