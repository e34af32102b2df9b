"""Names of measures: which text names a measure, and how ir_measures spells it.

Scores from other tools name measures in their own ways, and so do people. A name is listed here
only if it has one meaning and its tool computes the number that irbounds computes
(tests/scores/test_measure_names.py compares them). ``k`` stands for a number. Upper and lower case,
``-`` and ``_`` are the same, and a number may follow directly or after ``@``, ``_``, ``_at_`` or
``.``: ``ndcg10``, ``NDCG@10`` and ``ndcg_at_10`` are ``nDCG@10``.

A source of scores has known names in our spelling (``names_of_source``); all other names stay as
they are. ``is_measure_name`` is stricter: it tells measures from ids of queries and systems.
"""

from __future__ import annotations

import ast
import difflib
import logging
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, lru_cache
from typing import Any, get_args

from ..errors import InputError, MeasureError, quote
from ..validation import Transform

logger = logging.getLogger("irbounds")

#: what scores are called where nothing names their measure
UNNAMED = "score"
TREC_EVAL = {
    "map": "AP",
    "map_cut_k": "AP@k",
    "ndcg": "nDCG",
    "ndcg_cut_k": "nDCG@k",
    "P_k": "P@k",
    "recall_k": "R@k",
    "success_k": "Success@k",
    "Rprec": "Rprec",
    "R-prec": "Rprec",
    "recip_rank": "RR",
    "bpref": "Bpref",
    "infAP": "infAP",
    "iprec_at_recall_k": "IPrec@k",
    "ircl_prn.k": "IPrec@k",
    "set_P": "SetP",
    "set_relative_P": "SetP(relative=True)",
    "set_recall": "SetR",
    "set_F": "SetF",
    "set_map": "SetAP",
    "num_q": "NumQ",
    "num_ret": "NumRet",
    "num_rel": "NumRel",
    "num_rel_ret": "NumRet(rel=1)",
}
RANX = {
    "map": "AP",
    "map@k": "AP@k",
    "ndcg": "nDCG",
    "ndcg@k": "nDCG@k",
    "ndcg_burges": "nDCG(dcg='exp-log2')",
    "ndcg_burges@k": "nDCG(dcg='exp-log2')@k",
    "precision@k": "P@k",
    "recall@k": "R@k",
    "hit_rate@k": "Success@k",
    "r-precision": "Rprec",
    "mrr": "RR",
    "mrr@k": "RR@k",
    "bpref": "Bpref",
    "f1": "SetF",
}
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
#: in place of ir_measures' titles
DESCRIPTIONS = {
    "AP": "average precision",
    "P": "precision of the first k",
    "R": "recall of the first k",
    "Rprec": "precision at the number relevant",
    "RR": "1 / rank of the first relevant",
    "Success": "whether one in k is relevant",
    "nDCG": "normalised discounted gain",
    "RBP": "rank-biased precision",
    "INSQ": "inverse-square precision",
    "ERR": "expected reciprocal rank",
    "Bpref": "binary preference",
    "Judged": "fraction judged",
    "SetP": "precision of the whole list",
    "SetR": "recall of the whole list",
    "SetF": "F of the whole list",
    "SetAP": "SetP times SetR",
    "Accuracy": "chance that a relevant document is above another",
    "Compat": "rank-biased overlap with an ideal ranking",
    "INST": "INSQ that adapts to what was found",
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
        reason = _find(_refused(), parts)
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
    is_own = stem is not None and stem["stem"] in _registry()
    if len(text) > MAX_LENGTH or not (is_own or in_our_spelling(text)):
        return None
    try:
        parsed = parse_name(text)
        return None if missing_parameters(parsed, check_parameters(parsed)) else parsed
    except MeasureError:
        return None


def same_names(name: Any, names: Iterable[str]) -> list[str]:
    """Return those of the names that mean the same measure, by whichever tool's name."""
    wanted = _identity_of_name(name)
    return [one for one in names if wanted and _identity_of_name(one) == wanted]


def note_readings(readings: Iterable[tuple[Any, str]]) -> None:
    """Log how names of other tools were read, once for each name."""
    for name, ours in dict.fromkeys((name, ours) for name, ours in readings):
        if isinstance(name, str) and _stem(_raw(name)).strip() != _stem(_raw(ours)):
            logger.info("measure %s is read as %s", quote(name), ours)


def is_measure_name(name: object) -> bool:
    """Tell the name of a measure, as tools in use spell it, from the id of a query or a system.

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
    """Tell whether ir_measures knows a name, such as ``nDCG@10``."""
    return _stem(name) in _registry()


def is_trec_name(name: str) -> bool:
    """Tell whether trec_eval 9 has a name for one measure that ir_measures knows, too."""
    return bool(_trec_names().fullmatch(name)) and not OLD_TREC_NAME.fullmatch(name)


def parse_name(name: Any) -> Any:
    """Return the ir_measures object that a name, of whichever tool, describes.

    Raises ``MeasureError``, which says in one line what is wrong with the name.
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


def missing_parameters(measure: Any, parameters: Mapping[str, Any]) -> list[str]:
    """Return the parameters that a measure needs and that are not given.

    ``max_rel`` is not among them: it can be the highest grade of the judgments.
    """
    known = measure.SUPPORTED_PARAMS.items()
    required = [key for key, info in known if info.required and key != "max_rel"]
    return [key for key in required if key not in parameters]


def identity_of(parsed: Any) -> tuple[Any, ...]:
    """Return what equal measures have in common, in whichever order parameters are given."""
    known = parsed.SUPPORTED_PARAMS
    return parsed.__name__, frozenset(
        (key, value if isinstance(value, int | float) else repr(value))
        for key, value in parsed.params.items()
        if key not in known or value != known[key].default
    )


def names_of_tool(tool: Mapping[str, str], measure: str) -> str:
    """Return the names that a tool has for a measure, whatever its parameters."""
    return ", ".join(name for name, ours in tool.items() if _stem(ours) == measure)


def _stems() -> dict[str, str]:
    """Return the known names in lower case, without their numbers, and the measures they mean."""
    return {stem: _stem(ours) for (stem, _), ours in _names().items()}


@cache
def _names() -> dict[tuple[str, bool], str]:
    """Return measures by their names, and by whether the name has a number."""
    own = {(_folded(k), n): str(m) for k, m in _registry().items() for n in (False, True)}
    return own | {_key(k): ours.removesuffix("@k") for k, ours in (TREC_EVAL | RANX).items()}


@cache
def _refused() -> dict[tuple[str, bool], str]:
    keys = {_key(name): reason for name, reason in REFUSED.items()}
    return {(stem, True): reason for (stem, _), reason in keys.items()} | keys


@cache
def _plain_names() -> frozenset[str]:
    """Return names in our spelling that are known without ir_measures."""
    return frozenset((*TREC_EVAL.values(), *RANX.values(), UNNAMED))


@cache
def _trec_names() -> re.Pattern[str]:
    """Return a pattern of the names of trec_eval, with their numbers."""
    names = (re.sub(r"[_.]k$", r"[_.]\\d+(\\.\\d+)?", name) for name in TREC_EVAL)
    return re.compile("|".join(names), re.ASCII)


def _registry() -> Mapping[str, Any]:
    import ir_measures

    registry: Mapping[str, Any] = ir_measures.measures.registry
    return registry


def _parse_text(text: str) -> Any:
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
    """Return the nearest name, trec_eval's spelling included: ', did you mean nDCG@k?'."""
    if "," in name.partition("(")[0]:
        return ", which looks like several; give them one by one"
    if f"{name}_k" in TREC_EVAL:
        return f", did you mean {TREC_EVAL[f'{name}_k']}?"
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
    return table.get((_folded(parts["stem"]), parts["number"] is not None)) if parts else None


def _key(name: str) -> tuple[str, bool]:
    stem = re.sub(r"[@_.]k$", "", name)
    return _folded(stem), stem != name


def _folded(stem: str) -> str:
    return stem.lower().replace("-", "_")


def _stem(name: str) -> str:
    return name.partition("@")[0].partition("(")[0]


def _at(parts: re.Match[str]) -> str:
    return f"@{parts['number']}" if parts["number"] else ""


def _number_removed(name: str) -> str | None:
    parts = re.fullmatch(r"(.*?)\d+(\.\d+)?", name, re.DOTALL)
    return parts[1] if parts else None
