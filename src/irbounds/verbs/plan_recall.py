"""``plan_recall``: how many documents to assess for an interval of recall, and where."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

from ..errors import ParameterError, quote
from ..presentation.registry import View, make_section
from ..requests.options import (
    ALTERNATIVE,
    CONTROL_SET,
    CORPUS_SIZE,
    CREDIT_FOUND,
    METHOD,
    N_RELEVANT,
    RECALL,
    RETRIEVED,
    RETRIEVED_SAMPLE,
    RETRIEVED_SIZE,
    UNRETRIEVED_SAMPLE,
    CapAtOne,
    ConfidenceLevel,
    Prior,
    Unretrieved,
    count_or_all,
)
from ..requests.request import Option, Request
from ..requests.verb import verb
from ..results.result import Answer
from ..validation import Alternative

if TYPE_CHECKING:
    from ..presentation.figures.style import Figure
    from ..presentation.page_content import Section
    from ..results import RecallPlan, Results

PlanMethod = Literal["beta-binomial", "exact", "normal", "laplace", "agresti-coull"]
MULTIPLES = (0.25, 0.5, 1, 2, 4)  # of a plan's budget, to show what other budgets give
MIN_BUDGET = 2  # one document of each segment
THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
#: a range and values with weights, as each guess would have them
EXAMPLES = {
    "n_relevant": ("2000..8000", "2000:1,8000:3"),
    "prevalence": ("0.01..0.05", "0.01:1,0.05:3"),
    "recall": ("0.3..0.8", "0.5:1,0.8:2"),
}
#: what a plan supposes and which interval it means, besides the side and the sizes of samples
ASSUMPTIONS = (
    "corpus_size",
    "retrieved_size",
    "n_relevant",
    "prevalence",
    "recall",
    "method",
    "prior",
    "confidence_level",
    "cap_at_one",
    "credit_found",
)
#: options that say how large one sample is, or what it is to reach
TARGETS = (
    "retrieved_sample",
    "unretrieved_sample",
    "interval_width",
    "recall_at_least",
    "assurance",
    "pilot_fraction",
)
PILOT = ("retrieved", "unretrieved")


def _guess(name: str, value: Any) -> Any:
    """Return a guess as ``planning.recall_plan`` takes it; text is read."""
    if not isinstance(value, str):
        return value
    try:
        return _read_guess(value)
    except ValueError:
        a_range, values = EXAMPLES[name]
        plain = THOUSANDS.sub("", value)
        hint = "" if plain == value else f", did you mean {plain}?"
        raise ParameterError(
            f"{name} must be a number, a range as in {a_range}, or values with weights as in "
            f"{values}; got {quote(value)}{hint}"
        ) from None


def _read_guess(text: str) -> Any:
    if ".." in text:
        low, high = map(float, text.split(".."))
        return low, high
    if ":" in text:
        pairs = [part.split(":") for part in text.split(",")]
        return [(float(value), float(weight)) for value, weight in pairs]
    return float(text)


def _budgets(name: str, values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return budgets; an integer with a separator has become two of them."""
    if len(values) > 1 and 0 in values:
        raise ParameterError(
            f"{name} must be at least {MIN_BUDGET}; got 0: write thousands without a separator, "
            "as in 5000"
        )
    return values


def _guess_option(name: str, option: Option) -> Option:
    """Return an option whose value is a guess: a number, a range, or values with weights."""
    a_range, values = EXAMPLES[name]
    kinds = (
        f"A guess: a number, a range as in {a_range}, or values with weights as in {values}. In "
        "Python also (low, high), or a list of (value, weight)."
    )
    more = " ".join(filter(None, (option.more, kinds)))
    return replace(option, more=more, metavar="GUESS", minimum=None, check=_guess)


