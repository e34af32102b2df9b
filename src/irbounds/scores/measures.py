"""Measures by name: in ir_measures' spelling, by its own parser, or by a name of another tool.

A measure is computed by our formulas where we have one for its parameters; any other that
ir_measures knows goes to ir_measures' providers. This module decides which, and says in one line
what is wrong with a name. ``measure_names.py`` lists the names of other tools.
"""

from __future__ import annotations

import ast
import difflib
import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ..errors import MeasureError, quote
from ..parameters import as_list
from ..scale.digests import ASIDE
from .formulas import FORMULAS
from .measure_names import in_our_spelling, reason_for_refusal, split_names, stems
from .packed_runs import Floats, JudgedRun

logger = logging.getLogger("irbounds")
#: by their names up to the parameters
WITHIN_0_AND_1 = frozenset(
    {"AP", "nDCG", "P", "R", "Rprec", "RR", "Success", "RBP", "INSQ", "INST", "ERR", "Bpref"}
    | {"Judged", "SetP", "SetR", "SetF", "SetAP", "infAP", "IPrec", "Accuracy", "Compat"}
    | {"StRecall", "AP_IA", "P_IA", "ERR_IA", "alpha_nDCG", "nERR_IA", "nNRBP", "MAP", "MRR"}
    | {"normal-cdf"}
)
#: what ir_measures' parser raises for a text that is no name with parameters
UNREADABLE = (ValueError, TypeError, KeyError)
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
    cutoff: int | None = field(default=None, metadata=ASIDE)

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
    parsed = [(name, _parsed(name)) for name in spelled]
    measures = tuple(_measure(name, one) for name, one in parsed)
    first: dict[Any, Any] = {}
    for name, one in parsed:
        other = first.setdefault(_identity(one), name)
        if other is not name:
            both = "" if str(other) == str(name) else f", as {quote(other)} and as {quote(name)}"
            raise MeasureError(f"measure {one} is given twice{both}")
    for name, one in parsed:
        _note_reading(name, one)
    return measures


def parse_measure(name: Any) -> Measure:
    """Return one measure from its name, such as ``nDCG@10``, or from an ir_measures object."""
    parsed = _parsed(name)
    measure = _measure(name, parsed)
    _note_reading(name, parsed)
    return measure


def known_name(name: str) -> str:
    """Return a name in our spelling where it is known, else as it is."""
    return in_our_spelling(name) or name


def same_names(name: Any, names: Iterable[str]) -> list[str]:
    """Return those of the names that mean the same measure, by whichever tool's name."""
    wanted = _identity_of_name(name)
    return [one for one in names if wanted and _identity_of_name(one) == wanted]


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
        parameters = _checked_parameters(parsed)
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


def _note_reading(name: Any, parsed: Any) -> None:
    if _is_other_name(name, parsed):
        logger.info("measure %s is read as %s", quote(name), parsed)


def _identity(parsed: Any) -> tuple[Any, ...]:
    """Return what equal measures have in common, in whichever order parameters are given."""
    known = parsed.SUPPORTED_PARAMS
    return parsed.__name__, frozenset(
        (key, value if isinstance(value, int | float) else repr(value))
        for key, value in parsed.params.items()
        if key not in known or value != known[key].default
    )


def _identity_of_name(name: Any) -> tuple[Any, ...] | None:
    try:
        return _identity(_parsed(name))
    except MeasureError:
        return None


def _parsed(name: Any) -> Any:
    import ir_measures

    if isinstance(name, ir_measures.Measure):
        return name
    if not isinstance(name, str):
        raise MeasureError(f"a measure is a name, such as 'AP'; got {type(name).__name__}")
    text = name.strip()
    try:
        return _parsed_text(text)
    except NameError:
        fault, advice = "unknown measure", ""
    except UNREADABLE:
        fault, advice = "cannot read measure", "; write it as Name(parameter=value)@cutoff"
    other = in_our_spelling(text)
    if other is not None:
        with suppress(*UNREADABLE):
            return _parsed_text(other)
    reason = reason_for_refusal(text)
    if reason is not None:
        raise MeasureError(f"unknown measure {quote(name)} ({reason})")
    raise MeasureError(f"{fault} {quote(name)}{_suggestion(text)}{advice}")


def _parsed_text(text: str) -> Any:
    import ir_measures

    with _parser_of_any_python():
        return ir_measures.parse_measure(text)


@contextmanager
def _parser_of_any_python() -> Iterator[None]:
    """Lend ir_measures' parser a part that it lacks.

    It reads numbers by names of the ``ast`` module that warn since Python 3.12 and are gone in
    3.14; ``ast.literal_eval`` does the same in all versions.
    """
    from ir_measures import util

    own = util._ast_to_value
    util._ast_to_value = ast.literal_eval
    try:
        yield
    finally:
        util._ast_to_value = own


def _suggestion(name: str) -> str:
    """The nearest names, trec_eval's spelling included: ', did you mean nDCG@10?'."""
    import ir_measures

    if "," in name.partition("(")[0]:
        return ", which looks like several; give them one by one"
    try:
        from_trec: list[str] = [str(m) for m in ir_measures.parse_trec_measure(name)][:1]
    except (ValueError, KeyError):
        from_trec = []
    if from_trec:
        return f", did you mean {from_trec[0]}?"
    stem, at, cutoff = name.partition("@")
    known = stems()
    near = difflib.get_close_matches(stem.lower(), known, n=1, cutoff=0.5)
    return f", did you mean {known[near[0]]}{at}{cutoff}?" if near else ""


def _checked_parameters(measure: Any) -> dict[str, Any]:
    """The parameters that were given, each of its type; 5 is taken for 5.0."""
    parameters = {}
    for key, value in measure.params.items():
        info = measure.SUPPORTED_PARAMS.get(key)
        if info is None:
            known = ", ".join(measure.SUPPORTED_PARAMS) or "none"
            raise MeasureError(f"{measure.NAME}: no parameter {key!r} (it takes: {known})")
        if info.dtype is float and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        if not info.validate(value):
            choices = f", one of {info.choices}" if isinstance(info.choices, list) else ""
            expected = f"{info.dtype.__name__}{choices}"
            raise MeasureError(f"{measure}: {key} must be {expected}; got {quote(value)}")
        parameters[key] = value
    if parameters.get("cutoff", 1) < 1:
        raise MeasureError(f"{measure}: the cutoff must be at least 1")
    if not 0 < parameters.get("p", 0.5) < 1:
        raise MeasureError(f"{measure}: p must lie between 0 and 1; got {parameters['p']}")
    if parameters.get("T", 1.0) <= 0:
        raise MeasureError(f"{measure}: T must be greater than 0; got {parameters['T']}")
    return parameters


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
