"""Planned samples for recall: for a claim about it, and splits of a budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from ..presentation.column_roles import Column, Count
from ..presentation.phrases import pluralise
from ..presentation.registry import Presentation, View, present
from ..presentation.rounding import (
    FRACTION_DECIMALS,
    PERCENT_DECIMALS,
    decimals,
    error_level,
    fixed,
    format_setting,
    percent,
    short_percentage,
)
from .result import Result

PlannedKind = Annotated[Literal["plan", "other"], Column("key", "sample")]
TOLERANCE = 0.05  # of a width, of which tables show two digits


@dataclass(frozen=True)
class ClaimPlan(Result):
    """A sample of the unretrieved documents, and the probability that it shows a claim."""

    #: ``"plan"``, or ``"other"`` for a sample to compare it with
    kind: PlannedKind
    unretrieved_sample: Annotated[int, Column("count", "others")]
    #: the most relevant documents in the sample that show the claim
    max_relevant: Annotated[int, Column("count", "at most relevant")]
    #: the probability that the sample shows the claim, if the guess is right
    assurance: Annotated[
        float, Column(text=lambda plan, _: short_percentage(plan.assurance, PERCENT_DECIMALS))
    ]
    recall_at_least: float
    confidence_level: float
    #: documents in all and in the retrieved set, and the relevant ones of the retrieved set
    population: Count
    retrieved: Count
    retrieved_relevant: Count
    #: the guess: relevant documents in all, and recall
    yield_guess: Count
    recall_guess: float


@dataclass(frozen=True)
class SplitPlan(Result):
    """A sample of both segments, and the expected interval of recall from it."""

    #: ``"plan"`` for the best split of the budget, or ``"other"`` to compare it with
    kind: PlannedKind
    #: assessments in total
    budget: Count
    #: documents assessed in the retrieved set, and outside of it
    retrieved_sample: Annotated[int, Column("count", "retrieved")]
    unretrieved_sample: Annotated[int, Column("count", "others")]
    #: fraction of the assessments that goes to the retrieved set
    split: Annotated[
        float, Column(text=lambda plan, _: short_percentage(plan.split, PERCENT_DECIMALS))
    ]
    #: means over all possible samples
    expected_width: Annotated[float, Column(heading="width")]
    expected_low: Annotated[float, Column(heading="low")]
    expected_high: Annotated[float, Column(heading="high")]
    confidence_level: float
    #: documents in all and in the retrieved set
    population: Count
    retrieved: Count
    #: the guesses: relevant documents in all, and recall
    yield_guess: Count
    recall_guess: float


def _describe_claims(plans: Sequence[ClaimPlan], view: View) -> list[str]:
    sentences = []
    for plan in plans:
        if plan.kind == "plan":
            error = percent(error_level(plan.confidence_level))
            sentences += [
                f"assess {plan.unretrieved_sample:,} of the {plan.population - plan.retrieved:,} "
                "documents that are not retrieved, drawn at random: they show a recall of at least "
                f"{format_setting(plan.recall_at_least)} with at most "
                f"{pluralise(plan.max_relevant, 'relevant document')} among them",
                f"{short_percentage(plan.assurance, PERCENT_DECIMALS)} of such samples show it "
                f"{_describe_guess(plan)}",
                f"limits are exact: at most {error} of samples show a claim that is "
                "false; the guess determines the size of the sample only",
            ]
    return sentences


def _describe_splits(plans: Sequence[SplitPlan], view: View) -> list[str]:
    places = _find_places(plans) if view.digits is None else view.digits
    return [
        f"assess {plan.retrieved_sample:,} of the {plan.retrieved:,} retrieved documents and "
        f"{plan.unretrieved_sample:,} of the {plan.population - plan.retrieved:,} others: the "
        f"{percent(plan.confidence_level)} interval of recall by beta-binomial is expected to be "
        f"{fixed(plan.expected_width, places)} wide, {fixed(plan.expected_low, places)} to "
        f"{fixed(plan.expected_high, places)}, {_describe_guess(plan)}"
        for plan in plans
        if plan.kind == "plan"
    ]


def _describe_guess(plan: ClaimPlan | SplitPlan) -> str:
    recall = format_setting(round(plan.recall_guess, FRACTION_DECIMALS))
    return f"if {plan.yield_guess:,} documents are relevant and recall is {recall}"


def _find_places(plans: Sequence[SplitPlan]) -> int:
    return decimals(TOLERANCE * plans[0].expected_width)


present(
    ClaimPlan,
    Presentation(
        "Sample for a claim",
        columns=("kind", "unretrieved_sample", "max_relevant", "assurance"),
        title=lambda plans, view: (
            f"samples of the {plans[0].population - plans[0].retrieved:,} others: recall of at "
            f"least {format_setting(plans[0].recall_at_least)}, "
            f"{percent(plans[0].confidence_level)} level"
        ),
        caption=lambda plans: "assurance: probability that the sample shows the claim",
        sentences=_describe_claims,
        places=lambda plans: FRACTION_DECIMALS,
        topics=lambda plans: ["recall-plan", "exact"],
    ),
)
present(
    SplitPlan,
    Presentation(
        "Split of a budget",
        columns=(
            *("kind", "split", "retrieved_sample", "unretrieved_sample"),
            *("expected_width", "expected_low", "expected_high"),
        ),
        title=lambda plans, view: (
            f"splits of {plans[0].budget:,} assessments: {percent(plans[0].confidence_level)} "
            "interval of recall"
        ),
        caption=lambda plans: (
            "split: fraction of the assessments that goes to the retrieved documents; width, low "
            "and high: means over all possible samples"
        ),
        places=_find_places,
        sentences=_describe_splits,
        topics=lambda plans: ["recall-plan", "beta-binomial"],
    ),
)
