"""The claim of a planned sample in words: how often it is shown, and what the limit is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..presentation.rounding import format_setting, short_percentage

if TYPE_CHECKING:
    from .recall_plans import RecallPlan

EXACT = "exact"
ASSURANCE_PLACES = 1  # of a percentage, in sentences and tables
ONE_LOOK = (
    "the level is for one look: to judge the claim by the first sample too is another chance to err"
)


def format_assurance(assurance: float | None) -> str:
    """Return the fraction of samples that reach the recall to show."""
    return short_percentage(assurance or 0.0, ASSURANCE_PLACES)


def describe_assurance(plan: RecallPlan) -> str:
    """Return the fraction of samples that reach the recall to show, as a sentence."""
    end = "end" if plan.alternative == "two-sided" else "limit"
    return (
        f"the lower {end} reaches {format_setting(plan.recall_at_least or 0.0)} in "
        f"{format_assurance(plan.assurance)} of such samples"
    )


def describe_validity(plan: RecallPlan) -> list[str]:
    """Return how ``irbounds recall`` judges the claim, and that the level is for one look."""
    if plan.recall_at_least is None:
        return []
    sentences = []
    if plan.method != EXACT:
        sentences.append(
            f"limits by {plan.method} are not guaranteed; irbounds recall --at-least judges a "
            f"claim by method {EXACT} unless told otherwise, which may need more documents"
        )
    if plan.pilot is not None:
        sentences.append(ONE_LOOK)
    return sentences
