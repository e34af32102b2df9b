"""AP and ROC AUC of classifiers on one test set, and their differences on the same rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated

from ..presentation.column_roles import Column, Count, Key, PValue, Warnings
from ..presentation.phrases import (
    describe_draws,
    describe_interval,
    join_caption,
    pluralise,
)
from ..presentation.registry import Presentation, View, present
from ..presentation.rounding import (
    significant,
    small_p,
)
from .interval import Adjustable, Interval, Limits
from .result import InputFile, Result


@dataclass(frozen=True, eq=False)
class ClassifierScore(Adjustable, Result):
    """AP or ROC AUC of a classifier on one test set, with its interval and its chance level."""

    classifier: Key
    #: ``"AP"`` or ``"ROC AUC"``
    measure: Key
    #: on this test set
    value: float
    #: of the population that the rows were drawn from
    interval: Interval
    #: the mean of random rankings of these rows
    chance: Annotated[float, Column(heading="chance", name="chance_level")]
    #: the probability that a random ranking of these rows scores as high
    p_value: Annotated[float, Column("p-value", "p", text=lambda score, _: score.p_text)]
    n: Annotated[int, Column("count", "rows", name="n_rows")]
    n_positive: Count
    #: the mean of random rankings in the population
    prevalence: float
    #: rows that share their score with another row
    n_tied: Count
    limits: Limits = field(repr=False)
    n_resamples: int | None = None
    #: random rankings behind the p-value; None for an exact one or a formula
    n_draws: int | None = None
    seed: int | None = None
    inputs: tuple[InputFile, ...] = field(default=(), repr=False)
    warnings: Warnings = field(default=(), repr=False)

    bounds = (0.0, 1.0)

    @property
    def p_text(self) -> str:
        """The p-value, with ``≤`` if it is the smallest that its draws allow."""
        if self.n_draws is not None and self.p_value <= 1 / (1 + self.n_draws):
            return f"\N{LESS-THAN OR EQUAL TO}{significant(self.p_value, 1)}"
        return small_p(self.p_value)


@dataclass(frozen=True, eq=False)
class ClassifierDifference(Adjustable, Result):
    """The difference of two classifiers on the same rows, with interval and t test."""

    measure: Key
    classifier: Key
    baseline: Annotated[str, Column("key", "minus")]
    #: classifier - baseline
    value: Annotated[float, Column(name="difference")]
    interval: Interval
    standard_error: float
    p_value: PValue
    adjusted_p_value: Annotated[float, Column("p-value", "adjusted p")]
    n: Annotated[int, Column("count", "rows", name="n_rows")]
    n_positive: Count
    #: how many differences of this measure were adjusted for
    n_comparisons: Count
    limits: Limits = field(repr=False)
    n_resamples: int | None = None
    seed: int | None = None
    inputs: tuple[InputFile, ...] = field(default=(), repr=False)
    warnings: Warnings = field(default=(), repr=False)

    bounds = (-1.0, 1.0)


def _describe_rows(first: ClassifierScore | ClassifierDifference) -> str:
    return f"{pluralise(first.n, 'row')}, {first.n_positive:,} of them positive"


def _score_title(scores: Sequence[ClassifierScore], view: View) -> str:
    first = scores[0]
    interval = describe_interval(first.interval)
    return f"{first.measure} on {_describe_rows(first)}, with its {interval}"


def _score_caption(scores: Sequence[ClassifierScore]) -> str:
    return join_caption(
        "chance: mean of random rankings of these rows; p: of a value as high at random",
        describe_draws(scores[0].n_resamples, "resamples", scores[0].seed),
    )


def _difference_title(differences: Sequence[ClassifierDifference], view: View) -> str:
    first = differences[0]
    whose = "their" if first.n_comparisons == 1 else "their individual"
    return (
        f"{first.measure}: differences on the same {_describe_rows(first)}, with {whose} "
        f"{describe_interval(first.interval)}"
    )


def _difference_caption(differences: Sequence[ClassifierDifference]) -> str:
    first = differences[0]
    m = first.n_comparisons
    return join_caption(
        "p: t test of the difference"
        + (f", Holm's adjustment for {m} comparisons" if m > 1 else ""),
        describe_draws(first.n_resamples, "resamples", first.seed),
    )


present(
    ClassifierScore,
    Presentation(
        "Classifiers on one test set",
        columns=("classifier", "value", "interval", "chance_level", "p_value"),
        title=_score_title,
        caption=_score_caption,
        order=lambda score: -score.value,
        spare=("p", "chance"),
        figures=("classifier_plots:draw_classifiers",),
        topics=lambda scores: ["classifier"],
        label="scores",
    ),
)
present(
    ClassifierDifference,
    Presentation(
        "Differences of classifiers",
        columns=("classifier", "baseline", "difference", "interval", "p_value", "adjusted_p_value"),
        title=_difference_title,
        caption=_difference_caption,
        order=lambda difference: -difference.value,
        spare=("p",),
        figures=("classifier_plots:draw_classifiers",),
        topics=lambda differences: ["classifier-difference"],
        label="differences",
    ),
)
