"""Names of measures: which text names a measure, and how ir_measures spells it.

Scores from other tools name measures in their own ways, and so do people. The ``Description`` of a
measure lists the names of tools. Upper and lower case, ``-`` and ``_`` are the same, and a number
may follow directly or after ``@``, ``_``, ``_at_`` or ``.``: ``ndcg10``, ``NDCG@10`` and
``ndcg_at_10`` are ``nDCG@10``.

A source of scores has known names in our spelling (``names_of_source``); all other names stay as
they are. ``is_measure_name`` is stricter: it tells measures from ids of queries and systems.
"""

from __future__ import annotations

import ast
import difflib
import logging
import re
from collections import ChainMap
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, get_args

from ..errors import InputError, MeasureError, quote
from ..validation import Transform

if TYPE_CHECKING:
    from .base import Description

logger = logging.getLogger("irbounds")

#: what scores are called where nothing names their measure
UNNAMED = "score"
MAX_NOTED = 10  # names in a note
#: names that are not read, and why; ``{k}`` is the number of the name, ``{at}`` the same after @
REFUSED = {
    "hits": "a count of relevant documents in ranx, elsewhere Success@{k}; write P@{k} or "
    "Success@{k}",
    "f1@k": "F of the whole list is SetF; there is none with a cutoff",
    "dcg": "not normalised; the normalised measure is nDCG{at}",
    "dcg_burges": "not normalised; the normalised measure is nDCG(dcg='exp-log2'){at}",
    "rbp@k": "in ranx the number is p and gains are grades, in ir_measures the number is a cutoff; "
    "write RBP(rel=1,p=0.{k}) or RBP@{k}",
    "accuracy": "Success@{k} in some tools, and another measure in ir_measures; write Success@{k} "
    "or Accuracy{at}",
    "gm_map": "a geometric mean over queries, not a score of a query; the scores of queries are AP",
}
#: what trec_eval 7 and 8 print and trec_eval 9 calls otherwise
OLD_TREC_NAME = re.compile(
    r"(P|recall)(5|10|15|20|30|100|200|500|1000)|R-prec|ircl_prn\.\d\.\d\d|exact_(prec|recall)|(11|3)-pt_avg"
    r"|map_at_R|int_map(_at_R)?|bpref_(all|ret|top)nonrel",
    re.ASCII,
)
#: what trec_eval 9 and pytrec_eval print and ir_measures has no name for
OTHER_TREC_NAME = re.compile(
    r"runid|relstring(_\d+)?|gm_(map|ap|bpref)|11pt_avg|utility|(bin)?G|Rndcg|ndcg_rel"
    r"|Rprec_mult_[\d.]+|(set_)?relative_P(_\d+)?|set_F_[\d.]+|num_nonrel_judged_ret",
    re.ASCII,
)
#: ``ndcg@10``, ``map@100-l2`` and ``hit_rate`` of ranx, ``NDCG@10`` of BEIR, ``ndcg_at_10`` of MTEB
OTHER_NAME = re.compile(
    r"(n?dcg|n?dcg_burges|map|mrr|precision|recall|r[_-]precision|f1|hits|hit_rate|success|bpref"
    r"|rbp(\.\d+)?)((@|_at_|_)\d+)?(-l\d+)?",
    re.ASCII | re.IGNORECASE,
)
#: what ir_measures' parser raises for a text that is no name with parameters
UNREADABLE = (ValueError, TypeError, KeyError)
MAX_LENGTH = 200  # characters of a name in a source of scores; longer names are not parsed
_PARTS = re.compile(r"(?P<stem>[^\W\d][\w-]*)(?P<parameters>\(.*\))?(@(?P<number>[\d.]+))?")
_NUMBER_AT_END = re.compile(r"(?P<stem>[^\W\d][\w-]*?)(_at_|[._])?(?P<number>\d+(\.\d+)?)")
_SEVERAL = re.compile(r",(?![^(]*\))")  # commas that are not in parentheses
_STANDARDISED = re.compile(rf"({'|'.join(get_args(Transform))})\((.*)\)")