PREVALENCE = Option(
    "Fraction of the corpus that is relevant.",
    "In place of the number of relevant documents.",
    panel="Input",
)
RetrievedSize = Annotated[int | None, RETRIEVED_SIZE]
RelevantGuess = Annotated[Any, _guess_option("n_relevant", N_RELEVANT)]
PrevalenceGuess = Annotated[Any, _guess_option("prevalence", PREVALENCE)]
RecallGuess = Annotated[Any, _guess_option("recall", RECALL)]
Budget = Annotated[
    Sequence[int] | int | None,
    Option(
        "Assessments in total; several are compared: 500,2000.",
        "The best split between retrieved and other documents is found.",
        metavar="N,...",
        commas=True,
        check=_budgets,
    ),
]
Split = Annotated[
    float | None,
    Option(
        "Fraction of the assessments for the retrieved set.",
        metavar="FRACTION",
        default="the best one",
    ),
]
RetrievedSample = Annotated[
    Any,
    replace(
        RETRIEVED_SAMPLE,
        more="Instead of a budget. With the word all, the retrieved set is read in full, and the "
        "sample of the others is found.",
        metavar="N|all",
        minimum=None,
        check=count_or_all,
    ),
]
UnretrievedSample = Annotated[int | None, replace(UNRETRIEVED_SAMPLE, more="Instead of a budget.")]
RetrievedCounts = Annotated[
    tuple[Any, Any, Any] | None,
    replace(
        RETRIEVED,
        more="Of a pilot sample, with those of the rest. SAMPLED may be the word all: the "
        "retrieved set was read in full, and without counts of the rest its sample is planned, "
        "with one guess: recall, or the number of relevant documents.",
    ),
]
PlannedMethod = Annotated[
    PlanMethod | None,
    replace(
        METHOD,
        more="exact gives guaranteed limits, for a retrieved set that is read in full.",
        default="exact to show a recall if the retrieved set is read in full, else beta-binomial",
    ),
]
CreditFound = Annotated[
    bool,
    replace(
        CREDIT_FOUND,
        more="The plan is for the recall of the final set. For a retrieved set that is read in "
        "full.",
    ),
]
ControlSet = Annotated[
    bool,
    replace(
        CONTROL_SET,
        more="Only its size is planned, because each segment gets its fraction of the corpus.",
        panel="Method",
    ),
]
IntervalWidth = Annotated[
    float | None,
    Option("Find the smallest budget for this expected width.", metavar="WIDTH"),
]
RecallAtLeast = Annotated[
    float | None,
    Option(
        "Find the smallest budget that shows recall of at least X.",
        "The lower limit of the interval reaches X, with the assurance. With a budget, its "
        "assurance is computed.",
        metavar="X",
    ),
]
Assurance = Annotated[
    float | None,
    Option(
        "Chance that the lower limit reaches the recall to show.",
        metavar="P",
        default="0.8",
    ),
]
PilotFraction = Annotated[
    float | None,
    Option(
        "Show what a pilot of this fraction of the budget gains.",
        "The rest of the budget is split by what the pilot shows.",
        metavar="FRACTION",
        panel="Advanced",
    ),
]
PlanAlternative = Annotated[
    Alternative | None,
    replace(ALTERNATIVE, default="two-sided; greater where a recall is to be shown"),
]


