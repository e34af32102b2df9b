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
    """What a budget promises in several splits: the curves of Figures 15 and 16.

    Splits are shares for the retrieved set; those that the segments do not allow are moved to the
    nearest that they do. Other arguments are those of ``plan_recall``. The paper draws
    ``width_at_expected_counts``, with ``cap_at_one=False``.
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
    """What several budgets promise, each at its best split or at a given one: Figure 17.

    ``criterion`` says what the best split makes small, ``"expected-width"`` or, as in the paper,
    the width at the ``"expected-counts"``. By default it is the first for ``beta-binomial`` and the
    second for the others, whose expected widths mislead. Other arguments are those of
    ``plan_recall``.
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
