"""AP and ROC AUC of classifiers on one test set, and their differences on the same rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..intervals.ranked_rows import (
    BOOTSTRAPS,
    MEASURES,
    MIN_ROWS,
    RankedRows,
    Statistic,
    fit_difference,
    fit_limits,
    rank_rows,
)
from ..presentation.rounding import percentage
from ..reading.labelled_rows import LabelledRows
from ..resampling.row_bootstrap import bootstrap_rows
from ..results import ClassifierDifference, ClassifierScore, InputFile, Interval
from ..results.interval import Limits, compute_interval
from ..validation import Alternative, Progress
from .adjustments import holm

FEW_ROWS = 10  # of a class; fewer have a warning
MEASURE_NAMES = tuple(MEASURES)
FALSE_ALARMS = 0.05  # a p-value below it is significant
#: effects of tied rows on the p-value of AP, by the rule for ties; others have none
TIE_EFFECTS = {
    "threshold": "p is too large",
    "worst": "p is too large",
    "best": "there is no p-value with ties in their best order",
}


@dataclass(frozen=True)
class ClassifierOptions:
    """How classifiers are scored and their intervals are made."""

    method: str
    confidence_level: float
    alternative: Alternative
    ties: str
    stratified: bool
    n_resamples: int
    seed: int
    baseline: str | None = None


@dataclass(frozen=True)
class Chance:
    """The chance level of a measure on the rows, and the p-value of each classifier."""

    level: float
    p_values: Sequence[float]
    #: random rankings behind the p-values; None for none
    n_draws: int | None = None


#: returns the chance level of a measure, from the rows and the values of all classifiers
FindChance = Callable[[str, LabelledRows, Sequence[float]], Chance]


def estimate_classifiers(
    rows: LabelledRows,
    options: ClassifierOptions,
    find_chance: FindChance,
    *,
    measures: Sequence[str] = MEASURE_NAMES,
    inputs: tuple[InputFile, ...] = (),
    progress: Progress | None = None,
) -> list[Any]:
    """Return the scores of all classifiers by each measure, then their differences."""
    ranked = [
        rank_rows(rows.labels, scores, options.ties, rows.ids) for scores in rows.scores.values()
    ]
    is_drawn = options.method in BOOTSTRAPS
    resamples = _bootstrap(rows, ranked, options, progress) if is_drawn else None
    families = [
        _Family(
            measure,
            options,
            rows,
            ranked,
            [MEASURES[measure](rows.labels, order) for order in ranked],
            None if resamples is None else resamples[MEASURE_NAMES.index(measure)],
            find_chance,
            inputs,
        )
        for measure in measures
    ]
    return [
        *(score for family in families for score in family.make_scores()),
        *(difference for family in families for difference in family.make_differences()),
    ]


@dataclass(frozen=True)
class _Family:
    """The values of one measure, by classifier, from which results are made."""

    measure: str
    options: ClassifierOptions
    rows: LabelledRows
    ranked: Sequence[RankedRows]
    statistics: Sequence[Statistic]
    #: classifier x resample
    resamples: NDArray[np.float64] | None
    find_chance: FindChance
    inputs: tuple[InputFile, ...]

    @property
    def names(self) -> list[str]:
        return list(self.rows.scores)

    @property
    def is_fixed(self) -> bool:
        """Whether the variance is for a fixed prevalence, on which ROC AUC does not depend."""
        return self.options.stratified or self.measure == "ROC AUC"

    @property
    def shared(self) -> dict[str, Any]:
        """The fields that scores and differences have in common."""
        return {
            "measure": self.measure,
            "n": len(self.rows.labels),
            "n_positive": int(np.count_nonzero(self.rows.labels)),
            "ties": self.options.ties,
            "stratified": self.options.stratified,
            "n_resamples": None if self.resamples is None else self.options.n_resamples,
            "inputs": self.inputs,
        }

    def make_interval(self, limits: Limits, bounds: tuple[float, float]) -> Interval:
        level, side = self.options.confidence_level, self.options.alternative
        return compute_interval(limits, level, side, bounds)

    def make_scores(self) -> list[ClassifierScore]:
        """Return a score per classifier."""
        options, shared = self.options, self.shared
        values_here = [statistic.value for statistic in self.statistics]
        chance = self.find_chance(self.measure, self.rows, values_here)
        scores = []
        for k, (name, statistic) in enumerate(zip(self.names, self.statistics, strict=True)):
            values = None if self.resamples is None else self.resamples[k]
            limits = fit_limits(statistic, options.method, is_fixed=self.is_fixed, resamples=values)
            interval = self.make_interval(limits, ClassifierScore.bounds)
            has_p = options.ties != "best" or not self._has_ties(k)
            n_draws = chance.n_draws if has_p else None
            is_drawn = values is not None or n_draws is not None
            scores.append(
                ClassifierScore(
                    classifier=name,
                    value=statistic.value,
                    interval=interval,
                    chance=chance.level,
                    p_value=chance.p_values[k] if has_p else math.nan,
                    prevalence=shared["n_positive"] / shared["n"],
                    n_tied=self.ranked[k].n_tied,
                    limits=limits,
                    distribution=values,
                    n_draws=n_draws,
                    seed=options.seed if is_drawn else None,
                    warnings=(
                        *self._warn_of_interval(name, interval),
                        *self._warn_of_ties(name, k, chance.p_values[k]),
                    ),
                    **shared,
                )
            )
        return scores

    def make_differences(self) -> list[ClassifierDifference]:
        """Return a difference per pair of classifiers, or per classifier and the baseline."""
        names, options = self.names, self.options
        pairs = list(combinations(range(len(names)), 2))
        if options.baseline is not None:
            other = names.index(options.baseline)
            pairs = [(k, other) for k in range(len(names)) if k != other]
        statistics = [self.statistics[k] - self.statistics[other] for k, other in pairs]
        fitted = [fit_difference(statistic, is_fixed=self.is_fixed) for statistic in statistics]
        adjusted = holm(np.array([limits.p_value for limits in fitted])).tolist()
        differences = []
        for k, (first, second) in enumerate(pairs):
            values = None
            limits: Limits = fitted[k]
            if self.resamples is not None:
                values = self.resamples[first] - self.resamples[second]
                limits = fit_limits(
                    statistics[k], options.method, is_fixed=self.is_fixed, resamples=values
                )
            interval = self.make_interval(limits, ClassifierDifference.bounds)
            pair = f"{names[first]} - {names[second]}"
            differences.append(
                ClassifierDifference(
                    classifier=names[first],
                    baseline=names[second],
                    value=statistics[k].value,
                    interval=interval,
                    standard_error=fitted[k].error,
                    p_value=fitted[k].p_value,
                    adjusted_p_value=adjusted[k],
                    n_comparisons=len(pairs),
                    limits=limits,
                    distribution=values,
                    seed=None if values is None else options.seed,
                    warnings=self._warn_of_interval(pair, interval, fitted[k].p_value),
                    **self.shared,
                )
            )
        return differences

    def _warn_of_interval(
        self, name: str, interval: Interval, p_value: float = 0.0
    ) -> tuple[str, ...]:
        """Return a warning where a class has few rows, or where there is no interval or test."""
        n_positive = int(np.count_nonzero(self.rows.labels))
        n_negative = len(self.rows.labels) - n_positive
        what, n = ("negative", n_negative) if n_negative < n_positive else ("positive", n_positive)
        if n < MIN_ROWS:
            return (
                f"one {what} row: there is no interval, and no test of a difference; it takes two "
                "rows of each class",
            )
        warnings = []
        if n < FEW_ROWS:
            warnings.append(
                f"{n} {what} rows: intervals are long, and their level is not assured; it takes "
                f"{FEW_ROWS} rows of each class"
            )
        if math.isnan(p_value):
            warnings.append(f"{name}: both order the rows alike, so that there is no test")
        elif math.isnan(interval.low):
            reason = (
                "its values on resampled rows are all equal, or all on one side of its value"
                if self.resamples is not None
                else "its value is at a bound"
            )
            warnings.append(
                f"{name}, {self.measure}: no {interval.method} interval, since {reason}"
            )
        return tuple(warnings)

    def _has_ties(self, k: int) -> bool:
        """Return whether the rule for ties decides the value of a classifier."""
        return self.measure == "AP" and self.ranked[k].n_tied > 0

    def _warn_of_ties(self, name: str, k: int, p_value: float) -> tuple[str, ...]:
        """Return a warning where the rule for ties makes p wrong, which is of untied rankings.

        A p-value that is too large needs none where it is significant all the same.
        """
        effect = TIE_EFFECTS.get(self.options.ties)
        is_significant = self.options.ties != "best" and p_value < FALSE_ALARMS
        if effect is None or is_significant or not self._has_ties(k):
            return ()
        fraction = percentage(self.ranked[k].n_tied / len(self.rows.labels), 1)
        return (
            f"{name}: {fraction} of the rows are tied, so {effect}; use ties='expected' or --ties "
            "expected",
        )


def _bootstrap(
    rows: LabelledRows,
    ranked: Sequence[RankedRows],
    options: ClassifierOptions,
    progress: Progress | None,
) -> NDArray[np.float64]:
    return bootstrap_rows(
        rows.labels,
        [order.order for order in ranked],
        [order.ends for order in ranked],
        [order.score_ends for order in ranked],
        n_resamples=options.n_resamples,
        seed=options.seed,
        is_stratified=options.stratified,
        is_expected=options.ties == "expected",
        progress=progress,
    )
