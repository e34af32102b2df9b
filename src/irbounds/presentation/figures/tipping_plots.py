"""Figures of tipping points: recall by the error rates of the assessors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...results.samples import Stratum
from ...results.tipping_points import TippingPoints
from ..rounding import format_setting, percent, significant
from . import vega
from .shapes import distinguish_series, make_panel
from .style import EMPHASIS, Figure, draw_reference_line, make_figure, tooltips, values

HEIGHT = 240
N_STEPS = 60  # of the false-positive rate
MAX_RATE = 0.4  # with the largest false-negative rate, the sum is below 1
MISS_RATES = (0.0, 0.1, 0.25, 0.5)  # false-negative rates, one line each
X_TITLE = "false-positive rate (of the documents that are not relevant, judged relevant)"
LEGEND = "false-negative rate (of the relevant documents, judged not relevant)"
DIGITS = 3


def draw_error_rates(results: Sequence[TippingPoints]) -> list[Figure]:
    """Draw recall over the error rates in the unretrieved segment, one figure per sample.

    A sample without relevant unretrieved documents has no figure: these rates do not change it.
    """
    return [_draw(result) for result in results if result.n_relevant]


def estimate_recall(strata: Sequence[Stratum], false_positive: float, miss: float) -> float:
    """Return recall by Rogan and Gladen's correction of the unretrieved strata.

    The true fraction of a stratum is (r/n - f) / (1 - f - g), and 0 where f is above r/n.
    """
    yields = {True: 0.0, False: 0.0}
    for stratum in strata:
        if stratum.sampled:
            fraction = stratum.relevant / stratum.sampled
            if not stratum.retrieved:
                fraction = max(fraction - false_positive, 0.0) / (1 - false_positive - miss)
            yields[stratum.retrieved] += stratum.population * min(fraction, 1.0)
    total = sum(yields.values())
    return yields[True] / total if total else float("nan")


def _draw(result: TippingPoints) -> Figure:
    fractions = [
        stratum.relevant / stratum.sampled
        for stratum in result.strata
        if not stratum.retrieved and stratum.sampled
    ]
    last = min(max(fractions), MAX_RATE)
    rows = [
        {
            "rate": last * step / N_STEPS,
            "miss": percent(miss),
            "recall": estimate_recall(result.strata, last * step / N_STEPS, miss),
        }
        for miss in MISS_RATES
        for step in range(N_STEPS + 1)
    ]
    x: dict[str, Any] = {
        "title": X_TITLE,
        "scale": dict(nice=False),
        "axis": dict(format=".2~p", grid=False),
    }
    y: dict[str, Any] = {"title": "recall (estimate)", "scale": dict(domain=[0, 1])}
    lines = vega.Chart(values(rows)).encode(
        x=vega.X("rate:Q", **x),
        y=vega.Y("recall:Q", **y),
        tooltip=[
            *tooltips({"miss": "false-negative rate"}, {"rate": "false-positive rate"}, ".3~p"),
            *tooltips((), ["recall"], DIGITS),
        ],
        **distinguish_series(
            "miss",
            map(percent, MISS_RATES),
            "strokeDash",
            orient="top",
            title=LEGEND,
            titleLimit=0,
        ),
    )
    estimate = vega.Chart(values([{"rate": 0.0, "recall": result.as_judged.value}]))
    dot = estimate.mark_point(filled=True, size=80, color=EMPHASIS, opacity=1).encode(
        x=vega.X("rate:Q", **x),
        y=vega.Y("recall:Q", **y),
        tooltip=tooltips((), {"recall": "estimate as judged"}, DIGITS),
    )
    claim = []
    if result.at_least is not None:
        claim.append(draw_reference_line(result.at_least, "y", called="claim", **y))
    return make_figure(
        make_panel(*claim, lines.mark_line(strokeWidth=2), dot, height=HEIGHT),
        name="tipping-points",
        title="Recall by the assessors' error rates in the unretrieved segment",
        description=_describe(result, last),
    )


def _describe(result: TippingPoints, last: float) -> str:
    numbers = [
        significant(recall, DIGITS)
        for recall in (
            result.as_judged.value,
            estimate_recall(result.strata, last / 2, 0.0),
            estimate_recall(result.strata, 0.0, MISS_RATES[-1]),
        )
    ]
    claim = "" if result.at_least is None else f" A line marks {format_setting(result.at_least)}."
    return (
        f"Estimated recall is {numbers[0]} as judged, {numbers[1]} with a false-positive rate of "
        f"{significant(100 * last / 2, DIGITS)} %, and {numbers[2]} with a false-negative rate of "
        f"{percent(MISS_RATES[-1])}.{claim}"
    )
