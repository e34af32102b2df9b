"""Samples: what they held, how often intervals from them hold, and how their estimate scatters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...results import RecallCoverageRow, Sample
from ..noise import NOISE, within_noise
from ..rounding import percent, significant
from . import vega
from .dots import Dot, dots
from .style import COLOURS, CONTRAST, EMPHASIS, WIDTH, Figure, finished, tooltips, values

__all__ = ["coverage_by_method", "estimator_scatter", "relevant_shares"]

BINS = 60
HEIGHT = 220
DIGITS = 4


def coverage_by_method(rows: Sequence[RecallCoverageRow]) -> Figure:
    """The share of intervals that hold the true recall, by method, beside what is promised."""
    several = len({row.scenario for row in rows}) > 1
    found = [
        Dot(
            row.method,
            row.coverage,
            *within_noise(row.coverage, row.coverage_noise),
            series=row.scenario if several else "",
        )
        for row in rows
    ]
    level = rows[0].confidence_level
    return dots(
        found,
        axis="share of intervals that hold the true recall",
        name="recall-coverage",
        title=f"Coverage of {percent(level)} intervals of recall",
        reference=level,
        reach=f"simulation noise, {NOISE} standard errors to either side",
    )


def relevant_shares(samples: Sequence[Sample]) -> Figure:
    """The share of relevant documents in the sample of every stratum."""
    found = [
        Dot(
            _stratum_label(sample, one.name, len(samples) > 1),
            one.relevant / one.judged if one.judged else math.nan,
            series="retrieved" if one.retrieved else "not retrieved",
            system=sample.system,
        )
        for sample in samples
        for one in sample.strata
    ]
    return dots(
        found,
        axis="share of relevant documents among those assessed",
        name="samples",
        title="What the samples held, stratum by stratum",
    )


def _stratum_label(sample: Sample, stratum: str, several: bool) -> str:
    names = (sample.system, sample.topic) if several else ()
    return ", ".join((*filter(None, names), stratum))


def estimator_scatter(scatter: Any) -> Figure:
    """How likely every value of estimated recall is, with true recall and the mean marked."""
    edges = np.linspace(0.0, 1.0, BINS + 1)
    masses, _ = np.histogram(scatter.values, edges, weights=scatter.masses)
    bars = vega.Chart(
        values(
            {"from": low, "to": high, "probability": mass, "none": 0}
            for low, high, mass in zip(edges[:-1], edges[1:], masses, strict=True)
        )
    )
    drawn = bars.mark_bar(color=EMPHASIS, opacity=0.6).encode(
        x=vega.X("from:Q", title="estimated recall", scale=dict(domain=[0, 1])),
        x2="to:Q",
        y=vega.Y("probability:Q", title="probability"),
        y2="none:Q",
        tooltip=[*tooltips((), ("from", "to"), 3), *tooltips((), ("probability",), ".3~g")],
    )
    return finished(
        vega.layer(drawn, _marked(scatter)).properties(width=WIDTH, height=HEIGHT),
        name="estimator",
        title="Estimated recall over all samples that may come",
        description=(
            f"True recall {_shown(scatter.recall)}; the estimate is {_shown(scatter.mean)} on "
            f"average, with a standard deviation of {_shown(scatter.standard_deviation)}."
        ),
    )


def _shown(number: float) -> str:
    return significant(number, DIGITS)


def _marked(scatter: Any) -> vega.Chart:
    """Where the truth is, and where the estimate is on average."""
    names = {"true recall": scatter.recall, "mean of the estimate": scatter.mean}
    rows = values({"what": what, "place": place} for what, place in names.items())
    scale = dict(domain=list(names), range=[COLOURS[2], CONTRAST])
    line: vega.Chart = vega.Chart(rows).mark_rule(strokeWidth=2)
    return line.encode(
        x="place:Q",
        color=vega.channel("what:N", scale=scale, legend=dict(title=None, orient="top")),
        strokeDash=vega.channel("what:N", legend=None),
        tooltip=tooltips({"what": "mark"}, {"place": "recall"}),
    )
