"""``ap``: AP and ROC AUC of classifiers on one test set, with intervals and chance levels."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from ..errors import DegenerateSampleWarning, ParameterError, quote, quote_several
from ..presentation.registry import View, collect_warnings
from ..requests.options import METHOD, AlternativeSide, Baseline, ConfidenceLevel, Resamples, Seed
from ..requests.request import Option, Request
from ..requests.verb import verb
from ..results.result import Answer
from ..validation import Alternative

if TYPE_CHECKING:
    from ..reading.labelled_rows import LabelledRows
    from ..resampling.seeds import SeedLike
    from ..results import ClassifierDifference, ClassifierScore, InputFile, Interval, Results
    from ..results.interval import Limits
    from ..validation import Progress

ClassifierMethod = Literal["moderated-logit-t", "bca"]
Result = Any  # ClassifierScore or ClassifierDifference

CHANCE_DRAWS = 9_999  # random rankings behind a p-value, and fewer of many positives
MIN_CHANCE_DRAWS = 999
MAX_CHANCE_RANKS = 2e7  # positives in all draws, about a second
FEW_ROWS = 10  # of a class; fewer have a warning
FALSE_ALARMS = 0.05  # a p-value below it is significant

Labels = Annotated[
    Any,
    Option(
        "Labels and scores of one test set: CSV, TSV, Parquet or -.",
        "A row per example, with a column of labels, 0 and 1 or false and true, and a column of "
        "scores per classifier, named by the header. Columns named id, row_id, row, index, doc_id, "
        "docid or docno, and one without a name, are ids. In Python also a frame or a dict of "
        "columns.",
        metavar="LABELS",
        panel="Input",
        file="read",
        is_argument=True,
    ),
]
LabelColumn = Annotated[str, Option("Column of the labels.", metavar="NAME", panel="Input")]
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


@dataclass(frozen=True, kw_only=True)
class ApRequest(Request):
    """The options of ``ap``."""

    labels: Labels = field(kw_only=False)
    label_column: LabelColumn = "label"
    score_columns: ScoreColumns = None
    baseline: Baseline = None
    method: Annotated[
        ClassifierMethod, replace(METHOD, more="bca is a bootstrap of rows.", commas=False)
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
        "irbounds ap labels.csv --baseline logistic --alternative greater",
        "irbounds ap labels.csv --score-columns forest,logistic --method bca",
        "irbounds ap predictions.parquet --label-column churned",
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
    from ..progress import show_progress
    from ..reading.labelled_rows import read_labelled_rows
    from ..results import InputFile, Results

    rows = read_labelled_rows(request.labels, request.label_column, request.score_columns or ())
    names = list(rows.scores)
    if request.baseline is not None and (len(names) < 2 or request.baseline not in names):
        raise ParameterError(
            f"baseline must be one of two or more classifiers; got {quote(request.baseline)} and "
            f"columns of scores {quote_several(names)}"
        )
    is_file = isinstance(request.labels, str | Path)
    inputs = (InputFile(rows.source, rows.fingerprint),) if is_file else ()
    with show_progress("resampling rows") as progress:
        results = Results(_estimate(rows, request, inputs=inputs, progress=progress))
    n, n_positive = len(rows.labels), int(rows.labels.sum())
    lines = [
        f"test set{f' {rows.source}' if is_file else ''}: rows {n:,}, positive {n_positive:,}, "
        f"classifiers {len(names):,}"
    ]
    if rows.ignored:
        lines.append(f"{rows.source}: ids or text, not scores: {quote_several(rows.ignored)}")
    return Answer(
        results,
        View(),
        lines,
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
    n_resamples: int = 9999,
    rng: SeedLike = 0,
) -> ClassifierScore:
    """Return the average precision of a classifier on one test set, with its interval.

    Where the rows allow no interval, its ends are NaN and a ``DegenerateSampleWarning`` gives the
    reason. It also warns of classes with few rows, and of ties.

    Parameters
    ----------
    y_true, y_score
        Labels and scores as ``sklearn.metrics.average_precision_score`` takes them: 0 and 1 or
        booleans, and one finite number per label.
    method
        ``"moderated-logit-t"``, or ``"bca"``, a bootstrap of rows.
    confidence_level, alternative, n_resamples
        As for ``ap``.
    rng
        Seed or generator of random numbers.

    Returns
    -------
    ClassifierScore
        ``.value`` is scikit-learn's AP, ``.interval`` that of the population's AP. ``.chance`` is
        the mean of random rankings of these rows, ``.p_value`` their probability of such a value.

    Examples
    --------
    >>> import numpy as np
    >>> from irbounds import average_precision_interval
    >>> y_true = np.arange(200) < 40
    >>> y_score = np.random.default_rng(1).normal(size=200) + y_true
    >>> score = average_precision_interval(y_true, y_score)
    >>> round(score.value, 3), round(score.interval.low, 2), round(score.chance, 3)
    (0.553, 0.37, 0.22)
    """
    score: ClassifierScore = _estimate_arrays(
        y_true,
        {"y_score": y_score},
        rng,
        method=method,
        confidence_level=confidence_level,
        alternative=alternative,
        n_resamples=n_resamples,
    )
    return score


def average_precision_difference(
    y_true: Any,
    y_score: Any,
    other_score: Any,
    *,
    method: ClassifierMethod = "moderated-logit-t",
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    n_resamples: int = 9999,
    rng: SeedLike = 0,
) -> ClassifierDifference:
    """Return the difference in average precision of two classifiers on the same rows.

    Parameters
    ----------
    y_true, y_score, other_score
        Labels, and the scores of both classifiers, in the order of the rows.
    method, confidence_level, alternative, n_resamples, rng
        As for ``average_precision_interval``. A difference has Student's t interval, or that of the
        bootstrap, in which both classifiers are scored on the same resampled rows.

    Returns
    -------
    ClassifierDifference
        ``.value`` is AP of ``y_score`` minus AP of ``other_score``. ``.p_value`` is that of a
        two-sided t test. It and the t interval are about the value minus the bias of both APs, so
        that the interval is not centred on the value.

    Examples
    --------
    >>> import numpy as np
    >>> from irbounds import average_precision_difference
    >>> y_true, noise = np.arange(200) < 40, np.random.default_rng(1).normal(size=(2, 200))
    >>> difference = average_precision_difference(y_true, noise[0] + 2 * y_true, noise[1] + y_true)
    >>> round(difference.value, 3), round(difference.interval.low, 2)
    (0.425, 0.26)
    """
    difference: ClassifierDifference = _estimate_arrays(
        y_true,
        {"y_score": y_score, "other_score": other_score},
        rng,
        method=method,
        confidence_level=confidence_level,
        alternative=alternative,
        n_resamples=n_resamples,
    )
    return difference


def _estimate_arrays(y_true: Any, scores: dict[str, Any], rng: Any, **options: Any) -> Result:
    """Return AP of one classifier, or the difference of two; warn where it is doubtful."""
    from ..reading.labelled_rows import rows_from_arrays
    from ..resampling.seeds import seed_number

    rows = rows_from_arrays(y_true, scores)
    request = ApRequest(labels=rows, seed=seed_number(rng), **options)
    *_, result = _estimate(rows, request, measures=("AP",))
    for warning in result.warnings:
        warnings.warn(warning, DegenerateSampleWarning, stacklevel=3)
    return result


def _estimate(
    rows: LabelledRows,
    request: ApRequest,
    *,
    measures: Sequence[str] = ("AP", "ROC AUC"),
    inputs: tuple[InputFile, ...] = (),
    progress: Progress | None = None,
) -> list[Result]:
    """Return the scores of all classifiers by each measure, then their differences."""
    import numpy as np

    from ..comparisons.adjustments import holm
    from ..intervals.ranked_rows import MEASURES, fit_bca, fit_difference, fit_limits, rank_rows
    from ..resampling.row_bootstrap import bootstrap_rows
    from ..results import ClassifierDifference, ClassifierScore
    from ..results.interval import compute_interval

    names, labels = list(rows.scores), rows.labels
    n, n_positive = len(labels), int(labels.sum())
    ranked = [rank_rows(scores) for scores in rows.scores.values()]
    resamples = None
    if request.method == "bca":
        resamples = bootstrap_rows(
            labels,
            [order.order for order in ranked],
            [order.ends for order in ranked],
            n_resamples=request.n_resamples,
            seed=request.seed,
            progress=progress,
        )

    def make_interval(limits: Limits, bounds: tuple[float, float]) -> Interval:
        return compute_interval(limits, request.confidence_level, request.alternative, bounds)

    scores: list[Result] = []
    differences: list[Result] = []
    for m, measure in enumerate(measures):
        statistics = [MEASURES[measure](labels, order) for order in ranked]
        shared: dict[str, Any] = {
            "measure": measure,
            "n": n,
            "n_positive": n_positive,
            "n_resamples": None if resamples is None else request.n_resamples,
            "inputs": inputs,
        }
        values = [statistic.value for statistic in statistics]
        chance, p_values, n_draws = _find_chance(measure, rows, values, request.seed)
        for k, (name, statistic) in enumerate(zip(names, statistics, strict=True)):
            drawn = None if resamples is None else resamples[m, k]
            limits = fit_limits(statistic) if drawn is None else fit_bca(statistic, drawn)
            interval = make_interval(limits, ClassifierScore.bounds)
            n_tied = ranked[k].n_tied
            notes = _warn_of_rows(n, n_positive, f"{name}, {measure}", interval)
            if measure == "AP" and n_tied and p_values[k] >= FALSE_ALARMS:
                notes.append(f"{name}: {n_tied:,} rows are tied, so p is too large")
            scores.append(
                ClassifierScore(
                    classifier=name,
                    value=statistic.value,
                    interval=interval,
                    chance=chance,
                    p_value=p_values[k],
                    prevalence=n_positive / n,
                    n_tied=n_tied,
                    limits=limits,
                    n_draws=n_draws,
                    seed=None if drawn is None and n_draws is None else request.seed,
                    warnings=tuple(notes),
                    **shared,
                )
            )
        pairs = list(combinations(range(len(names)), 2))
        if request.baseline is not None:
            other = names.index(request.baseline)
            pairs = [(k, other) for k in range(len(names)) if k != other]
        paired = [statistics[k] - statistics[other] for k, other in pairs]
        tests = [fit_difference(statistic) for statistic in paired]
        adjusted = holm(np.array([test.p_value for test in tests])).tolist()
        for (k, other), statistic, test, adjusted_p in zip(
            pairs, paired, tests, adjusted, strict=True
        ):
            drawn = None if resamples is None else resamples[m, k] - resamples[m, other]
            limits = test if drawn is None else fit_bca(statistic, drawn)
            interval = make_interval(limits, ClassifierDifference.bounds)
            pair = f"{names[k]} - {names[other]}, {measure}"
            differences.append(
                ClassifierDifference(
                    classifier=names[k],
                    baseline=names[other],
                    value=statistic.value,
                    interval=interval,
                    standard_error=test.error,
                    p_value=test.p_value,
                    adjusted_p_value=adjusted_p,
                    n_comparisons=len(pairs),
                    limits=limits,
                    seed=None if drawn is None else request.seed,
                    warnings=tuple(_warn_of_rows(n, n_positive, pair, interval, test.p_value)),
                    **shared,
                )
            )
    return [*scores, *differences]


def _find_chance(
    measure: str, rows: LabelledRows, values: Sequence[float], seed: int
) -> tuple[float, list[float], int | None]:
    """Return the chance level, the p-value of each classifier, and the draws behind them."""
    labels = rows.labels
    if measure == "ROC AUC":
        from scipy.stats import mannwhitneyu

        tests = [
            mannwhitneyu(scores[labels], scores[~labels], alternative="greater")
            for scores in rows.scores.values()
        ]
        return 0.5, [float(test.pvalue) for test in tests], None
    from ..random_rankings import expected_score, null_distribution

    n, n_positive = len(labels), int(labels.sum())
    n_draws = min(max(int(MAX_CHANCE_RANKS / n_positive), MIN_CHANCE_DRAWS), CHANCE_DRAWS)
    distribution = null_distribution(n, n_positive, "AP", n_draws=n_draws, rng=seed)
    p_values = [distribution.p_value(value) for value in values]
    is_drawn = distribution.method == "monte-carlo"
    return float(expected_score(n, n_positive)), p_values, n_draws if is_drawn else None


def _warn_of_rows(
    n: int, n_positive: int, name: str, interval: Interval, p_value: float = 0.0
) -> list[str]:
    """Return a warning where a class has few rows, or where there is no interval or test."""
    n_least, what = min((n_positive, "positive"), (n - n_positive, "negative"))
    if n_least < 2:
        return [f"one {what} row: there is no interval and no test of a difference"]
    notes = []
    if n_least < FEW_ROWS:
        notes.append(
            f"{n_least} {what} rows: intervals are long, and their level is not assured; it takes "
            f"{FEW_ROWS} rows of each class"
        )
    if math.isnan(p_value):
        notes.append(f"{name}: both order the rows alike, so that there is no test")
    elif math.isnan(interval.low):
        notes.append(
            f"{name}: no {interval.method} interval, since its values on resampled rows are all "
            "equal, or all on one side of its value"
        )
    return notes
