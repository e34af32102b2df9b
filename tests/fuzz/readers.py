"""Targets: every reader, compared with a naive parser of the same format."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import irbounds
from irbounds.reading.assessments import read_assessments
from irbounds.reading.corpus_list import read_corpus
from irbounds.reading.query_groups import read_groups
from irbounds.reading.strata_sheet import read_strata

from . import naive_parsers as naive
from .engine import ACCEPTED, SILENT, STRICT, WRONG, Finding, Target, write_file
from .mutation import compress, mutate_text

Content = Callable[[Random], bytes]


def make_text_target(
    name: str, content: Content, read: Callable[[Path], Any], parse: Callable[[str, bytes], Any]
) -> Target:
    """Return a target: a valid file, mutated and perhaps compressed, read in both ways."""

    def target(rng: Random, directory: Path) -> str:
        data = mutate_text(content(rng), rng)
        if rng.random() < 0.05:
            data = compress(data, rng)
        path = write_file(directory, name, data)
        try:
            expected = parse(name, data)
        except ValueError:
            expected = None
        try:
            actual = read(path)
        except irbounds.IrboundsError as error:
            if expected is not None:
                raise Finding(STRICT, f"{error} | {_truncate_repr(data)}") from None
            raise
        if expected is None:
            raise Finding(SILENT, f"{actual!r:.300} | {_truncate_repr(data)}")
        if actual != expected:
            raise Finding(
                WRONG, f"{actual!r:.300} is not {expected!r:.300} | {_truncate_repr(data)}"
            )
        return ACCEPTED

    return target


def _truncate_repr(data: bytes) -> str:
    return f"{data!r:.600}"


def qrels_of(path: Path) -> dict[str, dict[str, int]]:
    return irbounds.read_qrels(path).to_dict()


def run_of(path: Path) -> dict[str, list[tuple[str, float]]]:
    run = irbounds.read_run(path).to_dict()
    return {query: [*documents.items()] for query, documents in run.items() if documents}


def scores_of(path: Path) -> dict[tuple[str, str, str], float]:
    table = irbounds.read_scores(path)
    return {
        (measure, system, query): float(table.values[m, s, q])
        for m, measure in enumerate(table.measures)
        for s, system in enumerate(table.systems)
        for q, query in enumerate(table.queries)
    }


def strata_of(path: Path) -> list[tuple[Any, ...]]:
    return [
        (
            stratum.name,
            stratum.retrieved,
            stratum.population,
            stratum.sampled,
            stratum.relevant,
            stratum.assessable,
        )
        for stratum in read_strata(path).strata
    ]


def assessments_of(path: Path) -> dict[str, tuple[Any, ...]]:
    return {
        assessment.doc_id: (assessment.relevance, assessment.stratum, assessment.iprob)
        for assessment in read_assessments(path).documents
    }


def groups_of(path: Path) -> dict[str, str]:
    return read_groups(path)[0]


def _queries(rng: Random) -> list[str]:
    return rng.choice((["1", "2"], ["q1", "q2", "q10"], ["301"], ["é", "b"]))


def _documents(rng: Random) -> list[str]:
    return rng.sample(["d1", "d2", "d10", "FT911-3", "x#y", "ä", "D1"], rng.randint(1, 5))


def _score(rng: Random) -> str:
    return rng.choice(
        (f"{rng.random():.4f}", f"{rng.uniform(-9, 9)!r}", str(rng.randint(-3, 3)), "1e-3")
    )


def trec_qrels(rng: Random) -> bytes:
    lines = [f"{q} 0 {d} {rng.randint(-1, 2)}" for q in _queries(rng) for d in _documents(rng)]
    return ("\n".join(lines) + "\n").encode()


def trec_run(rng: Random) -> bytes:
    lines = [
        f"{q} Q0 {d} {rank} {_score(rng)} tag"
        for q in _queries(rng)
        for rank, d in enumerate(_documents(rng), start=1)
    ]
    return ("\n".join(lines) + "\n").encode()


def json_of(value: Callable[[Random], str]) -> Content:
    """Return a maker of ``{query: {document: value}}``."""

    def content(rng: Random) -> bytes:
        queries = []
        for q in _queries(rng):
            pairs = ", ".join(f'"{d}": {value(rng)}' for d in _documents(rng))
            queries.append(f'"{q}": {{{pairs}}}')
        if rng.random() < 0.2:  # JSON lines
            return "\n".join(f"{{{members}}}" for members in queries).encode()
        return f"{{{', '.join(queries)}}}".encode()

    return content


def records_of(meaning: str, value: Callable[[Random], str]) -> Content:
    """Return a maker of one record per line."""

    def content(rng: Random) -> bytes:
        lines = [
            f'{{"query_id": "{q}", "doc_id": "{d}", "{meaning}": {value(rng)}}}'
            for q in _queries(rng)
            for d in _documents(rng)
        ]
        return "\n".join(lines).encode()

    return content


def table_of(meaning: str, value: Callable[[Random], str], separator: str) -> Content:
    """Return a maker of a table of records."""

    def content(rng: Random) -> bytes:
        header = separator.join(("query_id", rng.choice(("doc_id", "docno")), meaning))
        lines = [
            separator.join((_quote(q, rng), _quote(d, rng), value(rng)))
            for q in _queries(rng)
            for d in _documents(rng)
        ]
        return ("\n".join((header, *lines)) + "\n").encode()

    return content


def _quote(text: str, rng: Random) -> str:
    return f'"{text}"' if rng.random() < 0.1 else text


def wide_scores(rng: Random) -> bytes:
    systems = rng.sample(["bm25", "dense", "a b", "x"], rng.randint(1, 3))
    lines = [",".join((query, *(_score(rng) for _ in systems))) for query in _queries(rng)]
    if rng.random() < 0.3:
        return "\n".join((",".join(systems), *(line.partition(",")[2] for line in lines))).encode()
    return ("\n".join((",".join(("topic", *systems)), *lines)) + "\n").encode()


def long_scores(rng: Random) -> bytes:
    lines = [
        f"{query},{system},AP,{_score(rng)}" for system in ("a", "b") for query in _queries(rng)
    ]
    return ("\n".join(("query_id,system,measure,value", *lines)) + "\n").encode()


def scores_by_row(rng: Random) -> bytes:
    header = rng.choice(
        ("query,system,mymetric", "qid,name,AP", "task,model,AP,nDCG@10", "id,run,score")
    )
    n_measures = header.count(",") - 1
    lines = [
        ",".join((query, system, *(_score(rng) for _ in range(n_measures))))
        for system in ("a", "b")
        for query in _queries(rng)
    ]
    return ("\n".join((header, *lines)) + "\n").encode()


def perquery_of_pyterrier(rng: Random) -> bytes:
    lines = [
        f"{system},{query},{measure},{_score(rng)}"
        for system in ("a", "b")
        for query in _queries(rng)
        for measure in ("map", "nDCG@10")
    ]
    return ("\n".join(("name,qid,measure,value", *lines)) + "\n").encode()


def json_lines_of_scores(rng: Random) -> bytes:
    lines = [
        f'{{"query_id": "{q}", "measure": "{m}", "value": {_score(rng)}}}'
        for q in (*_queries(rng), "all")
        for m in ("AP", "nDCG@10")
    ]
    return "\n".join(lines).encode()


def rank_eval_response(rng: Random) -> bytes:
    metric = rng.choice(
        ('"precision": {"docs_retrieved": 10}', '"dcg": {"dcg": 3.1, "normalized_dcg": 0.5}', "")
    )
    details = [
        f'"{q}": {{"metric_score": {_score(rng)}, "unrated_docs": '
        f'{rng.choice(("[]", """[{"_index": "x", "_id": "1"}]"""))},\n'
        f'"hits": [], "metric_details": {{{metric}}}}}'
        for q in _queries(rng)
    ]
    joined = ",\n".join(details)
    return f'{{"metric_score": 0.5, "details": {{{joined}}},\n"failures": {{}}}}'.encode()


def trec_eval_output(rng: Random) -> bytes:
    lines = [f"{m}\t{q}\t{_score(rng)}" for q in (*_queries(rng), "all") for m in ("map", "P_10")]
    return ("runid\tall\tbm25\n" + "\n".join(lines) + "\n").encode()


def ir_measures_output(rng: Random) -> bytes:
    lines = [f"{q}\t{m}\t{_score(rng)}" for q in (*_queries(rng), "all") for m in ("AP", "nDCG@10")]
    return ("\n".join(lines) + "\n").encode()


def strata_sheet(rng: Random) -> bytes:
    separator = rng.choice(",;\t")
    header = rng.choice(
        (
            "stratum,retrieved,population,sampled,relevant",
            "stratum,retrieved,population,sampled,relevant,assessable",
        )
    )
    lines = []
    for name, retrieved in (("top", "yes"), ("rest", "no"), ("deep", "N")):
        population = rng.randint(0, 500)
        sampled = rng.randint(0, population)
        judged = rng.randint(0, sampled)
        relevant = rng.randint(0, judged)
        counts = {
            5: (population, sampled, relevant),
            6: (population, sampled, relevant, judged),
        }[header.count(",") + 1]
        lines.append(",".join(map(str, (name, retrieved, *counts))))
    return ("\n".join((header, *lines)) + "\n").replace(",", separator).encode()


def trec_assessments(rng: Random) -> bytes:
    has_probability = rng.random() < 0.5
    lines = [
        f"1 0 {d} {rng.randint(-1, 2)}" + (f" 0.{rng.randint(1, 999)}" if has_probability else "")
        for d in _documents(rng)
    ]
    return ("\n".join(lines) + "\n").encode()


def csv_assessments(rng: Random) -> bytes:
    extra = rng.choice(("", ",stratum", ",iprob", ",note"))
    lines = [
        f"{d},{rng.randint(-1, 2)}"
        + {"": "", ",stratum": ",top", ",iprob": ",0.25", ",note": ",x"}[extra]
        for d in _documents(rng)
    ]
    return ("\n".join((f"doc_id,relevance{extra}", *lines)) + "\n").encode()


def groups_sheet(rng: Random) -> bytes:
    header = rng.choice(("query_id,group", "qid,kind", "topic,a,group"))
    lines = [
        f"{query},{rng.choice(('long', 'short', '2'))}" + (",y" if header.count(",") > 1 else "")
        for query in _queries(rng)
    ]
    return ("\n".join((header, *lines)) + "\n").replace(",", rng.choice(",;\t")).encode()


def corpus_list(rng: Random) -> bytes:
    return ("\n".join(_documents(rng)) + "\n").encode()


def _grade(rng: Random) -> str:
    return str(rng.randint(-1, 3))


def mteb_predictions(rng: Random) -> bytes:
    runs = json_of(_score)(rng)
    while b"\n" in runs:
        runs = json_of(_score)(rng)
    meta = b'{"model_name": "org/model", "revision": "abc"}'
    return b'{"mteb_model_meta": %s, "default": {"test": %s}}' % (meta, runs)


def mteb_result(rng: Random) -> bytes:
    parts = [
        f'"{split}": [{{"main_score": {_score(rng)}, "hf_subset": "{subset}", "x": NaN}}]'
        for split, subset in rng.sample((("test", "default"), ("dev", "en")), rng.randint(1, 2))
    ]
    head = '"dataset_revision": "abc", "task_name": "SciFact", "mteb_version": "2.0"'
    return f'{{{head}, "scores": {{{", ".join(parts)}}}}}'.encode()


def result_of(path: Path) -> dict[str, float]:
    place = path.parent / "results"
    place.mkdir(exist_ok=True)
    (place / "SciFact.json").write_bytes(path.read_bytes())
    table = irbounds.read_scores(place)
    return {table.queries[0]: round(float(table.values[0, 0, 0]), 9)}


READERS: dict[str, Target] = {
    "MTEB predictions": make_text_target(
        "SciFact_predictions.json", mteb_predictions, run_of, naive.parse_predictions
    ),
    "MTEB result": make_text_target("SciFact.json", mteb_result, result_of, naive.parse_result),
    "TREC judgments": make_text_target("qrels.txt", trec_qrels, qrels_of, naive.parse_qrels),
    "TREC run": make_text_target("bm25.run", trec_run, run_of, naive.parse_run),
    "JSON judgments": make_text_target("qrels.json", json_of(_grade), qrels_of, naive.parse_qrels),
    "JSON run": make_text_target("bm25.json", json_of(_score), run_of, naive.parse_run),
    "JSON records": make_text_target(
        "bm25.jsonl", records_of("score", _score), run_of, naive.parse_run
    ),
    "CSV judgments": make_text_target(
        "qrels.csv", table_of("relevance", _grade, ","), qrels_of, naive.parse_qrels
    ),
    "CSV run": make_text_target(
        "bm25.csv", table_of("score", _score, ","), run_of, naive.parse_run
    ),
    "TSV run": make_text_target(
        "bm25.tsv", table_of("score", _score, "\t"), run_of, naive.parse_run
    ),
    "wide scores": make_text_target("scores.csv", wide_scores, scores_of, naive.parse_scores),
    "long scores": make_text_target("scores.csv", long_scores, scores_of, naive.parse_scores),
    "scores by row": make_text_target("scores.csv", scores_by_row, scores_of, naive.parse_scores),
    "perquery.csv": make_text_target(
        "perquery.csv", perquery_of_pyterrier, scores_of, naive.parse_scores
    ),
    "JSON lines of scores": make_text_target(
        "bm25.jsonl", json_lines_of_scores, scores_of, naive.parse_scores
    ),
    "rank_eval response": make_text_target(
        "bm25.json", rank_eval_response, scores_of, naive.parse_rank_eval
    ),
    "trec_eval output": make_text_target(
        "bm25.txt", trec_eval_output, scores_of, naive.parse_scores
    ),
    "ir_measures output": make_text_target(
        "bm25.txt", ir_measures_output, scores_of, naive.parse_scores
    ),
    "strata sheet": make_text_target("strata.csv", strata_sheet, strata_of, naive.parse_strata),
    "TREC assessments": make_text_target(
        "sample.txt", trec_assessments, assessments_of, naive.parse_assessments
    ),
    "CSV assessments": make_text_target(
        "sample.csv", csv_assessments, assessments_of, naive.parse_assessments
    ),
    "groups sheet": make_text_target("groups.csv", groups_sheet, groups_of, naive.parse_groups),
    "corpus list": make_text_target(
        "corpus.txt",
        corpus_list,
        lambda path: read_corpus(path).documents.strings(),
        naive.parse_corpus_list,
    ),
}