@dataclass(frozen=True, kw_only=True)
class PlanRecallRequest(Request):
    """The options of ``plan_recall``."""

    corpus_size: Annotated[int | None, CORPUS_SIZE] = None
    retrieved_size: RetrievedSize = None
    n_relevant: RelevantGuess = None
    prevalence: PrevalenceGuess = None
    recall: RecallGuess = None
    retrieved: RetrievedCounts = None
    unretrieved: Unretrieved = None
    budget: Budget = None
    split: Split = None
    retrieved_sample: RetrievedSample = None
    unretrieved_sample: UnretrievedSample = None
    control_set: ControlSet = False
    interval_width: IntervalWidth = None
    recall_at_least: RecallAtLeast = None
    assurance: Assurance = None
    credit_found: CreditFound = False
    pilot_fraction: PilotFraction = None
    method: PlannedMethod = None
    prior: Prior = None
    confidence_level: ConfidenceLevel = 0.95
    alternative: PlanAlternative = None
    cap_at_one: CapAtOne = True

    def check(self) -> None:
        """Raise ``ParameterError`` where options contradict each other."""
        super().check()
        self._check_sizes()
        if self.assurance is not None and self.recall_at_least is None:
            raise ParameterError(
                "assurance is the probability of reaching recall_at_least; give both"
            )
        if len(self.budgets) > 1:
            self.refuse("not for several budgets; give one", *TARGETS, *PILOT)

    def _check_sizes(self) -> None:
        """Raise ``ParameterError`` unless there are sizes, or the counts of a pilot sample."""
        if self.is_read_in_full:
            self.refuse("known from the counts of the retrieved set; leave out", "retrieved_size")
            if self.corpus_size is None:
                raise ParameterError(
                    "the retrieved set was read in full; needs corpus_size too, and a guess: "
                    "recall or n_relevant"
                )
        elif self.retrieved is None and self.unretrieved is None:
            if self.corpus_size is None or self.retrieved_size is None:
                raise ParameterError(
                    "needs corpus_size and retrieved_size, or a pilot sample: retrieved and "
                    "unretrieved"
                )
        elif self.retrieved is None or self.unretrieved is None:
            raise ParameterError(
                "a pilot sample needs both retrieved and unretrieved; a retrieved set that was "
                "read in full is given as N all RELEVANT"
            )
        else:
            self.refuse("known from the pilot sample; leave out", "corpus_size", "retrieved_size")

    @property
    def is_read_in_full(self) -> bool:
        """Whether the retrieved set was read in full, and nothing else was assessed."""
        if self.retrieved is None or self.unretrieved is not None:
            return False
        return bool(self.retrieved[0] == self.retrieved[1])

    @property
    def budgets(self) -> tuple[int, ...]:
        """The budgets; none where the sizes or the target of a sample are given."""
        return cast(tuple[int, ...], self.budget or ())

    @property
    def assumptions(self) -> dict[str, Any]:
        """The sizes, guesses or pilot, and the interval, which all plans have in common."""
        common = {name: getattr(self, name) for name in ASSUMPTIONS}
        if self.is_read_in_full and self.retrieved is not None:
            size, _, relevant = self.retrieved
            common |= {"retrieved_size": size, "retrieved_relevant": relevant}
        elif self.retrieved is not None and self.unretrieved is not None:
            n, m = self.retrieved[0], self.unretrieved[0]
            common |= {"corpus_size": n + m, "retrieved_size": n}
            common["pilot"] = (self.retrieved[1:], self.unretrieved[1:])
        return common

    def plan(self) -> RecallPlan:
        """Return the plan of one sample."""
        from ..planning.recall_plan import plan_recall

        targets = {name: getattr(self, name) for name in TARGETS}
        if self.assurance is None:
            del targets["assurance"]  # the default, where it is needed
        return plan_recall(
            **self.assumptions,
            **targets,
            budget=self.budgets[0] if self.budgets else None,
            split=self.split,
            control_set=self.control_set,
            alternative=self.alternative,
        )

    def plans(self, budgets: Sequence[int], **options: Any) -> Results[RecallPlan]:
        """Return one plan per budget."""
        from ..planning.recall_plan import plan_recall
        from ..progress import count_steps
        from ..results import Results

        plans = []
        with count_steps("trying budgets", len(budgets)) as step:
            for budget in budgets:
                plans.append(plan_recall(**self.assumptions, budget=budget, **options))
                step()
        return Results(plans)


