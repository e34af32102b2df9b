"""Names of measures in trec_eval, in ranx and in papers, and the same measures in ir_measures.

A name is listed here only if it has one meaning and its tool computes the number that irbounds
computes (tests/scores/test_measure_names.py compares them). ``k`` stands for a number. Upper and
lower case, ``-`` and ``_`` are the same, and a number may follow directly or after ``@``, ``_`` or
``.``: ``ndcg10``, ``NDCG@10`` and ``ndcg_10`` are ``nDCG@10``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

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
_PARTS = re.compile(r"(?P<stem>[^\W\d][\w-]*)(?P<parameters>\(.*\))?(@(?P<number>[\d.]+))?")
_NUMBER_AT_END = re.compile(r"(?P<stem>[^\W\d][\w-]*?)[._]?(?P<number>\d+(\.\d+)?)")
_SEVERAL = re.compile(r",(?![^(]*\))")  # commas that are not in parentheses


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


def names_of_tool(tool: Mapping[str, str], measure: str) -> str:
    """Return the names that a tool has for a measure, whatever its parameters."""
    return ", ".join(name for name, ours in tool.items() if _stem(ours) == measure)


def stems() -> dict[str, str]:
    """Return the known names in lower case, without their numbers, and the measures they mean."""
    return {stem: _stem(ours) for (stem, _), ours in _names().items()}


@cache
def _names() -> dict[tuple[str, bool], str]:
    """Return measures by their names, and by whether the name has a number."""
    from ir_measures import measures

    own = {(_folded(k), n): str(m) for k, m in measures.registry.items() for n in (False, True)}
    return own | {_key(k): ours.removesuffix("@k") for k, ours in (TREC_EVAL | RANX).items()}


@cache
def _refused() -> dict[tuple[str, bool], str]:
    keys = {_key(name): reason for name, reason in REFUSED.items()}
    return {(stem, True): reason for (stem, _), reason in keys.items()} | keys


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
