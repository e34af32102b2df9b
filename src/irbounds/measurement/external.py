"""Measures that we have no formula for, by ir_measures' providers.

Providers break ties each in their own way, so they are given scores made from the ranks: whatever
they do with equal scores, there are none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import MeasureError
from .judged_runs import Floats

if TYPE_CHECKING:
    from ..reading.records import Qrels, Run


class ProvidedScorer:
    """Scores runs one after the other for a fixed set of measures and queries."""

    def __init__(self, measures: Sequence[Any], qrels: Qrels, queries: Sequence[str]) -> None:
        import ir_measures

        self._measures = list(measures)
        self._place = {query: k for k, query in enumerate(queries)}
        # a list, not a generator: it is read once per provider
        judgments = [
            ir_measures.Qrel(query, doc, relevance)
            for query, documents in qrels.to_dict().items()
            if query in self._place
            for doc, relevance in _safe(documents).items()
        ]
        self._evaluator = ir_measures.evaluator(self._measures, judgments)

    def score(self, run: Run) -> dict[Any, Floats]:
        """The values of each measure, one per query; 0 where the run has none."""
        values = {measure: np.zeros(len(self._place)) for measure in self._measures}
        try:
            for metric in self._evaluator.iter_calc(list(self._ranked(run))):
                if metric.query_id in self._place:
                    values[metric.measure][self._place[metric.query_id]] = metric.value
        except Exception as error:  # whatever a provider raises, the run and the measure are named
            names = ", ".join(map(str, self._measures))
            raise MeasureError(
                f"{names}: ir_measures failed on run {run.name!r}: {error}"
            ) from error
        return values

    def _ranked(self, run: Run) -> Any:
        import ir_measures

        ids = run.doc_ids()
        for query, begin, end in zip(run.query_ids, run.bounds[:-1], run.bounds[1:], strict=True):
            if query in self._place:
                for place, doc in enumerate(ids[begin:end]):
                    # above 0, which is what Compat gives to documents that were not retrieved
                    yield ir_measures.ScoredDoc(query, doc, float(end - begin - place))


def _safe(judgments: dict[str, int]) -> dict[str, int]:
    """Judgments that pytrec_eval survives.

    Version 0.5 reads memory that is not its own, and crashes or hangs, where all grades of a query
    are negative. Such a query scores 0 whether they count as not relevant or as not judged. Where
    some are not negative, the negative ones stay: infAP takes them for pooled but not judged.
    """
    if max(judgments.values()) < 0:
        return dict.fromkeys(judgments, 0)
    return judgments
