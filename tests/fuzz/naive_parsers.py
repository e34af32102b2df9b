"""Naive parsers of every text format.

The rules are in ``docs/reference/formats.md`` and ``docs/reference/recall-columns.md``.

They are short and slow, and share no code with irbounds. A parser takes the name and the bytes of a
file and returns plain Python values, or raises ``ValueError`` where irbounds must refuse the file.
"""

from __future__ import annotations

import io
import json
import math
import re
from decimal import Decimal
from itertools import chain
from pathlib import PurePath
from typing import Any

import ir_measures

from .mutation import decompress

BLANKS = " \t\r\v\f"  # that separate fields of a line
DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
COLUMNS = {
    "query_id": [["query_id", "query-id", "qid", "q_id", "topic", "topic_id"], ["query"]],
    "doc_id": [
        ["doc_id", "docno", "document_id", "corpus-id", "corpus_id"],
        ["docid", "doc", "document"],
    ],
    "relevance": [["relevance", "rel", "label", "judgment"], ["score"]],
    "score": [["score", "sim"]],
    "rank": [["rank"]],
    "system": [["system", "run", "run_id", "runid", "name"], ["model", "model_name", "method"]],
    "measure": [["measure", "metric"]],
    "value": [["value"]],
}
TASKS = [
    "task",
    "task_id",
    "task_name",
    "dataset",
    "dataset_name",
    "question",
    "question_id",
    "query_name",
    "topic_name",
    "example",
    "example_id",
    "item",
    "id",
]
OLD_CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
OLD_MEASURES = {
    *(f"{name}{k}" for name in ("P", "recall") for k in OLD_CUTOFFS),
    *(f"ircl_prn.{a}.{b}{c}" for a in range(10) for b in range(10) for c in range(10)),
    *(
        [
            "R-prec",
            "exact_prec",
            "exact_recall",
            "11-pt_avg",
            "3-pt_avg",
            "map_at_R",
            "int_map",
            "int_map_at_R",
        ]
    ),
    *(["bpref_allnonrel", "bpref_retnonrel", "bpref_topnonrel"]),
}
#: stems of names of measures in lower case, with the number that they need or without one
MEASURES = {
    **{"map": "AP", "ndcg": "nDCG", "rprec": "Rprec", "r_prec": "Rprec", "recip_rank": "RR"},
    **{"r_precision": "Rprec", "mrr": "RR", "bpref": "Bpref", "infap": "infAP", "f1": "SetF"},
    **{"set_p": "SetP", "set_relative_p": "SetP(relative=True)", "set_recall": "SetR"},
    **{"set_f": "SetF", "set_map": "SetAP", "num_q": "NumQ", "num_ret": "NumRet"},
    **{"num_rel": "NumRel", "num_rel_ret": "NumRet(rel=1)", "setrelp": "SetP(relative=True)"},
    **{"numrelret": "NumRet(rel=1)", "ndcg_burges": "nDCG(dcg='exp-log2')"},
    **{one.lower(): one for one in ("AP", "nDCG", "Rprec", "RR", "Bpref", "infAP", "NumRet")},
    **{one.lower(): one for one in ("SetP", "SetR", "SetF", "SetAP", "NumQ", "NumRel", "ERR")},
    **{one.lower(): one for one in ("Judged", "Compat", "INSQ", "RBP")},
}
NUMBERED = {
    **{"map": "AP", "map_cut": "AP", "ap": "AP", "ndcg": "nDCG", "ndcg_cut": "nDCG", "p": "P"},
    **{"precision": "P", "recall": "R", "r": "R", "success": "Success", "hit_rate": "Success"},
    **{"mrr": "RR", "rr": "RR", "err": "ERR", "judged": "Judged", "iprec": "IPrec"},
    **{"iprec_at_recall": "IPrec", "ircl_prn": "IPrec", "ndcg_burges": "nDCG(dcg='exp-log2')"},
}
TREC_NAMES = (
    r"(map_cut|ndcg_cut|P|recall|success|iprec_at_recall)[._][0-9]+(\.[0-9]+)?|map|ndcg|Rprec|recip_rank"
    r"|bpref|infAP|set_(P|relative_P|recall|F|map)|num_(q|ret|rel|rel_ret)"
)
HEADINGS = ("doc_id", "docid", "docno", "document", "document_id", "id")