def split_names(text: str) -> list[str]:
    """Return the names of a list with commas: ``"map,P@5,10"`` is ``map``, ``P@5`` and ``P@10``."""
    names: list[str] = []
    for part in filter(None, map(str.strip, _SEVERAL.split(text))):
        before = _number_removed(names[-1]) if names else None
        is_number = re.fullmatch(r"\d+(\.\d+)?", part)
        names.append(f"{before}{part}" if is_number and before else part)
    return names


def in_our_spelling(name: str) -> str | None:
    """Return a name as ir_measures spells it; None for a name that is not listed here."""
    for pattern in (_PARTS, _NUMBER_AT_END):
        parts = pattern.fullmatch(name)
        known = _find(_names(), parts)
        if parts is None or known is None or reason_for_refusal(name):
            continue
        parameters = parts.groupdict().get("parameters") or ""
        return None if parameters and "(" in known else f"{known}{parameters}{_at(parts)}"
    return None


def reason_for_refusal(name: str) -> str | None:
    """Return why a name is not read although tools have it; None for other names."""
    for pattern in (_PARTS, _NUMBER_AT_END):
        parts = pattern.fullmatch(name)
        reason = _find(_refused_names(), parts)
        if parts and reason and not parts.groupdict().get("parameters"):
            return reason.format(at=_at(parts), k=(parts["number"] or "k").removeprefix("0."))
    return None


def names_of_source(names: Iterable[str], source: str) -> dict[str, str]:
    """Return the names of a source's measures in our spelling, by the names that it has.

    Raises ``InputError`` where two become the same name.
    """
    ours = {name: our_name(name) for name in dict.fromkeys(names)}
    first: dict[str, str] = {}
    for name, spelled in ours.items():
        other = first.setdefault(spelled, name)
        if other is not name:
            raise InputError(
                f"{source}: measures {quote(other)} and {quote(name)} are both {spelled}; "
                "rename or leave out one of them"
            )
    return ours


@lru_cache(maxsize=4096)
def our_name(name: str) -> str:
    """Return a measure's name as ir_measures spells it; any other name as it is.

    A standardised measure has the name of its transform, too: ``z(map)`` is ``z(AP)``.
    """
    if re.sub(r"@[1-9]\d*$", "@k", name) in _plain_names():
        return name
    standardised = _STANDARDISED.fullmatch(name)
    if standardised:
        return f"{standardised[1]}({our_name(standardised[2])})"
    parsed = _parse_known(name)
    return name if parsed is None else str(parsed)


def _parse_known(name: str) -> Any:
    """Return the ir_measures object of a name that can be computed; None for any other name."""
    text = name.strip()
    stem = _PARTS.fullmatch(text.replace(" ", ""))
    is_own = stem is not None and stem["stem"] in definitions()
    if len(text) > MAX_LENGTH or not (is_own or in_our_spelling(text)):
        return None
    try:
        parsed = parse_name(text)
        return None if missing_parameters(parsed, check_parameters(parsed)) else parsed
    except MeasureError:
        return None


def same_names(name: Any, names: Iterable[str]) -> list[str]:
    """Return those of the names that mean the same measure, by whichever tool's name."""
    identity = _identity_of_name(name)
    return [other for other in names if identity and _identity_of_name(other) == identity]


def note_readings(readings: Iterable[tuple[Any, str]]) -> None:
    """Log how names of other tools were read, in one line that has the first few of many."""
    notes = [
        f"{quote(name)} is read as {ours}"
        for name, ours in dict.fromkeys(readings)
        if isinstance(name, str) and stem_of(_raw(name)).strip() != stem_of(_raw(ours))
    ]
    if notes:
        more = f" ... ({len(notes):,} in all)" if len(notes) > MAX_NOTED else ""
        logger.info("measure %s%s", ", ".join(notes[:MAX_NOTED]), more)


def is_measure_name(name: object) -> bool:
    """Return whether a text is the name of a measure rather than the id of a query or a system.

    Old names such as ``P10`` do not count, since they are ids of queries more often.
    """
    text = str(name)
    patterns = (OTHER_TREC_NAME, OTHER_NAME)
    return (
        is_trec_name(text)
        or any(pattern.fullmatch(text) for pattern in patterns)
        or is_our_name(text)
    )


