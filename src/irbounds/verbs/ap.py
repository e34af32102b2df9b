"""``ap``: AP and ROC AUC of classifiers on one test set, with intervals and chance levels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from ..errors import ParameterError, quote, quote_several
from ..presentation.registry import View, collect_warnings
from ..requests.options import METHOD, AlternativeSide, Baseline, ConfidenceLevel, Resamples, Seed
from ..requests.request import Option, Request
from ..requests.verb import verb
from ..results.result import Answer

if TYPE_CHECKING:
    from ..reading.labelled_rows import LabelledRows
    from ..results import ClassifierDifference, ClassifierScore, InputFile, Interval, Results
    from ..validation import Progress

ClassifierMethod = Literal["moderated-logit-t", "bca"]
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
        results = Results(_estimate(rows, request, inputs, progress))
    n, n_positive = len(rows.labels), int(rows.labels.sum())
    lines = [
        f"test set{f' {rows.source}' if is_file else ''}: rows {n:,}, positive {n_positive:,}, "
        f"classifiers {len(names):,}"
    ]
    if rows.ignored:
        lines.append(f"{rows.source}: ids or text, not scores: {quote_several(rows.ignored)}")
    facts = {"n_rows": n, "n_positive": n_positive}
    return Answer(results, View(), lines, collect_warnings(results), inputs, facts=facts)


def _estimate(
    rows: LabelledRows, request: ApRequest, inputs: tuple[InputFile, ...], progress: Progress
) -> list[Any]:
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
    pairs = list(combinations(range(len(names)), 2))
    if request.baseline is not None:
        other = names.index(request.baseline)
        pairs = [(k, other) for k in range(len(names)) if k != other]
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
    level, side = request.confidence_level, request.alternative
    scores: list[Any] = []
    differences: list[Any] = []
    for m, measure in enumerate(("AP", "ROC AUC")):
        statistics = [MEASURES[measure](labels, order) for order in ranked]
        shared: dict[str, Any] = {
            "measure": measure,
            "n": n,
            "n_positive": n_positive,
            "n_resamples": None if resamples is None else request.n_resamples,
            "inputs": inputs,
        }
        chance, p_values, n_draws = _find_chance(
            measure, rows, [statistic.value for statistic in statistics], request.seed
        )
        for k, (name, statistic) in enumerate(zip(names, statistics, strict=True)):
            drawn = None if resamples is None else resamples[m, k]
            limits = fit_limits(statistic) if drawn is None else fit_bca(statistic, drawn)
            interval = compute_interval(limits, level, side, ClassifierScore.bounds)
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
        paired = [statistics[k] - statistics[other] for k, other in pairs]
        tests = [fit_difference(statistic) for statistic in paired]
        adjusted = holm(np.array([test.p_value for test in tests])).tolist()
        for place, (k, other) in enumerate(pairs):
            test = tests[place]
            drawn = None if resamples is None else resamples[m, k] - resamples[m, other]
            limits = test if drawn is None else fit_bca(paired[place], drawn)
            interval = compute_interval(limits, level, side, ClassifierDifference.bounds)
            pair = f"{names[k]} - {names[other]}, {measure}"
            differences.append(
                ClassifierDifference(
                    classifier=names[k],
                    baseline=names[other],
                    value=paired[place].value,
                    interval=interval,
                    standard_error=test.error,
                    p_value=test.p_value,
                    adjusted_p_value=adjusted[place],
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
    from ..random_rankings import null_distribution

    n, n_positive = len(labels), int(labels.sum())
    n_draws = min(max(int(MAX_CHANCE_RANKS / n_positive), MIN_CHANCE_DRAWS), CHANCE_DRAWS)
    random = null_distribution(n, n_positive, "AP", n_draws=n_draws, rng=seed)
    p_values = [random.p_value(value) for value in values]
    return random.mean, p_values, n_draws if random.method == "monte-carlo" else None


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
