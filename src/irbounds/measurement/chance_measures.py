"""Measures whose chance level has a formula: which they are, and with which parameters.

A name is read once and remembered, since reading it takes longer than computing what chance scores.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache, partial
from typing import Any

from ..errors import MeasureError
from .base import Measure, parse_measure, parse_measures
from .formulas import FORMULAS

CHANCE_MEASURES = ("AP", "P", "R", "Rprec", "RR", "Success", "nDCG", "RBP", "INSQ", "ERR")
_NAME_OF = {FORMULAS[name]: name for name in CHANCE_MEASURES}


def measure_called(name: Any) -> Measure:
    """The measure of this name; a Measure or an ir_measures object will do."""
    if isinstance(name, Measure):
        return name
    return _remembered(name) if isinstance(name, str) else parse_measure(name)


def check_chance_measures(measures: Iterable[Any] | str) -> None:
    """Raise ``MeasureError`` unless there is a formula for the chance level of every measure."""
    for measure in parse_measures(measures):
        chance_parameters(measure)


def chance_parameters(measure: Measure) -> tuple[str, dict[str, Any]]:
    """The measure's name without its parameters, and these; ``MeasureError`` without a formula."""
    formula = measure.formula
    if not isinstance(formula, partial) or formula.func not in _NAME_OF:
        raise MeasureError(
            f"{measure.name} has no formula for what chance scores; these have one: "
            f"{', '.join(CHANCE_MEASURES)}, with their cutoffs and parameters"
        )
    parameters = formula.keywords
    rel = parameters.get("rel")
    if rel is not None and rel < 1:
        raise MeasureError(f"{measure.name}: rel must be at least 1 in a random ranking")
    if parameters.get("min_rel", 0) < 0:
        raise MeasureError(f"{measure.name}: min_rel must be at least 0 in a random ranking")
    return _NAME_OF[formula.func], parameters


@lru_cache(maxsize=256)
def _remembered(name: str) -> Measure:
    return parse_measure(name)
