"""How many documents to assess for an interval of recall, and where.

Width depends on the size of the sample, on its split between retrieved and other documents, and on
what cannot be known beforehand: how many relevant documents there are, and how many of them were
retrieved. A plan supposes these, as numbers or as ranges, and works out what a sample promises,
which split of a budget is best, how little another one would cost, and how large a sample a wish
takes. Nothing is drawn at random: the same question has the same answer.

Reference: Webber (2013), sections 4.3 and 5.1.

Two phases: a pilot sample first, then the rest of the budget where the pilot says it is needed.

The paper leaves this to future work (section 5.1). After a pilot, yields have a posterior, and what
further assessments will show follows from it (``PilotOutlook``): the rest is split so that the
width is smallest in expectation over that. The interval at the end uses pilot and rest together, as
one random sample of each segment. A posterior does not mind that the size of the second part was
decided upon the first; the coverage of an interval over repeated samples may, by a little.

Before a pilot there is nothing but guesses, and the question is whether a pilot will pay. For each
guess, each pilot that may come and each rest that may follow it, the width at the end is worked
out. To be quick, the rest is split here by the rule for normal intervals, n1 : n0 as s1 : s0 with
s = sqrt((1 - p) / p) and p the pilot's posterior mean, which is near the best. A pilot may pay
where guesses are wide; if they are sharp, it can only tell what is known. Since widths near the
best split are flat, a few percent of width is what there is to gain.

Curves of what samples promise, over splits of one budget and over budgets.

They are Webber's (2013) Figures 15 to 17 for any corpus, any guess and any method that plans have.
The figures show ``width_at_expected_counts``; ``expected_width`` is beside it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Required, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from ..errors import ParameterError
from ..results import PlannedSample, RecallPlan, Results
from ..validation import Alternative, as_list, check_choice, check_fraction
from .recall_allocation import (
    SPLITS,
    TOLERANCE,
    Allocation,
    assurance_of,
    best_allocation,
    budget_for,
    criterion_of,
    recall_height,
    sizes_at,
    width_height,
)
from .recall_assumptions import (
    ASSURANCE,
    Setting,
    Targets,
    checked_budget,
    checked_setting,
    checked_targets,
)
from .recall_widths import (
    POSTERIOR_METHOD,
    Analysis,
    Future,
    GuessedOutlook,
    PilotOutlook,
    Sizes,
    crossed,
    gauss_points,
    hypergeometric_counts,
    interval_ends,
    likely_samples,
    planned_sample,
    weighted_mean,
)


def plan_recall(
    *,
    corpus_size: int,
    retrieved_size: int,
    n_relevant: Any = None,
    prevalence: Any = None,
    recall: Any = None,
    budget: int | None = None,
    split: float | None = None,
    retrieved_sample: int | None = None,
    unretrieved_sample: int | None = None,
    interval_width: float | None = None,
    recall_at_least: float | None = None,
    assurance: float | None = ASSURANCE,
    pilot: Any = None,
    pilot_fraction: float | None = None,
    method: str = POSTERIOR_METHOD,
    prior: Any = None,
    confidence_level: float = 0.95,
    alternative: Alternative | None = None,
    cap_at_one: bool = True,
) -> RecallPlan:
    """Return the number of documents to assess in the retrieved set and outside of it.

    A guess is a number, a (low, high) range of equally likely values, or several (value, weight).
    With ranges, widths are expected over them. Nothing is drawn at random.

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
        Both sizes, in place of ``budget`` and ``split``.
    interval_width
        The maximum expected width of the interval; the smallest budget for it is found.
    recall_at_least
        The smallest budget is found, if none is given, with which the interval's lower end reaches
        this recall with a probability of ``assurance``. The interval then has a lower end only,
        unless ``alternative`` says otherwise.
    assurance
        See above; None plans for the expected lower end.
    pilot
        Counts of a sample that is assessed already, ``((sampled, relevant), (sampled, relevant))``
        of the retrieved documents and of the others. It replaces guesses and counts towards the
        budget.
    pilot_fraction
        The fraction of the budget for a future pilot, after which the rest is split by its counts.
    method, prior, confidence_level, alternative
        The interval: ``"beta-binomial"`` with its prior, ``"normal"``, ``"laplace"`` or
        ``"agresti-coull"``.
    cap_at_one
        Raise the upper end to 1 where the unretrieved sample holds nothing relevant. Without this,
        a plan may advise to assess next to nothing there, for a narrow interval without meaning.

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
    setting = checked_setting(
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
    )
    targets = checked_targets(
        setting,
        budget=budget,
        split=split,
        retrieved_sample=retrieved_sample,
        unretrieved_sample=unretrieved_sample,
        interval_width=interval_width,
        recall_at_least=recall_at_least,
        assurance=assurance,
        pilot_fraction=pilot_fraction,
    )
    return _plan(setting, targets)


