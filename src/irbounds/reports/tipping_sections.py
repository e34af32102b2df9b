"""The section of a recall audit about mistakes of the assessors."""

from __future__ import annotations

from collections.abc import Sequence

from ..presentation.page_content import Section
from ..presentation.registry import View, make_section
from ..results.recall_estimates import RecallEstimate, is_recommended
from ..results.samples import Sample
from ..results.tipping_points import has_tipping_points


def tipping_sections(
    samples: Sequence[Sample],
    estimates: Sequence[RecallEstimate],
    digits: int | None = None,
) -> list[Section]:
    """Return the tipping points of a single sample, by the method of its recall.

    There is no such section for several samples, for a sample that was assessed again, for one
    that leaves strata out, and for a page without recall.
    """
    of_recall = [estimate for estimate in estimates if estimate.quantity == "recall"]
    if len(samples) != 1 or not of_recall or not has_tipping_points(samples[0]):
        return []
    from ..samples.wrong_judgments import tipping_points

    first = next(filter(is_recommended, of_recall), of_recall[0])
    interval = first.interval
    points = tipping_points(
        samples[0],
        at_least=first.at_least,
        method=interval.method,
        prior=first.prior,
        confidence_level=interval.confidence_level,
        alternative=interval.alternative,
        cap_at_one=first.cap_at_one,
        credit_found=first.credit_found,
    )
    return [make_section(points, View(digits=digits))]
