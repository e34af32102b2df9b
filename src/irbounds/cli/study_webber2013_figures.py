"""The figures of ``irbounds study webber2013``, drawn only when they are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..presentation.figures.style import Figure
    from ..results import RecallCoverage

BALANCED = "neutral"  # the one scenario of Figure 13


def webber_figures(coverages: Sequence[RecallCoverage], with_lines: bool) -> list[Figure]:
    """The paper's figures of the parts that were asked for, in its order."""
    from ..presentation.figures import webber2013 as drawn
    from ..studies import webber2013_boxes as boxes

    known = [one for one in coverages if one.scenario in drawn.SCENARIOS]
    tried = [drawn.coverage_boxes(one, boxes.coverage_boxes(one)) for one in known]
    tried += [
        drawn.gap_boxes(one, *boxes.gap_boxes(one)) for one in known if one.scenario == BALANCED
    ]
    if known:
        tried.append(drawn.closest_shares(known))
    figures = [*(_lines() if with_lines else ()), *tried]
    return sorted(figures, key=lambda one: str(one.name))


def _lines() -> list[Figure]:
    """Figures 2 to 8 and 15 to 17, at more points than their tables have."""
    from ..presentation.figures import webber2013 as drawn
    from ..presentation.terminal import progress_of
    from ..studies import webber2013_curves as curves

    with progress_of("computing lines") as progress:
        by_size = curves.widths_by_size(progress)
    return [
        drawn.sampling_distribution(curves.estimator_scatter()),
        drawn.bias_of_the_estimator(curves.bias_curves()),
        *map(drawn.coverage_of_proportions, curves.proportion_coverages()),
        drawn.most_conservative_priors(curves.prior_curves()),
        drawn.widths_by_yield(curves.widths_by_yield()),
        drawn.widths_by_quality(curves.widths_by_quality()),
        drawn.widths_by_size(by_size),
    ]
