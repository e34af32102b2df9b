"""``irbounds plan recall``: how many documents to assess for recall, and where."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from .. import __version__
from ..errors import ParameterError
from .options import ConfidenceLevel, Digits, Format, Output, numbers_of
from .plan_recall_options import (
    EXAMPLE_GUESSES,
    Assurance,
    Budget,
    Budgets,
    PilotRetrieved,
    PilotShare,
    PilotUnretrieved,
    PlanAlternative,
    PlanCapAtOne,
    PlanMethod,
    PlanPrior,
    Population,
    PrevalenceGuess,
    RecallAtLeast,
    RecallGuess,
    RetrievedSample,
    RetrievedSize,
    Split,
    UnretrievedSample,
    Width,
    YieldGuess,
)
from .showing import make_view
from .writing import chosen_form, collected_warnings, write_result

if TYPE_CHECKING:
    from ..presentation.figures.style import Figure
    from ..presentation.pages import Section
    from ..results import RecallPlan

EXAMPLES = (
    "\b\nExamples:\n"
    "  irbounds plan recall --population 5000000 --retrieved 50000 --yield 50000 --recall 0.5 \\\n"
    "      --budget 5000\n"
    "  irbounds plan recall --population 5000000 --retrieved 50000 --yield 20000..60000 \\\n"
    "      --recall 0.3..0.8 --width 0.1\n"
    "  irbounds plan recall --population 100000 --retrieved 8000 --prevalence 0.05 \\\n"
    "      --recall 0.85 --recall-at-least 0.75 --assurance 0.9\n"
    "  irbounds plan recall --population 100000 --retrieved 8000 --pilot-retrieved 50 20 \\\n"
    "      --pilot-unretrieved 200 1 --budget 2000\n"
    "  irbounds plan recall --population 5000000 --retrieved 50000 --yield 50000 --recall 0.5 \\\n"
    "      --budgets 500,1000,2000,5000,10000"
)

MULTIPLES = (0.25, 0.5, 1, 2, 4)  # of a plan's budget, to show what more would gain
MINIMUM = 2  # documents: one of each segment
#: arguments of a plan that are not about its size
SUPPOSED = (
    "population",
    "retrieved",
    "yield_",
    "prevalence",
    "recall",
    "method",
    "prior",
    "confidence_level",
    "cap_at_one",
    "pilot",
)
THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")


def plan_recall_command(
    population: Population,
    retrieved: RetrievedSize,
    yield_: YieldGuess = None,
    prevalence: PrevalenceGuess = None,
    recall: RecallGuess = None,
    budget: Budget = None,
    split: Split = None,
    retrieved_sample: RetrievedSample = None,
    unretrieved_sample: UnretrievedSample = None,
    width: Width = None,
    recall_at_least: RecallAtLeast = None,
    assurance: Assurance = None,
    budgets: Budgets = None,
    pilot_retrieved: PilotRetrieved = None,
    pilot_unretrieved: PilotUnretrieved = None,
    pilot_share: PilotShare = None,
    method: PlanMethod = "beta-binomial",
    prior: PlanPrior = None,
    confidence_level: ConfidenceLevel = 0.95,
    alternative: PlanAlternative = None,
    cap_at_one: PlanCapAtOne = True,
    digits: Digits = None,
    form: Format = None,
    output: Output = None,
) -> None:
    """How many documents to assess for an interval of recall, and where.

    From guesses of how much is relevant and how much of that is retrieved, or from a pilot sample:
    the best split of a budget between retrieved and other documents, the width to expect, and the
    budget that a width or a lower limit takes. Nothing is drawn at random. docs/planning-recall.md
    says what the numbers mean.
    """
    chosen = chosen_form(form, output)
    common = {
        "population": population,
        "retrieved": retrieved,
        "yield_": parsed_guess("--yield", yield_),
        "prevalence": parsed_guess("--prevalence", prevalence),
        "recall": parsed_guess("--recall", recall),
        "split": split,
        "method": method,
        "prior": prior,
        "confidence_level": confidence_level,
        "cap_at_one": cap_at_one,
    }
    side = alternative.value if alternative else None
    wishes = {
        "budget": budget,
        "retrieved_sample": retrieved_sample,
        "unretrieved_sample": unretrieved_sample,
        "width": width,
        "recall_at_least": recall_at_least,
        "assurance": assurance,
        "pilot": _pilot(pilot_retrieved, pilot_unretrieved),
        "pilot_share": pilot_share,
    }
    said: list[str] = []
    with collected_warnings(said):
        if budgets is None:
            section = _planned({**common, **wishes}, side, digits)
        else:
            section = _by_budget(budgets, common, wishes, side, digits)
    write_result(
        [section],
        form=chosen,
        output=output,
        warnings=said,
        about={"irbounds": __version__, "warnings": said, "found": section.sentences},
    )


def _planned(given: dict[str, Any], side: Any, digits: int | None) -> Section:
    from .. import plan_recall
    from ..presentation.registry import section_of

    if given["assurance"] is None:
        del given["assurance"]  # the default, where it is needed
    elif given["recall_at_least"] is None:
        raise ParameterError("--assurance is the chance of reaching --recall-at-least: give both")
    plan = plan_recall(**given, alternative=side)
    figures = partial(_plan_figures, plan, given, side)
    return replace(section_of([plan], make_view(digits)), figures=figures)


def _plan_figures(plan: RecallPlan, given: dict[str, Any], side: Any) -> list[Figure]:
    """The plan among other splits, and among other budgets at their best splits."""
    from ..presentation.figures.planning import plan_by_allocation, plan_by_size

    figures = [plan_by_allocation(plan)]
    plans = _other_budgets(plan, given, side)
    return [*figures, plan_by_size(plans)] if len(plans) > 1 else figures


def _other_budgets(plan: RecallPlan, given: dict[str, Any], side: Any) -> list[RecallPlan]:
    """The same guesses with less to assess and with more, as far as there are documents."""
    from .. import plan_recall
    from ..presentation.terminal import progress

    least = max(MINIMUM, sum(sampled for sampled, _ in plan.pilot or ()))
    sizes = (round(times * plan.sample.budget) for times in MULTIPLES)
    budgets = sorted({size for size in sizes if least <= size <= plan.population})
    common = {name: given[name] for name in SUPPOSED}
    plans = []
    with progress("trying budgets", len(budgets)) as step:
        for budget in budgets:
            plans.append(plan_recall(**common, budget=budget, alternative=side or plan.alternative))
            step()
    return plans


def _by_budget(
    budgets: str,
    common: dict[str, Any],
    wishes: dict[str, Any],
    side: Any,
    digits: int | None,
) -> Section:
    from .. import plan_recall
    from ..presentation.registry import section_of
    from ..presentation.terminal import progress
    from ..results.recall_plans import budget_sentences, budget_table

    for name, value in wishes.items():
        if value is not None:
            option = name.replace("_", "-")
            raise ParameterError(f"--budgets gives a table of its own: leave --{option} out")
    numbers = numbers_of("--budgets", budgets)
    plans = []
    with progress("trying budgets", len(numbers)) as step:
        for number in numbers:
            plans.append(plan_recall(**common, budget=number, alternative=side))
            step()
    return replace(
        section_of(plans, heading="Plans by budget"),
        sentences=budget_sentences(plans),
        tables=[budget_table(plans, digits)],
        figures=partial(_budget_figures, plans),
    )


def _budget_figures(plans: Sequence[RecallPlan]) -> list[Figure]:
    from ..presentation.figures.planning import plan_by_allocation, plan_by_size

    return [plan_by_size(plans), plan_by_allocation(plans[-1])]


def parsed_guess(option: str, text: str | None) -> Any:
    """``0.5``, ``0.3..0.8`` or ``0.3:1,0.8:2`` as ``plan_recall`` takes a guess."""
    if text is None:
        return None
    try:
        return _guess(text)
    except ValueError:
        a_range, values = EXAMPLE_GUESSES[option]
        plain = THOUSANDS.sub("", text)
        hint = "" if plain == text else f", did you mean {plain}?"
        raise ParameterError(
            f"{option} must be a number, a range as in {a_range}, or values with weights as in "
            f"{values}; got {text!r}{hint}"
        ) from None


def _guess(text: str) -> Any:
    if ".." in text:
        low, high = map(float, text.split(".."))
        return low, high
    if ":" in text:
        pairs = [part.split(":") for part in text.split(",")]
        return [(float(value), float(weight)) for value, weight in pairs]
    return float(text)


def _pilot(retrieved: tuple[int, int] | None, unretrieved: tuple[int, int] | None) -> Any:
    if retrieved is None and unretrieved is None:
        return None
    if retrieved is None or unretrieved is None:
        raise ParameterError("a pilot needs both --pilot-retrieved and --pilot-unretrieved")
    return retrieved, unretrieved
