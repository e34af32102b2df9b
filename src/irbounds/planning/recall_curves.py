"""Curves of what samples promise, over splits of one budget and over budgets.

They are Webber's (2013) Figures 15 to 17 for any corpus, any guess and any method that plans have.
The figures show ``width_at_expected_counts``; ``expected_width`` is beside it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Required, TypedDict, Unpack

from ..errors import ParameterError
from ..parameters import Alternative, as_list, check_choice, check_fraction
from ..results import PlannedSample, Results
from .recall_allocation import SPLITS, best_allocation, criterion_of, sizes_at
from .recall_setting import Setting, checked_budget, checked_setting
from .recall_widths import planned_sample

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
