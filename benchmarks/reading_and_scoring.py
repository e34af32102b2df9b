"""Time reading and scoring runs compared with ir_measures, pytrec_eval and ranx."""

from __future__ import annotations

import gzip
import logging
import os
import tempfile
import warnings
from collections import defaultdict
from pathlib import Path

import ir_measures
import numpy as np
import pytrec_eval

import irbounds
from irbounds.simulation import simulate_collection, write_collection

from .timing import Row, best_times

N_RUNS = 12
N_QUERIES, N_PASSAGES, DEPTH = 6_980, 8_841_823, 100  # MS MARCO's development set
TREC_MEASURES = {"AP": "map", "nDCG": "ndcg", "P@10": "P_10", "RR": "recip_rank"}
OUR_MEASURES = ["AP", "nDCG", "P@10", "RBP(rel=1,p=0.95)", "RR"]


def collection(directory: Path) -> tuple[str, Path, list[Path]]:
    """Return TREC 2003 Robust if available, else a simulated collection of its size."""
    real = Path(os.environ.get("IRBOUNDS_DATA", "/nowhere")) / "robust03"
    if real.is_dir():
        runs = sorted(real.glob("*.run.gz"), key=lambda path: path.stat().st_size)[-N_RUNS:]
        return "robust03", real / "qrels.txt.gz", sorted(runs)
    simulated = simulate_collection(N_RUNS, 100, 528_155, 1000, rng=1)
    write_collection(simulated, directory)
    return "a simulated collection", directory / "qrels.txt", sorted(directory.glob("*.run"))


def compare() -> tuple[str, list[Row]]:
    """Run all comparisons on one collection."""
    logging.getLogger("ir_measures").setLevel("ERROR")
    with tempfile.TemporaryDirectory() as name, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        which, qrels, runs = collection(Path(name))
        n_lines = sum(len(run) for run in irbounds.read_runs(runs))
        about = f"{which}: {len(runs)} runs, {n_lines:,} lines, gzip"
        rows = [*_reading(runs), *_scoring(qrels, runs), *_end_to_end(qrels, runs)]
        return about, [*rows, _gate(Path(name))]


def _reading(runs: list[Path]) -> list[Row]:
    times = best_times(
        {
            "ours": lambda: irbounds.read_runs(runs),
            "ours, one thread": lambda: [irbounds.read_run(run) for run in runs],
            "ir_measures.read_trec_run": lambda: [
                sum(1 for _ in ir_measures.read_trec_run(str(run))) for run in runs
            ],
            **_ranx_reading(runs),
            "gunzip alone (the floor)": lambda: [
                len(gzip.decompress(run.read_bytes())) for run in runs
            ],
        },
        rounds=3,
    )
    peers = [name for name in times if not name.startswith("ours")]
    return [
        Row(task, times[ours], peer, times[peer], None if "floor" in peer else 3.0)
        for task, ours in (("read", "ours"), ("read, one thread", "ours, one thread"))
        for peer in peers
    ]


def _ranx_reading(runs: list[Path]) -> dict[str, object]:
    try:
        from ranx import Run
    except ImportError:
        return {}
    directory = Path(tempfile.mkdtemp())
    plain = []
    for run in runs:  # ranx takes a file's kind from its ending and knows no .gz of TREC text
        path = directory / f"{run.name}.trec"
        path.write_bytes(gzip.decompress(run.read_bytes()).replace(b"\t", b" "))
        plain.append(path)
    return {"ranx Run.from_file (not packed)": lambda: [Run.from_file(str(p)) for p in plain]}


def _scoring(qrels: Path, runs: list[Path]) -> list[Row]:
    judgments, packed = irbounds.read_qrels(qrels), irbounds.read_runs(runs)
    dicts = [run.to_dict() for run in packed]
    evaluator = pytrec_eval.RelevanceEvaluator(judgments.to_dict(), set(TREC_MEASURES.values()))
    times = best_times(
        {
            "ours": lambda: irbounds.score(judgments, packed, OUR_MEASURES),
            "pytrec_eval": lambda: [evaluator.evaluate(run) for run in dicts],
        }
    )
    task = "score AP nDCG P@10 RBP RR"
    peer = "pytrec_eval (without RBP)"
    return [Row(task, times["ours"], peer, times["pytrec_eval"], 5.0)]


def _gate(directory: Path) -> Row:
    """Time the gate on two runs of the size of MS MARCO's development set, 100 documents deep."""
    generator = np.random.default_rng(1)
    relevant = generator.integers(N_PASSAGES, size=N_QUERIES)
    qrels, *runs = (directory / name for name in ("small-qrels.txt", "old.run", "new.run"))
    qrels.write_text("".join(f"{q} 0 {doc} 1\n" for q, doc in enumerate(relevant)))
    for run in runs:
        with run.open("w") as file:
            for query, answer in enumerate(relevant):
                documents = generator.choice(N_PASSAGES // DEPTH, DEPTH, replace=False) * DEPTH
                documents[min(int(generator.exponential(12)), DEPTH - 1)] = answer
                file.writelines(
                    f"{query} Q0 {doc} {rank} {DEPTH - rank}.5 tag\n"
                    for rank, doc in enumerate(dict.fromkeys(documents.tolist()))
                )
    times = best_times(
        {
            "gate": lambda: irbounds.gate(qrels, *runs, measures="RR@10", margin=0.01),
            "reading": lambda: irbounds.read_runs(runs),
        },
        rounds=3,
    )
    task = f"gate, 2 runs x {N_QUERIES:,} queries x {DEPTH} documents, RR@10"
    return Row(task, times["gate"], "reading alone (the floor)", times["reading"], None)


def _end_to_end(qrels: Path, runs: list[Path]) -> list[Row]:
    def ours(measures: list[str]) -> None:
        irbounds.score(qrels, runs, measures).means()

    def theirs(measures: list[str]) -> None:
        parsed_measures = [ir_measures.parse_measure(name) for name in measures]
        evaluator = ir_measures.evaluator(
            parsed_measures, list(ir_measures.read_trec_qrels(str(qrels)))
        )
        for run in runs:
            by_query: dict[str, dict[str, float]] = defaultdict(dict)
            for entry in ir_measures.read_trec_run(str(run)):
                by_query[entry.query_id][entry.doc_id] = entry.score
            evaluator.calc_aggregate(by_query)

    rows = []
    for measures, rounds in ((list(TREC_MEASURES), 3), (OUR_MEASURES, 1)):
        times = best_times(
            {
                "ours": lambda names=measures: ours(names),
                "ir_measures": lambda names=measures: theirs(names),
            },
            rounds=rounds,
        )
        measure_names = " ".join(name.partition("(")[0] for name in measures)
        rows.append(
            Row(
                f"files to scores, {measure_names}",
                times["ours"],
                "ir_measures",
                times["ir_measures"],
                3.0,
            )
        )
    return rows