def refuse(condition: object) -> None:
    """Raise ``ValueError`` where the condition holds."""
    if condition:
        raise ValueError


def text_of(data: bytes) -> str:
    """Return the text of a file without its byte-order mark."""
    plain = decompress(data)
    refuse(b"\0" in plain)
    return plain.removeprefix(b"\xef\xbb\xbf").decode()


def sheet_text_of(data: bytes) -> str:
    """Return the text of a sheet, which may be UTF-16 with its byte-order mark."""
    plain = decompress(data)
    if plain[:2] not in (b"\xff\xfe", b"\xfe\xff"):
        return text_of(data)
    text = plain.decode("utf-16")
    refuse("\0" in text)
    return text


def format_of(name: str, text: str) -> str:
    """Return ``json``, ``csv``, ``tsv`` or ``trec``."""
    suffix = PurePath(name).suffix.removeprefix(".")
    if text.lstrip(BLANKS + "\n").startswith("{") or suffix in ("json", "jsonl"):
        return "json"
    return suffix if suffix in ("csv", "tsv") else "trec"


def number(value: object) -> float:
    """Return a finite number."""
    if isinstance(value, str):
        value = value.strip(BLANKS + "\n")
        refuse(not DECIMAL.fullmatch(value))
    refuse(isinstance(value, bool) or not isinstance(value, str | int | float))
    try:
        converted = float(value)  # type: ignore[arg-type]
    except OverflowError:
        raise ValueError from None
    refuse(not math.isfinite(converted))
    return converted


def integer(value: object) -> int:
    """Return a relevance."""
    converted = number(value)
    refuse(not converted.is_integer() or abs(converted) >= 1e9)
    return int(converted)


def identifier(value: object) -> str:
    """Return an id as text."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    refuse(isinstance(value, bool) or not isinstance(value, str | int))
    text = str(value)
    refuse(not text)
    text.encode()  # refuses half a surrogate pair
    return text


def short_name(value: object) -> str:
    """Return the name of a query, a system or a measure, of at most 300 characters."""
    text = identifier(value)
    refuse(len(text) > 300)
    return text


def column(names: list[str], meaning: str, optional: bool = False) -> str | None:
    """Return the name of the column with a meaning."""
    for tier in COLUMNS[meaning]:
        matches = [name for name in names if name.lower() in tier]
        refuse(len(matches) > 1)
        if matches:
            return matches[0]
    refuse(not optional)
    return None


def parse_table(text: str, separator: str) -> tuple[list[str], list[list[str]]]:
    """Return the header and the rows of a table; its columns differ."""
    header, rows = parse_csv(text, separator)
    refuse(len(set(header)) < len(header))
    return header, rows


def parse_csv(text: str, separator: str) -> tuple[list[str], list[list[str]]]:
    """Return the header and the rows of CSV as RFC 4180 has it, character by character.

    Rows of empty cells do not count, but between the values of a single column an empty line may be
    a lost value.
    """
    rows: list[list[str]] = []
    blank_at = None
    place, n = 0, len(text)
    while place < n:
        cells, quoted, place = _row(text, place, separator)
        if place < n:
            refuse(text[place] not in "\r\n")
            place += 2 if text.startswith("\r\n", place) else 1
        is_empty = not "".join(cells).strip(BLANKS + "\n")
        if is_empty and len(cells) == 1 and not (quoted and cells == [""]):
            blank_at = len(rows)
            continue
        if is_empty and len(cells) > 1:
            continue
        rows.append(cells)
        refuse(len(cells) != len(rows[0]))
        refuse(len(cells) == 1 and len(rows) > 1 and blank_at == len(rows) - 1)
    refuse(not rows)
    return rows[0], rows[1:]


def _row(text: str, place: int, separator: str) -> tuple[list[str], bool, int]:
    """Return the cells of a row, whether the last is quoted, and where the row ends."""
    cells: list[str] = []
    while True:
        quoted = text.startswith('"', place)
        cell, place = _cell(text, place, separator)
        cells.append(cell)
        if not text.startswith(separator, place):
            return cells, quoted, place
        place += 1


def _cell(text: str, place: int, separator: str) -> tuple[str, int]:
    if not text.startswith('"', place):
        end = place
        while end < len(text) and text[end] not in (separator, "\n", "\r"):
            end += 1
        return text[place:end], end
    letters = []
    place += 1
    while True:
        refuse(place >= len(text))
        if text[place] != '"':
            letters.append(text[place])
            place += 1
        elif text.startswith('""', place):
            letters.append('"')
            place += 2
        else:
            return "".join(letters), place + 1


class Object(dict[str, Any]):
    """A JSON object that remembers every pair it was written with."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.pairs = pairs


