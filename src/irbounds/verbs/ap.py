"""``ap``: AP and ROC AUC of classifiers on one test set, with intervals and chance levels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np

from ..errors import ParameterError, quote
from ..presentation.registry import View
from ..requests.options import METHOD, AlternativeSide, Baseline, ConfidenceLevel, Resamples, Seed
from ..requests.request import Option, Request
from ..requests.verb import verb
from ..results.result import Answer
from ..validation import Progress

if TYPE_CHECKING:
    from ..intervals.classifiers import RankedRows, Statistic
    from ..reading.labelled_rows import LabelledRows
    from ..results import ClassifierDifference, ClassifierScore, Results
    from ..results.interval import Limits

ClassifierMethod = Literal["moderated-logit-t", "logit-t", "percentile", "basic", "bca"]
TestSetTies = Literal["threshold", "trec", "expected", "worst", "best"]

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
    >>> rows = {"label": [1, 0, 1, 0, 1, 0, 0, 0], "model": [0.9, 0.8, 0.7, 0.6, 0.5, 0.3, 0.2, 0.1]}
    >>> score = irbounds.ap(rows)[0]
    >>> score.measure, round(score.value, 3), round(score.interval.low, 2)
    ('AP', 0.756, 0.15)
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
    from ..presentation.registry import collect_warnings

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
    alternative: Literal["two-sided", "less", "greater"] = "two-sided",
    ties: Literal["threshold", "expected", "worst", "best"] = "threshold",
    stratified: bool = False,
    n_resamples: int = 9999,
    rng: int = 0,
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
        the mean of random rankings of these rows, ``.p_value`` their probability of a value as high.

    Examples
    --------
    >>> from irbounds import average_precision_interval
    >>> score = average_precision_interval([1, 0, 1, 0, 0, 0], [0.9, 0.8, 0.7, 0.3, 0.2, 0.1])
    >>> round(score.value, 3), round(score.chance, 3)
    (0.833, 0.492)
    """
    scores = {"y_score": y_score}
    results = _from_arrays(
        y_true, scores, method, confidence_level, alternative, ties, stratified, n_resamples, rng
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
    alternative: Literal["two-sided", "less", "greater"] = "two-sided",
    ties: Literal["threshold", "expected", "worst", "best"] = "threshold",
    stratified: bool = False,
    n_resamples: int = 9999,
    rng: int = 0,
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
        ``.value`` is AP of ``y_score`` minus AP of ``other_score``, ``.p_value`` belongs to a t test
        of no difference.

    Examples
    --------
    >>> from irbounds import average_precision_difference
    >>> labels, new = [1, 0, 1, 0, 0, 1], [0.9, 0.8, 0.7, 0.3, 0.2, 0.6]
    >>> round(average_precision_difference(labels, new, [0.1, 0.9, 0.7, 0.2, 0.4, 0.8]).value, 3)
    0.217
    """
    scores = {"y_score": y_score, "other_score": other_score}
    results = _from_arrays(
        y_true, scores, method, confidence_level, alternative, ties, stratified, n_resamples, rng
    )
    difference: ClassifierDifference = next(
        result for result in results if hasattr(result, "baseline")
    )
    return difference


def _from_arrays(
    y_true: Any,
    scores: dict[str, Any],
    method: Any,
    confidence_level: Any,
    alternative: Any,
    ties: Any,
    stratified: Any,
    n_resamples: Any,
    rng: Any,
) -> list[Any]:
    from ..reading.labelled_rows import rows_from_arrays
    from ..resampling.seeds import seed_number

    if ties == "trec":
        raise ParameterError("ties 'trec' needs ids: use irbounds.ap with a column of ids")
    request = ApRequest(
        labels=None,
        method=method,
        confidence_level=confidence_level,
        alternative=alternative,
        ties=ties,
        stratified=stratified,
        n_resamples=n_resamples,
        seed=seed_number(rng),
        baseline=None,
    )
    rows = rows_from_arrays(y_true, scores)
    return _estimate(rows, request, (), None, measures=("AP",))


def _estimate(
    rows: LabelledRows,
    request: ApRequest,
    inputs: tuple[Any, ...],
    progress: Progress | None,
    measures: Sequence[str] = ("AP", "ROC AUC"),
) -> list[Any]:
    """Return the scores of all classifiers, then their differences."""
    from ..comparisons.adjustments import holm
    from ..intervals.classifiers import BOOTSTRAPS, MEASURES, fit_difference, fit_limits, rank_rows
    from ..results import ClassifierDifference, ClassifierScore
    from ..results.interval import compute_interval

    labels, names = rows.labels, list(rows.scores)
    ranked = [rank_rows(labels, scores, request.ties, rows.ids) for scores in rows.scores.values()]
    resamples = (
        _bootstrap(labels, ranked, request, progress) if request.method in BOOTSTRAPS else None
    )
    n, n_positive = len(labels), int(np.count_nonzero(labels))
    is_drawn = resamples is not None
    shared: dict[str, Any] = {
        "n": n,
        "n_positive": n_positive,
        "ties": request.ties,
        "stratified": request.stratified,
        "n_resamples": request.n_resamples if is_drawn else None,
        "inputs": inputs,
    }

    def interval_of(limits: Limits, bounds: tuple[float, float]) -> Any:
        return compute_interval(limits, request.confidence_level, request.alternative, bounds)

    scores: list[Any] = []
    differences: list[Any] = []
    for m, measure in enumerate(("AP", "ROC AUC")):
        if measure not in measures:
            continue
        statistics = [MEASURES[measure](labels, order) for order in ranked]
        chance = _chance(measure, rows, statistics, request.seed)
        for k, (name, statistic) in enumerate(zip(names, statistics, strict=True)):
            values = resamples[m, k] if is_drawn else None
            is_fixed = request.stratified or measure == "ROC AUC"
            limits = fit_limits(statistic, request.method, is_fixed=is_fixed, resamples=values)
            scores.append(
                ClassifierScore(
                    classifier=name,
                    measure=measure,
                    value=statistic.value,
                    interval=interval_of(limits, ClassifierScore.bounds),
                    chance=chance.level,
                    p_value=chance.p_values[k],
                    prevalence=n_positive / n,
                    n_tied=ranked[k].n_tied,
                    limits=limits,
                    distribution=values,
                    n_draws=chance.n_draws,
                    seed=request.seed if is_drawn or chance.n_draws else None,
                    warnings=_warn(measure, statistic, ranked[k], request, name),
                    **shared,
                )
            )
        pairs = _pairs(names, request.baseline)
        family = []
        for one, other in pairs:
            statistic = statistics[one] - statistics[other]
            is_fixed = request.stratified or measure == "ROC AUC"
            fitted = fit_difference(statistic, is_fixed=is_fixed)
            values = resamples[m, one] - resamples[m, other] if is_drawn else None
            limits = (
                fit_limits(statistic, request.method, is_fixed=is_fixed, resamples=values)
                if is_drawn
                else fitted
            )
            family.append((one, other, statistic, fitted, limits, values))
        adjusted = holm(np.array([fitted.p_value for _, _, _, fitted, _, _ in family]))
        for (one, other, statistic, fitted, limits, values), p in zip(
            family, adjusted.tolist(), strict=True
        ):
            differences.append(
                ClassifierDifference(
                    measure=measure,
                    classifier=names[one],
                    baseline=names[other],
                    value=statistic.value,
                    interval=interval_of(limits, ClassifierDifference.bounds),
                    standard_error=fitted.error,
                    p_value=fitted.p_value,
                    adjusted_p_value=p,
                    n_comparisons=len(family),
                    limits=limits,
                    distribution=values,
                    seed=request.seed if is_drawn else None,
                    **shared,
                )
            )
    return [*scores, *differences]


def _pairs(names: Sequence[str], baseline: str | None) -> list[tuple[int, int]]:
    if baseline is None:
        return list(combinations(range(len(names)), 2))
    return [(k, names.index(baseline)) for k, name in enumerate(names) if name != baseline]


def _bootstrap(
    labels: Any, ranked: Sequence[RankedRows], request: ApRequest, progress: Progress | None
) -> Any:
    from ..resampling.row_bootstrap import bootstrap_rows

    return bootstrap_rows(
        labels,
        [rows.order for rows in ranked],
        [rows.ends for rows in ranked],
        [rows.score_ends for rows in ranked],
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


def _chance(
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


def _warn(
    measure: str, statistic: Statistic, ranked: RankedRows, request: ApRequest, name: str
) -> tuple[str, ...]:
    """Return warnings about classes with few rows, and about ties."""
    warnings = []
    n_positive = int(np.count_nonzero(statistic.labels))
    n_negative = len(statistic.labels) - n_positive
    what, n = ("negative", n_negative) if n_negative < n_positive else ("positive", n_positive)
    if n < 2:
        warnings.append(f"one {what} row: no interval; it takes two rows of each class")
    elif n < FEW_ROWS:
        warnings.append(
            f"{n} {what} rows: too few to rely on intervals; in simulations those of fewer than "
            f"{FEW_ROWS} were far longer, or missed more often, than their level says"
        )
    if measure == "AP" and ranked.n_tied and request.ties == "threshold":
        fraction = ranked.n_tied / len(statistic.labels)
        warnings.append(
            f"{name}: {100 * fraction:.1f} % of rows share their score, and such rows are one step "
            "of AP: a tied random ranking scores less than the chance level, and p is too large; "
            "ties 'expected' is comparable"
        )
    return tuple(warnings)
