"""The files of other tools that commands on pages name: spreadsheets, MTEB, PyTerrier, servers."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape
from zipfile import ZipFile

import irbounds

SEED = 7
MODELS = {"org/large": 0.05, "org/small": 0.02, "lab/base": -0.08}
TASKS = ("ArguAna", "FiQA", "NFCorpus", "SciFact", "TRECCOVID", "Touche")
#: runs of the simulated collection that are the predictions of the models for SciFact
PREDICTIONS = ("hybrid", "dense", "bm25")
PARTS = {
    "[Content_Types].xml": '<?xml version="1.0" encoding="UTF-8"?><Types xmlns="http://schemas.open'
    'xmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/'
    'vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>'
    '<Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-'
    'officedocument.spreadsheetml.worksheet+xml"/></Types>',
    "_rels/.rels": '<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="http://schemas.open'
    'xmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.open'
    'xmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/>'
    "</Relationships>",
    "xl/workbook.xml": '<?xml version="1.0" encoding="UTF-8"?><workbook xmlns="http://schemas.open'
    'xmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/office'
    'Document/2006/relationships"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets>'
    "</workbook>",
    "xl/_rels/workbook.xml.rels": '<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="http'
    '://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http'
    '://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets'
    '/sheet1.xml"/></Relationships>',
}


def make_files_of_other_tools(directory: Path) -> None:
    """Write workbooks, experiments, results and predictions of tasks, and responses of servers."""
    with (directory / "strata.csv").open(newline="") as file:
        write_workbook(directory / "strata.xlsx", list(csv.reader(file)))
    lines = (directory / "sample.qrels").read_text().splitlines()
    assessed = [(line.split()[2], ("no", "yes")[int(line.split()[3])]) for line in lines]
    write_workbook(directory / "drawn.xlsx", [("doc_id", "relevance"), *assessed])
    _write_experiment(directory)
    _write_mteb(directory)
    _write_responses(directory)


def write_workbook(path: Path, rows: Sequence[Sequence[str]]) -> None:
    """Write a workbook with one worksheet; cells of digits are numbers."""
    body = "".join(f"<row>{''.join(map(_cell, row))}</row>" for row in rows)
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    sheet = f'<worksheet xmlns="{space}"><sheetData>{body}</sheetData></worksheet>'
    with ZipFile(path, "w") as file:
        for name, text in {**PARTS, "xl/worksheets/sheet1.xml": sheet}.items():
            file.writestr(name, text)


def _cell(value: str) -> str:
    if value.isdigit():
        return f"<c><v>{value}</v></c>"
    return f'<c t="inlineStr"><is><t>{escape(value)}</t></is></c>'


def _write_experiment(directory: Path) -> None:
    """Write scores of three systems as PyTerrier does, and as a long table."""
    records = irbounds.score(
        str(directory / "qrels.txt"), str(directory / "runs"), measures="AP,nDCG@10"
    ).records()
    names = {"AP": "map", "nDCG@10": "ndcg_cut_10"}
    rows = [(r["system"], r["query_id"], names[r["measure"]], r["value"]) for r in records]
    _write_csv(directory / "perquery.csv", [("name", "qid", "measure", "value"), *rows])
    long = [(query, system, value) for system, query, measure, value in rows if measure == "map"]
    _write_csv(directory / "long.csv", [("query_id", "system", "value"), *long])


def _write_csv(path: Path, rows: Sequence[Sequence[object]]) -> None:
    with path.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


def _write_mteb(directory: Path) -> None:
    """Write results of models on tasks, and predictions of a task with its judgments."""
    rng = random.Random(SEED)
    levels = {task: rng.uniform(0.35, 0.7) for task in TASKS}
    for model, gain in MODELS.items():
        place = directory / "results" / model.replace("/", "__") / "main"
        place.mkdir(parents=True)
        meta = {"name": model, "revision": "main"}
        (place / "model_meta.json").write_text(json.dumps(meta))
        for task, level in levels.items():
            score = round(level + gain + rng.gauss(0, 0.03), 5)
            entry = {"main_score": score, "ndcg_at_10": score, "hf_subset": "default"}
            result = {"task_name": task, "mteb_version": "2.26.24", "scores": {"test": [entry]}}
            (place / f"{task}.json").write_text(json.dumps(result))
    for model, run in zip(MODELS, PREDICTIONS, strict=True):
        _write_predictions(directory, "SciFact", model, run)
    (directory / "SciFact.qrels").write_bytes((directory / "qrels.txt").read_bytes())
    types = [(task, "argument" if task in ("ArguAna", "Touche") else "search") for task in TASKS]
    _write_csv(directory / "types.csv", [("task", "group"), *types])


def _write_predictions(directory: Path, task: str, model: str, run: str) -> None:
    folder = directory / "predictions" / model.rpartition("/")[2]
    folder.mkdir(parents=True, exist_ok=True)
    rankings = irbounds.read_run(str(directory / f"{run}.run")).to_dict()
    first = {"mteb_model_meta": {"model_name": model, "revision": "main"}}
    text = json.dumps({**first, "default": {"test": rankings}})
    (folder / f"{task}_predictions.json").write_text(text)


def _write_responses(directory: Path) -> None:
    """Write responses of ``_rank_eval`` of two systems."""
    for name in ("bm25", "dense"):
        records = irbounds.score(
            str(directory / "qrels.txt"), str(directory / f"{name}.run"), measures="P@10"
        ).records()
        details = {
            r["query_id"]: {
                "metric_score": r["value"],
                "unrated_docs": [],
                "metric_details": {"precision": {}},
            }
            for r in records
        }
        mean = sum(r["value"] for r in records) / len(records)
        response = {"metric_score": mean, "details": details, "failures": {}}
        (directory / f"{name}.json").write_text(json.dumps(response))
