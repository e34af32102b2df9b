"""Time images of the corpus compared with the floor and with rewriting runs."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import numba
import numpy as np
import pytrec_eval

from irbounds import read_qrels, read_runs
from irbounds.corpora.bootstrap import corpus_bootstrap
from irbounds.kernels.multinomial_counts import IMAGES
from irbounds.measurement.judged_runs import Pool
from irbounds.measurement.parser import parse_measures
from irbounds.parallel import count_threads, run_work
from irbounds.resampling.corpus_replicates import bootstrap_documents, draw_replicate_counts
from irbounds.resampling.packed_rankings import pack_rankings
from irbounds.simulation import simulate_collection

from .timing import best_times

MEASURES = ("AP", "nDCG", "P@10", "RBP(p=0.95,rel=1)", "INSQ(T=5)", "RR")
CORPUS_SIZE = 528_155
N_IMAGES = 1024
FLOOR_TARGET = 3
PYTREC_TARGET = 3000

#: prints seconds and the mebibytes that 1,000 images need beyond the collection itself
MEMORY = """
import pathlib, time
from benchmarks.corpus import CORPUS_SIZE, MEASURES
from irbounds.corpora.bootstrap import corpus_bootstrap
from irbounds.simulation import simulate_collection

def mebibytes(field):
    lines = pathlib.Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(field)) / 1024

def images(made, n):
    return corpus_bootstrap(
        made.qrels, made.runs, MEASURES, corpus_size=CORPUS_SIZE, n_images=n, rng=1
    )

images(simulate_collection(2, 2, CORPUS_SIZE, 1000, rng=2), 64)  # compiled and loaded
made = simulate_collection(129, 50, CORPUS_SIZE, 1000, rng=1)
pathlib.Path("/proc/self/clear_refs").write_text("5")  # the peak is counted from here
before = mebibytes("VmRSS")
began = time.perf_counter()
images(made, 1000)
print(time.perf_counter() - began)
print(mebibytes("VmHWM") - before)
"""


@numba.njit(nogil=True)
def lay_out_and_add(rows, row_bounds, entries, entry_bounds, counts, ends):
    """Copy a query's counts and add them entry by entry: the lower bound of the time."""
    here = np.empty((np.diff(row_bounds).max(), 64), np.uint8)
    passed = np.zeros(64, np.int32)
    n_queries = row_bounds.size - 1
    n_systems = (entry_bounds.size - 1) // n_queries
    for q in range(n_queries):
        for k in range(row_bounds[q], row_bounds[q + 1]):
            for i in range(64):
                here[k - row_bounds[q], i] = counts[rows[k], i]
        for s in range(q * n_systems, (q + 1) * n_systems):
            passed[:] = 0
            for e in range(entry_bounds[s], entry_bounds[s + 1]):
                row = here[entries[e]]
                for i in range(64):
                    passed[i] += np.int32(row[i])
            for i in range(64):
                ends[i] += passed[i]


def pack_collection(qrels, runs):
    return pack_rankings(Pool(qrels), runs, CORPUS_SIZE)


def judge_last_documents(runs):
    """Return judgments of each ranking's last document, so that complete rankings are packed."""
    last = {query: {} for query in runs[0].query_ids}
    for run in runs:
        for query, end in zip(run.query_ids, run.bounds[1:], strict=True):
            last[query][run.documents[int(run.docs[end - 1])]] = 1
    return read_qrels(last)


