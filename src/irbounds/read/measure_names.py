"""Names of measures in the spellings of trec_eval, ir_measures, ranx and BEIR."""

from __future__ import annotations

import re
from typing import Any

#: what trec_eval 7 and 8 print and trec_eval 9 calls otherwise
OLD_TREC_NAME = re.compile(
    r"(P|recall)(5|10|15|20|30|100|200|500|1000)|R-prec|ircl_prn\.\d\.\d\d|exact_(prec|recall)|(11|3)-pt_avg"
    r"|map_at_R|int_map(_at_R)?|bpref_(all|ret|top)nonrel",
    re.ASCII,
)
#: what trec_eval 9 and pytrec_eval print and ir_measures has no name for
OTHER_TREC_NAME = re.compile(
    r"runid|relstring(_\d+)?|gm_(map|ap|bpref)|11pt_avg|utility|(bin)?G|Rndcg|ndcg_rel"
    r"|Rprec_mult_[\d.]+|(set_)?relative_P(_\d+)?|num_nonrel_judged_ret",
    re.ASCII,
)
#: ``ndcg@10``, ``map@100-l2`` and ``hit_rate`` of ranx, ``NDCG@10`` of BEIR, ``ndcg_at_10`` of MTEB
OTHER_NAME = re.compile(
    r"(n?dcg|n?dcg_burges|map|mrr|precision|recall|r_precision|f1|hits|hit_rate|success|bpref"
    r"|rbp(\.\d+)?)((@|_at_|_)\d+)?(-l\d+)?",
    re.ASCII | re.IGNORECASE,
)


def is_measure_name(name: object) -> bool:
    """Tell the name of a measure, as tools in use spell it, from the id of a query or a system.

    Old names such as ``P10`` do not count, since they are ids of queries more often.
    """
    text = str(name)
    return (
        is_our_name(text)
        or len(trec_measures(text)) == 1
        or any(pattern.fullmatch(text) for pattern in (OTHER_TREC_NAME, OTHER_NAME))
    )


def is_our_name(name: str) -> bool:
    """Tell whether ir_measures knows a name, such as ``nDCG@10``."""
    import ir_measures

    return name.partition("@")[0].partition("(")[0] in ir_measures.measures.registry


def our_name(name: str) -> str:
    """Return trec_eval's name in our spelling where it has one: ``ndcg_cut_10`` is ``nDCG@10``."""
    measures = trec_measures(name)
    return str(measures[0]) if len(measures) == 1 else name


def trec_measures(name: str) -> list[Any]:
    """Return the measures that ir_measures has for trec_eval's name; none where it has none."""
    import ir_measures

    try:
        return list(ir_measures.parse_trec_measure(name))
    except (ValueError, KeyError):
        return []
