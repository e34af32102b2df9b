"""Means over queries with their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..presentation.column_roles import Column, Count, Key
from ..presentation.phrases import describe_draws, describe_interval, pluralise_queries
from ..presentation.registry import Presentation, View, present
from .interval import Adjustable, Interval, Limits
from .result import InputFile, Result

if TYPE_CHECKING:
    pass

FEW_QUERIES = 10  # fewer are too few to trust small differences


@dataclass(frozen=True, eq=False)
class Estimate(Adjustable, Result):
    """A mean over queries with its interval."""

    measure: Key
    system: Key
    #: the mean
    value: Annotated[float, Column(heading="mean", name="mean")]
    interval: Interval
    standard_error: float
    #: how many queries it is a mean of
    n: Count
    limits: Limits = field(repr=False)
    #: bootstrap means, for a method that has them; systems share their resamples, in this order
    distribution: NDArray[np.float64] | None = field(default=None, repr=False)
    #: bootstrap means that the method had to leave out
    n_dropped: int = 0
    #: what ``rng`` to give to have the same again
    seed: int | None = None
    #: how queries were drawn again: as many as there are, each by a Poisson number of its own, or
    #: not at all
    weights: Literal["multinomial", "poisson"] | None = field(default=None, repr=False)
    #: names and fingerprints of what was read
    inputs: tuple[InputFile, ...] = field(default=(), repr=False)

    @property
    def n_resamples(self) -> Annotated[int | None, Column("count")]:
        """The number of bootstrap means; None for a method that has none."""
        return None if self.distribution is None else len(self.distribution)


def best_first(result: Any) -> tuple[float, str]:
    """Return the key by which rows are sorted: highest value first, then by name."""
    return -result.value, result.system or ""


def _title(rows: Sequence[Estimate], view: View) -> str:
    first = rows[0]
    words = describe_interval(first.interval)
    return f"{first.measure}: mean over {pluralise_queries(first.n, view.queries)} with its {words}"


def _caption(rows: Sequence[Estimate]) -> str:
    first = rows[0]
    how = " by Poisson weights" if first.weights == "poisson" else ""
    return describe_draws(first.n_resamples, f"resamples of the queries{how}", first.seed)


def _topics(rows: Sequence[Estimate]) -> list[str]:
    return ["mean-interval", *(one.interval.method for one in rows)]


def describe_few_queries(n: int) -> list[str]:
    """Return a sentence where there are too few queries to trust small differences."""
    if n >= FEW_QUERIES:
        return []
    verb = "is" if n == 1 else "are"
    return [f"{pluralise_queries(n)} {verb} too few to trust small differences."]


def conclude_means(estimates: Sequence[Estimate], view: View) -> list[str]:
    """Return what the intervals show and do not show, and the command that shows more."""
    kind = "interval" if estimates[0].interval.alternative == "two-sided" else "limit"
    if len({one.system for one in estimates}) > 1:
        shown = (
            "Overlapping intervals do not show that systems are equal"
            if kind == "interval"
            else "Limits of single systems do not show which system is better"
        )
        said = f"{shown}: `irbounds compare` tests the differences on the same queries."
    else:
        is_one = len(estimates) == 1
        said = (
            f"The {kind if is_one else f'{kind}s'} {'is' if is_one else 'are'} about other queries "
            "of the same kind, with the same documents and judgments: `irbounds corpus` varies the "
            "documents."
        )
    return [" ".join((said, *describe_few_queries(min(one.n for one in estimates))))]


present(
    Estimate,
    Presentation(
        "Means with intervals",
        columns=("system", "mean", "interval"),
        title=_title,
        caption=_caption,
        group=lambda one: (one.measure, one.interval.method),
        order=best_first,
        conclusion=conclude_means,
        figures=("mean_plots:draw_means",),
        topics=_topics,
    ),
)


def warn_unknown_bounds(estimates: Sequence[Estimate]) -> list[str]:
    """Return a warning per measure whose default is Student t because its bounds are not known."""
    measures = dict.fromkeys(
        e.measure
        for e in estimates
        if e.interval.method == "student-t" and not e.measure.startswith("z(")
    )
    return [
        f"the bounds of {measure} are not known, so Student t: name the measure (AP=FILE) or give "
        "--bounds for studentised-logit, which is better with few queries"
        for measure in measures
    ]