def parse_json(text: str) -> list[Object]:
    """Return the objects of JSON or JSON lines."""
    decoder = json.JSONDecoder(object_pairs_hook=Object)
    objects = []
    place = 0
    while place < len(text):
        if text[place] in BLANKS + "\n":
            place += 1
            continue
        try:
            value, place = decoder.raw_decode(text, place)
        except RecursionError:
            raise ValueError from None
        refuse(not isinstance(value, Object))
        objects.append(value)
    refuse(not objects)
    return objects


def refuse_repeated_keys(value: Any) -> None:
    """Refuse an object with a repeated key, at any depth."""
    if isinstance(value, Object):
        refuse(len(value) < len(value.pairs))
    if isinstance(value, Object | list):
        for inner in value.values() if isinstance(value, Object) else value:
            refuse_repeated_keys(inner)


def records(name: str, data: bytes, value_of: Any, meaning: str) -> list[tuple[str, str, Any]]:
    """Return query, document and value of each record of judgments or of a run."""
    text = text_of(data)
    kind = format_of(name, text)
    if kind == "json":
        objects = parse_json(text)
        if all(isinstance(value, dict) for record in objects for value in record.values()):
            triples = []
            for record in objects:
                refuse(len(record) < len(record.pairs))
                for query, documents in record.items():
                    refuse(meaning == "relevance" and not documents)
                    triples += [(query, doc, value) for doc, value in documents.pairs]
        else:
            refuse_repeated_keys(objects)
            names = list(objects[0])
            keys = [column(names, record) for record in ("query_id", "doc_id", meaning)]
            column(names, "rank", optional=True)
            refuse(any(key not in record for record in objects for key in keys))
            triples = [tuple(record[key] for key in keys) for record in objects]  # type: ignore[misc]
    elif kind in ("csv", "tsv"):
        header, rows = parse_table(text, "," if kind == "csv" else "\t")
        places = [
            header.index(column(header, record)) for record in ("query_id", "doc_id", meaning)
        ]  # type: ignore[arg-type]
        column(header, "rank", optional=True)
        triples = [tuple(row[place] for place in places) for row in rows]  # type: ignore[misc]
    else:
        width, places = (6, (0, 2, 4)) if meaning == "score" else (4, (0, 2, 3))
        triples = []
        for line in text.split("\n"):
            fields = split_line(line)
            if line.startswith("#") or not fields:
                continue
            refuse(len(fields) != width)
            triples.append(tuple(fields[place] for place in places))
            if meaning == "relevance":  # TREC text has integers only, of at most nine digits
                refuse(not re.fullmatch(r"[+-]?[0-9]{1,9}", fields[3]))
    refuse(not triples)
    return [(short_name(q), identifier(d), value_of(v)) for q, d, v in triples]


def split_line(line: str) -> list[str]:
    """Return the fields of a line of text."""
    return [field for field in re.split(f"[{BLANKS}]+", line) if field]


def parse_qrels(name: str, data: bytes) -> dict[str, dict[str, int]]:
    """Return judgments by query and document."""
    judgments: dict[str, dict[str, int]] = {}
    for query, document, relevance in records(name, data, integer, "relevance"):
        of_query = judgments.setdefault(query, {})
        refuse(of_query.get(document, relevance) != relevance)
        of_query[document] = relevance
    return judgments


