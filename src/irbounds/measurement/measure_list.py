"""The measures that can be named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..errors import MeasureError
from ..results import MeasureInfo, Results
from .base import Measure, parse_measure
from .chance_measures import chance_parameters
from .formulas import FORMULAS
from .image_tables import check_image_measures
from .names import DESCRIPTIONS, RANX, TREC_EVAL, names_of_tool
from .tied_runs import check_ties

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
    import ir_measures

    known = {one.NAME: one for one in ir_measures.measures.registry.values()}
    rows = [_info(known[name]) for name in dict.fromkeys((*FORMULAS, *known))]
    order = ("irbounds", "ir_measures", "not installed")
    return Results(sorted(rows, key=lambda row: order.index(row.provider)))


def _info(known: Any) -> MeasureInfo:
    name, parameters = known.NAME, known.SUPPORTED_PARAMS
    required = {key: EXAMPLES[one.dtype] for key, one in parameters.items() if one.required}
    measure = _computable(type(known)(**required))
    at = known.AT_PARAM
    number = f"@{'k' if at == 'cutoff' else at}" if at in parameters else ""
    return MeasureInfo(
        name=f"{name}{number if at in required or not number else f'[{number}]'}",
        description=DESCRIPTIONS.get(name, known.PRETTY_NAME),
        parameters=", ".join(key for key in parameters if key != at),
        trec_eval=names_of_tool(TREC_EVAL, name),
        ranx=names_of_tool(RANX, name),
        has_chance_level=_passes(chance_parameters, measure),
        has_corpus_replicates=_passes(lambda one: check_image_measures([one]), measure),
        has_expected_ties=_passes(lambda one: check_ties("expected", [one]), measure),
        provider="not installed" if measure is None else _provider(measure),
    )


def _computable(measure: Any) -> Measure | None:
    """Return a measure that can be computed here; None for any other."""
    try:
        return parse_measure(measure)
    except MeasureError:
        return None


def _provider(measure: Measure) -> Any:
    return "ir_measures" if measure.formula is None else "irbounds"


def _passes(check: Callable[[Measure], object], measure: Measure | None) -> bool:
    """Return whether a check raises no ``MeasureError``."""
    if measure is None:
        return False
    try:
        check(measure)
    except MeasureError:
        return False
    return True