def is_our_name(name: str) -> bool:
    """Return whether a name, such as ``nDCG@10``, is in our spelling."""
    return stem_of(name) in definitions()


def is_trec_name(name: str) -> bool:
    """Return whether trec_eval 9 has a name, and ir_measures the measure."""
    return bool(_trec_names().fullmatch(name)) and not OLD_TREC_NAME.fullmatch(name)


def parse_name(name: Any) -> Any:
    """Return the ir_measures object that a name, of whichever tool, describes.

    Raises ``MeasureError`` with one line about what is wrong with the name.
    """
    import ir_measures

    if isinstance(name, ir_measures.Measure):
        return name
    if not isinstance(name, str):
        raise MeasureError(f"a measure is a name, such as 'AP'; got {type(name).__name__}")
    text = name.strip()
    try:
        return _parse_text(text)
    except NameError:
        fault, advice = "unknown measure", ""
    except UNREADABLE:
        fault, advice = "cannot read measure", "; write it as Name(parameter=value)@cutoff"
    other = in_our_spelling(text)
    if other is not None:
        with suppress(*UNREADABLE):
            return _parse_text(other)
    reason = reason_for_refusal(text)
    if reason is not None:
        raise MeasureError(f"unknown measure {quote(name)} ({reason})")
    raise MeasureError(f"{fault} {quote(name)}{_suggestion(text)}{advice}")


def check_parameters(measure: Any) -> dict[str, Any]:
    """Return the parameters of an ir_measures object, each of its type; 5 is taken for 5.0."""
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


def missing_parameters(
    measure: Any, parameters: Mapping[str, Any], *, with_max_rel: bool = False
) -> list[str]:
    """Return the parameters that a measure needs and that are not given.

    Without ``with_max_rel``, ``max_rel`` is not among them: it can be the highest grade of the
    judgments.
    """
    required = [key for key, info in measure.SUPPORTED_PARAMS.items() if info.required]
    return [key for key in required if key not in parameters and (with_max_rel or key != "max_rel")]


def identity_of(parsed: Any) -> tuple[Any, ...]:
    """Return what equal measures have in common, in whichever order parameters are given."""
    known = parsed.SUPPORTED_PARAMS
    return parsed.__name__, frozenset(
        (key, value if isinstance(value, int | float) else repr(value))
        for key, value in parsed.params.items()
        if key not in known or value != known[key].default
    )


def _stems() -> dict[str, str]:
    """Return the known names in lower case, without their numbers, and the measures they mean."""
    return {stem: stem_of(ours) for (stem, _), ours in _names().items()}


@cache
def _names() -> dict[tuple[str, bool], str]:
    """Return measures by their names, and by whether the name has a number."""
    own = {(_fold(k), n): str(m) for k, m in definitions().items() for n in (False, True)}
    others = trec_eval_names() | ranx_names()
    return own | {_key(name): ours.removesuffix("@k") for name, ours in others.items()}


@cache
def _refused_names() -> dict[tuple[str, bool], str]:
    keys = {_key(name): reason for name, reason in REFUSED.items()}
    return {(stem, True): reason for (stem, _), reason in keys.items()} | keys


@cache
def _plain_names() -> frozenset[str]:
    """Return names in our spelling that are known without ir_measures."""
    return frozenset((*trec_eval_names().values(), *ranx_names().values(), UNNAMED))


@cache
def _trec_names() -> re.Pattern[str]:
    """Return a pattern of the names of trec_eval, with their numbers."""
    names = (re.sub(r"[_.]k$", r"[_.]\\d+(\\.\\d+)?", name) for name in trec_eval_names())
    return re.compile("|".join(names), re.ASCII)


@cache
def trec_eval_names() -> dict[str, str]:
    """Return the names of trec_eval, with the measures that they mean in our spelling."""
    from .registry import descriptions

    return {
        name: ours for known in descriptions().values() for name, ours in known.trec_eval.items()
    }


@cache
def ranx_names() -> dict[str, str]:
    """Return the names of ranx, with the measures that they mean in our spelling."""
    from .registry import descriptions

    return {name: ours for known in descriptions().values() for name, ours in known.ranx.items()}


