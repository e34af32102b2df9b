"""Measures that irbounds has no formula for, computed by ir_measures' providers.

Each provider breaks ties in its own way. They are therefore given scores made from the ranks, which
have no ties. There is only the order of the run, so that means over other orders are not computed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import MeasureError
from .base import Description, Measure
from .judged_runs import Floats

if TYPE_CHECKING:
    from ..reading.records import Qrels, Run

#: what irbounds knows of measures that it does not compute itself
EXTERNAL = (
    Description(stem="infAP", trec_eval={"infAP": "infAP"}, is_of_whole_list=True),
    Description(stem="IPrec", trec_eval={"iprec_at_recall_k": "IPrec@k", "ircl_prn.k": "IPrec@k"}),
    Description(stem="SetAP", text="SetP times SetR", trec_eval={"set_map": "SetAP"}),
    Description(stem="Accuracy", text="chance that a relevant document is above another"),
    Description(stem="Compat", text="rank-biased overlap with an ideal ranking"),
    Description(stem="INST", text="INSQ that adapts to what was found"),
    *(
        Description(stem=stem)
        for stem in ("StRecall", "AP_IA", "P_IA", "ERR_IA", "alpha_nDCG", "nERR_IA", "nNRBP")
    ),
    Description(stem="NumQ", trec_eval={"num_q": "NumQ"}, bounds=None),
    Description(
        stem="NumRet", trec_eval={"num_ret": "NumRet", "num_rel_ret": "NumRet(rel=1)"}, bounds=None
    ),
    Description(stem="NumRel", trec_eval={"num_rel": "NumRel"}, bounds=None),
)


@dataclass(frozen=True, kw_only=True)
class ExternalMeasure(Measure):
    """A measure of ir_measures; ``ProvidedScorer`` scores runs by it."""

    is_external = True

    #: the object of ir_measures
    definition: Any

    @property
    def is_of_whole_list(self) -> bool:
        """Whether it depends on every relevant document, however deep in the list."""
        listed = {known.stem for known in EXTERNAL if known.is_of_whole_list}
        return self.cutoff is None and self.definition.NAME in listed


def check_provided(definition: Any) -> None:
    """Raise ``MeasureError`` unless an installed provider of ir_measures computes a measure."""
    import ir_measures

    try:
        if ir_measures.DefaultPipeline.supports(definition):
            return
        reason = "no installed provider of ir_measures computes it"
    except AssertionError as error:
        reason = str(error)
    absent = [p for p in ir_measures.providers.registry.values() if not p.is_available()]
    hints = [p.install_instructions() for p in absent if _supports(p, definition)]
    hint = f" (install one with: {' or '.join(hints)})" if hints else ""
    raise MeasureError(f"{definition}: {reason}{hint}")


def _supports(provider: Any, definition: Any) -> bool:
    try:
        return bool(provider.supports(definition))
    except AssertionError:
        return False


class ProvidedScorer:
    """Scores runs one after the other for a fixed set of measures and queries."""

    def __init__(
        self, measures: Sequence[ExternalMeasure], qrels: Qrels, queries: Sequence[str]
    ) -> None:
        import ir_measures

        self._definitions = [measure.definition for measure in measures]
        self._names = [measure.name for measure in measures]
        self._place = {query: k for k, query in enumerate(queries)}
        # a list, not a generator: it is read once per provider
        judgments = [
            ir_measures.Qrel(query, doc, relevance)
            for query, documents in qrels.to_dict().items()
            if query in self._place
            for doc, relevance in _without_negative_queries(documents).items()
        ]
        self._evaluator = ir_measures.evaluator(self._definitions, judgments)

    def score(self, run: Run) -> dict[str, Floats]:
        """Return values by measure name, one per query; 0 where the run lacks the query."""
        values = {definition: np.zeros(len(self._place)) for definition in self._definitions}
        try:
            for metric in self._evaluator.iter_calc(list(self._iterate_documents(run))):
                if metric.query_id in self._place:
                    values[metric.measure][self._place[metric.query_id]] = metric.value
        except Exception as error:  # whatever a provider raises, the run and the measure are named
            names = ", ".join(map(str, self._definitions))
            raise MeasureError(
                f"{names}: ir_measures failed on run {run.name!r}: {error}"
            ) from error
        pairs = zip(self._names, self._definitions, strict=True)
        return {name: values[definition] for name, definition in pairs}

    def _iterate_documents(self, run: Run) -> Iterator[Any]:
        import ir_measures

        ids = run.doc_ids()
        for query, begin, end in zip(run.query_ids, run.bounds[:-1], run.bounds[1:], strict=True):
            if query in self._place:
                for place, doc in enumerate(ids[begin:end]):
                    # above 0, which is what Compat gives to documents that were not retrieved
                    yield ir_measures.ScoredDoc(query, doc, float(end - begin - place))


def _without_negative_queries(judgments: dict[str, int]) -> dict[str, int]:
    """Return judgments that pytrec_eval can process.

    Version 0.5 reads memory that is not its own, and crashes or hangs, where all grades of a query
    are negative. Such a query scores 0 whether they count as not relevant or as not judged. Where
    some are not negative, the negative ones stay: infAP takes them for pooled but not judged.
    """
    if max(judgments.values()) < 0:
        return dict.fromkeys(judgments, 0)
    return judgments
