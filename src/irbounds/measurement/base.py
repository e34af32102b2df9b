"""Measures by name: in ir_measures' spelling, by its own parser, or by a name of another tool.

A measure is computed by our formulas where we have one for its parameters; any other that
ir_measures knows goes to ir_measures' providers. This module decides which, and says in one line
what cannot be computed. ``measurement/names.py`` reads the names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ..errors import MeasureError, quote
from ..parallel.digests import NOT_IN_DIGESTS
from ..validation import as_list
from .formulas import FORMULAS
from .judged_runs import Floats, JudgedRun
from .names import check_parameters, identity_of, note_readings, parse_name, split_names

#: by their names up to the parameters
WITHIN_0_AND_1 = frozenset(
    {"AP", "nDCG", "P", "R", "Rprec", "RR", "Success", "RBP", "INSQ", "INST", "ERR", "Bpref"}
    | {"Judged", "SetP", "SetR", "SetF", "SetAP", "infAP", "IPrec", "Accuracy", "Compat"}
    | {"StRecall", "AP_IA", "P_IA", "ERR_IA", "alpha_nDCG", "nERR_IA", "nNRBP", "MAP", "MRR"}
    | {"normal-cdf"}
)
#: those that, without a cutoff, depend on every relevant document however deep in the list; the
#: weights of RR, ERR, RBP and INSQ have fallen below 1/100 by rank 100
WHOLE_LIST = frozenset({"AP", "nDCG", "Bpref", "Rprec", "infAP"})


@dataclass(frozen=True)
class Measure:
    """One measure: its name as shown, and our formula for it or ir_measures' object."""

    name: str
    formula: Callable[[JudgedRun], Floats] | None
    provided: Any
    #: the last rank that it looks at; None where it has no cutoff
    cutoff: int | None = field(default=None, metadata=NOT_IN_DIGESTS)

    @property
    def is_of_whole_list(self) -> bool:
        """Whether it depends on every relevant document, however deep in the list."""
        return self.cutoff is None and _stem(self.name) in WHOLE_LIST


def parse_measures(names: Iterable[Any] | str) -> tuple[Measure, ...]:
    """Return measures from their names or from ir_measures objects; none twice.

    A text may have several names with commas between them. One log record per name of another tool
    says which measure it is.
    """
    spelled = [part for name in _listed(names) for part in _split(name)]
    if not spelled:
        raise MeasureError("no measure given; name one, such as AP or nDCG@10")
    parsed = [(name, parse_name(name)) for name in spelled]
    measures = tuple(_measure(name, one) for name, one in parsed)
    first: dict[Any, Any] = {}
    for name, one in parsed:
        other = first.setdefault(identity_of(one), name)
        if other is not name:
            both = "" if str(other) == str(name) else f", as {quote(other)} and as {quote(name)}"
            raise MeasureError(f"measure {one} is given twice{both}")
    note_readings((name, str(one)) for name, one in parsed)
    return measures


def parse_measure(name: Any) -> Measure:
    """Return one measure from its name, such as ``nDCG@10``, or from an ir_measures object."""
    parsed = parse_name(name)
    measure = _measure(name, parsed)
    note_readings([(name, str(parsed))])
    return measure


def bounds_of(name: str) -> tuple[float, float] | None:
    """The lowest and highest value of a measure, None where they are not known.

    A standardised measure is named after its transform: ``normal-cdf(AP)`` lies between 0 and 1,
    ``z(AP)`` anywhere.
    """
    return (0.0, 1.0) if _stem(name) in WITHIN_0_AND_1 else None


def _stem(name: str) -> str:
    return name.partition("@")[0].partition("(")[0]


def _listed(names: Iterable[Any] | str) -> list[Any]:
    import ir_measures

    # an ir_measures object looks like a sequence
    return [names] if isinstance(names, ir_measures.Measure) else as_list(names)


def _split(name: Any) -> list[Any]:
    return split_names(name) if isinstance(name, str) else [name]


def _measure(name: Any, parsed: Any) -> Measure:
    """Return the measure that an ir_measures object describes; ``name`` is for messages."""
    try:
        parameters = check_parameters(parsed)
        _check_required(parsed, parameters)
        formula = _formula(parsed, parameters)
        provided = None if formula else type(parsed)(**parameters)
        if provided is not None:
            _check_provided(provided)
    except MeasureError as error:
        if _is_other_name(name, parsed):
            raise MeasureError(f"{quote(name)} is read as {parsed.NAME}: {error}") from None
        raise
    return Measure(str(parsed), formula, provided, parameters.get("cutoff"))


def _is_other_name(name: Any, parsed: Any) -> bool:
    return isinstance(name, str) and _stem(name).strip() != parsed.NAME


def _check_required(measure: Any, parameters: dict[str, Any]) -> None:
    for key, info in measure.SUPPORTED_PARAMS.items():
        may_be_left_out = not info.required or (key == "max_rel" and measure.NAME in FORMULAS)
        if key in parameters or may_be_left_out:
            continue
        example = ", such as @10" if key == measure.AT_PARAM == "cutoff" else f", as in {key}=..."
        raise MeasureError(f"{measure} needs a {key}{example}")


def _formula(measure: Any, parameters: dict[str, Any]) -> Callable[[JudgedRun], Floats] | None:
    formula = FORMULAS.get(measure.NAME)
    if formula is None or parameters.get("judged_only") or "gains" in parameters:
        return None
    if parameters.get("max_rel", 1) <= parameters.get("min_rel", 0):
        raise MeasureError(f"{measure}: max_rel must be greater than min_rel")
    given = {key: value for key, value in parameters.items() if key != "judged_only"}
    return partial(formula, **given)


def _check_provided(measure: Any) -> None:
    """Whether some provider of ir_measures can compute it on this machine."""
    import ir_measures

    try:
        if ir_measures.DefaultPipeline.supports(measure):
            return
        reason = "no installed provider of ir_measures computes it"
    except AssertionError as error:
        reason = str(error)
    absent = [p for p in ir_measures.providers.registry.values() if not p.is_available()]
    hints = [p.install_instructions() for p in absent if _supports(p, measure)]
    hint = f" (install one with: {' or '.join(hints)})" if hints else ""
    raise MeasureError(f"{measure}: {reason}{hint}")


def _supports(provider: Any, measure: Any) -> bool:
    try:
        return bool(provider.supports(measure))
    except AssertionError:
        return False
