"""What queries can show: of pairs of systems, of a mean and of several systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from ..presentation.column_roles import Column, Count, Key
from ..presentation.phrases import pluralise_queries
from ..presentation.registry import Presentation, View, present
from ..presentation.rounding import (
    FRACTION_DECIMALS,
    decimals_of_column,
    fixed,
    format_setting,
    percent,
    significant,
)
from ..validation import Alternative, Anova
from .result import Result

RELIABILITY = 0.95  # whose number of queries is computed


@dataclass(frozen=True)
class QueryPlan(Result):
    """Detectable difference and required queries, for one pair, for all pairs or for one mean."""

    measure: Key
    #: ``"pair"``: two systems; ``"typical"`` and ``"hardest"``: the median and the largest standard
    #: deviation of all pairs; ``"mean"``: one system's mean, its difference that from a fixed value
    kind: str
    #: which pair, which summary of all pairs, or which system
    pair: Annotated[str, Column("key")]
    #: how many queries there are now
    n: Count
    #: of the differences, or of one system's scores
    standard_deviation: Annotated[float, Column(heading="sd")]
    confidence_level: float
    alternative: Alternative
    power: float
    #: the smallest true difference that n queries detect with this power
    detectable_difference: Annotated[float, Column(heading="detectable")]
    #: half the width of the interval that n queries give, two-sided
    half_width: float
    #: the number of queries that detect ``difference`` with this power; None without one
    difference: float | None
    queries_for_difference: Annotated[int | None, Column("count", "n for difference")]
    #: the number of queries for ``wanted_half_width``; None without one
    wanted_half_width: float | None
    queries_for_half_width: Annotated[int | None, Column("count", "n for half width")]
    #: Erho2 of the differences of all systems with n queries; None for one system
    reliability: float | None
    #: the number of queries for a reliability of 0.95; None where no number is enough
    queries_for_reliability: int | None


@dataclass(frozen=True)
class SystemsPlan(Result):
    """Detectable difference of the best and the worst of several systems, and required queries."""

    measure: Key
    #: ``"one-way"``: systems with separate queries; ``"two-way"``: systems on the same queries
    anova: Annotated[Anova, Column("key", "ANOVA")]
    n_systems: Count
    #: how many queries there are now; None for a plan from a given variance
    n: Annotated[int | None, Column("count")]
    #: of the scores of a system (one-way), or of the residuals of systems and queries (two-way)
    variance: Annotated[float, Column(text=lambda plan, _: significant(plan.variance, 3))]
    confidence_level: float
    power: float
    #: the smallest true difference of the best and the worst system that n queries detect
    detectable_difference: Annotated[float | None, Column(heading="detectable")]
    #: the number of queries that detect ``difference`` with this power; None without one
    difference: float | None
    queries_for_difference: Annotated[int | None, Column("count", "n for difference")]


def _choose_known(plans: Sequence[QueryPlan | SystemsPlan], *names: str) -> list[str]:
    """Return the names of the fields that have a value."""
    return [name for name in names if getattr(plans[0], name) is not None]


def _places(plans: Sequence[QueryPlan | SystemsPlan]) -> int:
    return decimals_of_column(plan.detectable_difference or 0 for plan in plans)


def _title(plans: Sequence[QueryPlan | SystemsPlan], view: View) -> str:
    first = plans[0]
    measure = f"{first.measure}: " if first.n else ""
    sizes = {"difference": first.difference}
    about = side = ""
    if isinstance(first, SystemsPlan):
        about = f" about {first.n_systems:,} systems"
    else:
        sizes["half width"] = first.wanted_half_width
        if first.alternative != "two-sided":
            side = f", alternative {first.alternative}"
    settings = (f", {name} {format_setting(size)}" for name, size in sizes.items() if size)
    level = f"{percent(first.power)} power at the {percent(first.confidence_level)} level"
    return f"{measure}what queries can show{about} with {level}{side}{''.join(settings)}"


def _caption(plans: Sequence[QueryPlan]) -> str:
    first = plans[0]
    what = "scores" if first.kind == "mean" else "differences"
    text = f"in one comparison planned beforehand; n: queries, sd: of the {what}"
    if first.reliability is None:
        return text
    n_enough = first.queries_for_reliability
    enough = "no number of queries is" if n_enough is None else f"{pluralise_queries(n_enough)} are"
    return (
        f"{text}; reliability of the {first.n:,} queries (Erho2): "
        f"{fixed(first.reliability, FRACTION_DECIMALS)}; {enough} enough for {RELIABILITY:g}"
    )


present(
    QueryPlan,
    Presentation(
        "Queries and what they can show",
        columns=lambda plans: _choose_known(
            plans,
            *("pair", "standard_deviation", "n", "detectable_difference", "half_width"),
            *("queries_for_difference", "queries_for_half_width"),
        ),
        title=_title,
        caption=_caption,
        places=_places,
        spare=("sd",),
        topics=lambda plans: ["query-plan"],
    ),
)
present(
    SystemsPlan,
    Presentation(
        "Queries and what they can show about several systems",
        columns=lambda plans: _choose_known(
            plans, "anova", "variance", "n", "detectable_difference", "queries_for_difference"
        ),
        title=_title,
        caption=lambda plans: (
            "difference of the best and the worst system, the others halfway between; one-way: "
            "variance of a system's scores; two-way: residual variance"
        ),
        places=_places,
        topics=lambda plans: ["query-plan"],
    ),
)
