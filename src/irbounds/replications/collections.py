"""The judgments and runs that studies of the corpus take: real ones, or simulated ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ..datasets.fetch import plain_or_compressed
from ..errors import InputError
from ..reading.qrels_and_runs import read_qrels, read_runs
from ..reading.records import Qrels, Run
from ..simulation import simulate_collection
from .data_files import data_file

PART, QRELS, RUN = "robust03", "qrels.txt", ".run"
#: documents on TREC disks 4 and 5 without the Congressional Record: TREC-7, TREC-8 and Robust
CORPUS_SIZE = 528_155
SHORT = 100  # a run that never ranks more than this has no AP or nDCG@1000 to speak of
N_SYSTEMS, N_QUERIES, DEPTH = 12, 100, 1000  # of the simulated collection, as robust03 has them


@dataclass(frozen=True, eq=False)
class StudyCollection:
    """Judgments and full runs on a corpus of known size."""

    name: str
    qrels: Qrels
    runs: tuple[Run, ...]
    corpus_size: int
    #: names of runs that are too short to be compared with the others
    left_out: tuple[str, ...] = ()


def robust03_files(directory: Path) -> tuple[Path, list[Path]]:
    """Return the judgments and runs of TREC 2003 Robust, of a data directory or its part."""
    qrels = data_file(directory, PART, QRELS)
    names = {file.name.removesuffix(".gz") for file in qrels.parent.glob(f"*{RUN}*")}
    places = [qrels.with_name(name) for name in sorted(names) if name.endswith(RUN)]
    runs = [run for run in map(plain_or_compressed, places) if run is not None]
    if not runs:
        raise InputError(f"{qrels}: no runs (*{RUN} or *{RUN}.gz) in its directory")
    return qrels, runs


def robust03_collection(
    directory: Path, progress: Callable[[], None] | None = None
) -> StudyCollection:
    """TREC 2003 Robust, without the runs that rank a few documents only."""
    qrels, files = robust03_files(directory)
    runs = read_runs(list(files), progress=progress)
    full = tuple(run for run in runs if run.depths.max() > SHORT)
    short = tuple(run.name for run in runs if run not in full)
    return StudyCollection("robust03", read_qrels(qrels), full, CORPUS_SIZE, short)


def simulated_collection(
    seed: int, progress: Callable[[], None] | None = None, n_queries: int = N_QUERIES
) -> StudyCollection:
    """A simulated collection of the same size."""
    made = simulate_collection(
        N_SYSTEMS, n_queries, CORPUS_SIZE, DEPTH, rng=seed, progress=progress
    )
    return StudyCollection("simulated", made.qrels, made.runs, made.corpus_size)


def binary(qrels: Qrels) -> Qrels:
    """The same judgments with every grade of 1 and more taken as 1, all others as 0."""
    return replace(qrels, relevance=(qrels.relevance >= 1).astype(np.int32))
