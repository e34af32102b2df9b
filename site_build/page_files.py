"""The files that commands on pages name, made from a simulated collection."""

from __future__ import annotations

import gzip
import json
import random
import shutil
from functools import partial
from pathlib import Path

import irbounds

from .other_tool_files import make_files_of_other_tools

SEED = 2026
#: names of runs on pages, for the systems of the simulated collection
RUNS = {
    **{f"{name}.run": number for number, name in enumerate(("bm25", "dense", "hybrid"), 1)},
    **{"old.run": 3, "new.run": 8, "a.run": 1, "b.run": 5},
}


def make_files(directory: Path) -> None:
    """Write judgments, runs, scores, labels and sheets of samples."""
    collection = directory / "collection"
    irbounds.simulate(directory=collection, seed=SEED)
    (directory / "runs").mkdir()
    shutil.copy(collection / "qrels.txt", directory / "qrels.txt")
    for name, number in RUNS.items():
        shutil.copy(_run(collection, number), directory / name)
    for name in ("bm25", "dense", "hybrid"):
        shutil.copy(directory / f"{name}.run", directory / "runs" / f"{name}.run")
    shutil.rmtree(collection)
    for name in ("qrels.txt", "dense.run"):
        with gzip.open(directory / f"{name}.gz", "wb") as file:
            file.write((directory / name).read_bytes())
    _write_tables(directory)
    _write_samples(directory)
    _write_drawn_sheets(directory)
    make_files_of_other_tools(directory)


def _run(collection: Path, number: int) -> Path:
    (path,) = (p for p in collection.rglob("*") if p.stem == f"system-{number:03d}")
    return path


def _write_tables(directory: Path) -> None:
    """Write scores per query, of tasks and models, means, groups of queries, and labels."""
    table = irbounds.score(
        str(directory / "qrels.txt"), str(directory / "runs"), measures="AP"
    ).to_polars()
    table = table.pivot("system", index="query_id", values="value")
    table.write_csv(directory / "scores.csv")
    for name, run in (("ours", "bm25.run"), ("theirs", "dense.run")):
        means = irbounds.evaluate(str(directory / "qrels.txt"), str(directory / run), measures="AP")
        published = {"irbounds": irbounds.__version__, "inputs": [], "results": means.records()}
        (directory / f"{name}.json").write_text(json.dumps(published))
    queries = table["query_id"].to_list()
    rng = random.Random(SEED)
    kinds = "".join(f"{q},{rng.choice(('question', 'keyword'))}\n" for q in queries)
    (directory / "queries.csv").write_text(f"query_id,intent\n{kinds}")
    models = [f"model-{letter}" for letter in "ABCDEF"]
    rows = [
        ",".join([f"task-{k + 1}", *(f"{rng.uniform(0.3, 0.8):.3f}" for _ in models)])
        for k in range(15)
    ]
    (directory / "leaderboard.csv").write_text("\n".join([",".join(["task", *models]), *rows, ""]))
    labels = []
    for _ in range(400):
        label = int(rng.random() < 0.1)
        labels.append(f"{label},{rng.gauss(1.2 * label, 1):.4f},{rng.gauss(0.8 * label, 1):.4f}")
    (directory / "labels.csv").write_text("\n".join(["label,forest,logistic", *labels, ""]))


def _write_samples(directory: Path) -> None:
    """Write sheets of strata, and the assessed documents of a retrieved set."""
    header = "stratum,retrieved,population,sampled,relevant\n"
    sheet = f"{header}produced,yes,2000,200,120\nlikely,no,8000,400,9\nrest,no,90000,600,1\n"
    for name in ("strata.csv", "sheet.csv"):
        (directory / name).write_text(sheet)
    ids = [f"D{k:05d}" for k in range(5000)]
    rng = random.Random(SEED)
    found = ids[:500]
    drawn = rng.sample(found, 100) + rng.sample(ids[500:], 400)
    relevant = {name: int(rng.random() < (0.6 if name in set(found) else 0.02)) for name in drawn}
    (directory / "ids.txt").write_text("\n".join([*ids, ""]))
    # all documents of the simulated collection
    (directory / "docids.txt").write_text("".join(f"D{k:07d}\n" for k in range(20_000)))
    ranked = [f"1 Q0 {name} {rank} {1000 - rank} review" for rank, name in enumerate(found, 1)]
    (directory / "review.run").write_text("\n".join([*ranked, ""]))
    (directory / "found.txt").write_text("\n".join([*found, ""]))
    lines = [f"1 0 {name} {value}" for name, value in relevant.items()]
    (directory / "sample.qrels").write_text("\n".join([*lines, ""]))


def _write_drawn_sheets(directory: Path) -> None:
    """Write sheets of ``irbounds draw`` with the relevance filled in."""
    rng = random.Random(SEED)
    found = set((directory / "found.txt").read_text().split())
    draw = partial(
        irbounds.draw,
        population=str(directory / "ids.txt"),
        retrieved_ids=str(directory / "found.txt"),
        n=400,
        seed=7,
    )
    samples = {
        "drawn-assessed.csv": draw(retrieved_sample=100),
        "rest-assessed.csv": draw(),
    }
    for name, sample in samples.items():
        lines = [
            f"{line}{int(rng.random() < (0.6 if line[:-1] in found else 0.01))}"
            if line.endswith(",")
            else line
            for line in sample.to_sheet().replace(f"{directory}/", "").splitlines()
        ]
        (directory / name).write_text("\n".join([*lines, ""]))
