"""The list of measures that can be named."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import MeasureError
from ..results import MeasureInfo, Results
from .base import Measure
from .names import definitions, ranx_names, stem_of, trec_eval_names
from .parser import parse_measure
from .registry import MEASURES, descriptions

EXAMPLES = {int: 10, float: 0.5}  # values of parameters that a measure needs


def list_measures() -> Results[MeasureInfo]:
    """Return the measures that can be named, and what is computed of each.

    Measures with a formula of irbounds are first; the others are computed by ir_measures' providers
    as far as these are installed.

    Examples
    --------
    >>> measures = list_measures()
    >>> measures[0].name, measures[0].trec_eval
    ('AP[@k]', 'map, map_cut_k')
    >>> [one.name for one in measures if one.has_corpus_replicates][:4]
    ['AP[@k]', 'P@k', 'R@k', 'Rprec']
    """
    known = {definition.NAME: definition for definition in definitions().values()}
    first = [measure.description.stem for measure in MEASURES]
    rows = [_describe(known[name]) for name in dict.fromkeys((*first, *known))]
    order = ("irbounds", "ir_measures", "not installed")
    return Results(sorted(rows, key=lambda row: order.index(row.provider)))


def _describe(definition: Any) -> MeasureInfo:
    stem, parameters = definition.NAME, definition.SUPPORTED_PARAMS
    required = {key: EXAMPLES[info.dtype] for key, info in parameters.items() if info.required}
    measure = _parse_if_possible(type(definition)(**required))
    description = descriptions().get(stem)
    at = definition.AT_PARAM
    number = f"@{'k' if at == 'cutoff' else at}" if at in parameters else ""
    return MeasureInfo(
        name=f"{stem}{number if at in required or not number else f'[{number}]'}",
        description=(description and description.text) or definition.PRETTY_NAME,
        parameters=", ".join(key for key in parameters if key != at),
        trec_eval=_join_names(trec_eval_names(), stem),
        ranx=_join_names(ranx_names(), stem),
        has_chance_level=measure is not None and measure.has_chance_level(),
        has_corpus_replicates=measure is not None and measure.has_image_form(),
        has_expected_ties=measure is not None and measure.has_expected_over_ties(),
        provider=_name_provider(measure),
    )


def _parse_if_possible(definition: Any) -> Measure | None:
    """Return a measure that can be computed here; None for any other."""
    try:
        return parse_measure(definition)
    except MeasureError:
        return None


def _name_provider(measure: Measure | None) -> Any:
    if measure is None:
        return "not installed"
    return "ir_measures" if measure.is_external else "irbounds"


def _join_names(names: Mapping[str, str], stem: str) -> str:
    """Return the names that a tool has for a measure, whatever its parameters."""
    return ", ".join(name for name, ours in names.items() if stem_of(ours) == stem)
