"""The sample of the rest of a corpus whose retrieved set is read in full.

In a review every retrieved document was screened, or will be. Its relevant documents are known
then, and only the other documents are drawn. So there is no split to choose, and the plan is one
number: how many of the others to draw.

The smallest sample for a claim
-------------------------------
A claim is shown if the sample of the rest contains at most c relevant documents. The larger the
sample, the larger c is. For each c there is a smallest sample n_c that allows it. From n_c to
before n_{c+1} the assurance falls, because a larger sample finds more; at n_{c+1} it rises again.
So the smallest sample that reaches the assurance is the first n_c that does. The c are searched
by doubling and bisection, then ``LOOK_BACK`` values of c before the one that was found are tried,
since the peaks need not rise strictly. The assurance at exactly this size is reported. A sample
that is slightly larger may have less.

With ``credit_found``, more relevant documents in the sample may also make a claim easier to show.
The assurance may then rise between two n_c, and a few documents less may be enough. With several
guesses of the relevant documents in the retrieved set, each has its own n_c, and the sample is
found by bisection. In both cases small rests are searched in full, so that the smallest sample is
found there too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..errors import DataError
from ..results import PlannedSample
from ..samples.uncertain_strata import find_first
from .recall_allocation import Allocation, recall_margin, width_margin
from .recall_assumptions import Assumptions, Targets
from .recall_assurance import compute_assurance, shows_recall
from .recall_exact import LIKELY
from .recall_widths import Analysis, PilotPrediction, SamplePrediction, plan_sample

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]

MULTIPLES = (0.25, 0.5, 1, 2, 4)  # of the sample, to compare it with, if there is no claim
MAX_SIZES = 6  # samples to compare it with, by the relevant documents that they allow
LOOK_BACK = 32  # values of c
MAX_SEARCHED = 2_000  # documents of a rest that is searched in full, times guesses
ROUNDING = 1e-12  # of an assurance
BLOCK = 64  # counts that are tried together


def choose_rest_sample(
    assumptions: Assumptions, targets: Targets
) -> tuple[PlannedSample, Allocation]:
    """Return the sample of the rest to assess, and samples of other sizes."""
    inside = assumptions.retrieved_size
    n = _find_size(assumptions, targets) if targets.budget is None else targets.budget - inside
    sample = _plan_rest(assumptions, n, targets.recall_at_least)
    others = _list_sizes(assumptions, sample, targets.recall_at_least) - {n}
    curve = [sample, *(_plan_rest(assumptions, k, targets.recall_at_least) for k in others)]
    curve.sort(key=lambda other: other.unretrieved_sample)
    return sample, Allocation(sample, tuple(curve), tuple(curve), inside, inside)


def _plan_rest(assumptions: Assumptions, n: int, recall: float | None) -> PlannedSample:
    analysis, prediction = assumptions.analysis, assumptions.prediction
    sampled = (assumptions.retrieved_size, n)
    sample = plan_sample(analysis, prediction, sampled)
    if recall is None:
        return sample
    return replace(
        sample,
        assurance=compute_assurance(analysis, prediction, sampled, recall),
        max_relevant=find_max_relevant(analysis, prediction, n, recall),
    )


def _list_sizes(assumptions: Assumptions, sample: PlannedSample, recall: float | None) -> set[int]:
    """Return sizes to compare the sample with: those that allow c relevant documents, if known."""
    prediction, n = assumptions.prediction, sample.unretrieved_sample
    minimum, maximum = prediction.min_sampled[1], prediction.segment_sizes[1]
    if recall is None or sample.max_relevant is None:
        return {min(max(round(times * n), minimum), maximum) for times in MULTIPLES}
    first = _count_found(prediction)
    counts = np.linspace(first, max(sample.max_relevant, first) + 1, MAX_SIZES)
    (relevant,) = _list_insides(prediction)
    peaks = (
        find_peak(assumptions.analysis, prediction, recall, relevant, int(c))
        for c in np.unique(np.floor(counts)).tolist()
    )
    return {peak for peak in peaks if peak is not None}


def find_max_relevant(
    analysis: Analysis, prediction: SamplePrediction, n: int, recall: float
) -> int | None:
    """Return the largest c so that a recall is shown by 0, 1, ... and by c relevant documents.

    It is -1 if no sample shows it, and None where the retrieved relevant documents are not known,
    or where more than c relevant documents may show it again.
    """
    size, sampled = prediction.segment_sizes, (prediction.segment_sizes[0], n)
    insides = _list_insides(prediction)
    if len(insides) > 1:
        return None

    def shows(counts: Floats) -> Booleans:
        pairs = np.stack([np.full(len(counts), insides[0]), counts], axis=-1)
        return shows_recall(analysis, size, sampled, pairs, recall)

    for start in range(0, n + 1, BLOCK):
        is_shown = shows(np.arange(start, min(start + BLOCK, n + 1), dtype=np.float64))
        if not is_shown.all():
            break
    else:
        return n
    most = start + int(is_shown.argmin()) - 1
    if analysis.credit_found:
        for _, _, (counts, masses) in prediction.predict_counts(sampled):
            if shows(counts[(counts > most) & (masses > LIKELY)]).any():
                return None
    return most


def _list_insides(prediction: SamplePrediction) -> list[float]:
    """Return the numbers of relevant documents in the retrieved set, for all guesses."""
    size, minimum = prediction.segment_sizes[0], prediction.min_sampled[1]
    cases = prediction.predict_counts((size, minimum))
    return sorted({float(case.retrieved[0][0]) for case in cases})


def _find_size(assumptions: Assumptions, targets: Targets) -> int:
    """Return the smallest sample of the rest for the target."""
    analysis, prediction = assumptions.analysis, assumptions.prediction
    minimum, maximum = prediction.min_sampled[1], prediction.segment_sizes[1]
    recall, assurance = targets.recall_at_least, targets.assurance
    if recall is not None and assurance is not None:
        n = find_rest_sample(analysis, prediction, recall, assurance)
        if n is None:
            raise DataError(
                f"a recall of at least {recall:g} with a probability of {assurance:g} cannot be "
                f"reached, even with all {maximum:,} other documents assessed"
            )
        return n
    if recall is not None:
        margin = recall_margin(analysis, prediction, recall, None)
    else:
        assert targets.interval_width is not None
        margin = width_margin(analysis, prediction, targets.interval_width)
    inside = assumptions.retrieved_size
    return find_first(minimum, maximum, lambda n: margin((inside, n)) >= 0)


def find_rest_sample(
    analysis: Analysis, prediction: SamplePrediction, recall: float, assurance: float
) -> int | None:
    """Return the smallest sample of the rest with an assurance, or None if there is none."""
    inside, rest = prediction.segment_sizes

    def reaches(n: int) -> bool:
        return compute_assurance(analysis, prediction, (inside, n), recall) >= assurance - ROUNDING

    insides, minimum = _list_insides(prediction), prediction.min_sampled[1]
    smallest = None
    if len(insides) == 1:
        smallest = _find_first_peak(analysis, prediction, recall, insides[0], reaches)
    if smallest is None:
        if not reaches(rest):
            return None
        smallest = find_first(minimum, rest, reaches)
    is_rising = analysis.credit_found or len(insides) > 1
    if is_rising and rest * len(insides) <= MAX_SEARCHED:
        return next(n for n in range(minimum, smallest + 1) if reaches(n))
    return smallest


def find_peak(
    analysis: Analysis, prediction: SamplePrediction, recall: float, relevant: float, c: int
) -> int | None:
    """Return n_c, the smallest sample that shows a recall with c relevant documents in it.

    ``relevant`` is the number of relevant documents in the retrieved set. None if not even the
    whole rest would show the recall.
    """
    size = prediction.segment_sizes
    pair = np.array([[relevant, float(c)]])

    def shows(n: int) -> bool:
        return bool(shows_recall(analysis, size, (size[0], n), pair, recall)[0])

    if c > size[1] or not shows(size[1]):
        return None
    return find_first(max(prediction.min_sampled[1], c), size[1], shows)


def _count_found(prediction: SamplePrediction) -> int:
    """Return the relevant documents that a pilot has already found in the rest."""
    return prediction.relevant[1] if isinstance(prediction, PilotPrediction) else 0


def _find_first_peak(
    analysis: Analysis,
    prediction: SamplePrediction,
    recall: float,
    relevant: float,
    reaches: Callable[[int], bool],
) -> int | None:
    """Return the first n_c that reaches the assurance, or None."""
    cases = prediction.predict_counts(prediction.segment_sizes)
    first, last = _count_found(prediction), max(int(case.unretrieved[0][-1]) for case in cases)

    def peak(c: int) -> int | None:
        return find_peak(analysis, prediction, recall, relevant, c)

    def is_enough(c: int) -> bool:
        n = peak(c)
        return n is None or reaches(n)  # beyond the last c that a whole rest allows

    step, high = 1, first
    while high < last and not is_enough(high):
        high, step = min(high + step, last), 2 * step
    c = find_first(max(first, high - step), high, is_enough)
    for count in range(max(first, c - LOOK_BACK), c + 1):
        n = peak(count)
        if n is not None and reaches(n):
            return n
    return None
