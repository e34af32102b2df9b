"""Plans for recall as a table of splits or budgets, with sentences that say what to do."""

from __future__ import annotations

from collections.abc import Sequence

from ..parameters import Alternative
from ..results import PlannedSample, RecallPlan, records
from .rounding import decimals, fixed
from .tables import Table, labelled

__all__ = ["budget_table", "recall_plan_sentences", "recall_plan_tables"]

#: headings of what a side's intervals have, and where in a planned sample it stands
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
#: what a good split makes small
WIDTHS = {
    "two-sided": "the width",
    "greater": "the way from the lower end to 1",
    "less": "the upper end",
}


def recall_plan_tables(plan: RecallPlan, digits: int | None = None) -> list[Table]:
    """The plan among other splits of its budget."""
    places = _places(plan.sample, plan.tolerance, digits)
    rows = {one.retrieved_sample: (_percent(one.split), one) for one in plan.curve}
    rows[plan.best.retrieved_sample] = (f"best, {_percent(plan.best.split)}", plan.best)
    if plan.sample is not plan.best:
        rows[plan.sample.retrieved_sample] = (f"plan, {_percent(plan.sample.split)}", plan.sample)
    ordered = [rows[place] for place in sorted(rows)]
    return [
        Table(
            title=f"{plan.sample.budget:,} assessments, {_percent(plan.confidence_level)} "
            f"intervals of recall by {_method(plan.method, plan.prior)}; split: share of the "
            f"assessments for the retrieved set; {_expected(plan.alternative)}",
            headings=("split", *_headings(plan.alternative)),
            cells=tuple((label, *_cells(one, places, plan.alternative)) for label, one in ordered),
            records=(
                *labelled("plan", records([plan])),
                *labelled("split", records(one for _, one in ordered)),
            ),
        )
    ]


def budget_table(
    samples: Sequence[PlannedSample],
    method: str,
    confidence_level: float,
    alternative: Alternative = "two-sided",
    digits: int | None = None,
) -> Table:
    """What several budgets promise, each at its split."""
    places = _places(samples[-1], 0.05, digits)
    return Table(
        title=f"{_percent(confidence_level)} intervals of recall by {method}, each budget at its "
        f"best split unless one is given; {_expected(alternative)}",
        headings=("budget", "split", *_headings(alternative)),
        cells=tuple(
            (f"{one.budget:,}", _percent(one.split), *_cells(one, places, alternative))
            for one in samples
        ),
        records=labelled("budget", records(samples)),
        first_number=0,
    )


def recall_plan_sentences(plan: RecallPlan, digits: int | None = None) -> list[str]:
    """What to assess, what it promises, how much the split matters, what a pilot is good for."""
    places = _places(plan.sample, plan.tolerance, digits)
    said = [f"{_advice(plan)}: {_promise(plan, places)}, {_supposed(plan)}"]
    if plan.assurance is not None:
        said.append(
            f"the lower end reaches {plan.recall_at_least:g} in {_percent(plan.assurance, 0)} "
            "of such samples"
        )
    said.append(_flatness(plan, places))
    if plan.one_phase_width is not None and plan.two_phase_width is not None:
        said.append(_two_phases(plan, plan.one_phase_width, plan.two_phase_width, places))
    return said


def _advice(plan: RecallPlan) -> str:
    done = ((0, 0), (0, 0)) if plan.pilot is None else plan.pilot
    more = "" if plan.pilot is None else " more"
    inside = plan.sample.retrieved_sample - done[0][0]
    outside = plan.sample.unretrieved_sample - done[1][0]
    return (
        f"assess {inside:,}{more} of the {plan.retrieved:,} retrieved documents and "
        f"{outside:,}{more} of the {plan.population - plan.retrieved:,} others"
    )


def _promise(plan: RecallPlan, places: int) -> str:
    level, sample = _percent(plan.confidence_level), plan.sample
    by = _method(plan.method, plan.prior)
    if plan.alternative == "greater":
        end = fixed(sample.expected_low, places)
        return f"the lower end of the {level} interval of recall by {by} is expected at {end}"
    if plan.alternative == "less":
        end = fixed(sample.expected_high, places)
        return f"the upper end of the {level} interval of recall by {by} is expected at {end}"
    low, high = fixed(sample.expected_low, places), fixed(sample.expected_high, places)
    width = fixed(sample.expected_width, places)
    return f"the {level} interval of recall by {by} is expected to be {width} wide, {low} to {high}"


def _supposed(plan: RecallPlan) -> str:
    if plan.pilot is not None:
        (n1, r1), (n0, r0) = plan.pilot
        return f"by a pilot with {r1:,} relevant of {n1:,} retrieved and {r0:,} of {n0:,} others"
    return f"if {plan.yield_guess} documents are relevant and recall is {plan.recall_guess}"


def _flatness(plan: RecallPlan, places: int) -> str:
    best = plan.best
    what = f"{WIDTHS[plan.alternative]} is within {_percent(plan.tolerance)} of the best"
    near = (
        f"with {plan.good_from:,} to {plan.good_to:,} retrieved ones among the "
        f"{best.budget:,} {what}"
    )
    if plan.sample is plan.best:
        return near
    return (
        f"{near}, {fixed(best.expected_width, places)} with {best.retrieved_sample:,} and "
        f"{best.unretrieved_sample:,}"
    )


def _two_phases(plan: RecallPlan, one_phase: float, two_phases: float, places: int) -> str:
    change = _change(one_phase, two_phases)
    if plan.pilot_sample is not None:
        inside, outside = plan.pilot_sample
        return (
            f"a pilot of {inside:,} and {outside:,} first, the rest by what it shows: expected to "
            f"be {fixed(two_phases, places)} wide in place of {fixed(one_phase, places)}, {change}"
        )
    return (
        f"the rest split as the pilot was would give {fixed(one_phase, places)}: reallocated it "
        f"is {change}"
    )


def _change(before: float, after: float) -> str:
    if not before > 0:
        return "no difference"
    share = 100 * (1 - after / before)
    if abs(share) < 0.05:
        return "no difference"
    return f"{abs(share):.1f} % {'narrower' if share > 0 else 'wider'}"


def _headings(alternative: Alternative) -> tuple[str, ...]:
    return "retrieved", "rest", *NUMBERS[alternative]


def _expected(alternative: Alternative) -> str:
    if alternative == "two-sided":
        return "width, low and high are expected"
    return f"{', '.join(NUMBERS[alternative])} is expected"


def _cells(sample: PlannedSample, places: int, alternative: Alternative) -> tuple[str, ...]:
    numbers = (getattr(sample, name) for name in NUMBERS[alternative].values())
    sizes = (f"{sample.retrieved_sample:,}", f"{sample.unretrieved_sample:,}")
    return (*sizes, *(fixed(number, places) for number in numbers))


def _method(method: str, prior: str | None) -> str:
    return method if prior is None else f"{method} (prior {prior})"


def _places(sample: PlannedSample, tolerance: float, digits: int | None) -> int:
    """Enough to see a difference of widths that matters: two digits of the tolerance."""
    return decimals(tolerance * sample.expected_width) if digits is None else digits


def _percent(share: float, places: int = 1) -> str:
    return f"{round(100 * share, places):g} %"