def _plan(setting: Setting, targets: Targets) -> RecallPlan:
    analysis, outlook, wish = setting.analysis, setting.outlook, targets.recall_at_least
    sample, allocation = _chosen(setting, targets)
    reached = None
    if wish is not None:
        sizes = sample.retrieved_sample, sample.unretrieved_sample
        reached = assurance_of(analysis, outlook, sizes, wish)
    return RecallPlan(
        population=setting.corpus_size,
        retrieved=setting.retrieved_size,
        yield_guess=setting.yield_guess,
        recall_guess=setting.recall_guess,
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
        recall_at_least=wish,
        wanted_assurance=None if wish is None else targets.assurance,
        assurance=reached,
        curve=allocation.curve,
        **_phases(setting, targets, sample),
    )


def _chosen(setting: Setting, targets: Targets) -> tuple[PlannedSample, Allocation]:
    """The sample to assess, among other splits of its budget."""
    analysis, outlook, criterion = setting.analysis, setting.outlook, criterion_of(setting.analysis)
    if targets.budget is not None:
        allocation = best_allocation(analysis, outlook, targets.budget, criterion)
        if targets.split is None:
            return allocation.best, allocation
        sizes = sizes_at(outlook, targets.budget, targets.split)
        return planned_sample(analysis, outlook, sizes), allocation
    sizes = _sizes_for_wish(setting, targets)
    sample = planned_sample(analysis, outlook, sizes)
    allocation = best_allocation(analysis, outlook, sum(sizes), criterion)
    if targets.split is None:  # its split was the best, found more closely than here
        allocation = replace(allocation, best=sample)
    return sample, allocation


def _sizes_for_wish(setting: Setting, targets: Targets) -> Sizes:
    analysis, outlook = setting.analysis, setting.outlook
    if targets.interval_width is not None:
        height = width_height(analysis, outlook, targets.interval_width)
        return budget_for(
            height, analysis, outlook, targets.split, f"a width of {targets.interval_width:g}"
        )
    assert targets.recall_at_least is not None
    height = recall_height(analysis, outlook, targets.recall_at_least, targets.assurance)
    chance = "" if targets.assurance is None else f" with a chance of {targets.assurance:g}"
    wish = f"a recall of at least {targets.recall_at_least:g}{chance}"
    return budget_for(height, analysis, outlook, targets.split, wish)


def _phases(setting: Setting, targets: Targets, sample: PlannedSample) -> dict[str, Any]:
    """What a pilot, done or to come, has to do with it."""
    analysis, outlook = setting.analysis, setting.outlook
    if isinstance(outlook, PilotOutlook):
        counts = tuple(zip(outlook.least, outlook.relevant, strict=True))
        found: dict[str, Any] = {"pilot": counts, "two_phase_width": sample.expected_width}
        if sum(outlook.least):
            as_before = outlook.least[0] / sum(outlook.least)
            sizes = sizes_at(outlook, sample.budget, as_before)
            found["one_phase_width"] = planned_sample(analysis, outlook, sizes).expected_width
        return found
    if targets.pilot_fraction is None:
        return {}
    assert isinstance(outlook, GuessedOutlook)
    pilot = sizes_at(outlook, max(2, round(targets.pilot_fraction * sample.budget)), sample.split)
    return {
        "pilot_sample": pilot,
        "two_phase_width": two_phase_width(analysis, outlook, pilot, sample.budget),
        "one_phase_width": sample.expected_width,
    }