def parse_run(name: str, data: bytes) -> dict[str, list[tuple[str, float]]]:
    """Return documents and scores by query, best first; ties by document id, descending."""
    rankings: dict[str, list[tuple[str, float]]] = {}
    for query, document, score in records(name, data, number, "score"):
        rankings.setdefault(query, []).append((document, score))
    for ranking in rankings.values():
        refuse(len({document for document, _ in ranking}) < len(ranking))
        ranking.sort(key=lambda entry: (entry[1], entry[0].encode()), reverse=True)
    return rankings


def parse_predictions(name: str, data: bytes) -> dict[str, list[tuple[str, float]]]:
    """Return the run in predictions of MTEB, which have one subset and one split."""
    text = text_of(data)
    if not re.match(r'\s*\{\s*"mteb_model_meta"\s*:', text):
        return parse_run(name, data)
    objects = parse_json(text)
    refuse(len(objects) != 1)
    refuse(len(objects[0]) < len(objects[0].pairs))
    parts = []
    for key, subset in objects[0].items():
        refuse(not isinstance(subset, Object))
        if key == "mteb_model_meta":
            refuse(len(str(subset.get("model_name", ""))) > 300)
            continue
        refuse(len(subset) < len(subset.pairs))
        parts += list(subset.values())
    refuse(len(parts) != 1 or not isinstance(parts[0], Object))
    refuse(len(parts[0]) < len(parts[0].pairs))
    refuse("" in parts[0] or not all(isinstance(value, Object) for value in parts[0].values()))
    inner = {
        query: [(identifier(d), number(v)) for d, v in value.pairs]
        for query, value in parts[0].items()
    }
    rankings = {short_name(query): ranking for query, ranking in inner.items() if ranking}
    refuse(not rankings)
    for ranking in rankings.values():
        refuse(len({document for document, _ in ranking}) < len(ranking))
        ranking.sort(key=lambda entry: (entry[1], entry[0].encode()), reverse=True)
    return rankings


def parse_result(name: str, data: bytes) -> dict[str, float]:
    """Return the score of the task in a result of MTEB: the mean over its splits and subsets."""
    try:
        result = json.loads(text_of(data), object_pairs_hook=Object)
    except RecursionError:
        raise ValueError from None
    refuse(not isinstance(result, Object))
    refuse_repeated_keys(result)
    task, scores = result.get("task_name"), result.get("scores")
    refuse(not isinstance(task, str) or not task or not isinstance(scores, Object))
    values: dict[tuple[str, str], float] = {}
    for split, entries in scores.items():
        refuse(not isinstance(entries, list))
        for entry in entries:
            refuse(not isinstance(entry, Object) or not isinstance(entry.get("hf_subset"), str))
            refuse((split, entry["hf_subset"]) in values)
            refuse("main_score" not in entry)
            values[split, entry["hf_subset"]] = number(entry["main_score"])
    refuse(not values or task == "all")
    mean = math.fsum(values.values()) / len(values)
    refuse(abs(mean) > 1e250)
    return {short_name(task): round(mean, 9)}


def parse_scores(name: str, data: bytes) -> dict[tuple[str, str, str], float]:
    """Return scores by measure, system and query; every combination must be there once."""
    text = text_of(data)
    kind = format_of(name, text)
    system = PurePath(name).stem
    if kind == "json":
        triples = _json_rows(text, system)
    elif kind == "trec":
        triples = _printed(text, system)
    else:
        header, rows = parse_table(text, "," if kind == "csv" else "\t")
        triples = _table(header, rows, system)
    by_name: dict[str, str] = {}
    for raw in dict.fromkeys(triple[0] for triple in triples):
        refuse(our_name(raw) in by_name)
        by_name[our_name(raw)] = raw
    scores: dict[tuple[str, str, str], float] = {}
    for raw, *rest, score in triples:
        key = [our_name(raw), *rest]
        labels = tuple(short_name(label) for label in key)
        if labels[2] == "all":
            continue
        refuse(abs(score) > 1e250)
        refuse(labels in scores)
        scores[labels] = score  # type: ignore[index]
    refuse(not scores)
    axes = [set(axis) for axis in zip(*scores, strict=True)]
    refuse(math.prod(map(len, axes)) != len(scores))
    return scores