@verb(
    PlanRecallRequest,
    group="Plan",
    docs="planning-recall",
    is_parallel=False,
    examples=(
        "irbounds plan-recall --corpus-size 5000000 --retrieved-size 50000 \\\n"
        "    --n-relevant 50000 --recall 0.5 --budget 5000",
        "irbounds plan-recall --corpus-size 5000000 --retrieved-size 50000 \\\n"
        "    --n-relevant 20000..60000 --recall 0.3..0.8 --interval-width 0.1",
        "irbounds plan-recall --corpus-size 100000 --retrieved-size 8000 \\\n"
        "    --prevalence 0.05 --recall 0.85 --recall-at-least 0.75 --assurance 0.9",
        "irbounds plan-recall --retrieved 600 all 93 --corpus-size 1175 \\\n"
        "    --recall 0.98 --recall-at-least 0.95 --credit-found",
        "irbounds plan-recall --retrieved 8000 50 20 --unretrieved 92000 200 1 \\\n"
        "    --budget 2000",
        "irbounds plan-recall --corpus-size 5000000 --retrieved-size 50000 \\\n"
        "    --n-relevant 50000 --recall 0.5 --budget 500,1000,2000,5000,10000",
    ),
)
def plan_recall(request: PlanRecallRequest) -> Answer[Results[RecallPlan]]:
    """Plan how many documents to assess for an interval of recall.

    The plan starts from guesses of the number of relevant documents and of recall, or from a pilot
    sample. The counts of a pilot are given as for ``irbounds recall`` and count towards the budget.
    The result is the best split of a budget between retrieved and other documents, the expected
    width, and the budget for a given width or lower limit. Where the retrieved set is read in full,
    only a sample of the other documents is planned, and what it shows is guaranteed. No random
    numbers are used.

    Returns
    -------
    Results of RecallPlan
        One per budget: ``.sample`` has the numbers to assess and the expected interval, ``.best``
        the best split of the same budget.

    Examples
    --------
    >>> import irbounds
    >>> plan, = irbounds.plan_recall(
    ...     corpus_size=10_000, retrieved_size=500, n_relevant=300, recall=0.6, budget=1_000
    ... )
    >>> round(plan.sample.split, 1), round(plan.sample.expected_width, 2)
    (0.1, 0.27)
    """
    from ..results import Results

    if len(request.budgets) > 1:
        plans = request.plans(
            request.budgets,
            split=request.split,
            control_set=request.control_set,
            alternative=request.alternative,
        )
        return Answer(plans, make_sections=partial(_budget_sections, plans))
    plan = request.plan()
    return Answer(Results([plan]), make_sections=partial(_plan_sections, plan, request))


def _plan_sections(plan: RecallPlan, request: PlanRecallRequest, view: View) -> list[Section]:
    return [replace(make_section([plan], view), figures=partial(_plan_figures, plan, request))]


def _plan_figures(plan: RecallPlan, request: PlanRecallRequest) -> list[Figure]:
    """Draw the plan among other splits, and among other budgets at their best splits."""
    from ..presentation.figures.planning_plots import draw_allocation, draw_plans, draw_sizes

    if plan.is_read_in_full:
        return [draw_plans([plan])]
    minimum = max(MIN_BUDGET, sum(sampled for sampled, _ in plan.pilot or ()))
    sizes = {round(times * plan.sample.budget) for times in MULTIPLES}
    budgets = sorted(size for size in sizes if minimum <= size <= plan.population)
    figures = [draw_allocation(plan)]
    if len(budgets) > 1:
        side = request.alternative or plan.alternative
        figures.append(draw_sizes(request.plans(budgets, alternative=side)))
    return figures


def _budget_sections(plans: Sequence[RecallPlan], view: View) -> list[Section]:
    from ..results.recall_plans import budget_sentences, budget_table

    section = replace(
        make_section(plans, view, heading="Plans by budget"),
        sentences=budget_sentences(plans),
        tables=[budget_table(plans, view.digits)],
        figures=partial(_budget_figures, plans),
    )
    return [section]


def _budget_figures(plans: Sequence[RecallPlan]) -> list[Figure]:
    from ..presentation.figures.planning_plots import draw_allocation, draw_sizes

    return [draw_sizes(plans), draw_allocation(plans[-1])]
