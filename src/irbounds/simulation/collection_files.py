"""A simulated collection as TREC files.

These are ``qrels.txt``, ``complete-qrels.txt``, one ``NAME.run`` per system, and ``truth.json``
with all true values. Files are written atomically, and ``truth.json`` last: a directory with this
file has all of them.
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import __version__
from ..atomic_write import write_atomically
from ..errors import ParameterError
from ..reading.records import Qrels, Run
from .model import SCORE_DECIMALS

if TYPE_CHECKING:
    from .simulated_collection import SimulatedCollection

#: as the gzip command does; the Python default of 9 is slower and hardly smaller
GZIP_LEVEL = 6
#: names in an error message
MAX_NAMES = 3


def write_collection(
    collection: SimulatedCollection,
    directory: str | os.PathLike[str],
    *,
    compress: bool = False,
    overwrite: bool = False,
    progress: Callable[[], None] | None = None,
) -> list[Path]:
    """Write the judgments, runs and true values of a simulated collection to a directory.

    Parameters
    ----------
    collection
        A collection, from ``simulate_collection``.
    directory
        The directory, created if it does not exist.
    compress
        Compress judgments and runs with gzip; their names then end in ``.gz``.
    overwrite
        Replace files of these names. Other files of the directory are never changed.
    progress
        Called after each file but the last.

    Returns
    -------
    list of Path
        The files.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from irbounds.simulation import simulate_collection
    >>> with TemporaryDirectory() as directory:
    ...     paths = write_collection(simulate_collection(2, 3, 100, 5), directory)
    >>> [path.name for path in paths]
    ['qrels.txt', 'complete-qrels.txt', 'system-001.run', 'system-002.run', 'truth.json']
    """
    directory = Path(directory)
    extension = ".gz" if compress else ""
    texts = {
        directory / f"{name}{extension}": text for name, text in _make_texts(collection).items()
    }
    truth = directory / "truth.json"
    paths = [*texts, truth]
    _check_directory(directory, [] if overwrite else paths)
    directory.mkdir(parents=True, exist_ok=True)
    truth.unlink(missing_ok=True)  # the files that it describes are replaced
    for path, text in texts.items():
        _write(path, text, compress)
        if progress:
            progress()
    _write(truth, iter([json.dumps(_describe_truth(collection), indent=1) + "\n"]), compress=False)
    return paths


def _make_texts(collection: SimulatedCollection) -> dict[str, Iterator[str]]:
    """Return the text of each file, which is made piece by piece when it is written."""
    names = np.array(collection.qrels.documents.strings())
    texts = {
        "qrels.txt": _make_qrels_text(collection.qrels, names),
        "complete-qrels.txt": _make_qrels_text(collection.complete, names),
    }
    return texts | {f"{run.name}.run": _make_run_text(run, names) for run in collection.runs}


def _make_qrels_text(qrels: Qrels, names: NDArray[np.str_]) -> Iterator[str]:
    """Yield the lines of each query."""
    for query, a, b in zip(qrels.query_ids, qrels.bounds, qrels.bounds[1:], strict=False):
        docs, grades = names[qrels.docs[a:b]].tolist(), qrels.relevance[a:b].tolist()
        lines = [f"{query} 0 {doc} {grade}\n" for doc, grade in zip(docs, grades, strict=True)]
        yield "".join(lines)


def _make_run_text(run: Run, names: NDArray[np.str_]) -> Iterator[str]:
    """Yield the lines of each query."""
    for query, a, b in zip(run.query_ids, run.bounds, run.bounds[1:], strict=False):
        docs, scores = names[run.docs[a:b]].tolist(), run.scores[a:b].tolist()
        lines = [
            f"{query} Q0 {doc} {rank} {score:.{SCORE_DECIMALS}f} {run.name}\n"
            for rank, (doc, score) in enumerate(zip(docs, scores, strict=True), start=1)
        ]
        yield "".join(lines)


def _write(path: Path, pieces: Iterator[str], compress: bool) -> None:
    with write_atomically(path) as file:
        if not compress:
            file.writelines(piece.encode() for piece in pieces)
            return
        # without a name and a time, so that the bytes do not depend on them
        with gzip.GzipFile("", "wb", GZIP_LEVEL, fileobj=file, mtime=0) as compressed:
            compressed.writelines(piece.encode() for piece in pieces)


def _check_directory(directory: Path, unwanted: list[Path]) -> None:
    if directory.exists() and not directory.is_dir():
        raise ParameterError(f"directory must not be a file; got {str(directory)!r}")
    existing = [path.name for path in unwanted if path.exists()]
    if existing:
        first = ", ".join(existing[:MAX_NAMES]) + (", ..." if existing[MAX_NAMES:] else "")
        raise ParameterError(
            f"directory {str(directory)!r} already has {len(existing)} of the files to be written "
            f"({first}); overwrite=True replaces them"
        )


def _describe_truth(collection: SimulatedCollection) -> dict[str, Any]:
    """Return all true values except the complete judgments, which have their own file."""
    plan = collection.plan
    systems = zip(
        collection.system_names, collection.strengths, collection.teams.tolist(), strict=True
    )
    queries = zip(
        collection.complete.query_ids,
        collection.easiness,
        collection.n_relevant.tolist(),
        strict=True,
    )
    return {
        "made_by": f"irbounds {__version__}, numpy {np.__version__}",
        # as text, since other readers of JSON do not keep all 128 bits of a number
        "entropy": str(collection.entropy),
        "spawn_key": list(collection.spawn_key),
        "plan": {name: getattr(plan, name) for name in plan.__dataclass_fields__},
        "systems": [{"name": n, "strength": float(x), "team": t} for n, x, t in systems],
        "queries": [{"query_id": q, "easiness": float(e), "n_relevant": r} for q, e, r in queries],
        "interactions": collection.interactions.tolist(),
    }