def _table(header: list[str], rows: list[list[str]], system: str) -> list[tuple[Any, ...]]:
    refuse(not rows)
    value = column(header, "value", optional=True)
    if value is not None:
        places = {
            meaning: column(header, meaning, optional=True) for meaning in ("measure", "system")
        }
        places["query_id"] = _query_or_task(header)
        refuse(places["query_id"] is None)
        otherwise = {"measure": "score", "system": system}
        return [
            (
                *(
                    otherwise[meaning] if name is None else row[header.index(name)]
                    for meaning, name in places.items()
                ),
                number(row[header.index(value)]),
            )
            for row in rows
        ]
    if rows_per_system := _rows_per_system(header, rows):
        return rows_per_system
    query = _id_column(header, rows)
    systems = [name for name in header if name != query]
    if header[0] in ("", "Unnamed: 0") and header[0] != query:
        numbers = [_number_or_none(row[0]) for row in rows]
        refuse(query is not None and None in numbers)
        if query is not None or numbers == list(range(len(rows))):
            systems = systems[1:]
    refuse(not systems or "" in systems)
    return [
        (
            "score",
            name,
            str(k + 1) if query is None else row[header.index(query)],
            number(row[place]),
        )
        for k, row in enumerate(rows)
        for place, name in enumerate(header)
        if name in systems
    ]


def _query_or_task(header: list[str]) -> str | None:
    """Return the column that names queries, or the only one that names tasks."""
    query = column(header, "query_id", optional=True)
    system = column(header, "system", optional=True)
    tasks = [name for name in header if name.lower() in TASKS and name != system]
    return query or (tasks[0] if len(tasks) == 1 else None)


def _rows_per_system(header: list[str], rows: list[list[str]]) -> list[tuple[Any, ...]]:
    """Return the scores of a table with a row per query and system; none for another table."""
    system = column(header, "system", optional=True)
    query = _query_or_task(header)
    if system is None or query is None:
        return []
    of_rows = [(row[header.index(system)], row[header.index(query)]) for row in rows]
    n_systems, n_queries = (len(set(names)) for names in zip(*of_rows, strict=True))
    if not all(_is_text(name) for name, _ in of_rows) or (n_systems > 1 and n_queries == len(rows)):
        return []
    measure = column(header, "measure", optional=True)
    others = [name for name in header if name not in (system, query, measure)]
    if others and others[0] == header[0] and others[0] in ("", "Unnamed: 0"):
        refuse(None in [_number_or_none(row[0]) for row in rows])
        del others[0]
    stems = [re.split(r"[@(]", name)[0] for name in others]
    known = all(
        our_name(name) != name or stem in ir_measures.measures.registry
        for name, stem in zip(others, stems, strict=True)
    )
    refuse(not others or (len(others) > 1 and (measure is not None or not known)))
    return [
        (
            row[header.index(measure)]
            if measure
            else "score"
            if name.lower() in ("score", "sim")
            else name,
            *labels,
            number(row[header.index(name)]),
        )
        for labels, row in zip(of_rows, rows, strict=True)
        for name in others
    ]


def refuse_huge_integers(value: Any) -> None:
    """Refuse integers beyond doubles, at any depth."""
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            refuse_huge_integers(inner)
    elif isinstance(value, int):
        number(int(value))


def _json_rows(text: str, system: str) -> list[tuple[Any, ...]]:
    """Return the scores of a long table in JSON lines."""
    objects = [parse_json_document(line.encode()) for line in text.split("\n") if line.strip()]
    refuse_huge_integers(objects)
    refuse(not objects)
    refuse("value" not in objects[0] or any(row.keys() != objects[0].keys() for row in objects))
    header = list(objects[0])
    triples = _table(header, [[row[name] for name in header] for row in objects], system)
    return [(*map(identifier, labels), score) for *labels, score in triples]


