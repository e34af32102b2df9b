"""Plans of a sample of the rest, where the retrieved set is read in full, in words and a table."""

from __future__ import annotations

from ..presentation.rounding import error_level, fixed, format_setting, percent
from ..presentation.table import Table
from .planned_claims import EXACT, describe_assurance, describe_validity, format_assurance
from .recall_plans import (
    NUMBERS,
    SPARE,
    PlannedSample,
    RecallPlan,
    describe_assumptions,
    describe_expected,
    describe_interval,
    describe_part,
    find_places,
    label_records,
    make_bar,
)
from .result import records

ALLOWED = "at most relevant"
CREDITED = (
    "recall is that of the final set: relevant documents that the sample finds are added to the "
    "retrieved ones"
)


def rest_sentences(plan: RecallPlan, digits: int | None) -> list[str]:
    """Return what to assess, what it is expected to show, and the meaning of the limit."""
    places = find_places(plan.sample, plan.tolerance, digits)
    expected = describe_expected(plan, places)
    sentences = [f"{_advice(plan)}: {expected}, {describe_assumptions(plan)}"]
    if plan.assurance is not None:
        sentences.append(f"{describe_assurance(plan)}{_describe_condition(plan)}")
    if plan.method == EXACT and plan.pilot is None:
        sentences.append(_describe_guarantee(plan))
    sentences += describe_validity(plan)
    if plan.credit_found:
        sentences.append(CREDITED)
    return [*sentences, _describe_columns(plan)]


def rest_table(plan: RecallPlan, digits: int | None) -> Table:
    """Return the plan among samples of other sizes."""
    places = find_places(plan.sample, plan.tolerance, digits)
    numbers, samples = NUMBERS[plan.alternative], sorted(plan.curve, key=_get_size)
    is_claim, has_counts = plan.recall_at_least is not None, plan.sample.max_relevant is not None
    size = plan.population - plan.retrieved
    return Table(
        title=f"samples of the {size:,} others: {describe_interval(plan)}",
        headings=(
            *("others", *[ALLOWED] * has_counts),
            *(*numbers, *["assurance"] * is_claim),
        ),
        cells=tuple(
            (
                f"{'plan, ' if sample is plan.sample else ''}{_get_size(sample):,}",
                *[_format_allowed(sample.max_relevant)] * has_counts,
                *(fixed(getattr(sample, name), places) for name in numbers.values()),
                *[format_assurance(sample.assurance)] * is_claim,
            )
            for sample in samples
        ),
        records=(
            *label_records("plan", records([plan])),
            *label_records("size", records(samples)),
        ),
        bars=tuple(make_bar(sample, plan.alternative) for sample in samples),
        spare=SPARE,
    )


def _format_allowed(max_relevant: int | None) -> str:
    return "none" if max_relevant is None or max_relevant < 0 else f"{max_relevant:,}"


def _get_size(sample: PlannedSample) -> int:
    return sample.unretrieved_sample


def _advice(plan: RecallPlan) -> str:
    done = plan.pilot[1][0] if plan.pilot else 0
    size = plan.population - plan.retrieved
    others = describe_part(plan.sample.unretrieved_sample, done, size, "others")
    read = f"all {plan.retrieved:,} retrieved documents"
    if plan.pilot:
        return f"assess {others} ({read} are read)"
    if plan.retrieved_relevant is None:
        return f"assess {read} and {others}"
    return f"assess {others} ({read} are read, {plan.retrieved_relevant:,} of them relevant)"


def _describe_condition(plan: RecallPlan) -> str:
    """Return the counts of the sample that show the recall."""
    n, most = plan.sample.unretrieved_sample, plan.sample.max_relevant
    if most is None:
        return ""
    if most < 0:
        return f", not even if none of the {n:,} others is relevant"
    if most == n:
        return ", whatever the sample contains"
    if most == 0:
        return f", namely if none of the {n:,} others is relevant"
    are = "is" if most == 1 else "are"
    return f", namely if at most {most:,} of the {n:,} others {are} relevant"


def _describe_guarantee(plan: RecallPlan) -> str:
    error = percent(error_level(plan.confidence_level))
    wrong = {
        "two-sided": "an interval that does not hold the true recall",
        "greater": "a limit above the true recall",
        "less": "a limit below the true recall",
    }[plan.alternative]
    return (
        f"{EXACT} limits are guaranteed: at most {error} of samples give {wrong}, whatever that "
        "is; the guesses determine the size of the sample only"
    )


def _describe_columns(plan: RecallPlan) -> str:
    *others, last = (name for name in NUMBERS[plan.alternative] if " " not in name)
    listed = f"{', '.join(others)} and {last} are means" if others else f"{last} is the mean"
    text = f"{listed} over all possible samples"
    if plan.recall_at_least is None:
        return f"in the table, {text}"
    recall = format_setting(plan.recall_at_least)
    text = f"{text}, and assurance is the fraction of samples whose lower limit reaches {recall}"
    if plan.sample.max_relevant is None:
        return f"in the table, {text}"
    return (
        f"the table has the smallest samples that show {recall} with at most so many relevant "
        f"documents in them; {text}"
    )
