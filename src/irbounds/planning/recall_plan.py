"""How many documents to assess for an interval of recall, and where.

Width depends on the size of the sample, on its split between retrieved and other documents, and on
what cannot be known beforehand: how many relevant documents there are, and how many of them were
retrieved. A plan supposes these, as numbers or as ranges, and works out what a sample promises,
which split of a budget is best, how little another one would cost, and how large a sample a wish
takes. Nothing is drawn at random: the same question has the same answer.

Reference: Webber (2013), sections 4.3 and 5.1.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..parameters import Alternative
from ..results import PlannedSample, RecallPlan
from .recall_allocation import (
    TOLERANCE,
    Allocation,
    best_allocation,
    criterion_of,
    sizes_at,
)
from .recall_outlook import GuessedOutlook, PilotOutlook
from .recall_phases import two_phase_width
from .recall_setting import ASSURANCE, Setting, Targets, checked_setting, checked_targets
from .recall_targets import assurance_of, budget_for, recall_height, width_height
from .recall_widths import POSTERIOR_METHOD, Sizes, planned_sample


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