def definitions() -> Mapping[str, Any]:
    """Return ir_measures' definitions of measures by name, and those that only irbounds has.

    A definition is an object of ir_measures' class ``Measure`` without parameters. Calling it with
    parameters gives another one.
    """
    from ir_measures.measures import registry

    return ChainMap(_own_definitions(), registry)


@cache
def _own_definitions() -> dict[str, Any]:
    from .registry import descriptions

    own = (known for known in descriptions().values() if known.own_parameters)
    return {description.stem: _define(description) for description in own}


def _define(description: Description) -> Any:
    """Return a definition as ir_measures has them."""
    from ir_measures.measures import Measure, ParamInfo

    parameters = {
        key: ParamInfo(dtype=kind, required=False)
        for key, kind in description.own_parameters.items()
    }
    members = {
        "__name__": description.stem,
        "NAME": description.stem,
        "PRETTY_NAME": description.text,
        "SUPPORTED_PARAMS": parameters,
    }
    return type(f"_{description.stem}", (Measure,), members)()


def _parse_text(text: str) -> Any:
    """Return the definition that a text such as ``Name(parameter=value)@cutoff`` describes.

    Raises ``NameError`` for an unknown name, and one of ``UNREADABLE`` for any other text. The
    parser of ir_measures does not know the names of our own measures, and reads numbers by parts of
    the ``ast`` module that Python 3.14 no longer has.
    """
    try:
        statements = ast.parse(text).body
    except SyntaxError as error:
        raise ValueError(str(error)) from None
    if len(statements) != 1 or not isinstance(statements[0], ast.Expr):
        raise ValueError("not one expression")
    node = statements[0].value
    parameters: dict[str, Any] = {}
    number = None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        number = ast.literal_eval(node.right)
        node = node.left
    if isinstance(node, ast.Call):
        if node.args or any(keyword.arg is None for keyword in node.keywords):
            raise ValueError("parameters must be named")
        parameters = {
            str(keyword.arg): ast.literal_eval(keyword.value) for keyword in node.keywords
        }
        node = node.func
    if not isinstance(node, ast.Name):
        raise ValueError("no name")
    if node.id not in definitions():
        raise NameError(node.id)
    definition = definitions()[node.id]
    if number is not None:
        parameters[definition.AT_PARAM] = number
    return definition(**parameters)


def _suggestion(name: str) -> str:
    """Return the nearest name, trec_eval's spelling included: ', did you mean nDCG@k?'."""
    if "," in name.partition("(")[0]:
        return ", which looks like several; give them one by one"
    with_number = trec_eval_names().get(f"{name}_k")
    if with_number:
        return f", did you mean {with_number}?"
    stem, at, cutoff = name.partition("@")
    known = _stems()
    near = difflib.get_close_matches(stem.lower(), known, n=1, cutoff=0.5)
    return f", did you mean {known[near[0]]}{at}{cutoff}?" if near else ""


def _identity_of_name(name: Any) -> tuple[Any, ...] | None:
    standardised = _STANDARDISED.fullmatch(name) if isinstance(name, str) else None
    if standardised:
        raw = _identity_of_name(standardised[2])
        return (standardised[1], *raw) if raw else None
    try:
        return identity_of(parse_name(name))
    except MeasureError:
        return None


def _raw(name: str) -> str:
    """Return the name of a measure without that of its transform."""
    standardised = _STANDARDISED.fullmatch(name)
    return standardised[2] if standardised else name


def _find(table: Mapping[tuple[str, bool], str], parts: re.Match[str] | None) -> str | None:
    return table.get((_fold(parts["stem"]), parts["number"] is not None)) if parts else None


def _key(name: str) -> tuple[str, bool]:
    stem = re.sub(r"[@_.]k$", "", name)
    return _fold(stem), stem != name


def _fold(stem: str) -> str:
    return stem.lower().replace("-", "_")


def stem_of(name: str) -> str:
    """Return a name without its parameters and its number."""
    return name.partition("@")[0].partition("(")[0]


def _at(parts: re.Match[str]) -> str:
    return f"@{parts['number']}" if parts["number"] else ""


def _number_removed(name: str) -> str | None:
    parts = re.fullmatch(r"(.*?)\d+(\.\d+)?", name, re.DOTALL)
    return parts[1] if parts else None