def parse_rank_eval(name: str, data: bytes) -> dict[tuple[str, str, str], float]:
    """Return scores by metric, system and query of a response of ``_rank_eval``."""
    text = text_of(data)
    refuse(not text.lstrip(BLANKS + "\n").startswith("{"))
    response = parse_json_document(text.encode())
    refuse_huge_integers(response)
    refuse(not isinstance(response.get("metric_score"), int | float | str))
    refuse("details" not in response)
    details, failures = response["details"], response.get("failures", {})
    refuse(not isinstance(details, dict) or failures != {} or not details)
    scores, metrics, is_normalised = {}, set(), False
    for query, detail in details.items():
        refuse(not isinstance(detail, dict) or isinstance(detail.get("metric_score"), str))
        refuse(not isinstance(detail.get("unrated_docs", []), list | None))
        described = detail.get("metric_details")
        for metric, part in described.items() if isinstance(described, dict) else ():
            metrics.add(metric)
            is_normalised |= isinstance(part, dict) and "normalized_dcg" in part
        if query != "all":
            scores[short_name(query)] = number(detail.get("metric_score"))
    refuse(len(metrics) > 1 or not scores or max(map(abs, scores.values())) > 1e250)
    metric = our_name((*metrics, "score")[0])
    if metric == "dcg" and is_normalised:
        metric = "normalized_dcg"
    short_name(metric)
    return {(metric, PurePath(name).stem, query): score for query, score in scores.items()}


def _number_or_none(text: str) -> float | None:
    try:
        return number(text)
    except ValueError:
        return None


