"""``plan_recall``: the number of documents to assess for an interval of recall, and their split.

The width of the interval depends on the size of the sample, on its split between retrieved and
other documents, and on two unknowns: the number of relevant documents, and how many of them were
retrieved. A plan assumes these, as numbers or as ranges. It computes the expected interval of a
sample, the best split of a budget, the loss from another split, and the smallest sample for a
target. Nothing is drawn at random, so the same request has the same result.

``widths_by_split`` and ``widths_by_budget`` return the curves of Webber's (2013) Figures 15 to 17,
for any corpus, guess and method of plans. The figures show ``width_at_expected_counts``; the
``expected_width`` is returned as well.

Two phases
----------
In a plan with two phases, a pilot sample is assessed first, and the rest of the budget is split
according to its counts. The paper leaves this to future work (section 5.1). After a pilot, yields
have a posterior, from which the counts of further assessments are predicted (``PilotPrediction``).
The rest is split so that the expected width over these predictions is smallest. The final interval
uses pilot and rest together, as one random sample of each segment. A posterior does not depend on
the second size being chosen after the first sample; the coverage over repeated samples may, by a
little.

Before a pilot there are only guesses, and the question is whether a pilot is worthwhile. For each
guess, each possible pilot and each possible rest, the final width is computed. For speed, the rest
is split by the rule for normal intervals, n1 : n0 as s1 : s0 with s = sqrt((1 - p) / p) and p the
pilot's posterior mean, which is near the best. A pilot can be worthwhile where guesses are wide. If
they are sharp, it gives no new information. Since widths near the best split are flat, the gain is
a few percent of the width.

Reference: Webber (2013), sections 4.3 and 5.1.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Literal, Required, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from ..errors import ParameterError
from ..results import PlannedSample, RecallPlan, Results
from ..validation import Alternative, as_list, check_choice, check_fraction
from .recall_allocation import (
    SPLITS,
    TOLERANCE,
    Allocation,
    best_allocation,
    find_budget,
    recall_margin,
    select_criterion,
    split_budget,
    width_margin,
)
from .recall_assumptions import (
    ALL,
    ASSURANCE,
    Assumptions,
    Targets,
    check_budget,
    make_assumptions,
    make_targets,
    reads_all,
)
from .recall_assurance import compute_assurance
from .recall_rest import choose_rest_sample
from .recall_widths import (
    EXACT_METHOD,
    POSTERIOR_METHOD,
    Analysis,
    GuessPrediction,
    PilotPrediction,
    PredictedCounts,
    Sizes,
    cross_counts,
    gauss_points,
    hypergeometric_counts,
    interval_ends,
    likely_samples,
    plan_sample,
    weighted_mean,
)

Floats = NDArray[np.float64]

POINTS = 4  # per segment, in the pilot and in the rest
CRITERIA = ("expected-width", "expected-counts")


def plan_recall(
    *,
    corpus_size: int,
    retrieved_size: int,
    n_relevant: Any = None,
    prevalence: Any = None,
    recall: Any = None,
    budget: int | None = None,
    split: float | None = None,
    retrieved_sample: int | Literal["all"] | None = None,
    unretrieved_sample: int | None = None,
    retrieved_relevant: int | None = None,
    credit_found: bool = False,
    control_set: bool = False,
    interval_width: float | None = None,
    recall_at_least: float | None = None,
    assurance: float | None = ASSURANCE,
    pilot: Any = None,
    pilot_fraction: float | None = None,
    method: str | None = None,
    prior: Any = None,
    confidence_level: float = 0.95,
    alternative: Alternative | None = None,
    cap_at_one: bool = True,
) -> RecallPlan:
    """Return the number of documents to assess in the retrieved set and outside of it.

    A guess is a number, a (low, high) range of equally likely values, or several (value, weight).
    With ranges, expected widths are means over them. Nothing is drawn at random.

    Parameters
    ----------
    corpus_size, retrieved_size
        Documents in the corpus, and in the retrieved set.
    n_relevant, prevalence
        One of them: a guess of the number of relevant documents, or of their fraction of the
        corpus.
    recall
        A guess of the fraction of relevant documents that is retrieved.
    budget
        The number of assessments. Its best split is found, unless ``split`` is given.
    split
        The fraction of the assessments that goes to the retrieved set.
    retrieved_sample, unretrieved_sample
        Both sizes, in place of ``budget`` and ``split``. With ``"all"`` the retrieved set is read
        in full, and the smallest sample of the others for a target is found.
    retrieved_relevant
        The number of relevant documents in a retrieved set that was read in full. Then one guess
        is enough: ``recall``, ``n_relevant`` or ``prevalence``.
    credit_found
        Count the relevant documents of the unretrieved sample as found: recall is that of the
        retrieved set with these documents added. For method ``"exact"``.
    control_set
        Plan one random sample of the whole corpus, which is divided between the segments as their
        sizes are.
    interval_width
        The maximum expected width of the interval; the smallest budget for it is found.
    recall_at_least
        The smallest budget is found, if none is given, with which the interval's lower end reaches
        this recall with a probability of ``assurance``. The interval then has a lower end only,
        unless ``alternative`` is given.
    assurance
        See above; None plans for the expected lower end.
    pilot
        The counts of an assessed sample, ``((sampled, relevant), (sampled, relevant))`` of the
        retrieved documents and of the others. It replaces guesses and counts towards the budget.
    pilot_fraction
        The fraction of the budget for a future pilot, after which the rest is split by its counts.
    method, prior, confidence_level, alternative
        The interval: ``"beta-binomial"`` with its prior, ``"normal"``, ``"laplace"``,
        ``"agresti-coull"`` or, for a retrieved set that is read in full, ``"exact"``, whose limits
        are guaranteed. By default ``"exact"`` with ``recall_at_least`` and a retrieved set that is
        read in full, else ``"beta-binomial"``.
    cap_at_one
        Raise the upper end to 1 where the unretrieved sample contains no relevant document. Without
        this, a plan may recommend to assess next to nothing there, for a narrow interval that comes
        from the prior.

    Returns
    -------
    RecallPlan
        ``sample`` has the two sizes and the expected width, ``curve`` those of other splits.

    Examples
    --------
    >>> plan = plan_recall(
    ...     corpus_size=10_000, retrieved_size=500, n_relevant=300, recall=0.6, budget=1_000
    ... )
    >>> round(plan.sample.split, 1), round(plan.sample.expected_width, 2)
    (0.1, 0.27)
    """
    default_side = "two-sided" if recall_at_least is None else "greater"
    is_read_in_full = retrieved_relevant is not None or retrieved_sample in (ALL, retrieved_size)
    if pilot is not None:
        is_read_in_full = reads_all(pilot, retrieved_size)
    if method is None:
        is_claim = recall_at_least is not None and prior is None
        is_exact = is_read_in_full and (is_claim or credit_found)
        method = EXACT_METHOD if is_exact else POSTERIOR_METHOD
    assumptions = make_assumptions(
        corpus_size=corpus_size,
        retrieved_size=retrieved_size,
        n_relevant=n_relevant,
        prevalence=prevalence,
        recall=recall,
        method=method,
        prior=prior,
        confidence_level=confidence_level,
        alternative=default_side if alternative is None else alternative,
        cap_at_one=cap_at_one,
        pilot=pilot,
        is_read_in_full=is_read_in_full,
        retrieved_relevant=retrieved_relevant,
        credit_found=credit_found,
    )
    targets = make_targets(
        assumptions,
        budget=budget,
        split=split,
        retrieved_sample=retrieved_sample,
        unretrieved_sample=unretrieved_sample,
        interval_width=interval_width,
        recall_at_least=recall_at_least,
        assurance=assurance,
        pilot_fraction=pilot_fraction,
        control_set=control_set,
    )
    return _make_plan(assumptions, targets)


def _make_plan(assumptions: Assumptions, targets: Targets) -> RecallPlan:
    analysis, prediction = assumptions.analysis, assumptions.prediction
    sample, allocation = _choose_sample(assumptions, targets)
    recall, assurance = targets.recall_at_least, None
    if recall is not None:
        sizes = sample.retrieved_sample, sample.unretrieved_sample
        assurance = compute_assurance(analysis, prediction, sizes, recall)
    return RecallPlan(
        population=assumptions.corpus_size,
        retrieved=assumptions.retrieved_size,
        yield_guess=assumptions.yield_guess,
        recall_guess=assumptions.recall_guess,
        sample=sample,
        best=allocation.best,
        good_from=allocation.good_from,
        good_to=allocation.good_to,
        tolerance=TOLERANCE,
        method=analysis.method,
        confidence_level=analysis.confidence_level,
        alternative=analysis.alternative,
        cap_at_one=analysis.cap_at_one,
        prior=analysis.prior.name if analysis.method == POSTERIOR_METHOD else None,
        wanted_width=targets.interval_width,
        recall_at_least=recall,
        wanted_assurance=None if recall is None else targets.assurance,
        assurance=assurance,
        is_read_in_full=assumptions.is_read_in_full,
        retrieved_relevant=assumptions.known_relevant,
        credit_found=analysis.credit_found,
        is_control_set=targets.is_control_set,
        curve=allocation.curve,
        **_describe_phases(assumptions, targets, sample),
    )


def _choose_sample(assumptions: Assumptions, targets: Targets) -> tuple[PlannedSample, Allocation]:
    """Return the sample to assess, and other splits of its budget."""
    if assumptions.is_read_in_full:
        return choose_rest_sample(assumptions, targets)
    analysis, prediction = assumptions.analysis, assumptions.prediction
    criterion = select_criterion(analysis)
    if targets.budget is not None:
        allocation = best_allocation(analysis, prediction, targets.budget, criterion)
        if targets.split is None:
            return allocation.best, allocation
        sizes = split_budget(prediction, targets.budget, targets.split)
        return plan_sample(analysis, prediction, sizes), allocation
    sizes = _find_sizes(assumptions, targets)
    sample = plan_sample(analysis, prediction, sizes)
    allocation = best_allocation(analysis, prediction, sum(sizes), criterion)
    if targets.split is None:  # find_budget has refined this split further
        allocation = replace(allocation, best=sample)
    return sample, allocation


def _find_sizes(assumptions: Assumptions, targets: Targets) -> Sizes:
    """Return the smallest sample for the target."""
    analysis, prediction = assumptions.analysis, assumptions.prediction
    if targets.interval_width is not None:
        margin = width_margin(analysis, prediction, targets.interval_width)
        return find_budget(
            margin, analysis, prediction, targets.split, f"a width of {targets.interval_width:g}"
        )
    assert targets.recall_at_least is not None
    margin = recall_margin(analysis, prediction, targets.recall_at_least, targets.assurance)
    assurance = targets.assurance
    probability = "" if assurance is None else f" with a probability of {assurance:g}"
    target = f"a recall of at least {targets.recall_at_least:g}{probability}"
    return find_budget(margin, analysis, prediction, targets.split, target)


def _describe_phases(
    assumptions: Assumptions, targets: Targets, sample: PlannedSample
) -> dict[str, Any]:
    """Return the fields of the plan about an assessed or a planned pilot."""
    analysis, prediction = assumptions.analysis, assumptions.prediction
    if isinstance(prediction, PilotPrediction):
        counts = tuple(zip(prediction.min_sampled, prediction.relevant, strict=True))
        phases: dict[str, Any] = {"pilot": counts, "two_phase_width": sample.expected_width}
        if not prediction.is_read_in_full:
            pilot_split = prediction.min_sampled[0] / sum(prediction.min_sampled)
            sizes = split_budget(prediction, sample.budget, pilot_split)
            phases["one_phase_width"] = plan_sample(analysis, prediction, sizes).expected_width
        return phases
    if targets.pilot_fraction is None:
        return {}
    assert isinstance(prediction, GuessPrediction)
    pilot_budget = max(2, round(targets.pilot_fraction * sample.budget))
    pilot = split_budget(prediction, pilot_budget, sample.split)
    return {
        "pilot_sample": pilot,
        "two_phase_width": two_phase_width(analysis, prediction, pilot, sample.budget),
        "one_phase_width": sample.expected_width,
    }


def two_phase_width(
    analysis: Analysis, prediction: GuessPrediction, pilot: Sizes, budget: int
) -> float:
    """Return the expected final width if the rest is split after a pilot of these sizes."""
    widths, weights = [], []
    for guess, weight in zip(prediction.guesses.relevant, prediction.guesses.weights, strict=True):
        first = [
            gauss_points(*hypergeometric_counts(size, relevant, n), POINTS)
            for size, relevant, n in zip(
                prediction.segment_sizes, guess.tolist(), pilot, strict=True
            )
        ]
        for counts, mass in zip(*cross_counts(first[0], first[1]), strict=True):
            sizes = prediction.segment_sizes
            widths.append(_width_after_pilot(analysis, sizes, guess, pilot, counts, budget))
            weights.append(weight * mass)
    return weighted_mean(np.array(widths), np.array(weights))


def reallocate(
    analysis: Analysis, size: Sizes, pilot: Sizes, relevant: Floats, budget: int
) -> Sizes:
    """Return samples of pilot and rest together, by the rule for normal intervals."""
    needs = []
    for place, (alpha, beta) in enumerate(analysis.priors(size, pilot)):
        prevalence = (relevant[place] + alpha) / (pilot[place] + alpha + beta)
        needs.append(math.sqrt((1 - prevalence) / prevalence))
    lowest = max(pilot[0], budget - size[1])
    highest = min(size[0], budget - pilot[1])
    retrieved = min(max(round(budget * needs[0] / sum(needs)), lowest), highest)
    return retrieved, budget - retrieved


def _width_after_pilot(
    analysis: Analysis, size: Sizes, guess: Floats, pilot: Sizes, relevant: Floats, budget: int
) -> float:
    """Return the expected width after a pilot with these numbers of relevant documents."""
    sampled = reallocate(analysis, size, pilot, relevant, budget)
    rest = []
    for place in (0, 1):
        counts, masses = hypergeometric_counts(
            size[place] - pilot[place],
            max(guess[place] - relevant[place], 0.0),
            sampled[place] - pilot[place],
        )
        rest.append((counts + relevant[place], masses))
    samples, weights = likely_samples([PredictedCounts(1.0, rest[0], rest[1])], POINTS)
    low, high = interval_ends(analysis, size, sampled, samples)
    return weighted_mean(high - low, weights)


class AssumptionOptions(TypedDict, total=False):
    """Guesses and interval options, as for ``plan_recall``."""

    corpus_size: Required[int]
    retrieved_size: Required[int]
    recall: Required[Any]
    n_relevant: Any
    prevalence: Any
    method: str
    prior: Any
    confidence_level: float
    alternative: Alternative
    cap_at_one: bool


def widths_by_split(
    splits: Iterable[float] | None = None, *, budget: int, **options: Unpack[AssumptionOptions]
) -> Results[PlannedSample]:
    """Return the expected interval widths of one budget, by split.

    These are the curves of Webber's (2013) Figures 15 and 16, which show
    ``width_at_expected_counts`` with ``cap_at_one=False``.

    Parameters
    ----------
    splits
        Fractions of the budget for the retrieved set. Fractions that the sizes of the segments do
        not allow are replaced by the nearest that they do.
    budget
        The number of assessments.
    **options
        Guesses and interval, as for ``plan_recall``.

    Returns
    -------
    Results of PlannedSample
        One per split.

    Examples
    --------
    >>> guess = dict(corpus_size=10_000, retrieved_size=500, n_relevant=300, recall=0.6)
    >>> rows = widths_by_split([0.1, 0.5], budget=1_000, **guess)
    >>> [(row.retrieved_sample, round(row.expected_width, 2)) for row in rows]
    [(100, 0.28), (500, 0.34)]
    """
    assumptions = make_assumptions(**options)
    fractions = [
        check_fraction("splits", split) for split in (SPLITS if splits is None else as_list(splits))
    ]
    number = check_budget(assumptions, budget)
    sizes = {split_budget(assumptions.prediction, number, split) for split in fractions}
    return Results(
        plan_sample(assumptions.analysis, assumptions.prediction, sampled)
        for sampled in sorted(sizes)
    )


def widths_by_budget(
    budgets: Iterable[int],
    *,
    split: float | None = None,
    criterion: str | None = None,
    **options: Unpack[AssumptionOptions],
) -> Results[PlannedSample]:
    """Return the expected interval widths of several budgets, at the best split or a given one.

    This is the curve of Webber's (2013) Figure 17.

    Parameters
    ----------
    budgets
        Numbers of assessments.
    split
        The fraction for the retrieved set; by default the best one for each budget.
    criterion
        What the best split minimises: ``"expected-width"`` or, as in the paper, the width at the
        ``"expected-counts"``. By default the first for ``beta-binomial`` and the second for the
        other methods, whose expected widths mislead.
    **options
        Guesses and interval, as for ``plan_recall``.

    Returns
    -------
    Results of PlannedSample
        One per budget.

    Examples
    --------
    >>> guess = dict(corpus_size=10_000, retrieved_size=500, n_relevant=300, recall=0.6)
    >>> rows = widths_by_budget([500, 1_000], **guess)
    >>> [(row.budget, round(row.expected_width, 2)) for row in rows]
    [(500, 0.38), (1000, 0.27)]
    """
    assumptions = make_assumptions(**options)
    by_counts = None
    if criterion is not None:
        check_choice("criterion", criterion, CRITERIA)
        by_counts = criterion == "expected-counts"
    if split is not None:
        split = check_fraction("split", split)
    sizes = [check_budget(assumptions, budget) for budget in as_list(budgets)]
    if not sizes:
        raise ParameterError("budgets must be one or more integers; got none")
    return Results(_plan_budget(assumptions, budget, split, by_counts) for budget in sizes)


def _plan_budget(
    assumptions: Assumptions, budget: int, split: float | None, by_counts: bool | None
) -> PlannedSample:
    if split is not None:
        sizes = split_budget(assumptions.prediction, budget, split)
        return plan_sample(assumptions.analysis, assumptions.prediction, sizes)
    criterion = select_criterion(assumptions.analysis, by_counts)
    return best_allocation(assumptions.analysis, assumptions.prediction, budget, criterion).best
