"""The inputs of the studies: files of the papers' collections, or simulated collections."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ..datasets.downloads import COMPRESSIONS, plain_or_compressed
from ..errors import DataError, InputError
from ..parallel.progress import count_steps, show_progress
from ..reading.qrels_and_runs import list_run_files, read_qrels, read_runs
from ..reading.records import Qrels, Run
from ..scores.score_input import read_scores
from ..scores.score_table import ScoreTable
from ..scores.scoring import score
from ..simulation import simulate_collection

SCORES, ROBUST03 = "scores", "robust03"  # directories of the data directory
SIMULATED = "simulated collection: the paper's numbers are for comparison, not to be met"
MEASURE = "AP"  # of the score tables
QRELS, RUN = "qrels.txt", ".run"
#: documents on TREC disks 4 and 5 without the Congressional Record: TREC-7, TREC-8 and Robust
CORPUS_SIZE = 528_155
SHORT = 100  # a run that never ranks more than this has no meaningful AP or nDCG@1000
N_SYSTEMS, N_QUERIES, DEPTH = 12, 100, 1000  # of the simulated collection, as robust03 has them


def data_file(directory: Path, part: str, name: str) -> Path:
    """Return the file ``name`` of ``directory/part`` or of ``directory`` itself.

    The file may be compressed, with ``.gz``, ``.bz2``, ``.xz`` or ``.zst`` added to its name.

    Raises
    ------
    InputError
        When it is in neither.
    """
    path = _locate_data_file(directory, part, name)
    if path is None:
        raise InputError(
            f"{directory}: no {name} here, nor in a directory {part}, plain or compressed "
            f"({', '.join(COMPRESSIONS)}); see irbounds data list"
        )
    return path


def has_data_file(directory: Path, part: str, name: str) -> bool:
    """Return whether ``data_file`` would return a file."""
    return _locate_data_file(directory, part, name) is not None


def _locate_data_file(directory: Path, part: str, name: str) -> Path | None:
    root = directory.expanduser()  # IRBOUNDS_DATA may begin with a tilde
    paths = (plain_or_compressed(place / name) for place in (root / part, root))
    return next((path for path in paths if path is not None), None)


# ---- score tables ----


def read_population(
    data: Path | None, name: str, n_systems: int, n_queries: int, seed: int
) -> ScoreTable:
    """Return the scores to draw samples from: read from a file, or simulated without ``data``."""
    if data is not None:
        return read_ap_scores(data, name)
    with count_steps("simulating queries", n_queries) as step:
        return simulate_scores(n_systems, n_queries, seed, step)


def read_ap_scores(directory: Path, name: str) -> ScoreTable:
    """Read a table of AP from a data directory, or from its directory ``scores``."""
    return read_scores(data_file(directory, SCORES, name), measure=MEASURE)


def simulate_scores(
    n_systems: int, n_queries: int, seed: int, progress: Callable[[], None] | None = None
) -> ScoreTable:
    """Return the AP of a simulated collection of that size."""
    collection = simulate_collection(n_systems, n_queries, rng=seed, progress=progress)
    return score(collection.qrels, collection.runs, [MEASURE])


def check_population(table: ScoreTable, n_systems: int, n_queries: int) -> None:
    """Raise ``DataError`` unless a table has that many systems and queries."""
    if len(table.systems) < n_systems or len(table.queries) < n_queries:
        raise DataError(
            f"the study needs at least {n_systems} systems and {n_queries} queries; got "
            f"{len(table.systems)} and {len(table.queries)}"
        )


# ---- judgments and runs ----


@dataclass(frozen=True, eq=False)
class StudyCollection:
    """Judgments and runs on a corpus of known size."""

    name: str
    qrels: Qrels
    runs: tuple[Run, ...]
    corpus_size: int
    #: names of runs that are too short to be compared with the others
    left_out: tuple[str, ...] = ()


def read_collection(data: Path | None, seed: int) -> StudyCollection:
    """Return TREC 2003 Robust of a data directory, or a simulated collection without ``data``."""
    if data is None:
        with count_steps("simulating queries", N_QUERIES) as step:
            return simulate_robust03(seed, step, N_QUERIES)
    with count_steps("reading runs", len(list_robust03_files(data)[1])) as step:
        return read_robust03(data, step)


def list_robust03_files(directory: Path) -> tuple[Path, list[Path]]:
    """Return the judgments and runs of TREC 2003 Robust, of a data directory or its part."""
    qrels = data_file(directory, ROBUST03, QRELS)
    files = qrels.parent.glob(f"*{RUN}*")
    plain = {file.with_suffix("") if file.suffix in COMPRESSIONS else file for file in files}
    places = sorted(file for file in plain if file.suffix == RUN)
    runs = [run for run in map(plain_or_compressed, places) if run is not None]
    if not runs:
        raise InputError(f"{qrels}: no runs (*{RUN}, plain or compressed) in its directory")
    return qrels, runs


def read_robust03(directory: Path, progress: Callable[[], None] | None = None) -> StudyCollection:
    """Read TREC 2003 Robust, without the runs that rank a few documents only."""
    qrels, files = list_robust03_files(directory)
    runs = read_runs(list(files), progress=progress)
    full = tuple(run for run in runs if run.depths.max() > SHORT)
    short = tuple(run.name for run in runs if run not in full)
    return StudyCollection("robust03", read_qrels(qrels), full, CORPUS_SIZE, short)


def read_own_collection(qrels: Any, runs: Any, corpus_size: int, label: str) -> StudyCollection:
    """Read judgments and runs of the user, with progress; no run is left out."""
    with show_progress("reading judgments"):
        judgments = read_qrels(qrels)
    sources = list_run_files(runs, qrels)
    n = len(sources) if isinstance(sources, list | tuple | Mapping) else 1
    with count_steps("reading runs", n) as step:
        read = read_runs(sources, progress=step)
    return StudyCollection(label, judgments, read, corpus_size)


def simulate_robust03(
    seed: int, progress: Callable[[], None] | None = None, n_queries: int = N_QUERIES
) -> StudyCollection:
    """Return a simulated collection of the size of TREC 2003 Robust."""
    collection = simulate_collection(
        N_SYSTEMS, n_queries, CORPUS_SIZE, DEPTH, rng=seed, progress=progress
    )
    return StudyCollection("simulated", collection.qrels, collection.runs, collection.corpus_size)


def binary_qrels(qrels: Qrels) -> Qrels:
    """Return the same judgments with every grade of 1 and more as 1, all others as 0."""
    return replace(qrels, relevance=(qrels.relevance >= 1).astype(np.int32))
