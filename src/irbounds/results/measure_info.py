"""Measures that can be named, and what irbounds computes of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from ..presentation.column_roles import Column, Key
from ..presentation.registry import Presentation, present
from .result import Result

#: who computes scores of a measure
Provider = Literal["irbounds", "ir_measures", "not installed"]
TITLES = {
    "irbounds": "measures that irbounds computes",
    "ir_measures": "measures that ir_measures' providers compute",
    "not installed": "measures whose provider for ir_measures is not installed",
}
CAPTION = "[@k] may be left out; parameters are in parentheses, as in AP(rel=2)@10"


@dataclass(frozen=True)
class MeasureInfo(Result):
    """A measure: its names, and what can be computed of it."""

    #: in ir_measures' spelling, such as ``P@k``; ``AP[@k]`` where the cutoff may be left out
    name: Annotated[str, Column("key", "measure")]
    description: Key
    #: separated by commas, as are the names of the tools
    parameters: Key
    trec_eval: Annotated[str, Column("key", "trec_eval", "trec_eval_names")]
    ranx: Annotated[str, Column("key", "ranx", "ranx_names")]
    #: chance levels, replicates of the corpus, and means over all orders of tied documents
    has_chance_level: Annotated[
        bool,
        Column(
            heading="chance",
            note="scores of random rankings",
            text=lambda measure, _: _mark(measure.has_chance_level),
        ),
    ]
    has_corpus_replicates: Annotated[
        bool,
        Column(
            heading="corpus",
            note="replicates of the corpus",
            text=lambda measure, _: _mark(measure.has_corpus_replicates),
        ),
    ]
    has_expected_ties: Annotated[
        bool,
        Column(
            heading="ties",
            note="means over the orders of ties",
            text=lambda measure, _: _mark(measure.has_expected_ties),
        ),
    ]
    provider: Annotated[Provider, Column("key")]


def _mark(is_so: bool) -> str:
    return "yes" if is_so else "-"


present(
    MeasureInfo,
    Presentation(
        "Measures",
        columns=(
            *("name", "description", "trec_eval_names?", "ranx_names?", "parameters"),
            *("has_chance_level?", "has_corpus_replicates?", "has_expected_ties?"),
        ),
        title=lambda rows, view: TITLES[rows[0].provider],
        caption=lambda rows: CAPTION,
        group=lambda measure: measure.provider,
        places=lambda rows: 0,
        spare=("parameters", "ranx", "trec_eval"),
    ),
)
