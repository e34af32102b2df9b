"""How the estimate of recall scatters around the truth, and an estimate that leans less.

For known yields the sampling distribution of the estimator (Equation 2) is a double sum: every
pair of counts that the two samples may hold, with the product of two hypergeometric probabilities
(Figure 2). Where both counts are 0 there is no estimate; the distribution is that of the others,
and the probability of no estimate stands beside it.

A ratio of estimates is biased. Recall bends upwards in the unretrieved yield, so its estimate is
too high on average, the more the fewer relevant documents the unretrieved sample holds: in the
example of Table III by 0.064 where recall is 0.25. The second term of the Taylor series says by how
much, nearly: (R1 V0 - R0 V1) / R^3, with yields R and their variances V. ``bias_reduced_recall``
takes it off. With yields and variances as estimated the term is 0 where it is needed most, when the
unretrieved sample holds nothing relevant. So, for this term alone, half a document is added to the
relevant and to the irrelevant ones of every sample, the same half that serves as prior.

Bias and root mean squared error (all samples, exactly), plain and bias-reduced:

* Table III: bias 0.064 and 0.015, error 0.200 and 0.159.
* 240 designs around it (retrieved 1,000 to 4,000, precision 0.25 to 0.75, recall 0.15 to 0.6,
  samples of 50 to 200 and 50 to 400): mean absolute bias 0.090 and 0.022, mean error 0.216 and
  0.163; both are smaller in each of the 240.
* 300 designs with recall from 0.1 to 0.95 and samples up to 1,600: 0.055 and 0.037, 0.150 and
  0.131; bias smaller in 86 % of them, error in 72 %. The bias is larger, by up to 0.21, only at a
  recall of 0.95 with less than a third of a relevant document expected in the unretrieved sample:
  there it doubts a recall that is high indeed. The error is larger at 0.95 by up to 0.16, and at a
  recall of 0.8 by up to 0.003.

It is an extra: intervals do not use it.

Reference: Webber (2013), section 2.4, Figures 2 and 3, Table III; and section 5.1, which asks for
such an estimate.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from ..errors import DataError, ParameterError, quote
from ..presentation.column_roles import HIDDEN, Column
from ..presentation.registry import Presentation, present
from ..presentation.rounding import FRACTION_DECIMALS, decimals
from ..results import Result
from ..validation import MAX_DOCUMENTS, as_integer
from .counts import Counts
from .hypergeometric import hypergeometric_masses
from .point_estimates import check_sampled, recall_estimate, segment_yields, share

Floats = NDArray[np.float64]

MOST_VALUES = 1 << 24  # pairs of counts that are gone through
NO_ESTIMATE = "the probability that neither sample holds anything relevant"
ADDED = 0.5  # to both counts of a sample, for the correction alone


@dataclass(frozen=True, eq=False)
class EstimatorDistribution(Result):
    """The possible values of estimated recall, and their probabilities."""

    #: true recall
    recall: Annotated[float, Column(heading="true recall")]
    #: ascending
    values: Annotated[Floats, HIDDEN]
    masses: Annotated[Floats, HIDDEN]
    #: the probability that neither sample holds anything relevant; not among the masses
    undefined: Annotated[float, Column(heading="no estimate", note=NO_ESTIMATE)]

    @property
    def mean(self) -> Annotated[float, Column()]:
        """The expectation of the estimate, where there is one."""
        return float(self.values @ self.masses)

    @property
    def bias(self) -> Annotated[float, Column()]:
        """By how much the estimate is too high on average."""
        return self.mean - self.recall

    @property
    def standard_deviation(self) -> Annotated[float, Column(heading="sd")]:
        """How far the estimate is off its own mean, typically."""
        return float(np.sqrt((self.values - self.mean) ** 2 @ self.masses))


present(
    EstimatorDistribution,
    Presentation(
        "Estimated recall",
        columns=("recall", "mean", "bias", "standard_deviation", "undefined"),
        title=lambda rows, view: "estimated recall over all samples that may come",
        group=lambda one: None,
        places=lambda rows: max(
            FRACTION_DECIMALS, decimals(min(one.standard_deviation for one in rows))
        ),
        figures=("recall_plots:draw_estimator",),
        is_single=True,
    ),
)


def estimator_distribution(retrieved: Any, unretrieved: Any) -> EstimatorDistribution:
    """Return the sampling distribution of estimated recall for known numbers of relevant documents.

    Parameters
    ----------
    retrieved, unretrieved
        The segments, each as (documents, relevant ones among them, documents sampled).

    Returns
    -------
    EstimatorDistribution
        The values of the estimate and their probabilities, with ``mean``, ``bias`` and
        ``standard_deviation``.

    Examples
    --------
    >>> found = estimator_distribution((2000, 1000, 100), (100_000, 3000, 100))
    >>> found.recall, round(found.mean, 3), round(found.undefined, 3)
    (0.25, 0.314, 0.0)
    """
    inside = _checked_segment("retrieved", retrieved)
    outside = _checked_segment("unretrieved", unretrieved)
    if not inside[1] + outside[1]:
        raise DataError("recall needs a relevant document; both segments have 0")
    (found, found_masses), (missed, missed_masses) = _yields(*inside), _yields(*outside)
    if len(found_masses) * len(missed_masses) > MOST_VALUES:
        raise DataError(
            f"samples of {inside[2]:,} and {outside[2]:,} documents have too many outcomes to go "
            "through; the bias of such large samples is negligible"
        )
    masses = np.outer(found_masses, missed_masses).ravel()
    estimates = share(found[:, None], found[:, None] + missed).ravel()
    defined = np.isfinite(estimates)
    undefined = float(masses[~defined].sum())
    if not defined.any():
        raise DataError("no sample can hold a relevant document: there is no estimate")
    order = np.argsort(estimates[defined], kind="stable")
    return EstimatorDistribution(
        inside[1] / (inside[1] + outside[1]),
        estimates[defined][order],
        (masses[defined] / masses[defined].sum())[order],
        undefined,
    )


def estimator_bias(retrieved: Any, unretrieved: Any) -> float:
    """Return the bias of estimated recall for known numbers of relevant documents.

    This is the mean of the estimate minus true recall (Webber 2013, Figure 3).

    Parameters
    ----------
    retrieved, unretrieved
        As for ``estimator_distribution``.

    Returns
    -------
    float
        The bias.

    Examples
    --------
    >>> round(estimator_bias((2000, 1000, 100), (100_000, 3000, 100)), 3)
    0.064
    """
    return estimator_distribution(retrieved, unretrieved).bias


def bias_reduced_recall(counts: Counts) -> Floats:
    """Estimated recall less the second-order term of its bias, kept within 0 and 1.

    NaN where no sample holds anything relevant.
    """
    check_sampled(counts, "bias-reduced")
    yields = segment_yields(counts, ADDED)
    lean = yields.retrieved * yields.unretrieved_variance
    lean = lean - yields.unretrieved * yields.retrieved_variance
    total = yields.retrieved + yields.unretrieved
    return np.clip(recall_estimate(counts) - share(lean, total**3), 0.0, 1.0)


def _yields(documents: int, relevant: int, sampled: int) -> tuple[Floats, Floats]:
    """The estimates of a segment's yield that its sample may give, and their probabilities."""
    if not documents:
        return np.zeros(1), np.ones(1)
    first, masses = hypergeometric_masses(documents, relevant, sampled)
    counts = first + np.arange(len(masses), dtype=np.float64)
    return np.asarray(counts * (documents / sampled)), masses


def _checked_segment(name: str, segment: Any) -> tuple[int, int, int]:
    try:
        numbers = [as_integer(value) for value in segment]
    except TypeError:
        numbers = []
    given = [number for number in numbers if number is not None and 0 <= number <= MAX_DOCUMENTS]
    if len(given) != 3 or len(numbers) != 3:
        raise ParameterError(
            f"{name} must be (documents, relevant, sampled), whole numbers from 0 to "
            f"{MAX_DOCUMENTS:,}; got {quote(segment)}"
        )
    documents, relevant, sampled = given
    if relevant > documents or sampled > documents:
        raise DataError(
            f"{name}: {relevant:,} relevant and {sampled:,} sampled of {documents:,} documents"
        )
    if documents and not sampled:
        raise DataError(f"{name}: a sample of 0 gives no estimate")
    return documents, relevant, sampled
