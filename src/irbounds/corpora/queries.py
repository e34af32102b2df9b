"""How precise scores on single queries are (section 5, Figures 1 and 2).

A query has few relevant documents, so what an image draws of them moves its score far more than a
mean over queries. For one system, the distribution of its score on every query; for all systems,
how large the standard deviation over images gets on a query.

Distributions need every score, and are of the images whose scores are kept; the standard deviations
over systems are of all images.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..results import QueryPrecision, QuerySpread, Results
from ..validation import check_choice, check_confidence_level
from .summaries import summarise_rows

if TYPE_CHECKING:
    from .bootstrap import CorpusBootstrap

CHUNK = 1 << 20  # numbers worked on at once, 8 MiB


def query_precision(
    images: CorpusBootstrap, system: str, confidence_level: float
) -> Results[QueryPrecision]:
    """One system's score on every query by every measure, on the images that are kept."""
    confidence_level = check_confidence_level(confidence_level)
    check_choice("system", system, images.systems)
    place = images.systems.index(system)
    step = max(CHUNK // images.n_kept, 1)
    rows: list[QueryPrecision] = []
    for m in range(len(images.measures)):
        for begin in range(0, len(images.queries), step):
            part = range(len(images.queries))[begin : begin + step]
            rows += _of_queries(images, m, place, part, confidence_level)
    return Results(rows)


def _of_queries(
    images: CorpusBootstrap, m: int, s: int, part: range, confidence_level: float
) -> list[QueryPrecision]:
    scores = images.scores[m, s, part.start : part.stop]
    return [
        QueryPrecision(
            measure=images.measures[m],
            system=images.systems[s],
            query_id=images.queries[q],
            value=float(images.root.values[m, s, q]),
            images=summary,
            interval=interval,
            n_images=images.n_kept,
        )
        for q, (summary, interval) in zip(
            part, summarise_rows(scores, confidence_level), strict=True
        )
    ]


def query_spreads(images: CorpusBootstrap) -> Results[QuerySpread]:
    """Over systems: median, 95th percentile and largest of the standard deviations on a query."""
    rows = []
    for measure, deviations in zip(images.measures, images.query_deviations, strict=True):
        middle, high, most = np.quantile(deviations, (0.5, 0.95, 1.0), axis=0)
        rows += [
            QuerySpread(
                measure=measure,
                query_id=query_id,
                median=float(middle[q]),
                percentile_95=float(high[q]),
                maximum=float(most[q]),
                n_systems=len(images.systems),
                n_images=images.n_images,
            )
            for q, query_id in enumerate(images.queries)
        ]
    return Results(rows)