def make_floor_call(packed):
    """Return a function that processes one block, to the end of rankings or as far as needed."""
    counts, _ = draw_replicate_counts(packed, 1, 0)
    laid_out = (*packed.rankings[:2], *packed.rankings[4:])

    def walk(_: int) -> tuple[()]:
        lay_out_and_add(*laid_out, counts, np.zeros(IMAGES, np.int64))
        return ()

    cost = IMAGES * packed.rankings.entries.size
    return lambda: list(run_work(walk, N_IMAGES // IMAGES, cost=cost))


def compare_with_floor(n_systems: int, n_queries: int) -> str:
    collection = simulate_collection(n_systems, n_queries, CORPUS_SIZE, 1000, rng=1)
    packed, whole = (
        pack_collection(q, collection.runs)
        for q in (collection.qrels, judge_last_documents(collection.runs))
    )
    measures = parse_measures(MEASURES)
    bootstrap_documents(packed, measures, IMAGES, 1)
    times = best_times(
        {
            "floor": make_floor_call(whole),
            "to the last relevant": make_floor_call(packed),
            "ours": lambda: bootstrap_documents(packed, measures, N_IMAGES, 1),
        },
        7,
    )
    work = sum(map(len, collection.runs)) * N_IMAGES / 1e9
    ratio = times["ours"] / times["floor"]
    missed = "" if ratio <= FLOOR_TARGET else " **missed**"
    return (
        f"| {n_systems} x {n_queries} x 1,000 | {times['ours']:.2f} s | {work / times['ours']:.1f} "
        f"| {work / times['floor']:.1f} | {ratio:.2f} | {FLOOR_TARGET}{missed} "
        f"| {times['ours'] / times['to the last relevant']:.2f} |"
    )


def compare_with_pytrec_eval() -> str:
    """Compare one image of 15 x 100 x 1,000 with rewriting all runs and calling pytrec_eval."""
    collection = simulate_collection(15, 100, CORPUS_SIZE, 1000, rng=1)
    packed = pack_collection(collection.qrels, collection.runs)
    measures = parse_measures(MEASURES)
    names = {"map", "ndcg", "P_10", "recip_rank"}
    qrels = collection.qrels.to_dict()
    rankings = [{q: list(docs) for q, docs in run.to_dict().items()} for run in collection.runs]
    drawn = np.random.default_rng(1).poisson(1, CORPUS_SIZE)
    counts = dict(zip((f"D{k:07}" for k in range(1, CORPUS_SIZE + 1)), drawn.tolist(), strict=True))

    def rewrite() -> None:
        judged = {
            q: {f"{d}#{j}": g for d, g in docs.items() for j in range(counts[d])}
            for q, docs in qrels.items()
        }
        evaluator = pytrec_eval.RelevanceEvaluator(judged, names)
        for ranking in rankings:
            run = {}
            for query, docs in ranking.items():
                copies = [f"{doc}#{j}" for doc in docs for j in range(counts[doc])]
                run[query] = dict(zip(copies, map(float, range(len(copies), 0, -1)), strict=True))
            evaluator.evaluate(run)

    bootstrap_documents(packed, measures, IMAGES, 1)
    times = best_times(
        {"theirs": rewrite, "ours": lambda: bootstrap_documents(packed, measures, N_IMAGES, 1)}, 3
    )
    ours = times["ours"] / N_IMAGES
    return (
        f"one image of 15 x 100 x 1,000: rewriting and pytrec_eval {times['theirs']:.2f} s, ours "
        f"{ours * 1e3:.2f} ms: {times['theirs'] / ours:,.0f} times (target: {PYTREC_TARGET:,})"
    )


def measure_memory() -> str:
    process = subprocess.run(
        [sys.executable, "-c", MEMORY], check=True, capture_output=True, text=True
    )
    seconds, added = map(float, process.stdout.split())
    return (
        f"129 x 50 x 1,000, 1,000 images, six measures, from runs to result: {seconds:.1f} s "
        f"(target: 8), {added:,.0f} MiB above the collection (target: 2,048)"
    )


def measure_cost_curve() -> str:
    """Measure seconds as images, runs and depth double; the cost should double too."""
    lines = ["| images | runs | depth | seconds | a document-image, ns |", "| ---: " * 5 + "|"]
    measures = parse_measures(MEASURES)
    plans = [(n, 16, 1000) for n in (512, 1024, 2048, 4096)]
    plans += [(1024, n, 1000) for n in (4, 8, 32, 64)]
    plans += [(1024, 16, n) for n in (125, 250, 500, 2000)]
    for n_images, n_runs, depth in plans:
        collection = simulate_collection(n_runs, 50, CORPUS_SIZE, depth, rng=1)
        packed = pack_collection(collection.qrels, collection.runs)

        def ours(packed=packed, n=n_images) -> None:
            bootstrap_documents(packed, measures, n, 1)

        seconds = best_times({"ours": ours}, 3)["ours"]
        each = seconds / (n_images * n_runs * 50 * depth) * 1e9
        lines.append(f"| {n_images:,} | {n_runs} | {depth:,} | {seconds:.3f} | {each:.3f} |")
    return "\n".join(lines)


def time_robust03() -> str:
    directory = Path(os.environ["IRBOUNDS_DATA"]) / "robust03"
    paths = [p for p in sorted(directory.glob("*.run.gz")) if p.name[:4] not in ("NLPR", "humR")]
    began = time.perf_counter()
    qrels, runs = read_qrels(directory / "qrels.txt.gz"), read_runs(paths)
    read = time.perf_counter()
    images = corpus_bootstrap(
        qrels, runs, MEASURES, corpus_size=CORPUS_SIZE, n_images=10_000, rng=0
    )
    done = time.perf_counter()
    return (
        f"TREC 2003 Robust, 12 runs, {images.n_images:,} images, six measures: "
        f"{read - began:.1f} s to read, {done - read:.1f} s to draw and score (target: 60)"
    )


def report() -> str:
    heading = (
        f"Images of the corpus, {count_threads()} cores, {N_IMAGES:,} images, six measures; "
        "billions of document-images a second\n\n"
        "| systems x queries x depth | time | ours | the floor | times the floor's | target "
        "| times the floor's, to the last relevant document |\n"
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    )
    rows = "\n".join([heading, compare_with_floor(15, 100), compare_with_floor(129, 50)])
    return "\n\n".join(
        [rows, compare_with_pytrec_eval(), measure_memory(), measure_cost_curve(), time_robust03()]
    )
