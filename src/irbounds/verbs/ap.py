"""``ap``: AP and ROC AUC of classifiers on one test set, with intervals and chance levels."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from ..errors import DegenerateSampleWarning, ParameterError, quote
from ..presentation.registry import View, collect_warnings
from ..requests.options import METHOD, AlternativeSide, Baseline, ConfidenceLevel, Resamples, Seed
from ..requests.request import Option, Request
from ..requests.verb import verb
from ..results.result import Answer
from ..validation import Alternative

if TYPE_CHECKING:
    from ..comparisons.classifiers import Chance, ClassifierOptions
    from ..reading.labelled_rows import LabelledRows
    from ..resampling.seeds import SeedLike
    from ..results import ClassifierDifference, ClassifierScore, Results

ClassifierMethod = Literal["moderated-logit-t", "logit-t", "percentile", "bca"]
TestSetTies = Literal["threshold", "trec", "expected", "worst", "best"]

CHANCE_DRAWS = 9_999  # random rankings behind a p-value, and fewer of many positives
MIN_CHANCE_DRAWS = 999
MAX_CHANCE_RANKS = 2e7  # positives in all draws, about a second

Labels = Annotated[
    Any,
    Option(
        "Labels and scores of one test set: CSV, TSV, Parquet or -.",
        "A row per example, with a column label of 0 and 1 (or -1 and 1, false and true) and a "
        "column of scores per classifier, named by the header. Columns named id, row_id, row, "
        "index, doc_id, docid or docno, and one without a name, are ids. In Python also a frame or "
        "a dict of columns.",
        metavar="LABELS",
        panel="Input",
        file="read",
        is_argument=True,
    ),
]
LabelColumn = Annotated[
    str | None,
    Option(
        "Column of the labels.",
        metavar="NAME",
        panel="Input",
        default="label, labels, y, y_true, target or relevance",
    ),
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
    Option("Column of the ids of rows, for ties by id.", metavar="NAME", panel="Input"),
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
        "Order of ties.",
        "threshold: one step, as scikit-learn has it; trec: by id as trec_eval does; expected: the "
        "mean over all orders; worst and best: the extremes. With ties, p of threshold and worst "
        "is too large, and best has none.",
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
    label_column: LabelColumn = None
    score_columns: ScoreColumns = None
    id_column: IdColumn = None
    positive: Positive = None
    baseline: Baseline = None
    ties: TestSetTieRule = "threshold"
    stratified: Stratified = False
    method: Annotated[
        ClassifierMethod,
        replace(METHOD, more="percentile and bca are bootstraps of rows.", commas=False),
    ] = "moderated-logit-t"
    confidence_level: ConfidenceLevel = 0.95
    alternative: AlternativeSide = "two-sided"
    n_resamples: Resamples = 9999
    seed: Seed = 0

    @property
    def options(self) -> ClassifierOptions:
        """The options of the estimates."""
        from ..comparisons.classifiers import ClassifierOptions

        return ClassifierOptions(**{name: getattr(self, name) for name in ESTIMATE_OPTIONS})

    def find_chance(self, measure: str, rows: LabelledRows, values: Sequence[float]) -> Chance:
        """Return the chance level of a measure on the rows, and the p-value of each value."""
        from ..comparisons.classifiers import Chance

        labels = rows.labels
        if measure == "ROC AUC":
            from scipy.stats import mannwhitneyu

            tests = [
                mannwhitneyu(scores[labels], scores[~labels], alternative="greater")
                for scores in rows.scores.values()
            ]
            return Chance(0.5, [float(test.pvalue) for test in tests])
        from ..random_rankings import expected_score, null_distribution

        n, n_positive = len(labels), int(labels.sum())
        wanted = int(MAX_CHANCE_RANKS / n_positive)
        n_draws = min(max(wanted, MIN_CHANCE_DRAWS), CHANCE_DRAWS)
        distribution = null_distribution(n, n_positive, "AP", n_draws=n_draws, rng=self.seed)
        return Chance(
            float(expected_score(n, n_positive)),
            [distribution.p_value(value) for value in values],
            n_draws if distribution.method == "monte-carlo" else None,
        )


ESTIMATE_OPTIONS = (
    *("method", "confidence_level", "alternative", "ties", "stratified", "n_resamples", "seed"),
    "baseline",
)


@verb(
    ApRequest,
    group="Compare systems",
    docs="classifiers",
    shows=("table", "figure", "report", "top"),
    examples=(
        "irbounds ap labels.csv",
        "irbounds ap labels.csv --baseline logistic --alternative greater",
        "irbounds ap labels.csv --score-columns forest,logistic \\\n    --method bca --stratified",
        "irbounds ap predictions.parquet --label-column churned --positive yes",
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
    from ..comparisons.classifiers import estimate_classifiers
    from ..progress import show_progress
    from ..reading.labelled_rows import read_labelled_rows
    from ..results import InputFile, Results

    rows = read_labelled_rows(
        request.labels,
        label_column=request.label_column,
        score_columns=request.score_columns or (),
        id_column=request.id_column,
        positive=request.positive,
    )
    if request.ties == "trec" and rows.ids is None:
        raise ParameterError("ties 'trec' orders rows by their ids: give id_column")
    names = list(rows.scores)
    if request.baseline is not None and len(names) < 2:
        raise ParameterError(
            f"baseline needs two classifiers; got one column of scores, {quote(names[0])}"
        )
    if request.baseline is not None and request.baseline not in names:
        raise ParameterError(
            f"baseline must be one of {', '.join(map(quote, names))}; got {quote(request.baseline)}"
        )
    is_file = isinstance(request.labels, str | Path)
    inputs = (InputFile(rows.source, rows.fingerprint),) if is_file else ()
    with show_progress("resampling rows") as progress:
        estimates = estimate_classifiers(
            rows, request.options, request.find_chance, inputs=inputs, progress=progress
        )
    results = Results(estimates)
    n, n_positive = len(rows.labels), int(rows.labels.sum())
    line = (
        f"test set{f' {rows.source}' if is_file else ''}: rows {n:,}, positive {n_positive:,}, "
        f"classifiers {len(names):,}"
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
    positive: Any = None,
    method: ClassifierMethod = "moderated-logit-t",
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    ties: TestSetTies = "threshold",
    stratified: bool = False,
    n_resamples: int = 9999,
    rng: SeedLike = 0,
) -> ClassifierScore:
    """Return the average precision of a classifier on one test set, with its interval.

    Where the rows allow no interval, its ends are NaN and a ``DegenerateSampleWarning`` gives the
    reason. It also warns of classes with few rows, and of ties.

    Parameters
    ----------
    y_true, y_score
        Labels and scores as ``sklearn.metrics.average_precision_score`` takes them: 0 and 1, -1 and
        1, or booleans, and one finite number per label. Other labels need ``positive``.
    positive
        Label of the positive class, such as ``"spam"``; all others are negative. By default 1 or
        true.
    method
        ``"moderated-logit-t"``, ``"logit-t"``, or a bootstrap of rows: ``"percentile"`` or
        ``"bca"``.
    confidence_level
        A fraction between 0 and 1.
    alternative
        ``"two-sided"``, ``"less"`` for an upper limit only, ``"greater"`` for a lower one.
    ties
        ``"threshold"``: rows of equal score are one step, as in scikit-learn; ``"expected"``: the
        mean over all orders; ``"worst"``, ``"best"``: the extremes. With ties, p of ``"threshold"``
        and ``"worst"`` is too large, and ``"best"`` has none.
    stratified
        Whether the fraction of positives is fixed, and a bootstrap resamples classes separately.
    n_resamples, rng
        Resamples of a bootstrap, and the seed of random numbers.

    Returns
    -------
    ClassifierScore
        ``.value`` is scikit-learn's AP, ``.interval`` that of the population's AP. ``.chance`` is
        the mean of random rankings of these rows, ``.p_value`` their probability of such a value
        (NaN with ties in their best order).

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
    scores = {"y_score": y_score}
    result = _from_arrays(
        y_true,
        scores,
        rng,
        positive,
        method=method,
        confidence_level=confidence_level,
        alternative=alternative,
        ties=ties,
        stratified=stratified,
        n_resamples=n_resamples,
    )
    score: ClassifierScore = result
    return score


