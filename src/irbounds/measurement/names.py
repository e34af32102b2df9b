"""Names of measures: which text names a measure, and how ir_measures spells it.

The ``Description`` of a measure lists its names in trec_eval and ranx; ``REFUSED`` lists those with
more than one meaning. Upper and lower case, ``-`` and ``_`` are the same, and a number may follow
directly or after ``@``, ``_``, ``_at_`` or ``.``: ``ndcg10``, ``NDCG@10`` and ``ndcg_at_10`` are
``nDCG@10``. ``is_measure_name`` is stricter: it tells measures from ids of queries and systems.
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
from typing import Any

from ..errors import InputError, MeasureError, quote
from .registry import descriptions

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
MAX_LENGTH = 200  # characters of a name in a source of scores; longer names are not parsed
_SPELLINGS = (
    re.compile(r"(?P<stem>[^\W\d][\w-]*)(?P<parameters>\(.*\))?(@(?P<number>[\d.]+))?"),
    re.compile(r"(?P<stem>[^\W\d][\w-]*?)(?P<parameters>)(_at_|[._])?(?P<number>\d+(\.\d+)?)"),
)
_SEVERAL = re.compile(r",(?![^(]*\))")  # commas that are not in parentheses
_UNREADABLE = (ValueError, TypeError, KeyError, SyntaxError)


def _fold(stem: str) -> str:
    return stem.lower().replace("-", "_")


def _key(name: str) -> tuple[str, bool]:
    """Return how a name is looked up: its stem, and whether a number follows, written as k."""
    stem = re.sub(r"[@_.]k$", "", name)
    return _fold(stem), stem != name


_KNOWN = descriptions().values()
#: names of trec_eval and of ranx, with the measures that they mean in our spelling
TREC_EVAL_NAMES = {name: ours for known in _KNOWN for name, ours in known.trec_eval.items()}
RANX_NAMES = {name: ours for known in _KNOWN for name, ours in known.ranx.items()}
_REASONS = {_key(name): reason for name, reason in REFUSED.items()}
_REFUSED = {(stem, True): reason for (stem, _), reason in _REASONS.items()} | _REASONS
_TREC_NAME = re.compile(
    "|".join(re.sub(r"[_.]k$", r"[_.]\\d+(\\.\\d+)?", name) for name in TREC_EVAL_NAMES), re.ASCII
)


def split_names(text: str) -> list[str]:
    """Return the names of a list with commas: ``"map,P@5,10"`` is ``map``, ``P@5`` and ``P@10``."""
    names: list[str] = []
    for part in filter(None, map(str.strip, _SEVERAL.split(text))):
        before = re.fullmatch(r"(.*?)\d+(\.\d+)?", names[-1], re.DOTALL) if names else None
        is_number = re.fullmatch(r"\d+(\.\d+)?", part)
        names.append(f"{before[1]}{part}" if is_number and before else part)
    return names


def stem_of(name: str) -> str:
    """Return a name without its parameters and its number."""
    return name.partition("@")[0].partition("(")[0]


# ---- the table of names ----


@cache
def definitions() -> Mapping[str, Any]:
    """Return ir_measures' definitions of measures by name, and those that only irbounds has.

    A definition is an object of ir_measures' class ``Measure`` without parameters. Calling it with
    parameters gives another one.
    """
    from ir_measures.measures import Measure, ParamInfo, registry

    own = {}
    for known in descriptions().values():
        if known.own_parameters:
            parameters = known.own_parameters.items()
            members = {
                "__name__": known.stem,
                "NAME": known.stem,
                "PRETTY_NAME": known.text,
                "SUPPORTED_PARAMS": {
                    key: ParamInfo(dtype=kind, required=False) for key, kind in parameters
                },
            }
            own[known.stem] = type(f"_{known.stem}", (Measure,), members)()
    return ChainMap(own, registry)


@cache
def _names() -> dict[tuple[str, bool], str]:
    own = {(_fold(k), n): str(m) for k, m in definitions().items() for n in (False, True)}
    others = TREC_EVAL_NAMES | RANX_NAMES
    return own | {_key(name): ours.removesuffix("@k") for name, ours in others.items()}


def _look_up(name: str) -> tuple[str | None, str]:
    """Return a name as ir_measures spells it, if a table lists it, or why it is refused."""
    for spelling in _SPELLINGS:
        if not (parts := spelling.fullmatch(name)):
            continue
        parameters, number = parts["parameters"] or "", parts["number"] or ""
        at = f"@{number}" if number else ""
        key = _fold(parts["stem"]), bool(number)
        if key in _REFUSED and not parameters:
            k = (number or "k").removeprefix("0.")
            return None, _REFUSED[key].format(at=at, k=k)
        if known := _names().get(key):
            return None if parameters and "(" in known else f"{known}{parameters}{at}", ""
    return None, ""


# ---- names of sources ----


def names_of_source(names: Iterable[str], source: str) -> dict[str, str]:
    """Return the names of a source's measures in our spelling, by the names that it has.

    Raises ``InputError`` where two become the same name.
    """
    ours = {name: our_name(name) for name in dict.fromkeys(names)}
    first: dict[str, str] = {}
    for name, spelled in ours.items():
        if (other := first.setdefault(spelled, name)) is not name:
            raise InputError(
                f"{source}: measures {quote(other)} and {quote(name)} are both {spelled}; "
                "rename or leave out one of them"
            )
    return ours


@lru_cache(maxsize=4096)
def our_name(name: str) -> str:
    """Return a measure's name as ir_measures spells it; any other name as it is."""
    listed = (*TREC_EVAL_NAMES.values(), *RANX_NAMES.values(), UNNAMED)
    if re.sub(r"@[1-9]\d*$", "@k", name) in listed:  # without loading ir_measures
        return name
    text = name.strip()
    spelled = text.replace(" ", "")
    is_own = is_our_name(spelled) and _SPELLINGS[0].fullmatch(spelled)
    if len(text) <= MAX_LENGTH and (is_own or _look_up(text)[0]):
        with suppress(MeasureError):
            parsed = parse_name(text)
            check_parameters(parsed)
            return str(parsed)
    return name


