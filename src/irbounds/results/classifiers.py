"""AP and ROC AUC of classifiers on one test set, and their differences on the same rows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from ..presentation.column_roles import Column, Count, Key, PValue, Warnings
from ..presentation.phrases import (
    SIDES,
    describe_draws,
    describe_interval,
    group_by_measure,
    half_width,
    join_caption,
    join_names,
    meaningful_ends,
    pluralise,
)
from ..presentation.registry import Presentation, View, present
from ..presentation.rounding import (
    decimals,
    describe_p,
    error_level,
    fixed,
    percent,
    significant,
    small_p,
)
from .interval import Adjustable, Interval, Limits
from .result import InputFile, Result

MAX_NAMED = 3  # classifiers that share the highest value, in a sentence


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
    #: the probability that a random ranking of these rows scores as high; NaN with ties in their
    #: best order
    p_value: Annotated[float, Column("p-value", "p", text=lambda score, _: score.p_text)]
    n: Annotated[int, Column("count", "rows", name="n_rows")]
    n_positive: Count
    #: the mean of random rankings in the population
    prevalence: float
    #: ``"threshold"``, ``"trec"``, ``"expected"``, ``"worst"`` or ``"best"``
    ties: str
    #: rows that share their score with another row
    n_tied: Count
    #: whether the number of positives is fixed
    stratified: bool
    limits: Limits = field(repr=False)
    #: the values on resampled rows, for a method that has them
    distribution: NDArray[np.float64] | None = field(default=None, repr=False)
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
    ties: str
    stratified: bool
    #: how many differences of this measure were adjusted for
    n_comparisons: Count
    limits: Limits = field(repr=False)
    distribution: NDArray[np.float64] | None = field(default=None, repr=False)
    n_resamples: int | None = None
    seed: int | None = None
    inputs: tuple[InputFile, ...] = field(default=(), repr=False)
    warnings: Warnings = field(default=(), repr=False)

    bounds = (-1.0, 1.0)

    @property
    def is_significant(self) -> bool:
        """Whether the adjusted p-value is at most one minus the interval's level."""
        return self.adjusted_p_value <= error_level(self.interval.confidence_level)


TIE_WORDS = {
    "trec": "ties by id",
    "expected": "mean over all orders of ties",
    "worst": "ties in their worst order",
    "best": "ties in their best order",
}


def _rows_of(first: ClassifierScore | ClassifierDifference) -> str:
    positive = f"{first.n_positive:,} of them positive"
    return f"{pluralise(first.n, 'row')}, {positive}"


def _describe_ties(first: ClassifierScore | ClassifierDifference) -> str:
    return TIE_WORDS.get(first.ties, "") if first.measure == "AP" else ""


def _with_interval(results: Sequence[ClassifierScore | ClassifierDifference], whose: str) -> str:
    """Return ``with its 95 % logit t interval``, or that no result has an interval."""
    if all(math.isnan(result.interval.low) for result in results):
        return f"without {SIDES[results[0].interval.alternative]}s"
    return f"with {whose} {describe_interval(results[0].interval)}"


def _score_title(scores: Sequence[ClassifierScore], view: View) -> str:
    first = scores[0]
    return f"{first.measure} on {_rows_of(first)}, {_with_interval(scores, 'its')}"


def _score_caption(scores: Sequence[ClassifierScore]) -> str:
    first = scores[0]
    return join_caption(
        "chance: mean of random rankings of these rows; p: of a value as high at random",
        "prevalence fixed" if first.stratified else "",
        _describe_ties(first),
        describe_draws(first.n_resamples, "resamples", first.seed),
    )


def _score_sentences(scores: Sequence[ClassifierScore], view: View) -> list[str]:
    """Return one sentence per measure about its best classifier."""
    return [_score_sentence(family, view) for family in group_by_measure(scores)]


def _score_sentence(family: Sequence[ClassifierScore], view: View) -> str:
    best = max(family, key=lambda score: score.value)
    width = half_width(best.value, best.interval)
    places = (decimals(width) if view.digits is None else view.digits) if width > 0 else 3
    chance = f"chance level {fixed(best.chance, places)}"
    names = [score.classifier for score in family if math.isclose(score.value, best.value)]
    if len(names) > 1:  # their intervals can differ
        who = join_names(names) if len(names) <= MAX_NAMED else f"{len(names):,} classifiers"
        value = fixed(best.value, places)
        return f"{best.measure}: {who} have the same highest value: {value}, {chance}."
    limits = " to ".join(fixed(x, places) for x in meaningful_ends(best.interval))
    which = "" if len(family) == 1 else f"{best.classifier} has the highest value: "
    words = f"{percent(best.interval.confidence_level)} {SIDES[best.interval.alternative]} {limits}"
    interval = "no interval" if math.isnan(width) else words
    p = "" if math.isnan(best.p_value) else f", {describe_p(best.p_value)}"
    return f"{best.measure}: {which}{fixed(best.value, places)}, {interval}, {chance}{p}."


def _difference_title(differences: Sequence[ClassifierDifference], view: View) -> str:
    first = differences[0]
    whose = "their" if first.n_comparisons == 1 else "their individual"
    return (
        f"{first.measure}: differences on the same {_rows_of(first)}, "
        f"{_with_interval(differences, whose)}"
    )


def _difference_caption(differences: Sequence[ClassifierDifference]) -> str:
    first = differences[0]
    return join_caption(
        "p: t test of the difference"
        + (
            f", Holm's adjustment for {first.n_comparisons} comparisons"
            if first.n_comparisons > 1
            else ""
        ),
        "prevalence fixed" if first.stratified else "",
        _describe_ties(first),
        describe_draws(first.n_resamples, "resamples", first.seed),
    )


def _difference_sentences(differences: Sequence[ClassifierDifference], view: View) -> list[str]:
    """Return one sentence per measure: which differences are significant."""
    return [_difference_sentence(family) for family in group_by_measure(differences)]


def _difference_sentence(family: Sequence[ClassifierDifference]) -> str:
    first, m = family[0], len(family)
    n = sum(difference.is_significant for difference in family)
    unknown = sum(math.isnan(difference.adjusted_p_value) for difference in family)
    level = f"{significant(error_level(first.interval.confidence_level) * 100, 3)} % level"
    a, b = first.classifier, first.baseline
    if m > 1:
        untested = f"; no test for {unknown:,} of {m:,}" if unknown else ""
        words = f"{n:,} of {m:,} differences are significant{untested} ({level}, Holm's adjustment)"
    elif unknown:
        words = f"no test for {a} and {b}"
    elif n:
        side = "higher" if first.value > 0 else "lower"
        words = f"{a} scores significantly {side} than {b} ({level})"
    else:
        words = f"{a} and {b} do not differ significantly ({level})"
    return f"{first.measure}: {words}."


present(
    ClassifierScore,
    Presentation(
        "Classifiers on one test set",
        columns=("classifier", "value", "interval", "chance_level", "p_value"),
        title=_score_title,
        caption=_score_caption,
        order=lambda score: -score.value,
        spare=("p", "chance"),
        sentences=_score_sentences,
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
        sentences=_difference_sentences,
        figures=("classifier_plots:draw_classifier_differences",),
        topics=lambda differences: ["classifier-difference"],
        label="differences",
    ),
)