def average_precision_difference(
    y_true: Any,
    y_score: Any,
    other_score: Any,
    *,
    positive: Any = None,
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
    positive, method, confidence_level, alternative, ties, stratified, n_resamples, rng
        As for ``average_precision_interval``. A difference has Student's t interval, or that of the
        bootstrap, in which both classifiers are scored on the same resampled rows.

    Returns
    -------
    ClassifierDifference
        ``.value`` is AP of ``y_score`` minus AP of ``other_score``, ``.p_value`` belongs to a
        two-sided t test of no difference, whichever the method of the interval.

    Notes
    -----
    AP of a test set is above that of its population on average. The jackknife estimates this bias
    of both classifiers. The t interval and the t test are about ``.value`` minus the difference of
    their biases, so the interval is not centred on ``.value``. A bootstrap interval comes from
    resampled rows instead, and in rare cases it and the t test disagree.

    Examples
    --------
    >>> import numpy as np
    >>> from irbounds import average_precision_difference
    >>> y_true, noise = np.arange(200) < 40, np.random.default_rng(1).normal(size=(2, 200))
    >>> difference = average_precision_difference(y_true, noise[0] + 2 * y_true, noise[1] + y_true)
    >>> round(difference.value, 3), round(difference.interval.low, 2)
    (0.425, 0.26)
    """
    scores = {"y_score": y_score, "other_score": other_score}
    result = _from_arrays(
        y_true,
        scores,
        rng,
        positive,
        method=method,
        confidence_level=confidence_level,
        alternative=alternative,
        ties=ties,
        stratified=stratified,
        n_resamples=n_resamples,
    )
    difference: ClassifierDifference = result
    return difference


def _from_arrays(
    y_true: Any, scores: dict[str, Any], rng: Any, positive: Any, **options: Any
) -> Any:
    """Return AP of one classifier, or the difference of two; warn where it is doubtful."""
    from ..comparisons.classifiers import estimate_classifiers
    from ..reading.labelled_rows import rows_from_arrays
    from ..resampling.seeds import seed_number

    if options["ties"] == "trec":
        raise ParameterError(
            "ties 'trec' needs ids: use irbounds.ap, with their column as id_column"
        )
    rows = rows_from_arrays(y_true, scores, positive)
    request = ApRequest(labels=rows, seed=seed_number(rng), **options)
    *_, result = estimate_classifiers(rows, request.options, request.find_chance, measures=("AP",))
    for warning in result.warnings:
        warnings.warn(warning, DegenerateSampleWarning, stacklevel=3)
    return result
