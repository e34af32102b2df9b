"""``plan_recall``: how many documents to assess for recall, and where."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

from ..errors import DataError, ParameterError, quote
from ..requests.options import CORPUS_SIZE, N_RELEVANT, RETRIEVED, ConfidenceLevel
from ..requests.request import Option, Request
from ..requests.verb import verb
from ..results.result import Answer
from ..validation import as_float, as_integer, check_claim, check_fraction

if TYPE_CHECKING:
    from ..results import ClaimPlan, Results, SplitPlan


def _check_recall(name: str, value: Any) -> float:
    return 1.0 if as_float(value) == 1 else check_fraction(name, value)


@dataclass(frozen=True, kw_only=True)
class PlanRecallRequest(Request):
    """The options of ``plan_recall``."""

    corpus_size: Annotated[int, CORPUS_SIZE]
    retrieved_size: Annotated[
        int | None,
        Option("Documents in the retrieved set, for a budget.", panel="Input", minimum=1),
    ] = None
    retrieved: Annotated[
        tuple[Any, Any, Any] | None,
        replace(RETRIEVED, more="For a recall to show; read in full, so SAMPLED is all."),
    ] = None
    n_relevant: Annotated[
        int | None, replace(N_RELEVANT, more="A guess, for the whole corpus.", minimum=1)
    ] = None
    recall: Annotated[
        float | None,
        Option(
            "Fraction of the relevant documents that is retrieved.",
            "A guess. For a recall to show one of the two guesses is given, for a budget both.",
            panel="Input",
            check=_check_recall,
        ),
    ] = None
    recall_at_least: Annotated[
        float | None,
        Option(
            "Find the smallest sample that shows recall of at least X.",
            "It does so with a probability of 0.8, if the guess is right.",
            metavar="X",
        ),
    ] = None
    budget: Annotated[
        int | None, Option("Assessments in total; their best split is found.", minimum=2)
    ] = None
    confidence_level: ConfidenceLevel = 0.95

    def check(self) -> None:
        """Raise ``ParameterError`` where options contradict each other."""
        super().check()
        if (self.recall_at_least is None) == (self.budget is None):
            raise ParameterError("needs recall_at_least or budget, and not both")
        if self.recall_at_least is None:
            self._check_budget()
        else:
            self._check_claim()

    def _check_claim(self) -> None:
        check_claim("recall_at_least", self.recall_at_least, self.confidence_level)
        self.refuse("for a budget; leave out", "retrieved_size")
        size, sampled, found = map(as_integer, self.retrieved or (None, None, None))
        if size is None or sampled != size:
            raise ParameterError(
                "recall_at_least is planned for a retrieved set that was read in full; needs "
                "retrieved: N all RELEVANT"
            )
        if not 1 <= size < self.corpus_size:
            raise DataError(
                f"retrieved must have 1 to {self.corpus_size - 1:,} of the "
                f"{self.corpus_size:,} documents; got {quote(size)}"
            )
        if found is None or not 0 <= found <= size:
            raise DataError(
                f"retrieved: of {size:,} documents, 0 to {size:,} may be relevant; got "
                f"{quote(found)}"
            )
        if (self.n_relevant is None) == (self.recall is None):
            raise ParameterError("recall_at_least needs one guess, n_relevant or recall")

    def _check_budget(self) -> None:
        self.refuse("for recall_at_least; leave out", "retrieved")
        if self.retrieved_size is None or self.n_relevant is None or self.recall is None:
            raise ParameterError("budget needs retrieved_size, and guesses: n_relevant and recall")
        if self.retrieved_size >= self.corpus_size:
            raise DataError(
                f"retrieved_size must be less than the corpus_size of {self.corpus_size:,}; got "
                f"{self.retrieved_size:,}"
            )
        if self.budget is not None and self.budget > self.corpus_size:
            raise DataError(
                f"budget must be at most the corpus_size of {self.corpus_size:,}; got "
                f"{self.budget:,}"
            )


@verb(
    PlanRecallRequest,
    group="Plan",
    docs="planning-recall",
    shows=("table",),
    is_parallel=False,
    examples=(
        "irbounds plan-recall --corpus-size 5000000 --retrieved-size 50000 \\\n"
        "    --n-relevant 50000 --recall 0.5 --budget 5000",
        "irbounds plan-recall --retrieved 600 all 93 --corpus-size 1175 \\\n"
        "    --recall 0.98 --recall-at-least 0.95",
    ),
)
def plan_recall(request: PlanRecallRequest) -> Answer[Results[ClaimPlan | SplitPlan]]:
    """Plan how many documents to assess for recall, and where.

    With a recall to show: all retrieved documents were read, and the plan is the smallest random
    sample of the others that shows it with a probability of 0.8. It is judged by the exact limit,
    as ``irbounds recall --at-least`` does. With a budget: the plan is its best split between
    retrieved and other documents, and the expected width of the beta-binomial interval. Plans start
    from guesses of what is relevant, which determine sizes only. No random numbers are used.

    Returns
    -------
    Results of ClaimPlan or SplitPlan
        The plan, then other samples or splits to compare it with.

    Examples
    --------
    >>> import irbounds
    >>> plan, *others = irbounds.plan_recall(
    ...     retrieved=(600, "all", 93), corpus_size=1175, recall=0.98, recall_at_least=0.95
    ... )
    >>> plan.unretrieved_sample, plan.max_relevant
    (466, 2)
    >>> plan, *others = irbounds.plan_recall(
    ...     corpus_size=10_000, retrieved_size=500, n_relevant=300, recall=0.6, budget=1_000
    ... )
    >>> round(plan.split, 1), round(plan.expected_width, 2)
    (0.1, 0.27)
    """
    from ..results import Results

    plans = _plan_splits(request) if request.recall_at_least is None else _plan_claim(request)
    return Answer(Results(plans))


def _plan_claim(request: PlanRecallRequest) -> list[ClaimPlan]:
    from ..planning.recall import count_missed, find_claim_samples, make_claim
    from ..results import ClaimPlan

    assert request.retrieved
    assert request.recall_at_least
    size, _, found = map(int, request.retrieved)
    unretrieved = request.corpus_size - size
    missed = count_missed(found, request.n_relevant, request.recall, unretrieved)
    claim = make_claim(
        found, missed, unretrieved, request.recall_at_least, request.confidence_level
    )
    return [
        ClaimPlan(
            kind="other" if place else "plan",
            unretrieved_sample=sampled,
            max_relevant=claim.max_relevant(sampled),
            assurance=claim.assurance(sampled),
            recall_at_least=request.recall_at_least,
            confidence_level=request.confidence_level,
            population=request.corpus_size,
            retrieved=size,
            retrieved_relevant=found,
            yield_guess=found + missed,
            recall_guess=request.recall or found / (found + missed),
        )
        for place, sampled in enumerate(find_claim_samples(claim))
    ]


def _plan_splits(request: PlanRecallRequest) -> list[SplitPlan]:
    from ..planning.recall import find_splits, split_relevant
    from ..results import SplitPlan

    retrieved, n_relevant, recall = request.retrieved_size, request.n_relevant, request.recall
    assert retrieved
    assert n_relevant
    assert recall
    assert request.budget
    size = retrieved, request.corpus_size - retrieved
    relevant = split_relevant(n_relevant, recall, size)
    splits = find_splits(size, relevant, request.budget, request.confidence_level)
    return [
        SplitPlan(
            kind="other" if place else "plan",
            budget=request.budget,
            retrieved_sample=expected.sampled[0],
            unretrieved_sample=expected.sampled[1],
            split=expected.sampled[0] / request.budget,
            expected_width=expected.width,
            expected_low=expected.low,
            expected_high=expected.high,
            confidence_level=request.confidence_level,
            population=request.corpus_size,
            retrieved=retrieved,
            yield_guess=n_relevant,
            recall_guess=recall,
        )
        for place, expected in enumerate(splits)
    ]