def same_names(name: Any, names: Iterable[str]) -> list[str]:
    """Return those of the names that mean the same measure, by whichever tool's name."""
    identity = _identity_of_name(name)
    return [other for other in names if identity and _identity_of_name(other) == identity]


def _identity_of_name(name: Any) -> tuple[Any, ...] | None:
    with suppress(MeasureError):
        return identity_of(parse_name(name))
    return None


def note_readings(readings: Iterable[tuple[Any, str]]) -> None:
    """Log how names of other tools were read, in one line that has the first few of many."""
    notes = [
        f"{quote(name)} is read as {ours}"
        for name, ours in dict.fromkeys(readings)
        if isinstance(name, str) and stem_of(name).strip() != stem_of(ours)
    ]
    if notes:
        more = f" ... ({len(notes):,} in all)" if len(notes) > MAX_NOTED else ""
        logger.info("measure %s%s", ", ".join(notes[:MAX_NOTED]), more)


def is_measure_name(name: object) -> bool:
    """Return whether a text is the name of a measure rather than the id of a query or a system.

    Old names such as ``P10`` do not count, since they are ids of queries more often.
    """
    text = str(name)
    is_other = OTHER_TREC_NAME.fullmatch(text) or OTHER_NAME.fullmatch(text)
    return is_trec_name(text) or bool(is_other) or is_our_name(text)


def is_our_name(name: str) -> bool:
    """Return whether a name, such as ``nDCG@10``, is in our spelling."""
    return stem_of(name) in definitions()


def is_trec_name(name: str) -> bool:
    """Return whether trec_eval 9 has a name, and ir_measures the measure."""
    return bool(_TREC_NAME.fullmatch(name)) and not OLD_TREC_NAME.fullmatch(name)


# ---- objects of ir_measures ----


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
        return _parse_definition(text)
    except NameError:
        fault, advice = "unknown measure", ""
    except _UNREADABLE:
        fault, advice = "cannot read measure", "; write it as Name(parameter=value)@cutoff"
    listed, refusal = _look_up(text)
    if listed is not None:
        with suppress(*_UNREADABLE):
            return _parse_definition(listed)
    if refusal:
        raise MeasureError(f"unknown measure {quote(name)} ({refusal})")
    raise MeasureError(f"{fault} {quote(name)}{_suggestion(text)}{advice}")


def _parse_definition(text: str) -> Any:
    """Return the definition that a text such as ``Name(parameter=value)@cutoff`` describes.

    Raises ``NameError`` for an unknown name. The parser of ir_measures does not know our own
    measures, and reads numbers by parts of the ``ast`` module that Python 3.14 no longer has.
    """
    node: Any = ast.parse(text, mode="eval").body
    parameters: dict[str, Any] = {}
    number = None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        number = ast.literal_eval(node.right)
        node = node.left
    if isinstance(node, ast.Call):
        if node.args or any(keyword.arg is None for keyword in node.keywords):
            raise ValueError("parameters must be named")
        parameters = {str(part.arg): ast.literal_eval(part.value) for part in node.keywords}
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
    if with_number := TREC_EVAL_NAMES.get(f"{name}_k"):
        return f", did you mean {with_number}?"
    stem, at, cutoff = name.partition("@")
    known = {known: stem_of(ours) for (known, _), ours in _names().items()}
    near = difflib.get_close_matches(stem.lower(), known, n=1, cutoff=0.5)
    if not near:
        return ""
    number = cutoff if cutoff.isdigit() else "k" if at else ""
    return f", did you mean {known[near[0]]}{at}{number}?"


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
    for key, info in measure.SUPPORTED_PARAMS.items():
        # without max_rel, our measures take the highest grade of the judgments
        if info.required and key not in parameters and key != "max_rel":
            example = ", such as @10" if key == "cutoff" else f", as in {key}=..."
            raise MeasureError(f"{measure} needs a {key}{example}")
    return parameters


def identity_of(parsed: Any) -> tuple[Any, ...]:
    """Return what equal measures have in common, in whichever order parameters are given."""
    known = parsed.SUPPORTED_PARAMS
    return parsed.__name__, frozenset(
        (key, value if isinstance(value, int | float) else repr(value))
        for key, value in parsed.params.items()
        if key not in known or value != known[key].default
    )