Floats = NDArray[np.float64]

POINTS = 4  # of a segment, in the pilot and in the rest


def two_phase_width(
    analysis: Analysis, outlook: GuessedOutlook, pilot: Sizes, budget: int
) -> float:
    """The expected width at the end, if the rest is allocated after a pilot of these sizes."""
    widths, weights = [], []
    for guess, weight in zip(outlook.guesses.relevant, outlook.guesses.weights, strict=True):
        first = [
            gauss_points(*hypergeometric_counts(size, of, n), POINTS)
            for size, of, n in zip(outlook.size, guess.tolist(), pilot, strict=True)
        ]
        for seen, chance in zip(*crossed(first[0], first[1]), strict=True):
            widths.append(_width_after(analysis, outlook.size, guess, pilot, seen, budget))
            weights.append(weight * chance)
    return weighted_mean(np.array(widths), np.array(weights))


def reallocated(analysis: Analysis, size: Sizes, pilot: Sizes, seen: Floats, budget: int) -> Sizes:
    """Samples of both segments, pilot and rest together, by the rule for normal intervals."""
    needs = []
    for place, (alpha, beta) in enumerate(analysis.priors(size, pilot)):
        share = (seen[place] + alpha) / (pilot[place] + alpha + beta)
        needs.append(math.sqrt((1 - share) / share))
    least = max(pilot[0], budget - size[1])
    most = min(size[0], budget - pilot[1])
    retrieved = min(max(round(budget * needs[0] / sum(needs)), least), most)
    return retrieved, budget - retrieved


def _width_after(
    analysis: Analysis, size: Sizes, guess: Floats, pilot: Sizes, seen: Floats, budget: int
) -> float:
    """The expected width after a pilot that has shown so many relevant documents."""
    sampled = reallocated(analysis, size, pilot, seen, budget)
    rest = []
    for place in (0, 1):
        counts, masses = hypergeometric_counts(
            size[place] - pilot[place],
            max(guess[place] - seen[place], 0.0),
            sampled[place] - pilot[place],
        )
        rest.append((counts + seen[place], masses))
    samples, weights = likely_samples([Future(1.0, rest[0], rest[1])], POINTS)
    low, high = interval_ends(analysis, size, sampled, samples)
    return weighted_mean(high - low, weights)


CRITERIA = ("expected-width", "expected-counts")


class SettingOptions(TypedDict, total=False):
    """What is supposed and which interval is meant; as for ``plan_recall``."""

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
    splits: Iterable[float] | None = None, *, budget: int, **options: Unpack[SettingOptions]
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
    setting = checked_setting(**options)
    chosen = SPLITS if splits is None else as_list(splits)
    shares = [check_fraction("splits", split) for split in chosen]
    number = checked_budget(setting, budget)
    sizes = {sizes_at(setting.outlook, number, share) for share in shares}
    return Results(planned_sample(setting.analysis, setting.outlook, one) for one in sorted(sizes))


def widths_by_budget(
    budgets: Iterable[int],
    *,
    split: float | None = None,
    criterion: str | None = None,
    **options: Unpack[SettingOptions],
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
    setting = checked_setting(**options)
    by_counts = None
    if criterion is not None:
        check_choice("criterion", criterion, CRITERIA)
        by_counts = criterion == "expected-counts"
    if split is not None:
        split = check_fraction("split", split)
    sizes = [checked_budget(setting, budget) for budget in as_list(budgets)]
    if not sizes:
        raise ParameterError("budgets must be one or more whole numbers; got none")
    return Results(_at_budget(setting, budget, split, by_counts) for budget in sizes)


def _at_budget(
    setting: Setting, budget: int, split: float | None, by_counts: bool | None
) -> PlannedSample:
    if split is not None:
        sizes = sizes_at(setting.outlook, budget, split)
        return planned_sample(setting.analysis, setting.outlook, sizes)
    criterion = criterion_of(setting.analysis, by_counts)
    return best_allocation(setting.analysis, setting.outlook, budget, criterion).best
