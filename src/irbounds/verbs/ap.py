"""``ap``: AP and ROC AUC of classifiers on one test set, with intervals and chance levels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from ..errors import ParameterError, quote
from ..presentation.registry import View, collect_warnings
from ..presentation.rounding import percentage
from ..requests.options import METHOD, AlternativeSide, Baseline, ConfidenceLevel, Resamples, Seed
from ..requests.request import Option, Request
from ..requests.verb import verb
from ..results.result import Answer
from ..validation import Alternative, Progress

if TYPE_CHECKING:
    from ..intervals.classifiers import RankedRows, Statistic
    from ..reading.labelled_rows import LabelledRows
    from ..resampling.seeds import SeedLike
    from ..results import ClassifierDifference, ClassifierScore, InputFile, Interval, Results
    from ..results.interval import Limits

ClassifierMethod = Literal["moderated-logit-t", "logit-t", "percentile", "basic", "bca"]
TestSetTies = Literal["threshold", "trec", "expected", "worst", "best"]

MEASURE_NAMES = ("AP", "ROC AUC")
FEW_ROWS = 10  # of a class; fewer have a warning
CHANCE_DRAWS = 9_999  # random rankings behind a p-value, and fewer of many positives
MIN_CHANCE_DRAWS = 999
MAX_CHANCE_RANKS = 2e7  # positives in all draws, about a second

Labels = Annotated[
    Any,
    Option(
        "Labels and scores of one test set: CSV, TSV, Parquet or -.",
        "A row per example, with a column label of 0 and 1 (or -1 and 1, false and true) and a "
        "column of scores per classifier, named by the header. In Python also a frame or a dict of "
        "columns.",
        metavar="LABELS",
        panel="Input",
        file="read",
        is_argument=True,
    ),
]
LabelColumn = Annotated[
    str | None,
    Option("Column of the labels.", metavar="NAME", panel="Input", default="label"),
]
ScoreColumns = Annotated[
    Sequence[str] | str | None,
    Option(
        "Columns of scores, one per classifier.",
        metavar="NAME,...",
        panel="Input",
        commas=True,
        default="all other columns of numbers",
    ),
]
IdColumn = Annotated[
    str | None,
    Option("Column of ids, which ties of trec need.", metavar="NAME", panel="Input"),
]
Positive = Annotated[
    str | None,
    Option(
        "Label of the positive class; all others are negative.",
        metavar="LABEL",
        panel="Input",
        default="1 or true",
    ),
]
TestSetTieRule = Annotated[
    TestSetTies,
    Option(
        "Rule for AP of rows of equal score.",
        "threshold: one step, as scikit-learn has it; trec: by id as trec_eval does; expected: the "
        "mean over all orders; worst and best: the extremes.",
        panel="Input",
    ),
]
Stratified = Annotated[
    bool,
    Option(
        "Take the fraction of positives as fixed.",
        "By default another test set would have another one. A stratified bootstrap resamples "
        "positives and negatives separately.",
    ),
]


@dataclass(frozen=True, kw_only=True)
class ApRequest(Request):
    """The options of ``ap``."""

    labels: Labels = field(kw_only=False)
    label: LabelColumn = None
    scores: ScoreColumns = None
    ids: IdColumn = None
    positive: Positive = None
    baseline: Baseline = None
    ties: TestSetTieRule = "threshold"
    stratified: Stratified = False
    method: Annotated[
        ClassifierMethod,
        replace(METHOD, more="percentile, basic and bca are bootstraps of rows.", commas=False),
    ] = "moderated-logit-t"
    confidence_level: ConfidenceLevel = 0.95
    alternative: AlternativeSide = "two-sided"
    n_resamples: Resamples = 9999
    seed: Seed = 0


@verb(
    ApRequest,
    group="Compare systems",
    docs="classifiers",
    shows=("table", "figure", "report", "top"),
    examples=(
        "irbounds ap labels.csv",
        "irbounds ap labels.csv --scores forest,logistic --method bca --stratified",
        "irbounds ap predictions.parquet --label churned --positive yes --baseline old",
    ),
)
def ap(request: ApRequest) -> Answer[Results[ClassifierScore | ClassifierDifference]]:
    """Show how sure the AP and ROC AUC of classifiers are.

    One test set without queries: a label and the scores of one or several classifiers per row. AP
    is that of scikit-learn. Each value has an interval for the population that the rows were drawn
    from, the chance level of the same number of rows and positives, and a p-value. Classifiers are
    compared on the same rows.

    Returns
    -------
    Results of ClassifierScore and ClassifierDifference
        For each measure, AP and ROC AUC, a score per classifier and a difference per pair:
        ``.value``, ``.interval``, ``.p_value``.

    Examples
    --------
    >>> import irbounds
    >>> rows = {"label": [1, 0, 1, 0, 1, 0, 0], "model": [0.9, 0.8, 0.7, 0.6, 0.5, 0.3, 0.2]}
    >>> score = irbounds.ap(rows)[0]
    >>> score.measure, round(score.value, 3), round(score.interval.low, 2)
    ('AP', 0.756, 0.09)
    """
    from ..parallel.progress import show_progress
    from ..reading.labelled_rows import read_labelled_rows
    from ..results import InputFile, Results

    rows = read_labelled_rows(
        request.labels,
        label=request.label,
        scores=request.scores or (),
        ids=request.ids,
        positive=request.positive,
    )
    if request.ties == "trec" and rows.ids is None:
        raise ParameterError("ties 'trec' orders rows by their ids: name their column by ids")
    names = list(rows.scores)
    if request.baseline is not None and request.baseline not in names:
        raise ParameterError(
            f"baseline must be one of {', '.join(map(quote, names))}; got {quote(request.baseline)}"
        )
    is_file = isinstance(request.labels, str | Path)
    inputs = (InputFile(rows.source, rows.fingerprint),) if is_file else ()
    with show_progress("resampling rows") as progress:
        results = Results(_estimate(rows, request, inputs, progress))
    n, n_positive = len(rows.labels), int(np.count_nonzero(rows.labels))
    line = (
        f"test set {rows.source}: rows {n:,}, positive {n_positive:,}, classifiers {len(names):,}"
    )
    return Answer(
        results,
        View(),
        [line, *rows.notes],
        collect_warnings(results),
        inputs,
        facts={"n_rows": n, "n_positive": n_positive},
    )


def average_precision_interval(
    y_true: Any,
    y_score: Any,
    *,
    method: ClassifierMethod = "moderated-logit-t",
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    ties: TestSetTies = "threshold",
    stratified: bool = False,
    n_resamples: int = 9999,
    rng: SeedLike = 0,
) -> ClassifierScore:
    """Return the average precision of a classifier on one test set, with its interval.

    Parameters
    ----------
    y_true, y_score
        Labels and scores as ``sklearn.metrics.average_precision_score`` takes them: 0 and 1, -1 and
        1, or booleans, and one finite number per label.
    method
        ``"moderated-logit-t"``, ``"logit-t"``, or a bootstrap of rows: ``"percentile"``,
        ``"basic"``, ``"bca"``.
    confidence_level
        A fraction between 0 and 1.
    alternative
        ``"two-sided"``, ``"less"`` for an upper limit only, ``"greater"`` for a lower one.
    ties
        ``"threshold"``: rows of equal score are one step, as in scikit-learn; ``"expected"``: the
        mean over all orders; ``"worst"``, ``"best"``: the extremes.
    stratified
        Whether the fraction of positives is fixed, and a bootstrap resamples classes separately.
    n_resamples, rng
        Resamples of a bootstrap, and the seed of random numbers.

    Returns
    -------
    ClassifierScore
        ``.value`` is scikit-learn's AP, ``.interval`` that of the population's AP. ``.chance`` is
        the mean of random rankings of these rows, ``.p_value`` their probability of such a value.

    Examples
    --------
    >>> from irbounds import average_precision_interval
    >>> score = average_precision_interval([1, 0, 1, 0, 0, 0], [0.9, 0.8, 0.7, 0.3, 0.2, 0.1])
    >>> round(score.value, 3), round(score.chance, 3)
    (0.833, 0.527)
    """
    scores = {"y_score": y_score}
    results = _from_arrays(
        y_true,
        scores,
        rng,
        method=method,
        confidence_level=confidence_level,
        alternative=alternative,
        ties=ties,
        stratified=stratified,
        n_resamples=n_resamples,
    )
    first: ClassifierScore = results[0]
    return first


def average_precision_difference(
    y_true: Any,
    y_score: Any,
    other_score: Any,
    *,
    method: ClassifierMethod = "moderated-logit-t",
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    ties: TestSetTies = "threshold",
    stratified: bool = False,
    n_resamples: int = 9999,
    rng: SeedLike = 0,
) -> ClassifierDifference:
    """Return the difference in average precision of two classifiers on the same rows.

    Parameters
    ----------
    y_true, y_score, other_score
        Labels, and the scores of both classifiers, in the order of the rows.
    method, confidence_level, alternative, ties, stratified, n_resamples, rng
        As for ``average_precision_interval``. A difference has Student's t interval, or that of the
        bootstrap, in which both classifiers are scored on the same resampled rows.

    Returns
    -------
    ClassifierDifference
        ``.value`` is AP of ``y_score`` minus AP of ``other_score``, ``.p_value`` belongs to a t
        test of no difference.

    Examples
    --------
    >>> from irbounds import average_precision_difference
    >>> labels, new = [1, 0, 1, 0, 0, 1], [0.9, 0.8, 0.7, 0.3, 0.2, 0.6]
    >>> round(average_precision_difference(labels, new, [0.1, 0.9, 0.7, 0.2, 0.4, 0.8]).value, 3)
    0.25
    """
    scores = {"y_score": y_score, "other_score": other_score}
    results = _from_arrays(
        y_true,
        scores,
        rng,
        method=method,
        confidence_level=confidence_level,
        alternative=alternative,
        ties=ties,
        stratified=stratified,
        n_resamples=n_resamples,
    )
    difference: ClassifierDifference = next(
        result for result in results if hasattr(result, "baseline")
    )
    return difference


def _from_arrays(y_true: Any, scores: dict[str, Any], rng: Any, **options: Any) -> list[Any]:
    """Return AP of classifiers, and their differences."""
    from ..reading.labelled_rows import rows_from_arrays
    from ..resampling.seeds import seed_number

    if options["ties"] == "trec":
        raise ParameterError("ties 'trec' needs ids: use irbounds.ap with a column of ids")
    rows = rows_from_arrays(y_true, scores)
    request = ApRequest(labels=rows, seed=seed_number(rng), **options)
    return _estimate(rows, request, measures=("AP",))


def _estimate(
    rows: LabelledRows,
    request: ApRequest,
    inputs: tuple[InputFile, ...] = (),
    progress: Progress | None = None,
    measures: Sequence[str] = MEASURE_NAMES,
) -> list[Any]:
    """Return the scores of all classifiers, then their differences."""
    from ..intervals.classifiers import BOOTSTRAPS, MEASURES, rank_rows

    ranked = [
        rank_rows(rows.labels, scores, request.ties, rows.ids) for scores in rows.scores.values()
    ]
    is_drawn = request.method in BOOTSTRAPS
    resamples = _bootstrap(rows, ranked, request, progress) if is_drawn else None
    families = [
        _Family(
            measure,
            request,
            rows,
            ranked,
            [MEASURES[measure](rows.labels, order) for order in ranked],
            None if resamples is None else resamples[MEASURE_NAMES.index(measure)],
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
    request: ApRequest
    rows: LabelledRows
    ranked: Sequence[RankedRows]
    statistics: Sequence[Statistic]
    #: classifier x resample
    resamples: NDArray[np.float64] | None
    inputs: tuple[InputFile, ...]

    @property
    def names(self) -> list[str]:
        return list(self.rows.scores)

    @property
    def is_fixed(self) -> bool:
        """Whether the variance is for a fixed prevalence, on which ROC AUC does not depend."""
        return self.request.stratified or self.measure == "ROC AUC"

    @property
    def shared(self) -> dict[str, Any]:
        """The fields that scores and differences have in common."""
        return {
            "measure": self.measure,
            "n": len(self.rows.labels),
            "n_positive": int(np.count_nonzero(self.rows.labels)),
            "ties": self.request.ties,
            "stratified": self.request.stratified,
            "n_resamples": None if self.resamples is None else self.request.n_resamples,
            "inputs": self.inputs,
        }

    def make_interval(self, limits: Limits, bounds: tuple[float, float]) -> Interval:
        from ..results.interval import compute_interval

        request = self.request
        return compute_interval(limits, request.confidence_level, request.alternative, bounds)

    def make_scores(self) -> list[ClassifierScore]:
        """Return a score per classifier."""
        from ..intervals.classifiers import fit_limits
        from ..results import ClassifierScore

        request, shared = self.request, self.shared
        chance = _find_chance(self.measure, self.rows, self.statistics, request.seed)
        is_drawn = self.resamples is not None or chance.n_draws is not None
        scores = []
        for k, (name, statistic) in enumerate(zip(self.names, self.statistics, strict=True)):
            values = None if self.resamples is None else self.resamples[k]
            limits = fit_limits(statistic, request.method, is_fixed=self.is_fixed, resamples=values)
            scores.append(
                ClassifierScore(
                    classifier=name,
                    value=statistic.value,
                    interval=self.make_interval(limits, ClassifierScore.bounds),
                    chance=chance.level,
                    p_value=chance.p_values[k],
                    prevalence=shared["n_positive"] / shared["n"],
                    n_tied=self.ranked[k].n_tied,
                    limits=limits,
                    distribution=values,
                    n_draws=chance.n_draws,
                    seed=request.seed if is_drawn else None,
                    warnings=(
                        *_warn_of_few_rows(statistic.labels),
                        *self._warn_of_ties(name, self.ranked[k]),
                    ),
                    **shared,
                )
            )
        return scores

    def make_differences(self) -> list[ClassifierDifference]:
        """Return a difference per pair of classifiers, or per classifier and the baseline."""
        from ..comparisons.adjustments import holm
        from ..intervals.classifiers import fit_difference, fit_limits
        from ..results import ClassifierDifference

        names, request = self.names, self.request
        pairs = list(combinations(range(len(names)), 2))
        if request.baseline is not None:
            other = names.index(request.baseline)
            pairs = [(k, other) for k in range(len(names)) if k != other]
        statistics = [self.statistics[one] - self.statistics[other] for one, other in pairs]
        fitted = [fit_difference(statistic, is_fixed=self.is_fixed) for statistic in statistics]
        adjusted = holm(np.array([limits.p_value for limits in fitted])).tolist()
        differences = []
        for k, (one, other) in enumerate(pairs):
            values, limits = None, cast("Limits", fitted[k])
            if self.resamples is not None:
                values = self.resamples[one] - self.resamples[other]
                limits = fit_limits(
                    statistics[k], request.method, is_fixed=self.is_fixed, resamples=values
                )
            differences.append(
                ClassifierDifference(
                    classifier=names[one],
                    baseline=names[other],
                    value=statistics[k].value,
                    interval=self.make_interval(limits, ClassifierDifference.bounds),
                    standard_error=fitted[k].error,
                    p_value=fitted[k].p_value,
                    adjusted_p_value=adjusted[k],
                    n_comparisons=len(pairs),
                    limits=limits,
                    distribution=values,
                    seed=None if values is None else request.seed,
                    warnings=_warn_of_few_rows(self.rows.labels),
                    **self.shared,
                )
            )
        return differences

    def _warn_of_ties(self, name: str, ranked: RankedRows) -> tuple[str, ...]:
        if self.measure != "AP" or self.request.ties != "threshold" or not ranked.n_tied:
            return ()
        fraction = percentage(ranked.n_tied / len(self.rows.labels), 1)
        return (
            f"{name}: {fraction} of the rows share their score with others and are one step of AP: "
            "random scores with such ties are below the chance level, so that p is too large; "
            "AP with ties 'expected' is comparable with it",
        )


def _bootstrap(
    rows: LabelledRows,
    ranked: Sequence[RankedRows],
    request: ApRequest,
    progress: Progress | None,
) -> NDArray[np.float64]:
    from ..resampling.row_bootstrap import bootstrap_rows

    return bootstrap_rows(
        rows.labels,
        [order.order for order in ranked],
        [order.ends for order in ranked],
        [order.score_ends for order in ranked],
        n_resamples=request.n_resamples,
        seed=request.seed,
        is_stratified=request.stratified,
        is_expected=request.ties == "expected",
        progress=progress,
    )


@dataclass(frozen=True)
class _Chance:
    """The chance level of a measure, and the p-value of each classifier."""

    level: float
    p_values: list[float]
    n_draws: int | None = None


def _find_chance(
    measure: str, rows: LabelledRows, statistics: Sequence[Statistic], seed: int
) -> _Chance:
    labels = rows.labels
    if measure == "ROC AUC":
        from scipy.stats import mannwhitneyu

        tests = [
            mannwhitneyu(scores[labels], scores[~labels], alternative="greater")
            for scores in rows.scores.values()
        ]
        return _Chance(0.5, [float(test.pvalue) for test in tests])
    from ..random_rankings import expected_score, null_distribution

    n, n_positive = len(labels), int(np.count_nonzero(labels))
    draws = int(np.clip(MAX_CHANCE_RANKS / n_positive, MIN_CHANCE_DRAWS, CHANCE_DRAWS))
    distribution = null_distribution(n, n_positive, "AP", n_draws=draws, rng=seed)
    p_values = [distribution.p_value(statistic.value) for statistic in statistics]
    is_drawn = distribution.method == "monte-carlo"
    return _Chance(float(expected_score(n, n_positive)), p_values, draws if is_drawn else None)


def _warn_of_few_rows(labels: NDArray[np.bool_]) -> tuple[str, ...]:
    """Return a warning where a class has few rows."""
    n_positive = int(np.count_nonzero(labels))
    n_negative = len(labels) - n_positive
    what, n = ("negative", n_negative) if n_negative < n_positive else ("positive", n_positive)
    if n < 2:
        return (f"one {what} row: there is no interval; it takes two rows of each class",)
    if n < FEW_ROWS:
        return (
            f"{n} {what} rows: intervals are long, and their level is not assured; it takes "
            f"{FEW_ROWS} rows of each class",
        )
    return ()