def _is_text(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return text.strip() != ""
    return False


def _id_column(header: list[str], rows: list[list[str]]) -> str | None:
    """Return the column of a wide table that names the queries."""
    query = column(header, "query_id", optional=True)
    if query is not None:
        return query
    candidates = []
    for place, name in enumerate(header):
        cells = [row[place] for row in rows]
        numbers = [_number_or_none(cell) for cell in cells]
        is_id = name.lower() in (*TASKS, *chain(*COLUMNS["system"])) and (
            None in numbers
            or (len(set(numbers)) == len(rows) and all(x == math.floor(x) for x in numbers))  # type: ignore[arg-type]
        )
        is_text = (len(rows) > 1 or place == 0) and all(map(_is_text, cells))
        if is_id or is_text:
            candidates.append(place)
    refuse(len(candidates) > 1)
    if not candidates:
        return "" if header[0] == "" else None
    (place,) = candidates
    refuse(header[place].lower() not in TASKS)
    return header[place]


def _printed(text: str, system: str) -> list[tuple[Any, ...]]:
    """Return the rows of trec_eval's or ir_measures' output."""
    rows = [split_line(line) for line in text.split("\n") if not line.startswith("#")]
    rows = [row for row in rows if row]
    refuse(not rows or any(len(row) != 3 for row in rows))
    trec = any(row[0] == "runid" or re.fullmatch(TREC_NAMES, row[0]) for row in rows)
    ours = any(re.split(r"[@(]", row[1])[0] in ir_measures.measures.registry for row in rows)
    if not trec and not ours:
        trec = all(row[0] in OLD_MEASURES for row in rows)
    refuse(trec == ours)
    by_measure: dict[str, list[tuple[str, str]]] = {}
    for first, second, value in rows:
        measure, query = (first, second) if trec else (second, first)
        by_measure.setdefault(measure, []).append((query, value))
    names = {value for _, value in by_measure.pop("runid", [(None, system)])}
    refuse(len(names) > 1)
    printed_rows = []
    for measure, pairs in by_measure.items():
        if not any(_is_float(value) for _, value in pairs):
            continue  # a measure whose values are text
        printed_rows += [(measure, *names, query, number(value)) for query, value in pairs]
    return printed_rows


def _is_float(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def our_name(name: str) -> str:
    """Return a measure's name in the spelling of ir_measures, where it is a known one."""
    folded = name.strip().lower().replace("-", "_")
    if folded in MEASURES:
        return MEASURES[folded]
    parts = re.fullmatch(r"([a-z_]*[a-z])(@|_at_|[._])?([1-9][0-9]*|[0-9]+\.[0-9]+)", folded)
    if not parts or parts[1] not in NUMBERED:
        return name
    measure, number = NUMBERED[parts[1]], parts[3]
    if ("." in number) != (measure == "IPrec"):
        return f"IPrec@{number}" if measure == "IPrec" else name
    return f"{measure}@{float(number) if '.' in number else number}"


def parse_corpus_list(name: str, data: bytes) -> list[str]:
    """Return the ids of a list of documents."""
    blanks = BLANKS + "\n"
    ids = [line.strip(blanks) for line in text_of(data).split("\n") if line.strip(blanks)]
    refuse(not ids or ids[0].lower() in HEADINGS or len(set(ids)) < len(ids))
    refuse(any(len(split_line(identifier_line)) != 1 for identifier_line in ids))
    return ids


def skip_comments(text: str) -> str:
    """Return a sheet without the lines above its header, which a spreadsheet may have quoted."""
    lines = re.split(r"(?<=\n)|(?<=\r)(?!\n)", text)
    while lines and lines[0].strip(BLANKS + '\n",;')[:1] in ("", "#"):
        lines = lines[1:]
    return "".join(lines)


def separator_of(text: str) -> str:
    """Return the separator of a sheet, which its first line tells."""
    first = re.split("[\r\n]", skip_comments(text))[0]
    return next((character for character in "\t;," if character in first), ",")


def parse_sheet(text: str) -> tuple[list[str], list[list[str]]]:
    """Return the header and rows of a sheet."""
    header, rows = parse_csv(skip_comments(text), separator_of(text))
    refuse(not rows)
    header, *rows = ([cell.strip(BLANKS + "\n") for cell in row] for row in (header, *rows))
    return header, rows


def count_of(text: str, decimal_mark: str) -> int:
    """Return the only count that a text means, tried with every pair of marks."""
    if re.fullmatch("[0-9]{1,18}", text):
        return int(text)
    readings = {}
    for thousands in (*",.' ", "\u2019", "\u00a0", "\u202f", ""):
        for decimal in {",", ".", ""} - {thousands} | {""}:
            whole, _, zeros = text.partition(decimal) if decimal else (text, "", "")
            digits = whole.replace(thousands, "") if thousands else whole
            if not re.fullmatch("[0-9]{1,18}", digits) or not re.fullmatch("0*", zeros):
                continue
            is_written_so = (
                whole == f"{int(digits):,}".replace(",", thousands)
                if thousands
                else True  # any digits, also with zeros in front
            )
            if is_written_so and (thousands in whole) and bool(decimal) == bool(zeros):
                readings[thousands, decimal] = int(digits)
    # a single decimal mark may also separate thousands
    refuse((decimal_mark, "") in readings and text.count(decimal_mark) == 1)
    refuse(not readings)
    return next((count for (mark, _), count in readings.items() if mark), min(readings.values()))


def parse_strata(name: str, data: bytes) -> list[tuple[Any, ...]]:
    """Return name, retrieved, population, sampled, relevant and assessable of each stratum."""
    text = sheet_text_of(data)
    header, rows = parse_sheet(text)
    decimal_mark = "," if separator_of(text) == ";" else "."
    names = [heading.lower() for heading in header]
    needed = ("stratum", "retrieved", "population", "sampled", "relevant")
    refuse(
        any(names.count(count_name) != 1 for count_name in needed) or names.count("assessable") > 1
    )
    strata = []
    for cells in rows:
        row = dict(zip(names, cells, strict=True))
        word = row["retrieved"].lower()
        yes, no = (
            ("yes", "y", "true", "1", "r", "retrieved"),
            ("no", "n", "false", "0", "unretrieved"),
        )
        refuse(word not in yes + no or not row["stratum"])
        counts = [
            row[count_name]
            for count_name in (*needed[2:], *(["assessable"] if "assessable" in row else []))
        ]
        if row["sampled"].lower() == "all":
            counts[1] = row["population"]
        population, sampled, relevant, *more = (count_of(text, decimal_mark) for text in counts)
        judged = more[0] if more else sampled
        refuse(sampled > population or judged > sampled or relevant > judged)
        strata.append(
            (row["stratum"], word in yes, population, sampled, relevant, *(more or [None]))
        )
    refuse(len({count_name[:2] for count_name in strata}) < len(strata))
    refuse({count_name[1] for count_name in strata} != {True, False})
    return strata


def relevance_of(text: str) -> str:
    """Return the relevance that a word means, or an integer without its decimal zeros."""
    word = " ".join(text.lower().replace("-", " ").split())
    if word in ("yes", "y", "true", "relevant", "responsive"):
        return "1"
    if word in ("no", "n", "false", "irrelevant", "nonrelevant", "nonresponsive") or word in (
        f"{negation} {adjective}"
        for negation in ("not", "non")
        for adjective in ("relevant", "responsive")
    ):
        return "0"
    return re.sub("[.,]0+$", "", text, count=1)


def parse_assessments(name: str, data: bytes) -> dict[str, tuple[Any, ...]]:
    """Return relevance, stratum and inclusion probability by document."""
    text = sheet_text_of(data) if name.endswith(".csv") else text_of(data)
    kind = format_of(name, text)
    records_read: list[dict[str, str]] = []
    if kind == "csv":
        header, rows = parse_sheet(text)
        also = {
            **dict.fromkeys(("docno", "docid", "document", "doc"), "doc_id"),
            **dict.fromkeys(("rel", "label", "judgment"), "relevance"),
            **dict.fromkeys(("topic", "qid", "query"), "query_id"),
        }
        names = [also.get(assessment.lower(), assessment.lower()) for assessment in header]
        known = ("doc_id", "relevance", "stratum", "iprob", "query_id")
        refuse(any(names.count(assessment) > 1 for assessment in known))
        refuse("doc_id" not in names or "relevance" not in names)
        refuse("stratum" in names and "iprob" in names)
        records_read = [dict(zip(names, cells, strict=True)) for cells in rows]
    else:
        for line in text.split("\n"):
            fields = split_line(line)
            if line.startswith("#") or not fields:
                continue
            refuse(len(fields) not in ((len(records_read[0]),) if records_read else (4, 5)))
            records_read.append(
                dict(zip(("query_id", "_", "doc_id", "relevance", "iprob"), fields, strict=False))
            )
    refuse(not records_read or len({row.get("query_id") for row in records_read}) > 1)
    documents: dict[str, tuple[Any, ...]] = {}
    for row in records_read:
        row["relevance"] = relevance_of(row["relevance"])
        refuse(not re.fullmatch("[+-]?[0-9]{1,9}", row["relevance"]) or not row["doc_id"])
        refuse(row.get("stratum") == "")
        probability = None
        if "iprob" in row:
            refuse(not DECIMAL.fullmatch(row["iprob"].strip(BLANKS)))
            probability = Decimal(row["iprob"].strip(BLANKS))
            refuse(not probability.is_finite() or not Decimal("1E-12") <= probability <= 1)
        assessment = (int(row["relevance"]), row.get("stratum"), probability)
        refuse(documents.setdefault(row["doc_id"], assessment) != assessment)
    return documents


def parse_groups(name: str, data: bytes) -> dict[str, str]:
    """Return the group of each query."""
    header, rows = parse_sheet(sheet_text_of(data))
    refuse(len(header) != 2 or header[0] == header[1])
    query = header.index(column(header, "query_id"))
    groups: dict[str, str] = {}
    for row in rows:
        query_id, group = (row[place].strip(BLANKS + "\n") for place in (query, 1 - query))
        refuse(not query_id or not group or group == "(all)")
        refuse(groups.setdefault(query_id, group) != group)
    return groups


def parse_json_document(data: bytes) -> Any:
    """Return one JSON object without repeated keys and without numbers that are not finite."""

    def distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        refuse(len(dict(pairs)) < len(pairs))
        return dict(pairs)

    def finite(text: str) -> float:
        value = float(text)
        refuse(not math.isfinite(value))
        return value

    try:
        tree = json.load(
            io.StringIO(text_of(data)),
            object_pairs_hook=distinct,
            parse_constant=lambda _: refuse(True),
            parse_float=finite,
        )
    except RecursionError:
        raise ValueError from None
    refuse(not isinstance(tree, dict))
    return tree
