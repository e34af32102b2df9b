"""The section of a recall audit about mistakes of the assessors."""

from __future__ import annotations

from collections.abc import Sequence

from ..presentation.page_content import Section
from ..presentation.registry import View, make_section
from ..results.recall_estimates import RecallEstimate, is_recommended
from ..results.samples import Sample
from ..results.tipping_points import HEADING, has_tipping_points, has_unjudged

ASSESSED_AGAIN = (
    "Documents of this sample were assessed again, and the results above use the second "
    "assessment; tipping points are computed only for a sample that was assessed once."
)
NOT_JUDGED = (
    "Unretrieved documents that could not be judged count against the claim; tipping points of a "
    "claim are computed only where all of them could be judged."
)
NOT_SAMPLED = (
    "Part of the corpus was not sampled; tipping points are computed only where every stratum was."
)


def tipping_sections(
    samples: Sequence[Sample],
    estimates: Sequence[RecallEstimate],
    digits: int | None = None,
) -> list[Section]:
    """Return the tipping points of a single sample, by the method of its recall.

    A sample that was assessed again or leaves strata out, and a claim with unretrieved documents
    that could not be judged, have one sentence in their place.
    There is no such section for several samples, and for a page without recall.
    """
    of_recall = [estimate for estimate in estimates if estimate.quantity == "recall"]
    if len(samples) != 1 or not of_recall:
        return []
    if not has_tipping_points(samples[0]):
        is_checked = any(stratum.is_checked for stratum in samples[0])
        return [Section(HEADING, [ASSESSED_AGAIN if is_checked else NOT_SAMPLED])]
    first = next(filter(is_recommended, of_recall), of_recall[0])
    if first.at_least is not None and has_unjudged(samples[0]):
        return [Section(HEADING, [NOT_JUDGED])]
    from ..samples.wrong_judgments import tipping_points

    interval = first.interval
    points = tipping_points(
        samples[0],
        at_least=first.at_least,
        method=interval.method,
        prior=first.prior,
        confidence_level=interval.confidence_level,
        alternative=interval.alternative,
        credit_found=first.credit_found,
    )
    return [make_section(points, View(digits=digits))]
